//! Many machines on a message engine: NATS JetStream carries tasks to workers, and keeps results.
//!
//! A run has two streams on the server. No subject holds more than one message; a second one is
//! refused:
//!
//! ```text
//! stream                     subjects
//! NQUEENS_5f0c1d6a_TASKS     nqueens.5f0c1d6a.task.8-10            a task that is not done
//! NQUEENS_5f0c1d6a_RESULTS   nqueens.5f0c1d6a.plan                 the first task: it tells the plan
//!                            nqueens.5f0c1d6a.result.8-10          the result of units 8 and 9
//!                            nqueens.5f0c1d6a.conflict.8-10.91aa…  one that differs from it
//! ```
//!
//! Invariant: no result is replaced, or removed but by `--recount`, and a task leaves the queue only
//! after its result is stored. Whether a run is complete is judged by its results against its plan,
//! never by the queue. There is no scheduler here: the server hands tasks out.
//!
//! The number of times that a task is handed out is bounded by the worker that gets it once more, not
//! by the consumer's `max_deliver`: a message that used that up stays in the queue, is never handed
//! out, and keeps its subject occupied (nats-server 2.9.10). Message ids do not make planning
//! idempotent, results and occupied subjects do; with an id that outlived the planning the server
//! would drop a task that is put back.

mod streams;
mod connect;
mod run;
mod plan;
mod worker;
mod status;
mod merge;

use std::future::Future;
use std::io::Write;

use clap::Subcommand;

use self::connect::ConnectArgs;
use self::merge::MergeArgs;
use self::plan::PlanArgs;
use self::status::StatusArgs;
use self::worker::WorkerArgs;
use crate::cli::context::Context;
use crate::cli::failure::Failure;

/// Counts on many machines, by way of a message server: NATS with JetStream.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    command: ClusterCommand,

    #[command(flatten)]
    connect: ConnectArgs,
}

/// What to do on the message server.
#[derive(Debug, Clone, Subcommand)]
enum ClusterCommand {
    Plan(PlanArgs),
    Worker(WorkerArgs),
    Status(StatusArgs),
    Merge(MergeArgs),
}

impl ClusterArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let connect = &self.connect;
        match &self.command {
            ClusterCommand::Plan(plan) => block_on(plan.run(context, connect, output)),
            ClusterCommand::Worker(worker) => block_on(worker.run(context, connect)),
            ClusterCommand::Status(status) => block_on(status.run(context, connect, output)),
            ClusterCommand::Merge(merge) => {
                let results = block_on(merge.read(context, connect))?;
                merge.total.finish(context, results, output)
            }
        }
    }
}

fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime
        .map_err(|error| Failure::Run(format!("the runtime did not start: {error}")))?
        .block_on(work)
}
