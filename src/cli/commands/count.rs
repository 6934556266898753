//! Counting: what `nqueens` does without a subcommand.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use nqueens::{Algorithm, Kernel, Problem};

use crate::cli::context::Context;
use crate::cli::counting::{Counting, Settings};
use crate::cli::failure::Failure;
use crate::cli::options::{
    Format, OrAuto, PlaceArgs, Sizes, algorithm_parser, kernel_parser, parse_bytes, parse_size,
    parse_sizes,
};
use crate::cli::report::Report;

/// What to count, and how.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CountArgs {
    /// Board sizes from 0 to 32: a number (18), a range (8..=18 or 8..19), a list (8,10,12), or `-`
    /// for numbers from standard input, which is also read when no size is given
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_sizes)]
    sizes: Vec<Sizes>,

    /// How to count; `auto` takes the fastest for the board and says which with -v
    #[arg(short, long, value_name = "NAME", default_value = "auto", value_parser = algorithm_parser(true))]
    algorithm: OrAuto<Algorithm>,

    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = kernel_parser())]
    kernel: OrAuto<Kernel>,

    /// The most memory that the lists of the join may take, such as 4GiB or 500MB [default: half of
    /// what is available]
    #[arg(long = "memory", value_name = "SIZE", value_parser = parse_bytes)]
    memory_bytes: Option<u64>,

    /// Count up to rotation and reflection (OEIS A002562): (Q + P + 2 R) / 8 of all Q boards, the P
    /// that a half turn and the R that a quarter turn leaves as they are; N = 0 and 1 count 1
    #[arg(long, conflicts_with_all = ["divide", "place", "toroidal"])]
    fundamental: bool,

    #[command(flatten)]
    place: PlaceArgs,

    /// Count again with another algorithm, and fail with exit code 3 if the two differ
    #[arg(long)]
    double_check: bool,

    /// Count on the toroidal board (OEIS A051906): its edges are joined, so diagonals that leave it on
    /// one side come back on the other
    #[arg(long, conflicts_with_all = ["divide", "place"])]
    toroidal: bool,

    /// Count for each column of the first row: a line `column count` each, then the total
    #[arg(long)]
    divide: bool,

    /// Keep every counted unit in this file, and resume what is in it: for long runs. The first
    /// Ctrl-C then finishes the units in hand
    #[arg(long, value_name = "FILE", conflicts_with = "divide")]
    checkpoint: Option<PathBuf>,

    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write time, rate and algorithm to standard error
    #[arg(long, conflicts_with = "quiet")]
    time: bool,
}

impl CountArgs {
    /// Counts. `help` is what is shown on a terminal if no board is named.
    pub(crate) fn run(
        &self,
        context: &Context,
        help: impl FnOnce() -> String,
        input: impl BufRead + IsTerminal,
        output: impl Write,
    ) -> Result<(), Failure> {
        if self.checkpoint.is_some() && !matches!(self.sizes[..], [Sizes::One(_)]) {
            let message =
                "--checkpoint goes with one board size: each board needs a file of its own";
            return Err(Failure::Usage(message.into()));
        }
        let counting = Counting::new(context, self.settings());
        let mut boards = Boards { args: self, counting, report: Report::new(self.format, output) };
        match self.sizes.as_slice() {
            [] if input.is_terminal() => Err(Failure::Usage(format!("which board?\n\n{}", help()))),
            [] | [Sizes::Stdin] => boards.count_from(input),
            [Sizes::One(n)] => boards.count(*n, false),
            several => several.iter().try_for_each(|sizes| boards.count_labelled(sizes)),
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            algorithm: self.algorithm,
            kernel: self.kernel,
            memory_bytes: self.memory_bytes,
            checkpoint: self.checkpoint.clone(),
            fundamental: self.fundamental,
            double_check: self.double_check,
            time: self.time,
        }
    }

    /// The boards of `n` rows that are to be counted.
    fn problem(&self, n: u32) -> Result<Problem, nqueens::Error> {
        if self.toroidal { Problem::toroidal(n) } else { self.place.problem(n) }
    }
}

/// Counts boards one after the other, and writes each result as soon as it is there.
struct Boards<'a, W> {
    args: &'a CountArgs,
    counting: Counting<'a>,
    report: Report<W>,
}

impl<W: Write> Boards<'_, W> {
    /// Counts for every number in `input`, line by line.
    fn count_from(&mut self, mut input: impl BufRead) -> Result<(), Failure> {
        let mut line = Vec::new();
        let mut any = false;
        for number in 1.. {
            line.clear();
            if input.read_until(b'\n', &mut line).map_err(Failure::input)? == 0 {
                break;
            }
            for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                let word = String::from_utf8_lossy(word);
                let n = parse_size(&word).map_err(|error| {
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
        let problem = self.args.problem(n)?;
        let written = if self.args.divide {
            self.report.columns(n, &self.counting.divide(&problem)?, labelled)
        } else {
            self.report.count(&self.counting.count(&problem)?, labelled)
        };
        written.map_err(Failure::output)
    }
}
