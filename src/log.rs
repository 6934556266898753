//! A file of lines that only ever grows: locked for this process, and good up to its last complete
//! line whatever happens. Under checkpoint files and files of results.
//!
//! Lines are added at the end and synced before anything else is done. What a kill or a power cut left
//! of a line that was being written has no end of line, so it does not count, and is cut off when the
//! file is opened again. A write that fails (a full disk) leaves the file as it was before. A file that
//! somebody removes or renames meanwhile can be [written again](Log::restore) under its name.
//!
//! **Locks.** A file that another process holds is refused. Some file systems have no locks (NFS
//! without a lock daemon, Lustre); there the file is used all the same, and [`is_locked`](Log::is_locked)
//! says so: whoever starts one process per file is safe.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::FileError;

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// A locked file of lines, open for adding more.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// Length of the part that is complete and synced.
    end: u64,
    is_locked: bool,
}

/// What stands behind the last end of line of a file.
#[derive(Debug)]
pub(crate) struct Tail {
    /// Where it begins.
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
}

/// What can be done to a plain file.
type Tried = fn(&Path, &io::Error) -> FileError;

const OPENED: Tried = |path, error| FileError::io(path, "opened for reading and writing", error);
const READ: Tried = |path, error| FileError::io(path, "read", error);
const WRITTEN: Tried = |path, error| FileError::io(path, "written", error);

impl Log {
    /// Opens the file at `path`, or makes an empty one if `create` says so. Nothing in it is changed
    /// before [`keep`](Self::keep).
    ///
    /// # Errors
    /// [`FileError::Io`], [`FileError::NotPlain`], [`FileError::InUse`].
    pub(crate) fn open(path: &Path, create: bool) -> Result<Self, FileError> {
        is_plain(path)?;
        let mut options = File::options();
        options.read(true).write(true).create(create).truncate(false);
        let file = options.open(path).map_err(|error| OPENED(path, &error))?;
        let is_locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(FileError::InUse { path: path.into() }),
            Err(TryLockError::Error(_)) => false,
        };
        let metadata = file.metadata().map_err(|error| READ(path, &error))?;
        if !metadata.is_file() {
            return Err(FileError::NotPlain { path: path.into() });
        }
        Ok(Self { path: path.into(), file, end: metadata.len(), is_locked })
    }

    /// Its name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to be read.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Length in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.end
    }

    /// Whether other processes are kept out.
    pub(crate) fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// Its last `most` bytes at most, from behind the last end of line on.
    pub(crate) fn tail(&mut self, most: u64) -> Result<Tail, FileError> {
        let mut bytes = Vec::new();
        let from = SeekFrom::Start(self.end.saturating_sub(most));
        let read = self.file.seek(from).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|error| READ(&self.path, &error))?;
        let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        bytes.drain(..lines);
        Ok(Tail { start: self.end - bytes.len() as u64, bytes })
    }

    /// Keeps the first `end` bytes, complete lines, and cuts off what stands behind them.
    pub(crate) fn keep(&mut self, end: u64) -> Result<(), FileError> {
        if end < self.end {
            self.file.set_len(end).map_err(|error| WRITTEN(&self.path, &error))?;
            self.end = end;
        }
        Ok(())
    }

    /// Writes the first lines of an empty file, and makes its name survive a power cut.
    pub(crate) fn begin(&mut self, text: &str) -> Result<(), FileError> {
        let begun = self.append(text).and_then(|()| sync_folder(&self.path));
        begun.map_err(|error| {
            // The file was empty before.
            let _ = self.file.set_len(0);
            self.end = 0;
            WRITTEN(&self.path, &error)
        })
    }

    /// Adds `text`, complete lines, at the end, and waits until they are on the disk. If that fails,
    /// the file is as it was before. It fails if the file is no longer the one that has this name, or no
    /// longer as long as it was.
    pub(crate) fn append(&mut self, text: &str) -> io::Result<()> {
        self.is_in_place()?;
        let mut written = || {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(text.as_bytes())?;
            self.file.sync_data()
        };
        if let Err(error) = written() {
            // A part may have been written. Even if it stays, it is cut off when the file is opened.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += text.len() as u64;
        Ok(())
    }
}

impl Log {
    /// Adds as many of the lines of `text` as there is room for, and returns their length; `error` is
    /// that of adding them all.
    pub(crate) fn append_what_fits(&mut self, text: &str, error: &io::Error) -> usize {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        if !matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull) {
            return 0;
        }
        let mut added = 0;
        let mut most = text.len();
        // Halves, quarters and so on, down to single lines.
        loop {
            most /= 2;
            let part = &text.as_bytes()[added..(added + most).min(text.len())];
            let Some(end) = part.iter().rposition(|&byte| byte == b'\n') else { return added };
            if self.append(&text[added..=added + end]).is_ok() {
                added += end + 1;
            }
        }
    }
}

/// What others did to the file, as its errors say it.
const GONE: &str = "it was removed or renamed";
const REPLACED: &str = "another file has its name now";
const CUT: &str = "it was cut off";

#[cfg(unix)]
impl Log {
    /// Whether the file is where it was, and as it was.
    fn is_in_place(&self) -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let own = self.file.metadata()?;
        if own.len() < self.end {
            return Err(io::Error::other(CUT));
        }
        match std::fs::metadata(&self.path) {
            Ok(there) if (there.dev(), there.ino()) == (own.dev(), own.ino()) => Ok(()),
            Ok(_) => Err(io::Error::other(REPLACED)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(io::Error::other(GONE)),
            Err(error) => Err(error),
        }
    }

    /// Writes the file again under its name, if that is free: for as long as it is open its content is
    /// there, wherever it went. False if there is nothing to be done, or nothing that can be done.
    pub(crate) fn restore(&mut self) -> io::Result<bool> {
        if self.is_in_place().is_ok() || self.file.metadata()?.len() < self.end {
            return Ok(false);
        }
        let mut file =
            match File::options().read(true).write(true).create_new(true).open(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                file => file?,
            };
        let is_locked = file.try_lock().is_ok();
        self.file.rewind()?;
        let copied = io::copy(&mut (&self.file).take(self.end), &mut file)
            .and_then(|_| file.sync_all())
            .and_then(|()| sync_folder(&self.path));
        if let Err(error) = copied {
            let _ = std::fs::remove_file(&self.path);
            return Err(error);
        }
        (self.file, self.is_locked) = (file, is_locked);
        Ok(true)
    }
}

#[cfg(not(unix))]
impl Log {
    /// Where files that are open cannot be removed or renamed, they are in place.
    fn is_in_place(&self) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn restore(&mut self) -> io::Result<bool> {
        Ok(false)
    }
}

/// Refuses what is there under the name `path` and is no plain file, before it is opened: to open a pipe
/// that nobody writes to would take forever.
pub(crate) fn is_plain(path: &Path) -> Result<(), FileError> {
    match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(FileError::NotPlain { path: path.into() }),
        _ => Ok(()),
    }
}

/// Opens a plain file to read it.
pub(crate) fn open_to_read(path: &Path) -> Result<File, FileError> {
    is_plain(path)?;
    File::open(path).map_err(|error| READ(path, &error))
}

/// The complete lines of a file, from its beginning.
pub(crate) struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<&'a File>,
    /// The line read last, without its end.
    pub(crate) bytes: Vec<u8>,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Length of the lines read so far.
    pub(crate) end: u64,
}

impl<'a> Lines<'a> {
    /// The lines of `file`, the open file at `path`.
    pub(crate) fn new(path: &'a Path, file: &'a File) -> Self {
        let reader = BufReader::with_capacity(BUFFER, file);
        Self { path, reader, bytes: Vec::new(), number: 0, end: 0 }
    }

    /// The file.
    pub(crate) fn path(&self) -> &'a Path {
        self.path
    }

    /// Reads the next line of at most `most` bytes, end of line included; false if there is none that
    /// is complete.
    pub(crate) fn next(&mut self, most: u64) -> Result<bool, FileError> {
        let read = self.read_up_to(most)?;
        Ok(self.is_complete(read))
    }

    /// The same, but a longer line is passed over, in bounded memory, and taken for an empty one.
    pub(crate) fn next_or_pass(&mut self, most: u64) -> Result<bool, FileError> {
        let mut passed = 0;
        loop {
            let read = self.read_up_to(most)?;
            if read < most || self.bytes.ends_with(b"\n") {
                let is_complete = self.is_complete(passed + read);
                if passed > 0 {
                    self.bytes.clear();
                }
                return Ok(is_complete);
            }
            passed += read;
        }
    }

    /// Reads what is left of a line, but no more than `most` bytes; returns how many these are.
    fn read_up_to(&mut self, most: u64) -> Result<u64, FileError> {
        self.bytes.clear();
        let read = self.reader.by_ref().take(most).read_until(b'\n', &mut self.bytes);
        read.map(|read| read as u64).map_err(|error| READ(self.path, &error))
    }

    /// Takes the end off the line that was read, of `len` bytes in all: that of any system.
    fn is_complete(&mut self, len: u64) -> bool {
        if self.bytes.pop_if(|last| *last == b'\n').is_none() {
            return false;
        }
        self.bytes.pop_if(|last| *last == b'\r');
        self.number += 1;
        self.end += len;
        true
    }
}

/// Makes the name of a new file survive a power cut.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
