//! One board of any size at once, without a search.
//!
//! The constructions of Hoffman, Loessl and Moore, for even `n`. Both walk in knight's moves and
//! leave the main diagonal free, so a queen in a new last corner makes an odd board of an even one
//! (E. Pauls had shown in 1874 that all `n` > 3 have a board):
//!
//! ```text
//! n = 6, first          n = 8, second            n = 7: 6 and a corner
//!  . Q . . . .          . . . Q . . . .          . Q . . . . .
//!  . . . Q . .          . . . . . Q . .          . . . Q . . .
//!  . . . . . Q          . . . . . . . Q          . . . . . Q .
//!  Q . . . . .          . Q . . . . . .          Q . . . . . .
//!  . . Q . . .          . . . . . . Q .          . . Q . . . .
//!  . . . . Q .          Q . . . . . . .          . . . . Q . .
//!                       . . Q . . . . .          . . . . . . Q
//!                       . . . . Q . . .
//! ```
//!
//! - first, where `n mod 6` is 0 or 4: the upper half takes every second column from the second
//!   on, the lower half the others;
//! - second, where `n mod 6` is 2: the upper half takes every second column from `n / 2 - 1` on (from
//!   0), wrapping round, and the lower half is its half-turn.
//!
//! Every board is checked before it is returned. Time: O(n). Memory: 4 bytes per row, and 6 bits
//! for the check.
//!
//! Source: E. J. Hoffman, J. C. Loessl, R. C. Moore, "Constructions for the Solution of the m Queens
//! Problem", Mathematics Magazine 42 (1969), 66-72.

use super::board::Board;
use crate::error::Error;

/// The largest board that [`construct`] makes.
pub const MAX_CONSTRUCTED: u32 = 10_000_000;

/// A board of `n` rows, or `None` for 2 and 3, which have none. O(n): ten million rows take well
/// under a second.
///
/// # Errors
/// [`Error::AboveLimit`] if `n` is above [`MAX_CONSTRUCTED`].
///
/// # Examples
/// ```
/// let board = nqueens::construct(1_000_000)?.expect("all boards above 3 have solutions");
/// assert_eq!(board.n(), 1_000_000);
/// assert_eq!(nqueens::construct(3)?, None);
/// # Ok::<(), nqueens::Error>(())
/// ```
pub fn construct(n: u32) -> Result<Option<Board>, Error> {
    if n > MAX_CONSTRUCTED {
        return Err(Error::AboveLimit { what: "a constructed board", n, max: MAX_CONSTRUCTED });
    }
    if n == 2 || n == 3 {
        return Ok(None);
    }
    let even = n & !1;
    let mut columns: Vec<u32> = match even % 6 {
        2 => (0..even).map(|row| second(even, row)).collect(),
        _ => (0..even).map(|row| first(even, row)).collect(),
    };
    columns.extend(even..n);
    let board = Board::from_columns(columns).expect("the constructions are proven");
    Ok(Some(board))
}

/// Column of `row` in the first construction: 1, 3, 5, … then 0, 2, 4, …
fn first(n: u32, row: u32) -> u32 {
    (2 * row + 1) % (n + 1)
}

/// Column of `row` in the second construction.
fn second(n: u32, row: u32) -> u32 {
    if row < n / 2 { (n / 2 - 1 + 2 * row) % n } else { n - 1 - second(n, n - 1 - row) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_residue_and_the_drawn_boards() {
        for n in (0..1000).chain(99_990..100_010) {
            let board = construct(n).unwrap();
            assert_eq!(board.as_ref().map(Board::n), (n != 2 && n != 3).then_some(n));
        }
        let drawn = |n| construct(n).unwrap().unwrap().to_string();
        assert_eq!(drawn(6), "2 4 6 1 3 5");
        assert_eq!(drawn(7), "2 4 6 1 3 5 7");
        assert_eq!(drawn(8), "4 6 8 2 7 1 3 5");
    }

    #[test]
    fn the_largest_board_and_the_next() {
        assert_eq!(construct(MAX_CONSTRUCTED).unwrap().unwrap().n(), MAX_CONSTRUCTED);
        assert!(construct(MAX_CONSTRUCTED + 1).is_err());
        assert!(construct(u32::MAX).is_err());
    }
}
