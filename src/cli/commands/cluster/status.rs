//! `nqueens cluster status`: how far a run is.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use nqueens::tasks::Merge;
use serde::Serialize;

use super::connect::ConnectArgs;
use super::run::{DEFAULT_LEASE, RunArgs, plan_of};
use super::streams::Survey;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::report::{VERSION, write_json_or};
use crate::cli::wording::{duration, percent};

/// Says how far a run is.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    run: RunArgs,

    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

/// The JSON of `cluster status`: this struct is the schema. Counts are strings of digits.
#[derive(Debug, Serialize)]
struct StatusReport {
    /// Id of the run.
    plan: String,
    /// Board size.
    board: u32,
    /// The algorithm.
    algorithm: &'static str,
    /// Number of tasks.
    tasks: u64,
    /// Tasks that have a result.
    done: u64,
    /// Tasks that a worker has, or had until not long ago.
    in_hand: u64,
    /// Tasks that wait for a worker.
    waiting: u64,
    /// Tasks that have no result and are not in the queue: planning again puts them back.
    lost: u64,
    /// Results that were refused since they differ from the one that was there.
    conflicts: u64,
    /// Lines of results that are wrong in any way; `merge` names them.
    faults: u64,
    /// Number of units.
    units: u64,
    /// Units counted.
    units_done: u64,
    /// Whether every unit is counted, and no result is wrong.
    complete: bool,
    /// Boards found so far: the number of all boards only if the run is complete.
    partial_count: String,
    /// Wall-clock time of all results, added up.
    seconds: f64,
    /// Version of this program.
    version: &'static str,
}

impl StatusArgs {
    pub(super) async fn run(
        &self,
        context: &Context,
        connect: &ConnectArgs,
        output: impl Write,
    ) -> Result<(), Failure> {
        let streams = self.run.open(connect.connect(context).await?).await?;
        let plan = plan_of(&streams).await?;
        streams.consumer(DEFAULT_LEASE).await?;
        let survey = streams.survey(&plan).await?;
        let in_hand = streams.consumer_info().await?.num_ack_pending as u64;
        let report = StatusReport::new(&survey, in_hand, &streams.merge().await?, &plan.run);
        write_json_or(self.json, output, &report, || report.text(&plan.run))
    }
}

impl StatusReport {
    fn new(survey: &Survey, in_hand: u64, results: &Merge, run: &nqueens::Run) -> Self {
        // A task whose result is stored may not be acknowledged yet.
        let in_hand = in_hand.min(survey.queued);
        let lost = survey.lost.len() as u64;
        Self {
            plan: run.id(),
            board: run.n,
            algorithm: run.algorithm.name(),
            tasks: survey.done + survey.queued + lost,
            done: survey.done,
            in_hand,
            waiting: survey.queued - in_hand,
            lost,
            conflicts: survey.conflicts,
            faults: results.faults_len(),
            units: run.units,
            units_done: results.units_done(),
            complete: results.is_complete(),
            partial_count: results.solutions().to_string(),
            seconds: results.elapsed().as_secs_f64(),
            version: VERSION,
        }
    }

    fn text(&self, run: &nqueens::Run) -> String {
        let mut text = format!("plan {}: {run}\n", self.plan);
        let _ = writeln!(
            text,
            "tasks     {} of {} done, {} in hand, {} waiting",
            self.done, self.tasks, self.in_hand, self.waiting
        );
        if self.lost > 0 {
            let _ = writeln!(text, "lost      {} tasks: planning again puts them back", self.lost);
        }
        if self.conflicts + self.faults > 0 {
            let wrong = self.conflicts.max(self.faults);
            let _ = writeln!(text, "wrong     {wrong} results: `cluster merge` names them");
        }
        let (done, units) = (self.units_done, self.units);
        let _ = writeln!(text, "units     {done} of {units} done ({})", percent(done, units));
        let name = if self.complete { "count" } else { "so far" };
        let _ = writeln!(text, "{name:<9} {} boards", self.partial_count);
        let elapsed = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        let _ = writeln!(text, "time      {} of all workers", duration(elapsed));
        text
    }
}
