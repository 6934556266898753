//! Every way in which the library can fail.

use crate::algorithm::Algorithm;
use crate::checkpoint::CheckpointError;
use crate::kernel::Kernel;
use crate::problem::MAX_N;
use crate::run::Mismatch;

/// Why a count could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The board has more rows than the masks have bits.
    #[error("board size {n} is above the maximum of {MAX_N}")]
    BoardTooLarge {
        /// The size asked for.
        n: u32,
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
    #[error("kernel {kernel} needs {} that this CPU lacks; it can run {}", missing.join(", "), Kernel::available().iter().map(|kernel| kernel.name()).collect::<Vec<_>>().join(", "))]
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
    /// The checkpoint file cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The units of a run are not those that this program would count under the same numbers.
    #[error("these are not the units of this program (version {}): {_0}", env!("CARGO_PKG_VERSION"))]
    OtherUnits(Mismatch),
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
    /// The run was stopped before all units were counted.
    #[error("stopped before the count was complete")]
    Stopped,
}
