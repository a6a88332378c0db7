//! The program: its flags, its commands and its benchmarks.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use super::exit::Exit;
use super::global::Global;
use super::stopped::Stopped;
use super::{
    annotate, audit, bench, certify, check, compare, export, fmt, hear, import, judge, merge, mock, moved, new, output,
    plan, play, record, replay, report, score, serve, show, signals, upgrade,
};
use probity_bench::Registered;

/// A deterministic sandbox that examines tool-using AI agents.
#[derive(Parser)]
#[command(name = "probity", version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: ProbityCommand,
}

#[derive(Subcommand)]
pub(super) enum ProbityCommand {
    /// Play agents against users on all tasks, score them, and write a report
    Run(Box<super::run::Run>),
    /// Write down what a run plays, so that parts of it can be played anywhere and merged
    Plan(Box<plan::Plan>),
    /// Make one run of the parts of a plan that were played anywhere
    Merge(merge::MergeParts),
    /// Play a run again from its directory alone and prove every step, state and score
    Replay(replay::Replay),
    /// Score the episodes of a run again with this version's scorers
    Score(score::Score),
    /// Write and print the report of a run, or set many runs beside each other on one board
    Report(report::Report),
    /// Let language models and people grade the episodes of a run, and say how far they agree
    Judge(Box<judge::Judge>),
    /// Label how users behave in logs of dialogues from anywhere, by rules and by judges
    Annotate(Box<annotate::Annotate>),
    /// Hold agents' logs against their own ledger of calls: no environment, no task, no model
    Audit(Box<audit::Audit>),
    /// Stand between an agent and its provider and write their dialogues down, for `audit`
    Record(record::Record),
    /// Compare two runs: what changed, how sure that is, and whether a gate lets the new one through
    Compare(compare::Compare),
    /// Write the episodes of a run as a log of Inspect, trajectories of Harbor or spans of OpenTelemetry
    Export(export::Export),
    /// Show an episode, a task or what an agent is told
    Show(show::Show),
    /// Play by hand: an environment's tools, or one side of a task's dialogue
    Play(Box<play::Play>),
    /// Let agents that live elsewhere play: many episodes over JSON lines, or one as an MCP server
    Serve(Box<serve::Serve>),
    /// Check environments and tasks: all problems at once, with file, line and column
    Check(check::Check),
    /// Write environments and tasks in the one style, or say which are not
    Fmt(fmt::Fmt),
    /// Hear sentences as an agent on the phone does
    Hear(hear::Hear),
    /// Prove tasks sound: nothing less than the oracle solves them, every check can fail, no shorter way exists
    Certify(certify::Certify),
    /// Turn tools of others or raw dialogues into environments, tasks and tickets
    Import(import::Import),
    /// Start an environment or a task with files that pass `check`
    New(new::New),
    /// Serve a scripted model on this machine that answers as the oracle would, or misbehaves as it is told
    Mock(mock::Mock),
    /// Turn a run of an older format into one that this version reads
    Upgrade(upgrade::Upgrade),
    /// Measure tool calls a second and the cost of a fork, beside the same tools in plain Rust
    Bench(bench::Bench),
}

/// The benchmarks of this program: a new one is a line here.
pub const SUITES: &[Registered] = &[
    probity_proof::benchmark::REGISTERED,
    probity_tickets::REGISTERED,
    probity_mm_tau::REGISTERED,
    probity_tau2::REGISTERED,
];

/// Runs the command line and gives the exit code.
pub fn main() -> Exit {
    prepare();
    run(std::env::args_os(), SUITES)
}

/// What any program of ours does before it looks at its command line. What the caller left open is none of the programs'
/// that we start; what we open is closed for them anyway.
fn prepare() {
    signals::install();
    #[cfg(unix)]
    close_fds::CloseFdsBuilder::new().cloexecfrom(3);
}

/// The command line of a program that stands beside this one.
pub fn begun<P: Parser>(arguments: impl IntoIterator<Item = OsString>) -> Result<P, Exit> {
    prepare();
    P::try_parse_from(arguments).map_err(|error| refuse(&error))
}

/// How a program ends whose command ended so.
pub fn ended(done: Result<Exit, Stopped>) -> Exit {
    let exit = done.unwrap_or_else(Stopped::tell);
    if output::is_lost() { Exit::BadInput } else { exit }
}

fn refuse(error: &clap::Error) -> Exit {
    error.print().unwrap_or_else(|failure| output::lose(&failure));
    if error.use_stderr() || output::is_lost() { Exit::BadInput } else { Exit::Clean }
}

pub fn run(arguments: impl IntoIterator<Item = OsString>, suites: &'static [Registered]) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            return moved::handed_on(&error, &arguments).unwrap_or_else(|| refuse(&error));
        }
    };
    let global = Global { suites, ..cli.global };
    ended(match cli.command {
        ProbityCommand::Run(command) => command.run(&global),
        ProbityCommand::Plan(command) => command.run(&global),
        ProbityCommand::Merge(command) => command.run(&global),
        ProbityCommand::Replay(command) => command.run(&global),
        ProbityCommand::Score(command) => command.run(&global),
        ProbityCommand::Report(command) => command.run(&global),
        ProbityCommand::Judge(command) => command.run(&global),
        ProbityCommand::Annotate(command) => command.run(&global),
        ProbityCommand::Audit(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Record(command) => command.run(&global),
        ProbityCommand::Compare(command) => command.run(&global),
        ProbityCommand::Export(command) => command.run(&global),
        ProbityCommand::Show(command) => command.run(&global),
        ProbityCommand::Play(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Serve(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Check(command) => command.run(&global),
        ProbityCommand::Fmt(command) => Ok(command.run(&global)),
        ProbityCommand::Hear(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Certify(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Import(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::New(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Mock(command) => command.run(&global),
        ProbityCommand::Upgrade(command) => command.run(&global).map_err(Stopped::from),
        ProbityCommand::Bench(command) => command.run(&global).map_err(Stopped::from),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    /// A value that may be left out would else take the next word, which is another argument.
    #[test]
    fn what_may_have_a_value_takes_it_behind_a_sign() {
        fn walk(command: &clap::Command, seen: &mut usize) {
            for argument in command.get_arguments() {
                let is_optional =
                    argument.get_num_args().is_some_and(|range| range.min_values() == 0 && range.max_values() > 0);
                if is_optional && argument.get_long().is_some() {
                    assert!(argument.is_require_equals_set(), "{} --{:?}", command.get_name(), argument.get_long());
                    *seen += 1;
                }
            }
            command.get_subcommands().for_each(|sub| walk(sub, seen));
        }
        let mut seen = 0;
        let mut command = Cli::command();
        command.build();
        walk(&command, &mut seen);
        assert!(seen > 0);
    }
}
