//! Many machines: plans, tasks and results as lines of text.

use std::io::{BufRead, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use nqueens::tasks::{LineError, MAX_TASK_UNITS, Merge, Plan, Task, TaskCounter, TaskResult};
use nqueens::{Algorithm, Error, Run, Work};
use serde::Serialize;

use super::args::{self, Args};
use super::boards::PlaceArgs;
use super::progress::{Progress, duration};
use super::{Failure, report, signals};

/// So many faults are named.
const FAULTS_SHOWN: usize = 10;

/// Writes the tasks of a count, one line of JSON each: ranges of work units.
///
/// Any engine can bring them to `nqueens work`, on any machine, in any order, each at least once;
/// `nqueens merge` adds the results up.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlanArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    n: u32,

    #[command(flatten)]
    split: SplitArgs,
}

/// How a count is split into tasks.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SplitArgs {
    /// Units of a task, from 1 to 10000 [default: by board size, 64 to 500 for large ones]
    #[arg(long, value_name = "K", requires = "n", allow_negative_numbers = true, value_parser = parse_task_units)]
    pub(crate) units_per_task: Option<u64>,

    /// How to count; `auto` takes the fastest for the board, whatever machine this is
    #[arg(short, long, value_name = "NAME", requires = "n", default_value = "auto", value_parser = args::algorithm_parser())]
    algorithm: String,

    /// Rows that a unit of `bitboard` fills, from 1 to 7 [default: by board size]
    #[arg(long, value_name = "ROWS", requires = "n", allow_negative_numbers = true)]
    depth: Option<u32>,

    #[command(flatten)]
    place: PlaceArgs,
}

/// Counts tasks, and writes one line of JSON for each as soon as it is done.
///
/// Tasks come from standard input, as `nqueens plan` wrote them, or are those of N. Each is counted
/// on all threads. The first Ctrl-C finishes the units in hand and writes what is done of the task.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkArgs {
    /// Board size, from 0 to 32, instead of tasks on standard input
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    n: Option<u32>,

    /// Only the I-th of K shares of the tasks, I from 1 to K: the I-th task, and every K-th after it
    #[arg(long, value_name = "I/K", allow_hyphen_values = true, value_parser = parse_share)]
    task: Option<Share>,

    #[command(flatten)]
    split: SplitArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// How this machine counts tasks. It changes no result.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MachineArgs {
    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = args::kernel_parser())]
    kernel: String,

    /// The most memory that the lists of the join may take [default: half of what is available]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
}

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

/// One of several shares of the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    /// From 0.
    index: u64,
    of: u64,
}

fn parse_share(text: &str) -> Result<Share, String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| digits(text));
    text.split_once('/')
        .and_then(|(index, of)| Some((number(index)?, number(of)?)))
        .filter(|(index, of)| (1..=*of).contains(index))
        .map(|(index, of)| Share { index: index - 1, of })
        .ok_or_else(|| {
            "a share is I/K with I from 1 to K, such as 3/10 for the third of ten".into()
        })
}

fn parse_task_units(text: &str) -> Result<u64, String> {
    let units = text.parse().ok().filter(|units| (1..=MAX_TASK_UNITS).contains(units));
    units.ok_or_else(|| format!("a task has from 1 to {MAX_TASK_UNITS} units"))
}

impl SplitArgs {
    pub(crate) fn plan(&self, n: u32) -> Result<Plan, Failure> {
        let problem = self.place.problem(n)?;
        let asked = Algorithm::ALL.into_iter().find(|known| known.name() == self.algorithm);
        // The plan must not depend on the machine that makes it.
        let algorithm = asked.unwrap_or_else(|| Algorithm::auto(&problem, u64::MAX).0);
        Ok(Plan::new(Run::new(&problem, algorithm, self.depth)?, self.units_per_task))
    }
}

impl MachineArgs {
    pub(crate) fn counter(&self, threads: usize) -> TaskCounter {
        let mut counter = TaskCounter::new().threads(threads);
        if let Some(kernel) = args::kernel(&self.kernel) {
            counter = counter.kernel(kernel);
        }
        if let Some(memory) = self.memory {
            counter = counter.memory(memory.as_u64());
        }
        counter
    }
}

pub(crate) fn plan(args: &Args, plan: &PlanArgs, output: impl Write) -> Result<(), Failure> {
    let mut output = BufWriter::new(output);
    let plan = plan.split.plan(plan.n)?;
    if !args.quiet {
        report::note(args, &summary(&plan));
    }
    for task in plan.tasks() {
        writeln!(output, "{}", task.to_line())?;
    }
    Ok(output.flush()?)
}

/// What a plan is: for people.
pub(crate) fn summary(plan: &Plan) -> String {
    let run = &plan.run;
    format!(
        "plan {}: N = {}, algorithm {}, {} units in {} tasks",
        run.id(),
        run.n,
        run.algorithm,
        run.units,
        plan.tasks_len()
    )
}

pub(crate) fn work(
    args: &Args,
    work: &WorkArgs,
    threads: usize,
    input: impl BufRead + IsTerminal,
    output: impl Write,
) -> Result<(), Failure> {
    let workplace = Workplace { args, counter: work.machine.counter(threads), output, tasks: 0 };
    let Share { index, of } = work.task.unwrap_or(Share { index: 0, of: 1 });
    let (index, of) = (index as usize, of as usize);
    match work.n {
        Some(n) => {
            let tasks = work.split.plan(n)?.tasks().map(|task| (None, Ok(task)));
            workplace.count(tasks.skip(index).step_by(of))
        }
        None if input.is_terminal() => {
            let example = "nqueens plan 16 | nqueens work > results.jsonl";
            Err(Failure::Usage(format!("tasks are read from standard input; example: {example}")))
        }
        None => {
            let lines = lines(input).map(|(number, line)| {
                let task = line.and_then(|line| {
                    Task::from_line(line.trim()).map_err(|error| in_line(number, &error))
                });
                (Some(number), task)
            });
            workplace.count(lines.skip(index).step_by(of))
        }
    }
}

/// The lines of standard input that are not blank, with their numbers.
fn lines(input: impl BufRead) -> impl Iterator<Item = (u64, Result<String, Failure>)> {
    let failed = |error| Failure::Run(format!("standard input: {error}"));
    (1..)
        .zip(input.lines())
        .filter(|(_, line)| line.as_ref().map_or(true, |line| !line.trim().is_empty()))
        .map(move |(number, line)| {
            let line = line.map_err(failed);
            (number, line.map(|line| line.trim_start_matches('\u{feff}').to_string()))
        })
}

fn in_line(number: u64, error: &LineError) -> Failure {
    Failure::Usage(format!("line {number} of standard input {error}"))
}

/// Counts tasks one after the other.
struct Workplace<'a, W> {
    args: &'a Args,
    counter: TaskCounter,
    output: W,
    tasks: u64,
}

impl<W: Write> Workplace<'_, W> {
    /// Counts tasks, each with the number of its line.
    fn count(
        mut self,
        tasks: impl Iterator<Item = (Option<u64>, Result<Task, Failure>)>,
    ) -> Result<(), Failure> {
        for (line, task) in tasks {
            self.count_one(line, &task?)?;
        }
        if self.tasks == 0 && !self.args.quiet {
            report::note(self.args, "no task, so nothing to count");
        }
        Ok(())
    }

    fn count_one(&mut self, line: Option<u64>, task: &Task) -> Result<(), Failure> {
        let graceful = signals::end_gracefully();
        let progress = Progress::new(self.args, task.run.n);
        let counted = self.counter.count(task, &progress, graceful.stop());
        progress.finish();
        let result = counted.map_err(|error| match (line, error) {
            (Some(line), Error::OtherUnits(mismatch)) => {
                in_line(line, &LineError::OtherUnits(mismatch))
            }
            (_, error) => error.into(),
        })?;
        if result.units() == task.units || !result.tallies.is_empty() {
            self.write(&result)?;
        }
        graceful.is_over();
        self.tasks += 1;
        if self.args.verbose {
            report::note(self.args, &counted_text(&result));
        }
        match graceful.signal() {
            0 => Ok(()),
            signal => Err(Failure::Signal(signal, stopped(task, &result))),
        }
    }

    /// Writes a result. If that fails, it goes to standard error, so that it is not lost.
    fn write(&mut self, result: &TaskResult) -> Result<(), Failure> {
        let line = result.to_line() + "\n";
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush());
        written.map_err(|error| {
            report::note(self.args, &format!("this result could not be written:\n{line}"));
            error.into()
        })
    }
}

fn counted_text(result: &TaskResult) -> String {
    let units = result.units();
    format!(
        "N = {}: units {}..{} counted in {} ({}, {} threads)",
        result.run.n,
        units.start,
        units.end,
        duration(result.elapsed),
        result.kernel,
        result.threads
    )
}

fn stopped(task: &Task, result: &TaskResult) -> String {
    let (end, last) = (result.units().end, task.units.end);
    if end == last {
        return "stopped; results are written of every task that was begun".into();
    }
    format!("stopped; units {end}..{last} of the task in hand are not counted: `merge` names them")
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
        report::note(args, &format!("{confirmed} repeated units confirmed: each has one tally"));
    }
    if let Some(file) = &total.checkpoint {
        let added = results.fill_checkpoint(file)?;
        if !args.quiet {
            report::note(args, &format!("{added} units added to {}", file.display()));
        }
    }
    if !results.is_complete() {
        if !total.json {
            for task in results.missing() {
                writeln!(output, "{}", task.to_line())?;
            }
            output.flush()?;
        }
        return Err(Failure::WrongResult(missing_text(run, &results)));
    }
    super::check(args, &run.problem()?, results.solutions())?;
    if !total.json {
        writeln!(output, "{}", results.solutions())?;
        output.flush()?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!(parse_share("1/1"), Ok(Share { index: 0, of: 1 }));
        assert_eq!(parse_share("3/10"), Ok(Share { index: 2, of: 10 }));
        for text in
            ["", "3", "0/3", "4/3", "0/0", "-1/3", "+1/3", "1/", "/3", "a/b", "1/3/5", "1 /3"]
        {
            assert!(parse_share(text).is_err(), "{text:?}");
        }
    }
}
