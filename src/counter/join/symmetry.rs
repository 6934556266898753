//! Which pairs of half boards to count, and how many boards each pair stands for.
//!
//! A pair is named by two sets of columns: W, the west columns of the top half, and X, the east
//! columns of the bottom half. The rest follows: the top half takes W and the east columns outside
//! X, the bottom half X and the west columns outside W. Columns and rows count from the outer edge
//! (see `quarters`), so reflections and half-turns move sets as they are:
//!
//! ```text
//!           R                          mirror (east and west):   W -> not X,  X -> not W
//!        W  |  not X                   half-turn:                W -> X,      X -> W
//!     ------+-------- not R            reflection in the long diagonal of W's quarter:
//!     not W |  X                                                 W -> R, the rows of that quarter
//! ```
//!
//! No board of n > 1 is its own image under a reflection (a queen and its image would attack one
//! another), which makes the following exact.
//!
//! **Even boards.** A long diagonal holds at most one queen. Reflection in one long diagonal keeps
//! the queens on it and swaps the halves for the other's, so a queen on a long diagonal stands as
//! often in the top as in the bottom half, whatever the other diagonal holds. It suffices to count
//! boards whose top half has none, times 1, 2 or 4 for 0, 1 or 2 in the bottom half. (Even)
//!
//! The mirror image has as many queens on long diagonals, also in the bottom half. Of the pairs
//! (W, X) and (not X, not W) one is counted, with weight 2; with weight 1 if they are the same.
//! With k = |W| = |X| the mirror image has h-k: count k < h/2. For k = h/2 complements have
//! opposite ranks, so with i, j the ranks of W, X among the m sets of their size the image has
//! ranks m-1-j, m-1-i: count i + j <= m-1. Boards with no queen on a long diagonal can be turned
//! upside down as well: of (i, j) and (j, i) one is counted, again with weight 2 or 1.
//!
//! **Odd boards.**
//! - *Centre queen* (`OddCentre`): it keeps all others off the long diagonals, its row and column.
//!   What is left is as on an even board with none.
//! - *No centre queen* (`OddOffCentre`): then one queen stands in the middle row and another in the
//!   middle column, each on either side of the centre equally often: count those in the east and in
//!   the bottom, times 4. So the top half takes the middle row and not the middle column, with
//!   one column more in the east: |X| = |W| - 1. Reflection in the diagonal of W's quarter swaps the
//!   two queens, and W and R: times 8 as above, and times 4 for placements that are their own image:
//!   W's quarter may have one queen on its diagonal and no more.

use std::cmp::Ordering;
use std::ops::Range;

use super::quarters::Diagonal;
use crate::split::tiles::{Case, Tile, binomial};

impl Case {
    /// The long diagonals of the top quarters.
    pub(super) fn top(self) -> Diagonal {
        if self == Self::OddOffCentre { Diagonal::Any } else { Diagonal::Empty }
    }

    /// The long diagonals of the bottom quarters.
    pub(super) fn bottom(self) -> Diagonal {
        match self {
            Self::Even => Diagonal::Split,
            Self::OddCentre => Diagonal::Empty,
            Self::OddOffCentre => Diagonal::Any,
        }
    }
}

/// The two column sets of a pair of half boards: size of W and ranks, with the number of sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) case: Case,
    pub(super) half: u32,
    /// |W|.
    pub(super) size: u32,
    /// The rank of W among the `sets` sets of its size.
    pub(super) west: usize,
    /// The rank of X among the sets of its size.
    pub(super) east: usize,
    /// The number of sets that W is one of.
    pub(super) sets: usize,
}

impl Pair {
    /// The pairs of column sets of a tile, for quarters of `half` columns.
    pub(super) fn all(tile: &Tile, half: u32) -> impl Iterator<Item = Self> + use<> {
        let Tile { case, size, west, east } = tile.clone();
        let sets = binomial(half, size);
        west.flat_map(move |west| {
            east.clone().map(move |east| Self { case, half, size, west, east, sets })
        })
    }

    /// The tile of this pair alone.
    pub(super) fn tile(&self) -> Tile {
        let Self { case, size, west, east, .. } = *self;
        Tile { case, size, west: west..west + 1, east: east..east + 1 }
    }

    /// How many boards a compatible pair of placements stands for if the bottom half has 0, 1 or 2
    /// queens on the long diagonals.
    pub(super) fn weights(&self) -> [u64; 3] {
        let Self { case, half, size, west, east, sets } = *self;
        let mirror = if 2 * size < half { 2 } else { one_of_two((west + east).cmp(&(sets - 1))) };
        let turn = one_of_two(west.cmp(&east));
        match case {
            Case::Even => [mirror * turn, mirror * 2, mirror * 4],
            Case::OddCentre => [mirror * turn, 0, 0],
            Case::OddOffCentre => [8, 0, 0],
        }
    }
}

/// The weight of the less of two images, or of the only one.
fn one_of_two(order: Ordering) -> u64 {
    match order {
        Ordering::Less => 2,
        Ordering::Equal => 1,
        Ordering::Greater => 0,
    }
}

/// The ranks that follow `rank` among `sets`: the next half of them in a circle, so that of two
/// different ranks exactly one follows the other, and all have as many followers (at most one more).
pub(super) fn followers(rank: usize, sets: usize) -> [Range<usize>; 2] {
    let opposite = sets.is_multiple_of(2) && rank < sets / 2;
    let end = rank + 1 + (sets - 1) / 2 + usize::from(opposite);
    [rank + 1..end.min(sets), 0..end.saturating_sub(sets)]
}
