//! All placements of half the rows in given columns, joined from the lists of two quarters.
//!
//! The rows that the west quarter leaves free are those of the east quarter, so for every row set R
//! the keys of west\[R\] and of east\[rows without R\] are combined: a pair without a common
//! diagonal is a half board, its key the union. Complements come in opposite order, so the group of
//! R meets the group as far from the other end. About one pair in three passes at n = 18, one in
//! four at n = 20.
//!
//! The quarter with fewer queens has the shorter groups; its keys stay in registers, and its groups
//! are taken in order of length, so that the loops over them are predicted. The quarter lists of a
//! tile are made once for all its pairs of column sets.

use super::kernel::{combine, combine_opposite};
use super::lists::Lists;
use super::quarters::{Base, Corner, Maker, Pattern, Quarter};
use super::room::reserve;
use super::symmetry::{Pair, followers};
use crate::split::tiles::{Case, Tile};

/// In `[Lists; 3]`: all placements, those without and those with a queen on the long diagonal.
const ALL: usize = 0;
const EMPTY: usize = 1;
const TAKEN: usize = 2;

/// Groups that are combined between two looks at the length of the output.
const GROUPS_AT_ONCE: usize = 64;

/// A list that would be longer than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// A quarter's lists for the column sets of a tile.
#[derive(Debug)]
struct Block<'a> {
    maker: Maker<'a>,
    lists: Vec<[Lists; 3]>,
    /// For each of the lists the groups to combine, shortest first.
    orders: Vec<[Vec<u32>; 3]>,
}

impl<'a> Block<'a> {
    fn new(quarter: Quarter, base: &'a Base) -> Self {
        let maker = Maker::new(quarter, &base.subsets, base.kernel);
        Self { maker, lists: Vec::new(), orders: Vec::new() }
    }

    /// Makes the lists of each column set with each subset of the decided diagonals.
    fn make(&mut self, column_sets: impl ExactSizeIterator<Item = u32>, decided: u64) {
        self.lists.resize_with(column_sets.len() << decided.count_ones(), Default::default);
        let mut lists = self.lists.iter_mut();
        for columns in column_sets {
            for (pattern, lists) in Pattern::all(decided).zip(&mut lists) {
                self.maker.make(columns, pattern, lists);
            }
        }
    }

    /// Puts the groups in order: all, or those that `groups` names for an index.
    fn order(&mut self, groups: impl Fn(usize) -> Option<Vec<usize>>) {
        self.orders.resize_with(self.lists.len(), Default::default);
        for (index, (orders, lists)) in self.orders.iter_mut().zip(&self.lists).enumerate() {
            for (order, lists) in orders.iter_mut().zip(lists) {
                match groups(index) {
                    Some(groups) => lists.by_length(groups.into_iter(), order),
                    None => lists.by_length(0..lists.groups(), order),
                }
            }
        }
    }
}

/// The half boards of one case and the column sets of one tile.
pub(super) struct Halves<'a> {
    base: &'a Base,
    case: Case,
    top_west_quarter: Quarter,
    /// West and east.
    top: [Block<'a>; 2],
    bottom: [Block<'a>; 2],
    /// For each W, the top west placements with the same rows as columns: one of each reflected
    /// pair, and those that reflection keeps.
    ties: Vec<[Vec<u64>; 2]>,
}

impl<'a> Halves<'a> {
    /// No half boards yet.
    pub(super) fn new(base: &'a Base, case: Case) -> Self {
        let board = base.board;
        let corner = |bottom, east| Corner { bottom, east };
        let (top, bottom) = (case.top(), case.bottom());
        let top_west_quarter = Quarter::new(board, corner(false, false), top);
        let bottom_east = Quarter::new(board, corner(true, true), bottom);
        let (top_east, bottom_west) = if case.has_middle() {
            (
                Quarter::with_middle_row(board, corner(false, true), top),
                Quarter::with_middle_column(board, corner(true, false), bottom),
            )
        } else {
            (
                Quarter::new(board, corner(false, true), top),
                Quarter::new(board, corner(true, false), bottom),
            )
        };
        Self {
            base,
            case,
            top: [top_west_quarter.clone(), top_east].map(|quarter| Block::new(quarter, base)),
            bottom: [bottom_west, bottom_east].map(|quarter| Block::new(quarter, base)),
            top_west_quarter,
            ties: Vec::new(),
        }
    }

    /// The case they were made for.
    pub(super) fn case(&self) -> Case {
        self.case
    }

    /// The column sets of a tile: W and X.
    fn column_sets(&self, tile: &Tile) -> [&'a [u32]; 2] {
        let (subsets, half) = (&self.base.subsets, self.base.board.half());
        let middle = u32::from(self.case.has_middle());
        [
            &subsets.of(half, tile.size)[tile.west.clone()],
            &subsets.of(half, tile.size - middle)[tile.east.clone()],
        ]
    }

    /// Makes the quarter lists of the top half for all subsets of the decided diagonals.
    pub(super) fn make_tops(&mut self, tile: &Tile, decided: u64) {
        let [west, east] = self.column_sets(tile);
        let all = (1 << self.base.board.half()) - 1;
        let [top_west, top_east] = &mut self.top;
        top_west.make(west.iter().copied(), decided);
        top_east.make(east.iter().map(|set| all & !set), decided);
        self.ties.clear();
        if self.case.is_reflected() {
            let sets = self.base.subsets.of(self.base.board.half(), tile.size).len();
            top_west.order(|index| {
                let rank = tile.west.start + (index >> decided.count_ones());
                Some(followers(rank, sets).into_iter().flatten().collect())
            });
            for &set in west {
                let ties = |pattern| self.top_west_quarter.reflected_ties(set, pattern);
                self.ties.extend(Pattern::all(decided).map(ties));
            }
        } else {
            top_west.order(|_| None);
        }
    }

    /// Makes the quarter lists of the bottom half for all subsets of the decided diagonals.
    pub(super) fn make_bottoms(&mut self, tile: &Tile, decided: u64) {
        let [west, east] = self.column_sets(tile);
        let half = self.base.board.half();
        let (all, middle) = ((1 << half) - 1, u32::from(self.case.has_middle()));
        let [bottom_west, bottom_east] = &mut self.bottom;
        bottom_west.make(west.iter().map(|set| (all & !set) | (middle << half)), decided);
        bottom_east.make(east.iter().copied(), decided);
        bottom_east.order(|_| None);
    }

    /// Appends the keys of the top half boards of one pair to `tops`, and those that reflection
    /// keeps, which count half, to `fixed`, from the west and east lists with these indices.
    pub(super) fn append_tops(
        &self,
        pair: &Pair,
        [west, east]: [usize; 2],
        limit: usize,
        tops: &mut Vec<u64>,
        fixed: &mut Vec<u64>,
    ) -> Result<(), TooLong> {
        let [top_west, top_east] = &self.top;
        let few = &top_west.lists[west][ALL];
        let many = &top_east.lists[east][ALL];
        self.append(few, many, &top_west.orders[west][ALL], limit, tops)?;
        if self.case.is_reflected() && many.groups() > 0 {
            let opposite = many.padded(many.groups() - 1 - pair.west);
            let [one_of_two, kept] = &self.ties[west];
            combine(self.base.kernel, one_of_two, opposite, tops);
            combine(self.base.kernel, kept, opposite, fixed);
        }
        Ok(())
    }

    /// Appends the keys of the bottom half boards of one pair, of classes with a weight only.
    pub(super) fn append_bottoms(
        &self,
        pair: &Pair,
        [west, east]: [usize; 2],
        limit: usize,
        bottoms: &mut Vec<u64>,
    ) -> Result<(), TooLong> {
        let [bottom_west, bottom_east] = &self.bottom;
        let combinations: &[[usize; 2]] = match pair.weights() {
            [0, _, _] => &[[ALL, TAKEN], [TAKEN, EMPTY]],
            _ => &[[ALL, ALL]],
        };
        for &[west_lists, east_lists] in combinations {
            let few = &bottom_east.lists[east][east_lists];
            let many = &bottom_west.lists[west][west_lists];
            self.append(few, many, &bottom_east.orders[east][east_lists], limit, bottoms)?;
        }
        Ok(())
    }

    /// Appends what the given groups of `few` and the opposite ones of `many` make.
    fn append(
        &self,
        few: &Lists,
        many: &Lists,
        groups: &[u32],
        limit: usize,
        keys: &mut Vec<u64>,
    ) -> Result<(), TooLong> {
        if few.groups() == 0 || many.groups() == 0 {
            return Ok(());
        }
        if few.groups() == 1 && few.of(0) == [0] {
            // An empty quarter: the only one with key 0, which would pass the padding.
            reserve(keys, many.of(0).len());
            keys.extend_from_slice(many.of(0));
        } else {
            for groups in groups.chunks(GROUPS_AT_ONCE) {
                combine_opposite(self.base.kernel, few, many, groups, keys);
                if keys.len() > limit {
                    return Err(TooLong);
                }
            }
        }
        Ok(())
    }
}
