//! The subcommands, one file or folder each: its arguments, and `run`.
//!
//! None of them uses another one. What several share stands above them, in `src/cli`.

pub(super) mod count;
pub(super) mod solve;
pub(super) mod list;
pub(super) mod check;
pub(super) mod classes;
pub(super) mod resume;
pub(super) mod status;
pub(super) mod verify;
pub(super) mod estimate;
pub(super) mod plan;
pub(super) mod work;
pub(super) mod merge;
#[cfg(feature = "cluster")]
pub(super) mod cluster;
pub(super) mod test;
pub(super) mod bench;
pub(super) mod info;
pub(super) mod completions;
pub(super) mod man;
