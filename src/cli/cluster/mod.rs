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

mod connect;
mod status;
mod streams;
mod worker;

use std::future::Future;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::jetstream::Context;
use clap::Subcommand;
use nqueens::tasks::Plan;

use self::connect::{ConnectArgs, largest_message};
use self::status::StatusArgs;
use self::streams::{Streams, units_text};
use self::worker::Worker;
use super::args::{self, Args};
use super::tasks::{MachineArgs, SplitArgs, TotalArgs, finish_merge, summary};
use super::{Failure, report, signals};

/// A task of a worker that is not heard of for so long goes to another one.
const DEFAULT_LEASE: Duration = Duration::from_secs(30);

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

/// Puts the tasks of a count on the server, and prints the id of the run.
///
/// Done again, it adds only what has neither a result nor a place in the queue: it completes a
/// planning that was cut off, and puts back tasks that were given up.
#[derive(Debug, Clone, clap::Args)]
struct PlanArgs {
    /// Board size, from 0 to 32
    #[arg(value_name = "N", allow_negative_numbers = true, value_parser = args::parse_size)]
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

/// Counts tasks until all tasks of the run have a result.
///
/// Any number of workers may come and go at any time. The first Ctrl-C finishes the units in hand, and
/// the task goes to another worker.
#[derive(Debug, Clone, clap::Args)]
struct WorkerArgs {
    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Adds the results on the server up, and prints the total if no unit is missing.
///
/// If units are missing, the tasks that count them are written to standard output, and the exit code
/// is 3.
#[derive(Debug, Clone, clap::Args)]
struct MergeArgs {
    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    total: TotalArgs,
}

/// Which run.
#[derive(Debug, Clone, clap::Args)]
struct RunArgs {
    /// Id of the run, as `cluster plan` printed it [default: the only run on the server]
    #[arg(value_name = "ID")]
    id: Option<String>,
}

fn parse_lease(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (1.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a lease is from 1 to 86400 seconds".into())
}

pub(crate) fn run(
    args: &Args,
    cluster: &ClusterArgs,
    threads: usize,
    output: impl Write,
) -> Result<(), Failure> {
    let connect = &cluster.connect;
    match &cluster.command {
        ClusterCommand::Plan(plan) => block_on(self::plan(args, connect, plan, output)),
        ClusterCommand::Worker(worker) => block_on(work(args, connect, worker, threads)),
        ClusterCommand::Status(status) => block_on(status::status(args, connect, status, output)),
        ClusterCommand::Merge(merge) => {
            let merged = block_on(async {
                let streams = open(connect.connect(args).await?, &merge.run).await?;
                streams.merge().await
            })?;
            finish_merge(args, &merge.total, merged, output)
        }
    }
}

fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime
        .map_err(|error| Failure::Run(format!("the runtime did not start: {error}")))?
        .block_on(work)
}

/// The run asked for, or the only one.
async fn open(context: Context, run: &RunArgs) -> Result<Streams, Failure> {
    if let Some(id) = &run.id {
        return Streams::open(context, id).await;
    }
    let ids = streams::ids(&context).await?;
    match &ids[..] {
        [id] => Streams::open(context, id).await,
        [] => {
            Err(Failure::Usage("there is no run on the server: `cluster plan N` makes one".into()))
        }
        _ => Err(Failure::Usage(format!(
            "there are several runs on the server, name one of them: {}",
            ids.join(", ")
        ))),
    }
}

/// The plan that the run was made with.
async fn plan_of(streams: &Streams) -> Result<Plan, Failure> {
    streams.plan().await?.ok_or_else(|| {
        let id = &streams.id;
        Failure::Usage(format!("run {id} was not planned to the end: do `cluster plan` again"))
    })
}

/// Refuses tasks with results that are larger than the largest message.
fn room_for(units: u64, largest_message: u64) -> Result<(), Failure> {
    // Bytes of a unit: two numbers of up to 20 digits with quotes and commas. The rest is above 500.
    let room = largest_message.saturating_sub(1000) / 46;
    if units <= room {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "the result of a task of {units} units may be larger than the server's max_payload of \
         {largest_message} bytes: raise that, or take --units-per-task {room} at most"
    )))
}

async fn plan(
    args: &Args,
    connect: &ConnectArgs,
    asked: &PlanArgs,
    mut output: impl Write,
) -> Result<(), Failure> {
    let mut plan = asked.split.plan(asked.n)?;
    let first = plan.tasks().next().expect("a plan has a task, if an empty one");
    let context = connect.connect(args).await?;
    room_for(plan.units_per_task, largest_message(&context.client()))?;
    let id = plan.run.id();
    let streams = Streams::create(context, &id, asked.replicas.into()).await?;
    match streams.plan().await? {
        None => streams.store_plan(&first).await?,
        Some(stored) if stored.run != plan.run => {
            return Err(Failure::Usage(format!("run {id} on the server is another one")));
        }
        Some(stored) if asked.split.units_per_task.is_none() => plan = stored,
        Some(stored) if stored.tasks().next() == Some(first) => {}
        Some(stored) => {
            return Err(Failure::Usage(format!(
                "run {id} is planned in tasks of {} units, not {}: leave --units-per-task out",
                stored.units_per_task, plan.units_per_task
            )));
        }
    }
    match asked.lease {
        Some(lease) => streams.set_lease(lease).await?,
        None => drop(streams.consumer(DEFAULT_LEASE).await?),
    }
    for units in &asked.recount {
        let task = plan.tasks().find(|task| units_text(task) == *units);
        let wrong = || Failure::Usage(format!("no task of run {id} has the units {units}"));
        streams.forget(&task.ok_or_else(wrong)?).await?;
    }
    streams.sweep().await?;
    let survey = streams.survey(&plan).await?;
    streams.publish_tasks(&survey.lost).await?;
    if !args.quiet {
        report::note(args, &summary(&plan));
        let added = survey.lost.len();
        let (queued, done) = (survey.queued, survey.done);
        report::note(args, &format!("{added} tasks added; {queued} were queued, {done} are done"));
    }
    writeln!(output, "{id}")?;
    Ok(output.flush()?)
}

async fn work(
    args: &Args,
    connect: &ConnectArgs,
    asked: &WorkerArgs,
    threads: usize,
) -> Result<(), Failure> {
    let context = connect.connect(args).await?;
    let largest_message = largest_message(&context.client());
    let streams = open(context, &asked.run).await?;
    let plan = plan_of(&streams).await?;
    let graceful = signals::end_gracefully();
    let counter = Arc::new(Mutex::new(asked.machine.counter(threads)));
    let mut worker =
        Worker { args, streams, graceful: graceful.clone(), counter, largest_message, counted: 0 };
    let worked = worker.run(&plan).await;
    graceful.is_over();
    if !args.quiet {
        report::note(args, &format!("{} tasks counted here", worker.counted));
    }
    let survey = worked?;
    if survey.conflicts > 0 {
        return Err(Failure::WrongResult(format!(
            "all {} tasks have results, but {} differ: `cluster merge` names them",
            survey.done, survey.conflicts
        )));
    }
    if !args.quiet {
        let id = &worker.streams.id;
        report::note(args, &format!("all {} tasks are done: `cluster merge {id}`", survey.done));
    }
    Ok(())
}
