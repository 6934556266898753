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
//! 4. [`symmetry`]: which pairs (W, X) to count, with which weight; [`units`]: in which order.
//! 5. [`halves`]: all half boards of a pair, from the quarters.
//! 6. [`compatible`](mod@compatible): how many tops and bottoms share no diagonal.
//! 7. [`memory`]: what a worker needs, and what is done if that is too much.
//!
//! A unit is a tile: some sets W with some sets X, so that each quarter list serves many pairs.
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

mod subsets;
mod lists;
mod kernel;
mod quarters;
mod symmetry;
mod units;
mod halves;
mod compatible;
mod memory;
mod parts;
#[cfg(test)]
mod tests;

pub use parts::{JoinParts, JoinScratch};

use super::{Counter, Settings, Tally, Worker};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::problem::Problem;
use compatible::{Scratch, compatible};
use halves::{Halves, TooLong};
use memory::{MAX_DECIDED, Plan};
use quarters::{Board, central_diagonals};
use subsets::Subsets;
use symmetry::{Case, Pair};
use units::{Tile, Units};

/// The smallest board.
pub(crate) const MIN_N: u32 = 4;

/// The join, ready for one board size. Its work is the pairs of half boards that it parts into
/// solutions and others: the same number for every kernel and memory limit.
#[derive(Debug)]
pub(crate) struct Join {
    board: Board,
    kernel: Kernel,
    subsets: Subsets,
    units: Units,
    plan: Plan,
}

impl Join {
    /// Prepares to count boards of 4 to 32 rows, with a limit of memory per worker.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for other boards, [`Error::MemoryTooSmall`].
    pub(crate) fn new(problem: &Problem, settings: &Settings) -> Result<Self, Error> {
        let n = problem.n();
        if n < MIN_N || problem.is_toroidal() || !problem.queens().is_empty() {
            return Err(Error::Unsupported {
                what: "a join of boards below 4, with given queens (as --divide uses them) or with joined edges",
            });
        }
        if settings.depth.is_some() {
            return Err(Error::Unsupported { what: "a split depth for the join" });
        }
        Self::sized(n, settings.kernel, settings.memory)
    }

    /// The least memory per worker, in bytes, that suffices for boards of `n` rows.
    pub(crate) fn least_memory(n: u32) -> u64 {
        Plan::new(n, units::side(n), 0).map_or_else(|needed| needed, |plan| plan.bytes)
    }

    fn sized(n: u32, kernel: Kernel, limit: u64) -> Result<Self, Error> {
        let subsets = Subsets::new(n / 2 + 1);
        let units = Units::new(n, &subsets);
        let plan = Plan::new(n, units::side(n), limit).map_err(|needed| Error::MemoryTooSmall {
            n,
            needed,
            limit,
        })?;
        Ok(Self { board: Board { n }, kernel, subsets, units, plan })
    }

    fn joiner(&self) -> Joiner<'_> {
        let &first = Case::of(self.board.n).first().expect("a case");
        Joiner {
            join: self,
            halves: Halves::new(self, first),
            parts: Halves::new(self, first),
            lists: HalfLists::default(),
        }
    }
}

impl Counter for Join {
    fn units(&self) -> u64 {
        self.units.len()
    }

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
    /// Those of one pair that is split.
    parts: Halves<'a>,
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
        let tile = self.join.units.tile(unit);
        if self.halves.case() != tile.case {
            self.halves = Halves::new(self.join, tile.case);
            self.parts = Halves::new(self.join, tile.case);
        }
        let whole = self.join.plan.decided == 0;
        if whole {
            self.halves.make_tops(&tile, 0);
            self.halves.make_bottoms(&tile, 0);
        }
        let mut tally = Tally::default();
        for pair in tile.pairs(self.join) {
            if pair.weights() == [0; 3] {
                continue;
            }
            let first = if whole { self.count_whole(&tile, &pair) } else { Err(TooLong) };
            let counted = first.unwrap_or_else(|TooLong| self.count_parts(&pair))?;
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
        let limit = join.plan.keys - lists.tops.len();
        lists.bottoms.clear();
        halves.append_bottoms(pair, index, limit, &mut lists.bottoms)?;
        let solutions = lists.join(join.kernel, pair.weights());
        Ok(tally(solutions, lists.tops(), lists.bottoms.len() as u64))
    }

    /// Counts one pair of column sets in parts, small enough for the memory.
    fn count_parts(&mut self, pair: &Pair) -> Option<Tally> {
        let limit = self.join.plan.keys;
        (self.join.plan.decided.max(1)..=MAX_DECIDED + 4)
            .find_map(|decided| self.count_decided(pair, decided, limit).ok())
            // Rather too much memory than no result.
            .unwrap_or_else(|| self.count_decided(pair, MAX_DECIDED, usize::MAX).ok().flatten())
    }

    /// The same with a number of diagonals decided.
    fn count_decided(
        &mut self,
        pair: &Pair,
        decided: u32,
        limit: usize,
    ) -> Result<Option<Tally>, TooLong> {
        let Self { join, parts, lists, .. } = self;
        let diagonals = central_diagonals(join.board, decided);
        parts.make_tops(&pair.tile(), diagonals);
        parts.make_bottoms(&pair.tile(), diagonals);
        let all = (1 << decided) - 1;
        let (mut solutions, mut tops, mut bottoms) = (Some(0u64), 0, 0);
        for top in subsets_of(all) {
            lists.clear_tops();
            for west in subsets_of(top) {
                let index = [west, top & !west];
                parts.append_tops(
                    pair,
                    index,
                    join.plan.keys,
                    &mut lists.tops,
                    &mut lists.fixed,
                )?;
            }
            tops += lists.tops();
            let limit = limit - lists.tops.len();
            for bottom in subsets_of(all & !top) {
                lists.bottoms.clear();
                for west in subsets_of(bottom) {
                    let index = [west, bottom & !west];
                    parts.append_bottoms(pair, index, limit, &mut lists.bottoms)?;
                }
                // Tops without any of the diagonals meet all bottoms.
                bottoms += if top == 0 { lists.bottoms.len() as u64 } else { 0 };
                let found = lists.join(join.kernel, pair.weights());
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

/// Where a unit of the board of `n` rows lies, for golden tests.
#[cfg(test)]
pub(crate) fn place(n: u32, unit: u64) -> String {
    let Tile { case, size, west, east } = Units::new(n, &Subsets::new(n / 2 + 1)).tile(unit);
    format!("{case:?} {size} {}-{} {}-{}", west.start, west.end, east.start, east.end)
}

/// The tally of a pair of column sets, if it fits 64 bits.
fn tally(solutions: Option<u64>, tops: u64, bottoms: u64) -> Option<Tally> {
    Some(Tally { solutions: solutions?, work: tops.checked_mul(bottoms)? })
}

/// All subsets of a set, itself first.
fn subsets_of(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), move |&subset| (subset != 0).then(|| (subset - 1) & set))
}
