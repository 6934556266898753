//! Runs the units of a counter on threads, and adds up what they find.
//!
//! Each thread takes the next unit as soon as it is free, so all cores stay busy until fewer units
//! are left than there are threads. The pool is rayon's and belongs to the call alone: it neither
//! needs nor touches the global one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::algorithm::Algorithm;
use crate::counter::{Counter, Tally, overflow};
use crate::error::Error;

/// The largest number of threads that may be asked for.
pub const MAX_THREADS: usize = 4096;

/// Is told about every finished unit, from the thread that counted it.
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

/// The sum of tallies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Total {
    pub(crate) solutions: u128,
    pub(crate) work: u128,
}

impl Total {
    pub(crate) fn add(&mut self, tally: Tally) {
        self.solutions += u128::from(tally.solutions);
        self.work += u128::from(tally.work);
    }
}

/// What a run needs besides its units.
pub(crate) struct Execution<'a> {
    pub(crate) algorithm: Algorithm,
    pub(crate) threads: usize,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) stop: &'a Stop,
}

impl Execution<'_> {
    /// Counts the given units of `counter` and returns their sum.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::Overflow`], [`Error::ThreadStart`].
    pub(crate) fn run(
        &self,
        counter: &dyn Counter,
        units: impl Iterator<Item = u64> + Send,
    ) -> Result<Total, Error> {
        let sum = Mutex::new(Total::default());
        let units = Mutex::new(units);
        let thread = || {
            let counted = self.count_units(counter, &units)?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.solutions += counted.solutions;
            sum.work += counted.work;
            Ok(())
        };
        self.on_every_thread(thread)?;
        Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts units, each taken from the front of `units`, until none is left.
    fn count_units(
        &self,
        counter: &dyn Counter,
        units: &Mutex<impl Iterator<Item = u64>>,
    ) -> Result<Total, Error> {
        let mut worker = counter.worker();
        let mut total = Total::default();
        // Asked under the lock: so the units that were handed out before a stop are a first part.
        let next = || match units.lock().unwrap_or_else(PoisonError::into_inner).next() {
            Some(_) if self.stop.is_requested() => Err(Error::Stopped),
            unit => Ok(unit),
        };
        while let Some(unit) = next()? {
            let started = Instant::now();
            let tally = worker(unit).ok_or_else(|| overflow(unit, self.algorithm))?;
            total.add(tally);
            self.observer.finished(unit, tally, started.elapsed());
        }
        Ok(total)
    }

    /// Calls `task` once on each thread, and returns the first error. One thread is the caller's.
    fn on_every_thread(&self, task: impl Fn() -> Result<(), Error> + Sync) -> Result<(), Error> {
        if self.threads == 1 {
            return task();
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .thread_name(|index| format!("nqueens-{index}"))
            .build()
            .map_err(|error| Error::ThreadStart {
                threads: self.threads,
                reason: error.to_string(),
            })?;
        pool.broadcast(|_| task()).into_iter().collect()
    }
}
