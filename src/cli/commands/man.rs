//! `nqueens man`: man pages, made from the definition of the command line.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::failure::Failure;

/// Writes the man page to standard output, or the pages of all subcommands into a folder.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ManArgs {
    /// The folder, which must exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManArgs {
    /// Writes the pages of `command`, which is the whole program.
    pub(crate) fn run(
        &self,
        command: clap::Command,
        mut output: impl Write,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.out {
            return clap_mangen::generate_to(command, folder)
                .map_err(|error| Failure::file(folder, error));
        }
        let page = clap_mangen::Man::new(command);
        page.render(&mut output).and_then(|()| output.flush()).map_err(Failure::output)
    }
}
