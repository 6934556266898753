//! The algorithms by name, and the choice among them.

use std::fmt;

use crate::counter::{
    Arrays, Bitboard, Counter, JOIN_MIN_N, Join, Naive, Settings, Toroidal, Work,
};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::problem::Problem;

/// The board size from which the join is faster than the bitboard (AVX2, Zen 3, one thread).
const JOIN_FROM: u32 = 15;

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
    /// Joins half boards, many pairs at a time, and uses all symmetries; grows far slower than the
    /// others. Units: tiles of column sets.
    Join,
}

impl Algorithm {
    /// All algorithms, simple to fast.
    pub const ALL: [Self; 4] = [Self::Naive, Self::Arrays, Self::Bitboard, Self::Join];

    /// Its name, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Arrays => "arrays",
            Self::Bitboard => "bitboard",
            Self::Join => "join",
        }
    }

    /// The algorithm of this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// What it searches.
    #[must_use]
    pub fn work(self) -> Work {
        match self {
            Self::Naive | Self::Arrays | Self::Bitboard => Work::Nodes,
            Self::Join => Work::Pairs,
        }
    }

    /// Version of the rules by which it numbers its units. It grows whenever a number may mean
    /// another unit than before, so that saved units are never taken for others.
    pub(crate) fn unit_rules(self) -> u32 {
        match self {
            Self::Naive | Self::Arrays | Self::Bitboard | Self::Join => 1,
        }
    }

    /// Whether it can count the boards of `problem`.
    #[must_use]
    pub fn supports(self, problem: &Problem) -> bool {
        let plain = problem.queens().is_empty() && !problem.is_toroidal();
        self != Self::Join || plain && problem.n() >= JOIN_MIN_N
    }

    /// Whether it has hot loops for every [`Kernel`](crate::Kernel).
    #[must_use]
    pub fn has_kernels(self) -> bool {
        matches!(self, Self::Bitboard | Self::Join)
    }

    /// The kernel that runs for `problem` if `asked` is asked for, or none.
    ///
    /// # Errors
    /// [`Error::KernelMissing`]; [`Error::Unsupported`] if there is only the portable one.
    pub(crate) fn kernel(self, problem: &Problem, asked: Option<Kernel>) -> Result<Kernel, Error> {
        let has_kernels = self.has_kernels() && !problem.is_toroidal();
        match asked {
            Some(Kernel::Portable) => Ok(Kernel::Portable),
            Some(kernel) if has_kernels => kernel.checked(),
            Some(_) => {
                let what = "a kernel other than portable for this algorithm and board";
                Err(Error::Unsupported { what })
            }
            None if has_kernels => Ok(Kernel::best()),
            None => Ok(Kernel::Portable),
        }
    }

    /// The least memory that a worker needs for `problem`, as far as it is more than a few kilobytes.
    pub(crate) fn least_memory(self, problem: &Problem) -> u64 {
        match self {
            Self::Join if self.supports(problem) => Join::least_memory(problem.n()),
            _ => 0,
        }
    }

    /// The fastest algorithm for `problem` with so much memory per thread, and why it is.
    #[must_use]
    pub fn auto(problem: &Problem, memory_per_thread: u64) -> (Self, &'static str) {
        if problem.is_toroidal() {
            (Self::Bitboard, "the fastest algorithm for toroidal boards")
        } else if !problem.queens().is_empty() {
            (Self::Bitboard, "the fastest algorithm for boards with given queens")
        } else if problem.n() < JOIN_FROM {
            (Self::Bitboard, "the fastest algorithm for small boards")
        } else if Join::least_memory(problem.n()) > memory_per_thread {
            (Self::Bitboard, "the join would need more memory")
        } else {
            (Self::Join, "the fastest algorithm for large boards")
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
            (Self::Join, _) => Ok(Box::new(Join::new(problem, settings)?)),
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
