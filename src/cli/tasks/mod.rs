//! Many machines: plans, tasks and results as lines of text.

mod file;
mod merge;
mod work;

use std::io::{BufWriter, Write};

use bytesize::ByteSize;
use nqueens::tasks::{MAX_TASK_UNITS, Plan, TaskCounter};
use nqueens::{Algorithm, Kernel, Run};

use super::args::{self, Args};
use super::boards::PlaceArgs;
use super::{Failure, report};
pub(crate) use merge::{MergeArgs, merge};
#[cfg(feature = "cluster")]
pub(crate) use merge::{TotalArgs, finish_merge};
pub(crate) use work::{WorkArgs, work};

/// Writes the tasks of a count, one line of JSON each: ranges of work units.
///
/// Any engine can bring them to `nqueens work`, on any machine, in any order, each at least once;
/// `nqueens merge` adds the results up.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct PlanArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
    n: u32,

    #[command(flatten)]
    split: SplitArgs,
}

/// How a count is split into tasks.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SplitArgs {
    /// Units of a task, from 1 to 10000 [default: by board size, 64 to 500 for large ones]
    #[arg(long, value_name = "K", requires = "n", allow_negative_numbers = true, value_parser = parse_task_units)]
    pub(crate) units_per_task: Option<u64>,

    /// How to count; `auto` takes the fastest for the board, whatever machine this is
    #[arg(short, long, value_name = "NAME", requires = "n", default_value = "auto", value_parser = args::algorithm_parser())]
    algorithm: String,

    /// Rows that a unit of `bitboard` fills, from 1 to 7 [default: by board size]
    #[arg(long, value_name = "ROWS", requires = "n", allow_negative_numbers = true)]
    depth: Option<u32>,

    #[command(flatten)]
    place: PlaceArgs,
}

/// How this machine counts tasks. It changes no result.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct MachineArgs {
    /// Instructions of the hot loops; `auto` takes the best that this CPU has
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = args::kernel_parser())]
    kernel: String,

    /// The most memory that the lists of the join may take [default: half of what is available]
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
}

fn parse_task_units(text: &str) -> Result<u64, String> {
    let units = text.parse().ok().filter(|units| (1..=MAX_TASK_UNITS).contains(units));
    units.ok_or_else(|| format!("a task has from 1 to {MAX_TASK_UNITS} units"))
}

impl SplitArgs {
    pub(crate) fn plan(&self, n: u32) -> Result<Plan, Failure> {
        let problem = self.place.problem(n)?;
        let asked = Algorithm::from_name(&self.algorithm);
        // The plan must not depend on the machine that makes it.
        let algorithm = asked.unwrap_or_else(|| Algorithm::auto(&problem, u64::MAX).0);
        Ok(Plan::new(Run::new(&problem, algorithm, self.depth)?, self.units_per_task))
    }
}

impl MachineArgs {
    pub(crate) fn counter(&self, threads: usize) -> TaskCounter {
        let mut counter = TaskCounter::new().threads(threads);
        if let Some(kernel) = Kernel::from_name(&self.kernel) {
            counter = counter.kernel(kernel);
        }
        if let Some(memory) = self.memory {
            counter = counter.memory(memory.as_u64());
        }
        counter
    }
}

pub(crate) fn plan(args: &Args, plan: &PlanArgs, output: impl Write) -> Result<(), Failure> {
    let mut output = BufWriter::new(output);
    let plan = plan.split.plan(plan.n)?;
    if !args.quiet {
        report::note(args, &summary(&plan));
    }
    for task in plan.tasks() {
        writeln!(output, "{}", task.to_line())?;
    }
    Ok(output.flush()?)
}

/// What a plan is: for people.
pub(crate) fn summary(plan: &Plan) -> String {
    let run = &plan.run;
    format!(
        "plan {}: N = {}, algorithm {}, {} units in {} tasks",
        run.id(),
        run.n,
        run.algorithm,
        run.units,
        plan.tasks_len()
    )
}
