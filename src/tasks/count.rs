//! Counts tasks.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Task, TaskResult};
use crate::count::{default_memory, default_threads, threads_for};
use crate::counter::{Counter, Tally};
use crate::error::Error;
use crate::execute::{Both, Execution, Observer, Stop};
use crate::kernel::Kernel;
use crate::run::Run;

/// Counts tasks one after the other, each on all threads.
#[must_use = "nothing is counted before `count`"]
pub struct TaskCounter {
    threads: usize,
    kernel: Option<Kernel>,
    memory: u64,
    /// What counts the units of the last task's run, which the next task mostly shares.
    ready: Option<Ready>,
}

struct Ready {
    run: Run,
    kernel: Kernel,
    counter: Box<dyn Counter>,
}

impl Default for TaskCounter {
    fn default() -> Self {
        Self { threads: default_threads(), kernel: None, memory: default_memory(), ready: None }
    }
}

impl TaskCounter {
    /// Counts on all CPUs, with the best kernel and half of the memory that is available.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts on `threads` threads, or on fewer if a task has fewer units.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Uses the instructions of `kernel`.
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = Some(kernel);
        self
    }

    /// Takes at most about this many bytes for all threads together.
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Counts the units of `task`. If `stop` is requested meanwhile, the units in hand are finished,
    /// and the result holds the first units of the task only, perhaps none.
    ///
    /// Memory: that of a count, and 24 bytes for each unit of the task.
    ///
    /// # Errors
    /// [`Error::OtherUnits`] and others if the task is none for this program;
    /// [`Error::KernelMissing`], [`Error::MemoryTooSmall`], [`Error::ThreadCount`],
    /// [`Error::ThreadStart`], [`Error::Overflow`].
    pub fn count(
        &mut self,
        task: &Task,
        observer: &dyn Observer,
        stop: &Stop,
    ) -> Result<TaskResult, Error> {
        let started = Instant::now();
        self.make_ready(&task.run)?;
        let Some(Ready { run, kernel, counter }) = &self.ready else { unreachable!("made ready") };
        let units = task.units.end - task.units.start;
        let threads = threads_for(self.threads, units)?;
        let tallies = Tallies::new(&task.units);
        let both = Both(observer, &tallies);
        observer.started(units);
        let execution = Execution { algorithm: run.algorithm, threads, observer: &both, stop };
        match execution.run(&**counter, task.units.clone()) {
            Ok(_) | Err(Error::Stopped) => {}
            Err(error) => return Err(error),
        }
        Ok(TaskResult {
            run: run.clone(),
            first: task.units.start,
            tallies: tallies.first_part(),
            kernel: kernel.name().into(),
            threads,
            version: env!("CARGO_PKG_VERSION").into(),
            elapsed: Duration::from_micros(started.elapsed().as_micros() as u64),
        })
    }

    fn make_ready(&mut self, run: &Run) -> Result<(), Error> {
        if self.ready.as_ref().is_none_or(|ready| ready.run != *run) {
            self.ready = None;
            let kernel = run.algorithm.kernel(&run.problem()?, self.kernel)?;
            let counter = run.counter(kernel, self.memory / self.threads.max(1) as u64)?;
            self.ready = Some(Ready { run: run.clone(), kernel, counter });
        }
        Ok(())
    }
}

/// The tallies of a range of units, as far as they are counted.
struct Tallies {
    first: u64,
    tallies: Mutex<Vec<Option<Tally>>>,
}

impl Tallies {
    fn new(units: &Range<u64>) -> Self {
        let units_len = (units.end - units.start) as usize;
        Self { first: units.start, tallies: Mutex::new(vec![None; units_len]) }
    }

    /// Up to the first unit that is not counted.
    fn first_part(self) -> Vec<Tally> {
        let tallies = self.tallies.into_inner().unwrap_or_else(PoisonError::into_inner);
        tallies.into_iter().map_while(|tally| tally).collect()
    }
}

impl Observer for Tallies {
    fn finished(&self, unit: u64, tally: Tally, _: Duration) {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        tallies[(unit - self.first) as usize] = Some(tally);
    }
}
