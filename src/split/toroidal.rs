//! The first three queens on a toroidal board: its edges are joined, so that diagonals that
//! leave it on one side come back on the other.
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
//! Time: at most n² steps. Memory: 16 bytes per unit, of which there are a few hundred.

use super::prefix::Prefix;
use crate::attacks::{Attacks, bits};
use crate::problem::Problem;

/// A toroidal board of `n` rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Torus {
    n: u32,
    /// The mask of a row.
    all: u32,
}

/// The choices of the first three queens, less those that symmetry spares.
#[derive(Debug, Clone)]
pub(crate) struct Openings {
    torus: Torus,
    units: Vec<Prefix>,
    weight: u64,
    nodes_above: u64,
}

impl Torus {
    /// Number of rows.
    pub(crate) fn n(self) -> u32 {
        self.n
    }

    /// The squares of the next row that no queen attacks.
    pub(crate) fn free(self, prefix: Prefix) -> u32 {
        prefix.attacks.free(self.all)
    }

    /// The position one row further on, with `queen` (one bit) placed in this row.
    pub(crate) fn place(self, prefix: Prefix, queen: u32) -> Prefix {
        let Self { n, all } = self;
        let Prefix { attacks, row } = prefix;
        let (left, right) = (attacks.left_diagonals | queen, attacks.right_diagonals | queen);
        let attacks = Attacks {
            columns: attacks.columns | queen,
            left_diagonals: (left << 1 | left >> (n - 1)) & all,
            right_diagonals: (right >> 1 | right << (n - 1)) & all,
        };
        Prefix { attacks, row: row + 1 }
    }

    /// All positions one row below `prefix`.
    fn below(self, prefix: Prefix, columns: u32) -> impl Iterator<Item = Prefix> {
        bits(self.free(prefix) & columns).map(move |queen| self.place(prefix, queen))
    }
}

impl Openings {
    /// All openings of `problem`, which must be toroidal.
    pub(crate) fn new(problem: &Problem) -> Self {
        debug_assert!(problem.is_toroidal());
        let n = problem.n();
        let torus = Torus { n, all: problem.rows().first().copied().unwrap_or(0) };
        let empty = Prefix::default();
        if n <= 1 {
            return Self { torus, units: vec![empty], weight: 1, nodes_above: 0 };
        }
        if n.is_multiple_of(2) || n.is_multiple_of(3) {
            return Self { torus, units: Vec::new(), weight: 1, nodes_above: 1 };
        }
        let left = (1 << n.div_ceil(2)) - 1;
        let second: Vec<Prefix> = torus.below(torus.place(empty, 1), left).collect();
        let third = |&prefix: &Prefix| torus.below(prefix, torus.all);
        let weight = 2 * u64::from(n);
        let nodes_above = 1 + u64::from(n) + weight * second.len() as u64;
        Self { torus, units: second.iter().flat_map(third).collect(), weight, nodes_above }
    }

    /// The board.
    pub(crate) fn torus(&self) -> Torus {
        self.torus
    }

    /// Number of openings.
    pub(crate) fn len(&self) -> u64 {
        self.units.len() as u64
    }

    /// The opening of number `index`.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    pub(crate) fn get(&self, index: u64) -> Prefix {
        self.units[index as usize]
    }

    /// Number of boards that a completion of an opening stands for.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// Nodes of the whole backtrack tree above the openings: root and images included.
    pub(crate) fn nodes_above(&self) -> u64 {
        self.nodes_above
    }
}
