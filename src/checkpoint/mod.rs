//! Progress of a run in a file, so that a run of weeks survives whatever ends it.
//!
//! The file is a log of text lines, each with a check sum. It begins with what identifies the run;
//! lines are only ever added at its end:
//!
//! ```text
//! nqueens-checkpoint 1 board 8 edges open queens - algorithm bitboard depth 2 rules 1 units 21 version 0.1.0 9d3c1a77
//! session threads 2 kernel avx2 version 0.1.0 started 1790000000 0b6f2c11     from here on counted by
//! 0 4 71 13 5e0c99d2                        unit, solutions, work, microseconds
//! 13 2 66 12 91aa03fe
//! time 1034 77d1f0c3                        microseconds of this session so far
//! ```
//!
//! A unit is counted exactly if its line is complete and its check sum right, and no unit is there
//! twice; so the sum of the lines is right at any time, whatever was lost. A thread of its own
//! writes and syncs the lines of the last second, and holds a lock on the file. Counting threads never
//! wait for a disk, and a full one costs no more than a warning.
//!
//! Why not a database: any first part of a log is a good checkpoint, where a truncated page
//! file is none; a flipped bit costs one unit, not the file; a full disk needs no more than
//! another attempt; `status` can read the file of a run that goes on; any program and any eye can
//! check it. redb was the other candidate: it writes as safely, but refuses a second reader.
//!
//! Time: one pass through the file to go on, about 3 million units a second. Disk: about 40
//! bytes per unit. Memory: one bit per unit.

mod error;
mod line;
mod read;
mod save;

use std::fs::{File, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use error::CheckpointError;
pub use line::{Session, UnitRecord};
pub use read::{Saved, read, run};

pub(crate) use line::begins;
pub(crate) use read::{all, peek, run_of};
pub(crate) use save::{Saver, Saving, add};

use crate::run::Run;
use line::{Check, Header};

/// A file that holds the progress of a run, locked for this process.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    path: PathBuf,
    file: File,
    /// Length of the part that is complete and synced.
    end: u64,
    check: Check,
}

impl Checkpoint {
    /// Opens the file at `path` to go on with `run`, or makes one if there is none; and returns what
    /// is saved in it.
    ///
    /// # Errors
    /// If the file is in use, belongs to another run, is damaged, or cannot be read and written. It
    /// is left as it was.
    pub(crate) fn open(path: &Path, run: &Run) -> Result<(Self, Saved), CheckpointError> {
        let io = |doing: &'static str| {
            move |error: std::io::Error| CheckpointError::io(path, doing, &error)
        };
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io("opened for reading and writing"))?;
        lock(path, &file)?;
        let length = file.metadata().map_err(io("read"))?.len();
        if length == 0 {
            return Self::create(path, file, run);
        }
        let saved = read::all(path, &file, Some(run), |_, _| ())?;
        let mut checkpoint = Self { path: path.into(), file, end: saved.end, check: saved.check };
        // What a kill left of a line would run into the next one.
        if length > checkpoint.end {
            checkpoint.file.set_len(checkpoint.end).map_err(io("written"))?;
        }
        checkpoint.file.seek(SeekFrom::Start(checkpoint.end)).map_err(io("read"))?;
        Ok((checkpoint, saved))
    }

    /// Begins the empty file at `path`.
    fn create(path: &Path, mut file: File, run: &Run) -> Result<(Self, Saved), CheckpointError> {
        let header = Header::of_this_program(run.clone());
        let (text, check) = header.encode();
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = written.and_then(|()| sync_folder(path)) {
            // The file was empty before.
            let _ = file.set_len(0);
            return Err(CheckpointError::io(path, "written", &error));
        }
        let end = text.len() as u64;
        let saved = Saved::new(header, end, check);
        Ok((Self { path: path.into(), file, end, check }, saved))
    }

    /// Adds `text`, complete lines, at the end, and waits until they are on the disk.
    fn append(&mut self, text: &str) -> std::io::Result<()> {
        let mut written = || {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(text.as_bytes())?;
            self.file.sync_data()
        };
        if let Err(error) = written() {
            // A part may have been written. Even if it stays, it is dropped when the run goes on.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += text.len() as u64;
        Ok(())
    }
}

/// Takes damaged and repeated lines out of the checkpoint file at `path`: their units are counted
/// again when the run goes on. The damaged file is kept, under the name that is returned; `None` if
/// there is nothing to repair.
///
/// # Errors
/// If the first line is damaged, the file is in use, or it cannot be read or written.
pub fn repair(path: &Path) -> Result<Option<PathBuf>, CheckpointError> {
    let io =
        |doing: &'static str| move |error: std::io::Error| CheckpointError::io(path, doing, &error);
    let file = File::options().read(true).write(true).open(path).map_err(io("opened"))?;
    lock(path, &file)?;
    let mut repaired = Vec::new();
    let (_, fault) = read::lines(
        path,
        &file,
        None,
        |_, _| (),
        |line| {
            repaired.extend_from_slice(line);
            repaired.push(b'\n');
        },
    )?;
    if fault.is_none() {
        return Ok(None);
    }
    let [damaged, new] = ["damaged", "repaired"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    });
    if damaged.exists() {
        return Err(CheckpointError::Kept { path: damaged });
    }
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(&repaired)?;
        file.sync_all()?;
        std::fs::hard_link(path, &damaged)?;
        std::fs::rename(&new, path)?;
        sync_folder(path)
    };
    write().map_err(io("repaired"))?;
    Ok(Some(damaged))
}

fn lock(path: &Path, file: &File) -> Result<(), CheckpointError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => CheckpointError::InUse { path: path.into() },
        TryLockError::Error(error) => CheckpointError::io(path, "locked", &error),
    })
}

/// Makes the name of a new file survive a power cut.
fn sync_folder(path: &Path) -> std::io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
