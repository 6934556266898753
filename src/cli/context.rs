//! What a command needs besides its own arguments: threads, how much to say, and in which colours.

use std::ffi::OsStr;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use nqueens::Kernel;

use super::options::{self, Threads, When};

/// What all commands have in common.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    /// Numbers of threads; more than one for a benchmark only.
    pub(crate) threads: Threads,
    /// Who says so.
    pub(crate) threads_from: ThreadsFrom,
    /// Whether to use colours.
    pub(crate) color: When,
    /// Whether to show progress.
    pub(crate) progress: When,
    /// Whether to write nothing but results, errors and warnings.
    pub(crate) quiet: bool,
    /// Whether to write more than is usual.
    pub(crate) verbose: bool,
}

/// Who says how many threads are to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThreadsFrom {
    /// The option `--threads`.
    Option,
    /// The variable `RAYON_NUM_THREADS`.
    Environment,
    /// Nobody, so as many as this process may use CPUs.
    Machine,
}

impl Context {
    /// One thread, and nothing written but results and errors.
    #[cfg(test)]
    pub(crate) fn for_tests() -> Self {
        Self {
            threads: Threads::one(1),
            threads_from: ThreadsFrom::Option,
            color: When::Never,
            progress: When::Never,
            quiet: true,
            verbose: false,
        }
    }

    /// The number of threads of a count.
    pub(crate) fn threads(&self) -> usize {
        self.threads.first()
    }

    /// Writes a line for people to standard error, even if nothing but errors is wanted. If nobody
    /// can read it, the work still goes on.
    pub(crate) fn say(&self, message: &str) {
        let _ = writeln!(standard_error(self.color), "{message}");
    }

    /// Says what is of use to most people.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet {
            self.say(message);
        }
    }

    /// Says what matters only to people who asked to hear more.
    pub(crate) fn detail(&self, message: &str) {
        if self.verbose {
            self.say(message);
        }
    }

    /// Whether what goes to standard output may be coloured.
    pub(crate) fn is_output_colored(&self) -> bool {
        choice(self.color, &io::stdout()) != ColorChoice::Never
    }
}

/// The number of threads: the one asked for, or that of the environment, or one for each CPU.
///
/// # Errors
/// A message that says what is wrong with the environment.
pub(crate) fn threads(asked: Option<&Threads>) -> Result<(Threads, ThreadsFrom), String> {
    if let Some(threads) = asked {
        return Ok((threads.clone(), ThreadsFrom::Option));
    }
    let variable = std::env::var_os("RAYON_NUM_THREADS");
    match variable.as_deref().map(OsStr::to_string_lossy).as_deref() {
        // rayon's convention: 0 stands for automatic.
        None | Some("" | "0") => {
            Ok((Threads::one(nqueens::default_threads()), ThreadsFrom::Machine))
        }
        Some(text) => match options::parse_threads(text) {
            Ok(threads) => Ok((Threads::one(threads), ThreadsFrom::Environment)),
            Err(error) => Err(format!("RAYON_NUM_THREADS is {text:?}: {error}")),
        },
    }
}

/// Judges the variable that names the best kernel to be used, which the library reads by itself.
///
/// # Errors
/// A message that says what is wrong with it.
pub(crate) fn judge_kernel_variable() -> Result<(), String> {
    let name = Kernel::VARIABLE;
    match std::env::var_os(name) {
        // Empty is as good as not there, as with other variables.
        Some(value)
            if !value.is_empty() && Kernel::from_name(&value.to_string_lossy()).is_none() =>
        {
            let names: Vec<_> = Kernel::ALL.iter().map(|kernel| kernel.name()).collect();
            Err(format!("{name} is {value:?}, which is no kernel: {}", names.join(", ")))
        }
        _ => Ok(()),
    }
}

/// Standard error, with colours as asked for.
pub(crate) fn standard_error(color: When) -> AutoStream<io::Stderr> {
    AutoStream::new(io::stderr(), choice(color, &io::stderr()))
}

/// Standard output, with colours as asked for.
pub(crate) fn standard_output(color: When) -> AutoStream<io::Stdout> {
    AutoStream::new(io::stdout(), choice(color, &io::stdout()))
}

fn choice(color: When, stream: &impl anstream::stream::RawStream) -> ColorChoice {
    match color {
        When::Auto => AutoStream::choice(stream),
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    }
}
