//! `nqueens classes`: the classes of boards up to rotation and reflection.

use std::io::Write;

use nqueens::Problem;

use crate::cli::context::Context;
use crate::cli::counting::{Counting, Settings};
use crate::cli::failure::Failure;
use crate::cli::options::{Format, parse_size};
use crate::cli::report::Report;

/// Counts the classes of boards up to rotation and reflection, by size.
///
/// A line `size classes` for each size, then the number of all classes (OEIS A002562). A class has 8
/// boards; 4 if a half turn leaves its boards as they are; 2 if a quarter turn does. Only for N = 0
/// and 1 there is a class of one board.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ClassesArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_size)]
    n: u32,

    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

impl ClassesArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let counting = Counting::new(context, Settings::default());
        let classes = counting.classes(&Problem::new(self.n)?)?;
        Report::new(self.format, output).classes(self.n, &classes).map_err(Failure::output)
    }
}
