//! Counts boards by joining half boards: all placements of the upper half with all of the lower half
//! that take the other columns, many pairs at a time.
//!
//! ```text
//!  n = 8       0 1 2 3 | 4 5 6 7
//!            0 . . . . | Q . . .      top half, made from a west and an east quarter: they share no
//!            1 . Q . . | . . . .      column, so they fit if no row and no diagonal is taken twice
//!            2 . . . . | . Q . .
//!            3 Q . . . | . . . .      W = {0, 1}: west columns of the top half
//!            --------------------
//!            4 . . . . | . . Q .      bottom half, with the other columns: two halves fit if they
//!            5 . . . Q | . . . .      share no diagonal that crosses the boundary between them
//!            6 . . . . | . . . Q
//!            7 . . Q . | . . . .      X = {6, 7}: east columns of the bottom half
//! ```
//!
//! Read the parts in this order:
//!
//! 1. [`subsets`]: sets of rows or columns and their ranks.
//! 2. [`lists`]: keys in groups; [`kernel`]: the hot loops, once per instruction set.
//! 3. [`quarters`]: all placements on a quarter, as keys: the set of their diagonals.
//! 4. [`symmetry`]: which pairs (W, X) to count, with which weight.
//! 5. [`halves`]: all half boards of a pair, from the quarters.
//! 6. [`compatible`](mod@compatible): how many tops and bottoms share no diagonal.
//! 7. [`memory`]: what a worker needs, and what is done if that is too much.
//!
//! A unit is a tile (`split/tiles.rs`): some sets W with some sets X, so that each quarter list serves
//! many pairs.
//!
//! **Time.** About 5.3 times more per board size from n = 18 to 20. Shares at n = 18, 19, 20 (AVX2, Zen 3):
//! quarters 5, 3, 2 %; half boards 29, 17, 14 %; matching the rest. The README has whole times.
//!
//! **Memory.** Per worker 7 MB at n = 18, 30 MB at 20, 160 MB at 22, 620 MB at 24, less if it must be.
//!
//! **Source.** N-Queens-Count-Sol (EvgenyKluev, 2022) joins halves from quarters and matches them
//! transposed; half-board counts are OEIS A319284. Ours differs in the use of all symmetries, in the
//! units, and in odd boards: there the middle row goes to the top half and the middle column to the
//! bottom half, so that one join counts all squares of both middle queens at once. (One join per pair
//! of squares, as in that program, has 20 times more joins and twice the keys: side by side on two cores,
//! n = 19 took 84 s there and 6.5 s here.)
//!
//! **Tried and dropped.**
//!
//! | what                                                                    | n = 20  | n = 22 |
//! | ----------------------------------------------------------------------- | ------- | ------ |
//! | boards with one queen on a long diagonal: half of the tops by reflection, in joins of their own (27 to 33 % fewer pairs, 33 % more keys, 3 times more joins) | +25 % | +10 to 25 % |
//! | lists split by one central diagonal before matching                     | +6 %    | 0 to +25 % |
//! | lists split by two of them                                              | +27 %   | +7 %   |
//! | lists split by three of them                                            | +100 %  | +60 %  |

mod room;
mod subsets;
mod lists;
mod kernel;
mod quarters;
mod symmetry;
mod halves;
mod compatible;
mod memory;
#[cfg(feature = "internals")]
mod parts;
#[cfg(test)]
mod tests;

#[cfg(feature = "internals")]
pub use parts::{JoinParts, JoinScratch};

use super::{Counter, Settings, Worker};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::split::tiles::{self, Case, Tile, Tiles};
use crate::tally::Tally;
use compatible::{Scratch, compatible};
use halves::{Halves, TooLong};
use memory::{MAX_DECIDED, Plan};
use quarters::{Base, Board, central_diagonals};
use subsets::Subsets;
use symmetry::Pair;

/// The join, ready for one board size. Its work is the pairs of half boards that it divides into
/// solutions and others: the same number for every kernel and memory limit.
#[derive(Debug)]
pub(crate) struct Join {
    base: Base,
    tiles: Tiles,
    plan: Plan,
}

impl Join {
    /// Prepares to count the units of the board of `n` rows, from 4 to 32, with a limit of memory per
    /// worker.
    ///
    /// # Errors
    /// [`Error::MemoryTooSmall`].
    pub(crate) fn new(n: u32, tiles: Tiles, settings: &Settings) -> Result<Self, Error> {
        let Settings { kernel, memory: limit } = *settings;
        let plan = Plan::new(n, tiles::side(n), limit).map_err(|needed| Error::MemoryTooSmall {
            n,
            needed,
            limit,
        })?;
        let base = Base { board: Board { n }, kernel, subsets: Subsets::new(n / 2 + 1) };
        Ok(Self { base, tiles, plan })
    }

    /// The least memory per worker, in bytes, that suffices for boards of `n` rows.
    pub(crate) fn least_memory(n: u32) -> u64 {
        Plan::new(n, tiles::side(n), 0).map_or_else(|needed| needed, |plan| plan.bytes)
    }

    fn joiner(&self) -> Joiner<'_> {
        let &first = Case::of(self.base.board.n).first().expect("a case");
        Joiner {
            join: self,
            halves: Halves::new(&self.base, first),
            partial: Halves::new(&self.base, first),
            lists: HalfLists::default(),
        }
    }
}

impl Counter for Join {
    fn worker(&self) -> Worker<'_> {
        let mut joiner = self.joiner();
        Box::new(move |unit| joiner.count(unit))
    }
}

/// Counts units one after the other, with memory of its own that it uses again for each.
struct Joiner<'a> {
    join: &'a Join,
    /// The half boards of a tile.
    halves: Halves<'a>,
    /// Those of one pair that does not fit the memory whole, and is split.
    partial: Halves<'a>,
    lists: HalfLists,
}

/// The lists of one pair of column sets.
#[derive(Default)]
struct HalfLists {
    tops: Vec<u64>,
    /// Tops that reflection keeps: they count half.
    fixed: Vec<u64>,
    bottoms: Vec<u64>,
    scratch: Scratch,
}

impl Joiner<'_> {
    /// Counts the boards of one unit; `None` if the count does not fit 64 bits.
    fn count(&mut self, unit: u64) -> Option<Tally> {
        let tile = self.join.tiles.get(unit);
        if self.halves.case() != tile.case {
            self.halves = Halves::new(&self.join.base, tile.case);
            self.partial = Halves::new(&self.join.base, tile.case);
        }
        let whole = self.join.plan.decided == 0;
        if whole {
            self.halves.make_tops(&tile, 0);
            self.halves.make_bottoms(&tile, 0);
        }
        let mut tally = Tally::default();
        for pair in Pair::all(&tile, self.join.base.board.half()) {
            if pair.weights() == [0; 3] {
                continue;
            }
            let first = if whole { self.count_whole(&tile, &pair) } else { Err(TooLong) };
            let counted = first.unwrap_or_else(|TooLong| self.count_split(&pair))?;
            tally.solutions = tally.solutions.checked_add(counted.solutions)?;
            tally.work = tally.work.checked_add(counted.work)?;
        }
        Some(tally)
    }

    /// Counts one pair of column sets of a tile whose lists have been made.
    fn count_whole(&mut self, tile: &Tile, pair: &Pair) -> Result<Option<Tally>, TooLong> {
        let Self { join, halves, lists, .. } = self;
        let index = [pair.west - tile.west.start, pair.east - tile.east.start];
        lists.clear_tops();
        halves.append_tops(pair, index, join.plan.keys, &mut lists.tops, &mut lists.fixed)?;
        let limit = join.plan.keys.saturating_sub(lists.tops.len());
        lists.bottoms.clear();
        halves.append_bottoms(pair, index, limit, &mut lists.bottoms)?;
        let solutions = lists.join(join.base.kernel, pair.weights());
        Ok(tally(solutions, lists.tops(), lists.bottoms.len() as u64))
    }

    /// Counts one pair of column sets split so far that it fits the memory.
    fn count_split(&mut self, pair: &Pair) -> Option<Tally> {
        let limit = self.join.plan.keys;
        let most = central_diagonals(self.join.base.board, u32::MAX).count_ones();
        let last = (MAX_DECIDED + 4).min(most);
        (self.join.plan.decided.max(1)..=last)
            .find_map(|decided| self.count_decided(pair, decided, limit).ok())
            // Rather too much memory than no result.
            .unwrap_or_else(|| {
                let counted = self.count_decided(pair, MAX_DECIDED.min(most), usize::MAX);
                counted.expect("no list is too long where there is no limit")
            })
    }

    /// The same with a number of diagonals decided.
    fn count_decided(
        &mut self,
        pair: &Pair,
        decided: u32,
        limit: usize,
    ) -> Result<Option<Tally>, TooLong> {
        let Self { join, partial, lists, .. } = self;
        let diagonals = central_diagonals(join.base.board, decided);
        partial.make_tops(&pair.tile(), diagonals);
        partial.make_bottoms(&pair.tile(), diagonals);
        let all = (1 << decided) - 1;
        let (mut solutions, mut tops, mut bottoms) = (Some(0u64), 0, 0);
        for top in subsets_of(all) {
            lists.clear_tops();
            for west in subsets_of(top) {
                let index = [west, top & !west];
                partial.append_tops(pair, index, limit, &mut lists.tops, &mut lists.fixed)?;
            }
            tops += lists.tops();
            let limit = limit.saturating_sub(lists.tops.len());
            for bottom in subsets_of(all & !top) {
                lists.bottoms.clear();
                for west in subsets_of(bottom) {
                    let index = [west, bottom & !west];
                    partial.append_bottoms(pair, index, limit, &mut lists.bottoms)?;
                }
                // Tops without any of the diagonals meet all bottoms.
                bottoms += if top == 0 { lists.bottoms.len() as u64 } else { 0 };
                let found = lists.join(join.base.kernel, pair.weights());
                solutions = solutions.zip(found).and_then(|(sum, found)| sum.checked_add(found));
            }
        }
        Ok(tally(solutions, tops, bottoms))
    }
}

impl HalfLists {
    fn clear_tops(&mut self) {
        self.tops.clear();
        self.fixed.clear();
    }

    fn tops(&self) -> u64 {
        (self.tops.len() + self.fixed.len()) as u64
    }

    /// Counts the boards that tops and bottoms make, if they fit 64 bits.
    fn join(&mut self, kernel: Kernel, weights: [u64; 3]) -> Option<u64> {
        let Self { tops, fixed, bottoms, scratch } = self;
        let mut count = |tops: &[u64], weights| {
            if tops.is_empty() || bottoms.is_empty() {
                Some(0)
            } else {
                compatible(kernel, tops, bottoms, weights, scratch)
            }
        };
        count(tops, weights)?.checked_add(count(fixed, weights.map(|weight| weight / 2))?)
    }
}

/// The tally of a pair of column sets, if it fits 64 bits.
fn tally(solutions: Option<u64>, tops: u64, bottoms: u64) -> Option<Tally> {
    Some(Tally { solutions: solutions?, work: tops.checked_mul(bottoms)? })
}

/// All subsets of a set, itself first.
fn subsets_of(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), move |&subset| (subset != 0).then(|| (subset - 1) & set))
}
