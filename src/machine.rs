//! What this process may use of its machine: threads and memory.

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

/// Half of the memory that is available to this process, in bytes: cgroup limits count. 1 GiB where
/// the system does not say.
#[must_use]
pub fn default_memory() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return UNKNOWN_MEMORY };
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(limit) / 2
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
