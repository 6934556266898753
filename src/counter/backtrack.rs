//! Plain backtracking, row by row and column by column: what `naive` and `arrays` have in common. They
//! differ in how they know whether a queen may stand on a square, and in nothing else.
//!
//! No bit tricks and no symmetry, so that every faster algorithm can be held against it. Its units are
//! the columns of the first row. Time: `n` squares tried per node.

use crate::counter::Worker;
use crate::problem::Problem;
use crate::tally::Tally;

/// Queens in the first rows, and what they attack.
pub(super) trait Queens {
    /// What a queen on a square uses.
    type Lines: Copy;

    /// The lines through the square at `row`, the next row, and `column`.
    fn lines(&self, row: usize, column: usize) -> Self::Lines;

    /// Whether no queen attacks the square of these lines.
    fn allow(&self, lines: Self::Lines) -> bool;

    /// Places a queen there.
    fn place(&mut self, lines: Self::Lines);

    /// Takes it back.
    fn remove(&mut self, lines: Self::Lines);
}

/// Counts units of `problem` with `queens`, none of which is placed yet.
pub(super) fn worker<'a, Q: Queens + 'a>(problem: &'a Problem, queens: Q) -> Worker<'a> {
    let mut search = Search { problem, n: problem.n() as usize, queens };
    Box::new(move |unit| {
        let mut tally = Tally::default();
        match search.n {
            // The empty board has one unit too: no queen, one solution.
            0 => search.fill(0, &mut tally),
            _ => search.try_square(0, unit as usize, &mut tally),
        }
        Some(tally)
    })
}

struct Search<'a, Q> {
    problem: &'a Problem,
    n: usize,
    queens: Q,
}

impl<Q: Queens> Search<'_, Q> {
    /// Adds to `tally` all placements of the rows from `row` on.
    fn fill(&mut self, row: usize, tally: &mut Tally) {
        if row == self.n {
            tally.solutions += 1;
            return;
        }
        for column in 0..self.n {
            self.try_square(row, column, tally);
        }
    }

    /// The same, with the queen of `row` in `column`, if it may stand there.
    fn try_square(&mut self, row: usize, column: usize, tally: &mut Tally) {
        let lines = self.queens.lines(row, column);
        if self.queens.allow(lines) && self.problem.allows(row as u32, column as u32) {
            tally.work += 1;
            self.queens.place(lines);
            self.fill(row + 1, tally);
            self.queens.remove(lines);
        }
    }
}
