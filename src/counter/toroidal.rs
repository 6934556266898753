//! Backtracking on the board whose edges are joined: diagonals that leave it on one side come back
//! on the other.
//!
//! ```text
//!   Q . . . .     n = 5: a queen attacks n columns and rows, and n squares on each of two
//!   . x . . x     diagonals, wherever it stands
//!   . . x x .
//!   . . x x .     left_diagonals   rotated by one column per row, `<< 1`
//!   . x . . x     right_diagonals  rotated back by one column per row, `>> 1`
//! ```
//!
//! # Symmetry, and why it is exact
//! Moving all queens by the same number of columns, round the edge, maps boards to boards. Each
//! board has exactly one such image with the first queen in column 0, so those are counted, `n`
//! times. Among them, taking column `c` to `n - c` keeps the first queen where it is and swaps
//! second queens on the left with those on the right; for odd `n` none is in between, so only the
//! left ones are counted, twice more: weight 2`n`.
//!
//! # Boards without solutions
//! If 2 or 3 divides `n` > 1 there is none (G. Pólya, 1918), and nothing is searched. With the row
//! `r` and the column `c` of all queens, `r`, `c`, `r + c` and `r - c` each run through all residues
//! modulo `n`. So the sum of `r + c` is both `n (n - 1)`, which is 0, and `n (n - 1) / 2`, which for
//! even `n` is not. And the sum of `(r + c)² + (r - c)² = 2 r² + 2 c²` shows that twice the sum of
//! all squares, `n (n - 1) (2 n - 1) / 3`, is 0 as well, which it is not if 3 divides `n`.
//!
//! Counts OEIS A051906 (A007705 for odd boards). Units are the choices of the second and third row.
//! Nodes are those of the search row by row on the joined board. Memory: 8 bytes per unit.

use crate::attacks::bits;
use crate::counter::{Counter, Tally, Worker};
use crate::problem::Problem;

/// Counts toroidal boards.
#[derive(Debug)]
pub(crate) struct Toroidal {
    board: Joined,
    /// The first three queens, as what they attack in the fourth row.
    units: Vec<Attacks>,
    /// Boards that one found stands for.
    weight: u64,
    work_above: u64,
}

/// A board of `n` rows with joined edges; `n` is prime to 6.
#[derive(Debug, Clone, Copy)]
struct Joined {
    n: u32,
    /// The mask of a row.
    all: u32,
}

/// The squares of the next row that are attacked, and the number of rows filled.
#[derive(Debug, Clone, Copy, Default)]
struct Attacks {
    columns: u32,
    left_diagonals: u32,
    right_diagonals: u32,
    row: u32,
}

impl Toroidal {
    /// All boards of `problem`, which must be toroidal.
    pub(crate) fn new(problem: &Problem) -> Self {
        debug_assert!(problem.is_toroidal());
        let n = problem.n();
        let board = Joined { n, all: problem.rows().first().copied().unwrap_or(0) };
        let empty = Attacks::default();
        if n <= 1 {
            return Self { board, units: vec![empty], weight: 1, work_above: 0 };
        }
        if n.is_multiple_of(2) || n.is_multiple_of(3) {
            return Self { board, units: vec![], weight: 1, work_above: 1 };
        }
        let first = board.place(empty, 1);
        let left = (1 << n.div_ceil(2)) - 1;
        let second: Vec<Attacks> =
            bits(board.free(first) & left).map(|queen| board.place(first, queen)).collect();
        let units: Vec<Attacks> = second
            .iter()
            .flat_map(|&position| {
                bits(board.free(position)).map(move |queen| board.place(position, queen))
            })
            .collect();
        let weight = 2 * u64::from(n);
        let work_above = 1 + u64::from(n) + weight * second.len() as u64;
        Self { board, units, weight, work_above }
    }
}

impl Joined {
    fn free(self, attacks: Attacks) -> u32 {
        self.all & !(attacks.columns | attacks.left_diagonals | attacks.right_diagonals)
    }

    fn place(self, attacks: Attacks, queen: u32) -> Attacks {
        let Self { n, all } = self;
        let (left, right) = (attacks.left_diagonals | queen, attacks.right_diagonals | queen);
        Attacks {
            columns: attacks.columns | queen,
            left_diagonals: (left << 1 | left >> (n - 1)) & all,
            right_diagonals: (right >> 1 | right << (n - 1)) & all,
            row: attacks.row + 1,
        }
    }

    /// Adds to `tally` what lies at and below `position`.
    fn search(self, position: Attacks, tally: &mut Tally) {
        tally.work += 1;
        if position.row == self.n {
            tally.solutions += 1;
            return;
        }
        bits(self.free(position)).for_each(|queen| self.search(self.place(position, queen), tally));
    }
}

impl Counter for Toroidal {
    fn units(&self) -> u64 {
        self.units.len() as u64
    }

    fn work_above(&self) -> u64 {
        self.work_above
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(|unit| {
            let mut tally = Tally::default();
            self.board.search(self.units[unit as usize], &mut tally);
            tally.times(self.weight)
        })
    }
}
