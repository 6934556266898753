//! Results in a file, so that the same work again resumes where it ended before.
//!
//! Lines are only ever added, and each is on the disk before the next task begins. What a kill left of
//! a line is taken out when the file is opened again; nothing else in it ever changes.

use std::io::{BufReader, Read, Seek};
use std::path::Path;

use super::line::{RESULT_BEGINNING, TASK_BEGINNING};
use super::{MAX_LINE, Merge, Task, TaskResult};
use crate::error::{Error, FileError, shown};
use crate::log::{Log, Tail};
use crate::run::Run;

/// A file of results, locked for this process.
#[derive(Debug)]
pub struct ResultFile {
    log: Log,
    /// Its results when it was opened.
    held: Merge,
    /// The run of all its results.
    run: Option<Run>,
}

impl ResultFile {
    /// Opens the file at `path`, or makes one.
    ///
    /// # Errors
    /// [`Error::File`] if it is in use, cannot be read and written, or holds anything else than results.
    /// It is left as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let io = |error| FileError::io(path, "read", &error);
        let mut log = Log::open(path, true)?;
        // Results added to a plan would be read as tasks.
        if begins_with(&log, TASK_BEGINNING).map_err(io)? {
            return Err(FileError::Foreign { path: path.into(), what: "a plan" }.into());
        }
        let tail = log.tail(MAX_LINE)?;
        let is_torn = is_torn(&tail);
        let mut held = Merge::new();
        let whole = if is_torn { tail.start } else { u64::MAX };
        log.file().rewind().map_err(io)?;
        let lines = BufReader::with_capacity(1 << 16, log.file()).take(whole);
        held.read(&shown(path), lines).map_err(io)?;
        if let Some(fault) = held.faults().first() {
            return Err(FileError::WrongLine { fault: fault.to_string() }.into());
        }
        if is_torn {
            log.keep(tail.start)?;
        } else {
            // A line without its end: another program wrote it.
            log.append("\n").map_err(|error| FileError::io(path, "written", &error))?;
        }
        let run = held.run().cloned();
        Ok(Self { log, held, run })
    }

    /// Whether other processes are kept out; not so on some network file systems.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.log.is_locked()
    }

    /// What the file lacks of `task`: its units from the first one on that had no result when the file
    /// was opened; `None` if that is none.
    ///
    /// # Errors
    /// [`FileError::OtherPlan`] if it holds results of another plan.
    pub fn rest(&self, mut task: Task) -> Result<Option<Task>, Error> {
        self.judge(&task.run)?;
        if self.held.run().is_none() {
            return Ok(Some(task));
        }
        let missing = task.units.clone().find(|&unit| !self.held.holds(unit));
        Ok(missing.map(|first| {
            task.units.start = first;
            task
        }))
    }

    /// Adds a result, and waits until it is on the disk. If that fails, the file is as it was before.
    ///
    /// # Errors
    /// [`FileError::Io`], and [`FileError::OtherPlan`] if it holds results of another plan.
    pub fn append(&mut self, result: &TaskResult) -> Result<(), Error> {
        self.judge(&result.run)?;
        let appended = self.log.append(&(result.to_line() + "\n"));
        appended.map_err(|error| FileError::io(self.log.path(), "written", &error))?;
        self.run.get_or_insert_with(|| result.run.clone());
        Ok(())
    }

    /// Refuses another run than that of the results.
    fn judge(&self, run: &Run) -> Result<(), FileError> {
        match &self.run {
            Some(held) if held != run => {
                let (held, asked) = (held.id(), run.id());
                Err(FileError::OtherPlan { path: self.log.path().into(), held, asked })
            }
            _ => Ok(()),
        }
    }
}

/// Whether the file begins with `text`.
fn begins_with(log: &Log, text: &str) -> std::io::Result<bool> {
    let mut start = Vec::new();
    log.file().rewind()?;
    log.file().take(text.len() as u64).read_to_end(&mut start)?;
    Ok(start == text.as_bytes())
}

/// Whether the end of a file is nothing, or what a kill left of a result: its beginning, cut short.
fn is_torn(tail: &Tail) -> bool {
    let is_cut_short = || {
        let json = serde_json::from_slice::<serde::de::IgnoredAny>(&tail.bytes);
        json.is_err_and(|error| error.is_eof())
    };
    let beginning = RESULT_BEGINNING.as_bytes();
    beginning.starts_with(&tail.bytes) || tail.bytes.starts_with(beginning) && is_cut_short()
}
