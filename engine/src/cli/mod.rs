//! The command line: one file for each command. Only here is anything printed.

pub mod check;
pub mod exit;
pub mod output;

use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};
use exit::Exit;

/// A deterministic sandbox that examines tool-using AI agents.
#[derive(Parser)]
#[command(name = "probity", version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Flags of every command.
#[derive(clap::Args)]
pub struct Global {
    /// Where environments/, scripts/ and tasks/ are
    #[arg(long, global = true, default_value = ".", value_name = "DIR")]
    pub root: PathBuf,
    /// Print machine-readable JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, default_value = "auto", value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print results only: no progress, no notes
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Check environments and tasks: all problems at once, with file, line and column
    Check(check::Check),
}

/// Runs the command line and gives the exit code.
pub fn main() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A broken pipe while printing help is no reason for another message.
            let _ = error.print();
            return if error.use_stderr() { Exit::BadInput } else { Exit::Clean };
        }
    };
    let global = cli.global;
    match cli.command {
        Command::Check(command) => command.run(&global),
    }
}
