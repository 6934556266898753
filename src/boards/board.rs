//! A board that is a solution: one queen per row, none attacking another.
//!
//! ```text
//! columns = [1, 3, 0, 2]      . Q . .
//!                             . . . Q
//!                             Q . . .
//!                             . . Q .
//! ```
//!
//! Invariant: the columns passed [`check`](crate::check), or come from a search that places queens
//! on free squares only. So whoever holds a `Board` holds a solution.
//! Memory: 4 bytes per row.

use std::fmt;

use super::check::{Flaw, check, check_columns};

/// A solution of the board of [`n`](Self::n) rows. Boards are ordered lexicographically.
///
/// # Examples
/// ```
/// use nqueens::Board;
///
/// let board = Board::from_columns([1, 3, 0, 2])?;
/// assert_eq!(board.to_string(), "2 4 1 3"); // people count from 1
/// assert!(Board::from_columns([0, 1, 2, 3]).is_err());
/// # Ok::<(), nqueens::Flaw>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    columns: Box<[u32]>,
}

impl Board {
    /// The board with a queen in column `columns[row]` (from 0) of each row. O(n).
    ///
    /// # Errors
    /// The first [`Flaw`] if that is no solution.
    pub fn from_columns(columns: impl Into<Box<[u32]>>) -> Result<Self, Flaw> {
        let columns = columns.into();
        let n = u32::try_from(columns.len()).unwrap_or(u32::MAX);
        check_columns(n, &columns)?;
        Ok(Self { columns })
    }

    /// The board of `n` rows with queens on the squares `queens`, given as row and column from 0
    /// in any order. O(n).
    ///
    /// # Errors
    /// The first [`Flaw`] if that is no solution.
    pub fn from_queens(n: u32, queens: &[(u32, u32)]) -> Result<Self, Flaw> {
        check(n, queens)?;
        let mut columns = vec![0; queens.len()];
        queens.iter().for_each(|&(row, column)| columns[row as usize] = column);
        Ok(Self { columns: columns.into() })
    }

    /// The board of columns that are known to be a solution.
    pub(super) fn proven(columns: Box<[u32]>) -> Self {
        debug_assert_eq!(check_columns(columns.len() as u32, &columns), Ok(()));
        Self { columns }
    }

    /// Number of rows.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.columns.len() as u32
    }

    /// The column of the queen of each row, from 0.
    #[must_use]
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Whether a queen stands at `row`, `column` (both from 0).
    #[must_use]
    pub fn has_queen(&self, row: u32, column: u32) -> bool {
        self.columns.get(row as usize) == Some(&column)
    }
}

/// The columns of all rows, from 1: `2 4 1 3`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, column) in self.columns.iter().enumerate() {
            let space = if row == 0 { "" } else { " " };
            write!(f, "{space}{}", u64::from(*column) + 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_boards() {
        let empty = Board::from_columns([]).unwrap();
        assert_eq!((empty.n(), empty.to_string().as_str()), (0, ""));
        let one = Board::from_columns([0]).unwrap();
        assert_eq!((one.n(), one.to_string().as_str()), (1, "1"));
        assert!(one.has_queen(0, 0) && !one.has_queen(1, 0));
        assert!(Board::from_columns([0, 1]).is_err());
    }

    #[test]
    fn queens_in_any_order() {
        let board = Board::from_queens(4, &[(3, 2), (0, 1), (2, 0), (1, 3)]).unwrap();
        assert_eq!(board.columns(), [1, 3, 0, 2]);
        assert!(Board::from_queens(4, &[(3, 2), (0, 1), (2, 0), (1, 2)]).is_err());
        assert!(Board::from_queens(5, &[(3, 2), (0, 1), (2, 0), (1, 3)]).is_err());
    }
}
