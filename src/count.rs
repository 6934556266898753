//! Counting as a library call: what to count and how, and what came of it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::checkpoint::{self, Checkpoint, Saved, Saver, Saving, Session};
use crate::counter::{Counter, Settings};
use crate::error::Error;
use crate::execute::{Both, Execution, MAX_THREADS, Observer, Stop, Total};
use crate::kernel::Kernel;
use crate::problem::Problem;
use crate::run::Run;
use crate::units;

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
    checkpoint: Option<PathBuf>,
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
    /// Wall-clock time of this run.
    pub elapsed: Duration,
    /// Wall-clock time of earlier runs with the same checkpoint file.
    pub earlier: Duration,
}

/// How a count is made.
struct Choice {
    algorithm: Algorithm,
    reason: &'static str,
    /// What the checkpoint file says of its run, if it may be this one.
    saved: Option<Run>,
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
            checkpoint: None,
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

    /// Keeps every counted unit in the file at `path`, and goes on with what is in it. If the file
    /// exists, its algorithm and split are the default.
    ///
    /// What is counted is on the disk a second later. One process at a time can use a file.
    pub fn checkpoint(mut self, path: &Path) -> Self {
        self.checkpoint = Some(path.into());
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
    ///
    /// # Errors
    /// [`Error::Checkpoint`].
    pub fn choice(&self) -> Result<(Algorithm, &'static str), Error> {
        self.choose().map(|choice| (choice.algorithm, choice.reason))
    }

    fn choose(&self) -> Result<Choice, Error> {
        let saved = self.checkpoint.as_deref().map(checkpoint::peek).transpose()?.flatten();
        let (algorithm, reason) = match (self.algorithm, &saved) {
            (Some(algorithm), _) => (algorithm, "asked for"),
            (None, Some(run)) => (run.algorithm, "as in the checkpoint file"),
            (None, None) => Algorithm::auto(&self.problem, self.memory_per_thread()),
        };
        let same = |run: &Run| {
            run.n == self.problem.n()
                && run.toroidal == self.problem.is_toroidal()
                && run.algorithm == algorithm
        };
        Ok(Choice { algorithm, reason, saved: saved.filter(same) })
    }

    fn wanted_threads(&self) -> usize {
        self.threads.unwrap_or_else(default_threads)
    }

    fn memory_per_thread(&self) -> u64 {
        self.memory.unwrap_or_else(default_memory) / self.wanted_threads().max(1) as u64
    }

    /// Counts.
    ///
    /// Near `n` = 20, time grows about 5.3 times per board size for [`Algorithm::Join`] and 8.3 times for
    /// the others. Memory is a few kilobytes per thread; for the join 30 MB at 20, 620 MB at 24.
    ///
    /// # Errors
    /// [`Error::ThreadCount`], [`Error::SplitDepth`], [`Error::KernelMissing`],
    /// [`Error::Unsupported`], [`Error::MemoryTooSmall`], [`Error::ThreadStart`],
    /// [`Error::Stopped`], [`Error::Overflow`], [`Error::Checkpoint`].
    pub fn run(self) -> Result<Outcome, Error> {
        let started = Instant::now();
        let Choice { algorithm, reason, saved } = self.choose()?;
        let kernel = algorithm.kernel(&self.problem, self.kernel)?;
        let settings = Settings { depth: self.depth, kernel, memory: self.memory_per_thread() };
        let mut counter = algorithm.counter(&self.problem, &settings)?;
        // A file made with another split goes on with that one.
        if let Some(depth) = saved.map(|run| run.depth).filter(|&depth| depth != counter.depth())
            && self.depth.is_none()
        {
            let settings = Settings { depth: Some(depth), ..settings };
            counter = algorithm.counter(&self.problem, &settings)?;
        }
        let threads = threads_for(self.wanted_threads(), counter.units())?;
        let execution = Execution { algorithm, threads, observer: self.observer, stop: &self.stop };
        let mut earlier = Duration::ZERO;
        let mut total = match &self.checkpoint {
            None => {
                self.observer.started(counter.units());
                execution.run(&*counter, 0..counter.units())?
            }
            Some(path) => {
                let run = Run::of(&self.problem, algorithm, &*counter);
                let (checkpoint, saved) = Checkpoint::open(path, &run)?;
                earlier = saved.elapsed();
                let session = Session::starting(threads, kernel);
                let saver = Saver::new(checkpoint, session, self.observer);
                resume(&*counter, &execution, &saved, saver)?
            }
        };
        total.work += u128::from(counter.work_above());
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
            earlier,
        })
    }
}

/// Counts the units that are not among the `saved` ones, hands them to `saver` as they are counted,
/// and returns the sum of all.
fn resume(
    counter: &dyn Counter,
    execution: &Execution<'_>,
    saved: &Saved,
    saver: Saver<'_>,
) -> Result<Total, Error> {
    let observer = execution.observer;
    observer.started(counter.units());
    observer.resumed(saved.units_done(), saved.elapsed());
    let missing = units::spread(counter.units()).filter(|&unit| !saved.done.contains(unit));
    let (saving, counted) = Saving::channel();
    let mut total = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("nqueens-saver".into());
        let started = thread.spawn_scoped(scope, move || saver.run(&counted));
        started.map_err(|error| Error::ThreadStart { threads: 1, reason: error.to_string() })?;
        // Belongs to this closure: when it ends, the saver saves the rest and ends too.
        let saving = saving;
        Execution { observer: &Both(observer, &saving), ..*execution }.run(counter, missing)
    })?;
    total.solutions += saved.solutions;
    total.work += saved.work;
    Ok(total)
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
pub(crate) fn threads_for(threads: usize, units: u64) -> Result<usize, Error> {
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(Error::ThreadCount { threads, max: MAX_THREADS });
    }
    let units = usize::try_from(units).unwrap_or(usize::MAX);
    Ok(threads.min(units.max(1)))
}
