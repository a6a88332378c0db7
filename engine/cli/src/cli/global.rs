//! What every command has: the flags, the benchmarks, a bar that shows how far it is.

use std::io::IsTerminal;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use super::output;
use probity_bench::Registered;
use probity_engine::suggest;
use probity_local::Failure;

/// Flags of every command.
#[derive(Clone, clap::Args)]
pub struct Global {
    /// Where environments/, scripts/ and tasks/ are
    #[arg(long, global = true, default_value = ".", value_name = "DIR")]
    pub root: PathBuf,
    /// Print machine-readable JSON on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Print results only: no progress, no notes
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// The benchmarks that `--suite` can name.
    #[arg(skip)]
    pub suites: &'static [Registered],
}

impl Global {
    pub(super) fn suite(&self, name: &str) -> Result<&'static Registered, Failure> {
        self.suites.iter().find(|registered| registered.name == name).ok_or_else(|| {
            let help = suggest::help(name, self.suites.iter().map(|registered| registered.name));
            Failure::new(format!("there is no suite `{name}`"), help)
        })
    }

    /// Prints a note for people, unless they want results only.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            output::note(text);
        }
    }

    /// Prints a result as it is asked for: as JSON, or as text for people.
    pub fn tell(&self, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) {
        match self.json {
            true => output::json(&json()),
            false => output::print(&text()),
        }
    }
}

/// A progress bar on standard error, shown only where somebody looks.
pub(super) fn progress(global: &Global, units: usize) -> ProgressBar {
    let is_shown = !global.quiet && std::io::stderr().is_terminal();
    let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(units as u64), target);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise} {msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

/// How much is done at once where nobody says so.
pub(super) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
