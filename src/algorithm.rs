//! The algorithms by name, and the choice among them.

use std::fmt;
use std::str::FromStr;

use crate::counter::{Arrays, Bitboard, Counter, Naive};
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

    /// The fastest algorithm for `problem`, and why it is.
    #[must_use]
    pub fn auto(problem: &Problem) -> (Self, &'static str) {
        if problem.queens().is_empty() {
            (Self::Bitboard, "the fastest algorithm for every board")
        } else {
            (Self::Bitboard, "the fastest algorithm for boards with given queens")
        }
    }

    /// Makes this algorithm ready for `problem`; `depth` is the number of rows that a unit fills,
    /// or `None` for the default.
    pub(crate) fn counter(
        self,
        problem: &Problem,
        depth: Option<u32>,
    ) -> Result<Box<dyn Counter>, Error> {
        match (self, depth) {
            (Self::Bitboard, depth) => Ok(Box::new(Bitboard::new(problem, depth)?)),
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

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| format!("no algorithm is named {name:?}"))
    }
}
