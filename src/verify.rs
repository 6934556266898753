//! Counts saved units again, in another way than before, and compares.
//!
//! A machine that makes an error now and then makes it in any run, so equal counts by another
//! way mean more than the same way twice: a unit is counted again by another algorithm where that is
//! quick, else with another kernel, else (where a CPU has one kernel only) with the same.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::algorithm::Algorithm;
use crate::checkpoint::{self, CheckpointError, Saved, UnitRecord};
use crate::count::{default_memory, threads_for};
use crate::counter::{Counter, Settings, Tally, UnitProblem, Worker};
use crate::error::Error;
use crate::execute::{Execution, Observer, Stop};
use crate::kernel::Kernel;

/// Units of bitboard with at most this much work are counted again by `arrays`, in up to 0.1 s.
const SMALL: u64 = 3_000_000;

/// What counting saved units again has shown.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Verified {
    /// What the file holds.
    pub saved: Saved,
    /// Number of units counted again.
    pub recounted: u64,
    /// Units that differ, in ascending order.
    pub differences: Vec<Difference>,
    /// How many units were counted again in which way.
    pub ways: Vec<(String, u64)>,
}

/// A unit whose saved tally is not what counting it again gives.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The unit.
    pub unit: u64,
    /// Its tally in the file.
    pub saved: Tally,
    /// Its tally now.
    pub recounted: Tally,
    /// How it was counted now.
    pub way: String,
}

/// Counts the units saved in the checkpoint file at `path` again, each with probability `share`.
///
/// Memory: 60 bytes for each unit that is counted again.
///
/// # Errors
/// [`Error::Checkpoint`], [`Error::ThreadCount`], [`Error::ThreadStart`], [`Error::Stopped`],
/// [`Error::Overflow`].
pub fn verify(
    path: &Path,
    share: f64,
    threads: usize,
    observer: &dyn Observer,
    stop: &Stop,
) -> Result<Verified, Error> {
    let mut sample = Vec::new();
    let saved = checkpoint::read(path, |record, session| {
        if share >= 1.0 || fastrand::f64() < share {
            let kernel = Kernel::from_name(&session.kernel);
            sample.push(Sample { record, kernel });
        }
    })?;
    let recount = Recount::new(path, &saved, sample, default_memory() / threads.max(1) as u64)?;
    let threads = threads_for(threads, recount.units())?;
    let algorithm = saved.run.algorithm;
    let compare = Compare { recount: &recount, observer, differences: Mutex::default() };
    observer.started(recount.units());
    Execution { algorithm, threads, observer: &compare, stop }.run(&recount, 0..recount.units())?;
    let mut differences = compare.differences.into_inner().unwrap_or_else(PoisonError::into_inner);
    differences.sort_by_key(|difference| difference.unit);
    Ok(Verified { recounted: recount.units(), differences, ways: recount.ways(), saved })
}

/// A saved unit, and the kernel that counted it, if this program knows it.
struct Sample {
    record: UnitRecord,
    kernel: Option<Kernel>,
}

/// How a unit is counted again.
enum Way {
    /// As a problem of its own, by another algorithm.
    Algorithm(UnitProblem, Algorithm),
    /// By the same algorithm, with the kernel of this index.
    Kernel(usize),
}

/// Counts saved units again: its unit `i` is the `i`th of the sample.
struct Recount {
    algorithm: Algorithm,
    counters: Vec<(Kernel, Box<dyn Counter>)>,
    sample: Vec<Sample>,
}

impl Recount {
    fn new(path: &Path, saved: &Saved, sample: Vec<Sample>, memory: u64) -> Result<Self, Error> {
        let make = |kernel| match saved.run.counter(kernel, memory) {
            Err(Error::OtherUnits(mismatch)) => {
                Err(CheckpointError::OtherRun { path: path.into(), mismatch }.into())
            }
            counter => Ok((kernel, counter?)),
        };
        let counters = Kernel::available().into_iter().map(make).collect::<Result<_, Error>>()?;
        Ok(Self { algorithm: saved.run.algorithm, counters, sample })
    }

    fn way(&self, sample: &Sample) -> Way {
        let (other, limit) = match self.algorithm {
            Algorithm::Bitboard => (Algorithm::Arrays, SMALL),
            _ => (Algorithm::Bitboard, u64::MAX),
        };
        if sample.record.tally.work <= limit
            && let Some(problem) = self.counters[0].1.as_problem(sample.record.unit)
        {
            return Way::Algorithm(problem, other);
        }
        let another = |(kernel, _): &(Kernel, _)| Some(*kernel) != sample.kernel;
        Way::Kernel(self.counters.iter().rposition(another).unwrap_or(0))
    }

    fn name(&self, way: &Way) -> String {
        match way {
            Way::Algorithm(_, algorithm) => format!("algorithm {algorithm}"),
            Way::Kernel(index) => format!("kernel {}", self.counters[*index].0),
        }
    }

    /// How many units are counted in which way.
    fn ways(&self) -> Vec<(String, u64)> {
        let mut ways: Vec<(String, u64)> = Vec::new();
        for sample in &self.sample {
            let name = self.name(&self.way(sample));
            match ways.iter_mut().find(|(known, _)| *known == name) {
                Some((_, units)) => *units += 1,
                None => ways.push((name, 1)),
            }
        }
        ways
    }
}

impl Counter for Recount {
    fn units(&self) -> u64 {
        self.sample.len() as u64
    }

    fn worker(&self) -> Worker<'_> {
        let mut workers: Vec<_> =
            self.counters.iter().map(|(_, counter)| counter.worker()).collect();
        Box::new(move |index| {
            let sample = &self.sample[index as usize];
            match self.way(sample) {
                Way::Algorithm(unit, algorithm) => count_whole(&unit, algorithm),
                Way::Kernel(kernel) => workers[kernel](sample.record.unit),
            }
        })
    }
}

/// Counts a unit as a problem of its own; `None` if it does not fit 64 bits.
fn count_whole(unit: &UnitProblem, algorithm: Algorithm) -> Option<Tally> {
    let settings = Settings { depth: None, kernel: Kernel::Portable, memory: u64::MAX };
    let counter = algorithm.counter(&unit.problem, &settings).ok()?;
    let mut worker = counter.worker();
    let zero = Tally { solutions: 0, work: counter.work_above() };
    let whole = (0..counter.units()).try_fold(zero, |sum, index| {
        let tally = worker(index)?;
        let solutions = sum.solutions.checked_add(tally.solutions)?;
        Some(Tally { solutions, work: sum.work.checked_add(tally.work)? })
    })?;
    Tally { work: whole.work.checked_sub(unit.nodes_above)?, ..whole }.times(unit.weight)
}

/// Compares each tally with the saved one.
struct Compare<'a> {
    recount: &'a Recount,
    observer: &'a dyn Observer,
    differences: Mutex<Vec<Difference>>,
}

impl Observer for Compare<'_> {
    fn finished(&self, index: u64, tally: Tally, took: Duration) {
        let sample = &self.recount.sample[index as usize];
        if tally != sample.record.tally {
            let way = self.recount.name(&self.recount.way(sample));
            let UnitRecord { unit, tally: saved, .. } = sample.record;
            let difference = Difference { unit, saved, recounted: tally, way };
            self.differences.lock().unwrap_or_else(PoisonError::into_inner).push(difference);
        }
        self.observer.finished(index, tally, took);
    }
}
