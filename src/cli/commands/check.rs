//! `nqueens check`: whether boards are solutions.

use std::io::{self, BufRead, Write};

use nqueens::{BoardReader, Record};

use crate::cli::boards::buffered;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::parse_any_size;

/// Reads boards on standard input and says of each whether it is a solution, and if not, why.
///
/// Every text format of `list` is recognised, line by line. Exit code 1 if a board is no solution.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CheckArgs {
    /// Board size, from 0 to 10000000
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_any_size)]
    n: u32,
}

impl CheckArgs {
    pub(crate) fn run(
        &self,
        context: &Context,
        input: impl BufRead,
        output: impl Write,
    ) -> Result<(), Failure> {
        let mut output = buffered(output);
        let (mut boards, mut wrong) = (0u64, 0u64);
        for record in BoardReader::new(self.n, input) {
            let record = record.map_err(Failure::input)?;
            boards += 1;
            wrong += u64::from(record.board.is_err());
            if !context.quiet {
                write_verdict(&record, &mut output).map_err(Failure::output)?;
            }
        }
        output.flush().map_err(Failure::output)?;
        judge(boards, wrong)
    }
}

fn write_verdict(record: &Record, output: &mut impl Write) -> io::Result<()> {
    let line = record.line;
    match &record.board {
        Ok(_) => writeln!(output, "line {line}: solution"),
        Err(flaw) => writeln!(output, "line {line}: no solution: {flaw}"),
    }
}

/// Exit code 1 if anything is wrong.
fn judge(boards: u64, wrong: u64) -> Result<(), Failure> {
    match (boards, wrong) {
        (0, _) => Err(Failure::Usage("no board on standard input; example: 2 4 1 3".into())),
        (_, 0) => Ok(()),
        (1, _) => Err(Failure::Run("the board is no solution".into())),
        _ => Err(Failure::Run(format!("{wrong} of {boards} boards are no solutions"))),
    }
}
