//! How an algorithm splits a problem into work units, addressed by index: half of the one idea of the
//! design (the other half, the pure count of one unit, is in `counter`).
//!
//! The list of units depends only on the problem, the algorithm and the split depth, never on
//! threads, CPU or time, so "unit 4711" means the same on every machine. Boards have up to thousands of
//! millions of units, so nothing keeps a list of them: a unit is computed from its index.
//!
//! ```text
//! first_row   a column of the first row            naive, arrays
//! prefix      a placement of the first rows        bitboard
//! toroidal    a placement of the first three       toroidal
//! tiles       some column sets of half boards      join
//! ```

mod unit;
pub(crate) mod first_row;
pub(crate) mod prefix;
pub(crate) mod toroidal;
pub(crate) mod tiles;

pub(crate) use unit::UnitProblem;

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::problem::Problem;
use first_row::FirstRow;
use prefix::Prefixes;
use tiles::Tiles;
use toroidal::Openings;

/// The smallest board that the join can split.
pub(crate) const JOIN_MIN_N: u32 = 4;

/// The units of a problem.
#[derive(Debug, Clone)]
pub(crate) enum Split {
    FirstRow(FirstRow),
    Prefixes(Prefixes),
    Openings(Openings),
    Tiles(Tiles),
}

impl Algorithm {
    /// Whether it can count the boards of `problem`.
    #[must_use]
    pub fn supports(self, problem: &Problem) -> bool {
        match self {
            Self::Naive | Self::Arrays => true,
            Self::Bitboard => !problem.is_toroidal(),
            Self::Toroidal => problem.is_toroidal(),
            Self::Join => {
                let plain = problem.queens().is_empty() && !problem.is_toroidal();
                plain && problem.n() >= JOIN_MIN_N
            }
        }
    }

    /// Whether the number of rows that a unit fills can be chosen.
    #[must_use]
    pub fn has_depth(self) -> bool {
        self == Self::Bitboard
    }
}

impl Split {
    /// The units into which `algorithm` splits `problem`: those of `depth` rows or, if that is `None`,
    /// as the algorithm chooses.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::SplitDepth`].
    pub(crate) fn new(
        problem: &Problem,
        algorithm: Algorithm,
        depth: Option<u32>,
    ) -> Result<Self, Error> {
        if !algorithm.supports(problem) {
            return Err(Error::Unsupported { what: unsupported(algorithm, problem) });
        }
        match (algorithm, depth) {
            (Algorithm::Bitboard, _) => Ok(Self::Prefixes(Prefixes::new(problem, depth)?)),
            (Algorithm::Toroidal, None) => Ok(Self::Openings(Openings::new(problem))),
            (Algorithm::Toroidal, Some(_)) => {
                Err(Error::Unsupported { what: "a split depth for a toroidal board" })
            }
            (Algorithm::Join, None) => Ok(Self::Tiles(Tiles::new(problem.n()))),
            (Algorithm::Join, Some(_)) => {
                Err(Error::Unsupported { what: "a split depth for the join" })
            }
            (Algorithm::Naive | Algorithm::Arrays, None | Some(1)) => {
                Ok(Self::FirstRow(FirstRow::new(problem)))
            }
            (Algorithm::Naive | Algorithm::Arrays, Some(depth)) => {
                Err(Error::SplitDepth { depth, max: 1 })
            }
        }
    }

    /// Number of units; their indices are `0..len()`.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::FirstRow(units) => units.len(),
            Self::Prefixes(units) => units.len(),
            Self::Openings(units) => units.len(),
            Self::Tiles(units) => units.len(),
        }
    }

    /// Number of rows that a unit fills; 1 where there is no choice.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Self::Prefixes(prefixes) => prefixes.depth(),
            _ => 1,
        }
    }

    /// Work that belongs to no unit: the nodes of the backtrack tree above them all.
    pub(crate) fn work_above(&self) -> u64 {
        match self {
            Self::FirstRow(_) => 1,
            Self::Prefixes(prefixes) => prefixes.nodes_above(),
            Self::Openings(openings) => openings.nodes_above(),
            Self::Tiles(_) => 0,
        }
    }

    /// Unit `unit` as a problem that any algorithm can count; `None` if it is none.
    pub(crate) fn as_problem(&self, unit: u64) -> Option<UnitProblem> {
        match self {
            Self::FirstRow(first_row) => first_row.as_problem(unit),
            Self::Prefixes(prefixes) => prefixes.as_problem(unit),
            Self::Openings(_) | Self::Tiles(_) => None,
        }
    }
}

/// What an algorithm cannot count.
fn unsupported(algorithm: Algorithm, problem: &Problem) -> &'static str {
    match algorithm {
        Algorithm::Toroidal => "a toroidal count of a board that is not toroidal",
        Algorithm::Join if problem.is_toroidal() => "a join of a toroidal board",
        Algorithm::Join if !problem.queens().is_empty() => "a join with given queens",
        Algorithm::Join => "a join of a board of fewer than 4 rows",
        _ => "a bitboard count of a toroidal board (its algorithm is called toroidal)",
    }
}
