//! Files for packages, made from the definition of the command line: completions and man pages.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Failure;
use super::args::Args;

/// Writes the completions of a shell to standard output.
///
/// For bash, into a file that it reads: nqueens completions bash >
/// ~/.local/share/bash-completion/completions/nqueens
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CompletionsArgs {
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Writes the man page to standard output, or the pages of all subcommands into a folder.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ManArgs {
    /// The folder, which must exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn completions(args: &CompletionsArgs, mut output: impl Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "nqueens", &mut script);
    output.write_all(&script)?;
    Ok(output.flush()?)
}

pub(crate) fn man(args: &ManArgs, mut output: impl Write) -> Result<(), Failure> {
    let command = Args::command();
    if let Some(folder) = &args.out {
        return clap_mangen::generate_to(command, folder)
            .map_err(|error| Failure::Run(format!("{}: {error}", folder.display())));
    }
    clap_mangen::Man::new(command).render(&mut output)?;
    Ok(output.flush()?)
}
