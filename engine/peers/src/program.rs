//! The program: its flags and its commands, each with the flags that all of probity's have.

mod bench;
mod conform;
mod import;
mod score;

use clap::{Parser, Subcommand};
use probity::cli::exit::Exit;
use probity::cli::{Global, Stopped, begun, ended};

/// Other benchmarks' files: held against ours, scored by their rules and by ours, turned into drafts.
#[derive(Parser)]
#[command(name = "probity-peers", version, about, arg_required_else_help = true)]
struct Peers {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: PeersCommand,
}

#[derive(Subcommand)]
enum PeersCommand {
    /// Hold our scorers and worlds against vectors of another benchmark's
    Conform(conform::Conform),
    /// Score runs of another benchmark: its verdicts beside ours, with the reason for every difference
    Score(score::Score),
    /// Turn another benchmark's samples into drafts of environments, tasks and tickets
    Import(import::Import),
    /// Measure recorded tasks of another benchmark on our engine, beside what it takes itself
    Bench(bench::Bench),
}

/// Runs the command line and gives the exit code.
pub fn main() -> Exit {
    ended(begun(std::env::args_os()).map_err(Stopped::from).and_then(|Peers { global, command }| match command {
        PeersCommand::Conform(command) => command.run(&global),
        PeersCommand::Score(command) => command.run(&global),
        PeersCommand::Import(command) => command.run(&global),
        PeersCommand::Bench(command) => command.run(&global),
    }))
}
