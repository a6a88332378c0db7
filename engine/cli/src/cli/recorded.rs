//! `replay:RUN#AGENT`: the recorded episodes of one agent of a run.

use std::collections::BTreeSet;
use std::path::Path;

use super::output;
use probity_bench::{EpisodeRecord, RunDirectory, run::journal::line};
use probity_engine::suggest;
use probity_local::Failure;

/// The records of the one agent that `named` means, a line each.
pub(super) fn recorded(named: &Path) -> Result<String, Failure> {
    let text = named.to_string_lossy();
    let (run, agent) = match text.rsplit_once('#').filter(|_| !named.exists()) {
        Some((run, agent)) => (run, Some(agent)),
        None => (text.as_ref(), None),
    };
    let records = records(Path::new(run))?;
    let agents: BTreeSet<&str> = records.iter().map(|record| record.agent.as_str()).collect();
    let agent = match (agent, agents.first()) {
        (Some(agent), _) if agents.contains(agent) => agent,
        (Some(agent), _) => {
            return Err(Failure::new(
                format!("`{run}` has no episodes of agent `{agent}`"),
                suggest::help(agent, agents),
            ));
        }
        (None, Some(only)) if agents.len() == 1 => *only,
        (None, _) => {
            let choices: Vec<String> = agents.iter().map(|agent| format!("`replay:{run}#{agent}`")).collect();
            let help = if choices.is_empty() { "name another run".to_owned() } else { choices.join(" or ") };
            return Err(Failure::new(
                format!("`{run}` has episodes of {}", output::count(agents.len(), "agent")),
                help,
            ));
        }
    };
    let lines = records.iter().filter(|record| record.agent == agent).map(line).collect::<std::io::Result<String>>();
    lines.map_err(|error| Failure::new(error.to_string(), "name another run"))
}

fn records(path: &Path) -> Result<Vec<EpisodeRecord>, Failure> {
    let help = "name a run directory, or the episodes.jsonl of one".to_owned();
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let is_episodes = path.is_dir() || path.file_name().is_some_and(|name| name == "episodes.jsonl");
    if !is_episodes {
        return Err(Failure::new(format!("`{}` is no record of episodes", path.display()), help));
    }
    let opened = RunDirectory::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let read =
        opened.and_then(|(directory, _)| directory.episodes()).and_then(|episodes| Ok((episodes.load()?, episodes)));
    let (records, episodes) = read.map_err(|error| Failure::new(error.to_string(), help))?;
    for (number, what) in &episodes.damaged {
        output::note(&format!("note: line {number} of `{}` cannot be read: {what}", path.display()));
    }
    Ok(records)
}
