//! Why the program ends without having done what was asked, and what it says then.
//!
//! The exit codes are decided here alone. A stream or file that fails is named by whoever knows it,
//! hence the conversions of [`io::Error`] by name; there is no `From<io::Error>`.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use nqueens::{Error, ErrorKind, FileError};

use super::context::standard_error;
use super::options::When;
use super::wording::shown;

/// Why the program ends without having done what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads our output any more; not an error.
    ClosedPipe,
    /// Exit code 1.
    Run(String),
    /// Exit code 2.
    Usage(String),
    /// Exit code 3.
    WrongResult(String),
    /// Exit code 128 + signal number.
    Signal(i32, String),
}

impl Failure {
    /// Standard output cannot be written.
    pub(crate) fn output(error: io::Error) -> Self {
        Self::stream("standard output", &error)
    }

    /// The stream of this name cannot be written.
    pub(crate) fn stream(name: &str, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Run(format!("cannot write to {name}: {error}")),
        }
    }

    /// Standard input cannot be read.
    pub(crate) fn input(error: io::Error) -> Self {
        Self::Run(format!("standard input: {error}"))
    }

    /// A file or folder cannot be used.
    pub(crate) fn file(path: &Path, error: impl Display) -> Self {
        Self::Run(format!("{}: {error}", shown(path)))
    }

    /// Says why the program fails, and returns its exit code.
    pub(crate) fn report(&self, color: When) -> ExitCode {
        let (code, message) = match self {
            Self::ClosedPipe => return ExitCode::SUCCESS,
            Self::Run(message) => (1, message),
            Self::Usage(message) => (2, message),
            Self::WrongResult(message) => (3, message),
            Self::Signal(signal, message) => {
                let _ = writeln!(standard_error(color), "{message}");
                return ExitCode::from(128u8.saturating_add(u8::try_from(*signal).unwrap_or(0)));
            }
        };
        let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let _ = writeln!(standard_error(color), "{style}error:{style:#} {message}");
        ExitCode::from(code)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = match hint(&error) {
            Some(hint) => format!("{error}; {hint}"),
            None => error.to_string(),
        };
        match error.kind() {
            ErrorKind::Usage | ErrorKind::Limit => Self::Usage(message),
            ErrorKind::WrongResult => Self::WrongResult(message),
            _ => Self::Run(message),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Error::from(error).into()
    }
}

/// What to do about an error, in words of the command line, which the library does not know.
fn hint(error: &Error) -> Option<&'static str> {
    match error {
        Error::File(error) => file_hint(error),
        Error::OutOfMemory => Some(
            "allow the lists less with --memory, or use fewer threads; what was saved stays good",
        ),
        _ => None,
    }
}

/// What to do about a file that cannot be used.
fn file_hint(error: &FileError) -> Option<&'static str> {
    Some(match error {
        FileError::InUse { .. } => "wait for it or stop it (`status` works meanwhile)",
        FileError::NotPlain { .. }
        | FileError::Foreign { .. }
        | FileError::OtherPlan { .. }
        | FileError::NoSuchRun { .. } => "give another file name",
        FileError::WrongLine { .. } => {
            "give another file name, or take out of this one what is no result"
        }
        FileError::NoHeader { .. } => "remove it to start again",
        FileError::DamagedHeader { .. } => "give another file name to start again",
        FileError::OtherFormat { .. } => "use that version, or give another file name",
        FileError::OtherUnits { .. } => "use the version that made it, or give another file name",
        FileError::OtherRun { .. } => {
            "count what it is for with `nqueens resume`, or give another file name"
        }
        FileError::Kept { .. } => "move it away",
        FileError::Damaged { .. } => {
            "`nqueens verify --repair` takes such lines out (their units are counted again) and keeps \
             the damaged file"
        }
        FileError::Repeated { .. } | FileError::NoSuchUnit { .. } => {
            "`nqueens verify --repair` takes that line out and keeps the damaged file"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_or_written_is_named() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let names = [
            (Failure::output(full()), "cannot write to standard output: "),
            (Failure::stream("standard error", &full()), "cannot write to standard error: "),
            (Failure::input(full()), "standard input: "),
            (Failure::file(Path::new("q22.nq"), full()), "q22.nq: "),
        ];
        for (failure, name) in names {
            assert!(matches!(failure, Failure::Run(message) if message.starts_with(name)));
        }
        let closed = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(matches!(Failure::output(closed), Failure::ClosedPipe));
    }
}
