//! `probity replay`.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::exit::Exit;
use super::opened::Unread;
use super::stopped::Stopped;
use super::{Global, output};
use probity_bench::run::execute::threads;
use probity_bench::run::replay;
use probity_bench::{Divergence, EpisodeRecord, Replayer};
use probity_report::Tally;

/// Play a run again from its directory alone and prove every step, state and score.
///
/// Exits 1 when an episode differs from its record, naming episode, step and path, and when one is missing or
/// recorded twice.
#[derive(clap::Args)]
pub struct Replay {
    /// The run directory
    run: PathBuf,
}

impl Replay {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Stopped> {
        let unread = Unread::open(global, &self.run)?;
        let is_same_version = unread.config.engine == env!("CARGO_PKG_VERSION");
        if !is_same_version {
            output::note(&format!("note: the run was played by version {}; this is another", unread.config.engine));
        }
        let benchmark = Arc::clone(&unread.benchmark);
        let units = unread.units()?;
        let replayer = Replayer::new(&units, benchmark.card());
        let begin = || (Vec::new(), Tally::new(benchmark.as_ref()));
        // Where they differ from their records, and the report that they make.
        let take = |(divergences, tally): &mut (Vec<Divergence>, Tally), batch: Vec<EpisodeRecord>| {
            divergences.extend(replayer.replay(&batch));
            batch.iter().for_each(|record| tally.add(record));
        };
        let (opened, (mut divergences, tally)) = threads(0)?.install(|| unread.read(begin, take))?;
        let made = opened.finished().report(tally);
        let is_damaged = opened.is_damaged();
        let (_, coverage) = opened.coverage()?;
        let report = opened.directory.report()?;
        let digest = made.digest.clone();
        let episodes = opened.episodes.entries.len();
        let verified = episodes - divergences.len();
        // Without a report the run was stopped: what is missing is not lost, it was never played.
        let is_unfinished = report.is_none() && !coverage.missing.is_empty();
        let mut gaps = coverage.clone();
        if is_unfinished {
            gaps.missing.clear();
        }
        divergences.extend(replay::gaps(&gaps));
        let made = serde_json::to_value(made).unwrap_or_default();
        divergences
            .extend(report.and_then(|report| replay::compare_report(&report, &made, &opened.config, is_same_version)));
        if global.json {
            output::json(&as_json(&divergences, episodes, coverage.expected, &digest));
        } else {
            let episodes = output::count(episodes, "episode");
            divergences.iter().for_each(|divergence| output::print(&format!("error: {divergence}\n")));
            output::print(&format!("{verified} of {episodes} verified, digest {digest}\n"));
        }
        if is_unfinished {
            output::note(&format!("error: the run is not complete: {}", opened.progress(&coverage)));
        }
        if !divergences.is_empty() {
            let help = "the record was changed, or a tool's script depends on something besides state and arguments";
            output::note(&format!("  help: {help}"));
        }
        Ok(if divergences.is_empty() && !is_damaged && !is_unfinished { Exit::Clean } else { Exit::Failed })
    }
}

fn as_json(divergences: &[Divergence], episodes: usize, expected: usize, digest: &str) -> Value {
    let entry = |d: &Divergence| json!({"episode": d.episode, "step": d.step, "path": d.path, "text": d.text});
    let diverged: Vec<Value> = divergences.iter().map(entry).collect();
    json!({"episodes": episodes, "expected": expected, "digest": digest, "diverged": diverged})
}
