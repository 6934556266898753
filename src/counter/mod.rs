//! The one idea of the design: an algorithm is a list of independent work units, addressed by
//! index, and a pure count of one unit.
//!
//! The list depends only on the problem, the algorithm and the split depth, never on threads, CPU
//! or time, so "unit 4711" means the same on every machine. Algorithms know nothing of threads,
//! progress or files; those know units.

mod arrays;
mod bitboard;
mod join;
mod naive;
mod toroidal;

pub(crate) use arrays::Arrays;
pub(crate) use bitboard::{Bitboard, completions};
#[cfg(test)]
pub(crate) use join::place as join_place;
pub(crate) use join::{Join, MIN_N as JOIN_MIN_N};
#[doc(hidden)]
pub use join::{JoinParts, JoinScratch};
pub(crate) use naive::Naive;
pub(crate) use toroidal::Toroidal;

use crate::error::Error;
use crate::kernel::Kernel;
use crate::problem::Problem;

/// What an algorithm searches. It is the same for every kernel, thread count and machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// Nodes of the plain row-by-row backtrack tree, root and solutions included (OEIS A319283),
    /// whatever symmetry was used.
    Nodes,
    /// Pairs of half boards.
    Pairs,
}

impl Work {
    /// `nodes` or `pairs`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Pairs => "pairs",
        }
    }
}

/// What counting a unit found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of boards, those that the unit stands for by symmetry included.
    pub solutions: u64,
    /// What was searched, in units of [`Work`]; boards that symmetry spared count too.
    pub work: u64,
}

impl Tally {
    /// The tally of `weight` units like this one, or `None` if it does not fit 64 bits.
    pub(crate) fn times(self, weight: u64) -> Option<Self> {
        Some(Self {
            solutions: self.solutions.checked_mul(weight)?,
            work: self.work.checked_mul(weight)?,
        })
    }
}

/// How an algorithm is to be run, as far as it may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Rows that a unit fills; `None` for the algorithm's own choice.
    pub(crate) depth: Option<u32>,
    /// Instructions of the hot loops. They change no result.
    pub(crate) kernel: Kernel,
    /// The most bytes that a worker may take. They change no result.
    pub(crate) memory: u64,
}

/// Counts units one after the other, with memory of its own that it uses again for each.
///
/// Takes the index of a unit and returns its tally, which depends on nothing else, or `None` if it
/// does not fit 64 bits.
pub(crate) type Worker<'a> = Box<dyn FnMut(u64) -> Option<Tally> + 'a>;

/// A unit as a problem of its own: its first rows are given.
#[derive(Debug, Clone)]
pub(crate) struct UnitProblem {
    pub(crate) problem: Problem,
    /// Nodes of its backtrack tree that are above the unit, which does not count them.
    pub(crate) nodes_above: u64,
    /// Number of boards that each of its boards stands for.
    pub(crate) weight: u64,
}

impl UnitProblem {
    /// `problem` with the queens of its first rows in `columns`.
    pub(crate) fn new(
        problem: &Problem,
        columns: &[u32],
        nodes_above: u64,
        weight: u64,
    ) -> Option<Self> {
        let squares = (0..).zip(columns.iter().copied());
        let new = squares.filter(|square| !problem.queens().contains(square));
        let problem = new.into_iter().try_fold(problem.clone(), |problem, (row, column)| {
            problem.with_queen(row, column).ok()
        })?;
        Some(Self { problem, nodes_above, weight })
    }
}

/// An algorithm, made ready for one problem.
pub(crate) trait Counter: Send + Sync {
    /// Number of units; their indices are `0..units()`.
    fn units(&self) -> u64;

    /// Work that belongs to no unit: the nodes of the backtrack tree above them all.
    fn work_above(&self) -> u64 {
        0
    }

    /// Number of rows that a unit fills, for algorithms that have a choice.
    fn depth(&self) -> u32 {
        1
    }

    /// Unit `unit` as a problem that any algorithm can count; `None` if it is none.
    fn as_problem(&self, unit: u64) -> Option<UnitProblem> {
        let _ = unit;
        None
    }

    /// A new worker; each thread takes one.
    fn worker(&self) -> Worker<'_>;
}

/// What is wrong with the answer of a [`Worker`] that is `None`.
pub(crate) fn overflow(unit: u64, algorithm: crate::Algorithm) -> Error {
    Error::Overflow { unit, algorithm }
}
