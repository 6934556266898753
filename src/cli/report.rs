//! Results as text, JSON and CSV; notes and errors.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use nqueens::{Classes, Outcome, Work};
use serde::Serialize;

use super::Failure;
use super::args::{Args, Format, When};
use super::boards;

/// The JSON of one count: this struct is the schema.
///
/// Numbers that can pass 2^53 are strings of digits, since many readers keep only 53 bits.
#[derive(Debug, Serialize)]
struct CountReport<'a> {
    /// Board size.
    board: u32,
    /// What was asked for, a string of digits.
    count: String,
    /// What that is: `all` boards, the `fundamental` ones, those with `placed` queens, or the
    /// `toroidal` ones.
    counted: &'a str,
    /// The algorithm that ran.
    algorithm: &'a str,
    /// The kernel of its hot loops.
    kernel: &'a str,
    /// Threads that counted.
    threads: usize,
    /// Wall-clock time in seconds, that of earlier runs with the same checkpoint file included.
    seconds: f64,
    /// Nodes of the backtrack tree, root and solutions included, a string of digits; only for
    /// algorithms that search one.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<String>,
    /// Pairs of half boards, a string of digits; only for algorithms that join them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<String>,
    /// Number of work units.
    units: u64,
    /// Version of this program.
    version: &'a str,
}

/// The JSON of `--divide`: this struct is the schema.
#[derive(Debug, Serialize)]
struct ColumnsReport<'a> {
    /// Board size.
    board: u32,
    /// Number of solutions, a string of digits.
    count: String,
    /// Solutions by the first queen's column, from the left, strings of digits.
    columns: Vec<String>,
    /// Version of this program.
    version: &'a str,
}

/// The JSON of `classes`: this struct is the schema.
#[derive(Debug, Serialize)]
struct ClassesReport<'a> {
    /// Board size.
    board: u32,
    /// Number of solutions, a string of digits.
    count: String,
    /// Number of classes, a string of digits.
    fundamental: String,
    /// Number of classes by size.
    classes: Vec<ClassReport>,
    /// Version of this program.
    version: &'a str,
}

/// The classes of one size.
#[derive(Debug, Serialize)]
struct ClassReport {
    /// Number of boards in a class.
    size: u32,
    /// Number of such classes, a string of digits.
    classes: String,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes results, each at once.
pub(crate) struct Report<W> {
    format: Format,
    output: W,
    header_written: bool,
}

impl<W: Write> Report<W> {
    pub(crate) fn new(format: Format, output: W) -> Self {
        Self { format, output, header_written: false }
    }

    /// Writes one count; text names the board if `labelled`.
    pub(crate) fn count(
        &mut self,
        outcome: &Outcome,
        counted: &str,
        count: u128,
        labelled: bool,
    ) -> Result<(), Failure> {
        let Outcome { n, work, algorithm, kernel, units, threads, .. } = outcome;
        let seconds = (outcome.earlier + outcome.elapsed).as_secs_f64();
        match self.format {
            Format::Text if labelled => writeln!(self.output, "{n} {count}")?,
            Format::Text => writeln!(self.output, "{count}")?,
            Format::Json => self.json(&CountReport {
                board: *n,
                count: count.to_string(),
                counted,
                algorithm: algorithm.name(),
                kernel: kernel.name(),
                threads: *threads,
                seconds,
                nodes: (algorithm.work() == Work::Nodes).then(|| work.to_string()),
                pairs: (algorithm.work() == Work::Pairs).then(|| work.to_string()),
                units: *units,
                version: VERSION,
            })?,
            Format::Csv => {
                self.header(
                    "board,count,counted,algorithm,kernel,threads,seconds,work,work_unit,units,version",
                )?;
                writeln!(
                    self.output,
                    "{n},{count},{counted},{algorithm},{kernel},{threads},{seconds:.6},{work},{},{units},{VERSION}",
                    algorithm.work().name(),
                )?;
            }
        }
        Ok(self.output.flush()?)
    }

    /// Writes the counts for each column of the first row.
    pub(crate) fn columns(
        &mut self,
        n: u32,
        counts: &[u128],
        labelled: bool,
    ) -> Result<(), Failure> {
        // The board without rows has no column, and one solution.
        let total: u128 = if n == 0 { 1 } else { counts.iter().sum() };
        let label = if labelled { format!("{n} ") } else { String::new() };
        match self.format {
            Format::Text => {
                for (column, count) in (1..).zip(counts) {
                    writeln!(self.output, "{label}{column} {count}")?;
                }
                writeln!(self.output, "{label}{total}")?;
            }
            Format::Json => self.json(&ColumnsReport {
                board: n,
                count: total.to_string(),
                columns: counts.iter().map(u128::to_string).collect(),
                version: VERSION,
            })?,
            Format::Csv => {
                self.header("board,column,count")?;
                for (column, count) in (1..).zip(counts) {
                    writeln!(self.output, "{n},{column},{count}")?;
                }
            }
        }
        Ok(self.output.flush()?)
    }

    /// Writes the classes of boards by size.
    pub(crate) fn classes(&mut self, n: u32, classes: &Classes) -> Result<(), Failure> {
        let sizes = boards::sizes(n, classes);
        match self.format {
            Format::Text => {
                for (size, number) in sizes {
                    writeln!(self.output, "{size} {number}")?;
                }
                writeln!(self.output, "{}", classes.fundamental())?;
            }
            Format::Json => self.json(&ClassesReport {
                board: n,
                count: classes.solutions().to_string(),
                fundamental: classes.fundamental().to_string(),
                classes: sizes
                    .into_iter()
                    .map(|(size, number)| ClassReport { size, classes: number.to_string() })
                    .collect(),
                version: VERSION,
            })?,
            Format::Csv => {
                self.header("board,size,classes")?;
                for (size, number) in sizes {
                    writeln!(self.output, "{n},{size},{number}")?;
                }
            }
        }
        Ok(self.output.flush()?)
    }

    fn header(&mut self, header: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.header_written, true) {
            writeln!(self.output, "{header}")?;
        }
        Ok(())
    }

    fn json(&mut self, report: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, report)?;
        writeln!(self.output)
    }
}

/// How long a count took, and how fast that is.
pub(crate) fn time(outcome: &Outcome) -> String {
    let seconds = (outcome.earlier + outcome.elapsed).as_secs_f64();
    let now = match outcome.earlier.is_zero() {
        true => String::new(),
        false => format!(" ({:.3} s of it now)", outcome.elapsed.as_secs_f64()),
    };
    let rate = |amount: u128| amount as f64 / seconds / 1e6;
    format!(
        "N = {}: {:.3} s{now}, {} ({}) on {} thread{}, {:.1} M solutions/s, {:.1} M {}/s",
        outcome.n,
        seconds,
        outcome.algorithm,
        outcome.kernel,
        outcome.threads,
        if outcome.threads == 1 { "" } else { "s" },
        rate(outcome.solutions),
        rate(outcome.work),
        outcome.algorithm.work().name(),
    )
}

/// Writes a line for people to standard error. If nobody can read it, the count still goes on.
pub(crate) fn note(args: &Args, message: &str) {
    let _ = writeln!(standard_error(args.color), "{message}");
}

/// Says why the program fails, and returns its exit code.
pub(crate) fn failure(failure: &Failure, color: When) -> ExitCode {
    let (code, message) = match failure {
        Failure::ClosedPipe => return ExitCode::SUCCESS,
        Failure::Run(message) => (1, message),
        Failure::Usage(message) => (2, message),
        Failure::WrongResult(message) => (3, message),
        Failure::Signal(signal, message) => {
            let _ = writeln!(standard_error(color), "{message}");
            return ExitCode::from(128u8.saturating_add(u8::try_from(*signal).unwrap_or(0)));
        }
    };
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let _ = writeln!(standard_error(color), "{style}error:{style:#} {message}");
    ExitCode::from(code)
}

/// Standard error, with colours as asked for.
pub(crate) fn standard_error(color: When) -> anstream::AutoStream<io::Stderr> {
    anstream::AutoStream::new(io::stderr(), choice(color, &io::stderr()))
}

/// Standard output, with colours as asked for.
pub(crate) fn standard_output(color: When) -> anstream::AutoStream<io::Stdout> {
    anstream::AutoStream::new(io::stdout(), choice(color, &io::stdout()))
}

fn choice(color: When, stream: &impl anstream::stream::RawStream) -> anstream::ColorChoice {
    match color {
        When::Auto => anstream::AutoStream::choice(stream),
        When::Always => anstream::ColorChoice::Always,
        When::Never => anstream::ColorChoice::Never,
    }
}
