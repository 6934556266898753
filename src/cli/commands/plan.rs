//! `nqueens plan`: the tasks of a count.

use std::io::Write;

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::parse_size;
use crate::cli::tasks::{self, SplitArgs, summary};

/// Writes the tasks of a count, one line of JSON each: ranges of work units.
///
/// Any engine can bring them to `nqueens work`, on any machine, in any order, each at least once;
/// `nqueens merge` adds the results up.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlanArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_size)]
    n: u32,

    #[command(flatten)]
    split: SplitArgs,
}

impl PlanArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let plan = self.split.plan(self.n)?;
        context.note(&summary(&plan));
        tasks::write(plan.tasks(), output).map_err(Failure::output)
    }
}
