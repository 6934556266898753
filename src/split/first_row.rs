//! A unit for each column of the first row: the units of the plain backtrackers.

use super::unit::UnitProblem;
use crate::problem::Problem;

/// The columns of the first row.
#[derive(Debug, Clone)]
pub(crate) struct FirstRow {
    problem: Problem,
}

impl FirstRow {
    /// The units of `problem`.
    pub(crate) fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone() }
    }

    /// Number of units. The empty board has one too: no queen, one solution.
    pub(crate) fn len(&self) -> u64 {
        self.problem.n().max(1).into()
    }

    /// The boards with the first queen in column `unit`; `None` if it cannot stand there.
    pub(crate) fn as_problem(&self, unit: u64) -> Option<UnitProblem> {
        let columns = [u32::try_from(unit).ok()?];
        let rows = self.problem.n().min(1) as usize;
        UnitProblem::new(&self.problem, &columns[..rows], 1, 1)
    }
}
