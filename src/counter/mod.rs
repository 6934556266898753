//! The pure count of one unit: half of the one idea of the design (the other half, the list of units,
//! is in `split`).
//!
//! What a unit holds depends on nothing but the problem, the algorithm and the number of the unit.
//! Algorithms know nothing of threads, progress or files; those know units.

mod backtrack;
mod naive;
mod arrays;
mod bitboard;
mod toroidal;
mod join;

pub(crate) use arrays::Arrays;
pub(crate) use bitboard::{Bitboard, completions};
pub(crate) use join::Join;
#[cfg(feature = "internals")]
pub use join::{JoinParts, JoinScratch};
pub(crate) use naive::Naive;
pub(crate) use toroidal::Toroidal;

use crate::kernel::Kernel;
use crate::tally::Tally;

/// How units are to be counted, as far as that is free. It changes no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Instructions of the hot loops.
    pub(crate) kernel: Kernel,
    /// The most bytes that a worker may take.
    pub(crate) memory: u64,
}

/// Counts units one after the other, with memory of its own that it uses again for each.
///
/// Takes the index of a unit and returns its tally, which depends on nothing else, or `None` if it
/// does not fit 64 bits.
pub(crate) type Worker<'a> = Box<dyn FnMut(u64) -> Option<Tally> + 'a>;

/// A worker unwinds with this where there is no memory for the unit in hand: it finds out deep in its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutOfMemory;

/// An algorithm, made ready for the units of one problem.
pub(crate) trait Counter: Send + Sync {
    /// A new worker; each thread takes one.
    fn worker(&self) -> Worker<'_>;
}
