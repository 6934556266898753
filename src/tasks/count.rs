//! Counts tasks.

use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Task, TaskResult};
use crate::builder::setting;
use crate::counter::{Counter, Settings};
use crate::error::Error;
use crate::execute::{Both, Execution, Observer, Stop};
use crate::kernel::Kernel;
use crate::machine::{default_memory, default_threads};
use crate::run::Run;
use crate::tally::Tally;

/// Counts tasks one after the other, each on all threads.
#[derive(Debug, Default)]
#[must_use = "nothing is counted before `run`"]
pub struct TaskCounter {
    threads: Option<usize>,
    kernel: Option<Kernel>,
    memory: Option<u64>,
    /// What counts the units of the last task's run, which the next task mostly shares.
    ready: Option<Ready>,
}

struct Ready {
    run: Run,
    kernel: Kernel,
    counter: Box<dyn Counter>,
}

impl fmt::Debug for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, kernel, .. } = self;
        f.debug_struct("Ready").field("run", run).field("kernel", kernel).finish_non_exhaustive()
    }
}

impl TaskCounter {
    /// Counts on all CPUs, with the best kernel and half of the memory that is available.
    pub fn new() -> Self {
        Self::default()
    }

    setting!(threads, kernel, memory);

    /// Counts the units of `task`. If `stop` is requested meanwhile, the units in hand are finished,
    /// and the result holds the first units of the task only, perhaps none.
    ///
    /// Memory: that of a count, and 24 bytes for each unit of the task.
    ///
    /// # Errors
    /// [`Error::NoSuchUnits`], [`Error::OtherUnits`] and others if the task is none for this program;
    /// [`Error::KernelMissing`], [`Error::MemoryTooSmall`], [`Error::ThreadCount`],
    /// [`Error::ThreadStart`], [`Error::Overflow`].
    pub fn run(
        &mut self,
        task: &Task,
        observer: &dyn Observer,
        stop: &Stop,
    ) -> Result<TaskResult, Error> {
        let started = Instant::now();
        let units = task.checked_len()?;
        let execution = Execution::new(self.wanted_threads(), units, stop)?;
        let threads = execution.threads();
        let Ready { run, kernel, counter } = self.ready_for(&task.run)?;
        let tallies = Tallies::new(&task.units);
        let both = Both(observer, &tallies);
        observer.started(units);
        match execution.count(run.algorithm, &**counter, task.units.clone(), &both) {
            Ok(_) | Err(Error::Stopped) => {}
            Err(error) => return Err(error),
        }
        Ok(TaskResult {
            run: run.clone(),
            first: task.units.start,
            tallies: tallies.counted(),
            kernel: kernel.name().into(),
            threads,
            version: env!("CARGO_PKG_VERSION").into(),
            elapsed: Duration::from_micros(started.elapsed().as_micros() as u64),
        })
    }

    fn wanted_threads(&self) -> usize {
        self.threads.unwrap_or_else(default_threads)
    }

    /// What counts the units of `run`.
    fn ready_for(&mut self, run: &Run) -> Result<&Ready, Error> {
        let ready = match self.ready.take().filter(|ready| ready.run == *run) {
            Some(ready) => ready,
            None => self.make_ready(run)?,
        };
        Ok(self.ready.insert(ready))
    }

    fn make_ready(&self, run: &Run) -> Result<Ready, Error> {
        let (problem, split) = (run.problem()?, run.split()?);
        let kernel = run.algorithm.kernel(self.kernel)?;
        let memory = self.memory.unwrap_or_else(default_memory);
        let settings = Settings { kernel, memory: memory / self.wanted_threads().max(1) as u64 };
        let counter = run.algorithm.counter(&problem, split, &settings)?;
        Ok(Ready { run: run.clone(), kernel, counter })
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

    /// Those before the first unit that is not counted.
    fn counted(self) -> Vec<Tally> {
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
