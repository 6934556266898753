//! Every way in which the library can fail, and whose fault it is.
//!
//! An error holds names and numbers only, and its text says what is wrong. What to do about it depends
//! on who asked, so that is for callers to say: the command line adds its own hints, and takes its
//! exit codes from [`Error::kind`].

use std::fmt;
use std::path::{Path, PathBuf};

use crate::algorithm::Algorithm;
use crate::kernel::Kernel;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Whose fault an [`Error`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was asked for does not exist, or does not go together.
    Usage,
    /// What was asked for is more than this program or this machine allows.
    Limit,
    /// A file is damaged.
    Damage,
    /// A result is wrong: a machine or a program made an error.
    WrongResult,
    /// Counting could not go on: the system refused something, or a number outgrew its type.
    Machine,
    /// It was stopped as asked for.
    Stopped,
}

/// Why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The board has more rows than the masks have bits.
    #[error("board size {n} is above the maximum of {max}")]
    BoardTooLarge {
        /// The size asked for.
        n: u32,
        /// The largest size.
        max: u32,
    },
    /// A queen was to be placed outside the board.
    #[error(
        "row {row}, column {column} is not on the board of {n} x {n} (rows and columns start at 1)"
    )]
    OffBoard {
        /// The board size.
        n: u32,
        /// Row asked for, from 1.
        row: u64,
        /// Column asked for, from 1.
        column: u64,
    },
    /// A queen was to be placed where another one attacks it, or on top of it.
    #[error(
        "row {row}, column {column} is attacked by a queen that was placed before (rows and columns start at 1)"
    )]
    Attacked {
        /// Row asked for, from 1.
        row: u32,
        /// Column asked for, from 1.
        column: u32,
    },
    /// This CPU lacks instructions that the kernel needs.
    #[error("kernel {kernel} needs {} that this CPU lacks; it can run {}", missing.join(", "), available())]
    KernelMissing {
        /// The kernel asked for.
        kernel: Kernel,
        /// The CPU features that are missing.
        missing: Vec<&'static str>,
    },
    /// The memory that a thread may take is too little for the join.
    #[error(
        "the join of board size {n} needs {} MiB per thread, and {} MiB are allowed (the limit shared among the threads): allow more, or use fewer threads", needed.div_ceil(1 << 20), limit >> 20
    )]
    MemoryTooSmall {
        /// The board size.
        n: u32,
        /// The least that a thread needs.
        needed: u64,
        /// What a thread may take.
        limit: u64,
    },
    /// The units of an algorithm cannot be split at this depth.
    #[error("split depth {depth} is not between 1 and {max}")]
    SplitDepth {
        /// The depth asked for, in rows.
        depth: u32,
        /// The deepest split of that algorithm.
        max: u32,
    },
    /// No thread, or more than a pool can hold.
    #[error("{threads} threads are not between 1 and {max}")]
    ThreadCount {
        /// The number asked for.
        threads: usize,
        /// The largest number of threads.
        max: usize,
    },
    /// The operating system refused to start the threads.
    #[error("could not start {threads} threads: {reason}")]
    ThreadStart {
        /// The number asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The count of one unit does not fit 64 bits; a deeper split makes units smaller.
    #[error("the count of unit {unit} of algorithm {algorithm} does not fit 64 bits")]
    Overflow {
        /// Index of the unit.
        unit: u64,
        /// The algorithm that counted it.
        algorithm: Algorithm,
    },
    /// The system had no memory for the lists of one unit.
    #[error("the system has no memory for the lists of a unit")]
    OutOfMemory,
    /// A checkpoint file or a file of results cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The units of a run are not those that this program would count under the same numbers.
    #[error("these are not the units of this program (version {VERSION}): {_0}")]
    OtherUnits(Mismatch),
    /// A range of units that a run does not have.
    #[error("units {start}..{end} are not among the {units} units of the run")]
    NoSuchUnits {
        /// The first unit asked for.
        start: u64,
        /// The one behind the last.
        end: u64,
        /// Number of units.
        units: u64,
    },
    /// A share that is no share.
    #[error("a share of {share} is not above 0 and at most 1")]
    Share {
        /// What was asked for, as a number.
        share: String,
    },
    /// Two wishes that do not go together.
    #[error("{what} cannot be had")]
    Unsupported {
        /// What was asked for.
        what: &'static str,
    },
    /// The board is larger than this way of making or writing it allows.
    #[error("board size {n} is above the maximum of {max} for {what}")]
    AboveLimit {
        /// What was asked for.
        what: &'static str,
        /// The board size.
        n: u32,
        /// The largest board size for it.
        max: u32,
    },
    /// Counts that do not belong to one board: the classes they make are no whole numbers. At least
    /// one of them is wrong.
    #[error(
        "for n = {n}, {solutions} boards, {half_turn} of them half-turn and {quarter_turn} quarter-turn symmetric, cannot all be right: their classes are no whole numbers"
    )]
    Inconsistent {
        /// The board size.
        n: u32,
        /// All boards.
        solutions: u128,
        /// Those that a half turn leaves as they are.
        half_turn: u64,
        /// Those that a quarter turn leaves as they are.
        quarter_turn: u64,
    },
    /// A count is another one than was published.
    #[error(
        "counted {counted} for N = {n}, but OEIS {sequence} has {known}: this machine or program made an error"
    )]
    NotAsPublished {
        /// The board size.
        n: u32,
        /// The count.
        counted: u128,
        /// The published count.
        known: u64,
        /// Where it is published: the number of an OEIS sequence.
        sequence: &'static str,
    },
    /// Two ways to count the same boards do not agree.
    #[error(
        "N = {n}: {one} counted {counted}, and {other} counted {recounted}: one of them is wrong"
    )]
    CountsDiffer {
        /// The board size.
        n: u32,
        /// The algorithm that counted first.
        one: Algorithm,
        /// Its count.
        counted: u128,
        /// The algorithm that counted again.
        other: Algorithm,
        /// Its count.
        recounted: u128,
    },
    /// It was stopped before all units were counted.
    #[error("stopped before the count was complete")]
    Stopped,
}

impl Error {
    /// Whose fault it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::OffBoard { .. }
            | Self::Attacked { .. }
            | Self::KernelMissing { .. }
            | Self::SplitDepth { .. }
            | Self::OtherUnits(_)
            | Self::NoSuchUnits { .. }
            | Self::Share { .. }
            | Self::Unsupported { .. } => ErrorKind::Usage,
            Self::BoardTooLarge { .. }
            | Self::MemoryTooSmall { .. }
            | Self::ThreadCount { .. }
            | Self::AboveLimit { .. } => ErrorKind::Limit,
            Self::Inconsistent { .. } | Self::NotAsPublished { .. } | Self::CountsDiffer { .. } => {
                ErrorKind::WrongResult
            }
            Self::ThreadStart { .. } | Self::Overflow { .. } | Self::OutOfMemory => {
                ErrorKind::Machine
            }
            Self::File(error) => error.kind(),
            Self::Stopped => ErrorKind::Stopped,
        }
    }
}

/// Names of the kernels that this CPU can run.
fn available() -> String {
    Kernel::available().iter().map(|kernel| kernel.name()).collect::<Vec<_>>().join(", ")
}

/// A field in which a run is another one than expected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// Its name.
    pub field: &'static str,
    /// Its value.
    pub found: String,
    /// The value expected.
    pub expected: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its {} is {}, not {}", self.field, self.found, self.expected)
    }
}

/// Why a checkpoint file or a file of results cannot be used. The file is as it was before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The operating system refused.
    #[error("{} cannot be {doing}: {reason}", shown(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        reason: String,
    },
    /// Another process holds the lock.
    #[error("{} is in use by another process", shown(path))]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is a folder, a device or a pipe.
    #[error("{} is no plain file", shown(path))]
    NotPlain {
        /// Its name.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is {what}, and stays as it is", shown(path))]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is, or is not.
        what: &'static str,
    },
    /// The file ends inside its first line.
    #[error("{} ends inside its first line, so nothing is saved in it", shown(path))]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// The first line does not match its check sum.
    #[error(
        "{} is damaged in line 1, which says what was counted, so nothing in it can be used",
        shown(path)
    )]
    DamagedHeader {
        /// The file.
        path: PathBuf,
    },
    /// Another version of this program wrote the file.
    #[error(
        "{} was written by version {version}, in a form (format {found}) that this version {VERSION} (format {known}) does not know",
        shown(path)
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
    #[error("{} belongs to another run: {mismatch}", shown(path))]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What differs.
        mismatch: Mismatch,
    },
    /// The units of the file are not those that this program would count under the same numbers.
    #[error("{} holds other units than version {VERSION} counts: {mismatch}", shown(path))]
    OtherUnits {
        /// The file.
        path: PathBuf,
        /// What differs.
        mismatch: Mismatch,
    },
    /// The first line is right by its check sum, but nothing that can be counted.
    #[error("{} says in line 1 that it counts what there is not: {reason}", shown(path))]
    NoSuchRun {
        /// The file.
        path: PathBuf,
        /// Why there is no such run.
        reason: String,
    },
    /// The file holds results of another plan than the task is one of.
    #[error("{} holds results of plan {held}, and the task is one of plan {asked}", shown(path))]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// The plan of its results.
        held: String,
        /// The plan of the task.
        asked: String,
    },
    /// A line of a file of results is wrong.
    #[error("{fault}")]
    WrongLine {
        /// File, line, and what is wrong with it.
        fault: String,
    },
    /// There is a file already where the damaged or the repaired one would be.
    #[error("{} is there already, and a repair needs that name", shown(path))]
    Kept {
        /// That file.
        path: PathBuf,
    },
    /// Lines do not match their check sums.
    #[error(
        "{} is damaged: {damaged} line{} not match the check sum, the first of them line {line}",
        shown(path), if *damaged == 1 { " does" } else { "s do" }
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Number of damaged lines.
        damaged: u64,
        /// The first of them, from 1.
        line: u64,
    },
    /// A unit is there that the run does not have.
    #[error("{} holds unit {unit} in line {line}, and its run has {units} units", shown(path))]
    NoSuchUnit {
        /// The file.
        path: PathBuf,
        /// The unit.
        unit: u64,
        /// Number of units, which begin with 0.
        units: u64,
        /// The line, from 1.
        line: u64,
    },
    /// A unit is there twice.
    #[error("{} holds unit {unit} twice, the second time in line {line}", shown(path))]
    Repeated {
        /// The file.
        path: PathBuf,
        /// The unit.
        unit: u64,
        /// The second line that holds it, from 1.
        line: u64,
    },
}

impl FileError {
    pub(crate) fn io(path: &Path, doing: &'static str, error: &std::io::Error) -> Self {
        Self::Io { path: path.into(), doing, reason: error.to_string() }
    }

    /// Whose fault it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { .. } | Self::InUse { .. } | Self::Kept { .. } => ErrorKind::Machine,
            Self::NotPlain { .. }
            | Self::Foreign { .. }
            | Self::OtherFormat { .. }
            | Self::OtherRun { .. }
            | Self::OtherUnits { .. }
            | Self::NoSuchRun { .. }
            | Self::OtherPlan { .. } => ErrorKind::Usage,
            Self::NoHeader { .. }
            | Self::DamagedHeader { .. }
            | Self::Damaged { .. }
            | Self::NoSuchUnit { .. }
            | Self::Repeated { .. } => ErrorKind::Damage,
            Self::WrongLine { .. } => ErrorKind::WrongResult,
        }
    }
}

/// The name of a file in a message of one line: a line end in it does not begin another.
pub(crate) fn shown(path: &Path) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.into() };
    path.display().to_string().chars().map(escaped).collect()
}
