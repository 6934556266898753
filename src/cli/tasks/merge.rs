//! Adds results up, and says what is missing.

use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use nqueens::tasks::Merge;
use nqueens::{Run, Work};
use serde::Serialize;

use super::super::args::Args;
use super::super::{Failure, check, report};

/// So many faults are named.
const FAULTS_SHOWN: usize = 10;

/// Adds results up, and prints the total if no unit is missing.
///
/// Files may come in any order and repeat each other. If units are missing, the tasks that count them
/// are written to standard output, and the exit code is 3.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MergeArgs {
    /// Files of results, checkpoint files, or `-` for standard input; plans are read too, and say what
    /// there is to be counted
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    total: TotalArgs,
}

/// What becomes of merged results.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct TotalArgs {
    /// Add the units to this checkpoint file too, or begin it; what is in it is merged with the rest.
    /// `resume` then counts what is missing, and `verify` counts units again
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn merge(
    args: &Args,
    merge: &MergeArgs,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), Failure> {
    let mut results = Merge::new();
    let mut input = Some(input);
    for file in &merge.files {
        match (file == Path::new("-")).then(|| input.take()) {
            None => results.read_file(file)?,
            Some(Some(input)) => results
                .read("standard input", input)
                .map_err(|error| Failure::Run(format!("standard input: {error}")))?,
            Some(None) => {}
        }
    }
    finish_merge(args, &merge.total, results, output)
}

/// Says what the results add up to.
pub(crate) fn finish_merge(
    args: &Args,
    total: &TotalArgs,
    mut results: Merge,
    mut output: impl Write,
) -> Result<(), Failure> {
    if let Some(file) = total.checkpoint.as_deref().filter(|file| file.exists()) {
        results.read_file(file)?;
    }
    if let Some(run) = results.run().filter(|_| results.is_complete()) {
        check(args, &run.problem()?, results.solutions())?;
    }
    if total.json {
        serde_json::to_writer(&mut output, &MergeReport::new(&results))
            .map_err(std::io::Error::from)?;
        writeln!(output)?;
        output.flush()?;
    }
    refuse_faults(args, &results)?;
    let Some(run) = results.run() else {
        return Err(Failure::WrongResult("there is no result in what was read".into()));
    };
    if results.confirmed() > 0 && !args.quiet {
        let confirmed = results.confirmed();
        let message = format!(
            "{confirmed} units came again, each with the same values: confirmed, not added"
        );
        report::note(args, &message);
    }
    if let Some(file) = &total.checkpoint {
        let added = results.fill_checkpoint(file)?;
        if !args.quiet {
            report::note(args, &format!("{added} units added to {}", file.display()));
        }
    }
    if !results.is_complete() {
        if !total.json {
            match write_missing(&results, output) {
                // Who closes the pipe must not take this for success.
                Ok(()) | Err(Failure::ClosedPipe) => {}
                Err(failure) => return Err(failure),
            }
        }
        return Err(Failure::WrongResult(missing_text(run, &results)));
    }
    if !total.json {
        writeln!(output, "{}", results.solutions())?;
        output.flush()?;
    }
    Ok(())
}

fn write_missing(results: &Merge, output: impl Write) -> Result<(), Failure> {
    let mut output = BufWriter::new(output);
    for task in results.missing() {
        writeln!(output, "{}", task.to_line())?;
    }
    Ok(output.flush()?)
}

/// Exit code 3 if anything is wrong with what was read.
fn refuse_faults(args: &Args, results: &Merge) -> Result<(), Failure> {
    let faults = results.faults_len();
    if faults == 0 {
        return Ok(());
    }
    let shown: Vec<String> =
        results.faults().iter().take(FAULTS_SHOWN).map(ToString::to_string).collect();
    for fault in &shown[..shown.len() - 1] {
        report::note(args, fault);
    }
    let last = &shown[shown.len() - 1];
    Err(Failure::WrongResult(match faults {
        1 => format!("{last}; so there is no total"),
        _ => format!("{last}; with this, {faults} lines are wrong, so there is no total"),
    }))
}

fn missing_text(run: &Run, results: &Merge) -> String {
    let done = results.units_done();
    let ranges: Vec<String> = results
        .missing()
        .take(5)
        .map(|task| match task.units.end - task.units.start {
            1 => task.units.start.to_string(),
            _ => format!("{}..{}", task.units.start, task.units.end),
        })
        .collect();
    let more = if results.missing().nth(5).is_some() { ", ..." } else { "" };
    format!(
        "incomplete: {done} of {} units of N = {} are counted, {} boards so far; missing: {}{more}; \
         the tasks that count them are a plan for `nqueens work`",
        run.units,
        run.n,
        results.solutions(),
        ranges.join(", ")
    )
}

/// The JSON of `merge`: this struct is the schema. Counts and work are strings of digits.
#[derive(Debug, Serialize)]
struct MergeReport {
    /// Id of the run; absent if nothing could be read.
    plan: Option<String>,
    /// Board size.
    board: Option<u32>,
    /// The algorithm.
    algorithm: Option<&'static str>,
    /// Whether every unit is counted and nothing is wrong.
    complete: bool,
    /// Number of boards, if so.
    count: Option<String>,
    /// Boards found so far.
    partial_count: String,
    /// Nodes of the backtrack tree searched for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<String>,
    /// Pairs of half boards searched for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<String>,
    /// Number of units.
    units: u64,
    /// Units counted.
    done: u64,
    /// How many times a tally came again, and was the same.
    confirmed: u64,
    /// Units that are not counted: the first of each range, and the one after its last.
    missing: Vec<(u64, u64)>,
    /// What is wrong with lines: the first hundred.
    faults: Vec<String>,
    /// Wall-clock time of all results, added up.
    seconds: f64,
    /// Version of this program.
    version: &'static str,
}

impl MergeReport {
    fn new(results: &Merge) -> Self {
        let run = results.run();
        let work = |kind: Work| {
            let is_kind = run.is_some_and(|run| run.algorithm.work() == kind);
            is_kind.then(|| results.work().to_string())
        };
        Self {
            plan: run.map(Run::id),
            board: run.map(|run| run.n),
            algorithm: run.map(|run| run.algorithm.name()),
            complete: results.is_complete(),
            count: results.is_complete().then(|| results.solutions().to_string()),
            partial_count: results.solutions().to_string(),
            nodes: work(Work::Nodes),
            pairs: work(Work::Pairs),
            units: run.map_or(0, |run| run.units),
            done: results.units_done(),
            confirmed: results.confirmed(),
            missing: results.missing().map(|task| (task.units.start, task.units.end)).collect(),
            faults: results.faults().iter().map(ToString::to_string).collect(),
            seconds: results.elapsed().as_secs_f64(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}
