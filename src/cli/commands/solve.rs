//! `nqueens solve`: one board.

use std::io::Write;

use nqueens::{Board, Complete, First, construct};

use crate::cli::boards;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::{BoardFormatArgs, PlaceArgs, parse_any_size};
use crate::cli::progress::Placements;

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
    format: BoardFormatArgs,
}

impl SolveArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let BoardFormatArgs { format } = self.format;
        format.allow(self.n)?;
        let Some(board) = self.board(context)? else {
            let queens = if self.place.is_empty() { "" } else { " with the given queens" };
            let n = self.n;
            return Err(Failure::Run(format!(
                "no solution: there is no board of {n} rows{queens}"
            )));
        };
        let mut output = boards::buffered(output);
        boards::write(&board, format, context.is_output_colored(), "", &mut output)
            .and_then(|()| output.flush())
            .map_err(Failure::output)
    }

    /// The board asked for, if there is one.
    fn board(&self, context: &Context) -> Result<Option<Board>, Failure> {
        if self.first {
            let progress = Placements::new(context, self.n);
            return Ok(First::new(self.n)?.observer(&progress).run()?);
        }
        if self.place.is_empty() {
            return Ok(construct(self.n)?);
        }
        Ok(Complete::new(self.n)?.queens(self.place.queens())?.run()?)
    }
}
