//! The lexicographically first board of a size.
//!
//! The boards of OEIS A141843. The plain search needs most of its time for even boards: 56 million
//! queens are placed for `n` = 30, 150 million for 33, and OEIS A140450 tells how many squares it
//! looks at. Time: about 10 ns per queen placed. Memory: 2 KiB.

use super::board::Board;
use super::search::{MAX_SEARCHED, Search, Step, all_squares};
use crate::error::Error;
use crate::execute::Stop;

/// Queens placed between two looks at the stop flag: some 50 ms.
const PAUSE: u64 = 1 << 22;

/// The lexicographically first board of `n` rows, or `None` for 2 and 3, which have none.
///
/// A second or two for `n` up to 33; above, and up to 64, nobody knows how long. `progress` is told
/// now and then how many queens were placed.
///
/// # Errors
/// [`Error::AboveLimit`] if `n` is above 64, [`Error::Stopped`] if `stop` was requested.
///
/// # Examples
/// ```
/// let board = nqueens::first_board(8, &nqueens::Stop::new(), |_| {})?;
/// assert_eq!(board.unwrap().to_string(), "1 5 8 6 3 7 2 4");
/// # Ok::<(), nqueens::Error>(())
/// ```
pub fn first_board(
    n: u32,
    stop: &Stop,
    mut progress: impl FnMut(u64),
) -> Result<Option<Board>, Error> {
    if n > MAX_SEARCHED {
        return Err(Error::AboveLimit { what: "the first board", n, max: MAX_SEARCHED });
    }
    let mut search = Search::new(&all_squares(n), n as usize);
    loop {
        match search.advance(PAUSE) {
            Step::Found => {
                let columns = search.columns().iter().map(|&column| column.into()).collect();
                return Ok(Some(Board::proven(columns)));
            }
            Step::Done => return Ok(None),
            Step::Paused if stop.is_requested() => return Err(Error::Stopped),
            Step::Paused => progress(search.nodes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_and_limits() {
        let stop = Stop::new();
        let stopped = first_board(32, &stop, |placed| {
            assert_eq!(placed, PAUSE);
            stop.request();
        });
        assert_eq!(stopped, Err(Error::Stopped));
        assert!(matches!(first_board(65, &stop, |_| {}), Err(Error::AboveLimit { .. })));
    }
}
