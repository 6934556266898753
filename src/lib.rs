#![doc = include_str!("../README.md")]
//!
//! # How calls are made
//! Short questions are functions: [`count`], [`construct`], [`check()`], [`half_turn_count`]. Long calls
//! are builders of one dialect: [`Count`], [`List`], [`First`], [`Complete`], [`Estimate`], [`Verify`].
//! Each begins with `new(n)`, or with `of(problem)` for boards of another kind ([`Verify`] with the name
//! of a file); takes settings, each of which has a default; and does its work in `run()`. Settings have
//! the same names everywhere: `algorithm`, `kernel`, `threads`, `memory`, `observer`, `stop`.
//! [`tasks::TaskCounter`] runs many tasks, so its `run` is told which one, by whom it is observed and how
//! it is stopped.
//!
//! Whoever waits can be told how far a call is, by an [`Observer`], and can end it with a [`Stop`].

mod tally;
mod algorithm;
mod kernel;
mod error;
mod machine;
mod problem;
pub mod known;
mod attacks;
mod split;
mod run;
mod counter;
mod choice;
mod execute;
mod units;
mod log;
mod builder;
pub mod checkpoint;
pub mod tasks;
mod count;
mod verify;
mod estimate;
mod boards;

pub use algorithm::Algorithm;
pub use boards::{
    Board, BoardReader, Boards, Classes, Complete, First, Flaw, Format, List, MAX_COMPLETED,
    MAX_CONSTRUCTED, Record, Symmetry, check, construct, half_turn_count, quarter_turn_count,
};
pub use count::{Count, Outcome, count};
pub use error::{Error, ErrorKind, FileError, Mismatch};
pub use estimate::{Estimate, Estimated, Mean, TimeEstimate};
pub use execute::{Observer, Stop};
pub use kernel::Kernel;
pub use machine::{MAX_THREADS, MemoryBound, default_memory, default_threads, memory_bound};
pub use problem::{MAX_N, Problem};
pub use run::Run;
pub use tally::{Tally, WorkKind};
pub use verify::{Difference, Verified, Verify};

/// Parts of the join, one by one, for the benches of this package. No promise is made about them.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::counter::{JoinParts, JoinScratch};
}

#[cfg(test)]
mod tests;
