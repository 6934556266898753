//! `nqueens merge`: adds results up.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use nqueens::tasks::Merge;

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::total::TotalArgs;

/// Adds results up, and prints the total if no unit is missing.
///
/// Files may come in any order and repeat each other. If units are missing, the tasks that count them
/// are written to standard output, and the exit code is 3.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MergeArgs {
    /// Files of results, checkpoint files, or `-` for standard input; plans are read too, and say what
    /// there is to be counted
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Leave out lines that do not begin with a brace, such as those that a batch system or a login script
    /// writes among results
    #[arg(long)]
    skip_foreign: bool,

    #[command(flatten)]
    total: TotalArgs,
}

impl MergeArgs {
    pub(crate) fn run(
        &self,
        context: &Context,
        input: impl BufRead,
        output: impl Write,
    ) -> Result<(), Failure> {
        let mut results = Merge::new().skip_foreign(self.skip_foreign);
        let mut input = Some(input);
        for file in &self.files {
            if file != Path::new("-") {
                results.read_file(file)?;
            } else if let Some(input) = input.take() {
                results.read("standard input", input).map_err(Failure::input)?;
            }
        }
        if results.skipped() > 0 {
            context.note(&format!("{} foreign lines were left out", results.skipped()));
        }
        self.total.finish(context, results, output)
    }
}
