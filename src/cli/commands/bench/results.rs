//! What `bench` found. [`BenchReport`] is the schema of its JSON.

use serde::{Deserialize, Serialize};

use super::workload::Case;
use crate::cli::machine::Machine;
use crate::cli::version::Build;

/// The JSON of `bench`: this struct is the schema.
///
/// Whole numbers that can pass 2^53 are strings of digits. Times are in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct BenchReport {
    /// Name of the workload; measurements of different workloads are not compared.
    pub(crate) workload: String,
    /// Whether everything was measured; `false` after Ctrl-C.
    pub(crate) complete: bool,
    /// When the first measurement began, in seconds since 1970.
    pub(crate) started_unix: u64,
    /// Measured runs of each count; one more came before, to warm up.
    pub(crate) runs: usize,
    /// The program.
    pub(crate) build: Build,
    /// The computer, before the first measurement.
    pub(crate) machine: Machine,
    /// Sum of the work of all portable counts: the same for every correct build, on every machine.
    /// `null` if not everything was measured.
    pub(crate) signature: Option<String>,
    /// One for each count that was measured, in the order of the workload.
    pub(crate) measurements: Vec<Measurement>,
    /// Counts that were not measured, since the run was interrupted.
    pub(crate) unfinished: Vec<Key>,
    /// What makes these times less trustworthy.
    pub(crate) warnings: Vec<String>,
    /// What changed beyond noise since the baseline; only with `--baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<Vec<Change>>,
}

/// What was counted, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Key {
    /// `naive`, `arrays`, `bitboard` or `join`.
    pub(crate) algorithm: String,
    /// `portable`, `avx2` or `avx512`.
    pub(crate) kernel: String,
    /// Board size.
    pub(crate) board: u32,
    /// Threads that were asked for; there are never more than work units.
    pub(crate) threads: usize,
}

/// The runs of one count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// What was counted, and how.
    #[serde(flatten)]
    pub(crate) key: Key,
    /// Number of solutions. Every run was checked against OEIS A000170.
    pub(crate) count: String,
    /// What was searched; the same in every run.
    pub(crate) work: String,
    /// `nodes` of the plain backtrack tree, root and solutions included (OEIS A319283), or `pairs`
    /// of half boards.
    pub(crate) work_unit: String,
    /// Wall-clock time of each run.
    pub(crate) seconds: Vec<f64>,
    /// Their median.
    pub(crate) median: f64,
    /// The longest less the shortest, in parts of the median.
    pub(crate) spread: f64,
    /// CPU time per run, all threads together; `null` where the system does not tell.
    pub(crate) cpu_seconds: Option<f64>,
    /// Solutions per second of the median.
    pub(crate) solutions_per_second: f64,
    /// Work per second of the median.
    pub(crate) work_per_second: f64,
    /// Time on the first number of threads, in times of this one's; only where the same count was
    /// measured on several numbers of threads.
    pub(crate) speed_up: Option<f64>,
    /// Speed-up per thread more than the first number had; 1 is perfect.
    pub(crate) efficiency: Option<f64>,
}

/// A count that takes longer or shorter than in the baseline: the slowest run of the one is faster
/// than the fastest of the other, and the medians differ by more than 2 % and than either spread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// What was counted, and how.
    #[serde(flatten)]
    pub(crate) key: Key,
    /// Median of the baseline.
    pub(crate) before: f64,
    /// Median now.
    pub(crate) now: f64,
}

impl From<Case> for Key {
    fn from(case: Case) -> Self {
        Self {
            algorithm: case.algorithm.to_string(),
            kernel: case.kernel.to_string(),
            board: case.n,
            threads: case.threads,
        }
    }
}

impl BenchReport {
    /// What `measurement` is part of when its threads are left aside.
    fn same_count<'a>(&'a self, key: &'a Key) -> impl Iterator<Item = &'a Measurement> {
        let same = move |other: &Key| {
            (&other.algorithm, &other.kernel, other.board)
                == (&key.algorithm, &key.kernel, key.board)
        };
        self.measurements.iter().filter(move |measurement| same(&measurement.key))
    }

    /// Adds a measurement, and what it says about threads.
    pub(crate) fn add(&mut self, mut measurement: Measurement) {
        let first = self.same_count(&measurement.key).next();
        if let Some(first) = first.map(|first| (first.key.clone(), first.median)) {
            let (key, median) = first;
            let speed_up = median / measurement.median;
            let more = measurement.key.threads as f64 / key.threads as f64;
            measurement.speed_up = Some(speed_up);
            measurement.efficiency = Some(speed_up / more);
            let first = self.measurements.iter_mut().find(|measurement| measurement.key == key);
            let first = first.expect("it was just found");
            (first.speed_up, first.efficiency) = (Some(1.0), Some(1.0));
        }
        self.measurements.push(measurement);
    }

    /// Counts that were measured on one number of threads only, or on the first.
    pub(crate) fn growing(&self) -> impl Iterator<Item = &Measurement> {
        self.measurements.iter().filter(|measurement| measurement.speed_up.is_none_or(|s| s == 1.0))
    }

    /// Whether the last measurement is of another algorithm than the one before.
    pub(crate) fn starts_algorithm(&self) -> bool {
        match self.measurements.as_slice() {
            [.., before, last] => before.key.algorithm != last.key.algorithm,
            _ => false,
        }
    }

    /// The same count as the last one, on the numbers of threads measured so far.
    pub(crate) fn same_as_last(&self) -> Vec<&Measurement> {
        let last = self.measurements.last();
        last.map_or_else(Vec::new, |last| self.same_count(&last.key).collect())
    }

    /// The same count on different numbers of threads, for each such count.
    pub(crate) fn scaling(&self) -> Vec<Vec<&Measurement>> {
        let first =
            self.measurements.iter().filter(|measurement| measurement.speed_up == Some(1.0));
        first.map(|first| self.same_count(&first.key).collect()).collect()
    }
}

impl Key {
    /// Algorithm and kernel, the latter where the algorithm has several.
    pub(crate) fn series(&self) -> String {
        match self.algorithm.as_str() {
            algorithm @ ("naive" | "arrays") => algorithm.into(),
            algorithm => format!("{algorithm} {}", self.kernel),
        }
    }
}
