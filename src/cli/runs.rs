//! Long runs: counting with a checkpoint file, and the subcommands about such files and runs.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytesize::ByteSize;
use nqueens::checkpoint::{self, Saved, Session};
use nqueens::{
    Algorithm, Count, Difference, Error, Estimate, Kernel, Outcome, Problem, Stop, Verified, Work,
    known,
};
use serde::Serialize;

use super::args::{self, Args, Format};
use super::progress::{Progress, duration, left};
use super::{Failure, report, signals};

/// Says how far a run is, from its checkpoint file; the run may go on meanwhile.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StatusArgs {
    /// The checkpoint file
    file: PathBuf,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

/// Goes on with the run of a checkpoint file.
///
/// The file says what is counted. Any number of threads, any kernel and any machine may go on.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ResumeArgs {
    /// The checkpoint file
    file: PathBuf,

    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = args::kernel_parser())]
    kernel: String,

    /// The most memory that the lists of the join may take [default: half of what is available]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,

    /// Say how many boards there are up to rotation and reflection
    #[arg(long)]
    fundamental: bool,

    /// Count again with another algorithm, and fail with exit code 3 if the two differ
    #[arg(long)]
    double_check: bool,

    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write time, rate and algorithm to standard error
    #[arg(long)]
    time: bool,
}

/// Counts saved units again, in another way, and names each that differs: exit code 3.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The checkpoint file
    file: PathBuf,

    /// Count only a random sample again
    #[arg(long, value_name = "PERCENT", default_value = "100%", allow_hyphen_values = true, value_parser = parse_share)]
    sample: f64,

    /// Take damaged and repeated lines out of the file first, and keep it as FILE.damaged
    #[arg(long)]
    repair: bool,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

/// Estimates how long a count takes on this machine, and the count itself, from random samples.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct EstimateArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    n: u32,

    /// Time for it
    #[arg(long, value_name = "S", default_value = "10", allow_hyphen_values = true, value_parser = parse_seconds)]
    seconds: f64,

    /// The algorithm to be timed
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = args::algorithm_parser())]
    algorithm: String,

    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = args::kernel_parser())]
    kernel: String,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim_end().parse::<f64>().ok());
    percent
        .map(|percent| percent / 100.0)
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .ok_or_else(|| "a sample is a percentage above 0% and up to 100%, such as 1%".into())
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "a time is a number of seconds from 0.1 to 86400".into())
}

/// Runs a count that keeps its units in `file`. A signal ends that after the units in hand, and the
/// way to go on is told with the options that say what the `question` is.
pub(crate) fn count_with_checkpoint(
    count: Count<'_>,
    file: &Path,
    question: &str,
    progress: &Progress<'_>,
) -> Result<Outcome, Failure> {
    let graceful = signals::end_gracefully();
    let counted = count.stop(graceful.stop()).run();
    graceful.is_over();
    progress.finish();
    match counted {
        Err(Error::Stopped) if progress.is_saving_in_vain() => Err(Failure::Signal(
            graceful.signal(),
            format!(
                "stopped; what was counted last could not be saved to {}; what was saved before is \
                 good, go on with: nqueens resume {}{question}",
                file.display(),
                quoted(file)
            ),
        )),
        Err(Error::Stopped) => Err(Failure::Signal(
            graceful.signal(),
            format!("stopped and saved; go on with: nqueens resume {}{question}", quoted(file)),
        )),
        counted => Ok(counted?),
    }
}

/// A file name as a shell takes it.
fn quoted(file: &Path) -> String {
    let name = file.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/+=:,@%".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with('-') {
        return name;
    }
    let dashes = if name.starts_with('-') { "-- " } else { "" };
    format!("{dashes}'{}'", name.replace('\'', "'\\''"))
}

/// What `resume` stands for: the problem of the file, and the options of a count.
pub(crate) fn resumed(args: &Args, resume: &ResumeArgs) -> Result<(Args, Problem), Failure> {
    let run = checkpoint::run(&resume.file).map_err(Error::from)?;
    let args = Args {
        checkpoint: Some(resume.file.clone()),
        algorithm: "auto".into(),
        kernel: resume.kernel.clone(),
        memory: resume.memory,
        fundamental: resume.fundamental,
        double_check: resume.double_check,
        format: resume.format,
        time: resume.time,
        ..args.clone()
    };
    Ok((args, run.problem()?))
}

/// The JSON of `status`: this struct is the schema. Numbers that can pass 2^53 are strings.
#[derive(Debug, Serialize)]
struct StatusReport {
    /// Board size.
    board: u32,
    /// Whether the edges of the board are joined.
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

pub(crate) fn status(args: &StatusArgs, mut output: impl Write) -> Result<(), Failure> {
    let saved = checkpoint::read(&args.file, |_, _| ()).map_err(Error::from)?;
    if args.json {
        serde_json::to_writer(&mut output, &status_report(&saved)).map_err(std::io::Error::from)?;
        writeln!(output)?;
    } else {
        output.write_all(status_text(&saved).as_bytes())?;
    }
    Ok(output.flush()?)
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
        queens: run.queens.iter().map(|(row, column)| (row + 1, column + 1)).collect(),
        algorithm: run.algorithm.name(),
        depth: run.depth,
        units: run.units,
        done: saved.units_done(),
        missing,
        first_missing: saved.missing().take(10).collect(),
        complete: missing == 0,
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

fn status_text(saved: &Saved) -> String {
    let run = &saved.run;
    let (done, missing) = (saved.units_done(), run.units - saved.units_done());
    let mut text = format!("N = {}", run.n);
    if run.toroidal {
        text += ", edges joined";
    }
    for (row, column) in &run.queens {
        let _ = write!(text, ", queen at {},{}", row + 1, column + 1);
    }
    let _ = write!(text, ", algorithm {}", run.algorithm);
    if run.algorithm != Algorithm::Join {
        let _ = write!(text, ", units of {} rows", run.depth);
    }
    text.push('\n');
    let percent = 100.0 * done as f64 / run.units.max(1) as f64;
    let _ = writeln!(text, "units     {done} of {} done ({percent:.1} %)", run.units);
    if missing > 0 {
        let some: Vec<String> = saved.missing().take(10).map(|unit| unit.to_string()).collect();
        let more = if missing > 10 { ", ..." } else { "" };
        let _ = writeln!(text, "missing   {missing}: {}{more}", some.join(", "));
    }
    if let Some((least, most)) = saved.range {
        let _ = writeln!(text, "counts    {least} to {most} boards per unit");
    }
    let name = if missing == 0 { "count" } else { "so far" };
    let _ = writeln!(text, "{name:<9} {} boards", saved.solutions);
    let starts = saved.sessions.len();
    let plural = if starts == 1 { "" } else { "s" };
    let _ = writeln!(text, "time      {} in {starts} session{plural}", duration(saved.elapsed()));
    if let (Some(rate), true) = (rate(saved), missing > 0) {
        let _ = writeln!(text, "rate      {rate:.3} units per second, {}", left(missing, rate));
    }
    text
}

/// The JSON of `verify`: this struct is the schema. Counts and work are strings.
#[derive(Debug, Serialize)]
struct VerifyReport {
    /// Board size.
    board: u32,
    /// Units saved.
    done: u64,
    /// Units counted again.
    recounted: u64,
    /// How many of them in which way.
    ways: Vec<(String, u64)>,
    /// Units that differ.
    differences: Vec<DifferenceReport>,
}

/// A unit that differs.
#[derive(Debug, Serialize)]
struct DifferenceReport {
    /// The unit.
    unit: u64,
    /// Boards and work in the file.
    saved: (String, String),
    /// Boards and work now.
    recounted: (String, String),
    /// How it was counted now.
    way: String,
}

pub(crate) fn verify(
    args: &Args,
    verify: &VerifyArgs,
    threads: usize,
    mut output: impl Write,
) -> Result<(), Failure> {
    if verify.repair {
        let message = match checkpoint::repair(&verify.file).map_err(Error::from)? {
            Some(damaged) => format!("repaired; the damaged file is now {}", damaged.display()),
            None => "there is nothing to repair".into(),
        };
        if !args.quiet {
            report::note(args, &message);
        }
    }
    let run = checkpoint::run(&verify.file).map_err(Error::from)?;
    let progress = Progress::new(args, run.n);
    let verified = nqueens::verify(&verify.file, verify.sample, threads, &progress, &Stop::new());
    progress.finish();
    let verified = verified?;
    if verify.json {
        let report = verify_report(&verified);
        serde_json::to_writer(&mut output, &report).map_err(std::io::Error::from)?;
        writeln!(output)?;
    } else {
        output.write_all(verify_text(&verified).as_bytes())?;
    }
    output.flush()?;
    judge(&verified)
}

/// Exit code 3 if anything is wrong.
fn judge(verified: &Verified) -> Result<(), Failure> {
    let Verified { saved, differences, recounted, .. } = verified;
    let wrong = |message| Err(Failure::WrongResult(message));
    if !differences.is_empty() {
        return wrong(format!("{} of {recounted} units differ", differences.len()));
    }
    let whole = saved.units_done() == saved.run.units;
    let plain = saved.run.queens.is_empty() && !saved.run.toroidal;
    match known::solutions(saved.run.n).map(u128::from) {
        Some(known) if whole && plain && known != saved.solutions => {
            wrong(format!("the sum is {}, but OEIS A000170 has {known}", saved.solutions))
        }
        _ => Ok(()),
    }
}

fn verify_report(verified: &Verified) -> VerifyReport {
    let pair = |tally: &nqueens::Tally| (tally.solutions.to_string(), tally.work.to_string());
    let difference = |difference: &Difference| DifferenceReport {
        unit: difference.unit,
        saved: pair(&difference.saved),
        recounted: pair(&difference.recounted),
        way: difference.way.clone(),
    };
    VerifyReport {
        board: verified.saved.run.n,
        done: verified.saved.units_done(),
        recounted: verified.recounted,
        ways: verified.ways.clone(),
        differences: verified.differences.iter().map(difference).collect(),
    }
}

fn verify_text(verified: &Verified) -> String {
    let work = verified.saved.run.algorithm.work().name();
    let mut text = String::new();
    for Difference { unit, saved, recounted, way, .. } in &verified.differences {
        let _ = writeln!(
            text,
            "unit {unit} differs: saved {} boards and {} {work}, now {} and {} ({way})",
            saved.solutions, saved.work, recounted.solutions, recounted.work
        );
    }
    let Verified { saved, recounted, ways, .. } = verified;
    let ways: Vec<String> = ways.iter().map(|(way, units)| format!("{units} by {way}")).collect();
    let ways = if ways.is_empty() { "none".into() } else { ways.join(", ") };
    let equal = recounted - verified.differences.len() as u64;
    let (done, units) = (saved.units_done(), saved.run.units);
    let _ = writeln!(text, "{done} of {units} units saved; counted again: {ways}; equal: {equal}");
    text
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

pub(crate) fn estimate(
    estimate: &EstimateArgs,
    threads: usize,
    mut output: impl Write,
) -> Result<(), Failure> {
    let problem = Problem::new(estimate.n)?;
    let algorithm = Algorithm::from_name(&estimate.algorithm);
    let kernel = Kernel::from_name(&estimate.kernel);
    let time = Duration::from_secs_f64(estimate.seconds);
    let found = nqueens::estimate(&problem, algorithm, kernel, threads, time, &Stop::new())?;
    let report = estimate_report(estimate.n, &found);
    if estimate.json {
        serde_json::to_writer(&mut output, &report).map_err(std::io::Error::from)?;
        writeln!(output)?;
    } else {
        output.write_all(estimate_text(&report).as_bytes())?;
    }
    Ok(output.flush()?)
}

fn estimate_report(n: u32, found: &Estimate) -> EstimateReport {
    let known = known::solutions(n);
    let count = found.solutions.value;
    // The memory of a smaller board says nothing about this one.
    let timed = found.time.timed_board == n || found.algorithm.work() == Work::Nodes;
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
        version: env!("CARGO_PKG_VERSION"),
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
        if report.threads == 1 { "" } else { "s" },
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
    fn shares_and_seconds() {
        assert_eq!(parse_share("1%"), Ok(0.01));
        assert_eq!(parse_share("100%"), Ok(1.0));
        for text in ["0%", "-1%", "101%", "1", "%", "x%", "NaN%", "inf%", ""] {
            assert!(parse_share(text).is_err(), "{text}");
        }
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for text in ["0", "-1", "NaN", "inf", "1s", "", "1e9"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn file_names_for_a_shell() {
        assert_eq!(quoted(Path::new("q22.nq")), "q22.nq");
        assert_eq!(quoted(Path::new("my run's.nq")), "'my run'\\''s.nq'");
        assert_eq!(quoted(Path::new("-x")), "-- '-x'");
    }
}
