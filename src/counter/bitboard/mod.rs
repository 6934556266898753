//! Backtracking with three `u32` masks: columns and both diagonals.
//!
//! The free squares of a row are one expression, `row & !(columns | left_diagonals |
//! right_diagonals)`, and the lowest free square is one more; [`Attacks`] draws the masks. A unit is
//! the choice of the first rows (a prefix), and mirror symmetry leaves half of them to be searched;
//! the head of `prefix.rs` shows why that is exact.
//!
//! Nodes are counted as the plain search meets them, all of them: each free square of each row
//! reached. So the node count is a second result that can be held against OEIS A319283.
//!
//! Time: about 8.3 times more per board size near `n` = 20. Memory: a few kilobytes per thread.

mod scalar;

use crate::attacks::{Attacks, bits};
use crate::counter::{Counter, Settings, Tally, Worker};
use crate::error::Error;
use crate::prefix::{Prefix, Prefixes};
use crate::problem::Problem;

/// A unit is searched from this many positions or more, so that a kernel can take several at once.
const POSITIONS: usize = 64;

/// Counts the completions of every prefix.
#[derive(Debug)]
pub(crate) struct Bitboard {
    problem: Problem,
    prefixes: Prefixes,
}

impl Bitboard {
    /// Units are the choices of the first rows: so many that up to `n` = 20 a unit takes 10 ms to
    /// 1 s, if the settings do not say how many.
    pub(crate) fn new(problem: &Problem, settings: &Settings) -> Result<Self, Error> {
        let depth = settings.depth.unwrap_or(match problem.n() {
            0..14 => 2,
            14..17 => 3,
            17..19 => 4,
            19..21 => 5,
            21..23 => 6,
            _ => 7,
        });
        Ok(Self { problem: problem.clone(), prefixes: Prefixes::new(problem, depth)? })
    }

    /// What lies at and below `prefix`.
    fn completions(&self, prefix: Prefix) -> Tally {
        let rows = self.problem.rows();
        let mut tally = Tally { solutions: 0, work: 1 };
        let mut positions = vec![prefix.attacks];
        let mut row = prefix.row as usize;
        while row < rows.len() && !positions.is_empty() && positions.len() < POSITIONS {
            positions = children(rows[row], &positions);
            tally.work += positions.len() as u64;
            row += 1;
        }
        if row == rows.len() {
            tally.solutions = positions.len() as u64;
            return tally;
        }
        let below = scalar::count(rows, row, &positions);
        tally.solutions = below.solutions;
        tally.work += below.work;
        tally
    }
}

/// The positions one row further on, where `row` is the mask of the row to be filled.
fn children(row: u32, positions: &[Attacks]) -> Vec<Attacks> {
    let children = positions
        .iter()
        .flat_map(|position| bits(position.free(row)).map(|queen| position.place(queen)));
    children.collect()
}

impl Counter for Bitboard {
    fn units(&self) -> u64 {
        self.prefixes.len()
    }

    fn work_above(&self) -> u64 {
        self.prefixes.nodes_above()
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(|unit| self.completions(self.prefixes.get(unit)).times(self.prefixes.weight()))
    }
}
