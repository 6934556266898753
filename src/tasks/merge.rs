//! Adds results up, exactly.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;
use std::time::Duration;

use super::line::Line;
use super::{LineError, Lines, Plan, Task, TaskResult};
use crate::checkpoint::{self, Session, UnitRecord};
use crate::error::{Error, FileError, Mismatch, shown};
use crate::execute::Observer;
use crate::log::is_plain;
use crate::run::Run;
use crate::tally::{Tally, Total};

/// So many faults are kept; of others only their number.
const MAX_FAULTS: usize = 100;

/// Results of one run, in any order and any number of times, and what is wrong with them.
///
/// Memory: 20 bytes for each unit of the run (400 MB for n = 28), all at the first line, and up to 80
/// for each line.
#[derive(Debug, Default)]
pub struct Merge {
    files: Vec<String>,
    first: Option<First>,
    tallies: Vec<Tally>,
    /// The source of each unit's tally, by its number from 1; 0 if there is none yet.
    source_of: Vec<u32>,
    sources: Vec<Source>,
    /// How units were counted.
    ways: Vec<Session>,
    way_numbers: HashMap<(String, usize, String), usize>,
    done: u64,
    confirmed: u64,
    total: Total,
    /// Units of the largest task or result.
    largest: u64,
    faults: Vec<Fault>,
    faults_left_out: u64,
    skips_foreign: bool,
    skipped: u64,
}

/// What the first line that could be read said: all others must be of the same run.
#[derive(Debug)]
struct First {
    run: Run,
    source: Source,
    work_above: u64,
}

/// Where a line stands, and what was new in it.
#[derive(Debug, Clone, Copy)]
struct Source {
    file: u32,
    way: u32,
    /// From 1; 0 for files without such lines.
    line: u64,
    /// Units that are not known from elsewhere.
    units: u64,
    /// Time that these units took, on all threads together.
    took: Duration,
}

/// Where a line was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Number of the line, from 1; `None` in a checkpoint file.
    pub line: Option<u64>,
}

/// Something wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The line.
    pub place: Place,
    /// What is wrong.
    pub kind: FaultKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// It cannot be used.
    Line(LineError),
    /// It belongs to another run than the line before.
    OtherRun {
        /// What differs.
        mismatch: Mismatch,
        /// A line that was read before.
        before: Place,
    },
    /// One of its units has another tally in a line before.
    Differs {
        /// The unit.
        unit: u64,
        /// Its tally in this line.
        here: Tally,
        /// Its tally before.
        there: Tally,
        /// The line before.
        before: Place,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}", self.file),
            None => write!(f, "{}", self.file),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, kind } = self;
        match kind {
            FaultKind::Line(error) => write!(f, "{place} {error}"),
            FaultKind::OtherRun { mismatch, before } => {
                write!(f, "{place} belongs to another run than {before}: {mismatch}")
            }
            FaultKind::Differs { unit, here, there, before } => write!(
                f,
                "unit {unit} has {} boards and work {} in {place}, but {} boards and work {} in \
                 {before}",
                here.solutions, here.work, there.solutions, there.work
            ),
        }
    }
}

impl Merge {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to leave out lines that do not begin with a brace, as those of a log, instead of taking them
    /// for damaged results.
    #[must_use]
    pub fn skip_foreign(mut self, skip: bool) -> Self {
        self.skips_foreign = skip;
        self
    }

    /// Number of lines left out.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Reads the file at `path`: lines of results, and of tasks, which say what there is to be
    /// counted; or a checkpoint file.
    ///
    /// Lines may end as on any system; empty ones, a byte-order mark and a missing end of the last
    /// line change nothing. What is wrong with a line is kept: [`faults`](Self::faults).
    ///
    /// # Errors
    /// If the file cannot be read, or is a damaged checkpoint file.
    pub fn read_file(&mut self, path: &Path) -> Result<(), Error> {
        if !is_handed_over(path) {
            is_plain(path)?;
        }
        let io = |error| FileError::io(path, "read", &error);
        let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(io)?);
        if checkpoint::begins(reader.fill_buf().map_err(io)?) {
            let mut file = reader.into_inner();
            file.rewind().map_err(io)?;
            return self.read_checkpoint(path, &file);
        }
        Ok(self.read(&shown(path), reader).map_err(io)?)
    }

    /// Reads lines from `input`, known to people as `name`, like [`read_file`](Self::read_file).
    ///
    /// # Errors
    /// Those of `input`.
    pub fn read(&mut self, name: &str, input: impl BufRead) -> io::Result<()> {
        self.files.push(name.into());
        for line in Lines::new(input) {
            let (number, line) = line?;
            let added = line.map_err(FaultKind::Line).and_then(|line| self.add(number, &line));
            match added {
                Ok(()) => {}
                Err(FaultKind::Line(LineError::NoBrace { .. })) if self.skips_foreign => {
                    self.skipped += 1;
                }
                Err(kind) => self.fault(number, kind),
            }
        }
        Ok(())
    }

    fn add(&mut self, number: u64, line: &str) -> Result<(), FaultKind> {
        match Line::read(line).map_err(FaultKind::Line)? {
            Line::Task(task) => {
                self.largest = self.largest.max(task.units.end - task.units.start);
                self.declare(number, &task.run)
            }
            Line::Result(result) => self.add_result(number, &result),
        }
    }

    fn add_result(&mut self, number: u64, result: &TaskResult) -> Result<(), FaultKind> {
        self.declare(number, &result.run)?;
        self.largest = self.largest.max(result.tallies.len() as u64);
        let way = self.way(&result.kernel, result.threads, &result.version);
        let source = self.source(number, way);
        let took =
            on_all_threads(result.elapsed, result.threads) / result.tallies.len().max(1) as u32;
        for (unit, &tally) in (result.first..).zip(&result.tallies) {
            self.add_unit(UnitRecord { unit, tally, took }, source)?;
        }
        Ok(())
    }

    fn read_checkpoint(&mut self, path: &Path, mut file: &File) -> Result<(), Error> {
        self.files.push(shown(path));
        let run = checkpoint::run_of(path, file)?;
        file.rewind().map_err(|error| FileError::io(path, "read", &error))?;
        let mut fault = self.declare(0, &run).err();
        let mut source = None;
        checkpoint::all(path, file, None, |record, session| {
            if fault.is_some() {
                return;
            }
            let way = self.way(&session.kernel, session.threads, &session.version);
            let source = match source {
                Some(source) if self.sources[source as usize - 1].way == way => source,
                _ => *source.insert(self.source(0, way)),
            };
            fault = self.add_unit(record, source).err();
        })?;
        if let Some(kind) = fault {
            self.fault(0, kind);
        }
        Ok(())
    }

    /// Takes `run` for the run of all lines, or compares it with that.
    fn declare(&mut self, line: u64, run: &Run) -> Result<(), FaultKind> {
        if let Some(first) = &self.first {
            return match run.mismatch(&first.run) {
                None => Ok(()),
                Some(mismatch) => {
                    let before = self.place(first.source);
                    Err(FaultKind::OtherRun { mismatch, before })
                }
            };
        }
        // Only a run of this program's units says how many there are.
        let split = run.split().map_err(|error| {
            FaultKind::Line(match error {
                Error::OtherUnits(mismatch) => LineError::OtherUnits(mismatch),
                error => LineError::Foreign { reason: error.to_string() },
            })
        })?;
        // The line says how many units there are, so it must not be what ends the program.
        let units = run.units as usize;
        let room = Vec::<(Tally, u32)>::new().try_reserve_exact(units);
        room.map_err(|_| {
            let reason = format!("there is no memory for the {units} units of its run");
            FaultKind::Line(LineError::Foreign { reason })
        })?;
        let source = self.line_in_hand(line);
        self.first = Some(First { run: run.clone(), source, work_above: split.work_above() });
        self.tallies = vec![Tally::default(); units];
        self.source_of = vec![0; units];
        Ok(())
    }

    fn add_unit(&mut self, record: UnitRecord, source: u32) -> Result<(), FaultKind> {
        let UnitRecord { unit, tally, took } = record;
        let index = unit as usize;
        if self.source_of[index] == 0 {
            self.source_of[index] = source;
            self.tallies[index] = tally;
            self.total.add(tally);
            self.done += 1;
            // Who only confirms what is known took no time for it.
            let source = &mut self.sources[source as usize - 1];
            source.units += 1;
            source.took = source.took.saturating_add(took);
        } else if self.tallies[index] == tally {
            self.confirmed += 1;
        } else {
            let before = self.place(self.sources[self.source_of[index] as usize - 1]);
            let there = self.tallies[index];
            return Err(FaultKind::Differs { unit, here: tally, there, before });
        }
        Ok(())
    }

    /// The number of a way.
    fn way(&mut self, kernel: &str, threads: usize, version: &str) -> u32 {
        let key = (kernel.to_string(), threads, version.to_string());
        let number = *self.way_numbers.entry(key).or_insert_with(|| {
            let [kernel, version] = [kernel, version].map(String::from);
            self.ways.push(Session { threads, kernel, version, ..Session::default() });
            self.ways.len() - 1
        });
        number as u32
    }

    /// The number, from 1, of a line of the file in hand.
    fn source(&mut self, line: u64, way: u32) -> u32 {
        self.sources.push(Source { way, ..self.line_in_hand(line) });
        self.sources.len() as u32
    }

    /// A line of the file in hand, with nothing new in it yet.
    fn line_in_hand(&self, line: u64) -> Source {
        let file = self.files.len() as u32 - 1;
        Source { file, way: 0, line, units: 0, took: Duration::ZERO }
    }

    fn place(&self, source: Source) -> Place {
        let line = (source.line > 0).then_some(source.line);
        Place { file: self.files[source.file as usize].clone(), line }
    }

    fn fault(&mut self, line: u64, kind: FaultKind) {
        if self.faults.len() == MAX_FAULTS {
            self.faults_left_out += 1;
            return;
        }
        let place = self.place(self.line_in_hand(line));
        self.faults.push(Fault { place, kind });
    }

    /// The run that the lines belong to; `None` before there is a line.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.first.as_ref().map(|first| &first.run)
    }

    /// What is wrong with lines, in the order in which they were read: the first hundred.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Number of all faults.
    #[must_use]
    pub fn faults_len(&self) -> u64 {
        self.faults.len() as u64 + self.faults_left_out
    }

    /// Number of units that have a tally.
    #[must_use]
    pub fn units_done(&self) -> u64 {
        self.done
    }

    /// Whether `unit` has a tally.
    #[must_use]
    pub fn holds(&self, unit: u64) -> bool {
        usize::try_from(unit).ok().and_then(|unit| self.source_of.get(unit)).is_some_and(|&s| s > 0)
    }

    /// How many times a tally came again, and was the same.
    #[must_use]
    pub fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// Whether every unit has a tally, and nothing is wrong with any line.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.run().is_some_and(|run| run.units == self.done) && self.faults.is_empty()
    }

    /// Boards of the units that have a tally: the number of all boards only if that
    /// [is complete](Self::is_complete).
    #[must_use]
    pub fn solutions(&self) -> u128 {
        self.total.solutions
    }

    /// Work of the units that have a tally, and what belongs to no unit.
    #[must_use]
    pub fn work(&self) -> u128 {
        self.total.work + u128::from(self.first.as_ref().map_or(0, |first| first.work_above))
    }

    /// Wall-clock time of all results, added up: that of one machine after the other.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let threads = |source: &Source| self.ways[source.way as usize].threads_as_divisor();
        self.sources
            .iter()
            .map(|source| source.took / threads(source))
            .fold(Duration::ZERO, Duration::saturating_add)
    }

    /// The units that have no tally, as tasks that can be counted: as large as the largest task or
    /// result, or as those of a [`Plan`] where that is more.
    pub fn missing(&self) -> impl Iterator<Item = Task> {
        let run = self.run().cloned();
        let size = run.clone().map_or(0, |run| Plan::new(run, None).units_per_task);
        let size = size.max(self.largest);
        let lacks = |unit: u64| self.source_of[unit as usize] == 0;
        let units = self.source_of.len() as u64;
        let mut end = 0;
        let ranges = std::iter::from_fn(move || {
            let start = (end..units).find(|&unit| lacks(unit))?;
            let limit = units.min(start + size);
            end = (start..limit).find(|&unit| !lacks(unit)).unwrap_or(limit);
            Some(start..end)
        });
        let task = |(run, units)| Task { run, units };
        run.into_iter().flat_map(move |run| std::iter::repeat(run).zip(ranges.clone()).map(task))
    }

    /// Adds the tallies to the checkpoint file at `path` that it lacks, or begins one; returns how many
    /// that were. Passes over all units once for each kernel, version and number of threads. `observer` is
    /// told if nothing keeps other processes away from the file.
    ///
    /// # Errors
    /// If the file is in use, belongs to another run, is damaged, or cannot be read and written.
    pub fn fill_checkpoint(&self, path: &Path, observer: &dyn Observer) -> Result<u64, Error> {
        let Some(run) = self.run() else { return Ok(0) };
        let session = |(number, session): (usize, &Session)| {
            let units = (0..).zip(&self.source_of).zip(&self.tallies);
            let records = units.filter_map(move |((unit, &source), &tally)| {
                let source = self.sources.get((source as usize).checked_sub(1)?)?;
                let took = source.took / source.units as u32;
                (source.way as usize == number).then_some(UnitRecord { unit, tally, took })
            });
            (session.clone(), records)
        };
        let sessions = self.ways.iter().enumerate().map(session);
        Ok(checkpoint::add(path, run, sessions, observer)?)
    }
}

/// Whether `path` is no file but one that a shell has opened for this process: a pipe, perhaps.
fn is_handed_over(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd", "/dev/stdin"].iter().any(|folder| path.starts_with(folder))
}

fn on_all_threads(elapsed: Duration, threads: usize) -> Duration {
    elapsed.saturating_mul(u32::try_from(threads).unwrap_or(u32::MAX).max(1))
}
