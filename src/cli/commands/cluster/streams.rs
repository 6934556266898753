//! A run on the server: its two streams, and all that is asked of them.

use std::collections::HashSet;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, Info, PullConsumer, pull};
use async_nats::jetstream::context::{GetStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{
    Config, DeleteMessageErrorKind, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, Stream,
};
use async_nats::jetstream::{self, Context, ErrorCode};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use nqueens::tasks::{Merge, Plan, Task};

use crate::cli::failure::Failure;

/// The consumer of the queue that all workers share.
const CONSUMER: &str = "workers";

/// So many tasks are published at once.
const IN_FLIGHT: usize = 128;

/// The server answers within this time, or is taken to be away.
const PATIENCE: Duration = Duration::from_secs(10);

/// A run on the server.
#[derive(Debug, Clone)]
pub(super) struct Streams {
    pub(super) id: String,
    context: Context,
    queue: Stream<()>,
    results: Stream<()>,
}

/// How far a run is: its results against its plan.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Tasks that have a result.
    pub(super) done: u64,
    /// Tasks that have none, and are in the queue: waiting, or in the hands of a worker.
    pub(super) queued: u64,
    /// Tasks that have neither.
    pub(super) lost: Vec<Task>,
    /// Results that were refused since they differ from the one that was there.
    pub(super) conflicts: u64,
}

impl Survey {
    pub(super) fn is_complete(&self) -> bool {
        self.queued == 0 && self.lost.is_empty()
    }
}

fn failed<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> Failure {
    move |error| Failure::Run(format!("{what}: {error}"))
}

fn queue_name(id: &str) -> String {
    format!("NQUEENS_{id}_TASKS")
}

fn results_name(id: &str) -> String {
    format!("NQUEENS_{id}_RESULTS")
}

/// The ids of all runs on the server.
pub(super) async fn ids(context: &Context) -> Result<Vec<String>, Failure> {
    let names: Vec<String> =
        context.stream_names().try_collect().await.map_err(failed("listing the streams"))?;
    let id = |name: &String| {
        Some(name.strip_prefix("NQUEENS_")?.strip_suffix("_RESULTS")?.to_lowercase())
    };
    let mut ids: Vec<String> = names.iter().filter_map(id).collect();
    ids.sort_unstable();
    Ok(ids)
}

/// Whether there is such a stream.
async fn exists(context: &Context, name: String) -> Result<bool, Failure> {
    match context.get_stream(name).await {
        Ok(_) => Ok(true),
        Err(error) => match error.kind() {
            GetStreamErrorKind::JetStream(error)
                if error.error_code() == ErrorCode::STREAM_NOT_FOUND =>
            {
                Ok(false)
            }
            _ => Err(failed("opening the run")(error)),
        },
    }
}

impl Streams {
    /// Those of the run `id`, which must exist.
    pub(super) async fn open(context: Context, id: &str) -> Result<Self, Failure> {
        match exists(&context, results_name(id)).await? {
            true => Self::named(context, id).await,
            false => Err(Failure::Usage(format!("there is no run {id} on the server"))),
        }
    }

    /// Those of the run `id`, made if they do not exist; each message on so many servers.
    pub(super) async fn create(
        context: Context,
        id: &str,
        replicas: usize,
    ) -> Result<Self, Failure> {
        let subject = |name: &str| format!("nqueens.{id}.{name}");
        let one_per_subject = Config {
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            num_replicas: replicas,
            ..Config::default()
        };
        let queue = Config {
            name: queue_name(id),
            subjects: vec![subject("task.*")],
            retention: RetentionPolicy::WorkQueue,
            ..one_per_subject.clone()
        };
        let results = Config {
            name: results_name(id),
            subjects: vec![subject("plan"), subject("result.*"), subject("conflict.>")],
            ..one_per_subject
        };
        for config in [queue, results] {
            let made = context.get_or_create_stream(config).await;
            made.map_err(failed("creating the streams"))?;
        }
        Self::named(context, id).await
    }

    async fn named(context: Context, id: &str) -> Result<Self, Failure> {
        let stream = async |name: String| {
            context.get_stream_no_info(name).await.map_err(failed("opening the run"))
        };
        let (queue, results) = (stream(queue_name(id)).await?, stream(results_name(id)).await?);
        Ok(Self { id: id.into(), context, queue, results })
    }

    /// Whether the server says that the run is gone; `false` too if it says nothing.
    pub(super) async fn is_gone(&self) -> bool {
        for name in [queue_name(&self.id), results_name(&self.id)] {
            if matches!(exists(&self.context, name).await, Ok(false)) {
                return true;
            }
        }
        false
    }

    pub(super) async fn flush(&self) {
        let _ = tokio::time::timeout(PATIENCE, self.context.client().flush()).await;
    }

    fn subject(&self, name: &str) -> String {
        format!("nqueens.{}.{name}", self.id)
    }

    /// The consumer that hands the tasks out, made if there is none. A task that is not acknowledged
    /// within the lease goes to another worker.
    pub(super) async fn consumer(&self, lease: Duration) -> Result<PullConsumer, Failure> {
        let consumer = self.queue.get_or_create_consumer(CONSUMER, consumer_config(lease));
        consumer.await.map_err(failed("asking for tasks"))
    }

    /// Changes the lease of the run.
    pub(super) async fn set_lease(&self, lease: Duration) -> Result<(), Failure> {
        let consumer = self.queue.create_consumer(consumer_config(lease));
        consumer.await.map_err(failed("setting the lease"))?;
        Ok(())
    }

    pub(super) async fn consumer_info(&self) -> Result<Info, Failure> {
        self.queue.consumer_info(CONSUMER).await.map_err(failed("asking about the queue"))
    }

    /// The plan that was stored; `None` if planning was cut off before that.
    pub(super) async fn plan(&self) -> Result<Option<Plan>, Failure> {
        let Some(line) = self.last(&self.subject("plan")).await? else { return Ok(None) };
        let task = Task::from_line(&line)
            .map_err(|error| Failure::Usage(format!("the plan of run {} {error}", self.id)))?;
        let units = task.units.end - task.units.start;
        Ok(Some(Plan::new(task.run, Some(units))))
    }

    /// Stores the plan: its first task says how large tasks are, and of what.
    pub(super) async fn store_plan(&self, first: &Task) -> Result<(), Failure> {
        let plan = PublishMessage::build().payload(first.to_line().into());
        self.publish(self.subject("plan"), plan).await.map_err(failed("storing the plan"))
    }

    /// Puts tasks into the queue.
    pub(super) async fn publish_tasks(&self, tasks: &[Task]) -> Result<(), Failure> {
        // A task has one message at most as long as it is in the queue. The id covers a retry of the
        // client after a worker was quicker; it must not outlive this planning, or the server would
        // drop a task that is put back for good reason.
        let planning = self.context.client().new_inbox();
        let publish = |task: &Task| {
            let subject = self.subject(&format!("task.{}", units_text(task)));
            let message = PublishMessage::build()
                .payload(task.to_line().into())
                .message_id(format!("{planning}.{}", units_text(task)));
            self.publish(subject, message)
        };
        let mut published = stream::iter(tasks).map(publish).buffer_unordered(IN_FLIGHT);
        while let Some(published) = published.next().await {
            match published {
                Ok(()) => {}
                Err(error) if is_occupied(&error) => {}
                Err(error) => return Err(failed("putting tasks into the queue")(error)),
            }
        }
        Ok(())
    }

    async fn publish(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<(), jetstream::context::PublishError> {
        self.context.send_publish(subject, message).await?.await?;
        Ok(())
    }

    /// Stores a result. The server refuses it if the task has one; then that one is returned.
    pub(super) async fn store(&self, task: &Task, result: &str) -> Result<Option<String>, Failure> {
        let subject = self.subject(&format!("result.{}", units_text(task)));
        let message = PublishMessage::build().payload(result.to_string().into());
        let Err(error) = self.publish(subject, message).await else { return Ok(None) };
        if error.kind() == PublishErrorKind::MaxPayloadExceeded {
            return Err(Failure::Usage(format!(
                "the result is larger than the server's max_payload: {error}"
            )));
        }
        // Refused, or an earlier try arrived though its acknowledgement did not.
        match self.result(task).await? {
            Some(stored) => Ok(Some(stored)),
            None => Err(failed("storing a result")(error)),
        }
    }

    /// Keeps a result that differs from the stored one: `merge` must see both.
    pub(super) async fn store_conflict(&self, task: &Task, result: &str) -> Result<(), Failure> {
        let sum = crc32fast::hash(result.as_bytes());
        let subject = self.subject(&format!("conflict.{}.{sum:08x}", units_text(task)));
        let message = PublishMessage::build().payload(result.to_string().into());
        match self.publish(subject, message).await {
            Err(error) if !is_occupied(&error) => Err(failed("storing a result")(error)),
            _ => Ok(()),
        }
    }

    /// The stored result of a task.
    pub(super) async fn result(&self, task: &Task) -> Result<Option<String>, Failure> {
        self.last(&self.subject(&format!("result.{}", units_text(task)))).await
    }

    /// Removes every result of a task.
    pub(super) async fn forget(&self, task: &Task) -> Result<(), Failure> {
        let units = units_text(task);
        let conflicts = self.subjects(&self.results, &format!("conflict.{units}.*")).await?;
        let conflicts = conflicts.iter().map(|sum| format!("conflict.{units}.{sum}"));
        for name in conflicts.chain([format!("result.{units}")]) {
            if let Some(message) = self.message(&self.subject(&name)).await? {
                let removed = self.results.delete_message(message.sequence).await;
                removed.map_err(failed("removing a result"))?;
            }
        }
        Ok(())
    }

    async fn last(&self, subject: &str) -> Result<Option<String>, Failure> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(self.message(subject).await?.map(|message| text(&message.payload)))
    }

    async fn message(&self, subject: &str) -> Result<Option<StreamMessage>, Failure> {
        match self.results.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(failed("reading from the server")(error)),
        }
    }

    /// Removes messages from the queue that are acknowledged, and will never be handed out: a server
    /// that was killed forgets that it removed them. One by one, since a purge makes nats-server
    /// 2.9.10 forget which tasks are in hand.
    pub(super) async fn sweep(&self) -> Result<(), Failure> {
        let acknowledged = self.consumer_info().await?.ack_floor.stream_sequence;
        loop {
            let queue = self.queue.get_info().await.map_err(failed("asking about the queue"))?;
            let first = queue.state.first_sequence;
            if queue.state.messages == 0 || first > acknowledged {
                return Ok(());
            }
            match self.queue.delete_message(first).await {
                Ok(_) => {}
                // Another worker was quicker. It goes on, and so does the next sweep.
                Err(error) if matches!(error.kind(), DeleteMessageErrorKind::JetStream(_)) => {
                    return Ok(());
                }
                Err(error) => return Err(failed("removing what is done from the queue")(error)),
            }
        }
    }

    /// Compares the results with the plan.
    pub(super) async fn survey(&self, plan: &Plan) -> Result<Survey, Failure> {
        // In this order: a task leaves the queue after its result is there.
        let queued = self.subjects(&self.queue, "task.*").await?;
        let results = self.subjects(&self.results, "result.*").await?;
        let conflicts = self.subjects(&self.results, "conflict.>").await?;
        let mut survey = Survey { conflicts: conflicts.len() as u64, ..Survey::default() };
        for task in plan.tasks() {
            let units = units_text(&task);
            match () {
                () if results.contains(&units) => survey.done += 1,
                () if queued.contains(&units) => survey.queued += 1,
                () => survey.lost.push(task),
            }
        }
        Ok(survey)
    }

    /// The subjects that hold a message, each from where `filter` has its wildcard.
    async fn subjects(&self, of: &Stream<()>, filter: &str) -> Result<HashSet<String>, Failure> {
        let filter = self.subject(filter);
        let prefix = filter.len() - 1;
        let subjects =
            of.info_with_subjects(&filter).await.map_err(failed("asking for subjects"))?;
        let names = subjects.map_ok(|(subject, _)| subject[prefix..].to_string());
        names.try_collect().await.map_err(failed("asking for subjects"))
    }

    /// Reads the plan and all results.
    pub(super) async fn merge(&self) -> Result<Merge, Failure> {
        const WHAT: &str = "reading the results";
        let mut merge = Merge::new();
        if self.results.get_info().await.map_err(failed(WHAT))?.state.messages == 0 {
            return Ok(merge);
        }
        let consumer = self.results.create_consumer(pull::OrderedConfig::default());
        let mut messages =
            consumer.await.map_err(failed(WHAT))?.messages().await.map_err(failed(WHAT))?;
        let mut pending = 1;
        while pending > 0 {
            let next = tokio::time::timeout(PATIENCE, messages.next()).await;
            let Some(message) = next.map_err(failed(WHAT))? else { break };
            let message = message.map_err(failed(WHAT))?;
            pending = message.info().map_err(failed(WHAT))?.pending;
            merge.read(&message.subject, &message.payload[..]).map_err(failed(WHAT))?;
        }
        Ok(merge)
    }
}

fn consumer_config(lease: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(CONSUMER.into()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        // Neither the number of tasks in hand nor that of idle workers is bounded.
        max_ack_pending: -1,
        max_waiting: 1_000_000,
        ..Default::default()
    }
}

/// The units of a task as a part of a subject.
pub(super) fn units_text(task: &Task) -> String {
    format!("{}-{}", task.units.start, task.units.end)
}

/// Whether a message was refused since its subject holds one.
fn is_occupied(error: &jetstream::context::PublishError) -> bool {
    let source = std::error::Error::source(error);
    let error = source.and_then(|error| error.downcast_ref::<jetstream::Error>());
    error.is_some_and(|error| {
        error.error_code() == ErrorCode::STREAM_STORE_FAILED
            && error.to_string().contains("messages per subject")
    })
}
