//! `nqueens status`: how far a run is.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use nqueens::checkpoint::{self, Saved, Session};
use nqueens::known;
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::report::write_json_or;
use crate::cli::wording::{duration, first_of, left, percent, plural};

/// So many missing units are named.
const FIRST_MISSING: usize = 10;

/// Says how far a run is, from its checkpoint file; which may be in use.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {
    /// The checkpoint file
    file: PathBuf,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

/// The JSON of `status`: this struct is the schema. Numbers that can pass 2^53 are strings.
#[derive(Debug, Serialize)]
struct StatusReport {
    /// Board size.
    board: u32,
    /// Whether the board is toroidal.
    toroidal: bool,
    /// Given queens, as row and column from 1.
    queens: Vec<(u32, u32)>,
    /// The algorithm.
    algorithm: &'static str,
    /// Rows that a unit fills.
    depth: u32,
    /// Number of units.
    units: u64,
    /// Units counted.
    done: u64,
    /// Units not counted yet.
    missing: u64,
    /// The first of them, ten at most.
    first_missing: Vec<u64>,
    /// Whether all units are counted.
    complete: bool,
    /// Whether the boards found cannot be right: a published number says otherwise.
    wrong: bool,
    /// Boards found in the units counted: the count only if that is all of them.
    partial_count: String,
    /// Work done in them, nodes or pairs.
    work: String,
    /// The smallest and the largest count of a unit.
    least_and_most: Option<(u64, u64)>,
    /// Wall-clock time of all sessions.
    seconds: f64,
    /// Units per second in the last session; absent if it counted none.
    rate: Option<f64>,
    /// Seconds left at that rate.
    seconds_left: Option<f64>,
    /// Every start of the program that counted something.
    sessions: Vec<SessionReport>,
    /// Version of the program that made the file.
    version: String,
}

/// A start of the program.
#[derive(Debug, Serialize)]
struct SessionReport {
    /// Threads that counted.
    threads: usize,
    /// Name of the kernel.
    kernel: String,
    /// Version of the program.
    version: String,
    /// When it began, in seconds since 1970.
    started: u64,
    /// Time until its last save.
    seconds: f64,
    /// Units that it counted.
    units: u64,
}

/// Units per second in the last session that counted any.
fn rate(saved: &Saved) -> Option<f64> {
    let session: &Session = saved.sessions.iter().rfind(|session| session.units > 0)?;
    let seconds = session.elapsed.as_secs_f64();
    (seconds > 0.0).then(|| session.units as f64 / seconds)
}

impl StatusArgs {
    pub(crate) fn run(&self, output: impl Write) -> Result<(), Failure> {
        let saved = checkpoint::read(&self.file, |_, _| ())?;
        write_json_or(self.json, output, &status_report(&saved), || status_text(&saved))?;
        match contradiction(&saved) {
            Some(word) => Err(Failure::WrongResult(format!("{} boards {word}", saved.solutions))),
            None => Ok(()),
        }
    }
}

fn status_report(saved: &Saved) -> StatusReport {
    let run = &saved.run;
    let missing = run.units - saved.units_done();
    let session = |session: &Session| SessionReport {
        threads: session.threads,
        kernel: session.kernel.clone(),
        version: session.version.clone(),
        started: session.started,
        seconds: session.elapsed.as_secs_f64(),
        units: session.units,
    };
    StatusReport {
        board: run.n,
        toroidal: run.toroidal,
        queens: run.queens_from_one(),
        algorithm: run.algorithm.name(),
        depth: run.depth,
        units: run.units,
        done: saved.units_done(),
        missing,
        first_missing: saved.missing().take(FIRST_MISSING).collect(),
        complete: missing == 0,
        wrong: contradiction(saved).is_some(),
        partial_count: saved.solutions.to_string(),
        work: saved.work.to_string(),
        least_and_most: saved.range,
        seconds: saved.elapsed().as_secs_f64(),
        rate: rate(saved),
        seconds_left: rate(saved).map(|rate| missing as f64 / rate),
        sessions: saved.sessions.iter().map(session).collect(),
        version: saved.version.clone(),
    }
}

/// What is said of a sum that cannot be right.
fn contradiction(saved: &Saved) -> Option<String> {
    let is_complete = saved.units_done() == saved.run.units;
    let (known, sequence) = known::of(&saved.run.problem().ok()?)?;
    let is_wrong = saved.solutions > known.into() || is_complete && saved.solutions != known.into();
    is_wrong.then(|| format!("is wrong: OEIS {sequence} has {known}"))
}

fn status_text(saved: &Saved) -> String {
    let run = &saved.run;
    let (done, missing) = (saved.units_done(), run.units - saved.units_done());
    let mut text = run.to_string();
    if run.algorithm.has_depth() {
        let _ = write!(text, ", units of {} rows", run.depth);
    }
    text.push('\n');
    let percent = percent(done, run.units);
    let _ = writeln!(text, "units     {done} of {} done ({percent})", run.units);
    if missing > 0 {
        let first = first_of(saved.missing(), FIRST_MISSING);
        let _ = writeln!(text, "missing   {missing}: {first}");
    }
    if let Some((least, most)) = saved.range {
        let _ = writeln!(text, "counts    {least} to {most} boards per unit");
    }
    let name = if missing == 0 { "count" } else { "so far" };
    let word = contradiction(saved).map_or(String::new(), |word| format!(" {word}"));
    let _ = writeln!(text, "{name:<9} {} boards{word}", saved.solutions);
    let starts = saved.sessions.len();
    let time = duration(saved.elapsed());
    let _ = writeln!(text, "time      {time} in {starts} session{}", plural(starts));
    if let (Some(rate), true) = (rate(saved), missing > 0) {
        let _ = writeln!(text, "rate      {rate:.3} units per second, {}", left(missing, rate));
    }
    text
}
