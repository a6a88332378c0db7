//! `probity upgrade`.

mod workshop;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::exit::Exit;
use super::{Global, output};
use probity_behaviour::upgrade;
use probity_bench::run::directory::hashes;
use probity_bench::run::execute::threads;
use probity_bench::run::journal;
use probity_bench::{EpisodeRecord, Levels, MAX_LINE, RunConfig, RunDirectory, Scores, Trace, Units};
use probity_engine::{Hash, read::read_named};
use probity_local::Failure;
use workshop::{Earlier, Workshop};

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
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        output::print(&self.upgrade(global)?);
        Ok(Exit::Clean)
    }

    fn upgrade(&self, global: &Global) -> Result<String, Failure> {
        let workshop = Workshop::beside(&self.run);
        let _lock = workshop.lock()?;
        if workshop.settle()? == Earlier::Finished {
            return self.told(&workshop);
        }
        let path = self.run.display();
        let config: Value = json(&self.file("run.json")?).ok_or_else(|| unreadable(&self.run))?;
        if !upgrade::is_old(&config) {
            return Ok(format!("{path} needs no upgrade\n"));
        }
        let config: RunConfig = serde_json::from_value(upgrade::config(config)).map_err(|_| unreadable(&self.run))?;
        config.check().map_err(|what| Failure::new(what, "name a run directory that `probity run` wrote"))?;
        workshop.begin()?;
        // What is left of a failed upgrade is of no use to anybody.
        self.make(global, config, &workshop.made()).inspect_err(|_| workshop.clear())?;
        workshop.replace()?;
        self.told(&workshop)
    }

    /// What was done, as the two runs show it.
    fn told(&self, workshop: &Workshop) -> Result<String, Failure> {
        let lines = |run: &Path| {
            let path = run.join("episodes.jsonl");
            let file = File::open(&path).map_err(|error| unopened(&path, &error))?;
            journal::read(BufReader::new(file), |_, _| Ok::<_, String>(())).map_err(|error| unopened(&path, &error))
        };
        let (made, before) = (lines(&self.run)?, lines(workshop.old())?);
        let count = output::count(made.records.len(), "episode");
        let torn = if before.is_torn { "; the last line was cut off and is left out" } else { "" };
        let (path, old) = (self.run.display(), workshop.old().display());
        Ok(format!(
            "{path}: {count} upgraded{torn}; the run as it was is {old}; `probity report {path}` writes the report\n"
        ))
    }

    /// Makes the run of the new format in a directory of its own.
    fn make(&self, global: &Global, mut config: RunConfig, to: &Path) -> Result<(), Failure> {
        let mut files = probity_bench::Files::new();
        for (name, hash) in &config.inputs {
            let text = self.input(hash)?;
            files.insert(name.clone(), upgrade::input(name, &text).unwrap_or(text));
        }
        config.inputs = hashes(&files);
        let mut recorded = Vec::new();
        for hash in config.agents.iter_mut().filter_map(|agent| agent.recorded.as_mut()) {
            let lines = self.input(hash)?;
            let lines = lines.lines().map(said_again).collect::<Option<String>>();
            let lines = lines.ok_or_else(|| unreadable(&self.run))?;
            *hash = Hash::of_text(&lines);
            recorded.push(lines);
        }
        let made = RunDirectory::create(to, &config, &files, &recorded)?;
        let benchmark = made.benchmark(&config, global.suites)?;
        let units = Units::of(&benchmark, &config)?;
        self.play_again(&units, &made)?;
        made.episodes().and_then(|episodes| made.rewrite(&episodes, None))?;
        Ok(())
    }

    /// Plays all episodes again and writes each as it ends.
    fn play_again(&self, units: &Units, made: &RunDirectory) -> Result<(), Failure> {
        let path = self.run.join("episodes.jsonl");
        let appender = Mutex::new((made.append()?, None));
        let upgraded = |line: &[u8], _| {
            let old: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            if !line.ends_with(b"\n") {
                return Err("it is cut off".to_owned());
            }
            if !is_as_digested(&old) {
                return Err("its digest is not that of its trace".to_owned());
            }
            let record = record(units, old).ok_or_else(|| "it is not what its unit gives".to_owned())?;
            let mut appender = appender.lock().unwrap_or_else(PoisonError::into_inner);
            // What cannot be written is no fault of the line; after that nothing more is.
            let (appender, failure) = &mut *appender;
            if failure.is_none() {
                *failure = appender.push(&record).err();
            }
            Ok::<_, String>(())
        };
        let file = File::open(&path).map_err(|error| unopened(&path, &error))?;
        let read = threads(0)?.install(|| journal::read(BufReader::new(file), upgraded));
        let lines = read.map_err(|error| unopened(&path, &error))?;
        let (_, failure) = appender.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failure {
            return Err(made.failed("episodes.jsonl", &error).into());
        }
        match lines.damaged.first() {
            Some((number, what)) => {
                let message = format!("line {number} of episodes.jsonl cannot be upgraded: {what}");
                Err(Failure::new(message, "`probity replay` of the version that wrote it says what was changed"))
            }
            None => Ok(()),
        }
    }

    /// The text of an input, which is what its hash says.
    fn input(&self, hash: &Hash) -> Result<String, Failure> {
        let name = format!("inputs/{}", hash.hex());
        let text = self.file(&name)?;
        match Hash::of_text(&text) == *hash || Hash::of_bytes(text.as_bytes()) == *hash {
            true => Ok(text),
            false => {
                Err(Failure::new(format!("`{name}` is not what its name says"), "the file was changed: restore it"))
            }
        }
    }

    fn file(&self, name: &str) -> Result<String, Failure> {
        read_named(&self.run.join(name), MAX_LINE as u64).map_err(|what| {
            Failure::new(format!("`{}`: {what}", self.run.join(name).display()), "name a run directory")
        })
    }
}

/// Whether a record's digest is that of its trace.
fn is_as_digested(old: &Value) -> bool {
    let digest = old.get("trace").and_then(|trace| serde_json::to_value(Hash::of(trace)).ok());
    digest.is_some() && digest.as_ref() == old.get("digest")
}

/// The record of a unit with an old record's trace, scored anew; nothing where there is no such unit, or where the
/// calls do not give what the trace says.
fn record(units: &Units, mut old: Value) -> Option<EpisodeRecord> {
    let mut trace: Trace = serde_json::from_value(upgrade::trace(upgrade::take(&mut old, "trace"))).ok()?;
    let (agent, trial) = (old.get("agent")?.as_str()?, u32::try_from(old.get("trial")?.as_u64()?).ok()?);
    let place = units.place((agent, trace.header.task.as_str(), &trace.header.levels, trial))?;
    let unit = units.get(place)?;
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
    let agent = old.get("agent")?.as_str()?;
    journal::line(&EpisodeRecord::new(agent, 0, Levels::default(), trace, Scores::default())).ok()
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn unopened(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("`{}`: {error}", path.display()), "look at its permissions")
}

fn unreadable(path: &Path) -> Failure {
    Failure::new(format!("`{}` is no run of a format that is known", path.display()), "name a run directory")
}
