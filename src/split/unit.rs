//! A unit as a problem of its own, which any algorithm can count.

use crate::problem::Problem;

/// A unit whose first rows are given.
#[derive(Debug, Clone)]
pub(crate) struct UnitProblem {
    pub(crate) problem: Problem,
    /// Nodes of its backtrack tree that are above the unit, which does not count them.
    pub(crate) nodes_above: u64,
    /// Number of boards that each of its boards stands for.
    pub(crate) weight: u64,
}

impl UnitProblem {
    /// `problem` with the queens of its first rows in `columns`; `None` if they attack one another.
    pub(super) fn new(
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
