//! `nqueens completions`: what a shell needs to complete command lines.

use std::io::Write;

use clap_complete::Shell;

use crate::cli::failure::Failure;

/// Writes the completions of a shell to standard output.
///
/// For bash, into a file that it reads: nqueens completions bash >
/// ~/.local/share/bash-completion/completions/nqueens
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompletionsArgs {
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsArgs {
    /// Writes the completions of `command`, which is the whole program.
    pub(crate) fn run(
        &self,
        mut command: clap::Command,
        mut output: impl Write,
    ) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "nqueens", &mut script);
        output.write_all(&script).and_then(|()| output.flush()).map_err(Failure::output)
    }
}
