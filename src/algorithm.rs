//! The names of the algorithms, and what a name stands for.

use std::fmt;

use crate::tally::WorkKind;

/// A way to count. Its name is the same on the command line, in results, files, tests and benches.
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
    /// The same for toroidal boards, with all their symmetries. Units: the first three rows.
    Toroidal,
    /// Joins half boards, many pairs at a time, and uses all symmetries; grows far slower than the
    /// others. Units: tiles of column sets.
    Join,
}

impl Algorithm {
    /// All algorithms, simple to fast.
    pub const ALL: &'static [Self] =
        &[Self::Naive, Self::Arrays, Self::Bitboard, Self::Toroidal, Self::Join];

    /// Its name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Arrays => "arrays",
            Self::Bitboard => "bitboard",
            Self::Toroidal => "toroidal",
            Self::Join => "join",
        }
    }

    /// The algorithm of this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.name() == name)
    }

    /// What it searches.
    #[must_use]
    pub fn work_kind(self) -> WorkKind {
        match self {
            Self::Naive | Self::Arrays | Self::Bitboard | Self::Toroidal => WorkKind::Nodes,
            Self::Join => WorkKind::Pairs,
        }
    }

    /// Version of the rules by which it numbers its units. It grows whenever a number may mean
    /// another unit than before, so that saved units are never taken for others.
    pub(crate) fn unit_rules(self) -> u32 {
        match self {
            Self::Naive | Self::Arrays | Self::Bitboard | Self::Toroidal | Self::Join => 1,
        }
    }

    /// Whether it has hot loops for every [`Kernel`](crate::Kernel).
    #[must_use]
    pub fn has_kernels(self) -> bool {
        matches!(self, Self::Bitboard | Self::Join)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
