//! The command line: parses, counts, reports.
//!
//! Results go to standard output and nothing else does. The modules stand in an order in which each
//! uses only those above it; so do the files of a folder.

mod version;
mod machine;
mod wording;
mod signals;
mod output;
mod options;
mod context;
mod failure;
mod progress;
mod report;
mod counting;
mod picture;
mod boards;
mod tasks;
mod total;
mod commands;
mod args;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use args::Args;
use failure::Failure;
use options::When;

/// Runs the program with the given arguments, its own name first.
pub(crate) fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let args = match Args::parse_from(&args) {
        Ok(args) => args,
        Err(instead) => return print_instead(&instead),
    };
    signals::end_promptly();
    match args.run(io::stdin().lock(), output::standard()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(args.color),
    }
}

/// Prints what clap has to say: help and version to standard output, errors to standard error.
fn print_instead(instead: &clap::Error) -> ExitCode {
    let to_output = || if instead.use_stderr() { Ok(()) } else { output::check() };
    match to_output().and_then(|()| instead.print()) {
        Ok(()) if instead.use_stderr() => ExitCode::from(2),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if instead.use_stderr() => {
            Failure::stream("standard error", &error).report(When::Auto)
        }
        Err(error) => Failure::output(error).report(When::Auto),
    }
}
