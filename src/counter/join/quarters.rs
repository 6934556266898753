//! All placements of queens on a quarter of the board, grouped by the rows that they use.
//!
//! A quarter has local rows and columns that count from its outer corner, so a square with equal
//! row and column lies on the long diagonal that the quarter touches, and the four quarters differ
//! in nothing but the diagonals' names:
//!
//! ```text
//!  n = 6    top      0   W W W E E E     the square (row 0, column 1) of each quarter:
//!                    1   W W W E E E       . * . . * .
//!                    2   W W W E E E       . . . . . .
//!           bottom   2   w w w e e e       . . . . . .
//!                    1   w w w e e e       . . . . . .
//!                    0   w w w e e e       . . . . . .
//!                        0 1 2 2 1 0       . * . . * .
//! ```
//!
//! A placement is a *key*: the set of its diagonals. The n-1 diagonals of each direction that cross
//! the boundary between the halves are the only ones that a queen of another quarter can attack
//! along: a diagonal that meets two quarters of the same half crosses that boundary, too. While a
//! quarter is built, its other diagonals count as well. Numbering all diagonals modulo n-1 gives
//! each a bit: a quarter touches at most n-1 in a row of either direction, so they all differ, and
//! the bits that do not mean crossing ones are cleared in the end. Only the two long diagonals of
//! an even board have bits of their own, 62 and 63, where `compatible` reads the class of a key.
//!
//! The list of a column set is made from the list of one column fewer: the placements with rows R
//! are those with rows R - r and a queen in row r of the new column, over all r in R. Sets that
//! follow one another share their upper columns, so most of the work is the last column: about
//! `|R| / 2` tests per key, many at a time. Memory: 8 bytes per key, and as much again, at most,
//! for the shorter column sets that are kept.

use super::kernel::{Addition, add_queen};
use super::lists::Lists;
use super::subsets::{Subsets, members};
use crate::kernel::Kernel;

/// The two bits of a key for the long diagonals of an even board.
pub(super) const LONG: u64 = 0b11 << 62;

/// The size of a board and the way it is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Board {
    pub(super) n: u32,
}

impl Board {
    /// Rows, and columns, of a quarter without the middle row and column of odd boards.
    pub(super) fn half(self) -> u32 {
        self.n / 2
    }

    /// Rows above the boundary between the halves: the middle row of an odd board is the last.
    fn top_rows(self) -> u32 {
        self.n.div_ceil(2)
    }

    /// The two diagonals through a square, each as its bit and whether it crosses the boundary.
    pub(super) fn diagonals(self, row: u32, column: u32) -> [(u64, bool); 2] {
        let Self { n } = self;
        let top = self.top_rows();
        let rising = row + column;
        let falling = column + n - 1 - row;
        let bit = |diagonal: u32, direction: u32| {
            if n.is_multiple_of(2) && diagonal == n - 1 {
                1 << (62 + direction)
            } else {
                1 << (direction * (n - 1) + diagonal % (n - 1))
            }
        };
        [
            (bit(rising, 0), (top..top + n - 1).contains(&rising)),
            (bit(falling, 1), (n - top..2 * n - 1 - top).contains(&falling)),
        ]
    }
}

/// What all lists of a board are made with.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) board: Board,
    pub(super) kernel: Kernel,
    pub(super) subsets: Subsets,
}

/// The diagonals nearest to the long ones, which most placements have, without those of even boards:
/// `count` of them, as a key.
pub(super) fn central_diagonals(board: Board, count: u32) -> u64 {
    let n = board.n;
    let first = if n.is_multiple_of(2) { 1 } else { 0 };
    let last = n / 2 - 1;
    let offsets = (first..=last)
        .flat_map(|offset| if offset == 0 { vec![0] } else { vec![offset, n - 1 - offset] });
    offsets.flat_map(|d| [d, n - 1 + d]).take(count as usize).map(|bit| 1 << bit).sum()
}

/// Where a quarter lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) bottom: bool,
    pub(super) east: bool,
}

/// Which of some diagonals crossing the boundary a placement must have; the others it must not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The diagonals that are decided.
    pub(super) decided: u64,
    /// Those of them that the placement has.
    pub(super) present: u64,
}

impl Pattern {
    /// Allows all placements.
    #[cfg(test)]
    pub(super) const ANY: Self = Self { decided: 0, present: 0 };

    /// The patterns with all subsets of the decided diagonals, in increasing order.
    pub(super) fn all(decided: u64) -> impl Iterator<Item = Self> {
        let next = move |pattern: &Self| {
            let present = pattern.present.wrapping_sub(decided) & decided;
            (present != 0).then_some(Self { decided, present })
        };
        std::iter::successors(Some(Self { decided, present: 0 }), next)
    }
}

/// Which placements are wanted, by the quarter's own squares on a long diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Diagonal {
    /// All.
    Any,
    /// Those without a queen there.
    Empty,
    /// All, and those without and those with a queen there in lists of their own; even boards only.
    Split,
}

/// The squares of a quarter.
#[derive(Debug, Clone)]
pub(super) struct Quarter {
    /// `squares[column][row]` are the diagonals of the square, 0 where no queen may stand.
    squares: Vec<Vec<u64>>,
    rows: u32,
    /// Rows that must hold a queen: the middle row, where it is part of the quarter.
    required: u32,
    /// The bits of diagonals that cross the boundary.
    crossing: u64,
    diagonal: Diagonal,
}

impl Quarter {
    /// The quarter of `board` in a corner.
    pub(super) fn new(board: Board, corner: Corner, diagonal: Diagonal) -> Self {
        Self::sized(board, corner, diagonal, board.half(), board.half())
    }

    /// The same with the middle row of an odd board, in which a queen must stand.
    pub(super) fn with_middle_row(board: Board, corner: Corner, diagonal: Diagonal) -> Self {
        let half = board.half();
        let quarter = Self::sized(board, corner, diagonal, half + 1, half);
        Self { required: 1 << half, ..quarter }
    }

    /// The same with the middle column of an odd board.
    pub(super) fn with_middle_column(board: Board, corner: Corner, diagonal: Diagonal) -> Self {
        Self::sized(board, corner, diagonal, board.half(), board.half() + 1)
    }

    fn sized(board: Board, corner: Corner, diagonal: Diagonal, rows: u32, columns: u32) -> Self {
        let from_edge = |far: bool, index: u32| if far { board.n - 1 - index } else { index };
        let mut crossing = 0;
        let mut square = |row, column| {
            let diagonals =
                board.diagonals(from_edge(corner.bottom, row), from_edge(corner.east, column));
            for (bit, crosses) in diagonals {
                crossing |= if crosses { bit } else { 0 };
            }
            let blocked = diagonal == Diagonal::Empty && row == column;
            if blocked { 0 } else { diagonals[0].0 | diagonals[1].0 }
        };
        let squares =
            (0..columns).map(|column| (0..rows).map(|row| square(row, column)).collect()).collect();
        Self { squares, rows, required: 0, crossing, diagonal }
    }

    /// The part of a pattern that this quarter can have, or `None` if it cannot have it.
    fn reachable(&self, pattern: Pattern) -> Option<Pattern> {
        let Pattern { decided, present } = pattern;
        (present & !self.crossing == 0)
            .then_some(Pattern { decided: decided & self.crossing, present })
    }

    /// The placements of queens in `columns` that use just these rows again: one of each pair that
    /// reflection in the long diagonal swaps, and those that it keeps. The latter have one queen or
    /// none, as any two queens and their images attack one another.
    ///
    /// The first column whose queen is not on the diagonal tells a placement from its image: the
    /// row of this queen differs from the column of the queen in the row of the same number.
    pub(super) fn reflected_ties(&self, columns: u32, pattern: Pattern) -> [Vec<u64>; 2] {
        let [mut one_of_two, mut fixed] = [Vec::new(), Vec::new()];
        let Some(Pattern { decided, present }) = self.reachable(pattern) else {
            return [one_of_two, fixed];
        };
        let mut rows = vec![u32::MAX; self.squares.len()];
        self.visit(columns, columns, 0, &mut rows, &mut |key, rows| {
            if key & decided != present {
                return;
            }
            match members(columns).find(|&column| rows[column as usize] != column) {
                None => fixed.push(key & self.crossing),
                Some(first) => {
                    let image = members(columns).find(|&column| rows[column as usize] == first);
                    if Some(rows[first as usize]) < image {
                        one_of_two.push(key & self.crossing);
                    }
                }
            }
        });
        [one_of_two, fixed]
    }

    /// Visits all placements of queens in `columns` and the rows `free` by backtracking, with their
    /// diagonals and the row of each column.
    fn visit(
        &self,
        columns: u32,
        free: u32,
        key: u64,
        rows: &mut [u32],
        visitor: &mut impl FnMut(u64, &[u32]),
    ) {
        let Some(column) = members(columns).next() else { return visitor(key, rows) };
        for row in members(free) {
            let square = self.squares[column as usize][row as usize];
            if square != 0 && key & square == 0 {
                rows[column as usize] = row;
                let (columns, free) = (columns & !(1 << column), free & !(1 << row));
                self.visit(columns, free, key | square, rows, visitor);
            }
        }
    }
}

/// Makes the lists of a quarter for one column set after the other.
#[derive(Debug)]
pub(super) struct Maker<'a> {
    quarter: Quarter,
    subsets: &'a Subsets,
    kernel: Kernel,
    /// Diagonals that no placement may have.
    forbidden: u64,
    /// The columns, highest first, whose lists are in `levels`: `levels[d]` holds the first d.
    columns: Vec<u32>,
    levels: Vec<Lists>,
}

impl<'a> Maker<'a> {
    pub(super) fn new(quarter: Quarter, subsets: &'a Subsets, kernel: Kernel) -> Self {
        let mut levels = vec![Lists::default(); quarter.squares.len() + 1];
        levels[0].clear();
        levels[0].push_with(|keys| keys.push(0));
        Self { quarter, subsets, kernel, forbidden: 0, columns: Vec::new(), levels }
    }

    /// Replaces `lists` by the placements of a queen in each of `columns` with this pattern: first
    /// all; then, if the quarter tells them apart, those without and those with a queen on the long
    /// diagonal. No groups at all if the quarter cannot have the pattern.
    pub(super) fn make(&mut self, columns: u32, pattern: Pattern, lists: &mut [Lists; 3]) {
        let [all, empty, taken] = lists;
        let Some(Pattern { decided, present }) = self.quarter.reachable(pattern) else {
            return lists.iter_mut().for_each(Lists::clear);
        };
        self.forbid(decided & !present);
        let mut descending: Vec<u32> = members(columns).collect();
        descending.reverse();
        match descending.split_last() {
            None => {
                all.clear();
                all.push_with(|keys| keys.push(0));
            }
            Some((&last, others)) => {
                self.climb(others);
                let size = others.len() as u32 + 1;
                self.add(last, size, self.quarter.required, &self.levels[others.len()], all);
            }
        }
        all.mask(self.quarter.crossing);
        if present != 0 {
            all.retain(|key| key & present == present);
        }
        if self.quarter.diagonal == Diagonal::Split {
            all.split(LONG, empty, taken);
        }
    }

    fn forbid(&mut self, diagonals: u64) {
        if self.forbidden != diagonals {
            self.forbidden = diagonals;
            self.columns.clear();
        }
    }

    /// Makes the levels hold the lists of all beginnings of `columns`.
    fn climb(&mut self, columns: &[u32]) {
        let common = columns.iter().zip(&self.columns).take_while(|(a, b)| a == b).count();
        self.columns.truncate(common);
        for &column in &columns[common..] {
            let depth = self.columns.len();
            let mut longer = std::mem::take(&mut self.levels[depth + 1]);
            self.add(column, depth as u32 + 1, 0, &self.levels[depth], &mut longer);
            self.levels[depth + 1] = longer;
            self.columns.push(column);
        }
    }

    /// Adds a queen in `column` to the placements of `shorter`, to make `size` queens.
    fn add(&self, column: u32, size: u32, required: u32, shorter: &Lists, longer: &mut Lists) {
        let Self { quarter, subsets, .. } = self;
        longer.clear();
        let sets = subsets.of(quarter.rows, size);
        // Those with the required row, the highest, come last.
        let without = sets.partition_point(|set| set & required != required);
        for _ in 0..without {
            longer.push_with(|_| ());
        }
        let squares: Vec<u64> = quarter.squares[column as usize]
            .iter()
            .map(|&square| if square & self.forbidden == 0 { square } else { 0 })
            .collect();
        let row_sets = &sets[without..];
        let addition = Addition { shorter, row_sets, ranks: subsets.ranks(), squares: &squares };
        add_queen(self.kernel, addition, longer);
    }
}
