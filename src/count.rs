//! Counting as a library call: what to count and how, and what came of it.

use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::counter::Settings;
use crate::error::Error;
use crate::execute::{Execution, MAX_THREADS, Observer, Stop};
use crate::kernel::Kernel;
use crate::problem::Problem;

/// The number of solutions for the board of `n` rows, counted with the fastest algorithm on all
/// CPUs.
///
/// # Errors
/// [`Error::BoardTooLarge`] if `n` is above 32, [`Error::ThreadStart`].
///
/// # Examples
/// ```
/// assert_eq!(nqueens::count(8)?, 92);
/// # Ok::<(), nqueens::Error>(())
/// ```
pub fn count(n: u32) -> Result<u128, Error> {
    Ok(Count::new(n)?.run()?.solutions)
}

/// A count to be made. Each setting has a default; [`run`](Self::run) counts.
///
/// # Examples
/// ```
/// use nqueens::{Algorithm, Count};
///
/// let outcome = Count::new(8)?.algorithm(Algorithm::Naive).threads(2).run()?;
/// assert_eq!(outcome.solutions, 92);
/// assert_eq!(outcome.work, 2057); // OEIS A319283: root and solutions are nodes too
/// # Ok::<(), nqueens::Error>(())
/// ```
#[must_use = "nothing is counted before `run`"]
pub struct Count<'a> {
    problem: Problem,
    algorithm: Option<Algorithm>,
    threads: Option<usize>,
    depth: Option<u32>,
    kernel: Option<Kernel>,
    memory: Option<u64>,
    observer: &'a dyn Observer,
    stop: Stop,
}

/// A finished count, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Board size.
    pub n: u32,
    /// Number of boards.
    pub solutions: u128,
    /// What was searched, in units of [`Algorithm::work`].
    pub work: u128,
    /// The algorithm that ran.
    pub algorithm: Algorithm,
    /// Why it ran.
    pub reason: &'static str,
    /// The kernel of its hot loops.
    pub kernel: Kernel,
    /// Number of work units.
    pub units: u64,
    /// Number of threads that counted.
    pub threads: usize,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl<'a> Count<'a> {
    /// A count of all boards of `n` rows.
    ///
    /// # Errors
    /// [`Error::BoardTooLarge`] if `n` is above 32.
    pub fn new(n: u32) -> Result<Self, Error> {
        Ok(Self::of(Problem::new(n)?))
    }

    /// A count of all boards of `problem`.
    pub fn of(problem: Problem) -> Self {
        Self {
            problem,
            algorithm: None,
            threads: None,
            depth: None,
            kernel: None,
            memory: None,
            observer: &(),
            stop: Stop::new(),
        }
    }

    /// Counts with `algorithm`; default: [`Algorithm::auto`].
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = Some(algorithm);
        self
    }

    /// Counts on `threads` threads, from 1 to 4096, or on fewer if there are fewer units; default:
    /// one for each CPU that this process may use.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Splits the work into the choices of the first `depth` rows; default: by board size. Deeper
    /// splits than 1 are for [`Algorithm::Bitboard`] only, up to 7.
    pub fn split_depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Uses the instructions of `kernel`; default: [`Kernel::best`].
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Takes at most about this many bytes for all threads together; default: half of what is
    /// available. The join splits its lists further where it must, and gets slower.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Tells `observer` about every finished unit.
    pub fn observer(mut self, observer: &'a dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Ends the run early, with [`Error::Stopped`], when `stop` is requested.
    pub fn stop(mut self, stop: &Stop) -> Self {
        self.stop = stop.clone();
        self
    }

    /// The algorithm that [`run`](Self::run) will use, and why.
    #[must_use]
    pub fn choice(&self) -> (Algorithm, &'static str) {
        match self.algorithm {
            Some(algorithm) => (algorithm, "asked for"),
            None => Algorithm::auto(&self.problem, self.memory_per_thread()),
        }
    }

    fn wanted_threads(&self) -> usize {
        self.threads.unwrap_or_else(default_threads)
    }

    fn memory_per_thread(&self) -> u64 {
        self.memory.unwrap_or_else(default_memory) / self.wanted_threads().max(1) as u64
    }

    /// Counts.
    ///
    /// Near `n` = 20, time grows 6.3 times per board size for [`Algorithm::Join`] and 8.3 times for
    /// the others. Memory is a few kilobytes per thread; for the join 30 MB at 20, 620 MB at 24.
    ///
    /// # Errors
    /// [`Error::ThreadCount`], [`Error::SplitDepth`], [`Error::KernelMissing`],
    /// [`Error::Unsupported`], [`Error::MemoryTooSmall`], [`Error::ThreadStart`], [`Error::Stopped`], [`Error::Overflow`].
    pub fn run(self) -> Result<Outcome, Error> {
        let started = Instant::now();
        let (algorithm, reason) = self.choice();
        let kernel = match self.kernel.map_or_else(|| Ok(Kernel::best()), Kernel::checked)? {
            kernel if algorithm.has_kernels() => kernel,
            _ => Kernel::Portable,
        };
        let settings = Settings { depth: self.depth, kernel, memory: self.memory_per_thread() };
        let counter = algorithm.counter(&self.problem, &settings)?;
        let threads = threads_for(self.wanted_threads(), counter.units())?;
        let execution = Execution { algorithm, threads, observer: self.observer, stop: &self.stop };
        let total = execution.run(&*counter)?;
        Ok(Outcome {
            n: self.problem.n(),
            solutions: total.solutions,
            work: total.work,
            algorithm,
            reason,
            kernel,
            units: counter.units(),
            threads,
            elapsed: started.elapsed(),
        })
    }
}

/// The number of CPUs that this process may use: affinity and cgroup quotas count.
#[must_use]
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cpus| cpus.get().min(MAX_THREADS))
}

/// Half of the memory that is available to this process, in bytes: cgroup limits count. 1 GiB where
/// the system does not say.
#[must_use]
pub fn default_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return 1 << 30 };
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit) / 2
}

/// The number of threads that are worth starting for `units` units.
fn threads_for(threads: usize, units: u64) -> Result<usize, Error> {
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(Error::ThreadCount { threads, max: MAX_THREADS });
    }
    let units = usize::try_from(units).unwrap_or(usize::MAX);
    Ok(threads.min(units.max(1)))
}
