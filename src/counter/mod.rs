//! The one idea of the design: an algorithm is a list of independent work units, addressed by
//! index, and a pure count of one unit.
//!
//! The list depends only on the problem, the algorithm and the split depth, never on threads, CPU
//! or time, so "unit 4711" means the same on every machine. Algorithms know nothing of threads,
//! progress or files; those know units.

mod arrays;
mod bitboard;
mod naive;

pub(crate) use arrays::Arrays;
pub(crate) use bitboard::Bitboard;
pub(crate) use naive::Naive;

use crate::error::Error;

/// What counting a unit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of boards, those that the unit stands for by symmetry included.
    pub solutions: u64,
    /// Nodes of the plain row-by-row backtrack tree (OEIS A319283), mirror images included.
    pub nodes: u64,
}

impl Tally {
    /// The tally of `weight` units like this one, or `None` if it does not fit 64 bits.
    pub(crate) fn times(self, weight: u64) -> Option<Self> {
        Some(Self {
            solutions: self.solutions.checked_mul(weight)?,
            nodes: self.nodes.checked_mul(weight)?,
        })
    }
}

/// Counts units one after the other, with memory of its own that it uses again for each.
///
/// Takes the index of a unit and returns its tally, which depends on nothing else, or `None` if it
/// does not fit 64 bits.
pub(crate) type Worker<'a> = Box<dyn FnMut(u64) -> Option<Tally> + 'a>;

/// An algorithm, made ready for one problem.
pub(crate) trait Counter: Send + Sync {
    /// Number of units; their indices are `0..units()`.
    fn units(&self) -> u64;

    /// Nodes of the backtrack tree that belong to no unit: those above them all.
    fn nodes_above(&self) -> u64;

    /// A new worker; each thread takes one.
    fn worker(&self) -> Worker<'_>;
}

/// What is wrong with the answer of a [`Worker`] that is `None`.
pub(crate) fn overflow(unit: u64, algorithm: crate::Algorithm) -> Error {
    Error::Overflow { unit, algorithm }
}
