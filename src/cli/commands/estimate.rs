//! `nqueens estimate`: how long a count takes, and about what it gives.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use nqueens::{Algorithm, Estimate, Estimated, Kernel, WorkKind, known};
use serde::Serialize;

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::{OrAuto, algorithm_parser, kernel_parser, parse_size};
use crate::cli::report::{VERSION, write_json_or};
use crate::cli::wording::{duration, plural};

/// Estimates how long a count takes on this machine, and the count itself, from random samples.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct EstimateArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_size)]
    n: u32,

    /// Time for it
    #[arg(long, value_name = "S", default_value = "10", allow_hyphen_values = true, value_parser = parse_seconds)]
    seconds: f64,

    /// The algorithm to be timed
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = algorithm_parser(false))]
    algorithm: OrAuto<Algorithm>,

    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kernel_parser())]
    kernel: OrAuto<Kernel>,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "a time is a number of seconds from 0.1 to 86400".into())
}

/// The JSON of `estimate`: this struct is the schema.
#[derive(Debug, Serialize)]
struct EstimateReport {
    /// Board size.
    board: u32,
    /// Estimated number of boards: unbiased.
    count: f64,
    /// Its standard error.
    count_standard_error: f64,
    /// The published number of boards, a string of digits, where there is one.
    known: Option<String>,
    /// Relative distance of the estimate from it.
    relative_error: Option<f64>,
    /// Estimated number of nodes of the backtrack tree: unbiased.
    nodes: f64,
    /// Its standard error.
    nodes_standard_error: f64,
    /// Random descents made.
    samples: u64,
    /// Rows that each of them filled.
    depth: u32,
    /// The algorithm that was timed.
    algorithm: &'static str,
    /// The kernel of its hot loops.
    kernel: &'static str,
    /// Threads that the time is for.
    threads: usize,
    /// Units of the count; absent if this machine lacks the memory for one.
    units: Option<u64>,
    /// Estimated wall-clock time of the count in seconds.
    seconds: f64,
    /// The board whose units were timed.
    timed_board: u32,
    /// Number of units timed.
    timed_units: u64,
    /// The most memory that this program held meanwhile, where the system says so and units of this
    /// board were timed; at least what the algorithm needs.
    memory_bytes: Option<u64>,
    /// Time that the estimate took in seconds.
    elapsed: f64,
    /// Version of this program.
    version: &'static str,
}

impl EstimateArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let report = estimate_report(self.n, &self.estimate(context.threads())?);
        write_json_or(self.json, output, &report, || estimate_text(&report))
    }

    fn estimate(&self, threads: usize) -> Result<Estimated, Failure> {
        let time = Duration::from_secs_f64(self.seconds);
        let mut estimate = Estimate::new(self.n)?.threads(threads).time(time);
        if let Some(algorithm) = self.algorithm {
            estimate = estimate.algorithm(algorithm);
        }
        if let Some(kernel) = self.kernel {
            estimate = estimate.kernel(kernel);
        }
        Ok(estimate.run()?)
    }
}

fn estimate_report(n: u32, found: &Estimated) -> EstimateReport {
    let known = known::solutions(n);
    let count = found.solutions.value;
    // The memory of a smaller board says nothing about this one.
    let timed = found.time.timed_board == n || found.algorithm.work_kind() == WorkKind::Nodes;
    let least = Some(found.least_memory).filter(|&bytes| bytes > 0);
    EstimateReport {
        board: n,
        count,
        count_standard_error: found.solutions.standard_error,
        known: known.map(|known| known.to_string()),
        relative_error: known.filter(|&known| known > 0).map(|k| count / k as f64 - 1.0),
        nodes: found.nodes.value,
        nodes_standard_error: found.nodes.standard_error,
        samples: found.samples,
        depth: found.depth,
        algorithm: found.algorithm.name(),
        kernel: found.kernel.name(),
        threads: found.threads,
        units: found.units,
        seconds: found.time.seconds,
        timed_board: found.time.timed_board,
        timed_units: found.time.timed_units,
        memory_bytes: peak_memory().filter(|_| timed).max(least),
        elapsed: found.elapsed.as_secs_f64(),
        version: VERSION,
    }
}

/// The most memory that this process ever held, where the system says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

fn estimate_text(report: &EstimateReport) -> String {
    let error = |value: f64, error: f64| 100.0 * error / value.max(f64::MIN_POSITIVE);
    let EstimateReport { board, count, count_standard_error, nodes, nodes_standard_error, .. } =
        report;
    let mut text = format!(
        "N = {board}\ncount     {} boards, standard error {:.2} %\n",
        number(*count),
        error(*count, *count_standard_error)
    );
    if let (Some(known), Some(relative)) = (&report.known, report.relative_error) {
        let errors = match *count_standard_error {
            0.0 => String::new(),
            standard => {
                let known: f64 = known.parse().unwrap_or(f64::NAN);
                format!(", {:.1} standard errors", (count - known).abs() / standard)
            }
        };
        let _ = writeln!(text, "known     {known}: off by {:+.2} %{errors}", 100.0 * relative);
    } else if report.known.is_none() {
        text += "known     no value is published\n";
    }
    let _ = writeln!(
        text,
        "nodes     {}, standard error {:.2} %",
        number(*nodes),
        error(*nodes, *nodes_standard_error)
    );
    let _ = writeln!(
        text,
        "samples   {} random descents of {} rows, everything below them counted",
        report.samples, report.depth
    );
    let time = Duration::try_from_secs_f64(report.seconds).unwrap_or(Duration::MAX);
    let _ = writeln!(
        text,
        "time      {} with {} ({}) on {} thread{}",
        duration(time),
        report.algorithm,
        report.kernel,
        report.threads,
        plural(report.threads),
    );
    if let Some(units) = report.units {
        let _ = writeln!(text, "units     {units}");
    }
    let _ = writeln!(
        text,
        "timed     {} random units of N = {}{}",
        report.timed_units,
        report.timed_board,
        if report.timed_board == *board { "" } else { ", since those of this board take too long" },
    );
    let memory = match report.memory_bytes {
        Some(bytes) => format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20)),
        None => "not known".into(),
    };
    let _ = writeln!(text, "memory    {memory}");
    text
}

/// A number for people: all digits while they are few.
fn number(value: f64) -> String {
    if value < 1e6 { format!("{value:.0}") } else { format!("{value:.4e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds() {
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for text in ["0", "-1", "NaN", "inf", "1s", "", "1e9"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
