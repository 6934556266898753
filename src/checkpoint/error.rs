//! Why a checkpoint file cannot be used, and what to do then.

use std::path::{Path, PathBuf};

use crate::run::Mismatch;

/// Why a checkpoint file cannot be used. The file is as it was before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The operating system refused.
    #[error("{} cannot be {doing}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        reason: String,
    },
    /// Another process holds the lock.
    #[error(
        "{} is in use by another process; wait for it or stop it (`status` works meanwhile)",
        path.display()
    )]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error(
        "{} is no checkpoint file, and stays as it is; give another file name",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file ends inside its first line.
    #[error(
        "{} ends inside its first line, so nothing is saved in it; remove it to start again",
        path.display()
    )]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// The first line does not match its check sum.
    #[error(
        "{} is damaged in line 1, which says what was counted, so nothing in it can be used; give \
         another file name to start again",
        path.display()
    )]
    DamagedHeader {
        /// The file.
        path: PathBuf,
    },
    /// Another version of this program wrote the file.
    #[error(
        "{} has format {found}, written by version {version}; this is version {} and reads format \
         {known}; go on with that version, or give another file name",
        path.display(), env!("CARGO_PKG_VERSION")
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that this program reads.
        known: u32,
        /// The program version that wrote the file, as it calls itself.
        version: String,
    },
    /// The file belongs to another run.
    #[error(
        "{} belongs to another run: {mismatch}; go on with `nqueens resume`, or give another file name",
        path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What differs.
        mismatch: Mismatch,
    },
    /// There is a file already where the damaged one would be kept.
    #[error(
        "{} is there already, so the damaged file cannot be kept under that name; move it away",
        path.display()
    )]
    Kept {
        /// That file.
        path: PathBuf,
    },
    /// Lines do not match their check sums.
    #[error(
        "{} is damaged: {damaged} line{} not match the check sum, the first of them line {line}; \
         `nqueens verify --repair` takes such lines out (their units are counted again) and keeps the \
         damaged file",
        path.display(), if *damaged == 1 { " does" } else { "s do" }
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Number of damaged lines.
        damaged: u64,
        /// The first of them, from 1.
        line: u64,
    },
    /// A unit is there twice.
    #[error(
        "{} holds unit {unit} twice, the second time in line {line}; `nqueens verify --repair` takes \
         that line out and keeps the damaged file",
        path.display()
    )]
    Repeated {
        /// The file.
        path: PathBuf,
        /// The unit.
        unit: u64,
        /// The second line that holds it, from 1.
        line: u64,
    },
}

impl CheckpointError {
    pub(crate) fn io(path: &Path, doing: &'static str, error: &std::io::Error) -> Self {
        Self::Io { path: path.into(), doing, reason: error.to_string() }
    }
}
