//! What the user typed.

use std::ffi::OsStr;
use std::path::PathBuf;

use bytesize::ByteSize;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use nqueens::{Algorithm, Kernel, MAX_N, MAX_THREADS};

use super::bench::BenchArgs;
use super::boards::{CheckArgs, ClassesArgs, ListArgs, PlaceArgs, SolveArgs};
#[cfg(feature = "cluster")]
use super::cluster::ClusterArgs;
use super::generate::{CompletionsArgs, ManArgs};
use super::info::InfoArgs;
use super::runs::{EstimateArgs, ResumeArgs, StatusArgs, VerifyArgs};
use super::selftest::TestArgs;
use super::tasks::{MergeArgs, PlanArgs, WorkArgs};
use super::version;

/// Counts the ways to place N non-attacking queens on an N x N board.
#[derive(Debug, Clone, Parser)]
#[command(name = "nqueens", version, long_version = version::LONG, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Board sizes from 0 to 32: a number (18), a range (8..=18 or 8..19), a list (8,10,12), or `-`
    /// for numbers from standard input, which is also read when no size is given
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_sizes)]
    pub(crate) sizes: Vec<Sizes>,

    /// Number of threads, from 1 to 4096, or `all` [default: RAYON_NUM_THREADS, else the CPUs that
    /// this process may use]; bench takes a list: 1,2,all
    #[arg(short, long, global = true, value_name = "N", allow_negative_numbers = true, value_parser = parse_thread_list)]
    pub(crate) threads: Option<Threads>,

    /// How to count; `auto` takes the fastest for the board and says which with -v
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = algorithm_parser())]
    pub(crate) algorithm: String,

    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kernel_parser())]
    pub(crate) kernel: String,

    /// The most memory that the lists of the join may take, such as 4GiB or 500MB [default: half of
    /// what is available]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<ByteSize>,

    /// Count up to rotation and reflection (OEIS A002562): (Q + P + 2 R) / 8 of all Q boards, the P
    /// that a half turn and the R that a quarter turn leaves as they are; N = 0 and 1 count 1
    #[arg(long, conflicts_with_all = ["divide", "place", "toroidal"])]
    pub(crate) fundamental: bool,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,

    /// Count again with another algorithm, and fail with exit code 3 if the two differ
    #[arg(long)]
    pub(crate) double_check: bool,

    /// Count on the board with joined edges (OEIS A051906): diagonals that leave it on one side come
    /// back on the other
    #[arg(long, conflicts_with_all = ["divide", "place"])]
    pub(crate) toroidal: bool,

    /// Count for each column of the first row: a line `column count` each, then the total
    #[arg(long)]
    pub(crate) divide: bool,

    /// Keep every counted unit in this file, and go on with what is in it: for long runs. The first
    /// Ctrl-C then finishes the units in hand
    #[arg(long, value_name = "FILE", conflicts_with = "divide")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,

    /// Write time, rate and algorithm to standard error
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) time: bool,

    /// Show progress on standard error: `auto` draws a bar on a terminal and nothing elsewhere,
    /// `always` writes plain lines where there is no terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,

    /// Write nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say which algorithm runs and why, and what the result was checked against
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,

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
  nqueens 22 --checkpoint q22.nq  a long run: starts, or goes on where it was
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

/// Numbers of threads; only a benchmark takes more than one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Threads(Vec<usize>);

impl Threads {
    /// All of them, in the order given.
    pub(crate) fn to_vec(&self) -> Vec<usize> {
        self.0.clone()
    }

    /// The only one, or `None` if there are several.
    pub(crate) fn only(&self) -> Option<usize> {
        (self.0.len() == 1).then(|| self.0[0])
    }
}

/// An output format of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Numbers
    Text,
    /// One JSON object per board and line; counts are strings
    Json,
    /// A header line and one line per board
    Csv,
}

/// When to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// One argument that names board sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sizes {
    One(u32),
    Many(Vec<u32>),
    Stdin,
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

pub(crate) fn algorithm_parser() -> clap::builder::PossibleValuesParser {
    let names = Algorithm::ALL.map(Algorithm::name);
    [["auto"].as_slice(), names.as_slice()].concat().into()
}

pub(crate) fn kernel_parser() -> clap::builder::PossibleValuesParser {
    let names = Kernel::ALL.map(Kernel::name);
    [["auto"].as_slice(), names.as_slice()].concat().into()
}

impl Args {
    /// The algorithm asked for; `None` for `auto`.
    pub(crate) fn algorithm(&self) -> Option<Algorithm> {
        Algorithm::from_name(&self.algorithm)
    }

    /// The kernel asked for; `None` for `auto`.
    pub(crate) fn kernel(&self) -> Option<Kernel> {
        Kernel::from_name(&self.kernel)
    }
}

/// Parses one board size.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_size(text: &str) -> Result<u32, String> {
    let size = parse_whole(text, MAX_N.into(), "a board size")?;
    Ok(size.try_into().expect("the maximum fits"))
}

/// Parses a whole number from 0 to `max`; `what` is its name in the message.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_whole(text: &str, max: u64, what: &str) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number| digits && number <= max);
    number.ok_or_else(|| {
        let is_number = text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit());
        let wrong = if is_number && !text.is_empty() { "out of range" } else { "not a number" };
        format!("{wrong}: {what} is a whole number from 0 to {max}")
    })
}

fn parse_sizes(text: &str) -> Result<Sizes, String> {
    if text == "-" {
        return Ok(Sizes::Stdin);
    }
    if let Some((start, end)) = text.split_once("..") {
        let (end, inclusive) = match end.strip_prefix('=') {
            Some(end) => (end, true),
            None => (end, false),
        };
        let part = |part: &str| parse_size(part).map_err(|error| format!("{part:?} is {error}"));
        let (start, end) = (part(start)?, part(end)?);
        let end = if inclusive { end + 1 } else { end };
        if start >= end {
            return Err("the range is empty: write FIRST..=LAST, smaller size first".into());
        }
        return Ok(Sizes::Many((start..end).collect()));
    }
    if text.contains(',') {
        let part = |part: &str| parse_size(part).map_err(|error| format!("{part:?} is {error}"));
        return Ok(Sizes::Many(text.split(',').map(part).collect::<Result<_, _>>()?));
    }
    Ok(Sizes::One(parse_size(text)?))
}

/// Parses a number of threads.
///
/// # Errors
/// A message that says what would be right.
pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let threads = text.parse().ok().filter(|n| digits && (1..=MAX_THREADS).contains(n));
    threads.ok_or_else(|| format!("a number of threads is a whole number from 1 to {MAX_THREADS}"))
}

/// Parses numbers of threads, separated by commas. The same number twice counts once.
fn parse_thread_list(text: &str) -> Result<Threads, String> {
    let mut list = Vec::new();
    for part in text.split(',') {
        let threads = if part == "all" { nqueens::default_threads() } else { parse_threads(part)? };
        if !list.contains(&threads) {
            list.push(threads);
        }
    }
    Ok(Threads(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ranges_and_lists() {
        assert_eq!(parse_sizes("18"), Ok(Sizes::One(18)));
        assert_eq!(parse_sizes("8..=10"), Ok(Sizes::Many(vec![8, 9, 10])));
        assert_eq!(parse_sizes("8..10"), Ok(Sizes::Many(vec![8, 9])));
        assert_eq!(parse_sizes("8..=8"), Ok(Sizes::Many(vec![8])));
        assert_eq!(parse_sizes("8,4,6"), Ok(Sizes::Many(vec![8, 4, 6])));
        assert_eq!(parse_sizes("-"), Ok(Sizes::Stdin));
        let wrong = [
            "",
            " 8",
            "8 ",
            "+8",
            "8.0",
            "8abc",
            "eight",
            "0x8",
            "33",
            "-1",
            "4294967297",
            "8..8",
            "10..4",
            "8..",
            "..8",
            "8,,9",
            "8,",
            "8..=33",
            "8...10",
            "٨",
        ];
        for text in wrong {
            assert!(parse_sizes(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn lists_of_threads() {
        assert_eq!(parse_thread_list("1,2,1"), Ok(Threads(vec![1, 2])));
        assert_eq!(parse_thread_list("all"), Ok(Threads(vec![nqueens::default_threads()])));
        for text in ["", "1,", "0", "1,two", "all,-1", "1;2"] {
            assert!(parse_thread_list(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_size_out_of_range_gets_the_same_message() {
        let nines = "9".repeat(400);
        for text in ["33", "300", "-1", "18446744073709551616", &nines] {
            let expected = "out of range: a board size is a whole number from 0 to 32";
            assert_eq!(parse_size(text).unwrap_err(), expected);
        }
    }

    #[test]
    fn the_command_is_consistent() {
        Args::command().debug_assert();
    }
}
