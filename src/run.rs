//! What is counted, and into which units that is split: all that a number of a unit depends on.
//!
//! Whoever keeps or sends parts of a count (checkpoint files, tasks, a cluster) names the run that
//! they belong to. A run is written in two forms, and both are written and read here alone:
//!
//! ```text
//! words    board 8 edges open queens 3,5 algorithm bitboard depth 2 rules 1 units 16
//! JSON     "plan":"1532bcf1","board":8,"queens":[[3,5]],"algorithm":"bitboard","depth":2,"rules":1,"of_units":16
//! ```
//!
//! Up to version 0.1.0 the algorithm of toroidal boards was called `bitboard` as well; such runs are
//! read as what they are.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::algorithm::Algorithm;
use crate::error::{Error, Mismatch};
use crate::problem::Problem;
use crate::split::Split;

/// What identifies a run: all that decides what its units are, and nothing else. Any number of
/// threads, any kernel and any machine may count a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Run {
    /// Board size.
    pub n: u32,
    /// Whether the board is toroidal.
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

impl Run {
    /// The run that counts `problem` with `algorithm`, in units of `depth` rows or, if that is
    /// `None`, as the algorithm chooses.
    ///
    /// Up to 0.1 s for `n` = 28.
    ///
    /// # Errors
    /// [`Error::SplitDepth`], [`Error::Unsupported`].
    pub fn new(problem: &Problem, algorithm: Algorithm, depth: Option<u32>) -> Result<Self, Error> {
        Ok(Self::of(problem, algorithm, &Split::new(problem, algorithm, depth)?))
    }

    /// The run that counts `problem` with `algorithm` in the units of `split`.
    pub(crate) fn of(problem: &Problem, algorithm: Algorithm, split: &Split) -> Self {
        let mut queens = problem.queens().to_vec();
        queens.sort_unstable();
        Self {
            n: problem.n(),
            toroidal: problem.is_toroidal(),
            queens,
            algorithm,
            depth: split.depth(),
            rules: algorithm.unit_rules(),
            units: split.len(),
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

    /// Its units.
    ///
    /// # Errors
    /// [`Error::OtherUnits`] if this program would count other units under the same numbers, and
    /// others if there is no such run.
    pub(crate) fn split(&self) -> Result<Split, Error> {
        let problem = self.problem()?;
        let split = Split::new(&problem, self.algorithm, self.asked_depth())?;
        match self.mismatch(&Self::of(&problem, self.algorithm, &split)) {
            None => Ok(split),
            Some(mismatch) => Err(Error::OtherUnits(mismatch)),
        }
    }

    /// The depth to ask for, to get such units again: only the empty board has units of no rows.
    pub(crate) fn asked_depth(&self) -> Option<u32> {
        self.algorithm.has_depth().then_some(self.depth.max(1))
    }

    /// A name for it, eight hexadecimal digits: other runs almost surely have another one.
    #[must_use]
    pub fn id(&self) -> String {
        id(&self.fields())
    }

    /// Whether `id` is its name, or was up to version 0.1.0.
    fn is_named(&self, name: &str) -> bool {
        let mut before = self.fields();
        if self.algorithm == Algorithm::Toroidal {
            before[3].1 = Algorithm::Bitboard.to_string();
        }
        id(&self.fields()) == name || id(&before) == name
    }

    /// The given queens, as row and column from 1.
    #[must_use]
    pub fn queens_from_one(&self) -> Vec<(u32, u32)> {
        let from_one =
            |&(row, column): &(u32, u32)| (row.saturating_add(1), column.saturating_add(1));
        self.queens.iter().map(from_one).collect()
    }

    /// Its fields by name, in the order in which they are written and compared.
    fn fields(&self) -> [(&'static str, String); 7] {
        [
            ("board", self.n.to_string()),
            ("edges", if self.toroidal { "joined" } else { "open" }.into()),
            ("queens", queens_to_text(&self.queens_from_one())),
            ("algorithm", self.algorithm.to_string()),
            ("depth", self.depth.to_string()),
            ("rules", self.rules.to_string()),
            ("units", self.units.to_string()),
        ]
    }

    /// Its form of words, separated by spaces.
    pub(crate) fn to_words(&self) -> String {
        words(&self.fields())
    }

    /// Reads the form of words; other words may stand before and after the pairs of name and value.
    pub(crate) fn from_words(words: &[&str]) -> Option<Self> {
        let after = |name: &str| {
            let place = words.iter().position(|&word| word == name)?;
            words.get(place + 1).copied()
        };
        let toroidal = match after("edges")? {
            "open" => false,
            "joined" => true,
            _ => return None,
        };
        Some(Self {
            n: after("board")?.parse().ok()?,
            toroidal,
            queens: queens_from_text(after("queens")?)?,
            algorithm: named(after("algorithm")?, toroidal)?,
            depth: after("depth")?.parse().ok()?,
            rules: after("rules")?.parse().ok()?,
            units: after("units")?.parse().ok()?,
        })
    }

    /// The first field in which it is another run than `expected`.
    pub(crate) fn mismatch(&self, expected: &Self) -> Option<Mismatch> {
        let mut pairs = self.fields().into_iter().zip(expected.fields());
        let ((field, found), (_, expected)) = pairs.find(|(found, expected)| found != expected)?;
        Some(Mismatch { field, found, expected })
    }
}

/// What it is, for people: `N = 8, queen at 3,5, algorithm bitboard`.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N = {}", self.n)?;
        if self.toroidal {
            f.write_str(", toroidal")?;
        }
        for (row, column) in self.queens_from_one() {
            write!(f, ", queen at {row},{column}")?;
        }
        write!(f, ", algorithm {}", self.algorithm)
    }
}

/// The JSON form of a run, to be a part of larger objects: this struct is the schema.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    /// The id of the run: [`Run::id`].
    plan: String,
    /// Board size.
    board: u32,
    /// Whether the board is toroidal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    toroidal: bool,
    /// Given queens, as row and column from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    queens: Vec<(u32, u32)>,
    /// Name of the algorithm.
    algorithm: String,
    /// Rows that a unit fills.
    depth: u32,
    /// Version of the rules that number the units.
    rules: u32,
    /// Number of units of the run.
    of_units: u64,
}

impl From<&Run> for RunRecord {
    fn from(run: &Run) -> Self {
        Self {
            plan: run.id(),
            board: run.n,
            toroidal: run.toroidal,
            queens: run.queens_from_one(),
            algorithm: run.algorithm.name().into(),
            depth: run.depth,
            rules: run.rules,
            of_units: run.units,
        }
    }
}

impl RunRecord {
    /// The run. Whether this program has such units is not asked.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(crate) fn run(&self) -> Result<Run, String> {
        let from_zero = |&(row, column): &(u32, u32)| from_one(row, column);
        let queens: Option<Vec<_>> = self.queens.iter().map(from_zero).collect();
        let run = Run {
            n: self.board,
            toroidal: self.toroidal,
            queens: queens.ok_or("rows and columns start at 1")?,
            algorithm: named(&self.algorithm, self.toroidal)
                .ok_or_else(|| format!("there is no algorithm {:?}", self.algorithm))?,
            depth: self.depth,
            rules: self.rules,
            units: self.of_units,
        };
        if run.is_named(&self.plan) {
            Ok(run)
        } else {
            Err(format!("plan {} does not belong to this board", self.plan))
        }
    }
}

/// The algorithm that a run calls `name`.
fn named(name: &str, toroidal: bool) -> Option<Algorithm> {
    match Algorithm::from_name(name)? {
        Algorithm::Bitboard if toroidal => Some(Algorithm::Toroidal),
        algorithm => Some(algorithm),
    }
}

fn words(fields: &[(&'static str, String)]) -> String {
    fields.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(" ")
}

fn id(fields: &[(&'static str, String)]) -> String {
    format!("{:08x}", crc32fast::hash(words(fields).as_bytes()))
}

/// Row and column from 0, given from 1.
fn from_one(row: u32, column: u32) -> Option<(u32, u32)> {
    Some((row.checked_sub(1)?, column.checked_sub(1)?))
}

/// Queens as row and column from 1.
fn queens_to_text(queens: &[(u32, u32)]) -> String {
    let squares = queens.iter().map(|(row, column)| format!("{row},{column}"));
    let text = squares.collect::<Vec<_>>().join(";");
    if text.is_empty() { "-".into() } else { text }
}

fn queens_from_text(text: &str) -> Option<Vec<(u32, u32)>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let square = |square: &str| {
        let (row, column) = square.split_once(',')?;
        from_one(row.parse().ok()?, column.parse().ok()?)
    };
    text.split(';').map(square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> Vec<Run> {
        let placed = Problem::new(8).unwrap().with_queen(2, 4).unwrap();
        let make = |problem, algorithm| Run::new(problem, algorithm, None).unwrap();
        vec![
            make(&Problem::new(8).unwrap(), Algorithm::Naive),
            make(&Problem::new(12).unwrap(), Algorithm::Join),
            make(&placed, Algorithm::Bitboard),
            make(&Problem::toroidal(7).unwrap(), Algorithm::Toroidal),
        ]
    }

    #[test]
    fn both_forms_are_read_as_they_were_written() {
        for run in runs() {
            let text = run.to_words();
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(Run::from_words(&words), Some(run.clone()), "{text}");
            for end in 0..words.len() {
                assert_eq!(Run::from_words(&words[..end]), None, "{text} up to {end}");
            }
            assert_eq!(RunRecord::from(&run).run(), Ok(run.clone()));
            assert_eq!(run.split().unwrap().len(), run.units);
        }
    }

    #[test]
    fn toroidal_runs_had_another_name_before() {
        let run = &runs()[3];
        let text = run.to_words().replace("toroidal", "bitboard");
        assert_eq!(Run::from_words(&text.split(' ').collect::<Vec<_>>()), Some(run.clone()));
        let mut record = RunRecord::from(run);
        record.algorithm = "bitboard".into();
        record.plan = "f0a6bedd".into();
        assert_eq!(record.run(), Ok(run.clone()));
        record.plan = "f0a6bede".into();
        assert!(record.run().is_err());
    }

    #[test]
    fn units_of_others_are_refused() {
        for run in runs() {
            let changes: [fn(&mut Run); 4] = [
                |run| run.units += 1,
                |run| run.units = u64::MAX,
                |run| run.rules += 1,
                |run| run.depth += 10,
            ];
            for change in changes {
                let mut other = run.clone();
                change(&mut other);
                assert!(other.split().is_err(), "{other:?}");
            }
        }
    }
}
