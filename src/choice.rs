//! Choices that are made for users: the fastest algorithm for a board and a machine, with the reason;
//! another way to count the same, for who doubts; and from a choice to a counter that is ready.

use crate::algorithm::Algorithm;
use crate::counter::{Arrays, Bitboard, Counter, Join, Naive, Settings, Toroidal};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::problem::Problem;
use crate::split::Split;

/// The board size from which the join is faster than the bitboard (AVX2, Zen 3, one thread).
const JOIN_FROM: u32 = 15;

/// Bitboard units with at most this much work are counted again by `arrays`, in up to 0.1 s.
const SMALL_WORK: u64 = 3_000_000;

impl Algorithm {
    /// The fastest algorithm for `problem` with so much memory per thread, and why it is.
    #[must_use]
    pub fn auto(problem: &Problem, memory_per_thread: u64) -> (Self, &'static str) {
        Self::auto_with(problem, || memory_per_thread)
    }

    /// The same, but the memory is looked at only where it decides.
    pub(crate) fn auto_with(
        problem: &Problem,
        memory_per_thread: impl FnOnce() -> u64,
    ) -> (Self, &'static str) {
        if problem.is_toroidal() {
            (Self::Toroidal, "the fastest algorithm for toroidal boards")
        } else if !problem.queens().is_empty() {
            (Self::Bitboard, "the fastest algorithm for boards with given queens")
        } else if problem.n() < JOIN_FROM {
            (Self::Bitboard, "the fastest algorithm for small boards")
        } else if Join::least_memory(problem.n()) > memory_per_thread() {
            (Self::Bitboard, "the join would need more memory")
        } else {
            (Self::Join, "the fastest algorithm for large boards")
        }
    }

    /// Another algorithm that counts the boards of `problem`: the fastest one that has the least in
    /// common with this one.
    #[must_use]
    pub fn another(self, problem: &Problem) -> Self {
        match self {
            Self::Naive | Self::Arrays if problem.is_toroidal() => Self::Toroidal,
            Self::Join => Self::Bitboard,
            _ if Self::Join.supports(problem) => Self::Join,
            Self::Bitboard | Self::Toroidal => Self::Arrays,
            Self::Naive | Self::Arrays => Self::Bitboard,
        }
    }

    /// Another algorithm that counts one unit of this one again, as a problem of its own, when it did
    /// so much `work`; `None` if that takes too long.
    pub(crate) fn another_for_unit(self, work: u64) -> Option<Self> {
        match self {
            Self::Bitboard => (work <= SMALL_WORK).then_some(Self::Arrays),
            _ => Some(Self::Bitboard),
        }
    }

    /// The kernel that runs if `asked` is asked for, or none.
    ///
    /// # Errors
    /// [`Error::KernelMissing`]; [`Error::Unsupported`] if there is only the portable one.
    pub(crate) fn kernel(self, asked: Option<Kernel>) -> Result<Kernel, Error> {
        match asked {
            Some(Kernel::Portable) => Ok(Kernel::Portable),
            Some(kernel) if !kernel.is_allowed() => Err(Error::Unsupported {
                what: "a kernel better than the one that NQUEENS_KERNEL names",
            }),
            Some(kernel) if self.has_kernels() => match kernel.missing() {
                missing if missing.is_empty() => Ok(kernel),
                missing => Err(Error::KernelMissing { kernel, missing }),
            },
            Some(_) => Err(Error::Unsupported {
                what: "a kernel other than portable for this algorithm and board",
            }),
            None if self.has_kernels() => Ok(Kernel::best()),
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

    /// Makes this algorithm ready to count the units of `split`, which it made of `problem`.
    ///
    /// # Errors
    /// [`Error::MemoryTooSmall`].
    pub(crate) fn counter(
        self,
        problem: &Problem,
        split: Split,
        settings: &Settings,
    ) -> Result<Box<dyn Counter>, Error> {
        Ok(match split {
            Split::FirstRow(_) if self == Self::Naive => Box::new(Naive::new(problem)),
            Split::FirstRow(_) => Box::new(Arrays::new(problem)),
            Split::Prefixes(prefixes) => {
                Box::new(Bitboard::new(problem, prefixes, settings.kernel))
            }
            Split::Openings(openings) => Box::new(Toroidal::new(openings)),
            Split::Tiles(tiles) => Box::new(Join::new(problem.n(), tiles, settings)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_way_to_count_is_another_and_can() {
        let problems = [
            Problem::new(0).unwrap(),
            Problem::new(3).unwrap(),
            Problem::new(8).unwrap(),
            Problem::new(8).unwrap().with_queen(1, 2).unwrap(),
            Problem::toroidal(7).unwrap(),
        ];
        for problem in problems {
            for &algorithm in Algorithm::ALL.iter().filter(|one| one.supports(&problem)) {
                let other = algorithm.another(&problem);
                assert!(other != algorithm && other.supports(&problem), "{algorithm} {problem:?}");
            }
            let auto = Algorithm::auto(&problem, u64::MAX).0;
            assert!(auto.supports(&problem));
        }
    }
}
