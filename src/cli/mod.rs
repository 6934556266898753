//! The command line: parses, counts, reports.
//!
//! Results go to standard output and nothing else does. The exit codes are decided here alone.

mod args;
mod bench;
mod boards;
#[cfg(feature = "cluster")]
mod cluster;
mod generate;
mod info;
mod machine;
mod picture;
mod progress;
mod report;
mod runs;
mod selftest;
mod signals;
mod tasks;
mod version;

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory;
use nqueens::{Algorithm, Classes, Count, Outcome, Problem, Stop, known};

use args::{Args, Command, Sizes};
use progress::Progress;
use report::Report;

/// Why the program ends without having done what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads our output any more; not an error.
    ClosedPipe,
    /// Exit code 1.
    Run(String),
    /// Exit code 2.
    Usage(String),
    /// Exit code 3.
    WrongResult(String),
    /// Exit code 128 + signal number.
    Signal(i32, String),
}

/// Runs the program with the given arguments, its own name first.
pub(crate) fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let args = match Args::parse_from(&args) {
        Ok(args) => args,
        Err(instead) => return print_instead(&instead),
    };
    signals::end_promptly();
    let color = args.color;
    match run(&args, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report::failure(&failure, color),
    }
}

/// Prints what clap has to say: help and version to standard output, errors to standard error.
fn print_instead(instead: &clap::Error) -> ExitCode {
    match instead.print() {
        Ok(()) if instead.use_stderr() => ExitCode::from(2),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report::failure(&error.into(), args::When::Auto),
    }
}

fn run(args: &Args, input: impl BufRead + IsTerminal, output: impl Write) -> Result<(), Failure> {
    let threads = match &args.threads {
        Some(_) if matches!(args.command, Some(Command::Bench(_))) => nqueens::default_threads(),
        Some(threads) => threads.only().ok_or_else(|| {
            Failure::Usage("several numbers of threads are for bench only".to_string())
        })?,
        None => threads_from_environment(std::env::var_os("RAYON_NUM_THREADS").as_deref())?,
    };
    match &args.command {
        Some(Command::Solve(solve)) => return boards::solve(args, solve, output),
        Some(Command::List(list)) => return boards::list(args, list, threads, output),
        Some(Command::Check(check)) => return boards::check(args, check, input, output),
        Some(Command::Classes(classes)) => {
            let report = Report::new(classes.format, output);
            return Boards { args, threads, report }.classes(classes.n);
        }
        Some(Command::Status(status)) => return runs::status(status, output),
        Some(Command::Verify(verify)) => return runs::verify(args, verify, threads, output),
        Some(Command::Estimate(estimate)) => return runs::estimate(estimate, threads, output),
        Some(Command::Resume(resume)) => {
            let (args, problem) = runs::resumed(args, resume)?;
            let report = Report::new(args.format, output);
            return Boards { args: &args, threads, report }.count_and_report(&problem, false);
        }
        Some(Command::Plan(plan)) => return tasks::plan(args, plan, output),
        Some(Command::Work(work)) => return tasks::work(args, work, threads, input, output),
        Some(Command::Merge(merge)) => return tasks::merge(args, merge, input, output),
        #[cfg(feature = "cluster")]
        Some(Command::Cluster(cluster)) => return cluster::run(args, cluster, threads, output),
        #[cfg(not(feature = "cluster"))]
        Some(Command::Cluster { .. }) => {
            let message =
                "`cluster` is not in this build: cargo build --release --features cluster";
            return Err(Failure::Usage(message.into()));
        }
        Some(Command::Test(test)) => return selftest::run(test, threads, output),
        Some(Command::Bench(bench)) => return bench::run(args, bench, threads, output),
        Some(Command::Info(info)) => {
            return info::run(info, threads, args.threads.is_some(), output);
        }
        Some(Command::Completions(shell)) => return generate::completions(shell, output),
        Some(Command::Man(man)) => return generate::man(man, output),
        None => {}
    }
    if args.checkpoint.is_some() && !matches!(args.sizes[..], [Sizes::One(_)]) {
        let message = "--checkpoint goes with one board size: each board needs a file of its own";
        return Err(Failure::Usage(message.into()));
    }
    let mut boards = Boards { args, threads, report: Report::new(args.format, output) };
    match args.sizes.as_slice() {
        [] if input.is_terminal() => {
            Err(Failure::Usage(format!("which board?\n\n{}", Args::command().render_help())))
        }
        [] | [Sizes::Stdin] => boards.count_from(input),
        [Sizes::One(n)] => boards.count(*n, false),
        several => several.iter().try_for_each(|sizes| boards.count_labelled(sizes)),
    }
}

/// Counts boards one after the other, and writes each result as soon as it is there.
struct Boards<'a, W> {
    args: &'a Args,
    threads: usize,
    report: Report<W>,
}

impl<W: Write> Boards<'_, W> {
    /// Counts for every number in `input`, line by line.
    fn count_from(&mut self, mut input: impl BufRead) -> Result<(), Failure> {
        let mut line = Vec::new();
        let mut any = false;
        for number in 1.. {
            line.clear();
            let read = input.read_until(b'\n', &mut line);
            let read = read.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
            if read == 0 {
                break;
            }
            for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                let word = String::from_utf8_lossy(word);
                let n = args::parse_size(&word).map_err(|error| {
                    Failure::Usage(format!("line {number} of standard input: {word:?} is {error}"))
                })?;
                self.count(n, false)?;
                any = true;
            }
        }
        if any {
            return Ok(());
        }
        Err(Failure::Usage("no board size on standard input; example: echo 8 | nqueens".into()))
    }

    fn count_labelled(&mut self, sizes: &Sizes) -> Result<(), Failure> {
        match sizes {
            Sizes::One(n) => self.count(*n, true),
            Sizes::Many(sizes) => sizes.iter().try_for_each(|&n| self.count(n, true)),
            Sizes::Stdin => {
                let message = "`-` (standard input) does not go together with other board sizes";
                Err(Failure::Usage(message.into()))
            }
        }
    }

    /// Counts the board of `n` rows; `labelled` results name their board.
    fn count(&mut self, n: u32, labelled: bool) -> Result<(), Failure> {
        let problem = match self.args.toroidal {
            true => Problem::toroidal(n)?,
            false => self.args.place.problem(n)?,
        };
        if self.args.divide {
            let columns = self.divide(&problem)?;
            return self.report.columns(n, &columns, labelled);
        }
        self.count_and_report(&problem, labelled)
    }

    /// Counts the boards of `problem`, of the kind asked for.
    fn count_and_report(&mut self, problem: &Problem, labelled: bool) -> Result<(), Failure> {
        let outcome = self.count_problem(problem.clone())?;
        check(self.args, problem, outcome.solutions)?;
        let (counted, count) = match () {
            () if self.args.fundamental => ("fundamental", self.fundamental(&outcome)?),
            () if problem.is_toroidal() => ("toroidal", outcome.solutions),
            () if !problem.queens().is_empty() => ("placed", outcome.solutions),
            () => ("all", outcome.solutions),
        };
        self.report.count(&outcome, counted, count, labelled)
    }

    /// The number of boards up to rotation and reflection.
    fn fundamental(&self, outcome: &Outcome) -> Result<u128, Failure> {
        Ok(Classes::of(outcome.n, outcome.solutions, &Stop::new())?.fundamental())
    }

    /// Counts the classes of the boards of `n` rows by size.
    fn classes(&mut self, n: u32) -> Result<(), Failure> {
        let problem = Problem::new(n)?;
        let solutions = self.count_problem(problem.clone())?.solutions;
        check(self.args, &problem, solutions)?;
        let classes = Classes::of(n, solutions, &Stop::new())?;
        self.report.classes(n, &classes)
    }

    /// Solutions by the column of the first row's queen. A column and its mirror image have the
    /// same number, so the right half of the board is not counted again.
    fn divide(&self, problem: &Problem) -> Result<Vec<u128>, Failure> {
        let n = problem.n();
        let searched = if problem.is_mirror_symmetric() { n.div_ceil(2) } else { n };
        let mut columns = Vec::new();
        for column in 0..searched {
            columns.push(self.count_with_first_queen(problem, column)?);
        }
        let mirrored = columns[..(n - searched) as usize].iter().rev().copied();
        columns.extend(mirrored.collect::<Vec<_>>());
        // The board without rows has one solution, and no column.
        if n > 0 {
            check(self.args, problem, columns.iter().sum())?;
        }
        Ok(columns)
    }

    /// Solutions of `problem` with the first row's queen in `column`.
    fn count_with_first_queen(&self, problem: &Problem, column: u32) -> Result<u128, Failure> {
        if !problem.allows(0, column) {
            return Ok(0);
        }
        let given = problem.queens().contains(&(0, column));
        let problem = problem.clone();
        let problem = if given { problem } else { problem.with_queen(0, column)? };
        Ok(self.count_problem(problem)?.solutions)
    }

    /// Counts; twice and in different ways if that was asked for.
    fn count_problem(&self, problem: Problem) -> Result<Outcome, Failure> {
        let outcome = self.count_once(
            problem.clone(),
            self.args.algorithm(),
            self.args.checkpoint.as_deref(),
        )?;
        if self.args.double_check {
            let other = match outcome.algorithm {
                Algorithm::Join => Algorithm::Bitboard,
                _ if Algorithm::Join.supports(&problem) => Algorithm::Join,
                Algorithm::Bitboard => Algorithm::Arrays,
                _ => Algorithm::Bitboard,
            };
            let again = self.count_once(problem, Some(other), None)?;
            compare(&outcome, &again)?;
            let message = format!("N = {}: {} and {other} agree", outcome.n, outcome.algorithm);
            if self.args.verbose {
                report::note(self.args, &message);
            }
        }
        Ok(outcome)
    }

    fn count_once(
        &self,
        problem: Problem,
        algorithm: Option<Algorithm>,
        checkpoint: Option<&Path>,
    ) -> Result<Outcome, Failure> {
        let n = problem.n();
        let progress = Progress::new(self.args, n);
        let mut count = Count::of(problem).threads(self.threads).observer(&progress);
        if let Some(algorithm) = algorithm {
            count = count.algorithm(algorithm);
        }
        if let Some(kernel) = self.args.kernel() {
            count = count.kernel(kernel);
        }
        if let Some(memory) = self.args.memory {
            count = count.memory(memory.as_u64());
        }
        if let Some(file) = checkpoint {
            count = count.checkpoint(file);
        }
        if self.args.verbose {
            let (algorithm, reason) = count.choice()?;
            report::note(self.args, &format!("N = {n}: algorithm {algorithm}: {reason}"));
        }
        let outcome = match checkpoint {
            None => count.run()?,
            Some(file) => {
                let fundamental = if self.args.fundamental { " --fundamental" } else { "" };
                let twice = if self.args.double_check { " --double-check" } else { "" };
                let question = format!("{fundamental}{twice}");
                runs::count_with_checkpoint(count, file, &question, &progress)?
            }
        };
        progress.finish();
        if self.args.time {
            report::note(self.args, &report::time(&outcome));
        }
        Ok(outcome)
    }
}

/// Doubts a result before it is printed.
pub(crate) fn check(args: &Args, problem: &Problem, solutions: u128) -> Result<(), Failure> {
    let n = problem.n();
    let (known, source) = match () {
        () if !problem.queens().is_empty() => return Ok(()),
        () if problem.is_toroidal() => (known::toroidal(n), "A051906"),
        () => (known::solutions(n), "A000170"),
    };
    match known {
        Some(known) if u128::from(known) != solutions => {
            Err(not_as_published(n, solutions, known, source))
        }
        Some(_) if args.verbose => {
            report::note(args, &format!("N = {n}: equals OEIS {source}"));
            Ok(())
        }
        None if !args.quiet => {
            report::note(args, &format!("N = {n}: no published value to compare with"));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn not_as_published(n: u32, solutions: u128, known: u64, source: &str) -> Failure {
    Failure::WrongResult(format!(
        "counted {solutions} for N = {n}, but OEIS {source} has {known}: this machine or program \
         made an error"
    ))
}

/// Compares two counts of the same boards.
fn compare(one: &Outcome, other: &Outcome) -> Result<(), Failure> {
    if one.solutions == other.solutions {
        return Ok(());
    }
    Err(Failure::WrongResult(format!(
        "N = {}: {} counted {}, and {} counted {}: one of them is wrong",
        one.n, one.algorithm, one.solutions, other.algorithm, other.solutions
    )))
}

/// The number of threads where none is asked for.
fn threads_from_environment(variable: Option<&OsStr>) -> Result<usize, Failure> {
    match variable.map(OsStr::to_string_lossy).as_deref() {
        // rayon's convention: 0 stands for automatic.
        None | Some("" | "0") => Ok(nqueens::default_threads()),
        Some(text) => args::parse_threads(text)
            .map_err(|error| Failure::Usage(format!("RAYON_NUM_THREADS is {text:?}: {error}"))),
    }
}

impl From<nqueens::Error> for Failure {
    fn from(error: nqueens::Error) -> Self {
        use nqueens::Error::{
            AboveLimit, Attacked, BoardTooLarge, Checkpoint, Inconsistent, KernelMissing,
            MemoryTooSmall, OffBoard, OtherUnits, SplitDepth, ThreadCount, Unsupported,
        };
        use nqueens::checkpoint::CheckpointError::{Foreign, OtherFormat, OtherRun};
        match error {
            Checkpoint(Foreign { .. } | OtherFormat { .. } | OtherRun { .. }) | OtherUnits(_) => {
                Self::Usage(error.to_string())
            }
            Inconsistent { .. } => Self::WrongResult(error.to_string()),
            AboveLimit { .. }
            | Attacked { .. }
            | BoardTooLarge { .. }
            | OffBoard { .. }
            | Unsupported { .. }
            | KernelMissing { .. }
            | MemoryTooSmall { .. }
            | SplitDepth { .. }
            | ThreadCount { .. } => Self::Usage(error.to_string()),
            _ => Self::Run(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Run(format!("cannot write to standard output: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_results_are_noticed() {
        let args = Args::parse_from(&["nqueens", "8"]).unwrap();
        let report = Report::new(args::Format::Text, Vec::new());
        let boards = Boards { args: &args, threads: 1, report };
        let problem = Problem::new(8).unwrap();
        assert!(check(&args, &problem, 92).is_ok());
        assert!(matches!(check(&args, &problem, 91), Err(Failure::WrongResult(_))));
        let toroidal = Problem::toroidal(5).unwrap();
        assert!(check(&args, &toroidal, 10).is_ok());
        assert!(matches!(check(&args, &toroidal, 11), Err(Failure::WrongResult(_))));

        let right = boards.count_once(problem, None, None).unwrap();
        let mut wrong = right.clone();
        wrong.solutions += 1;
        assert!(compare(&right, &right).is_ok());
        assert!(matches!(compare(&right, &wrong), Err(Failure::WrongResult(_))));
    }
}
