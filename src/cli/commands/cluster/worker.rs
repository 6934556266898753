//! `nqueens cluster worker`: counts tasks of a run until all of them have a result.
//!
//! ```text
//! pull a task ─► has it a result? ─► count, and prolong the lease meanwhile ─► store the result
//!                        └─ yes ───────────────────────────────────────────► acknowledge the task
//! ```
//!
//! So a task leaves the queue only after its result is stored. Whatever dies in between, the task
//! comes again, and its result is refused by the server, compared, and found to be equal. A worker
//! waits as long as the server is away.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use nqueens::tasks::{Plan, Task, TaskCounter, TaskResult};

use super::connect::{ConnectArgs, largest_message};
use super::run::{DEFAULT_LEASE, RunArgs, plan_of, room_for};
use super::streams::{Streams, Survey, units_text};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::options::MachineArgs;
use crate::cli::progress::Progress;
use crate::cli::signals::{self, Graceful};
use crate::cli::tasks;
use crate::cli::wording::first_of;

/// A task that was handed out more often than this is given up: it seems to kill who counts it.
const MAX_DELIVERIES: i64 = 10;

/// How long to wait for a task before asking whether any is left: at first, and in the end.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(16)];

/// Pauses between attempts to reach the server: the first, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(8)];

/// Counts tasks until all tasks of the run have a result.
///
/// Any number of workers may come and go at any time. The first Ctrl-C finishes the units in hand, and
/// the task goes to another worker.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct WorkerArgs {
    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    machine: MachineArgs,
}

impl WorkerArgs {
    pub(super) async fn run(
        &self,
        context: &Context,
        connect: &ConnectArgs,
    ) -> Result<(), Failure> {
        let server = connect.connect(context).await?;
        let largest_message = largest_message(&server.client());
        let streams = self.run.open(server).await?;
        let plan = plan_of(&streams).await?;
        let graceful = signals::end_gracefully();
        let counter = Arc::new(Mutex::new(tasks::counter(&self.machine, context.threads())));
        let mut worker =
            Worker { context, streams, graceful, counter, largest_message, counted: 0 };
        let worked = worker.work(&plan).await;
        worker.graceful.is_over();
        context.note(&format!("{} tasks counted here", worker.counted));
        let Survey { done, conflicts, .. } = worked?;
        if conflicts > 0 {
            return Err(Failure::WrongResult(format!(
                "all {done} tasks have results, but {conflicts} differ: `cluster merge` names them"
            )));
        }
        let id = &worker.streams.id;
        context.note(&format!("all {done} tasks are done: `cluster merge {id}`"));
        Ok(())
    }
}

/// Counts tasks of a run.
struct Worker<'a> {
    context: &'a Context,
    streams: Streams,
    graceful: Graceful,
    counter: Arc<Mutex<TaskCounter>>,
    largest_message: u64,
    /// Tasks counted here.
    counted: u64,
}

impl Worker<'_> {
    /// Works until every task of `plan` has a result.
    async fn work(&mut self, plan: &Plan) -> Result<Survey, Failure> {
        let mut wait = WAITS[0];
        let mut lost_since: Option<Instant> = None;
        let mut survey = self.survey(plan).await?;
        while !survey.is_complete() {
            self.obey_signals()?;
            let (message, lease) = self.next(wait).await?;
            if let Some(message) = message {
                if let Err(failure) = self.handle(&message, lease, plan).await {
                    self.give_back(&message).await;
                    return Err(failure);
                }
                (wait, lost_since) = (WAITS[0], None);
                continue;
            }
            survey = self.survey(plan).await?;
            // Lost tasks are waited for a while: perhaps they are just being planned.
            let nothing_to_come = survey.queued == 0 && !survey.is_complete();
            lost_since = nothing_to_come.then(|| lost_since.unwrap_or_else(Instant::now));
            if lost_since.is_some_and(|since| since.elapsed() > lease) {
                return Err(lost(&survey));
            }
            wait = (wait * 2).min(WAITS[1]);
        }
        Ok(survey)
    }

    async fn survey(&self, plan: &Plan) -> Result<Survey, Failure> {
        self.persist(async || {
            self.streams.consumer(DEFAULT_LEASE).await?;
            self.streams.sweep().await?;
            self.streams.survey(plan).await
        })
        .await
    }

    /// The next task, if one comes within `wait`, and the lease for it.
    async fn next(&self, wait: Duration) -> Result<(Option<Message>, Duration), Failure> {
        let failed = |error: async_nats::Error| Failure::Run(format!("asking for tasks: {error}"));
        self.persist(async || {
            // It may have vanished, or got another lease.
            let consumer = self.streams.consumer(DEFAULT_LEASE).await?;
            let batch = consumer.batch().max_messages(1).expires(wait).messages().await;
            let mut batch = batch.map_err(|error| failed(error.into()))?;
            let message = tokio::select! {
                message = batch.next() => message.transpose().map_err(failed)?,
                () = self.signal() => None,
            };
            Ok((message, consumer.cached_info().config.ack_wait))
        })
        .await
    }

    /// Counts the task of a message, unless it has a result.
    async fn handle(
        &mut self,
        message: &Message,
        lease: Duration,
        plan: &Plan,
    ) -> Result<(), Failure> {
        let task = self.read(message, plan)?;
        let units = units_text(&task);
        if message.info().is_ok_and(|info| info.delivered > MAX_DELIVERIES) {
            self.context.note(&format!(
                "units {units} were handed out {MAX_DELIVERIES} times and never finished: given up; \
                 planning again puts them back"
            ));
            let _ = message.double_ack_with(AckKind::Term).await;
            return Ok(());
        }
        if self.persist(async || self.streams.result(&task).await).await?.is_some() {
            self.context.detail(&format!("units {units} have a result already"));
            let _ = message.double_ack().await;
            return Ok(());
        }
        let result = self.count(&task, message, lease).await?;
        if result.units() != task.units {
            return Err(self.stopped(&format!("units {units} go to another worker")));
        }
        self.store(&task, &result).await?;
        self.counted += 1;
        // If this fails, the task comes again, and has a result.
        let _ = message.double_ack().await;
        Ok(())
    }

    /// The task of a message, which this worker can count.
    fn read(&self, message: &Message, plan: &Plan) -> Result<Task, Failure> {
        let wrong =
            |reason: String| Failure::Usage(format!("message {}: {reason}", message.subject));
        let text =
            std::str::from_utf8(&message.payload).map_err(|error| wrong(error.to_string()))?;
        let task = Task::from_line(text).map_err(|error| wrong(format!("it {error}")))?;
        if task.run != plan.run {
            return Err(wrong("it belongs to another run".into()));
        }
        room_for(task.units.end - task.units.start, self.largest_message)?;
        Ok(task)
    }

    /// Counts on another thread, and tells the server meanwhile that the task is in good hands.
    async fn count(
        &self,
        task: &Task,
        message: &Message,
        lease: Duration,
    ) -> Result<TaskResult, Failure> {
        let (counter, context) = (Arc::clone(&self.counter), self.context.clone());
        let (task, stop) = (task.clone(), self.graceful.stop().clone());
        let mut counting = tokio::task::spawn_blocking(move || {
            let progress = Progress::new(&context, task.run.n);
            let mut counter = counter.lock().unwrap_or_else(PoisonError::into_inner);
            let counted = counter.run(&task, &progress, &stop);
            progress.finish();
            counted
        });
        let heartbeat = lease / 3;
        loop {
            tokio::select! {
                counted = &mut counting => return Ok(counted.expect("counting does not panic")?),
                () = tokio::time::sleep(heartbeat) => {
                    let alive = message.ack_with(AckKind::Progress);
                    // Without a server nobody hears it, and the lease may run out: that does no harm.
                    let _ = tokio::time::timeout(heartbeat, alive).await;
                }
            }
        }
    }

    /// Stores a result, or compares it with the one that is there.
    async fn store(&self, task: &Task, result: &TaskResult) -> Result<(), Failure> {
        let line = result.to_line();
        let Some(stored) = self.persist(async || self.streams.store(task, &line).await).await?
        else {
            return Ok(());
        };
        let units = units_text(task);
        let difference = match TaskResult::from_line(&stored) {
            Ok(stored) if stored.units() != result.units() => {
                Some(format!("the stored result is of units {:?}", stored.units()))
            }
            Ok(stored) => result.difference(&stored).map(|(unit, here, there)| {
                format!(
                    "unit {unit} has {} boards and work {} here, but {} boards and work {} there",
                    here.solutions, here.work, there.solutions, there.work
                )
            }),
            Err(error) => Some(format!("the stored result {error}")),
        };
        let Some(difference) = difference else {
            self.context.detail(&format!("units {units} were counted elsewhere too: confirmed"));
            return Ok(());
        };
        self.persist(async || self.streams.store_conflict(task, &line).await).await?;
        Err(Failure::WrongResult(format!(
            "units {units} have two results: {difference}. Both are kept, so there is no total; one \
             of the machines or programs made an error"
        )))
    }

    /// Lets another worker have the task at once.
    async fn give_back(&self, message: &Message) {
        let _ = message.ack_with(AckKind::Nak(None)).await;
        self.streams.flush().await;
    }

    /// Tries until it works, or the run is gone, or a signal comes while it does not work.
    async fn persist<T>(
        &self,
        mut step: impl AsyncFnMut() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut pause = PAUSES[0];
        loop {
            let reason = match step().await {
                Err(Failure::Run(reason)) => reason,
                done => return done,
            };
            self.obey_signals()?;
            if self.streams.is_gone().await {
                return Err(Failure::Run(format!("the run is no longer on the server ({reason})")));
            }
            let message = format!("{reason}; trying again");
            if pause == PAUSES[0] {
                self.context.note(&message)
            } else {
                self.context.detail(&message)
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.signal() => {}
            }
            pause = (pause * 2).min(PAUSES[1]);
        }
    }

    /// Returns as soon as a signal came.
    async fn signal(&self) {
        while !self.graceful.stop().is_requested() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// An error if a signal came.
    fn obey_signals(&self) -> Result<(), Failure> {
        match self.graceful.stop().is_requested() {
            true => Err(self.stopped("other workers go on with the run")),
            false => Ok(()),
        }
    }

    fn stopped(&self, what_next: &str) -> Failure {
        Failure::Signal(self.graceful.signal(), format!("stopped; {what_next}"))
    }
}

fn lost(survey: &Survey) -> Failure {
    let units = first_of(survey.lost.iter().map(units_text), 5);
    Failure::WrongResult(format!(
        "incomplete: {} tasks have no result and are not in the queue (units {units}); planning \
         again puts them back",
        survey.lost.len()
    ))
}
