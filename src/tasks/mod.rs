//! Parts of a run for many machines: tasks as plain lines of text, results as plain lines, and the
//! sum of results.
//!
//! A [`Task`] is a range of units of a [`Run`]; a [`Plan`] is all tasks of a run. Whatever carries
//! lines of text to machines and back can count a run: a [`TaskCounter`] counts a task and gives a
//! [`TaskResult`], which holds the tally of every unit, and [`Merge`] adds results up.
//!
//! ```text
//! plan ──► tasks ──►  any engine: a batch system, a message queue, ssh  ──► results ──► merge
//!                     a task at least once, on any machine, in any order
//! ```
//!
//! The sum is exact if every task is counted *at least* once: a unit that comes a second time must
//! have the same tally and is not added again, and there is no sum before there is a tally of every
//! unit. So an engine need not promise more, and tasks may overlap, be split anew or be lost.

mod error;
mod line;
mod read;
mod count;
mod merge;
mod file;

use std::ops::Range;

pub use count::TaskCounter;
pub use error::LineError;
pub use file::ResultFile;
pub use line::TaskResult;
pub use merge::{Fault, FaultKind, Merge, Place};
pub use read::{Lines, MAX_LINE};

use crate::error::Error;
use crate::run::Run;

/// The most units of a task: the line of its result stays below 500 kB, which fits a message.
pub const MAX_TASK_UNITS: u64 = 10_000;

/// A range of units to be counted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Task {
    /// What is counted.
    pub run: Run,
    /// The units, at most [`MAX_TASK_UNITS`].
    pub units: Range<u64>,
}

/// A run, split into tasks of so many units.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// What is counted.
    pub run: Run,
    /// Units of a task; the last one may have fewer.
    pub units_per_task: u64,
}

impl Task {
    /// The task to count the units `units` of `run`.
    ///
    /// # Errors
    /// [`Error::NoSuchUnits`] if the run has no such units, or they are more than [`MAX_TASK_UNITS`].
    pub fn new(run: Run, units: Range<u64>) -> Result<Self, Error> {
        let task = Self { run, units };
        task.checked_len()?;
        Ok(task)
    }

    /// Number of its units, if the run has them.
    ///
    /// # Errors
    /// [`Error::NoSuchUnits`].
    pub(crate) fn checked_len(&self) -> Result<u64, Error> {
        let Self { run, units: Range { start, end } } = self;
        let len = end.checked_sub(*start).filter(|&len| len <= MAX_TASK_UNITS && *end <= run.units);
        len.ok_or(Error::NoSuchUnits { start: *start, end: *end, units: run.units })
    }
}

impl Plan {
    /// The plan of `run` in tasks of so many units, from 1 to [`MAX_TASK_UNITS`]; others become the
    /// nearest of these. `None` stands for about a thousand tasks, but at least 64 units each, so that
    /// many threads share one, at most 500, since that takes hours for large boards, and at least 16
    /// tasks where there are so many units.
    #[must_use]
    pub fn new(run: Run, units_per_task: Option<u64>) -> Self {
        let by_size = run.units.div_ceil(1000).clamp(64, 500).min(run.units.div_ceil(16));
        let wanted = units_per_task.unwrap_or(by_size);
        Self { run, units_per_task: wanted.clamp(1, MAX_TASK_UNITS) }
    }

    /// Number of tasks. A run without units (n = 2 has none) has one task all the same, whose result
    /// says so.
    #[must_use]
    pub fn tasks_len(&self) -> u64 {
        self.run.units.div_ceil(self.units_per_task.max(1)).max(1)
    }

    /// The tasks, made one by one.
    pub fn tasks(&self) -> impl Iterator<Item = Task> + use<> {
        let Self { run, units_per_task } = self.clone();
        let len = units_per_task.max(1);
        (0..self.tasks_len()).map(move |task| {
            let first = task * len;
            Task { run: run.clone(), units: first..run.units.min(first.saturating_add(len)) }
        })
    }
}
