//! `nqueens cluster merge`: adds the results on the server up.

use nqueens::tasks::Merge;

use super::connect::ConnectArgs;
use super::run::RunArgs;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::total::TotalArgs;

/// Adds the results on the server up, and prints the total if no unit is missing.
///
/// If units are missing, the tasks that count them are written to standard output, and the exit code
/// is 3.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    run: RunArgs,

    #[command(flatten)]
    pub(super) total: TotalArgs,
}

impl MergeArgs {
    /// Reads all results; what they add up to is said when the server is no longer needed.
    pub(super) async fn read(
        &self,
        context: &Context,
        connect: &ConnectArgs,
    ) -> Result<Merge, Failure> {
        self.run.open(connect.connect(context).await?).await?.merge().await
    }
}
