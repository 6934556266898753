//! Standard output: what cannot be written to it is an error, and a slow reader is waited for.
//!
//! **Closed** (`nqueens 8 >&-`). The runtime opens a null device in its place before `main`, so that no
//! file that is opened later becomes standard output; whatever is written then is lost without an error.
//! So it is looked at before that.
//!
//! **Not blocking.** Another program that holds the other end of the same pipe or terminal may have made it
//! so. A write that finds no room is then no failure: it is tried again when there is some.

use std::io::{self, LineWriter, Write};

/// Standard output, line by line.
pub(crate) fn standard() -> LineWriter<Output> {
    LineWriter::new(Output)
}

/// Whether there is a standard output, for those who write to it in another way.
///
/// # Errors
/// That of a write to it, if it is closed.
pub(crate) fn check() -> io::Result<()> {
    #[cfg(unix)]
    unix::check()?;
    Ok(())
}

/// Standard output, unbuffered.
#[derive(Debug)]
pub(crate) struct Output;

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::{Errno, fcntl_getfd, write};
    use rustix::stdio::stdout;

    static IS_CLOSED: AtomicBool = AtomicBool::new(false);

    // Nothing here needs what is set up before `main`.
    #[ctor::ctor(unsafe)]
    fn look() {
        IS_CLOSED.store(fcntl_getfd(stdout()) == Err(Errno::BADF), Ordering::Relaxed);
    }

    pub(super) fn check() -> io::Result<()> {
        if IS_CLOSED.load(Ordering::Relaxed) { Err(Errno::BADF.into()) } else { Ok(()) }
    }

    pub(super) fn write_some(bytes: &[u8]) -> io::Result<usize> {
        check()?;
        loop {
            match write(stdout(), bytes) {
                Err(Errno::AGAIN) => {
                    poll(&mut [PollFd::new(&stdout(), PollFlags::OUT)], None)?;
                }
                written => return Ok(written?),
            }
        }
    }
}

impl Write for Output {
    #[cfg(unix)]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unix::write_some(bytes)
    }

    #[cfg(not(unix))]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stdout().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
