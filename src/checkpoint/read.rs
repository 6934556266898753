//! Reads a checkpoint file from its beginning to its end.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use super::line::{Check, FORMAT, Header, HeaderFault, Line, Session, UnitRecord, is_beginning};
use crate::error::{Error, FileError};
use crate::log::{Lines, is_plain, open_to_read};
use crate::run::Run;
use crate::tally::Tally;
use crate::units::UnitSet;

/// A longer line is none of a checkpoint file.
const MAX_LINE: u64 = 1 << 16;

/// What a checkpoint file holds.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Saved {
    /// What is counted.
    pub run: Run,
    /// The program version that made the file.
    pub version: String,
    /// Every start of the program that counted something.
    pub sessions: Vec<Session>,
    /// Boards found so far.
    pub solutions: u128,
    /// Work done so far, that of the units.
    pub work: u128,
    /// The smallest number of boards that a unit holds, and the largest.
    pub range: Option<(u64, u64)>,
    pub(crate) done: UnitSet,
    /// Length of the complete lines.
    pub(super) end: u64,
    pub(super) check: Check,
}

impl Saved {
    pub(super) fn new(header: Header, end: u64, check: Check) -> Self {
        Self {
            done: UnitSet::new(header.run.units),
            run: header.run,
            version: header.version,
            sessions: Vec::new(),
            solutions: 0,
            work: 0,
            range: None,
            end,
            check,
        }
    }

    /// Number of units counted.
    #[must_use]
    pub fn units_done(&self) -> u64 {
        self.done.len()
    }

    /// The units that are not counted yet, in ascending order.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        (0..self.run.units).filter(|&unit| !self.done.contains(unit))
    }

    /// Time of all sessions, each until its last save.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let elapsed = self.sessions.iter().map(|session| session.elapsed);
        elapsed.fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Takes a line; false if its unit is there already or is none of this run.
    fn add(&mut self, line: Line, record: &mut impl FnMut(UnitRecord, &Session)) -> bool {
        match line {
            Line::Session(session) => self.sessions.push(session),
            Line::Time(elapsed) => self.session().elapsed = elapsed,
            Line::Unit(unit) => {
                if unit.unit >= self.run.units || !self.done.insert(unit.unit) {
                    return false;
                }
                let Tally { solutions, work } = unit.tally;
                self.solutions += u128::from(solutions);
                self.work += u128::from(work);
                let (least, most) = self.range.unwrap_or((solutions, solutions));
                self.range = Some((least.min(solutions), most.max(solutions)));
                let session = self.session();
                session.units += 1;
                record(unit, session);
            }
        }
        true
    }

    /// The session that counted what follows; nameless if its line is lost.
    fn session(&mut self) -> &mut Session {
        if self.sessions.is_empty() {
            self.sessions.push(Session::default());
        }
        self.sessions.last_mut().expect("one was added")
    }
}

/// Reads the checkpoint file at `path`, and tells `record` about every counted unit and the session
/// that counted it. The file may be in use.
///
/// Time: about 3 million units a second. Memory: one bit per unit.
///
/// # Errors
/// If the file cannot be read, or is damaged or foreign.
pub fn read(path: &Path, record: impl FnMut(UnitRecord, &Session)) -> Result<Saved, FileError> {
    let file = open_to_read(path)?;
    all(path, &file, None, record)
}

/// What the checkpoint file at `path` counts; only its first line is read.
///
/// # Errors
/// If there is no such line.
pub fn run(path: &Path) -> Result<Run, FileError> {
    let file = open_to_read(path)?;
    run_of(path, &file)
}

/// What `file`, the open file at `path`, counts.
pub(crate) fn run_of(path: &Path, file: &File) -> Result<Run, FileError> {
    header(&mut Lines::new(path, file)).map(|(header, _)| header.run)
}

/// What the file at `path` counts, or `None` if there is no file or an empty one.
pub(crate) fn peek(path: &Path) -> Result<Option<Run>, FileError> {
    is_plain(path)?;
    let file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|error| FileError::io(path, "read", &error))?,
    };
    match header(&mut Lines::new(path, &file)) {
        Ok((header, _)) => Ok(Some(header.run)),
        Err(FileError::NoHeader { .. }) if file.metadata().is_ok_and(|m| m.len() == 0) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What the file at `path` holds, if it can be read and holds every unit of `run`.
pub(crate) fn complete(path: &Path, run: &Run) -> Option<Saved> {
    let file = open_to_read(path).ok()?;
    let saved = all(path, &file, Some(run), |_, _| ()).ok()?;
    (saved.units_done() == run.units).then_some(saved)
}

/// Reads `file`, the open file at `path`; if `run` is given, the file must be of that run.
pub(crate) fn all(
    path: &Path,
    file: &File,
    run: Option<&Run>,
    record: impl FnMut(UnitRecord, &Session),
) -> Result<Saved, FileError> {
    lines(path, file, run, record, |_| ()).and_then(|(saved, fault)| fault.map_or(Ok(saved), Err))
}

/// Reads what can be read of `file`: tells `good` about every line that is complete and right, and
/// returns the first fault besides.
pub(super) fn lines(
    path: &Path,
    file: &File,
    run: Option<&Run>,
    mut record: impl FnMut(UnitRecord, &Session),
    mut good: impl FnMut(&[u8]),
) -> Result<(Saved, Option<FileError>), FileError> {
    let mut lines = Lines::new(path, file);
    let (header, check) = header(&mut lines)?;
    judge(path, &header.run, run)?;
    good(&lines.bytes);
    let mut saved = Saved::new(header, lines.end, check);
    let mut extra = None;
    let (mut damaged, mut first_damaged) = (0, 0);
    while lines.next_or_pass(MAX_LINE)? {
        let text = std::str::from_utf8(&lines.bytes).ok();
        let line = text.and_then(|text| Line::decode(check, text));
        let unit = if let Some(Line::Unit(unit)) = &line { unit.unit } else { 0 };
        if let Some(line) = line {
            if saved.add(line, &mut record) {
                good(&lines.bytes);
            } else {
                extra.get_or_insert((unit, lines.number));
            }
        } else {
            damaged += 1;
            first_damaged = if damaged == 1 { lines.number } else { first_damaged };
        }
    }
    saved.end = lines.end;
    let (path, units) = (path.to_path_buf(), saved.run.units);
    let fault = match extra {
        _ if damaged > 0 => Some(FileError::Damaged { path, damaged, line: first_damaged }),
        Some((unit, line)) if unit >= units => {
            Some(FileError::NoSuchUnit { path, unit, units, line })
        }
        Some((unit, line)) => Some(FileError::Repeated { path, unit, line }),
        None => None,
    };
    Ok((saved, fault))
}

/// Refuses a run that is not `expected`, or not one of this program: before memory is taken for as many
/// units as the file says it has.
fn judge(path: &Path, run: &Run, expected: Option<&Run>) -> Result<(), FileError> {
    let path = path.to_path_buf();
    match expected {
        Some(expected) => match run.mismatch(expected) {
            Some(mismatch) => Err(FileError::OtherRun { path, mismatch }),
            None => Ok(()),
        },
        None => match run.split() {
            Err(Error::OtherUnits(mismatch)) => Err(FileError::OtherUnits { path, mismatch }),
            Err(error) => Err(FileError::NoSuchRun { path, reason: error.to_string() }),
            Ok(_) => Ok(()),
        },
    }
}

/// Reads the first line.
fn header(lines: &mut Lines<'_>) -> Result<(Header, Check), FileError> {
    let path = lines.path().to_path_buf();
    // Whatever the file is, it need not be read whole to see that it is something else.
    let complete = lines.next(MAX_LINE)?;
    match Header::decode(&String::from_utf8_lossy(&lines.bytes)) {
        Ok(header) if complete => Ok(header),
        _ if !complete && is_beginning(&lines.bytes) => Err(FileError::NoHeader { path }),
        Ok(_) | Err(HeaderFault::Foreign) => {
            Err(FileError::Foreign { path, what: "no checkpoint file" })
        }
        Err(HeaderFault::Damaged) => Err(FileError::DamagedHeader { path }),
        Err(HeaderFault::OtherFormat { found, version }) => {
            Err(FileError::OtherFormat { path, found, known: FORMAT, version })
        }
    }
}
