//! Plans: what a run plays, in one file that is enough to play it anywhere. Units are not listed but made: each agent
//! plays each instance so many times.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::config::{NamedAgent, RunConfig};
use super::directory::{open_inputs, registered};
use super::error::{RunError, failed};
use super::unit::{Unit, Units};
use crate::benchmark::{Benchmark, Files, Registered};
use crate::instance::Levels;
use crate::trace::Header;
use probity_engine::read::read_named;
use probity_engine::{Hash, write_whole};

/// The version of the plan format this build writes and reads.
pub const FORMAT: u32 = 1;
/// The largest plan that is read, in bytes: a cassette may be among its inputs.
const MAX_BYTES: u64 = 5 << 30;

/// What a run plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the plan format.
    pub format: u32,
    /// SHA-256 over the canonical JSON of `[format, run, instances]`.
    pub digest: Hash,
    /// How many units it has: each agent plays each instance in each trial.
    pub units: usize,
    /// The `run.json` of the run.
    pub run: RunConfig,
    /// The instances, in their order.
    pub instances: Vec<PlannedInstance>,
    /// The texts of all inputs, by their hashes.
    pub inputs: BTreeMap<Hash, String>,
}

/// An instance of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedInstance {
    /// The task.
    pub task: String,
    /// The levels of the settings.
    pub levels: Levels,
    /// SHA-256 over the canonical JSON of the header that its traces have, with 0 as seed.
    pub key: Hash,
}

impl PlannedInstance {
    fn of(unit: &Unit) -> Option<PlannedInstance> {
        let key = Hash::of_serialized(&Header { seed: 0, ..unit.header()? });
        Some(PlannedInstance { task: unit.at.task.clone(), levels: unit.at.setting.clone(), key })
    }

    fn name(&self) -> String {
        format!("{} {}", self.task, self.levels)
    }
}

impl Plan {
    /// The plan of a run with these units and inputs.
    pub fn new<'a>(run: RunConfig, units: &Units, inputs: impl Iterator<Item = &'a String>) -> Plan {
        let instances: Vec<_> = units.instances().filter_map(|unit| PlannedInstance::of(&unit)).collect();
        let inputs = inputs.map(|text| (Hash::of_text(text), text.clone())).collect();
        let digest = digest(&run, &instances);
        Plan { format: FORMAT, digest, units: units.len(), run, instances, inputs }
    }

    /// Writes it whole.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        let write = |file: &mut BufWriter<_>| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        };
        write_whole(path, write).map_err(|error| failed(path, &error))
    }

    /// Reads one that this build can play.
    ///
    /// # Errors
    /// It cannot be read, is of another version, or does not hold what its hashes say.
    pub fn read(path: &Path) -> Result<Plan, RunError> {
        let bad = |what: String| RunError::Plan { path: path.display().to_string(), what };
        let unread = |what: String| RunError::File { path: path.display().to_string(), what };
        let text = read_named(path, MAX_BYTES).map_err(unread)?;
        let value: Value = serde_json::from_str(&text).map_err(|error| bad(format!("it is no plan: {error}")))?;
        drop(text);
        // A plan of another version need not look like one of this.
        let version = value.get("format").and_then(Value::as_u64).unwrap_or_default();
        if version != u64::from(FORMAT) {
            return Err(bad(format!("plan format {version} is not known; this build reads {FORMAT}")));
        }
        let engine = value.pointer("/run/engine").and_then(Value::as_str).unwrap_or_default();
        if engine != env!("CARGO_PKG_VERSION") {
            return Err(bad(format!("it was made by version {engine}, and this is {}", env!("CARGO_PKG_VERSION"))));
        }
        let plan: Plan = serde_json::from_value(value).map_err(|error| bad(format!("it is no plan: {error}")))?;
        plan.check().map_err(bad)?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), String> {
        self.run.check()?;
        let own = digest(&self.run, &self.instances);
        if own != self.digest {
            return Err(format!("its digest is {}, and what it holds gives {own}: it was changed", self.digest));
        }
        let named = self.run.inputs.iter().map(|(path, hash)| (path.as_str(), hash));
        let recorded = self.run.agents.iter().filter_map(|agent| Some((agent.name.as_str(), agent.recorded.as_ref()?)));
        for (name, hash) in named.chain(recorded) {
            match self.inputs.get(hash) {
                None => return Err(format!("the input `{name}`, {hash}, is not in it")),
                Some(text) if Hash::of_text(text) != *hash => {
                    return Err(format!("the input `{name}` is {}, not {hash}: it was changed", Hash::of_text(text)));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// The text of an input.
    ///
    /// # Errors
    /// There is none of this hash.
    pub fn input(&self, hash: &Hash) -> Result<String, RunError> {
        let missing = || RunError::Plan { path: hash.to_string(), what: "the plan has no such input".to_owned() };
        self.inputs.get(hash).cloned().ok_or_else(missing)
    }

    /// The authored files among its inputs.
    ///
    /// # Errors
    /// One is missing.
    pub fn files(&self) -> Result<Files, RunError> {
        self.run.inputs.iter().map(|(path, hash)| Ok((path.clone(), self.input(hash)?))).collect()
    }

    /// What it is played on, one of the benchmarks given, and its units.
    ///
    /// # Errors
    /// There is no such benchmark, the inputs do not load, or this build makes other units of them.
    pub fn opened(&self, suites: &[Registered]) -> Result<(Arc<dyn Benchmark>, Units), RunError> {
        let bad = |what: String| RunError::Plan { path: self.digest.to_string(), what };
        let registered = registered(&self.run, suites).map_err(bad)?;
        let benchmark = open_inputs(registered, self.files()?).map_err(bad)?;
        let units = Units::of(&benchmark, &self.run)?;
        let own: Vec<_> = units.instances().filter_map(|unit| PlannedInstance::of(&unit)).collect();
        let both = own.iter().zip(&self.instances);
        let at = both.take_while(|(own, planned)| own == planned).count();
        match own.get(at).or_else(|| self.instances.get(at)) {
            Some(other) => Err(bad(format!("this build plays `{}` otherwise than the plan says", other.name()))),
            None if units.len() != self.units => {
                Err(bad(format!("it says {} units, and has {}", self.units, units.len())))
            }
            None => Ok((benchmark, units)),
        }
    }

    /// The key of each of its units: equal in two plans where the same is played, by the same and in the same way.
    pub fn keys(&self) -> Keys {
        let run = &self.run;
        let asked = json!([run.provider, run.system, run.user_model, run.speech]);
        let agent = |named: &NamedAgent| (named.name.clone(), Hash::of(&json!([named, asked, run.agent_timeout])));
        let instance = |at: &PlannedInstance| ((at.task.clone(), at.levels.clone()), at.key);
        Keys {
            agents: run.agents.iter().map(agent).collect(),
            instances: self.instances.iter().map(instance).collect(),
        }
    }
}

fn digest(run: &RunConfig, instances: &[PlannedInstance]) -> Hash {
    Hash::of(&json!([FORMAT, run, instances]))
}

/// What the keys of units are made of.
pub struct Keys {
    agents: BTreeMap<String, Hash>,
    instances: BTreeMap<(String, Levels), Hash>,
}

impl Keys {
    /// The key of a unit: SHA-256 over the canonical JSON of its agent's and its instance's, its trial and its seed.
    pub fn of(&self, unit: &Unit) -> Hash {
        let at = (unit.at.task.clone(), unit.at.setting.clone());
        Hash::of(&json!([self.agents.get(&*unit.agent), self.instances.get(&at), unit.trial, unit.episode_seed()]))
    }
}

/// A line of a list as JSON, of what a merge misses or of all units.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedUnit {
    key: Option<String>,
    #[serde(alias = "missing")]
    unit: String,
}

/// The numbers of the units that a list names, one a line: `agent task levels #trial`, with the unit's key and a blank
/// before it or without, or the same as JSON.
///
/// # Errors
/// The line, from 1, and what is wrong with it.
pub fn listed(list: &str, units: &Units, keys: &Keys) -> Result<Vec<usize>, String> {
    let names = units.names();
    let number = |(at, line): (usize, &str)| -> Result<usize, String> {
        let json: Option<ListedUnit> = serde_json::from_str(line).ok();
        let (key, name) = match (&json, line.split_once(' ')) {
            (Some(listed), _) => (listed.key.as_deref(), listed.unit.as_str()),
            (None, Some((key, name))) if key.starts_with("sha256:") => (Some(key), name),
            (None, _) => (None, line),
        };
        let split = name.rsplit_once(" #").and_then(|(at, trial)| Some((names.get(at)?, trial.parse::<u32>().ok()?)));
        let unit = split.and_then(|(first, trial)| units.trial(*first, trial));
        let (number, unit) = unit.ok_or_else(|| format!("line {}: the plan has no unit `{name}`", at + 1))?;
        match key.filter(|key| *key != keys.of(&unit).to_string()) {
            Some(key) => Err(format!("line {}: `{name}` is not {key} in this plan, but {}", at + 1, keys.of(&unit))),
            None => Ok(number),
        }
    };
    list.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(number).collect()
}
