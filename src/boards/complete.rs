//! Completes given queens to a board, or proves that it cannot be done.
//!
//! Every row and every column must get a queen, so the next one goes into the row or column with
//! the fewest free squares, wherever that is: one without any ends the branch at once, and one with
//! a single square is no choice at all. Of equal lines the one nearest to the middle is taken, and of
//! its squares first the one that attacks the fewest free squares.
//!
//! ```text
//! . . Q . .      with a queen in column 3 of the first row, rows 2 and 3 and columns 1, 2, 4 and 5
//! 1 . . . 5      have fewer free squares than the rest; row 3 is nearest to the middle, and so
//! . 2 . 4 .      column 2 or 4 of it comes next
//! 1 2 . 4 5
//! 1 2 . 4 5
//! ```
//!
//! A wrong choice far up can cost more than any search repairs, so an attempt that has placed 2`n`
//! queens is given up, and the next one takes another line for the middle and may place twice as
//! many. An attempt that ends before is the proof that there is no completion.
//!
//! Unlike the search row by row, which from `n` = 34 on may take hours, this finds boards of hundreds
//! of rows almost without turning back, but not the lexicographically first one. With one given
//! queen, of 12 boards each for `n` = 40 to 600, 102 of 108 were found at the first attempt, most of
//! them with `n` queens placed, the rest at the second or third. With the squares from left to right
//! instead, all searches went on for more than 20 000 queens from `n` = 150 on.
//!
//! Deciding whether a completion exists is NP-complete (I. P. Gent, C. Jefferson, P. Nightingale,
//! "Complexity of n-Queens Completion", JAIR 59, 2017), so hard inputs take exponential time.
//! Time: O(n²) per queen placed; about 1 s at `n` = 500, 15 s at 1000. Memory: O(n).

use super::board::Board;
use crate::builder::setting;
use crate::error::Error;
use crate::execute::Stop;

/// The largest board that [`Complete`] fills.
pub const MAX_COMPLETED: u32 = 1000;

/// A search for a board that holds given queens. Each setting has a default; [`run`](Self::run)
/// searches.
///
/// # Examples
/// ```
/// use nqueens::Complete;
///
/// let board = Complete::new(100)?.queens(&[(0, 2), (57, 57)])?.run()?.expect("there is one");
/// assert!(board.has_queen(0, 2) && board.has_queen(57, 57));
/// // No board of 6 has a queen in a corner.
/// assert_eq!(Complete::new(6)?.queens(&[(0, 0)])?.run()?, None);
/// # Ok::<(), nqueens::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is searched before `run`"]
pub struct Complete {
    partial: Partial,
    stop: Stop,
}

impl Complete {
    /// A search for a board of `n` rows.
    ///
    /// # Errors
    /// [`Error::AboveLimit`] if `n` is above [`MAX_COMPLETED`].
    pub fn new(n: u32) -> Result<Self, Error> {
        if n > MAX_COMPLETED {
            return Err(Error::AboveLimit { what: "a completion", n, max: MAX_COMPLETED });
        }
        Ok(Self { partial: Partial::new(n as usize), stop: Stop::new() })
    }

    /// The board must hold all of `queens`, given as row and column from 0, besides those given
    /// before.
    ///
    /// # Errors
    /// [`Error::OffBoard`], [`Error::Attacked`].
    pub fn queens(mut self, queens: &[(u32, u32)]) -> Result<Self, Error> {
        let n = self.partial.queens.len() as u32;
        for &(row, column) in queens {
            if row >= n || column >= n {
                let (row, column) = (u64::from(row) + 1, u64::from(column) + 1);
                return Err(Error::OffBoard { n, row, column });
            }
            if !self.partial.is_free(row as usize, column as usize) {
                return Err(Error::Attacked { row: row + 1, column: column + 1 });
            }
            self.partial.place(row as usize, column as usize);
        }
        Ok(self)
    }

    setting!(stop);

    /// A board that holds the queens, or `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Stopped`].
    pub fn run(self) -> Result<Option<Board>, Error> {
        let Self { mut partial, stop } = self;
        let n = partial.queens.len();
        for attempt in 0.. {
            partial.middle = (n / 2 + attempt * (n / 5 + 1)) % n.max(1);
            partial.allowed = (2 * n as u64).saturating_mul(1 << attempt.min(32));
            match partial.search(&stop)? {
                Attempt::Found => {
                    let columns = partial.queens.iter().flatten().copied().collect();
                    return Ok(Some(Board::proven(columns)));
                }
                Attempt::Impossible => return Ok(None),
                Attempt::GivenUp => {}
            }
        }
        unreachable!("attempts end when the search does")
    }
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Found,
    /// Everything was tried.
    Impossible,
    /// More queens would have been placed than allowed.
    GivenUp,
}

/// A board with queens in some rows.
#[derive(Debug, Clone)]
struct Partial {
    /// The column of the queen of each row.
    queens: Vec<Option<u32>>,
    columns: Vec<bool>,
    sums: Vec<bool>,
    differences: Vec<bool>,
    /// The line that is preferred to equal ones.
    middle: usize,
    /// Queens that may still be placed in this attempt.
    allowed: u64,
}

impl Partial {
    fn new(n: usize) -> Self {
        Self {
            queens: vec![None; n],
            columns: vec![false; n],
            sums: vec![false; 2 * n],
            differences: vec![false; 2 * n],
            middle: 0,
            allowed: 0,
        }
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        let n = self.columns.len();
        let taken =
            self.columns[column] || self.sums[row + column] || self.differences[row + n - column];
        self.queens[row].is_none() && !taken
    }

    fn place(&mut self, row: usize, column: usize) {
        self.queens[row] = Some(column as u32);
        self.mark(row, column, true);
    }

    fn remove(&mut self, row: usize, column: usize) {
        self.queens[row] = None;
        self.mark(row, column, false);
    }

    fn mark(&mut self, row: usize, column: usize, taken: bool) {
        let n = self.columns.len();
        self.columns[column] = taken;
        self.sums[row + column] = taken;
        self.differences[row + n - column] = taken;
    }

    /// Fills the rows that are open; changes nothing if that cannot be done.
    fn search(&mut self, stop: &Stop) -> Result<Attempt, Error> {
        let Some(squares) = self.tightest_line() else { return Ok(Attempt::Found) };
        if stop.is_requested() {
            return Err(Error::Stopped);
        }
        for (row, column) in squares {
            let Some(allowed) = self.allowed.checked_sub(1) else { return Ok(Attempt::GivenUp) };
            self.allowed = allowed;
            self.place(row, column);
            let attempt = self.search(stop)?;
            if attempt == Attempt::Found {
                return Ok(attempt);
            }
            self.remove(row, column);
            if attempt == Attempt::GivenUp {
                return Ok(attempt);
            }
        }
        Ok(Attempt::Impossible)
    }

    /// The free squares of the row or column that has the fewest of them, in the order in which they
    /// are to be tried; `None` if all rows are filled.
    fn tightest_line(&self) -> Option<Vec<(usize, usize)>> {
        let n = self.queens.len();
        let (mut in_row, mut in_column) = (vec![0; n], vec![0; n]);
        for (row, _) in self.queens.iter().enumerate().filter(|(_, queen)| queen.is_none()) {
            for column in (0..n).filter(|&column| self.is_free(row, column)) {
                in_row[row] += 1;
                in_column[column] += 1;
            }
        }
        let order = |counts: &[usize], line: usize| (counts[line], line.abs_diff(self.middle));
        let rows = (0..n).filter(|&row| self.queens[row].is_none());
        let columns = (0..n).filter(|&column| !self.columns[column]);
        let row = rows.min_by_key(|&row| order(&in_row, row))?;
        let column = columns.min_by_key(|&column| order(&in_column, column))?;
        let line = (0..n).map(|line| match in_column[column] < in_row[row] {
            true => (line, column),
            false => (row, line),
        });
        let mut squares: Vec<_> = line.filter(|&(row, column)| self.is_free(row, column)).collect();
        squares.sort_by_cached_key(|&(row, column)| self.attacked(row, column));
        Some(squares)
    }

    /// Number of free squares outside its row that a queen at `row`, `column` attacks.
    fn attacked(&self, row: usize, column: usize) -> usize {
        let free = |other: usize, column: usize| {
            usize::from(column < self.columns.len() && self.is_free(other, column))
        };
        let others = (0..self.queens.len()).filter(|&other| other != row);
        others
            .map(|other| {
                let distance = other.abs_diff(row);
                free(other, column)
                    + free(other, column + distance)
                    + free(other, column.wrapping_sub(distance))
            })
            .sum()
    }
}
