//! The subcommands about boards: solve, list, check and classes.

use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nqueens::{
    Board, BoardReader, Classes, Format, List, MAX_CONSTRUCTED, MAX_N, Problem, Stop, complete,
    construct, first_board,
};

use super::args::{self, Args, When};
use super::{Failure, picture};

/// Listings are written in pieces of this size.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes one board.
///
/// Any N from 4 to ten million at once, by a formula; that board is not the first in any order.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SolveArgs {
    /// Board size, from 0 to 10000000
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_any_size)]
    n: u32,

    /// The lexicographically first board (OEIS A141843), found by search: seconds for N up to 33;
    /// above, and up to 64, nobody knows how long
    #[arg(long, conflicts_with = "place")]
    first: bool,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// Writes all boards, in lexicographic order and as soon as they are found.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ListArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    n: u32,

    /// Stop after so many boards
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = parse_limit)]
    limit: Option<u64>,

    /// One board for all its rotations and reflections: the smallest of them
    #[arg(long, conflicts_with = "place")]
    fundamental: bool,

    /// Write behind each board how many different images it has: `# 8`
    #[arg(long)]
    orbit_size: bool,

    #[command(flatten)]
    place: PlaceArgs,

    #[command(flatten)]
    format: FormatArgs,
}

/// Reads boards on standard input and says of each whether it is a solution, and if not, why.
///
/// Every text format of `list` is recognised, line by line. Exit code 1 if a board is no solution.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CheckArgs {
    /// Board size, from 0 to 10000000
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_any_size)]
    n: u32,
}

/// Counts the classes of boards up to rotation and reflection, by size.
///
/// A line `size classes` for each size, then the number of all classes (OEIS A002562). A class has 8
/// boards; 4 if a half turn leaves its boards as they are; 2 if a quarter turn does. Only for N = 0
/// and 1 there is a class of one board.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ClassesArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    pub(crate) n: u32,

    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: args::Format,
}

/// Queens that boards must hold.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlaceArgs {
    /// Only boards with a queen at this row and column, both from 1; may be repeated
    #[arg(long, value_name = "ROW,COLUMN", allow_hyphen_values = true, value_parser = parse_square)]
    place: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, clap::Args)]
struct FormatArgs {
    /// How to write a board; `digits` for N up to 9, `board` and `svg` up to 1000
    #[arg(long, value_name = "FORMAT", default_value = "columns", value_parser = format_parser())]
    format: Format,
}

impl PlaceArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// The queens, as row and column from 0.
    pub(crate) fn queens(&self) -> &[(u32, u32)] {
        &self.place
    }

    /// The boards of `n` rows that hold the queens.
    pub(crate) fn problem(&self, n: u32) -> Result<Problem, Failure> {
        let empty = Problem::new(n)?;
        let place = |problem: Problem, &(row, column)| problem.with_queen(row, column);
        Ok(self.place.iter().try_fold(empty, place)?)
    }
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let of_name = |name: String| Format::ALL.into_iter().find(|format| format.name() == name);
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(move |name| of_name(name).expect("clap lets only these names pass"))
}

fn parse_any_size(text: &str) -> Result<u32, String> {
    args::parse_whole(text, MAX_CONSTRUCTED.into(), "a board size")
        .map(|size| size.try_into().expect("the maximum fits"))
}

fn parse_limit(text: &str) -> Result<u64, String> {
    args::parse_whole(text, u64::MAX, "a number of boards")
}

/// Row and column from 1, as row and column from 0.
fn parse_square(text: &str) -> Result<(u32, u32), String> {
    let number = |text: &str| args::parse_whole(text, MAX_CONSTRUCTED.into(), "").ok();
    let square = text.split_once(',').and_then(|(row, column)| {
        let (row, column) = (number(row)?.checked_sub(1)?, number(column)?.checked_sub(1)?);
        Some((row as u32, column as u32))
    });
    square.ok_or_else(|| "write ROW,COLUMN, both whole numbers from 1 on, as in 1,3".to_owned())
}

/// Writes one board.
pub(crate) fn solve(args: &Args, solve: &SolveArgs, output: impl Write) -> Result<(), Failure> {
    let n = solve.n;
    solve.format.format.allow(n)?;
    let board = if solve.first {
        let progress = Placed::new(args, n);
        first_board(n, &Stop::new(), |queens| progress.placed(queens))?
    } else if solve.place.is_empty() {
        construct(n)?
    } else {
        complete(n, solve.place.queens(), &Stop::new())?
    };
    let Some(board) = board else {
        let queens = if solve.place.is_empty() { "" } else { " with the given queens" };
        return Err(Failure::Run(format!("no solution: there is no board of {n} rows{queens}")));
    };
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    write(&board, solve.format.format, is_colored(args), "", &mut output)?;
    Ok(output.flush()?)
}

/// Writes all boards.
pub(crate) fn list(
    args: &Args,
    list: &ListArgs,
    threads: usize,
    output: impl Write,
) -> Result<(), Failure> {
    let (FormatArgs { format }, colored) = (list.format, is_colored(args));
    format.allow(list.n)?;
    if format == Format::Svg && list.limit != Some(1) {
        let message = "an SVG file holds one board: use `solve`, or `--limit 1`";
        return Err(Failure::Usage(message.into()));
    }
    if list.orbit_size && matches!(format, Format::Json | Format::Svg) {
        let message = "--orbit-size goes with the formats columns, coords, digits and board";
        return Err(Failure::Usage(message.into()));
    }
    let listing = List::of(list.place.problem(list.n)?).fundamental(list.fundamental);
    let mut boards = listing.threads(threads).boards()?;
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    for number in 0..list.limit.unwrap_or(u64::MAX) {
        if !boards.is_ready() {
            output.flush()?;
        }
        let Some(board) = boards.next() else { break };
        if format == Format::Board && number > 0 {
            writeln!(output)?;
        }
        let comment = if list.orbit_size { &format!("# {}", board.orbit_size()) } else { "" };
        write(&board, format, colored, comment, &mut output)?;
    }
    Ok(output.flush()?)
}

/// Whether pictures may be coloured.
fn is_colored(args: &Args) -> bool {
    match args.color {
        When::Always => true,
        When::Auto => anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        When::Never => false,
    }
}

/// Writes `board`, with `comment` at the end of its line, or in a line of its own.
fn write(
    board: &Board,
    format: Format,
    colored: bool,
    comment: &str,
    output: &mut impl Write,
) -> Result<(), Failure> {
    match format {
        Format::Board if colored => picture::write(board, output)?,
        Format::Columns | Format::Coords | Format::Digits if !comment.is_empty() => {
            let mut line = Vec::new();
            format.write(board, &mut line)?;
            output.write_all(line.trim_ascii_end())?;
            return Ok(writeln!(output, " {comment}")?);
        }
        _ => format.write(board, output)?,
    }
    if format == Format::Board && !comment.is_empty() {
        writeln!(output, "{comment}")?;
    }
    Ok(())
}

/// Judges the boards of `input`.
pub(crate) fn check(
    args: &Args,
    check: &CheckArgs,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), Failure> {
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    let (mut boards, mut wrong) = (0u64, 0u64);
    for record in BoardReader::new(check.n, input) {
        let record = record.map_err(|error| Failure::Run(format!("standard input: {error}")))?;
        boards += 1;
        wrong += u64::from(record.board.is_err());
        let line = record.line;
        match record.board {
            _ if args.quiet => {}
            Ok(_) => writeln!(output, "line {line}: solution")?,
            Err(flaw) => writeln!(output, "line {line}: no solution: {flaw}")?,
        }
    }
    output.flush()?;
    match (boards, wrong) {
        (0, _) => Err(Failure::Usage("no board on standard input; example: 2 4 1 3".into())),
        (_, 0) => Ok(()),
        (1, _) => Err(Failure::Run("the board is no solution".into())),
        _ => Err(Failure::Run(format!("{wrong} of {boards} boards are no solutions"))),
    }
}

/// The lines of `classes`: size, and number of classes; sizes that a board of `n` rows cannot have
/// are left out.
pub(crate) fn sizes(n: u32, classes: &Classes) -> Vec<(u32, u128)> {
    if n <= 1 {
        return vec![(1, classes.of_1.into())];
    }
    vec![(2, classes.of_2.into()), (4, classes.of_4.into()), (8, classes.of_8)]
}

/// Shows how many queens a search has placed.
struct Placed {
    n: u32,
    shown: Option<ProgressBar>,
    started: Instant,
    /// Whether to write lines where there is no terminal.
    lines: bool,
    last: std::cell::Cell<Instant>,
}

impl Placed {
    fn new(args: &Args, n: u32) -> Self {
        let terminal = io::stderr().is_terminal() && args.progress != When::Never && !args.quiet;
        let shown = terminal.then(|| {
            let style = ProgressStyle::with_template("{spinner} N = {prefix}: {msg}");
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_style(style.expect("the template is valid"))
                .with_prefix(n.to_string())
        });
        let lines = !terminal && args.progress == When::Always && !args.quiet;
        let now = Instant::now();
        Self { n, shown, started: now, lines, last: now.into() }
    }

    fn placed(&self, queens: u64) {
        let seconds = self.started.elapsed().as_secs();
        let message = format!("{} million queens placed, {seconds} s so far", queens / 1_000_000);
        if let Some(bar) = &self.shown {
            bar.set_message(message);
            bar.tick();
        } else if self.lines && self.last.get().elapsed() >= Duration::from_secs(10) {
            self.last.set(Instant::now());
            // Progress that nobody can read is no reason to end a search.
            let _ = writeln!(io::stderr(), "N = {}: {message}", self.n);
        }
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

const _: () = assert!(MAX_N <= MAX_CONSTRUCTED);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares() {
        assert_eq!(parse_square("1,3"), Ok((0, 2)));
        assert_eq!(parse_square("10000000,1"), Ok((9_999_999, 0)));
        for text in ["", "1", "1,", ",1", "0,1", "1,0", "1,2,3", "1;3", "1, 3", "-1,3", "a,b"] {
            assert!(parse_square(text).is_err(), "{text:?}");
        }
    }
}
