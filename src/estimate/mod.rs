//! How long a count would take, and about how many boards there are, from random samples.
//!
//! [`descents`] estimates the number of boards, [`timing`] the time. Both take half of the time that
//! they are given.

mod descents;
mod timing;

use std::fmt;
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::builder::setting;
use crate::counter::Settings;
use crate::error::Error;
use crate::execute::{Execution, Stop};
use crate::kernel::Kernel;
use crate::machine::{default_memory, default_threads};
use crate::problem::Problem;
use crate::split::Split;
use descents::Descents;
use timing::Timing;

pub use descents::Mean;
pub use timing::TimeEstimate;

/// The time that an estimate takes if none is given.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// It never takes less: samples of less time would say that nothing is there, with great certainty.
const LEAST_TIME: Duration = Duration::from_millis(100);

/// What is expected of a count.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Estimated {
    /// Number of boards.
    pub solutions: Mean,
    /// Nodes of the backtrack tree.
    pub nodes: Mean,
    /// Number of descents.
    pub samples: u64,
    /// Rows that a descent fills.
    pub depth: u32,
    /// The algorithm whose units were timed.
    pub algorithm: Algorithm,
    /// The kernel of its hot loops.
    pub kernel: Kernel,
    /// Threads that counted, and that the time is for.
    pub threads: usize,
    /// Number of units of the count; `None` if this machine lacks the memory for one.
    pub units: Option<u64>,
    /// The least memory that the threads need, as far as it is more than a few kilobytes each.
    pub least_memory: u64,
    /// How long it would take.
    pub time: TimeEstimate,
    /// Time that the estimate took.
    pub elapsed: Duration,
}

/// An estimate to be made, of the number of boards and of the time that counting them takes. Each
/// setting has a default; [`run`](Self::run) takes the samples.
///
/// # Examples
/// ```
/// use std::time::Duration;
///
/// let estimated = nqueens::Estimate::new(12)?.time(Duration::from_millis(200)).run()?;
/// let distance = (estimated.solutions.value - 14200.0).abs();
/// assert!(distance <= 10.0 * estimated.solutions.standard_error + 1.0);
/// # Ok::<(), nqueens::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "nothing is estimated before `run`"]
pub struct Estimate {
    problem: Problem,
    algorithm: Option<Algorithm>,
    kernel: Option<Kernel>,
    threads: Option<usize>,
    memory: Option<u64>,
    time: Duration,
    stop: Stop,
}

impl Estimate {
    /// An estimate for all boards of `n` rows.
    ///
    /// # Errors
    /// [`Error::BoardTooLarge`] if `n` is above 32.
    pub fn new(n: u32) -> Result<Self, Error> {
        Ok(Self::of(Problem::new(n)?))
    }

    /// An estimate for all boards of `problem`.
    pub fn of(problem: Problem) -> Self {
        Self {
            problem,
            algorithm: None,
            kernel: None,
            threads: None,
            memory: None,
            time: DEFAULT_TIME,
            stop: Stop::new(),
        }
    }

    setting!(algorithm, kernel, threads, memory, stop);

    /// Takes about this long, but at least a tenth of a second; default: 10 seconds.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Takes the samples.
    ///
    /// # Errors
    /// [`Error::KernelMissing`], [`Error::Unsupported`], [`Error::MemoryTooSmall`],
    /// [`Error::ThreadCount`], [`Error::ThreadStart`], [`Error::Stopped`].
    pub fn run(self) -> Result<Estimated, Error> {
        let Self { problem, time, stop, .. } = &self;
        let time = time.max(&LEAST_TIME);
        if problem.is_toroidal() {
            return Err(Error::Unsupported { what: "an estimate for a toroidal board" });
        }
        let started = Instant::now();
        let threads = self.threads.unwrap_or_else(default_threads);
        let execution = Execution::new(threads, u64::MAX, stop)?;
        // In a pool there may be fewer.
        let threads = execution.threads();
        let memory = self.memory.unwrap_or_else(default_memory) / threads as u64;
        let algorithm = self.algorithm.unwrap_or_else(|| Algorithm::auto(problem, memory).0);
        let kernel = algorithm.kernel(self.kernel)?;
        let least_memory = algorithm.least_memory(problem);
        let has_memory = least_memory <= memory;
        let units = Split::new(problem, algorithm, None).ok().filter(|_| has_memory);
        let settings = Settings { kernel, memory };
        let timing = Timing { algorithm, execution, settings, time: *time / 2 };
        let timed = timing.time_boards(problem)?;
        let left = time.saturating_sub(started.elapsed()).max(*time / 4);
        let descents = Descents::plan(problem, Kernel::best(), threads, left);
        let found = descents.make(&execution)?;
        let (solutions, nodes) = (found.solutions(), found.nodes());
        Ok(Estimated {
            solutions,
            nodes,
            samples: descents.samples,
            depth: descents.depth,
            algorithm,
            kernel,
            threads,
            units: units.map(|split| split.len()),
            least_memory: least_memory.saturating_mul(threads as u64),
            time: timed.whole(problem.n(), nodes.value, algorithm, threads),
            elapsed: started.elapsed(),
        })
    }
}

impl fmt::Debug for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, algorithm, kernel, threads, memory, time, .. } = self;
        f.debug_struct("Estimate")
            .field("problem", problem)
            .field("algorithm", algorithm)
            .field("kernel", kernel)
            .field("threads", threads)
            .field("memory", memory)
            .field("time", time)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    #[test]
    fn estimates_of_known_boards_are_near() {
        for n in [0, 1, 2, 3, 4, 8, 13, 20] {
            let time = Duration::from_millis(300);
            let estimate = Estimate::new(n).unwrap().kernel(Kernel::best()).threads(2).time(time);
            let found = estimate.run().unwrap();
            let known = known::solutions(n).unwrap() as f64;
            let distance = (found.solutions.value - known).abs();
            assert!(distance <= 6.0 * found.solutions.standard_error + 1e-6, "{n}: {found:?}");
            assert!(found.solutions.standard_error <= 0.3 * known, "{n}: {found:?}");
            assert!(
                found.time.seconds.is_finite() && (n == 2 || n == 3 || found.time.timed_units > 0)
            );
        }
    }

    #[test]
    fn the_largest_board_is_estimated() {
        let problem = Problem::new(32).unwrap();
        for &algorithm in Algorithm::ALL.iter().filter(|one| one.supports(&problem)) {
            let estimate = Estimate::of(problem.clone()).algorithm(algorithm).threads(2);
            let found = estimate.time(Duration::from_millis(500)).run().unwrap();
            assert!(found.solutions.value > 1e20 && found.time.seconds > 1e9, "{found:?}");
        }
    }
}
