//! What the commands for many machines share: how a count is split into tasks, and who counts them.

use std::io::{self, BufWriter, Write};

use nqueens::tasks::{MAX_TASK_UNITS, Plan, Task, TaskCounter};
use nqueens::{Algorithm, Error, Run};

use super::options::{MachineArgs, OrAuto, PlaceArgs, algorithm_parser};

/// How a count is split into tasks.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct SplitArgs {
    /// Units of a task, from 1 to 10000 [default: by board size, 64 to 500 for large ones]
    #[arg(long, value_name = "K", requires = "n", allow_negative_numbers = true, value_parser = parse_task_units)]
    pub(crate) units_per_task: Option<u64>,

    /// How to count; `auto` takes the fastest for the board, whatever machine this is
    #[arg(short, long, value_name = "NAME", requires = "n", default_value = "auto", value_parser = algorithm_parser(false))]
    algorithm: OrAuto<Algorithm>,

    /// Rows that a unit of `bitboard` fills, from 1 to 7 [default: by board size]
    #[arg(long, value_name = "ROWS", requires = "n", allow_negative_numbers = true)]
    depth: Option<u32>,

    #[command(flatten)]
    place: PlaceArgs,
}

fn parse_task_units(text: &str) -> Result<u64, String> {
    let units = text.parse().ok().filter(|units| (1..=MAX_TASK_UNITS).contains(units));
    units.ok_or_else(|| format!("a task has from 1 to {MAX_TASK_UNITS} units"))
}

impl SplitArgs {
    /// The plan for the board of `n` rows.
    pub(crate) fn plan(&self, n: u32) -> Result<Plan, Error> {
        let problem = self.place.problem(n)?;
        // The plan must not depend on the machine that makes it.
        let algorithm = self.algorithm.unwrap_or_else(|| Algorithm::auto(&problem, u64::MAX).0);
        Ok(Plan::new(Run::new(&problem, algorithm, self.depth)?, self.units_per_task))
    }
}

/// What counts tasks on this machine.
pub(crate) fn counter(machine: &MachineArgs, threads: usize) -> TaskCounter {
    let mut counter = TaskCounter::new().threads(threads);
    if let Some(kernel) = machine.kernel {
        counter = counter.kernel(kernel);
    }
    if let Some(bytes) = machine.memory_bytes {
        counter = counter.memory(bytes);
    }
    counter
}

/// What a plan is: for people.
pub(crate) fn summary(plan: &Plan) -> String {
    let run = &plan.run;
    format!("plan {}: {run}, {} units in {} tasks", run.id(), run.units, plan.tasks_len())
}

/// Writes each task on a line.
pub(crate) fn write(tasks: impl Iterator<Item = Task>, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    for task in tasks {
        writeln!(output, "{}", task.to_line())?;
    }
    output.flush()
}
