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
//! Why not a database: any beginning of a log is a good checkpoint, where a truncated page
//! file is none; a flipped bit costs one unit, not the file; a full disk needs no more than
//! another attempt; `status` can read a file in use; any program and any eye can
//! check it. redb was the other candidate: it writes as safely, but refuses a second reader.
//!
//! Time: one pass through the file to resume, about 3 million units a second. Disk: about 40
//! bytes per unit. Memory: one bit per unit.

mod line;
mod read;
mod save;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

pub use line::{Session, UnitRecord};
pub use read::{Saved, read, run};

pub(crate) use line::begins;
pub(crate) use read::{all, complete, peek, run_of};
pub(crate) use save::{Saver, add};

use crate::error::FileError;
use crate::execute::Observer;
use crate::log::{Log, sync_folder};
use crate::run::Run;
use line::{Check, Header};

/// A file that holds the progress of a run, locked for this process.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    log: Log,
    check: Check,
}

impl Checkpoint {
    /// Opens the file at `path` to resume `run`, or makes one if there is none; and returns what is
    /// saved in it.
    ///
    /// # Errors
    /// If the file is in use, belongs to another run, is damaged, or cannot be read and written. It
    /// is left as it was.
    pub(crate) fn open(path: &Path, run: &Run) -> Result<(Self, Saved), FileError> {
        let mut log = Log::open(path, true)?;
        if log.len() == 0 {
            let header = Header::of_this_program(run.clone());
            let (text, check) = header.encode();
            log.begin(&text)?;
            let saved = Saved::new(header, log.len(), check);
            return Ok((Self { log, check }, saved));
        }
        let saved = read::all(path, log.file(), Some(run), |_, _| ())?;
        // What a kill left of a line would run into the next one.
        log.keep(saved.end)?;
        Ok((Self { log, check: saved.check }, saved))
    }
}

/// Takes damaged and repeated lines out of the checkpoint file at `path`: their units are counted
/// again when the run is resumed. The damaged file is kept, under the name that is returned; `None` if
/// there is nothing to repair. `observer` is told if nothing keeps other processes away from it: one that
/// uses it would write on into the file that is kept.
///
/// If `path` is a symbolic link, the file that it leads to is repaired, and the damaged one kept beside
/// that. Mode and owner stay. No other file is written to, and a repair that fails leaves none behind.
///
/// # Errors
/// If the first line is damaged, the file is in use, a file of that name is there already, or it cannot be
/// read or written.
pub fn repair(path: &Path, observer: &dyn Observer) -> Result<Option<PathBuf>, FileError> {
    let path = &path.canonicalize().map_err(|error| FileError::io(path, "opened", &error))?;
    let log = Log::open(path, false)?;
    warn_if_unlocked(&log, observer);
    let mut repaired = Vec::new();
    let (_, fault) = read::lines(
        path,
        log.file(),
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
    // A link that leads nowhere is there, too.
    if let Some(taken) = [&damaged, &new].into_iter().find(|name| name.symlink_metadata().is_ok()) {
        return Err(FileError::Kept { path: taken.clone() });
    }
    let made = make_like(log.file(), &new, &repaired).and_then(|()| {
        std::fs::hard_link(path, &damaged)?;
        std::fs::rename(&new, path).inspect_err(|_| {
            let _ = std::fs::remove_file(&damaged);
        })
    });
    made.inspect_err(|_| {
        let _ = std::fs::remove_file(&new);
    })
    .and_then(|()| sync_folder(path))
    .map_err(|error| FileError::io(path, "repaired", &error))?;
    Ok(Some(damaged))
}

/// Makes a new file at `path` with this content, and the mode and owner of `file`.
fn make_like(file: &File, path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut new = File::create_new(path)?;
    let like = file.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = new.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            fchown(&new, Some(like.uid()), Some(like.gid()))?;
        }
    }
    new.set_permissions(like.permissions())?;
    new.write_all(content)?;
    new.sync_all()
}

fn warn_if_unlocked(log: &Log, observer: &dyn Observer) {
    if !log.is_locked() {
        observer.unlocked(log.path());
    }
}
