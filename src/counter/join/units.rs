//! The list of work units: blocks of column sets, computed from an index.
//!
//! The pairs (W, X) of one case and size form a rectangle of ranks. It is cut into square tiles, and
//! a tile is a unit: the quarter lists of its rows and columns are made once and joined with each
//! other, so a larger side saves list making, a smaller one gives more units.

use std::ops::Range;

use super::Join;
use super::subsets::Subsets;
use super::symmetry::{Case, Pair};

/// One unit: all W with a rank in `west` and all X with a rank in `east`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) case: Case,
    /// |W|.
    pub(super) size: u32,
    pub(super) west: Range<usize>,
    pub(super) east: Range<usize>,
}

impl Tile {
    /// The pairs of column sets.
    pub(super) fn pairs(&self, join: &Join) -> impl Iterator<Item = Pair> + use<> {
        let Self { case, size, west, east } = self.clone();
        let half = join.board.half();
        let sets = join.subsets.of(half, size).len();
        west.flat_map(move |west| {
            east.clone().map(move |east| Pair { case, half, size, west, east, sets })
        })
    }
}

/// All tiles with the same case and size.
#[derive(Debug)]
struct Rectangle {
    case: Case,
    size: u32,
    /// Number of sets W, of sets X.
    sets: [usize; 2],
    /// Number of sets per tile in either direction.
    side: usize,
    /// Whether tiles in which the mirror image of every pair comes first are left out.
    triangle: bool,
}

impl Rectangle {
    fn new(n: u32, case: Case, size: u32, subsets: &Subsets) -> Self {
        let half = n / 2;
        let east_size = if case.has_middle() { size - 1 } else { size };
        let sets = [size, east_size].map(|size| subsets.of(half, size).len());
        let triangle = !case.is_reflected() && 2 * size == half;
        Self { case, size, sets, side: side(n), triangle }
    }

    /// The number of tiles in one row of tiles.
    fn row_len(&self, row: usize) -> usize {
        let [_, blocks] = self.blocks();
        if self.triangle { blocks - row } else { blocks }
    }

    fn blocks(&self) -> [usize; 2] {
        self.sets.map(|sets| sets.div_ceil(self.side))
    }

    fn len(&self) -> u64 {
        (0..self.blocks()[0]).map(|row| self.row_len(row) as u64).sum()
    }

    fn tile(&self, mut index: usize) -> Tile {
        let mut row = 0;
        while index >= self.row_len(row) {
            index -= self.row_len(row);
            row += 1;
        }
        let range =
            |block: usize, sets: usize| block * self.side..sets.min((block + 1) * self.side);
        Tile {
            case: self.case,
            size: self.size,
            west: range(row, self.sets[0]),
            east: range(index, self.sets[1]),
        }
    }
}

/// Sets per side of a tile: large enough to share quarter lists, small enough to take a minute at
/// most.
pub(super) fn side(n: u32) -> usize {
    match n {
        ..=11 => 2,
        12..=15 => 4,
        16..=17 => 8,
        18..=22 => 16,
        23..=24 => 8,
        25 => 3,
        26 => 2,
        27.. => 1,
    }
}

/// The units of one board size.
#[derive(Debug)]
pub(super) struct Units {
    rectangles: Vec<Rectangle>,
}

impl Units {
    /// The units of board size `n`.
    pub(super) fn new(n: u32, subsets: &Subsets) -> Self {
        let rectangles = Case::of(n)
            .iter()
            .flat_map(|&case| {
                case.sizes(n / 2).map(move |size| Rectangle::new(n, case, size, subsets))
            })
            .collect();
        Self { rectangles }
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.rectangles.iter().map(Rectangle::len).sum()
    }

    /// The unit with this index.
    pub(super) fn tile(&self, mut unit: u64) -> Tile {
        for rectangle in &self.rectangles {
            if unit < rectangle.len() {
                return rectangle.tile(unit as usize);
            }
            unit -= rectangle.len();
        }
        panic!("unit {unit} past the end")
    }
}
