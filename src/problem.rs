//! What is to be counted: a board of a size proven to be in range, and the squares that may hold
//! queens.
//!
//! Rows and columns are counted from 0 at the top left. Each row is a mask whose bit `c` is
//! column `c`, drawn here with column 0 on the left. A queen that is given beforehand leaves one
//! square in its row, and takes the squares that it attacks out of all other rows:
//!
//! ```text
//! n = 5, all squares      with_queen(1, 2)
//!      1 1 1 1 1             1 . . . 1
//!      1 1 1 1 1             . . 1 . .
//!      1 1 1 1 1             1 . . . 1
//!      1 1 1 1 1             . 1 . 1 .
//!      1 1 1 1 1             1 1 . 1 1
//! ```

use crate::error::Error;

/// The largest board: one row of it fills a `u32`.
pub const MAX_N: u32 = 32;

/// A board of 0 to [`MAX_N`] rows, with the squares of each row that may hold a queen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    n: u32,
    rows: [u32; MAX_N as usize],
    queens: Vec<(u32, u32)>,
    toroidal: bool,
}

impl Problem {
    /// The empty board of `n` rows and columns.
    ///
    /// # Errors
    /// [`Error::BoardTooLarge`] if `n` is above [`MAX_N`].
    pub fn new(n: u32) -> Result<Self, Error> {
        if n > MAX_N {
            return Err(Error::BoardTooLarge { n, max: MAX_N });
        }
        // For n = 32 the mask is all of the u32, which `(1 << n) - 1` cannot make.
        let all = u32::MAX.checked_shr(MAX_N - n).unwrap_or(0);
        let mut rows = [0; MAX_N as usize];
        rows[..n as usize].fill(all);
        Ok(Self { n, rows, queens: Vec::new(), toroidal: false })
    }

    /// The empty toroidal board of `n` rows and columns: its edges are joined, so a diagonal that
    /// leaves it on one side comes back on the other.
    ///
    /// # Errors
    /// [`Error::BoardTooLarge`] if `n` is above [`MAX_N`].
    pub fn toroidal(n: u32) -> Result<Self, Error> {
        Ok(Self { toroidal: true, ..Self::new(n)? })
    }

    /// The same problem for boards that hold a queen at `row`, `column` (both from 0).
    ///
    /// # Errors
    /// [`Error::OffBoard`] if there is no such square, [`Error::Attacked`] if a queen given
    /// before attacks it or stands on it, [`Error::Unsupported`] if the board is toroidal.
    pub fn with_queen(mut self, row: u32, column: u32) -> Result<Self, Error> {
        if self.toroidal {
            return Err(Error::Unsupported { what: "given queens on a toroidal board" });
        }
        let n = self.n;
        if row >= n || column >= n {
            let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
            return Err(Error::OffBoard { n, row, column });
        }
        let given = self.queens.iter().any(|&(other, _)| other == row);
        if given || !self.allows(row, column) {
            return Err(Error::Attacked { row: row + 1, column: column + 1 });
        }
        let queen = 1u32 << column;
        for other in 0..n {
            let distance = other.abs_diff(row);
            let attacked = queen
                | queen.checked_shl(distance).unwrap_or(0)
                | queen.checked_shr(distance).unwrap_or(0);
            self.rows[other as usize] &= if other == row { queen } else { !attacked };
        }
        self.queens.push((row, column));
        Ok(self)
    }

    /// Number of rows, and of columns.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The squares of each row that may hold a queen: `n` masks, bit `c` is column `c`.
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows[..self.n as usize]
    }

    /// The queens that every board must hold, as row and column from 0, in the order given.
    #[must_use]
    pub fn queens(&self) -> &[(u32, u32)] {
        &self.queens
    }

    /// Whether the board is toroidal: its edges are joined.
    #[must_use]
    pub fn is_toroidal(&self) -> bool {
        self.toroidal
    }

    /// Whether a queen may stand at `row`, `column`; false outside the board.
    #[must_use]
    pub fn allows(&self, row: u32, column: u32) -> bool {
        let mask = self.rows().get(row as usize).copied().unwrap_or(0);
        mask.checked_shr(column).unwrap_or(0) & 1 == 1
    }

    /// Whether the mirror image (left to right) of every board that counts also counts.
    #[must_use]
    pub fn is_mirror_symmetric(&self) -> bool {
        self.queens.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_at_both_ends_of_the_range() {
        assert!(Problem::new(0).unwrap().rows().is_empty());
        assert_eq!(Problem::new(1).unwrap().rows(), [1]);
        assert_eq!(Problem::new(31).unwrap().rows(), [u32::MAX >> 1; 31]);
        assert_eq!(Problem::new(32).unwrap().rows(), [u32::MAX; 32]);
        for n in [33, 64, 1000, u32::MAX] {
            assert_eq!(Problem::new(n), Err(Error::BoardTooLarge { n, max: MAX_N }));
        }
    }

    #[test]
    fn a_given_queen_leaves_the_squares_that_it_does_not_attack() {
        for n in [1, 2, 5, 8, 32] {
            for (row, column) in [(0, 0), (n / 2, n / 3), (n - 1, n - 1), (0, n - 1)] {
                let problem = Problem::new(n).unwrap().with_queen(row, column).unwrap();
                for (r, c) in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))) {
                    let attacked = r == row || c == column || r.abs_diff(row) == c.abs_diff(column);
                    assert_eq!(problem.allows(r, c), !attacked || (r, c) == (row, column));
                }
            }
        }
    }

    #[test]
    fn queens_that_cannot_stand_are_refused() {
        let problem = Problem::new(8).unwrap().with_queen(2, 3).unwrap();
        let attacked = Err(Error::Attacked { row: 1, column: 2 });
        assert_eq!(problem.clone().with_queen(0, 1), attacked);
        let same = Err(Error::Attacked { row: 3, column: 4 });
        assert_eq!(problem.clone().with_queen(2, 3), same);
        let off = Err(Error::OffBoard { n: 8, row: 9, column: 1 });
        assert_eq!(problem.clone().with_queen(8, 0), off);
        let far = Err(Error::OffBoard { n: 8, row: 1, column: 1 << 32 });
        assert_eq!(problem.with_queen(0, u32::MAX), far);
    }
}
