//! `nqueens resume`: counts what is missing of a run.

use std::io::Write;
use std::path::PathBuf;

use nqueens::checkpoint;

use crate::cli::context::Context;
use crate::cli::counting::{Counting, Settings};
use crate::cli::failure::Failure;
use crate::cli::options::{Format, MachineArgs};
use crate::cli::report::Report;

/// Resumes the run of a checkpoint file.
///
/// The file says what is counted. Any number of threads, any kernel and any machine may resume it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ResumeArgs {
    /// The checkpoint file
    file: PathBuf,

    #[command(flatten)]
    machine: MachineArgs,

    /// Say how many boards there are up to rotation and reflection
    #[arg(long)]
    fundamental: bool,

    /// Count again with another algorithm, and fail with exit code 3 if the two differ
    #[arg(long)]
    double_check: bool,

    /// How to write the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Write time, rate and algorithm to standard error
    #[arg(long)]
    time: bool,
}

impl ResumeArgs {
    pub(crate) fn run(&self, context: &Context, output: impl Write) -> Result<(), Failure> {
        let problem = checkpoint::run(&self.file)?.problem()?;
        let counting = Counting::new(context, self.settings());
        let counted = counting.count(&problem)?;
        Report::new(self.format, output).count(&counted, false).map_err(Failure::output)
    }

    fn settings(&self) -> Settings {
        Settings {
            // That of the file.
            algorithm: None,
            kernel: self.machine.kernel,
            memory_bytes: self.machine.memory_bytes,
            checkpoint: Some(self.file.clone()),
            fundamental: self.fundamental,
            double_check: self.double_check,
            time: self.time,
        }
    }
}
