//! Boards up to symmetry: the classes into which turns and reflections gather all boards.
//!
//! Let Q be the number of all boards, P of those that a half turn leaves as they are, and R of those
//! that a quarter turn does (they are among the P). No reflection leaves a board of two or more rows
//! as it is, so the lemma of Burnside gives the number of classes, (Q + P + 2R) / 8, and the size of
//! a class is known from the symmetry of its boards:
//!
//! ```text
//! unchanged by       boards   class size   classes
//! a quarter turn     R            2        R / 2          A260318, "doubly centrosymmetric"
//! a half turn only   P - R        4        (P - R) / 4    A260319, "singly centrosymmetric"
//! nothing            Q - P        8        (Q - P) / 8    A260320
//!                    Q                     their sum      A002562, the fundamental boards
//! ```
//!
//! Boards of 0 and 1 rows are the exception: their one board is unchanged by reflections too, and
//! its class has size 1.
//!
//! The three quotients are whole numbers for true counts. That checks a count of Q, found in another
//! way than P and R, for one part in eight: an error that is a multiple of 8 stays hidden. It is a
//! check, not a proof.

use super::half_turn::half_turn_count;
use super::quarter_turn::quarter_turn_count;
use crate::error::Error;
use crate::execute::Stop;

/// Number of classes by size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Classes {
    /// Classes of one board: the empty board and the board of one square only.
    pub of_1: u64,
    /// Classes of two boards, unchanged by a quarter turn (OEIS A260318 for more than one row).
    pub of_2: u64,
    /// Classes of four boards, unchanged by a half turn only (OEIS A260319).
    pub of_4: u64,
    /// Classes of eight boards (OEIS A260320).
    pub of_8: u128,
}

impl Classes {
    /// The classes of the `solutions` boards of `n` rows.
    ///
    /// The symmetric boards are counted here: under a second up to `n` = 22, 3 times more for each
    /// row.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if a number of classes is no whole number: then `solutions` is wrong.
    /// [`Error::BoardTooLarge`] if `n` is above 32, [`Error::Stopped`].
    ///
    /// # Examples
    /// ```
    /// use nqueens::{Classes, Stop, count};
    ///
    /// let classes = Classes::of(8, count(8)?, &Stop::new())?;
    /// assert_eq!((classes.of_4, classes.of_8), (1, 11)); // 1 * 4 + 11 * 8 = 92
    /// assert_eq!(classes.fundamental(), 12);
    /// assert!(Classes::of(8, 93, &Stop::new()).is_err());
    /// # Ok::<(), nqueens::Error>(())
    /// ```
    pub fn of(n: u32, solutions: u128, stop: &Stop) -> Result<Self, Error> {
        let half_turn = half_turn_count(n, stop)?;
        let quarter_turn = quarter_turn_count(n, stop)?;
        Self::from_counts(n, solutions, half_turn, quarter_turn)
    }

    /// The classes, where the boards unchanged by a half turn and by a quarter turn are counted
    /// already.
    ///
    /// # Errors
    /// [`Error::Inconsistent`] if a number of classes is no whole number.
    pub fn from_counts(
        n: u32,
        solutions: u128,
        half_turn: u64,
        quarter_turn: u64,
    ) -> Result<Self, Error> {
        let inconsistent = Error::Inconsistent { n, solutions, half_turn, quarter_turn };
        if n <= 1 {
            let one = (solutions, half_turn, quarter_turn) == (1, 1, 1);
            let classes = Self { of_1: 1, of_2: 0, of_4: 0, of_8: 0 };
            return if one { Ok(classes) } else { Err(inconsistent) };
        }
        let classes = || {
            let singly = half_turn.checked_sub(quarter_turn)?;
            let asymmetric = solutions.checked_sub(half_turn.into())?;
            let whole = quarter_turn.is_multiple_of(2)
                && singly.is_multiple_of(4)
                && asymmetric.is_multiple_of(8);
            let (of_2, of_4, of_8) = (quarter_turn / 2, singly / 4, asymmetric / 8);
            whole.then_some(Self { of_1: 0, of_2, of_4, of_8 })
        };
        classes().ok_or(inconsistent)
    }

    /// Number of classes, which is that of fundamental boards (OEIS A002562).
    #[must_use]
    pub fn fundamental(&self) -> u128 {
        let symmetric = u128::from(self.of_1) + u128::from(self.of_2) + u128::from(self.of_4);
        symmetric.saturating_add(self.of_8)
    }

    /// Number of boards in all classes.
    #[must_use]
    pub fn solutions(&self) -> u128 {
        let symmetric =
            u128::from(self.of_1) + u128::from(self.of_2) * 2 + u128::from(self.of_4) * 4;
        symmetric.saturating_add(self.of_8.saturating_mul(8))
    }
}
