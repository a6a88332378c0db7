//! The program: its flags, and the run that it opens.

use std::path::PathBuf;

use clap::Parser;
use probity::cli::exit::Exit;
use probity::cli::{Chosen, Filter, Global, SUITES, Stopped, begun, ended};

use super::terminal::browse;

/// Browse a run in the terminal: the failed episodes first, the open one with its findings on top.
#[derive(Parser)]
#[command(name = "probity-browse", version, about, arg_required_else_help = true)]
struct Browse {
    #[command(flatten)]
    global: Global,
    /// A run directory
    run: PathBuf,
    #[command(flatten)]
    filter: Filter,
}

/// Runs the command line and gives the exit code.
pub fn main() -> Exit {
    ended(begun(std::env::args_os()).map_err(Stopped::from).and_then(|Browse { global, run, filter }| {
        let chosen = Chosen::open(&Global { suites: SUITES, ..global }, &run, &filter)?;
        Ok(browse(chosen.card(), &chosen.told().collect::<Vec<_>>())?)
    }))
}
