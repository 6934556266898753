//! Counts that are known, with their source. They check a count; they never produce one.

use crate::error::Error;
use crate::problem::Problem;

/// OEIS A000170 (<https://oeis.org/A000170>): solutions for boards of 0 to 27 rows.
///
/// The value for 24 was once published as 226732487925864 (A140393), short by 182 * 2^32; this is
/// the right one. No value is published for 28 or above.
const SOLUTIONS: [u64; 28] = [
    1,
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2680,
    14200,
    73712,
    365596,
    2279184,
    14772512,
    95815104,
    666090624,
    4968057848,
    39029188884,
    314666222712,
    2691008701644,
    24233937684440,
    227514171973736,
    2207893435808352,
    22317699616364044,
    234907967154122528,
];

/// The published number of solutions for a board of `n` rows, or `None` where none is published.
///
/// ```
/// assert_eq!(nqueens::known::solutions(8), Some(92));
/// assert_eq!(nqueens::known::solutions(28), None);
/// ```
#[must_use]
pub fn solutions(n: u32) -> Option<u64> {
    SOLUTIONS.get(usize::try_from(n).ok()?).copied()
}

/// OEIS A051906 (<https://oeis.org/A051906>): solutions for toroidal boards, board size and number, where there
/// are any, up to 34 rows.
const TOROIDAL: [(u32, u64); 12] = [
    (0, 1),
    (1, 1),
    (5, 10),
    (7, 28),
    (11, 88),
    (13, 4524),
    (17, 140692),
    (19, 820496),
    (23, 128850048),
    (25, 1957725000),
    (29, 605917055356),
    (31, 13404947681712),
];

/// The published number of solutions for the toroidal board of `n` rows, or `None` where none is
/// published.
///
/// ```
/// assert_eq!(nqueens::known::toroidal(13), Some(4524));
/// assert_eq!(nqueens::known::toroidal(14), Some(0));
/// assert_eq!(nqueens::known::toroidal(35), None);
/// ```
#[must_use]
pub fn toroidal(n: u32) -> Option<u64> {
    let found = TOROIDAL.iter().find(|(board, _)| *board == n);
    (n <= 34).then(|| found.map_or(0, |(_, solutions)| *solutions))
}

/// What published values say of a right count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Known {
    /// It equals the published one.
    Equal {
        /// Where that is published: the number of an OEIS sequence.
        sequence: &'static str,
    },
    /// No value is published for boards of this size.
    Unpublished,
    /// Values are not published for such boards: those with given queens.
    Incomparable,
}

/// The published number of solutions of `problem`, and the OEIS sequence that has it.
///
/// ```
/// use nqueens::{Problem, known};
///
/// assert_eq!(known::of(&Problem::new(8)?), Some((92, "A000170")));
/// assert_eq!(known::of(&Problem::new(8)?.with_queen(0, 0)?), None);
/// # Ok::<(), nqueens::Error>(())
/// ```
#[must_use]
pub fn of(problem: &Problem) -> Option<(u64, &'static str)> {
    match problem.n() {
        _ if !problem.queens().is_empty() => None,
        n if problem.is_toroidal() => Some((toroidal(n)?, "A051906")),
        n => Some((solutions(n)?, "A000170")),
    }
}

/// Doubts a count: compares the number of `solutions` of `problem` with the published one.
///
/// # Errors
/// [`Error::NotAsPublished`] if they differ.
///
/// # Examples
/// ```
/// use nqueens::{Problem, known, known::Known};
///
/// let problem = Problem::new(8)?;
/// assert_eq!(known::check(&problem, 92)?, Known::Equal { sequence: "A000170" });
/// assert!(known::check(&problem, 93).is_err());
/// # Ok::<(), nqueens::Error>(())
/// ```
pub fn check(problem: &Problem, solutions: u128) -> Result<Known, Error> {
    match of(problem) {
        Some((known, sequence)) if u128::from(known) == solutions => Ok(Known::Equal { sequence }),
        Some((known, sequence)) => {
            Err(Error::NotAsPublished { n: problem.n(), counted: solutions, known, sequence })
        }
        None if problem.queens().is_empty() => Ok(Known::Unpublished),
        None => Ok(Known::Incomparable),
    }
}
