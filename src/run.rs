//! What is counted, and into which units that is split: all that a number of a unit depends on.

use std::fmt;

use crate::algorithm::Algorithm;
use crate::counter::{Counter, Settings};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::problem::Problem;

/// What identifies a run: all that decides what its units are, and nothing else. Any number of
/// threads, any kernel and any machine may count a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Run {
    /// Board size.
    pub n: u32,
    /// Whether the edges of the board are joined.
    pub toroidal: bool,
    /// Queens that every board must hold, as row and column from 0, by row.
    pub queens: Vec<(u32, u32)>,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Number of rows that a unit fills.
    pub depth: u32,
    /// Version of the rules by which the algorithm numbers its units.
    pub rules: u32,
    /// Number of units.
    pub units: u64,
}

/// A field in which a run is another one than expected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// Its name.
    pub field: &'static str,
    /// Its value.
    pub found: String,
    /// The value expected.
    pub expected: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its {} is {}, not {}", self.field, self.found, self.expected)
    }
}

impl Run {
    /// The run that counts `problem` with `algorithm`, in units of `depth` rows or, if that is
    /// `None`, as the algorithm chooses.
    ///
    /// # Errors
    /// [`Error::SplitDepth`], [`Error::Unsupported`].
    pub fn new(problem: &Problem, algorithm: Algorithm, depth: Option<u32>) -> Result<Self, Error> {
        let counter = algorithm.counter(problem, &settings(depth, Kernel::Portable, u64::MAX))?;
        Ok(Self::of(problem, algorithm, &*counter))
    }

    /// The run that counts `problem` with `counter`, made by `algorithm`.
    pub(crate) fn of(problem: &Problem, algorithm: Algorithm, counter: &dyn Counter) -> Self {
        let mut queens = problem.queens().to_vec();
        queens.sort_unstable();
        Self {
            n: problem.n(),
            toroidal: problem.is_toroidal(),
            queens,
            algorithm,
            depth: counter.depth(),
            rules: algorithm.unit_rules(),
            units: counter.units(),
        }
    }

    /// What is counted.
    ///
    /// # Errors
    /// If there is no such board: only if the run was made by hand.
    pub fn problem(&self) -> Result<Problem, Error> {
        let empty = if self.toroidal { Problem::toroidal } else { Problem::new }(self.n)?;
        self.queens
            .iter()
            .try_fold(empty, |problem, &(row, column)| problem.with_queen(row, column))
    }

    /// A name for it, eight hexadecimal digits: other runs almost surely have another one.
    #[must_use]
    pub fn id(&self) -> String {
        let fields = self.fields().map(|(name, value)| format!("{name} {value}"));
        format!("{:08x}", crc32fast::hash(fields.join(" ").as_bytes()))
    }

    /// Makes the algorithm ready to count its units, with so many bytes per worker.
    ///
    /// # Errors
    /// [`Error::OtherUnits`] if this program would count other units under the same numbers.
    pub(crate) fn counter(&self, kernel: Kernel, memory: u64) -> Result<Box<dyn Counter>, Error> {
        let problem = self.problem()?;
        let mut counter = self.algorithm.counter(&problem, &settings(None, kernel, memory))?;
        if counter.depth() != self.depth {
            let settings = settings(Some(self.depth), kernel, memory);
            counter = self.algorithm.counter(&problem, &settings)?;
        }
        match self.mismatch(&Self::of(&problem, self.algorithm, &*counter)) {
            None => Ok(counter),
            Some(mismatch) => Err(Error::OtherUnits(mismatch)),
        }
    }

    /// Its fields by name, in the order in which they are written and compared.
    pub(crate) fn fields(&self) -> [(&'static str, String); 7] {
        [
            ("board", self.n.to_string()),
            ("edges", if self.toroidal { "joined" } else { "open" }.into()),
            ("queens", queens_to_text(&self.queens)),
            ("algorithm", self.algorithm.to_string()),
            ("depth", self.depth.to_string()),
            ("rules", self.rules.to_string()),
            ("units", self.units.to_string()),
        ]
    }

    /// The first field in which it is another run than `expected`.
    pub(crate) fn mismatch(&self, expected: &Self) -> Option<Mismatch> {
        let mut pairs = self.fields().into_iter().zip(expected.fields());
        let ((field, found), (_, expected)) = pairs.find(|(found, expected)| found != expected)?;
        Some(Mismatch { field, found, expected })
    }
}

fn settings(depth: Option<u32>, kernel: Kernel, memory: u64) -> Settings {
    Settings { depth, kernel, memory }
}

fn queens_to_text(queens: &[(u32, u32)]) -> String {
    let squares = queens.iter().map(|(row, column)| format!("{},{}", row + 1, column + 1));
    let text = squares.collect::<Vec<_>>().join(";");
    if text.is_empty() { "-".into() } else { text }
}

/// Reads queens as they are written in [`Run::fields`].
pub(crate) fn queens_from_text(text: &str) -> Option<Vec<(u32, u32)>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let from_one = |number: &str| number.parse::<u32>().ok()?.checked_sub(1);
    let square = |square: &str| {
        let (row, column) = square.split_once(',')?;
        Some((from_one(row)?, from_one(column)?))
    };
    text.split(';').map(square).collect()
}
