//! How this program was built.

use serde::{Deserialize, Serialize};

/// What `--version` prints behind the name.
pub(crate) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit:   ",
    env!("NQUEENS_COMMIT"),
    "\ncompiler: ",
    env!("NQUEENS_COMPILER"),
    "\ntarget:   ",
    env!("NQUEENS_TARGET"),
    "\nprofile:  ",
    env!("NQUEENS_PROFILE"),
);

/// The build of a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Build {
    /// Version of the package.
    pub(crate) version: String,
    /// Commit of the sources, `-dirty` if they were changed; `unknown` in debug builds.
    pub(crate) commit: String,
    /// The compiler's own name and version.
    pub(crate) compiler: String,
    /// Target triple.
    pub(crate) target: String,
    /// Cargo profile.
    pub(crate) profile: String,
    /// Optimisation level: `0` to `3`, `s` or `z`.
    pub(crate) opt_level: String,
    /// Whether debug assertions are compiled in, which cost time.
    pub(crate) debug_assertions: bool,
}

impl Build {
    /// The build of this program.
    pub(crate) fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: env!("NQUEENS_COMMIT").into(),
            compiler: env!("NQUEENS_COMPILER").into(),
            target: env!("NQUEENS_TARGET").into(),
            profile: env!("NQUEENS_PROFILE").into(),
            opt_level: env!("NQUEENS_OPT_LEVEL").into(),
            debug_assertions: cfg!(debug_assertions),
        }
    }

    /// Whether its times mean anything.
    pub(crate) fn is_optimised(&self) -> bool {
        self.opt_level == "3" && !self.debug_assertions
    }
}
