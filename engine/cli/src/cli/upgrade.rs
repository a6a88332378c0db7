//! `probity upgrade`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::exit::Exit;
use super::{Global, output};
use crate::failure::Failure;
use probity_behaviour::upgrade;
use probity_bench::EpisodeRecord;
use probity_bench::Levels;
use probity_bench::MAX_LINE;
use probity_bench::RunConfig;
use probity_bench::Scores;
use probity_bench::Trace;
use probity_bench::Unit;
use probity_bench::run::directory::hashes;
use probity_bench::run::journal;
use probity_bench::run::plan::units;
use probity_bench::{RunDirectory, RunError};
use probity_engine::Hash;
use probity_engine::read::read_named;

/// Turn a run of an older format into one that this version reads.
///
/// What was played and said stays; scores are made anew from the traces. The run as it was is kept beside it, as
/// RUNDIR.old.
#[derive(clap::Args)]
pub struct Upgrade {
    /// The run directory
    run: PathBuf,
}

impl Upgrade {
    pub(super) fn run(&self, global: &Global) -> Exit {
        match self.upgrade(global) {
            Ok(said) => {
                output::print(&said);
                Exit::Clean
            }
            Err(failure) => output::fail(&failure),
        }
    }

    fn upgrade(&self, global: &Global) -> Result<String, Failure> {
        let path = self.run.display();
        let config: Value = json(&self.file("run.json")?).ok_or_else(|| unreadable(&self.run))?;
        if !upgrade::is_old(&config) {
            return Ok(format!("{path} needs no upgrade\n"));
        }
        let mut config: RunConfig =
            serde_json::from_value(upgrade::config(config)).map_err(|_| unreadable(&self.run))?;
        let mut files = probity_bench::Files::new();
        for (name, hash) in &config.inputs {
            let text = self.file(&format!("inputs/{}", hash.hex()))?;
            files.insert(name.clone(), upgrade::input(name, &text).unwrap_or(text));
        }
        config.inputs = hashes(&files);
        let mut recorded = Vec::new();
        for hash in config.agents.iter_mut().filter_map(|agent| agent.recorded.as_mut()) {
            let text = self.file(&format!("inputs/{}", hash.hex()))?;
            let text: String =
                text.lines().map(said_again).collect::<Option<_>>().ok_or_else(|| unreadable(&self.run))?;
            *hash = Hash::of_bytes(text.as_bytes());
            recorded.push(text);
        }
        let beside = beside(&self.run, "upgraded");
        let made = RunDirectory::create(&beside, &config, &files, &recorded).map_err(refusal)?;
        let benchmark = made.benchmark(&config, global.suites).map_err(refusal)?;
        let units = units(&benchmark, &config).map_err(refusal)?;
        let mut records = Vec::new();
        for (number, line) in self.file("episodes.jsonl")?.lines().enumerate() {
            let record = json(line).and_then(|old| record(&units, old));
            records.push(record.ok_or_else(|| {
                let message = format!("line {} of episodes.jsonl cannot be upgraded", number + 1);
                Failure::new(message, "`probity replay` of the version that wrote it says what was changed")
            })?);
        }
        made.append_all(&records).map_err(refusal)?;
        let old = self::beside(&self.run, "old");
        let moved = std::fs::rename(&self.run, &old).and_then(|()| std::fs::rename(&beside, &self.run));
        moved.map_err(|error| Failure::new(format!("`{path}`: {error}"), "look at its permissions"))?;
        let count = output::count(records.len(), "episode");
        Ok(format!(
            "{path}: {count} upgraded; the run as it was is {}; `probity report {path}` writes the report\n",
            old.display()
        ))
    }

    fn file(&self, name: &str) -> Result<String, Failure> {
        read_named(&self.run.join(name), MAX_LINE as u64).map_err(|what| {
            Failure::new(format!("`{}`: {what}", self.run.join(name).display()), "name a run directory")
        })
    }
}

/// The record of a unit with an old record's trace, scored anew; nothing where there is no such unit, or where the
/// calls do not give what the trace says.
fn record(units: &[Unit], mut old: Value) -> Option<EpisodeRecord> {
    let mut trace: Trace = serde_json::from_value(upgrade::trace(upgrade::take(&mut old, "trace"))).ok()?;
    let (agent, trial) = (old.get("agent")?.as_str()?, u32::try_from(old.get("trial")?.as_u64()?).ok()?);
    let unit = units.iter().find(|unit| {
        let at = &unit.at;
        (unit.agent.as_str(), unit.trial) == (agent, trial)
            && (&at.task, &at.setting) == (&trace.header.task, &trace.header.levels)
    })?;
    trace.header = unit.header()?;
    let mut record = unit.replay(&trace)?;
    record.agent_errors = old.get("agent_errors").and_then(Value::as_str).map(str::to_owned);
    record.usage = serde_json::from_value(upgrade::take(&mut old, "usage")).ok()?;
    record.user_usage = serde_json::from_value(upgrade::take(&mut old, "user_usage")).ok()?;
    (record.trace.events == trace.events).then_some(record)
}

/// The line of an episode that an agent says again: nothing of it counts but what was said.
fn said_again(line: &str) -> Option<String> {
    let mut old = json(line)?;
    let trace: Trace = serde_json::from_value(upgrade::trace(upgrade::take(&mut old, "trace"))).ok()?;
    Some(journal::line(&EpisodeRecord::new(
        old.get("agent")?.as_str()?,
        0,
        Levels::default(),
        trace,
        Scores::default(),
    )))
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn beside(path: &Path, what: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{name}.{what}"))
}

fn unreadable(path: &Path) -> Failure {
    Failure::new(format!("`{}` is no run of a format that is known", path.display()), "name a run directory")
}

fn refusal(error: RunError) -> Failure {
    Failure::new(error.to_string(), error.help())
}
