//! `nqueens cluster plan`: puts the tasks of a count on the server.

use std::io::Write;
use std::time::Duration;

use nqueens::tasks::Plan;

use super::connect::{ConnectArgs, largest_message};
use super::run::{DEFAULT_LEASE, room_for};
use super::streams::{Streams, Survey, units_text};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::parse_size;
use crate::cli::report::write_text;
use crate::cli::tasks::{SplitArgs, summary};

/// Puts the tasks of a count on the server, and prints the id of the run.
///
/// Done again, it adds only what has neither a result nor a place in the queue: it completes a
/// planning that was cut off, and puts back tasks that were given up.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct PlanArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = parse_size)]
    n: u32,

    #[command(flatten)]
    split: SplitArgs,

    /// A task goes to another worker if its worker is not heard of for so many seconds
    /// [default: 30, or as it is]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = parse_lease)]
    lease: Option<Duration>,

    /// Throw the results of this task away, such as 80-90, and count it again: for results that differ;
    /// may be repeated
    #[arg(long, value_name = "UNITS")]
    recount: Vec<String>,

    /// Servers of a NATS cluster that keep a copy, from 1 to 5
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
}

fn parse_lease(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (1.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a lease is from 1 to 86400 seconds".into())
}

impl PlanArgs {
    pub(super) async fn run(
        &self,
        context: &Context,
        connect: &ConnectArgs,
        output: impl Write,
    ) -> Result<(), Failure> {
        let plan = self.split.plan(self.n)?;
        let server = connect.connect(context).await?;
        room_for(plan.units_per_task, largest_message(&server.client()))?;
        let id = plan.run.id();
        let streams = Streams::create(server, &id, self.replicas.into()).await?;
        let plan = self.agree(&streams, plan).await?;
        self.set_lease(&streams).await?;
        self.forget(&streams, &plan).await?;
        streams.sweep().await?;
        let survey = streams.survey(&plan).await?;
        streams.publish_tasks(&survey.lost).await?;
        context.note(&summary(&plan));
        context.note(&added(&survey));
        write_text(output, &format!("{id}\n"))
    }

    /// Stores the plan, or returns the one that is stored, if it is what was asked for.
    async fn agree(&self, streams: &Streams, plan: Plan) -> Result<Plan, Failure> {
        let id = &streams.id;
        let first = plan.tasks().next().expect("a plan has a task, if an empty one");
        match streams.plan().await? {
            None => {
                streams.store_plan(&first).await?;
                Ok(plan)
            }
            Some(stored) if stored.run != plan.run => {
                Err(Failure::Usage(format!("run {id} on the server is another one")))
            }
            Some(stored) if self.split.units_per_task.is_none() => Ok(stored),
            Some(stored) if stored.tasks().next() == Some(first) => Ok(plan),
            Some(stored) => Err(Failure::Usage(format!(
                "run {id} is planned in tasks of {} units, not {}: leave --units-per-task out",
                stored.units_per_task, plan.units_per_task
            ))),
        }
    }

    async fn set_lease(&self, streams: &Streams) -> Result<(), Failure> {
        match self.lease {
            Some(lease) => streams.set_lease(lease).await,
            None => streams.consumer(DEFAULT_LEASE).await.map(drop),
        }
    }

    /// Throws the results away that are to be counted again.
    async fn forget(&self, streams: &Streams, plan: &Plan) -> Result<(), Failure> {
        let id = &streams.id;
        for units in &self.recount {
            let task = plan.tasks().find(|task| units_text(task) == *units);
            let wrong = || Failure::Usage(format!("no task of run {id} has the units {units}"));
            streams.forget(&task.ok_or_else(wrong)?).await?;
        }
        Ok(())
    }
}

fn added(survey: &Survey) -> String {
    let (added, queued, done) = (survey.lost.len(), survey.queued, survey.done);
    format!("{added} tasks added; {queued} were queued, {done} are done")
}
