//! The first rows of a board, filled in every way that counts: the work units of backtracking.
//!
//! A *prefix* is a placement of the first `depth` rows without attacks. Prefixes are numbered in
//! lexicographic order, and a prefix is computed from its number alone: a small table says how many
//! prefixes lie below each choice of the first two rows, and the rest is found by counting down
//! from there. So boards with thousands of millions of prefixes need no list of them.
//!
//! # Mirror symmetry, and why it is exact
//! Reflecting a board left to right maps boards to boards. No board of two or more rows is its own
//! image, since the queen of every row would have to stand in the middle column. So the boards
//! fall into pairs, and it is enough to count one of each pair, twice:
//!
//! - with the first queen left or right of the middle, the board of the pair whose first queen is
//!   on the left;
//! - with the first queen in the middle column (`n` odd), both boards of the pair have it there, and
//!   no other queen stands in that column: the board whose *second* queen is on the left.
//!
//! ```text
//! n = 5, depth 2:     Q . | . .  .      . . Q . .     first queen in the middle:
//!                     . . | Q .  .      Q . . . .     the second on the left
//!                     left half         (. Q is attacked)
//! ```
//!
//! Every prefix has weight 2 then. Boards of 0 and 1 rows, and boards that must hold given queens,
//! are searched whole with weight 1. A prefix with the first queen in the middle has at least two
//! rows, at depth 1 too.
//!
//! Time: the table visits the nodes of the first `depth - 1` rows once; a prefix costs at most the
//! nodes below its first two rows. Memory: 32 bytes for each choice of the first two rows.

use super::unit::UnitProblem;
use crate::attacks::{Attacks, bits};
use crate::error::Error;
use crate::problem::Problem;

/// The deepest split: its table takes 0.1 s at `n` = 28.
pub(crate) const MAX_DEPTH: u32 = 7;

/// The first rows of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Prefix {
    /// What its queens attack in the next row.
    pub(crate) attacks: Attacks,
    /// Number of rows filled, also the index of the next row.
    pub(crate) row: u32,
}

/// All prefixes of a board, addressed by index.
#[derive(Debug, Clone)]
pub(crate) struct Prefixes {
    problem: Problem,
    depth: u32,
    weight: u64,
    /// Prefixes of at most two rows, with the number of the first prefix below each.
    table: Vec<(u64, Prefix)>,
    len: u64,
    nodes_above: u64,
}

impl Prefixes {
    /// All prefixes of `depth` rows (fewer where the board has fewer); of so many that up to `n` = 20
    /// what lies below one takes 10 ms to 1 s, if that is `None`.
    ///
    /// # Errors
    /// [`Error::SplitDepth`] if the depth is not between 1 and [`MAX_DEPTH`].
    pub(crate) fn new(problem: &Problem, depth: Option<u32>) -> Result<Self, Error> {
        let depth = depth.unwrap_or(match problem.n() {
            0..14 => 2,
            14..17 => 3,
            17..19 => 4,
            19..21 => 5,
            21..23 => 6,
            _ => 7,
        });
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(Error::SplitDepth { depth, max: MAX_DEPTH });
        }
        let halved = problem.n() > 1 && problem.is_mirror_symmetric();
        let mut prefixes = Self {
            depth: depth.min(problem.n()),
            weight: if halved { 2 } else { 1 },
            problem: problem.clone(),
            table: Vec::new(),
            len: 0,
            nodes_above: 0,
        };
        prefixes.add(Prefix::default(), halved);
        Ok(prefixes)
    }

    /// Adds the prefixes below `prefix`; `own_image` while it is its own mirror image and only one
    /// of each pair of images below it counts.
    fn add(&mut self, prefix: Prefix, own_image: bool) {
        let is_unit = prefix.row >= self.depth && !own_image;
        if is_unit || prefix.row == 2 {
            let (units, nodes) = self.below(prefix);
            self.table.push((self.len, prefix));
            self.len += units;
            self.nodes_above += nodes * self.weight;
            return;
        }
        self.nodes_above += if own_image { 1 } else { self.weight };
        let free = self.free(prefix);
        if !own_image {
            bits(free).for_each(|queen| self.add(prefix.place(queen), false));
            return;
        }
        let left_half = (1 << (self.problem.n() / 2)) - 1;
        bits(free & left_half).for_each(|queen| self.add(prefix.place(queen), false));
        let middle = free & !left_half & !(left_half << self.problem.n().div_ceil(2));
        if prefix.row == 0 && middle != 0 {
            self.add(prefix.place(middle), true);
        }
    }

    /// Number of units at or below `prefix`, and of the nodes from it down to just above them.
    fn below(&self, prefix: Prefix) -> (u64, u64) {
        let children = self.free(prefix);
        match self.depth.saturating_sub(prefix.row) {
            0 => (1, 0),
            1 => (children.count_ones().into(), 1),
            _ => bits(children).fold((0, 1), |(units, nodes), queen| {
                let below = self.below(prefix.place(queen));
                (units + below.0, nodes + below.1)
            }),
        }
    }

    fn free(&self, prefix: Prefix) -> u32 {
        let row = self.problem.rows().get(prefix.row as usize);
        prefix.attacks.free(row.copied().unwrap_or(0))
    }

    /// Number of prefixes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Number of rows that a prefix fills; those with the first queen in the middle fill two or more.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Number of boards that a completion of a prefix stands for.
    pub(crate) fn weight(&self) -> u64 {
        self.weight
    }

    /// Nodes of the whole backtrack tree above the prefixes: root and mirror images included, the
    /// prefixes themselves not.
    pub(crate) fn nodes_above(&self) -> u64 {
        self.nodes_above
    }

    /// The prefix of number `index`.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    pub(crate) fn get(&self, index: u64) -> Prefix {
        self.descend(index, |_| ())
    }

    /// The columns of the queens of prefix `index`, row by row.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    pub(crate) fn columns(&self, index: u64) -> Vec<u32> {
        let mut columns = Vec::new();
        let mut last = 0;
        self.descend(index, |prefix| {
            let new = prefix.attacks.columns ^ last;
            last = prefix.attacks.columns;
            // The table begins with two rows at once, where both orders have the same columns.
            let mut queens: Vec<u32> = bits(new).collect();
            let placed = |queens: &[u32]| queens.iter().fold(Prefix::default(), |p, &q| p.place(q));
            if queens.len() == 2 && placed(&queens) != prefix {
                queens.reverse();
            }
            columns.extend(queens.iter().map(|queen| queen.trailing_zeros()));
        });
        columns
    }

    /// The boards below prefix `index`.
    pub(crate) fn as_problem(&self, index: u64) -> Option<UnitProblem> {
        let columns = self.columns(index);
        // The root, and one node for each row but the last.
        let nodes_above = columns.len() as u64;
        UnitProblem::new(&self.problem, &columns, nodes_above, self.weight)
    }

    /// The prefix of number `index`; tells `visit` about those on the way to it that the table
    /// does not spare, and about itself.
    fn descend(&self, index: u64, mut visit: impl FnMut(Prefix)) -> Prefix {
        assert!(index < self.len, "prefix {index} of {}", self.len);
        let entry = self.table.partition_point(|&(first, _)| first <= index) - 1;
        let (first, mut prefix) = self.table[entry];
        let mut rest = index - first;
        visit(prefix);
        while prefix.row < self.depth {
            let mut children = bits(self.free(prefix)).map(|queen| prefix.place(queen));
            prefix = children
                .find(|&child| {
                    let units = self.below(child).0;
                    let found = rest < units;
                    rest -= if found { 0 } else { units };
                    found
                })
                .expect("the table counts what is below");
            visit(prefix);
        }
        prefix
    }
}

impl Prefix {
    pub(crate) fn place(self, queen: u32) -> Self {
        Self { attacks: self.attacks.place(queen), row: self.row + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All placements of the first rows, by comparing every pair of queens.
    fn placements(n: u32, rows: u32) -> Vec<Vec<u32>> {
        let mut all = vec![vec![]];
        for row in 0..rows {
            let fits = |board: &Vec<u32>, column: u32| {
                let mut above = board.iter().zip(0..);
                above.all(|(&c, r)| c != column && c.abs_diff(column) != row - r)
            };
            let longer = all.iter().flat_map(|board| {
                (0..n)
                    .filter(move |&c| fits(board, c))
                    .map(move |c| [board.clone(), vec![c]].concat())
            });
            all = longer.collect();
        }
        all
    }

    fn prefix_of(columns: &[u32]) -> Prefix {
        columns.iter().fold(Prefix::default(), |prefix, &column| prefix.place(1 << column))
    }

    #[test]
    fn prefixes_and_their_mirror_images_are_all_placements() {
        for (n, depth) in (2..=9).flat_map(|n| (2..=n.min(5)).map(move |depth| (n, depth))) {
            let prefixes = Prefixes::new(&Problem::new(n).unwrap(), Some(depth)).unwrap();
            let found: Vec<Prefix> = (0..prefixes.len()).map(|i| prefixes.get(i)).collect();
            let (left, right): (Vec<_>, Vec<_>) =
                placements(n, depth).into_iter().partition(|board| {
                    let first = board.iter().find(|&&column| 2 * column + 1 != n);
                    first.is_some_and(|&column| column < n / 2)
                });
            assert_eq!(left.len(), right.len());
            let left: Vec<Prefix> = left.iter().map(|board| prefix_of(board)).collect();
            assert_eq!(found, left, "n = {n}, depth {depth}");
            for index in 0..prefixes.len() {
                assert_eq!(prefix_of(&prefixes.columns(index)), prefixes.get(index));
            }
        }
    }

    #[test]
    fn given_queens_and_tiny_boards_are_searched_whole() {
        let given = Problem::new(8).unwrap().with_queen(1, 0).unwrap();
        let prefixes = Prefixes::new(&given, Some(3)).unwrap();
        let mut expected = placements(8, 3);
        expected.retain(|board| board[1] == 0);
        // A square that the given queen attacks is never tried, so none of these is lost.
        assert_eq!(prefixes.len(), expected.len() as u64);
        assert_eq!(prefixes.weight(), 1);
        for (index, board) in expected.iter().enumerate() {
            assert_eq!(prefixes.get(index as u64), prefix_of(board));
        }
        for n in [0, 1] {
            let prefixes = Prefixes::new(&Problem::new(n).unwrap(), Some(2)).unwrap();
            assert_eq!((prefixes.len(), prefixes.weight()), (1, 1));
            assert_eq!(prefixes.get(0).row, n);
        }
    }

    #[test]
    fn large_boards_are_numbered_without_a_list() {
        let prefixes = Prefixes::new(&Problem::new(13).unwrap(), Some(4)).unwrap();
        assert_eq!(2 * prefixes.len(), 6404, "A319284, row 13");
        for n in [27, 31, 32] {
            let prefixes = Prefixes::new(&Problem::new(n).unwrap(), Some(5)).unwrap();
            for index in [0, 1, prefixes.len() / 2, prefixes.len() - 1] {
                assert_eq!(prefixes.get(index).row, 5);
            }
        }
        for depth in [0, MAX_DEPTH + 1] {
            let refused = Prefixes::new(&Problem::new(8).unwrap(), Some(depth));
            assert_eq!(refused.unwrap_err(), Error::SplitDepth { depth, max: MAX_DEPTH });
        }
    }
}
