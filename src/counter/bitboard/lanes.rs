//! The bitboard backtracker on the lanes of a vector register, written once for every width.
//!
//! Each lane holds one position, and all lanes stand before the same row. Positions wait on one
//! stack per row, as four arrays: the three masks and the squares that are still free to try.
//!
//! ```text
//!  row 4   columns  ..X.X..X  ...     one step, all lanes at once: the lowest free square gets a
//!          left     .X......  ...     queen; a position with squares left goes back to its stack,
//!          right    ...X...X  ...     the position behind the queen goes on to row 5 and is dropped
//!          free     X....XX.  ...     if row 5 has no free square (it is counted, but never stored)
//!  row 5   ...
//! ```
//!
//! To keep all lanes busy, a pass takes [`BATCH`] positions at a time from the deepest row that has
//! so many; only when none has, it takes what the first row with any position has. Survivors of a
//! step are packed to the front of the register and stored over the end of a stack.
//!
//! Storing is what limits the speed (an unaligned 32-byte store takes two cycles on Zen 3), hence
//! two shortcuts. A pass follows the first queen of each position two rows down within registers:
//! of the row between, only the other free squares are stored ([`Search::descend`]). And the last
//! two rows are never stored: five comparisons count them ([`Search::count_two_rows`]).
//!
//! Invariant: a pass adds at most `BATCH` positions to each of the two deeper stacks, and it only
//! runs when no deeper stack holds a full batch, so that no stack exceeds `2 * BATCH`.
//!
//! Time: 2 cycles per node with AVX2 (Zen 3, N = 16), where a recursion over single positions takes
//! 13 or more, mostly for branches guessed wrong. Counting the nodes is 1 % of that. Memory:
//! 4.5 KiB per row and thread.
//!
//! Tried and dropped, in time of what is kept (AVX2, Zen 3, N = 14, one thread):
//! - one row per pass instead of two: 1.09; three rows: 0.98, before the last two rows: 1.04;
//! - every free square of the third-last row in registers, without storing any: 1.14;
//! - sixteen lanes of `u16`, packed by byte shuffles: 0.85, but only for boards up to 16;
//! - eight lanes packed by halves of four, in two stores of 16 bytes: 1.4;
//! - stacks that do not start on a cache line: 1.1;
//! - new stacks for each count: 1.0, but 1.5 for positions with 2000 nodes.

use std::array;

use super::scalar;
use crate::attacks::Attacks;
use crate::tally::Tally;

/// A vector register of `u32` lanes.
///
/// A value of an implementing type is the proof that this CPU has the instructions. [`Lanes::count`]
/// is compiled for these, and all other methods are inlined into it.
pub(super) trait Lanes: Copy {
    /// A register of `COUNT` masks.
    type Vector: Copy;
    /// A choice of lanes.
    type Selection: Copy;
    /// A way to pack some lanes to the front.
    type Packing: Copy;
    /// Lanes of a register.
    const COUNT: usize;

    /// [`count`], compiled for the instructions.
    fn count(self, rows: &[u32], row: usize, positions: &[Attacks], stacks: &mut Stacks) -> Tally;

    /// `mask` in every lane.
    fn splat(self, mask: u32) -> Self::Vector;
    /// Reads the first `COUNT` masks of `from`.
    fn load(self, from: &[u32]) -> Self::Vector;
    /// Writes the first `COUNT` masks of `to`.
    fn store(self, vector: Self::Vector, to: &mut [u32]);
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & !b`.
    fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a << 1`.
    fn left(self, a: Self::Vector) -> Self::Vector;
    /// `a >> 1`.
    fn right(self, a: Self::Vector) -> Self::Vector;
    /// The lowest set bit of each lane, if it has one.
    fn lowest(self, a: Self::Vector) -> Self::Vector;

    /// The lanes in which both are equal.
    fn equal(self, a: Self::Vector, b: Self::Vector) -> Self::Selection;
    fn either(self, a: Self::Selection, b: Self::Selection) -> Self::Selection;
    /// The lanes of `a` that are not in `b`.
    fn but_not(self, a: Self::Selection, b: Self::Selection) -> Self::Selection;
    /// `a` with the chosen lanes set to 0.
    fn clear(self, a: Self::Vector, lanes: Self::Selection) -> Self::Vector;
    /// `a` with the chosen lanes counted up by 1.
    fn increment(self, a: Self::Vector, lanes: Self::Selection) -> Self::Vector;

    /// How to pack the lanes that are not 0, and their number.
    fn packing(self, a: Self::Vector) -> (Self::Packing, usize);
    /// Moves the packed lanes to the front; the rest of the register is arbitrary.
    fn pack(self, a: Self::Vector, packing: Self::Packing) -> Self::Vector;

    /// The sum of all lanes.
    #[inline(always)]
    fn sum(self, a: Self::Vector) -> u64 {
        let mut lanes = [0; WIDEST];
        self.store(a, &mut lanes);
        lanes.into_iter().map(u64::from).sum()
    }
}

/// Lanes of the widest register.
const WIDEST: usize = 16;

/// Positions of one pass. With 64 it takes 9 % more time, with 256 3 % (AVX2, Zen 3, N = 14).
const BATCH: usize = 128;

/// A vector stored at the end of a full stack must still fit, for the widest register.
const CAPACITY: usize = 2 * BATCH + WIDEST;

/// The stacks of a thread, one per row, all empty between counts: new ones for each count would
/// cost as much as counting a thousand nodes.
#[derive(Default)]
pub(super) struct Stacks(Vec<Stack>);

/// Solutions and nodes below `positions`, as [`scalar::count`].
#[inline(always)]
pub(super) fn count<L: Lanes>(
    lanes: L,
    rows: &[u32],
    row: usize,
    positions: &[Attacks],
    stacks: &mut Stacks,
) -> Tally {
    let open_rows = &rows[row..];
    if open_rows.len() < 3 {
        return scalar::count(rows, row, positions);
    }
    // The last two rows need no stack.
    let stacks = &mut stacks.0;
    stacks.resize(open_rows.len() - 2, Stack::EMPTY);
    let mut waiting = positions.iter();
    let all_columns = u32::MAX >> (32 - rows.len());
    let search = Search { lanes, all_columns: lanes.splat(all_columns), zero: lanes.splat(0) };
    let mut tally = Tally::default();
    loop {
        let deepest = stacks.iter().rposition(|stack| stack.len >= BATCH);
        let level = deepest.or_else(|| {
            stacks[0].fill(open_rows[0], &mut waiting);
            stacks.iter().position(|stack| stack.len > 0)
        });
        let Some(level) = level else { break };
        let rows_below = &open_rows[level + 1..];
        let found = match &mut stacks[level..] {
            stacks @ [_] => search.descend::<1, true>(stacks, rows_below),
            stacks @ [_, _] => search.descend::<2, true>(stacks, rows_below),
            stacks => search.descend::<2, false>(stacks, rows_below),
        };
        tally.solutions += found.solutions;
        tally.work += found.work;
    }
    tally
}

/// Positions before one row, each with a free square; the last one is the top.
#[derive(Clone)]
#[repr(align(64))]
struct Stack {
    columns: [u32; CAPACITY],
    left_diagonals: [u32; CAPACITY],
    right_diagonals: [u32; CAPACITY],
    free: [u32; CAPACITY],
    len: usize,
}

impl Stack {
    const EMPTY: Stack = Stack {
        columns: [0; CAPACITY],
        left_diagonals: [0; CAPACITY],
        right_diagonals: [0; CAPACITY],
        free: [0; CAPACITY],
        len: 0,
    };

    /// Takes positions that have a free square until there is a full batch.
    fn fill<'a>(&mut self, row: u32, positions: &mut impl Iterator<Item = &'a Attacks>) {
        while self.len < BATCH {
            let Some(position) = positions.next() else {
                return;
            };
            let Attacks { columns, left_diagonals, right_diagonals } = *position;
            let free = position.free(row);
            if free != 0 {
                self.columns[self.len] = columns;
                self.left_diagonals[self.len] = left_diagonals;
                self.right_diagonals[self.len] = right_diagonals;
                self.free[self.len] = free;
                self.len += 1;
            }
        }
    }

    #[inline(always)]
    fn load<L: Lanes>(&self, lanes: L, at: usize) -> Boards<L> {
        assert!(at <= CAPACITY - L::COUNT);
        Boards {
            columns: lanes.load(&self.columns[at..]),
            left_diagonals: lanes.load(&self.left_diagonals[at..]),
            right_diagonals: lanes.load(&self.right_diagonals[at..]),
            free: lanes.load(&self.free[at..]),
        }
    }

    /// Stores the positions that have a free square from `at` on, and returns the end of them.
    #[inline(always)]
    fn store<L: Lanes>(&mut self, lanes: L, boards: Boards<L>, at: usize) -> usize {
        assert!(at <= CAPACITY - L::COUNT);
        let (packing, count) = lanes.packing(boards.free);
        lanes.store(lanes.pack(boards.columns, packing), &mut self.columns[at..]);
        lanes.store(lanes.pack(boards.left_diagonals, packing), &mut self.left_diagonals[at..]);
        lanes.store(lanes.pack(boards.right_diagonals, packing), &mut self.right_diagonals[at..]);
        lanes.store(lanes.pack(boards.free, packing), &mut self.free[at..]);
        at + count
    }

    /// Fills up the last register with positions that have no free square in any row.
    #[inline(always)]
    fn pad<L: Lanes>(&mut self, lanes: L) {
        let (none, all) = (lanes.splat(0), lanes.splat(u32::MAX));
        lanes.store(none, &mut self.columns[self.len..]);
        lanes.store(all, &mut self.left_diagonals[self.len..]);
        lanes.store(all, &mut self.right_diagonals[self.len..]);
        lanes.store(none, &mut self.free[self.len..]);
    }
}

/// One position per lane, all before the same row.
#[derive(Clone, Copy)]
struct Boards<L: Lanes> {
    columns: L::Vector,
    left_diagonals: L::Vector,
    right_diagonals: L::Vector,
    free: L::Vector,
}

/// What a pass counts in each lane.
struct Counts<L: Lanes> {
    /// Rows in which the lane had no square for a queen.
    idle: L::Vector,
    /// Next-to-last rows with a second free square.
    second: L::Vector,
    solutions: L::Vector,
}

/// What a pass keeps in registers.
#[derive(Clone, Copy)]
struct Search<L: Lanes> {
    lanes: L,
    all_columns: L::Vector,
    zero: L::Vector,
}

impl<L: Lanes> Search<L> {
    /// Takes one batch off the first stack and, in each position, follows the lowest free square
    /// `DEPTH` rows down. The other free squares go to the stack of their row, and the position
    /// reached to the next one; or, if it is `LAST`, only two rows are left and are counted.
    /// `rows_below` are the masks of the rows after that of the first stack.
    #[inline(always)]
    fn descend<const DEPTH: usize, const LAST: bool>(
        self,
        stacks: &mut [Stack],
        rows_below: &[u32],
    ) -> Tally {
        let lanes = self.lanes;
        let end = stacks[0].len;
        let begin = end.saturating_sub(BATCH);
        stacks[0].pad(lanes);
        // The first stack is stored over the part of the batch that was loaded before.
        let mut ends: [usize; 3] = array::from_fn(|depth| stacks.get(depth).map_or(0, |s| s.len));
        ends[0] = begin;
        let rows: [L::Vector; 3] =
            array::from_fn(|depth| lanes.splat(rows_below.get(depth).copied().unwrap_or(0)));
        let mut counts = Counts { idle: self.zero, second: self.zero, solutions: self.zero };
        for at in (begin..end).step_by(L::COUNT) {
            let mut boards = stacks[0].load(lanes, at);
            for depth in 0..DEPTH {
                let queens = lanes.lowest(boards.free);
                let others = Boards { free: lanes.without(boards.free, queens), ..boards };
                ends[depth] = stacks[depth].store(lanes, others, ends[depth]);
                boards = self.place(boards, queens, rows[depth]);
                if depth > 0 {
                    let idle = lanes.equal(queens, self.zero);
                    counts.idle = lanes.increment(counts.idle, idle);
                    boards.free = lanes.clear(boards.free, idle);
                }
            }
            if LAST {
                self.count_two_rows(boards, rows[DEPTH], &mut counts);
            } else {
                ends[DEPTH] = stacks[DEPTH].store(lanes, boards, ends[DEPTH]);
            }
        }
        for (stack, end) in stacks.iter_mut().zip(ends) {
            stack.len = end;
        }
        let solutions = lanes.sum(counts.solutions);
        let further_rows = DEPTH - 1 + usize::from(LAST);
        let slots = (end - begin).next_multiple_of(L::COUNT) * further_rows;
        let further = slots as u64 - lanes.sum(counts.idle) + lanes.sum(counts.second) + solutions;
        Tally { solutions, work: (end - begin) as u64 + further }
    }

    /// The positions behind the queens; `row` is the mask of the next row.
    #[inline(always)]
    fn place(self, boards: Boards<L>, queens: L::Vector, row: L::Vector) -> Boards<L> {
        let lanes = self.lanes;
        let columns = lanes.or(boards.columns, queens);
        let left_diagonals = lanes.left(lanes.or(boards.left_diagonals, queens));
        let right_diagonals = lanes.right(lanes.or(boards.right_diagonals, queens));
        let attacked = lanes.or(lanes.or(columns, left_diagonals), right_diagonals);
        let free = lanes.without(row, attacked);
        Boards { columns, left_diagonals, right_diagonals, free }
    }

    /// Counts what the last two rows add. Two columns are open. There is one solution if each row
    /// has a free square and together they have both columns, and there are two if each row has
    /// both columns.
    ///
    /// The lower row also counts as attacked by *all* free squares of the upper row at once: this
    /// reaches an open column only if the two are neighbours, and then there is no solution.
    #[inline(always)]
    fn count_two_rows(self, boards: Boards<L>, last_row: L::Vector, counts: &mut Counts<L>) {
        let lanes = self.lanes;
        let open = lanes.without(self.all_columns, boards.columns);
        let upper = boards.free;
        let lower = lanes.without(
            lanes.and(open, last_row),
            lanes.or(
                lanes.left(lanes.or(boards.left_diagonals, upper)),
                lanes.right(lanes.or(boards.right_diagonals, upper)),
            ),
        );
        let upper_none = lanes.equal(upper, self.zero);
        let either_none = lanes.either(upper_none, lanes.equal(lower, self.zero));
        let covered = lanes.equal(lanes.or(upper, lower), open);
        let twice = lanes.equal(lanes.and(upper, lower), open);
        counts.idle = lanes.increment(counts.idle, upper_none);
        counts.second = lanes.increment(counts.second, lanes.equal(upper, open));
        counts.solutions = lanes.increment(counts.solutions, lanes.but_not(covered, either_none));
        counts.solutions = lanes.increment(counts.solutions, twice);
    }
}
