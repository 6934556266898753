//! The lexicographically first board of a size.
//!
//! The boards of OEIS A141843. The plain search needs most of its time for even boards: 56 million
//! queens are placed for `n` = 30, 150 million for 33, and OEIS A140450 tells how many squares it
//! looks at. Time: about 10 ns per queen placed. Memory: 2 KiB.

use std::fmt;

use super::board::Board;
use super::search::{MAX_SEARCHED, Search, Step, all_squares};
use crate::builder::setting;
use crate::error::Error;
use crate::execute::{Observer, Stop};

/// Queens placed between two looks at the stop flag: some 50 ms.
const PAUSE: u64 = 1 << 22;

/// A search for the lexicographically first board. Each setting has a default; [`run`](Self::run)
/// searches.
///
/// # Examples
/// ```
/// let board = nqueens::First::new(8)?.run()?;
/// assert_eq!(board.unwrap().to_string(), "1 5 8 6 3 7 2 4");
/// # Ok::<(), nqueens::Error>(())
/// ```
#[must_use = "nothing is searched before `run`"]
pub struct First<'a> {
    n: u32,
    observer: &'a dyn Observer,
    stop: Stop,
}

impl<'a> First<'a> {
    /// A search for the first board of `n` rows.
    ///
    /// # Errors
    /// [`Error::AboveLimit`] if `n` is above 64.
    pub fn new(n: u32) -> Result<Self, Error> {
        if n > MAX_SEARCHED {
            return Err(Error::AboveLimit { what: "the first board", n, max: MAX_SEARCHED });
        }
        Ok(Self { n, observer: &(), stop: Stop::new() })
    }

    setting!(observer, stop);

    /// The first board, or `None` for 2 and 3 rows, which have none.
    ///
    /// A second or two for `n` up to 33; above, and up to 64, nobody knows how long.
    ///
    /// # Errors
    /// [`Error::Stopped`].
    pub fn run(self) -> Result<Option<Board>, Error> {
        let mut search = Search::new(&all_squares(self.n), self.n as usize);
        loop {
            match search.advance(PAUSE) {
                Step::Found => {
                    let columns = search.columns().iter().map(|&column| column.into()).collect();
                    return Ok(Some(Board::proven(columns)));
                }
                Step::Done => return Ok(None),
                Step::Paused if self.stop.is_requested() => return Err(Error::Stopped),
                Step::Paused => self.observer.placed(search.nodes()),
            }
        }
    }
}

impl fmt::Debug for First<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("First").field("n", &self.n).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_and_limits() {
        struct StopAtOnce(Stop);
        impl Observer for StopAtOnce {
            fn placed(&self, queens: u64) {
                assert_eq!(queens, PAUSE);
                self.0.request();
            }
        }
        let observer = StopAtOnce(Stop::new());
        let search = First::new(32).unwrap().observer(&observer).stop(&observer.0);
        assert_eq!(search.run(), Err(Error::Stopped));
        assert!(matches!(First::new(65), Err(Error::AboveLimit { .. })));
    }
}
