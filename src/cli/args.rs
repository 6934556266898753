//! What the user typed: the only place that knows all commands.

use std::ffi::OsStr;
use std::io::{BufRead, IsTerminal, Write};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::commands::bench::BenchArgs;
use super::commands::check::CheckArgs;
use super::commands::classes::ClassesArgs;
#[cfg(feature = "cluster")]
use super::commands::cluster::ClusterArgs;
use super::commands::completions::CompletionsArgs;
use super::commands::count::CountArgs;
use super::commands::estimate::EstimateArgs;
use super::commands::info::InfoArgs;
use super::commands::list::ListArgs;
use super::commands::man::ManArgs;
use super::commands::merge::MergeArgs;
use super::commands::plan::PlanArgs;
use super::commands::resume::ResumeArgs;
use super::commands::solve::SolveArgs;
use super::commands::status::StatusArgs;
use super::commands::test::TestArgs;
use super::commands::verify::VerifyArgs;
use super::commands::work::WorkArgs;
use super::context::{self, Context};
use super::failure::Failure;
use super::options::{Threads, When, parse_thread_list};
use super::version;

/// Counts the ways to place N non-attacking queens on an N x N board.
#[derive(Debug, Clone, Parser)]
#[command(name = "nqueens", version, long_version = version::LONG, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Number of threads, from 1 to 4096, or `all` [default: RAYON_NUM_THREADS, else the CPUs that
    /// this process may use]; bench takes a list: 1,2,all
    #[arg(short, long, global = true, value_name = "N", allow_negative_numbers = true, value_parser = parse_thread_list)]
    threads: Option<Threads>,

    #[command(flatten)]
    count: CountArgs,

    /// Show progress on standard error: `auto` draws a bar on a terminal and nothing elsewhere,
    /// `always` writes plain lines where there is no terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    progress: When,

    /// Write nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Say which algorithm runs and why, and what the result was checked against
    #[arg(short, long, global = true)]
    verbose: bool,

    /// Use colours; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
}

const EXAMPLES: &str = "\
Examples:
  nqueens 16                      one number: 14772512
  nqueens 8..=14                  a line `N count` for each board
  echo 8 | nqueens                N from standard input
  nqueens 15 --time --threads 1   how long one thread takes
  nqueens 12 --divide             solutions by the first queen's column
  nqueens 12 --place 1,3          only boards with a queen in row 1, column 3
  nqueens solve 100               one board
  nqueens list 8 --format board   all boards, drawn
  nqueens 14 --format json        for programs
  nqueens 22 --checkpoint q22.nq  a long run: starts, or resumes where it was
  nqueens estimate 24             how long it would take, and about how many boards
  nqueens plan 24 | nqueens work  a count in tasks, for many machines; `nqueens merge` adds up
  nqueens bench                   how fast this machine is

Exit codes: 0 done, 1 failed while running, 2 wrong usage or input, 3 wrong or incomplete result,
128 + signal number when stopped by a signal (130 for Ctrl-C).";

/// What to do besides counting.
#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Command {
    Solve(SolveArgs),
    List(ListArgs),
    Check(CheckArgs),
    Classes(ClassesArgs),
    Status(StatusArgs),
    Resume(ResumeArgs),
    Verify(VerifyArgs),
    Estimate(EstimateArgs),
    Plan(PlanArgs),
    Work(WorkArgs),
    Merge(MergeArgs),
    #[cfg(feature = "cluster")]
    Cluster(ClusterArgs),
    /// Is not in this build
    #[cfg(not(feature = "cluster"))]
    #[command(hide = true, disable_help_flag = true)]
    Cluster {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<std::ffi::OsString>,
    },
    Test(TestArgs),
    Bench(BenchArgs),
    Info(InfoArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Args {
    /// Parses the command line.
    ///
    /// # Errors
    /// What clap prints instead: an error, or the help or version that was asked for.
    pub(crate) fn parse_from(args: &[impl AsRef<OsStr>]) -> Result<Self, clap::Error> {
        let args = args.iter().map(AsRef::as_ref);
        let command = Self::command().color(color_choice(args.clone()));
        let matches = command.try_get_matches_from(args)?;
        refuse_stray_options(&matches)?;
        Self::from_arg_matches(&matches)
    }

    /// Does what was asked for.
    pub(crate) fn run(
        &self,
        input: impl BufRead + IsTerminal,
        output: impl Write,
    ) -> Result<(), Failure> {
        let context = &self.context()?;
        let Some(command) = &self.command else {
            let help = || Self::command().render_help().to_string();
            return self.count.run(context, help, input, output);
        };
        match command {
            Command::Solve(solve) => solve.run(context, output),
            Command::List(list) => list.run(context, output),
            Command::Check(check) => check.run(context, input, output),
            Command::Classes(classes) => classes.run(context, output),
            Command::Status(status) => status.run(output),
            Command::Resume(resume) => resume.run(context, output),
            Command::Verify(verify) => verify.run(context, output),
            Command::Estimate(estimate) => estimate.run(context, output),
            Command::Plan(plan) => plan.run(context, output),
            Command::Work(work) => work.run(context, input, output),
            Command::Merge(merge) => merge.run(context, input, output),
            #[cfg(feature = "cluster")]
            Command::Cluster(cluster) => cluster.run(context, output),
            #[cfg(not(feature = "cluster"))]
            Command::Cluster { .. } => Err(Failure::Usage(
                "`cluster` is not in this build: cargo build --release --features cluster".into(),
            )),
            Command::Test(test) => test.run(context, output),
            Command::Bench(bench) => bench.run(context, output),
            Command::Info(info) => info.run(context, output),
            Command::Completions(completions) => completions.run(Self::command(), output),
            Command::Man(man) => man.run(Self::command(), output),
        }
    }

    /// What goes for every command.
    fn context(&self) -> Result<Context, Failure> {
        let (threads, threads_from) =
            context::threads(self.threads.as_ref()).map_err(Failure::Usage)?;
        context::judge_kernel_variable().map_err(Failure::Usage)?;
        if threads.are_several() && !matches!(self.command, Some(Command::Bench(_))) {
            return Err(Failure::Usage("several numbers of threads are for bench only".into()));
        }
        Ok(Context {
            threads,
            threads_from,
            color: self.color,
            progress: self.progress,
            quiet: self.quiet,
            verbose: self.verbose,
        })
    }
}

/// Refuses what is for counting only, and was given in front of a subcommand.
fn refuse_stray_options(matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some(subcommand) = matches.subcommand_name() else { return Ok(()) };
    let mut command = Args::command();
    // An argument has no name to show before its command is built.
    command.build();
    let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let stray =
        command.get_arguments().find(|arg| !arg.is_global_set() && given(arg.get_id().as_str()));
    let Some(stray) = stray.map(ToString::to_string) else { return Ok(()) };
    let message = format!("{stray} cannot stand in front of {subcommand}");
    Err(command.error(ErrorKind::ArgumentConflict, message))
}

/// The value of `--color`, found before parsing since messages about wrong arguments obey it.
fn color_choice<'a>(args: impl Iterator<Item = &'a OsStr> + Clone) -> clap::ColorChoice {
    let next = args.clone().skip(1);
    let separate = args.clone().zip(next).find(|(flag, _)| *flag == "--color").map(|pair| pair.1);
    let joined = args.filter_map(|arg| arg.to_str()?.strip_prefix("--color=")).next();
    match separate.and_then(OsStr::to_str).or(joined) {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_consistent() {
        Args::command().debug_assert();
    }
}
