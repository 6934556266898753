//! Counts that are known, with their source. They check a count; they never produce one.

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
