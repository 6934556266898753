//! `nqueens list`: all boards.

use std::io::{self, Write};

use nqueens::{Boards, Format, List};

use crate::cli::boards;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::{BoardFormatArgs, PlaceArgs, parse_size, parse_whole};

/// Writes all boards, in lexicographic order and as soon as they are found.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ListArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_size)]
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
    format: BoardFormatArgs,
}

fn parse_limit(text: &str) -> Result<u64, String> {
    parse_whole(text, u64::MAX, "a number of boards")
}

impl ListArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let BoardFormatArgs { format } = self.format;
        format.allow(self.n)?;
        if format == Format::Svg && self.limit != Some(1) {
            let message = "an SVG file holds one board: use `solve`, or `--limit 1`";
            return Err(Failure::Usage(message.into()));
        }
        if self.orbit_size && matches!(format, Format::Json | Format::Svg) {
            let message = "--orbit-size goes with the formats columns, coords, digits and board";
            return Err(Failure::Usage(message.into()));
        }
        let listing = List::of(self.place.problem(self.n)?).fundamental(self.fundamental);
        let boards = listing.threads(context.threads()).run()?;
        self.write(boards, context.is_output_colored(), output).map_err(Failure::output)
    }

    fn write(&self, mut boards: Boards, colored: bool, output: impl Write) -> io::Result<()> {
        let BoardFormatArgs { format } = self.format;
        let mut output = boards::buffered(output);
        for number in 0..self.limit.unwrap_or(u64::MAX) {
            if !boards.is_ready() {
                output.flush()?;
            }
            let Some(board) = boards.next() else { break };
            if format == Format::Board && number > 0 {
                writeln!(output)?;
            }
            let comment = if self.orbit_size { &format!("# {}", board.orbit_size()) } else { "" };
            boards::write(&board, format, colored, comment, &mut output)?;
        }
        output.flush()
    }
}
