//! `probity replay`.

use std::path::PathBuf;

use serde_json::json;

use super::exit::Exit;
use super::opened::Opened;
use super::{Global, output};
use crate::report::aggregate::digest_of;
use crate::run::replay::replay;

/// Play a run again from its directory alone and prove every step, state and score.
///
/// Exits 1 when an episode differs from its record, naming episode, step and path.
#[derive(clap::Args)]
pub struct Replay {
    /// The run directory
    run: PathBuf,
}

impl Replay {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let opened = match Opened::open(&self.run) {
            Ok(opened) => opened,
            Err(exit) => return exit,
        };
        let is_damaged = opened.is_damaged();
        if opened.config.engine != env!("CARGO_PKG_VERSION") {
            output::note(&format!("note: the run was played by version {}; this is another", opened.config.engine));
        }
        let records = &opened.episodes.records;
        let divergences = replay(&opened.units, records);
        let digest = digest_of(records).to_string();
        if global.json {
            let list: Vec<_> = divergences
                .iter()
                .map(|d| json!({"episode": d.episode, "step": d.step, "path": d.path, "text": d.text}))
                .collect();
            output::json(&json!({"episodes": records.len(), "digest": digest, "diverged": list}));
        } else {
            for divergence in &divergences {
                output::print(&format!("error: {divergence}\n"));
            }
            let verified = records.len() - divergences.len();
            output::print(&format!(
                "{verified} of {} verified, digest {digest}\n",
                output::count(records.len(), "episode")
            ));
        }
        if !divergences.is_empty() {
            let help = "the record was changed, or a tool's script depends on something besides state and arguments";
            output::note(&format!("  help: {help}"));
        }
        if divergences.is_empty() && !is_damaged { Exit::Clean } else { Exit::Failed }
    }
}
