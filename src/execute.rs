//! Runs work on threads: each takes the next unit as soon as it is free, so all cores stay busy until
//! fewer units are left than there are threads.
//!
//! The threads are rayon's, in a pool that belongs to the call alone: the global one is neither needed
//! nor touched. A call from inside a pool uses that one. Work that takes less time than starting threads
//! is done by the caller's thread, and so is all work where no thread can be started.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::counter::{Counter, OutOfMemory};
use crate::error::Error;
use crate::machine::{MAX_THREADS, checked_threads};
use crate::tally::{Tally, Total};

/// Is told how far a call is, from the threads that work on it. Every method does nothing by default.
///
/// A method that panics ends the call, and the panic goes on to the caller.
pub trait Observer: Sync {
    /// The run is about to count `units` units.
    fn started(&self, units: u64) {
        let _ = units;
    }

    /// Earlier runs have counted `units` of these units in `elapsed`; they are taken over.
    fn resumed(&self, units: u64, elapsed: Duration) {
        let _ = (units, elapsed);
    }

    /// Unit `unit` is counted, which took `took`.
    fn finished(&self, unit: u64, tally: Tally, took: Duration) {
        let _ = (unit, tally, took);
    }

    /// A search for a board has placed `queens` queens so far; told now and then.
    fn placed(&self, queens: u64) {
        let _ = queens;
    }

    /// The file system of `file` has no locks, so nothing keeps other processes away from it.
    fn unlocked(&self, file: &Path) {
        let _ = file;
    }

    /// Counted units could not be saved. Counting goes on, and so do attempts to save them.
    fn saving_failed(&self, reason: &str) {
        let _ = reason;
    }

    /// Everything that could not be saved before is saved now.
    fn saving_recovered(&self) {}
}

/// Observes nothing.
impl Observer for () {}

/// Both observers are told about finished units; only the first hears of anything else.
pub(crate) struct Both<'a>(pub(crate) &'a dyn Observer, pub(crate) &'a dyn Observer);

impl Observer for Both<'_> {
    fn finished(&self, unit: u64, tally: Tally, took: Duration) {
        self.0.finished(unit, tally, took);
        self.1.finished(unit, tally, took);
    }
}

/// A flag that ends a run before its time; clones share it.
///
/// Units in hand are finished first: milliseconds up to `n` = 18, a tenth of a second at 20, ten
/// seconds at 24 with [`Algorithm::Join`].
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the runs that hold a clone to stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What `work` returns, unless it gives a unit up for want of memory.
///
/// # Errors
/// [`Error::OutOfMemory`].
fn unless_out_of_memory<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // What it has left behind is not looked at after an error.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|reason| {
        if reason.is::<OutOfMemory>() { Err(Error::OutOfMemory) } else { resume_unwind(reason) }
    })
}

/// Tells the other threads, when it is dropped, that this one works no more: there are no units left,
/// it has failed, or it panics. Whatever it is, they need not go on.
struct Ended<'a>(&'a AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether this process may start threads at all: some limits and some old containers forbid it.
pub(crate) fn can_start_threads() -> bool {
    let started = std::thread::Builder::new().spawn(|| ());
    started.is_ok_and(|thread| thread.join().is_ok())
}

/// Threads that share work, until there is none left or a stop is requested.
#[derive(Clone, Copy)]
pub(crate) struct Execution<'a> {
    threads: usize,
    stop: &'a Stop,
}

impl<'a> Execution<'a> {
    /// `threads` threads, but no more than there are `units`, nor in the pool that this call comes from; the
    /// caller's alone if no other can be started.
    ///
    /// # Errors
    /// [`Error::ThreadCount`].
    pub(crate) fn new(threads: usize, units: u64, stop: &'a Stop) -> Result<Self, Error> {
        let units = usize::try_from(units).unwrap_or(usize::MAX);
        let pool = rayon::current_thread_index().map(|_| rayon::current_num_threads());
        let threads = checked_threads(threads)?.min(units.max(1)).min(pool.unwrap_or(MAX_THREADS));
        let is_possible = threads == 1 || pool.is_some() || can_start_threads();
        let threads = if is_possible { threads } else { 1 };
        Ok(Self { threads, stop })
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Counts the given units with `counter`, made by `algorithm`, tells `observer` about each, and
    /// returns their sum.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::Overflow`], [`Error::OutOfMemory`], [`Error::ThreadStart`].
    pub(crate) fn count(
        &self,
        algorithm: Algorithm,
        counter: &dyn Counter,
        units: impl Iterator<Item = u64> + Send,
        observer: &dyn Observer,
    ) -> Result<Total, Error> {
        let worker = || {
            let mut worker = counter.worker();
            move |total: &mut Total, unit| {
                let started = Instant::now();
                let tally = worker(unit).ok_or(Error::Overflow { unit, algorithm })?;
                total.add(tally);
                observer.finished(unit, tally, started.elapsed());
                Ok(())
            }
        };
        let totals = self.run(units, worker)?;
        let mut sum = Total::default();
        totals.into_iter().for_each(|total| sum.add_total(total));
        Ok(sum)
    }

    /// Hands out `units` one by one. Each thread makes a worker of its own, and a sum, to which the
    /// worker adds what it finds in a unit; returns the sums of all threads.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::ThreadStart`], [`Error::OutOfMemory`], and the first of a worker.
    pub(crate) fn run<Sum, Work>(
        &self,
        units: impl Iterator<Item = u64> + Send,
        worker: impl Fn() -> Work + Sync,
    ) -> Result<Vec<Sum>, Error>
    where
        Sum: Default + Send,
        Work: FnMut(&mut Sum, u64) -> Result<(), Error>,
    {
        let units = Mutex::new(units);
        let ended = AtomicBool::new(false);
        // Asked under the lock: so the units that were handed out before a stop are a first part.
        let next = || match units.lock().unwrap_or_else(PoisonError::into_inner).next() {
            _ if ended.load(Ordering::Relaxed) => Ok(None),
            Some(_) if self.stop.is_requested() => Err(Error::Stopped),
            unit => Ok(unit),
        };
        let work = || {
            let _ended = Ended(&ended);
            let (mut worker, mut sum) = (worker(), Sum::default());
            while let Some(unit) = next()? {
                worker(&mut sum, unit)?;
            }
            Ok(sum)
        };
        self.on_every_thread(|| unless_out_of_memory(work))
    }

    /// Calls `task` once for each thread, and returns what it gave, or the first error.
    fn on_every_thread<T: Send>(
        &self,
        task: impl Fn() -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        if self.threads == 1 {
            return Ok(vec![task()?]);
        }
        if rayon::current_thread_index().is_some() {
            return self.in_this_pool(task);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .thread_name(|index| format!("nqueens-{index}"));
        let pool = pool.build().map_err(|error| Error::ThreadStart {
            threads: self.threads,
            reason: error.to_string(),
        })?;
        pool.broadcast(|_| task()).into_iter().collect()
    }

    /// The same in the pool that this call comes from: by this thread, and those that have nothing
    /// else to do.
    fn in_this_pool<T: Send>(
        &self,
        task: impl Fn() -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let results = Mutex::new(Vec::new());
        let run = || {
            let result = task();
            results.lock().unwrap_or_else(PoisonError::into_inner).push(result);
        };
        rayon::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|_| run());
            }
            run();
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }
}
