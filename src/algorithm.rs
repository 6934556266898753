//! The algorithms by name, and the choice among them.

use std::fmt;

use crate::counter::{Arrays, Bitboard, Counter, Naive, Settings, Toroidal, Work};
use crate::error::Error;
use crate::problem::Problem;

/// A way to count. Its name is the same on the command line, in results, tests and benches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Algorithm {
    /// Compares each queen's column with every earlier row: the oracle. Units: the first row.
    Naive,
    /// Looks up used columns and diagonals in three arrays. Units: the first row.
    Arrays,
    /// Keeps columns and both diagonals as bit masks, and searches half of the boards.
    /// Units: the first rows, two or more.
    Bitboard,
}

impl Algorithm {
    /// All algorithms, simple to fast.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Arrays, Self::Bitboard];

    /// Its name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Arrays => "arrays",
            Self::Bitboard => "bitboard",
        }
    }

    /// What it searches.
    #[must_use]
    pub fn work(self) -> Work {
        match self {
            Self::Naive | Self::Arrays | Self::Bitboard => Work::Nodes,
        }
    }

    /// Version of the rules by which it numbers its units. It grows whenever a number may mean
    /// another unit than before, so that saved units are never taken for others.
    pub(crate) fn unit_rules(self) -> u32 {
        match self {
            Self::Naive | Self::Arrays | Self::Bitboard => 1,
        }
    }

    /// The fastest algorithm for `problem`, and why it is.
    #[must_use]
    pub fn auto(problem: &Problem) -> (Self, &'static str) {
        if problem.is_toroidal() {
            (Self::Bitboard, "the fastest algorithm for toroidal boards")
        } else if problem.queens().is_empty() {
            (Self::Bitboard, "the fastest algorithm for every board")
        } else {
            (Self::Bitboard, "the fastest algorithm for boards with given queens")
        }
    }

    /// Makes this algorithm ready for `problem`.
    ///
    /// # Errors
    /// If the settings do not suit the algorithm or this CPU.
    pub(crate) fn counter(
        self,
        problem: &Problem,
        settings: &Settings,
    ) -> Result<Box<dyn Counter>, Error> {
        match (self, settings.depth) {
            (Self::Bitboard, Some(_)) if problem.is_toroidal() => {
                Err(Error::Unsupported { what: "a split depth for a toroidal board" })
            }
            (Self::Bitboard, None) if problem.is_toroidal() => Ok(Box::new(Toroidal::new(problem))),
            (Self::Bitboard, _) => Ok(Box::new(Bitboard::new(problem, settings)?)),
            (_, Some(depth)) if depth != 1 => Err(Error::SplitDepth { depth, max: 1 }),
            (Self::Naive, _) => Ok(Box::new(Naive::new(problem))),
            (Self::Arrays, _) => Ok(Box::new(Arrays::new(problem))),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
