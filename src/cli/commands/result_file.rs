//! Results in a file, so that the same command again goes on where the last one ended.
//!
//! Lines are only ever added, and each is on the disk before the next task begins. What a kill left of
//! a line is taken out when the file is opened again; nothing else in it ever changes.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use nqueens::tasks::{MAX_LINE, Merge, Task};

use crate::cli::failure::Failure;

/// How every line of results begins.
const BEGINNING: &[u8] = b"{\"result\":1,\"plan\":\"";

/// How a plan begins.
const PLAN: &[u8] = b"{\"task\":";

/// A file of results, locked for this process.
pub(super) struct ResultFile {
    path: PathBuf,
    file: File,
    /// Length of the complete lines.
    end: u64,
    held: Merge,
}

impl ResultFile {
    /// Opens the file at `path`, or makes one.
    ///
    /// # Errors
    /// If it is in use, cannot be read and written, or holds anything else than results. It is left
    /// as it was.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let io = |error: io::Error| Failure::file(path, error);
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io)?;
        lock(path, &file)?;
        if !file.metadata().map_err(io)?.is_file() {
            let path = path.display();
            return Err(Failure::Usage(format!("{path} is no plain file; give another file name")));
        }
        if is_plan(&mut file).map_err(io)? {
            let path = path.display();
            return Err(Failure::Usage(format!("{path} is a plan; give another file name")));
        }
        let tail = Tail::read(&mut file).map_err(io)?;
        let mut held = Merge::new();
        file.seek(SeekFrom::Start(0)).map_err(io)?;
        let lines = BufReader::with_capacity(1 << 16, file.try_clone().map_err(io)?);
        let whole = if tail.is_torn() { tail.start } else { u64::MAX };
        held.read(&path.display().to_string(), lines.take(whole)).map_err(io)?;
        if let Some(fault) = held.faults().first() {
            return Err(Failure::WrongResult(format!("{fault}; give another file name")));
        }
        let mut this = Self { path: path.into(), file, end: tail.start, held };
        if tail.is_torn() {
            this.file.set_len(this.end).map_err(io)?;
        } else {
            this.append(&String::from_utf8_lossy(&tail.bytes))?;
        }
        Ok(this)
    }

    /// What the file lacks of `task`: its units from the first one on that had no result when the file
    /// was opened; `None` if that is none.
    ///
    /// # Errors
    /// If it holds results of another plan.
    pub(super) fn rest(&self, mut task: Task) -> Result<Option<Task>, Failure> {
        match self.held.run() {
            Some(run) if *run != task.run => Err(Failure::Usage(format!(
                "{} holds results of plan {}, and the task is one of plan {}; give another file name",
                self.path.display(),
                run.id(),
                task.run.id()
            ))),
            Some(_) => {
                let missing = task.units.clone().find(|&unit| !self.held.holds(unit));
                Ok(missing.map(|first| {
                    task.units.start = first;
                    task
                }))
            }
            None => Ok(Some(task)),
        }
    }

    /// Adds a line, and waits until it is on the disk. If that fails, the file is as it was before.
    pub(super) fn append(&mut self, line: &str) -> Result<(), Failure> {
        let line = format!("{line}\n");
        let mut written = || {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(line.as_bytes())?;
            self.file.sync_data()
        };
        if let Err(error) = written() {
            let _ = self.file.set_len(self.end);
            return Err(Failure::file(&self.path, error));
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

fn lock(path: &Path, file: &File) -> Result<(), Failure> {
    let path = path.display();
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(Failure::Run(format!("{path} is in use by another process")))
        }
        // Some network file systems have no locks. Who uses them gives each job a file of its own.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => {
            Err(Failure::Run(format!("{path} cannot be locked: {error}")))
        }
    }
}

/// Whether the first line is a task. Results added to a plan would be read as tasks.
fn is_plan(file: &mut File) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(PLAN.len() as u64).read_to_end(&mut start)?;
    Ok(start == PLAN)
}

/// What stands behind the last end of line.
struct Tail {
    start: u64,
    bytes: Vec<u8>,
}

impl Tail {
    fn read(file: &mut File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let from = length.saturating_sub(MAX_LINE);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        bytes.drain(..lines);
        Ok(Self { start: length - bytes.len() as u64, bytes })
    }

    /// Whether it is nothing, or what a kill left of a result: its beginning, cut short.
    fn is_torn(&self) -> bool {
        let is_cut_short = || {
            let json = serde_json::from_slice::<serde::de::IgnoredAny>(&self.bytes);
            json.is_err_and(|error| error.is_eof())
        };
        BEGINNING.starts_with(&self.bytes) || self.bytes.starts_with(BEGINNING) && is_cut_short()
    }
}
