//! The oracle: one column per row, compared with every earlier row.
//!
//! ```text
//! columns = [1, 3, 0, 2]      . Q . .     row 2 is tried at column 0: columns differ from
//!                             . . . Q     1 and 3, and |1 - 0| != 2 - 0, |3 - 0| != 2 - 1,
//!                             Q . . .     so the queen may stand there
//!                             . . Q .
//! ```
//!
//! This is the check that textbooks begin with. Time: up to `n` comparisons per square tried. Memory:
//! one column per row.

use super::backtrack::{self, Queens};
use crate::counter::{Counter, Worker};
use crate::problem::Problem;

/// Counts by comparing columns and their `abs` differences.
#[derive(Debug)]
pub(crate) struct Naive {
    problem: Problem,
}

/// The column of each queen, one per row.
struct Columns {
    columns: Vec<usize>,
    /// The size of a toroidal board, where differences also count round the edge.
    round_the_edge: Option<usize>,
}

impl Naive {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone() }
    }
}

impl Queens for Columns {
    type Lines = usize;

    fn lines(&self, _row: usize, column: usize) -> usize {
        column
    }

    fn allow(&self, column: usize) -> bool {
        let row = self.columns.len();
        self.columns.iter().enumerate().all(|(other_row, other)| {
            let (rows, columns) = (row - other_row, column.abs_diff(*other));
            columns != 0 && columns != rows && self.round_the_edge != Some(rows + columns)
        })
    }

    fn place(&mut self, column: usize) {
        self.columns.push(column);
    }

    fn remove(&mut self, _column: usize) {
        self.columns.pop();
    }
}

impl Counter for Naive {
    fn worker(&self) -> Worker<'_> {
        let n = self.problem.n() as usize;
        let round_the_edge = self.problem.is_toroidal().then_some(n);
        backtrack::worker(&self.problem, Columns { columns: Vec::with_capacity(n), round_the_edge })
    }
}
