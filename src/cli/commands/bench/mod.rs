//! `nqueens bench`: how fast this machine counts.
//!
//! A fixed [workload]; each count is run once to warm up and then several times. Every result is
//! checked, and a wrong one ends the benchmark.

mod workload;
mod results;
mod measure;
mod compare;
mod table;
mod chart;
mod export;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cli::context::{self, Context, ThreadsFrom};
use crate::cli::failure::Failure;
use crate::cli::machine::{self, Machine};
use crate::cli::output;
use crate::cli::signals::{self, Graceful};
use crate::cli::version::Build;
use export::{ExportArgs, Exports};
use results::{BenchReport, Key, Measurement};

/// Times that spread more are called noisy.
const NOISY: f64 = 0.1;

/// Shorter times always spread, and are not called noisy.
const LONG_ENOUGH_SECONDS: f64 = 0.05;

/// Measures how fast this machine counts; takes less than a minute on two cores.
///
/// Counts boards of growing size with every algorithm and kernel, then the largest ones on more
/// threads (--threads 1,2,all; default: 1, 2, 4 and so on up to all CPUs). The boards are always the
/// same, and every count is checked. The first number of threads is the one that the others are
/// compared with.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct BenchArgs {
    /// Measured runs of each count, from 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = parse_runs)]
    runs: usize,

    /// Smaller boards, done in a second or two: to try things out, not to compare machines
    #[arg(long)]
    quick: bool,

    /// An earlier --export-json: say what changed beyond noise
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    #[command(flatten)]
    export: ExportArgs,
}

fn parse_runs(text: &str) -> Result<usize, String> {
    let runs = text.parse().ok().filter(|runs| (1..=1000).contains(runs));
    runs.ok_or_else(|| "a number of runs is a whole number from 1 to 1000".into())
}

impl BenchArgs {
    /// Measures, and reports as asked for.
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        output::check().map_err(Failure::output)?;
        let baseline = self.baseline.as_deref().map(compare::read).transpose()?;
        let exports = Exports::open(&self.export)?;
        let stop = signals::end_gracefully();
        let mut screen = Screen::new(context, exports.to_standard_output());
        let mut report = measure_all(self, &threads(context), &stop, &mut screen)?;
        if let Some(baseline) = &baseline {
            report.warnings.extend(compare::differences(baseline, &report));
            report.changes = Some(compare::changes(baseline, &report));
        }
        screen.write(&table::tail(&report))?;
        exports.write(&report, output)?;
        match stop.signal() {
            0 => Ok(()),
            signal => Err(Failure::Signal(signal, "stopped; what was measured is reported".into())),
        }
    }
}

/// The numbers of threads to measure: those asked for, or some up to what a count would take.
fn threads(context: &Context) -> Vec<usize> {
    match context.threads_from {
        ThreadsFrom::Option => context.threads.all().to_vec(),
        ThreadsFrom::Environment | ThreadsFrom::Machine => doubling(context.threads()),
    }
}

/// 1, 2, 4 and so on, then `all`.
fn doubling(all: usize) -> Vec<usize> {
    let doubled = std::iter::successors(Some(1), |threads| Some(2 * threads));
    doubled.take_while(|&threads| threads < all).chain([all]).collect()
}

fn measure_all(
    bench: &BenchArgs,
    threads: &[usize],
    stop: &Graceful,
    screen: &mut Screen,
) -> Result<BenchReport, Failure> {
    let cases = workload::cases(threads, bench.quick);
    let mut report = empty_report(bench);
    screen.write(&table::head(&report))?;
    screen.write(&table::counts_head())?;
    let throttled = machine::throttled();
    for (index, &case) in cases.iter().enumerate() {
        let Some(measurement) = measure::measure(case, bench.runs, stop.stop())? else {
            report.complete = false;
            report.unfinished = cases[index..].iter().copied().map(Key::from).collect();
            break;
        };
        report.add(measurement);
        screen.write(&table::last_line(&report))?;
    }
    let portable = report.measurements.iter().filter(|m| m.key.kernel == "portable");
    let growing = portable.filter(|m| m.key.threads == threads[0]);
    let work: u128 = growing.filter_map(|m| m.work.parse::<u128>().ok()).sum();
    report.signature = report.complete.then(|| work.to_string());
    report.warnings = warnings(&report, machine::throttled().saturating_sub(throttled));
    Ok(report)
}

fn empty_report(bench: &BenchArgs) -> BenchReport {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    BenchReport {
        workload: format!("{}{}", workload::NAME, if bench.quick { "-quick" } else { "" }),
        complete: true,
        started_unix: now.map_or(0, |now| now.as_secs()),
        runs: bench.runs,
        build: Build::this(),
        machine: Machine::this(),
        signature: None,
        measurements: Vec::new(),
        unfinished: Vec::new(),
        warnings: Vec::new(),
        changes: None,
    }
}

/// What makes the times less trustworthy.
fn warnings(report: &BenchReport, throttled: u64) -> Vec<String> {
    let mut warnings = Vec::new();
    let BenchReport { build, machine, measurements, .. } = report;
    if !build.is_optimised() {
        warnings.push(format!(
            "this build is not optimised (opt-level {}{}): use cargo build --release",
            build.opt_level,
            if build.debug_assertions { ", debug assertions" } else { "" },
        ));
    }
    if let Some(load) = machine.load.filter(|&load| load > 0.5) {
        warnings.push(format!("the machine was busy before the first count: load {load}"));
    }
    let long = || measurements.iter().filter(|m| m.median >= LONG_ENOUGH_SECONDS);
    let noisy = long().filter(|m| m.spread > NOISY).count();
    if noisy > 0 {
        let percent = 100.0 * NOISY;
        warnings.push(format!(
            "{noisy} of {} longer counts spread more than {percent} %",
            long().count()
        ));
    }
    // One thread that waits is a thread that had to share its CPU.
    let waited = |m: &Measurement| {
        let mean = m.seconds.iter().sum::<f64>() / m.seconds.len() as f64;
        m.key.threads == 1 && m.cpu_seconds.is_some_and(|cpu| cpu < (1.0 - NOISY) * mean)
    };
    if long().any(waited) {
        warnings.push("other programs took CPU time from the counts".into());
    }
    if throttled > 0 {
        warnings.push(format!("the CPU was throttled {throttled} times: heat or a CPU quota"));
    }
    warnings
}

/// Where the tables go: standard output, or standard error if a report goes to standard output.
struct Screen {
    output: Box<dyn Write>,
    name: &'static str,
}

impl Screen {
    fn new(context: &Context, to_standard_error: bool) -> Self {
        let output: Box<dyn Write> = match to_standard_error {
            true if context.quiet => Box::new(io::sink()),
            true => Box::new(context::standard_error(context.color)),
            false => Box::new(context::standard_output(context.color)),
        };
        let name = if to_standard_error { "standard error" } else { "standard output" };
        Self { output, name }
    }

    /// Writes at once, so that people see how far it is.
    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        written.map_err(|error| Failure::stream(self.name, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::doubling;

    #[test]
    fn threads_double_up_to_all() {
        assert_eq!(doubling(1), [1]);
        assert_eq!(doubling(2), [1, 2]);
        assert_eq!(doubling(6), [1, 2, 4, 6]);
    }
}
