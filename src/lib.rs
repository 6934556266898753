#![doc = include_str!("../README.md")]

mod problem;
pub mod known;
mod error;
mod kernel;
mod attacks;
mod prefix;
mod counter;
mod execute;
mod algorithm;
mod units;
mod checkpoint;
mod count;

pub use algorithm::Algorithm;
pub use checkpoint::{CheckpointError, Run, Saved, Session, UnitRecord, read, repair};
pub use count::{Count, Outcome, count, default_threads};
pub use counter::{Tally, Work};
pub use error::Error;
pub use execute::{MAX_THREADS, Observer, Stop};
pub use kernel::Kernel;
pub use problem::{MAX_N, Problem};

#[cfg(test)]
mod tests;
