//! Results as text, JSON and CSV. Writing them fails only if the output does.

use std::io::{self, Write};

use nqueens::{Classes, Outcome, WorkKind};
use serde::Serialize;

use super::failure::Failure;
use super::options::Format;
use super::wording::plural;

/// Version of this program, as it stands in results.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

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

/// A number to be written, and what it is.
pub(crate) struct Counted {
    /// The count it comes from.
    pub(crate) outcome: Outcome,
    /// What was counted: `all` boards, the `fundamental` ones, those with `placed` queens, or the
    /// `toroidal` ones.
    pub(crate) kind: &'static str,
    /// The number of those.
    pub(crate) count: u128,
}

/// Writes results of counts, each at once.
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
    pub(crate) fn count(&mut self, counted: &Counted, labelled: bool) -> io::Result<()> {
        let Counted { outcome, kind, count } = counted;
        let Outcome { n, work, algorithm, kernel, units, threads, .. } = outcome;
        let seconds = (outcome.earlier + outcome.elapsed).as_secs_f64();
        match self.format {
            Format::Text if labelled => writeln!(self.output, "{n} {count}")?,
            Format::Text => writeln!(self.output, "{count}")?,
            Format::Json => write_json(
                &mut self.output,
                &CountReport {
                    board: *n,
                    count: count.to_string(),
                    counted: kind,
                    algorithm: algorithm.name(),
                    kernel: kernel.name(),
                    threads: *threads,
                    seconds,
                    nodes: (algorithm.work_kind() == WorkKind::Nodes).then(|| work.to_string()),
                    pairs: (algorithm.work_kind() == WorkKind::Pairs).then(|| work.to_string()),
                    units: *units,
                    version: VERSION,
                },
            )?,
            Format::Csv => {
                self.header(
                    "board,count,counted,algorithm,kernel,threads,seconds,work,work_unit,units,version",
                )?;
                writeln!(
                    self.output,
                    "{n},{count},{kind},{algorithm},{kernel},{threads},{seconds:.6},{work},{},{units},{VERSION}",
                    algorithm.work_kind().name(),
                )?;
            }
        }
        self.output.flush()
    }

    /// Writes the counts for each column of the first row.
    pub(crate) fn columns(&mut self, n: u32, counts: &[u128], labelled: bool) -> io::Result<()> {
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
            Format::Json => write_json(
                &mut self.output,
                &ColumnsReport {
                    board: n,
                    count: total.to_string(),
                    columns: counts.iter().map(u128::to_string).collect(),
                    version: VERSION,
                },
            )?,
            Format::Csv => {
                self.header("board,column,count")?;
                for (column, count) in (1..).zip(counts) {
                    writeln!(self.output, "{n},{column},{count}")?;
                }
            }
        }
        self.output.flush()
    }

    /// Writes the classes of boards by size.
    pub(crate) fn classes(&mut self, n: u32, classes: &Classes) -> io::Result<()> {
        let sizes = class_sizes(n, classes);
        match self.format {
            Format::Text => {
                for (size, number) in sizes {
                    writeln!(self.output, "{size} {number}")?;
                }
                writeln!(self.output, "{}", classes.fundamental())?;
            }
            Format::Json => write_json(
                &mut self.output,
                &ClassesReport {
                    board: n,
                    count: classes.solutions().to_string(),
                    fundamental: classes.fundamental().to_string(),
                    classes: sizes
                        .into_iter()
                        .map(|(size, number)| ClassReport { size, classes: number.to_string() })
                        .collect(),
                    version: VERSION,
                },
            )?,
            Format::Csv => {
                self.header("board,size,classes")?;
                for (size, number) in sizes {
                    writeln!(self.output, "{n},{size},{number}")?;
                }
            }
        }
        self.output.flush()
    }

    fn header(&mut self, header: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.header_written, true) {
            writeln!(self.output, "{header}")?;
        }
        Ok(())
    }
}

/// The size of classes, and how many of them there are; sizes that a board of `n` rows cannot have
/// are left out.
fn class_sizes(n: u32, classes: &Classes) -> Vec<(u32, u128)> {
    if n <= 1 {
        return vec![(1, classes.of_1.into())];
    }
    vec![(2, classes.of_2.into()), (4, classes.of_4.into()), (8, classes.of_8)]
}

/// Writes a JSON object on a line of its own.
pub(crate) fn write_json(mut output: impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut output, object)?;
    writeln!(output)?;
    output.flush()
}

/// Writes all of a text to standard output.
pub(crate) fn write_text(mut output: impl Write, text: &str) -> Result<(), Failure> {
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(Failure::output)
}

/// Writes a JSON object to standard output if that is wanted, else the text.
pub(crate) fn write_json_or(
    json: bool,
    output: impl Write,
    object: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    match json {
        true => write_json(output, object).map_err(Failure::output),
        false => write_text(output, &text()),
    }
}

/// A JSON object over several lines, for people too.
pub(crate) fn pretty_json(object: &impl Serialize) -> String {
    serde_json::to_string_pretty(object).expect("reports have string keys and no map") + "\n"
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
        plural(outcome.threads),
        rate(outcome.solutions),
        rate(outcome.work),
        outcome.algorithm.work_kind().name(),
    )
}
