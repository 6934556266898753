//! Says whether queens on given squares are a solution, and if not, why: the first reason met.
//!
//! Each queen uses a row, a column, and two diagonals, numbered by the sum and the difference of
//! row and column. A queen that wants a line which is taken is the flaw, and the earlier queen on
//! that line is its partner:
//!
//! ```text
//!   1 2 3 4           row  column  sum  difference + 4
//!   Q . . .            1     1      2        4
//!   . . Q .            2     3      5        3
//!   . Q . .            3     2      5 ← taken by row 2: "rows 2 and 3 share a diagonal"
//!   . . . Q
//! ```
//!
//! Nothing here is shared with the searches or the constructions, so that it can judge them.
//! Time: O(n). Memory: one bit per line, 6`n` bits.

/// Why queens are not a solution. Rows and columns are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// Text that is no list of queens.
    #[error("not readable: {reason}")]
    Unreadable {
        /// What could not be read.
        reason: String,
    },
    /// Not as many queens as rows.
    #[error("wrong length: {queens} {} instead of {n}", if *.queens == 1 { "queen" } else { "queens" })]
    WrongLength {
        /// Number of queens given.
        queens: usize,
        /// Number of rows.
        n: u32,
    },
    /// A queen outside the board.
    #[error(
        "out of range: the queen of row {row} in column {column} is not on the board of {n} x {n}"
    )]
    OutOfRange {
        /// Row of the queen.
        row: u64,
        /// Column of the queen.
        column: u64,
        /// Number of rows, and of columns.
        n: u32,
    },
    /// Two queens in a row.
    #[error("same row: row {row} holds two queens, in columns {first} and {second}")]
    SameRow {
        /// The row.
        row: u64,
        /// Column of the queen named first.
        first: u64,
        /// Column of the other.
        second: u64,
    },
    /// Two queens in a column.
    #[error("same column: rows {first} and {second}, column {column}")]
    SameColumn {
        /// Row of the queen named first.
        first: u64,
        /// Row of the other.
        second: u64,
        /// The column.
        column: u64,
    },
    /// Two queens on a diagonal.
    #[error("same diagonal: rows {first} and {second}")]
    SameDiagonal {
        /// Row of the queen named first.
        first: u64,
        /// Row of the other.
        second: u64,
    },
}

/// Whether `queens`, given as row and column from 0, are a solution for the board of `n` rows; they
/// may stand in any order.
///
/// # Errors
/// The first flaw: a wrong number of queens before all others, then the first queen that is off the
/// board or meets an earlier one; the earliest of these is named.
///
/// # Examples
/// ```
/// use nqueens::check;
///
/// assert_eq!(check(4, &[(0, 1), (1, 3), (2, 0), (3, 2)]), Ok(()));
/// let flaw = check(4, &[(0, 0), (1, 2), (2, 1), (3, 3)]).unwrap_err();
/// assert_eq!(flaw.to_string(), "same diagonal: rows 2 and 3");
/// ```
pub fn check(n: u32, queens: &[(u32, u32)]) -> Result<(), Flaw> {
    check_queens(n, queens.len(), |index| {
        let (row, column) = queens[index];
        (u64::from(row) + 1, u64::from(column) + 1)
    })
}

/// The same for one queen per row: `columns[row]`.
pub(super) fn check_columns(n: u32, columns: &[u32]) -> Result<(), Flaw> {
    check_queens(n, columns.len(), |row| (row as u64 + 1, u64::from(columns[row]) + 1))
}

/// The same for rows and columns from 1; zero is off the board.
pub(super) fn check_queens(
    n: u32,
    len: usize,
    queen: impl Fn(usize) -> (u64, u64),
) -> Result<(), Flaw> {
    if len != n as usize {
        return Err(Flaw::WrongLength { queens: len, n });
    }
    let on_board = 1..=u64::from(n);
    let mut lines = Lines::new(n);
    for index in 0..len {
        let (row, column) = queen(index);
        if !on_board.contains(&row) || !on_board.contains(&column) {
            return Err(Flaw::OutOfRange { row, column, n });
        }
        if !lines.take(row, column) {
            let partner = (0..index).map(queen).find_map(|other| conflict(other, (row, column)));
            return Err(partner.expect("a line is taken by an earlier queen"));
        }
    }
    Ok(())
}

/// The line that two queens share, if any.
fn conflict(first: (u64, u64), second: (u64, u64)) -> Option<Flaw> {
    let ((first_row, first_column), (second_row, second_column)) = (first, second);
    let rows = first_row.abs_diff(second_row);
    let columns = first_column.abs_diff(second_column);
    if rows == 0 {
        Some(Flaw::SameRow { row: first_row, first: first_column, second: second_column })
    } else if columns == 0 {
        Some(Flaw::SameColumn { first: first_row, second: second_row, column: first_column })
    } else if rows == columns {
        Some(Flaw::SameDiagonal { first: first_row, second: second_row })
    } else {
        None
    }
}

/// The lines that are taken.
struct Lines {
    n: usize,
    rows: Bits,
    columns: Bits,
    sums: Bits,
    differences: Bits,
}

/// A set of numbers, one bit each.
struct Bits(Vec<u64>);

impl Lines {
    fn new(n: u32) -> Self {
        let n = n as usize;
        Self {
            n,
            rows: Bits::new(n + 1),
            columns: Bits::new(n + 1),
            sums: Bits::new(2 * n + 1),
            differences: Bits::new(2 * n),
        }
    }

    /// Takes the four lines of a square; false if one was taken before.
    fn take(&mut self, row: u64, column: u64) -> bool {
        let (row, column) = (row as usize, column as usize);
        self.rows.insert(row)
            && self.columns.insert(column)
            && self.sums.insert(row + column)
            && self.differences.insert(row + self.n - column)
    }
}

impl Bits {
    fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    /// False if it was there before.
    fn insert(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64, 1 << (index % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether no pair of queens shares a line.
    fn is_solution(columns: &[u32]) -> bool {
        (0..columns.len()).all(|second| {
            (0..second).all(|first| {
                let distance = columns[first].abs_diff(columns[second]) as usize;
                distance != 0 && distance != second - first
            })
        })
    }

    #[test]
    fn every_list_of_columns_of_small_boards() {
        for n in 0..=6u32 {
            let mut solutions = 0;
            for index in 0..n.pow(n) {
                let columns: Vec<u32> = (0..n).map(|row| index / n.pow(row) % n).collect();
                let good = check_columns(n, &columns).is_ok();
                assert_eq!(good, is_solution(&columns), "{columns:?}");
                solutions += u32::from(good);
            }
            assert_eq!(solutions, [1, 1, 0, 0, 2, 10, 4][n as usize]);
        }
    }

    #[test]
    fn the_first_reason() {
        let say = |columns: &[u32]| check_columns(4, columns).unwrap_err().to_string();
        assert_eq!(say(&[1]), "wrong length: 1 queen instead of 4");
        assert_eq!(say(&[0, 1, 2, 3, 4]), "wrong length: 5 queens instead of 4");
        assert_eq!(say(&[0, 1, 2, 3]), "same diagonal: rows 1 and 2");
        assert_eq!(say(&[3, 1, 2, 0]), "same diagonal: rows 2 and 3");
        assert_eq!(say(&[1, 3, 0, 3]), "same column: rows 2 and 4, column 4");
        let off = "out of range: the queen of row 2 in column 5 is not on the board of 4 x 4";
        assert_eq!(say(&[0, 4, 0, 0]), off);
        assert_eq!(say(&[0, 0, 4, 0]), "same column: rows 1 and 2, column 1");
        let far = check_columns(1, &[u32::MAX]).unwrap_err();
        assert_eq!(far, Flaw::OutOfRange { row: 1, column: 1 << 32, n: 1 });
    }

    #[test]
    fn squares_in_any_order() {
        assert_eq!(check(4, &[(3, 2), (0, 1), (2, 0), (1, 3)]), Ok(()));
        let twice = check(4, &[(3, 2), (0, 1), (3, 0), (1, 3)]);
        assert_eq!(twice, Err(Flaw::SameRow { row: 4, first: 3, second: 1 }));
        let far = check(4, &[(9, 2), (0, 1), (3, 0), (1, 3)]);
        assert_eq!(far, Err(Flaw::OutOfRange { row: 10, column: 3, n: 4 }));
    }
}
