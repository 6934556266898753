//! What this process may use of its machine: threads and memory.

mod memory;

pub use memory::{MemoryBound, memory_bound};

use crate::error::Error;

/// The largest number of threads that may be asked for.
pub const MAX_THREADS: usize = 4096;

/// The memory taken where the system does not say how much there is.
const UNKNOWN_MEMORY: u64 = 1 << 30;

/// The number of CPUs that this process may use: affinity and cgroup quotas count.
#[must_use]
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |cpus| cpus.get().min(MAX_THREADS))
}

/// Half of the memory that this process may still take, in bytes: half of [`memory_bound`], or 1 GiB where
/// the system does not say.
#[must_use]
pub fn default_memory() -> u64 {
    memory_bound().map_or(UNKNOWN_MEMORY, |bound| bound.bytes / 2)
}

/// `threads`, if so many may be asked for.
///
/// # Errors
/// [`Error::ThreadCount`].
pub(crate) fn checked_threads(threads: usize) -> Result<usize, Error> {
    if (1..=MAX_THREADS).contains(&threads) {
        Ok(threads)
    } else {
        Err(Error::ThreadCount { threads, max: MAX_THREADS })
    }
}
