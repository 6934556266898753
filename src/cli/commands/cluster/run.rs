//! What the subcommands share: which run they are about, and what goes for all its tasks.

use std::time::Duration;

use async_nats::jetstream;
use nqueens::tasks::Plan;

use super::streams::{self, Streams};
use crate::cli::failure::Failure;

/// A task of a worker that is not heard of for so long goes to another one.
pub(super) const DEFAULT_LEASE: Duration = Duration::from_secs(30);

/// Which run.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct RunArgs {
    /// Id of the run, as `cluster plan` printed it [default: the only run on the server]
    #[arg(value_name = "ID")]
    id: Option<String>,
}

impl RunArgs {
    /// The run asked for, or the only one.
    pub(super) async fn open(&self, server: jetstream::Context) -> Result<Streams, Failure> {
        if let Some(id) = &self.id {
            return Streams::open(server, id).await;
        }
        let ids = streams::ids(&server).await?;
        match &ids[..] {
            [id] => Streams::open(server, id).await,
            [] => Err(Failure::Usage(
                "there is no run on the server: `cluster plan N` makes one".into(),
            )),
            _ => Err(Failure::Usage(format!(
                "there are several runs on the server, name one of them: {}",
                ids.join(", ")
            ))),
        }
    }
}

/// The plan that the run was made with.
pub(super) async fn plan_of(streams: &Streams) -> Result<Plan, Failure> {
    streams.plan().await?.ok_or_else(|| {
        let id = &streams.id;
        Failure::Usage(format!("run {id} was not planned to the end: do `cluster plan` again"))
    })
}

/// Refuses tasks with results that are larger than the largest message.
pub(super) fn room_for(units: u64, largest_message: u64) -> Result<(), Failure> {
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
