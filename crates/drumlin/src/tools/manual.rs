//! `drumlin man` and `drumlin completions`: the command line, told to other programs.

use super::print;
use crate::cli::Cli;
use crate::exit::bad_usage;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::process::ExitCode;

const PROGRAM: &str = "drumlin";

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The page of this command, or of one of its own (`ctl pause`); of the program, if none is named
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionArgs {
    /// For which shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints a manual page, for `man -l -`.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let mut program = Cli::command();
    // Commands are called `drumlin-NAME` from here on.
    program.build();
    let mut command = &program;
    for name in &args.command {
        let within = command.find_subcommand(name);
        command =
            within.ok_or_else(|| bad_usage(format!("there is no command `{}`", args.command.join(" "))))?;
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    print(&String::from_utf8_lossy(&text))
}

/// Prints a shell's completions, for its directory of them.
pub(crate) fn completions(args: &CompletionArgs) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), PROGRAM, &mut text);
    print(&String::from_utf8_lossy(&text))
}
