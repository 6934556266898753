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
mod run;
mod units;
pub mod checkpoint;
mod count;
mod verify;
mod estimate;
pub mod tasks;
mod boards;

pub use algorithm::Algorithm;
pub use boards::{
    Board, BoardReader, Boards, Classes, Flaw, Format, List, MAX_COMPLETED, MAX_CONSTRUCTED,
    Record, Symmetry, check, complete, construct, first_board, half_turn_count, quarter_turn_count,
};
pub use count::{Count, Outcome, count, default_memory, default_threads};
#[doc(hidden)]
pub use counter::{JoinParts, JoinScratch};
pub use counter::{Tally, Work};
pub use error::Error;
pub use estimate::{Estimate, Estimated, TimeEstimate, estimate};
pub use execute::{MAX_THREADS, Observer, Stop};
pub use kernel::Kernel;
pub use problem::{MAX_N, Problem};
pub use run::{Mismatch, Run};
pub use verify::{Difference, Verified, verify};

#[cfg(test)]
mod tests;
