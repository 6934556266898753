//! Tasks and results as lines of text, each a JSON object.
//!
//! ```text
//! {"task":1,"plan":"5f0c1d6a","board":12,"algorithm":"bitboard","depth":2,"rules":1,"of_units":50,"first":8,"units":2}
//! {"result":1,"plan":"5f0c1d6a","board":12, ... ,"first":8,"units":2,"count":"812","nodes":"51020",
//!  "unit_counts":["402","410"],"unit_work":["25310","25710"],"kernel":"avx2","threads":2,"version":"0.1.0",
//!  "microseconds":311,"check":"91aa03fe"}
//! ```
//!
//! The check sum is the CRC-32 of the object as this program writes it, without the check sum. So
//! other spacing, or another order of the fields, is no damage, and any other value is.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{LineError, MAX_TASK_UNITS, Task};
use crate::machine::MAX_THREADS;
use crate::run::{Run, RunRecord};
use crate::tally::{Tally, Total, WorkKind};

/// The format that this program reads and writes.
const FORMAT: u64 = 1;

/// How every line of a task begins, and every line of a result.
pub(super) const TASK_BEGINNING: &str = "{\"task\":";
pub(super) const RESULT_BEGINNING: &str = "{\"result\":1,\"plan\":\"";

/// The tallies of a range of units, and how they were counted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskResult {
    /// What is counted.
    pub run: Run,
    /// The first of the units.
    pub first: u64,
    /// The tally of each of them, in order.
    pub tallies: Vec<Tally>,
    /// Name of the kernel.
    pub kernel: String,
    /// Threads that counted.
    pub threads: usize,
    /// Version of the program.
    pub version: String,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// What both kinds of lines say of their units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Units {
    /// The run that they are part of.
    #[serde(flatten)]
    run: RunRecord,
    /// The first unit of this line, from 0.
    first: u64,
    /// Number of units of this line.
    units: u64,
}

/// The JSON of a task: this struct is the schema.
#[derive(Debug, Serialize, Deserialize)]
struct TaskLine {
    /// The format, 1.
    task: u64,
    #[serde(flatten)]
    units: Units,
}

/// The JSON of a result: this struct is the schema. Counts and work are strings of digits, since
/// many readers keep only 53 bits.
#[derive(Debug, Serialize, Deserialize)]
struct ResultLine {
    /// The format, 1.
    result: u64,
    #[serde(flatten)]
    units: Units,
    /// Sum of the counts.
    count: String,
    /// Sum of the work, if that is nodes of the backtrack tree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<String>,
    /// Sum of the work, if that is pairs of half boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pairs: Option<String>,
    /// Boards of each unit.
    unit_counts: Vec<String>,
    /// Work of each unit.
    unit_work: Vec<String>,
    /// Name of the kernel.
    kernel: String,
    /// Threads that counted.
    threads: usize,
    /// Version of the program.
    version: String,
    /// Wall-clock time.
    microseconds: u64,
    /// CRC-32 of this object without the check sum, eight hexadecimal digits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    check: String,
}

/// What tells the kinds and formats of lines from each other.
#[derive(Debug, Deserialize)]
struct Kind {
    task: Option<u64>,
    result: Option<u64>,
    #[serde(default)]
    version: Option<String>,
}

/// So many characters of a line are shown.
const SHOWN: usize = 40;

/// A line of either kind.
pub(super) enum Line {
    Task(Task),
    Result(TaskResult),
}

impl Line {
    /// Reads a line.
    pub(super) fn read(text: &str) -> Result<Self, LineError> {
        if !text.starts_with('{') {
            return Err(LineError::NoBrace { begins: text.chars().take(SHOWN).collect() });
        }
        let kind: Kind = parse(text)?;
        let foreign = |reason: &str| LineError::Foreign { reason: reason.into() };
        let format = match (kind.task, kind.result) {
            (Some(format), None) | (None, Some(format)) => format,
            (None, None) => return Err(foreign("it has neither the field task nor result")),
            (Some(_), Some(_)) => return Err(foreign("it has both fields, task and result")),
        };
        if format != FORMAT {
            let version = kind.version.unwrap_or_else(|| "?".into());
            return Err(LineError::OtherFormat { found: format, known: FORMAT, version });
        }
        Ok(match kind.task {
            Some(_) => Self::Task(Task::read(parse(text)?)?),
            None => Self::Result(TaskResult::read(parse(text)?)?),
        })
    }
}

impl Task {
    /// The task as a line of text, without its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        text(&TaskLine { task: FORMAT, units: Units::new(&self.run, &self.units) })
    }

    /// Reads a line that [`to_line`](Self::to_line) made. Whether this program has such units is
    /// seen by who counts them.
    ///
    /// # Errors
    /// [`LineError`].
    pub fn from_line(text: &str) -> Result<Self, LineError> {
        match Line::read(text)? {
            Line::Task(task) => Ok(task),
            Line::Result(_) => Err(LineError::Foreign { reason: "it is a result".into() }),
        }
    }

    fn read(line: TaskLine) -> Result<Self, LineError> {
        let (run, units) = line.units.read()?;
        Ok(Self { run, units })
    }
}

impl TaskResult {
    /// The result as a line of text, without its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let total = self.total();
        let work_of =
            |kind| (self.run.algorithm.work_kind() == kind).then(|| total.work.to_string());
        let mut line = ResultLine {
            result: FORMAT,
            units: Units::new(&self.run, &self.units()),
            count: total.solutions.to_string(),
            nodes: work_of(WorkKind::Nodes),
            pairs: work_of(WorkKind::Pairs),
            unit_counts: self.tallies.iter().map(|tally| tally.solutions.to_string()).collect(),
            unit_work: self.tallies.iter().map(|tally| tally.work.to_string()).collect(),
            kernel: self.kernel.clone(),
            threads: self.threads,
            version: self.version.clone(),
            microseconds: self.elapsed.as_micros() as u64,
            check: String::new(),
        };
        line.check = line.check_sum();
        text(&line)
    }

    /// Reads a line that [`to_line`](Self::to_line) made.
    ///
    /// # Errors
    /// [`LineError`].
    pub fn from_line(text: &str) -> Result<Self, LineError> {
        match Line::read(text)? {
            Line::Result(result) => Ok(result),
            Line::Task(_) => Err(LineError::Foreign { reason: "it is a task".into() }),
        }
    }

    fn read(mut line: ResultLine) -> Result<Self, LineError> {
        let check = std::mem::take(&mut line.check);
        if !check.eq_ignore_ascii_case(&line.check_sum()) {
            return Err(LineError::Damaged);
        }
        let (run, units) = line.units.read()?;
        let number = |text: &String| text.parse::<u64>().map_err(|_| LineError::Damaged);
        let tally =
            |(solutions, work)| Ok(Tally { solutions: number(solutions)?, work: number(work)? });
        let pairs = line.unit_counts.iter().zip(&line.unit_work);
        let result = Self {
            run,
            first: units.start,
            tallies: pairs.map(tally).collect::<Result<_, _>>()?,
            kernel: line.kernel,
            threads: line.threads,
            version: line.version,
            elapsed: Duration::from_micros(line.microseconds),
        };
        let total = result.total();
        let work = line.nodes.or(line.pairs);
        let is_right = result.units() == units
            && line.unit_counts.len() == line.unit_work.len()
            && is_word(&result.kernel)
            && is_word(&result.version)
            && (1..=MAX_THREADS).contains(&result.threads)
            && line.count == total.solutions.to_string()
            && work == Some(total.work.to_string());
        if is_right { Ok(result) } else { Err(LineError::Damaged) }
    }

    /// The units.
    #[must_use]
    pub fn units(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.tallies.len() as u64)
    }

    /// Number of boards in its units.
    #[must_use]
    pub fn solutions(&self) -> u128 {
        self.total().solutions
    }

    fn total(&self) -> Total {
        self.tallies.iter().collect()
    }

    /// The first unit that both results hold with another tally, and both tallies, its own first.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<(u64, Tally, Tally)> {
        let start = self.first.max(other.first);
        let end = self.units().end.min(other.units().end);
        (start..end).find_map(|unit| {
            let at = |result: &Self| result.tallies[(unit - result.first) as usize];
            let (own, theirs) = (at(self), at(other));
            (own != theirs).then_some((unit, own, theirs))
        })
    }
}

impl ResultLine {
    /// Of the line as it is without a check sum.
    fn check_sum(&self) -> String {
        debug_assert!(self.check.is_empty());
        format!("{:08x}", crc32fast::hash(text(self).as_bytes()))
    }
}

impl Units {
    fn new(run: &Run, units: &Range<u64>) -> Self {
        let len = units.end.saturating_sub(units.start);
        Self { run: run.into(), first: units.start, units: len }
    }

    fn read(&self) -> Result<(Run, Range<u64>), LineError> {
        let foreign = |reason: String| LineError::Foreign { reason };
        let run = self.run.run().map_err(foreign)?;
        let end = self.first.checked_add(self.units).filter(|&end| end <= run.units);
        let end = end.ok_or_else(|| {
            foreign(format!(
                "{} units from unit {} on are more than there are, {}",
                self.units, self.first, run.units
            ))
        })?;
        if self.units > MAX_TASK_UNITS {
            return Err(foreign(format!("a task has at most {MAX_TASK_UNITS} units")));
        }
        Ok((run, self.first..end))
    }
}

/// Whether a name can stand in a line of a checkpoint file.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn text(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("strings and numbers become JSON")
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, LineError> {
    serde_json::from_str(text).map_err(|error| LineError::Foreign { reason: error.to_string() })
}
