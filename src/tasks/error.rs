//! Why a line is neither a task nor a result.

use crate::error::Mismatch;

/// Why a line is no task or result that this program can use; worded to follow the name of the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// It is something else, or damaged so much that it looks so.
    #[error("is neither a task nor a result, or a damaged one: {reason}")]
    Foreign {
        /// What is wrong with it.
        reason: String,
    },
    /// It is something else: lines of a log, say.
    #[error("is neither a task nor a result, which begin with a brace: {begins:?}")]
    NoBrace {
        /// Its beginning.
        begins: String,
    },
    /// It is not text as it should be, and neither is what follows it.
    #[error("is no text in UTF-8: {what}")]
    Encoding {
        /// What it is instead.
        what: &'static str,
    },
    /// Another version of this program wrote it.
    #[error(
        "has format {found}, written by version {version}; this is version {} and reads format {known}",
        env!("CARGO_PKG_VERSION")
    )]
    OtherFormat {
        /// Its format.
        found: u64,
        /// The format that this program reads.
        known: u64,
        /// The program version that wrote it, as it calls itself.
        version: String,
    },
    /// It does not match its check sum.
    #[error(
        "does not match its check sum: it is damaged (without it, its units are missing, and can be \
         counted again)"
    )]
    Damaged,
    /// Its units are not those of this program.
    #[error(
        "has other units than this program (version {}) would count under the same numbers: {_0}",
        env!("CARGO_PKG_VERSION")
    )]
    OtherUnits(Mismatch),
}
