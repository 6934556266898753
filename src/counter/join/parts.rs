//! The parts of the join, one by one, for benches.

use super::compatible::{Scratch, compatible};
use super::halves::Halves;
use super::kernel::{self, Job, Primitives, SLACK};
use super::symmetry::Pair;
use super::{HalfLists, Join};
use crate::counter::Settings;
use crate::kernel::Kernel;
use crate::split::tiles::{Tile, Tiles};

/// A tile of a board, and the half boards of one of its pairs of column sets.
#[derive(Debug)]
pub struct JoinParts {
    join: Join,
    tile: Tile,
    pair: Pair,
    /// Half boards as keys.
    pub tops: Vec<u64>,
    /// Half boards as keys.
    pub bottoms: Vec<u64>,
}

impl JoinParts {
    /// The middle unit of the board of `n` rows and its middle pair.
    ///
    /// # Panics
    /// If `n` is not from 4 to 24.
    #[must_use]
    pub fn new(n: u32, kernel: Kernel) -> Self {
        assert!((4..=24).contains(&n));
        let settings = Settings { kernel, memory: u64::MAX };
        let join = Join::new(n, Tiles::new(n), &settings).expect("there is no limit");
        let tile = join.tiles.get(join.tiles.len() / 2);
        let pairs = Pair::all(&tile, join.base.board.half());
        let pairs: Vec<Pair> = pairs.filter(|pair| pair.weights() != [0; 3]).collect();
        let pair = pairs[pairs.len() / 2];
        let mut parts = Self { join, tile, pair, tops: Vec::new(), bottoms: Vec::new() };
        let HalfLists { tops, bottoms, .. } = parts.quarters_and_halves();
        (parts.tops, parts.bottoms) = (tops, bottoms);
        parts
    }

    /// Makes the quarter lists of the tile.
    pub fn quarters(&self) {
        let mut halves = Halves::new(&self.join.base, self.tile.case);
        halves.make_tops(&self.tile, 0);
        halves.make_bottoms(&self.tile, 0);
    }

    /// Makes the quarter lists and the half boards of all pairs of the tile; returns their number.
    #[must_use]
    pub fn halves(&self) -> usize {
        let mut halves = Halves::new(&self.join.base, self.tile.case);
        halves.make_tops(&self.tile, 0);
        halves.make_bottoms(&self.tile, 0);
        let mut lists = HalfLists::default();
        Pair::all(&self.tile, self.join.base.board.half())
            .map(|pair| self.append(&halves, &pair, &mut lists))
            .sum()
    }

    fn quarters_and_halves(&self) -> HalfLists {
        let mut halves = Halves::new(&self.join.base, self.tile.case);
        halves.make_tops(&self.tile, 0);
        halves.make_bottoms(&self.tile, 0);
        let mut lists = HalfLists::default();
        self.append(&halves, &self.pair, &mut lists);
        lists
    }

    fn append(&self, halves: &Halves, pair: &Pair, lists: &mut HalfLists) -> usize {
        let index = [pair.west - self.tile.west.start, pair.east - self.tile.east.start];
        lists.clear_tops();
        lists.bottoms.clear();
        let (tops, fixed) = (&mut lists.tops, &mut lists.fixed);
        halves.append_tops(pair, index, usize::MAX, tops, fixed).expect("no limit");
        halves.append_bottoms(pair, index, usize::MAX, &mut lists.bottoms).expect("no limit");
        lists.tops.len() + lists.fixed.len() + lists.bottoms.len()
    }

    /// Partitions the bottoms by a diagonal; returns how many lack it.
    #[must_use]
    pub fn partition(&self, out: &mut Vec<u64>) -> usize {
        struct Partition<'a>(&'a [u64], &'a mut [u64]);
        impl Job for Partition<'_> {
            type Output = usize;
            fn run<P: Primitives>(self, kernel: P) -> usize {
                kernel.partition(self.0, 7, self.1)
            }
        }
        out.resize(self.bottoms.len() + SLACK, 0);
        kernel::run(self.join.base.kernel, Partition(&self.bottoms, out))
    }

    /// Matches up to `tops` of the tops with all bottoms; up to 512 make one leaf.
    #[must_use]
    pub fn matches(&self, tops: usize, scratch: &mut JoinScratch) -> u64 {
        let tops = &self.tops[..tops.min(self.tops.len())];
        let weights = self.pair.weights();
        compatible(self.join.base.kernel, tops, &self.bottoms, weights, &mut scratch.0).unwrap_or(0)
    }
}

/// Working memory of [`JoinParts::matches`].
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "megabytes of working memory")]
pub struct JoinScratch(Scratch);
