//! Tests of the whole crate: every algorithm against published values, and against each other.

mod agreement;
mod boards;
mod earlier;
mod edges;
mod execution;
mod extremes;
mod golden;
mod known_answers;
mod map;
mod readers;
mod tasks;

use std::path::PathBuf;

use crate::algorithm::Algorithm;
use crate::counter::Settings;
use crate::kernel::Kernel;
use crate::problem::Problem;
use crate::split::Split;

/// A file of its own for a test, removed at the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("nqueens-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The rows of a table of numbers in `tests/data`, without its header.
fn table(csv: &str) -> Vec<Vec<u64>> {
    let row = |line: &str| line.split(',').map(|field| field.parse().unwrap()).collect();
    csv.lines().skip(1).map(row).collect()
}

fn settings(kernel: Kernel) -> Settings {
    Settings { kernel, memory: 1 << 30 }
}

/// Solutions and nodes of `problem`, all units counted in turn.
fn sum_of_units(problem: &Problem, algorithm: Algorithm, depth: Option<u32>) -> (u64, u64) {
    let split = Split::new(problem, algorithm, depth).unwrap();
    let (units, work_above) = (split.len(), split.work_above());
    let counter = algorithm.counter(problem, split, &settings(Kernel::best())).unwrap();
    let mut worker = counter.worker();
    let tallies = (0..units).map(|unit| worker(unit).unwrap());
    tallies.fold((0, work_above), |sum, tally| (sum.0 + tally.solutions, sum.1 + tally.work))
}
