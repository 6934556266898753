//! What merged results add up to, and what becomes of them.

use std::io::{self, Write};
use std::path::PathBuf;

use nqueens::tasks::{Fault, FaultKind, LineError, Merge};
use nqueens::{Run, WorkKind};
use serde::Serialize;

use super::context::Context;
use super::failure::Failure;
use super::report::{VERSION, write_json};
use super::wording::{first_of, shown};
use super::{counting, tasks};

/// So many faults are named.
const FAULTS_SHOWN: usize = 10;

/// So many ranges of missing units are named.
const RANGES_SHOWN: usize = 5;

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

impl TotalArgs {
    /// Says what the results add up to.
    pub(crate) fn finish(
        &self,
        context: &Context,
        mut results: Merge,
        mut output: impl Write,
    ) -> Result<(), Failure> {
        if let Some(file) = self.checkpoint.as_deref().filter(|file| file.exists()) {
            results.read_file(file)?;
        }
        if let Some(run) = results.run().filter(|_| results.is_complete()) {
            counting::check(context, &run.problem()?, results.solutions())?;
        }
        if self.json {
            write_json(&mut output, &MergeReport::new(&results)).map_err(Failure::output)?;
        }
        refuse_faults(context, &results)?;
        let Some(run) = results.run() else {
            return Err(Failure::WrongResult("there is no result in what was read".into()));
        };
        self.keep(context, &results)?;
        if !self.json {
            match write_total(&results, output).map_err(Failure::output) {
                // Who closes the pipe must not take this for success.
                Err(Failure::ClosedPipe) if !results.is_complete() => {}
                written => written?,
            }
        }
        match results.is_complete() {
            true => Ok(()),
            false => Err(Failure::WrongResult(missing_text(run, &results))),
        }
    }

    /// Adds the units to the checkpoint file, if there is to be one.
    fn keep(&self, context: &Context, results: &Merge) -> Result<(), Failure> {
        let confirmed = results.confirmed();
        if confirmed > 0 {
            context.note(&format!(
                "{confirmed} units came again, each with the same values: confirmed, not added"
            ));
        }
        if let Some(file) = &self.checkpoint {
            let added = results.fill_checkpoint(file, context)?;
            context.note(&format!("{added} units added to {}", shown(file)));
        }
        Ok(())
    }
}

/// Writes the total, or the tasks that are missing for it.
fn write_total(results: &Merge, mut output: impl Write) -> io::Result<()> {
    if !results.is_complete() {
        return tasks::write(results.missing(), output);
    }
    writeln!(output, "{}", results.solutions())?;
    output.flush()
}

/// Exit code 3 if anything is wrong with what was read.
fn refuse_faults(context: &Context, results: &Merge) -> Result<(), Failure> {
    let shown = results.faults().iter().take(FAULTS_SHOWN).map(ToString::to_string);
    let shown: Vec<String> = shown.collect();
    let Some((last, others)) = shown.split_last() else { return Ok(()) };
    for fault in others {
        context.say(fault);
    }
    let is_foreign =
        |fault: &Fault| matches!(fault.kind, FaultKind::Line(LineError::NoBrace { .. }));
    let hint = match results.faults().iter().any(is_foreign) {
        true => " (--skip-foreign leaves out lines that do not begin with a brace)",
        false => "",
    };
    Err(Failure::WrongResult(match results.faults_len() {
        1 => format!("{last}; so there is no total{hint}"),
        faults => {
            format!("{last}; with this, {faults} lines are wrong, so there is no total{hint}")
        }
    }))
}

fn missing_text(run: &Run, results: &Merge) -> String {
    let done = results.units_done();
    let ranges = results.missing().map(|task| match task.units.end - task.units.start {
        1 => task.units.start.to_string(),
        _ => format!("{}..{}", task.units.start, task.units.end),
    });
    format!(
        "incomplete: {done} of {} units of N = {} are counted, {} boards so far; missing: {}; the \
         tasks that count them are a plan for `nqueens work`",
        run.units,
        run.n,
        results.solutions(),
        first_of(ranges, RANGES_SHOWN)
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
        let work_of = |kind: WorkKind| {
            let is_kind = run.is_some_and(|run| run.algorithm.work_kind() == kind);
            is_kind.then(|| results.work().to_string())
        };
        Self {
            plan: run.map(Run::id),
            board: run.map(|run| run.n),
            algorithm: run.map(|run| run.algorithm.name()),
            complete: results.is_complete(),
            count: results.is_complete().then(|| results.solutions().to_string()),
            partial_count: results.solutions().to_string(),
            nodes: work_of(WorkKind::Nodes),
            pairs: work_of(WorkKind::Pairs),
            units: run.map_or(0, |run| run.units),
            done: results.units_done(),
            confirmed: results.confirmed(),
            missing: results.missing().map(|task| (task.units.start, task.units.end)).collect(),
            faults: results.faults().iter().map(ToString::to_string).collect(),
            seconds: results.elapsed().as_secs_f64(),
            version: VERSION,
        }
    }
}
