//! Blocks of column sets, computed from an index: the units of the join.
//!
//! A half board of the join is named by two sets of columns, W and X (the head of
//! `counter/join/symmetry.rs` draws them). The pairs (W, X) of one case and size form a rectangle of
//! ranks. It is cut into square tiles, and a tile is a unit: the quarter lists of its rows and columns
//! are made once and joined with each other, so a larger side saves list making, a smaller one gives
//! more units.

use std::ops::Range;

/// The families of boards that are counted in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// n even, no queen on a long diagonal in the top half.
    Even,
    /// n odd, a queen in the centre.
    OddCentre,
    /// n odd, a queen in the middle row's east and one in the middle column's bottom half.
    OddOffCentre,
}

impl Case {
    /// The cases of board size `n`.
    pub(crate) fn of(n: u32) -> &'static [Self] {
        if n.is_multiple_of(2) { &[Self::Even] } else { &[Self::OddCentre, Self::OddOffCentre] }
    }

    /// Whether the middle row belongs to the top half, and the middle column to the bottom half.
    pub(crate) fn has_middle(self) -> bool {
        self == Self::OddOffCentre
    }

    /// Whether one of two boards that reflection in a long diagonal swaps is counted.
    pub(crate) fn is_reflected(self) -> bool {
        self == Self::OddOffCentre
    }

    /// Sizes of W for quarters of `half` columns.
    pub(crate) fn sizes(self, half: u32) -> Range<u32> {
        match self {
            Self::Even | Self::OddCentre => 0..half / 2 + 1,
            Self::OddOffCentre => 1..half + 1,
        }
    }
}

/// One unit: all W with a rank in `west` and all X with a rank in `east`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) case: Case,
    /// |W|.
    pub(crate) size: u32,
    pub(crate) west: Range<usize>,
    pub(crate) east: Range<usize>,
}

/// All tiles with the same case and size.
#[derive(Debug, Clone)]
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
    fn new(n: u32, case: Case, size: u32) -> Self {
        let half = n / 2;
        let east_size = if case.has_middle() { size - 1 } else { size };
        let sets = [size, east_size].map(|size| binomial(half, size));
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
pub(crate) fn side(n: u32) -> usize {
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

/// The number of sets of `size` out of `of` members.
pub(crate) fn binomial(of: u32, size: u32) -> usize {
    (0..size.min(of - size)).fold(1, |sets, k| sets * (of - k) as usize / (k + 1) as usize)
}

/// The tiles of one board size.
#[derive(Debug, Clone)]
pub(crate) struct Tiles {
    rectangles: Vec<Rectangle>,
}

impl Tiles {
    /// The tiles of board size `n`.
    pub(crate) fn new(n: u32) -> Self {
        let rectangles = Case::of(n)
            .iter()
            .flat_map(|&case| case.sizes(n / 2).map(move |size| Rectangle::new(n, case, size)))
            .collect();
        Self { rectangles }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.rectangles.iter().map(Rectangle::len).sum()
    }

    /// The tile of number `index`.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    pub(crate) fn get(&self, mut index: u64) -> Tile {
        for rectangle in &self.rectangles {
            if index < rectangle.len() {
                return rectangle.tile(index as usize);
            }
            index -= rectangle.len();
        }
        panic!("tile {index} past the end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials() {
        let row = |of| (0..=of).map(|size| binomial(of, size)).collect::<Vec<_>>();
        assert_eq!(row(0), [1]);
        assert_eq!(row(5), [1, 5, 10, 10, 5, 1]);
        assert_eq!(binomial(17, 8), 24310);
    }

    #[test]
    fn tiles_cover_each_rectangle_once() {
        for n in 4..=16 {
            let tiles = Tiles::new(n);
            let all: Vec<Tile> = (0..tiles.len()).map(|index| tiles.get(index)).collect();
            for (i, a) in all.iter().enumerate() {
                for b in &all[..i] {
                    let same = (a.case, a.size) == (b.case, b.size);
                    let apart =
                        |a: &Range<usize>, b: &Range<usize>| a.end <= b.start || b.end <= a.start;
                    assert!(!same || apart(&a.west, &b.west) || apart(&a.east, &b.east));
                }
            }
        }
    }
}
