//! The oracle: one column per row, compared with every earlier row.
//!
//! ```text
//! columns = [1, 3, 0, 2]      . Q . .     row 2 is tried at column 0: columns differ from
//!                             . . . Q     1 and 3, and |1 - 0| != 2 - 0, |3 - 0| != 2 - 1,
//!                             Q . . .     so the queen may stand there
//!                             . . Q .
//! ```
//!
//! This is the check that textbooks begin with. It uses no bit tricks and no symmetry, so that every
//! faster algorithm can be held against it. Its units are the columns of the first row.
//! Time: `n` squares tried per node, up to `n` comparisons each. Memory: one column per row.

use crate::counter::{Counter, Tally, UnitProblem, Worker};
use crate::problem::Problem;

/// Counts by comparing columns and their `abs` differences.
#[derive(Debug)]
pub(crate) struct Naive {
    problem: Problem,
}

impl Naive {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone() }
    }

    /// Adds to `tally` all placements of the rows from `columns.len()` on.
    fn search(&self, columns: &mut Vec<u32>, tally: &mut Tally) {
        if columns.len() == self.problem.n() as usize {
            tally.solutions += 1;
            return;
        }
        for column in 0..self.problem.n() {
            self.try_column(column, columns, tally);
        }
    }

    /// The same, with the next queen in `column`, if it may stand there.
    fn try_column(&self, column: u32, columns: &mut Vec<u32>, tally: &mut Tally) {
        let row = columns.len() as u32;
        if self.problem.allows(row, column) && !self.is_attacked(columns, column) {
            tally.work += 1;
            columns.push(column);
            self.search(columns, tally);
            columns.pop();
        }
    }

    /// Whether a queen at `column` of the next row is attacked by those in `columns`, one per row.
    fn is_attacked(&self, columns: &[u32], column: u32) -> bool {
        let row = columns.len() as u32;
        (0..).zip(columns).any(|(other_row, other)| {
            let (rows, columns) = (row - other_row, column.abs_diff(*other));
            let round_the_edge = self.problem.is_toroidal() && rows + columns == self.problem.n();
            columns == 0 || columns == rows || round_the_edge
        })
    }
}

impl Counter for Naive {
    fn units(&self) -> u64 {
        // The empty board has one unit too: no queen, one solution.
        self.problem.n().max(1).into()
    }

    fn work_above(&self) -> u64 {
        1
    }

    fn as_problem(&self, unit: u64) -> Option<UnitProblem> {
        let columns = [unit as u32];
        let rows = self.problem.n().min(1) as usize;
        UnitProblem::new(&self.problem, &columns[..rows], 1, 1)
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(|unit| {
            let mut tally = Tally::default();
            if self.problem.n() == 0 {
                self.search(&mut Vec::new(), &mut tally);
            } else {
                self.try_column(unit as u32, &mut Vec::new(), &mut tally);
            }
            Some(tally)
        })
    }
}
