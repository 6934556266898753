//! Counting as a library call: what to count and how, and what came of it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::builder::setting;
use crate::checkpoint::{self, Checkpoint, Saved, Saver, Session};
use crate::counter::{Counter, Settings};
use crate::error::{Error, FileError};
use crate::execute::{Both, Execution, Observer, Stop};
use crate::kernel::Kernel;
use crate::machine::{checked_threads, default_memory, default_threads};
use crate::problem::Problem;
use crate::run::Run;
use crate::split::Split;
use crate::tally::Total;
use crate::units;

/// Boards up to this size are counted by the caller's thread: starting two threads takes 0.2 ms, the
/// bitboard takes 20 µs for 8 rows and 0.1 ms for 10 (AMD Zen 3, AVX2).
const TINY: u32 = 10;

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
    /// Made once, so that what was told is what runs.
    choice: Option<Choice>,
}

/// A finished count, and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Board size.
    pub n: u32,
    /// Number of boards.
    pub solutions: u128,
    /// What was searched, in units of [`Algorithm::work_kind`].
    pub work: u128,
    /// The algorithm that ran.
    pub algorithm: Algorithm,
    /// Why it ran.
    pub reason: &'static str,
    /// The kernel of its hot loops.
    pub kernel: Kernel,
    /// Number of work units.
    pub units: u64,
    /// Number of threads that counted; tiny boards are counted by the caller's.
    pub threads: usize,
    /// Wall-clock time of this run.
    pub elapsed: Duration,
    /// Wall-clock time of earlier runs with the same checkpoint file.
    pub earlier: Duration,
}

/// How a count is made.
#[derive(Debug, Clone)]
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
            choice: None,
        }
    }

    setting!(algorithm, threads, kernel, memory, observer, stop);

    /// Splits the work into the choices of the first `depth` rows; default: by board size. Deeper
    /// splits than 1 are for [`Algorithm::Bitboard`] only, up to 7.
    pub fn split_depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Keeps every counted unit in the file at `path`, and resumes what is in it. If the file
    /// exists, its algorithm and split are the default.
    ///
    /// What is counted is on the disk a second later. One process at a time can use a file.
    pub fn checkpoint(mut self, path: impl AsRef<Path>) -> Self {
        self.checkpoint = Some(path.as_ref().into());
        self
    }

    /// The algorithm that [`run`](Self::run) will use, and why. Settings made after this call no
    /// longer change it.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn choice(&mut self) -> Result<(Algorithm, &'static str), Error> {
        let choice = self.choose()?;
        let told = (choice.algorithm, choice.reason);
        self.choice = Some(choice);
        Ok(told)
    }

    fn choose(&self) -> Result<Choice, Error> {
        if let Some(choice) = &self.choice {
            return Ok(choice.clone());
        }
        let saved = self.checkpoint.as_deref().map(checkpoint::peek).transpose()?.flatten();
        let (algorithm, reason) = match (self.algorithm, &saved) {
            (Some(algorithm), _) => (algorithm, "asked for"),
            (None, Some(run)) if run.algorithm.supports(&self.problem) => {
                (run.algorithm, "as in the checkpoint file")
            }
            (None, _) => Algorithm::auto_with(&self.problem, || self.memory_per_thread()),
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

    /// The threads for so many units.
    fn execution(&self, units: u64) -> Result<Execution<'_>, Error> {
        if self.problem.n() > TINY {
            return Execution::new(self.wanted_threads(), units, &self.stop);
        }
        // Asking the system for a number of threads takes longer than counting.
        checked_threads(self.threads.unwrap_or(1))?;
        Execution::new(1, units, &self.stop)
    }

    /// The units: of the depth asked for, else of that of a checkpoint file, else as the algorithm
    /// chooses.
    fn split(&self, choice: &Choice) -> Result<Split, Error> {
        let saved = choice.saved.as_ref().and_then(Run::asked_depth);
        let depth = self.depth.or(saved);
        Split::new(&self.problem, choice.algorithm, depth)
    }

    /// Counts.
    ///
    /// Near `n` = 20, time grows about 5.3 times per board size for [`Algorithm::Join`] and 8.3 times for
    /// the others. Memory is a few kilobytes per thread; for the join 30 MB at 20, 620 MB at 24.
    /// Boards up to 10 rows take microseconds and no threads.
    ///
    /// # Errors
    /// [`Error::ThreadCount`], [`Error::SplitDepth`], [`Error::KernelMissing`],
    /// [`Error::Unsupported`], [`Error::MemoryTooSmall`], [`Error::ThreadStart`],
    /// [`Error::Stopped`], [`Error::Overflow`], [`Error::File`].
    pub fn run(self) -> Result<Outcome, Error> {
        let started = Instant::now();
        let choice = self.choose()?;
        let Choice { algorithm, reason, .. } = choice;
        let kernel = algorithm.kernel(self.kernel)?;
        let split = self.split(&choice)?;
        let (units, work_above) = (split.len(), split.work_above());
        let run = self.checkpoint.as_ref().map(|_| Run::of(&self.problem, algorithm, &split));
        let memory = if algorithm == Algorithm::Join { self.memory_per_thread() } else { 0 };
        let counter = algorithm.counter(&self.problem, split, &Settings { kernel, memory })?;
        let execution = self.execution(units)?;
        let counting = Counting { algorithm, counter: &*counter, units, execution };
        let threads = execution.threads();
        let (mut total, earlier) = match self.checkpoint.as_deref().zip(run) {
            None => (counting.count(self.observer)?, Duration::ZERO),
            Some((path, run)) => match Checkpoint::open(path, &run) {
                Ok((checkpoint, saved)) => {
                    let session = Session::starting(threads, kernel);
                    let saver = Saver::new(checkpoint, session, self.observer);
                    (counting.resume(&saved, saver, self.observer)?, saved.elapsed())
                }
                // What is complete may stand where nobody can write.
                Err(error) => match checkpoint::complete(path, &run) {
                    Some(saved) if matches!(error, FileError::Io { .. }) => {
                        (counting.take_over(&saved, self.observer), saved.elapsed())
                    }
                    _ => return Err(error.into()),
                },
            },
        };
        total.work += u128::from(work_above);
        Ok(Outcome {
            n: self.problem.n(),
            solutions: total.solutions,
            work: total.work,
            algorithm,
            reason,
            kernel,
            units,
            threads,
            elapsed: started.elapsed(),
            earlier,
        })
    }
}

impl fmt::Debug for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, algorithm, threads, depth, kernel, checkpoint, memory, .. } = self;
        f.debug_struct("Count")
            .field("problem", problem)
            .field("algorithm", algorithm)
            .field("threads", threads)
            .field("depth", depth)
            .field("kernel", kernel)
            .field("checkpoint", checkpoint)
            .field("memory", memory)
            .finish_non_exhaustive()
    }
}

/// A count that is ready to begin.
struct Counting<'a> {
    algorithm: Algorithm,
    counter: &'a dyn Counter,
    units: u64,
    execution: Execution<'a>,
}

impl Counting<'_> {
    /// Counts all units.
    fn count(&self, observer: &dyn Observer) -> Result<Total, Error> {
        observer.started(self.units);
        self.execution.count(self.algorithm, self.counter, 0..self.units, observer)
    }

    /// Counts the units that are not among the `saved` ones, hands them to `saver` as they are
    /// counted, and returns the sum of all.
    fn resume(
        &self,
        saved: &Saved,
        saver: Saver<'_>,
        observer: &dyn Observer,
    ) -> Result<Total, Error> {
        let before = self.take_over(saved, observer);
        let missing = units::spread(self.units).filter(|&unit| !saved.done.contains(unit));
        let mut total = saver.save_while(|saving| {
            let both = Both(observer, saving);
            self.execution.count(self.algorithm, self.counter, missing, &both)
        })?;
        total.add_total(before);
        Ok(total)
    }

    /// The sum of the `saved` units.
    fn take_over(&self, saved: &Saved, observer: &dyn Observer) -> Total {
        observer.started(self.units);
        observer.resumed(saved.units_done(), saved.elapsed());
        Total { solutions: saved.solutions, work: saved.work }
    }
}
