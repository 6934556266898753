//! Three arrays of used lines, marked and unmarked around the recursion.
//!
//! A queen at row `r`, column `c` uses the column `c` and the two diagonals `r + c` and
//! `r - c + n - 1`. For `n` = 4:
//!
//! ```text
//! r + c                 r - c + n - 1
//!   0 1 2 3               3 2 1 0
//!   1 2 3 4               4 3 2 1
//!   2 3 4 5               5 4 3 2
//!   3 4 5 6               6 5 4 3
//! ```
//!
//! A square is tested with three look-ups, where [`naive`](super::naive) compares all earlier rows.
//! The method of most tutorials after the naive one. Memory: `5n` flags.

use super::backtrack::{self, Queens};
use crate::counter::{Counter, Worker};
use crate::problem::Problem;

/// Counts with arrays of used columns and diagonals.
#[derive(Debug)]
pub(crate) struct Arrays {
    problem: Problem,
}

/// The lines that hold a queen.
struct Used {
    toroidal: bool,
    columns: Vec<bool>,
    sums: Vec<bool>,
    differences: Vec<bool>,
}

impl Arrays {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone() }
    }
}

/// The column and the diagonals of a square.
#[derive(Clone, Copy)]
struct Lines {
    column: usize,
    sum: usize,
    difference: usize,
}

impl Used {
    fn mark(&mut self, Lines { column, sum, difference }: Lines, used: bool) {
        self.columns[column] = used;
        self.sums[sum] = used;
        self.differences[difference] = used;
    }
}

impl Queens for Used {
    type Lines = Lines;

    fn lines(&self, row: usize, column: usize) -> Lines {
        let n = self.columns.len();
        let (mut sum, mut difference) = (row + column, row + n - 1 - column);
        if self.toroidal {
            (sum, difference) = (sum % n, difference % n);
        }
        Lines { column, sum, difference }
    }

    fn allow(&self, Lines { column, sum, difference }: Lines) -> bool {
        !(self.columns[column] || self.sums[sum] || self.differences[difference])
    }

    fn place(&mut self, lines: Lines) {
        self.mark(lines, true);
    }

    fn remove(&mut self, lines: Lines) {
        self.mark(lines, false);
    }
}

impl Counter for Arrays {
    fn worker(&self) -> Worker<'_> {
        let n = self.problem.n() as usize;
        let [sums, differences] = [(); 2].map(|()| vec![false; 2 * n]);
        let toroidal = self.problem.is_toroidal();
        let used = Used { toroidal, columns: vec![false; n], sums, differences };
        backtrack::worker(&self.problem, used)
    }
}
