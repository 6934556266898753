//! The eight images of a board: turns and reflections of the square.
//!
//! The smallest board that looks different from every side is `1 3 5 2 4`:
//!
//! ```text
//! Identity      QuarterTurn   HalfTurn      ThreeQuarterTurn
//! Q . . . .     . . . . Q     . Q . . .     . . Q . .
//! . . Q . .     . Q . . .     . . . Q .     . . . . Q
//! . . . . Q     . . . Q .     Q . . . .     . Q . . .      (clockwise)
//! . Q . . .     Q . . . .     . . Q . .     . . . Q .
//! . . . Q .     . . Q . .     . . . . Q     Q . . . .
//!
//! MirrorColumns MirrorRows    Transpose     AntiTranspose
//! . . . . Q     . . . Q .     Q . . . .     . . Q . .
//! . . Q . .     . Q . . .     . . . Q .     Q . . . .
//! Q . . . .     . . . . Q     . Q . . .     . . . Q .
//! . . . Q .     . . Q . .     . . . . Q     . Q . . .
//! . Q . . .     Q . . . .     . . Q . .     . . . . Q
//! ```
//!
//! Images of a board are boards, since rows, columns and diagonals go to rows, columns and
//! diagonals. The different images of a board are its *orbit*; the smallest of them in lexicographic
//! order is the *fundamental* board that stands for all. On boards of two or more rows no
//! reflection leaves a board as it is (two queens would share a row, a column or a diagonal with
//! their images), so the orbit has 8 boards, 4 if a half turn leaves the board as it is, and 2 if a
//! quarter turn does.

use super::board::Board;

/// A turn or reflection of the square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// A quarter turn clockwise: the first row becomes the last column.
    QuarterTurn,
    /// A half turn: the first row becomes the last, backwards.
    HalfTurn,
    /// A quarter turn counterclockwise: the first row becomes the first column, backwards.
    ThreeQuarterTurn,
    /// Left and right change sides.
    MirrorColumns,
    /// Top and bottom change sides.
    MirrorRows,
    /// Rows become columns: the reflection at the main diagonal.
    Transpose,
    /// The reflection at the other diagonal.
    AntiTranspose,
}

impl Symmetry {
    /// All eight; the four turns first.
    pub const ALL: &'static [Self] = &Self::EIGHT;

    const EIGHT: [Self; 8] = [
        Self::Identity,
        Self::QuarterTurn,
        Self::HalfTurn,
        Self::ThreeQuarterTurn,
        Self::MirrorColumns,
        Self::MirrorRows,
        Self::Transpose,
        Self::AntiTranspose,
    ];

    /// The square, as row and column, to which `row`, `column` of a board of `n` rows moves; `None` if
    /// there is no such square.
    #[must_use]
    pub fn square(self, n: u32, row: u32, column: u32) -> Option<(u32, u32)> {
        let from_bottom = n.checked_sub(row)?.checked_sub(1)?;
        let from_right = n.checked_sub(column)?.checked_sub(1)?;
        Some(match self {
            Self::Identity => (row, column),
            Self::QuarterTurn => (column, from_bottom),
            Self::HalfTurn => (from_bottom, from_right),
            Self::ThreeQuarterTurn => (from_right, row),
            Self::MirrorColumns => (row, from_right),
            Self::MirrorRows => (from_bottom, column),
            Self::Transpose => (column, row),
            Self::AntiTranspose => (from_right, from_bottom),
        })
    }
}

impl Board {
    /// The image of this board. O(n).
    ///
    /// # Examples
    /// ```
    /// use nqueens::{Board, Symmetry};
    ///
    /// let board = Board::from_columns([0, 2, 4, 1, 3])?;
    /// assert_eq!(board.image(Symmetry::QuarterTurn).to_string(), "5 2 4 1 3");
    /// # Ok::<(), nqueens::Flaw>(())
    /// ```
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Self {
        let mut columns = vec![0; self.columns().len()];
        for (row, &column) in (0..).zip(self.columns()) {
            let image = symmetry.square(self.n(), row, column);
            let (row, column) = image.expect("the queens of a board stand on it");
            columns[row as usize] = column;
        }
        Self::proven(columns.into())
    }

    /// Its images in the order of [`Symmetry::ALL`], equal ones repeated. O(n).
    #[must_use]
    pub fn images(&self) -> [Self; 8] {
        Symmetry::EIGHT.map(|symmetry| self.image(symmetry))
    }

    /// The smallest of its images: the same for the whole orbit. O(n).
    #[must_use]
    pub fn fundamental(&self) -> Self {
        self.images().into_iter().min().expect("there are eight")
    }

    /// Number of different images: 1, 2, 4 or 8. O(n).
    #[must_use]
    pub fn orbit_size(&self) -> u32 {
        let mut images = self.images().to_vec();
        images.sort();
        images.dedup();
        images.len() as u32
    }
}

/// Whether a board of at most 64 rows is the smallest of its images; as [`Board::fundamental`],
/// without building them. Most boards are refused after a few queens.
pub(super) fn is_fundamental(columns: &[u8]) -> bool {
    let n = columns.len();
    let mut rows = [0; 64];
    (0..).zip(columns).for_each(|(row, &column)| rows[usize::from(column)] = row);
    let rows = &rows[..n];
    let flip = |line: u8| n as u8 - 1 - line;
    let smallest = |image: &dyn Fn(usize) -> u8| {
        let different = (0..n).map(|row| (columns[row], image(row))).find(|(own, its)| own != its);
        different.is_none_or(|(own, its)| own < its)
    };
    smallest(&|row| flip(columns[row]))
        && smallest(&|row| columns[n - 1 - row])
        && smallest(&|row| flip(columns[n - 1 - row]))
        && smallest(&|row| rows[row])
        && smallest(&|row| flip(rows[row]))
        && smallest(&|row| rows[n - 1 - row])
        && smallest(&|row| flip(rows[n - 1 - row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(columns: &[u32]) -> Board {
        Board::from_columns(columns).unwrap()
    }

    #[test]
    fn the_drawn_images() {
        let images = board(&[0, 2, 4, 1, 3]).images().map(|image| image.to_string());
        let drawn = [
            "1 3 5 2 4",
            "5 2 4 1 3",
            "2 4 1 3 5",
            "3 5 2 4 1",
            "5 3 1 4 2",
            "4 2 5 3 1",
            "1 4 2 5 3",
            "3 1 4 2 5",
        ];
        assert_eq!(images, drawn);
    }

    #[test]
    fn orbits() {
        let sizes = [(&[][..], 1), (&[0], 1), (&[1, 3, 0, 2], 2), (&[1, 3, 5, 0, 2, 4], 4)];
        for (columns, size) in sizes {
            assert_eq!(board(columns).orbit_size(), size);
        }
        assert_eq!(board(&[0, 2, 4, 1, 3]).orbit_size(), 8);
        assert_eq!(board(&[2, 4, 1, 7, 0, 6, 3, 5]).orbit_size(), 4, "the symmetric one of n = 8");
    }
}
