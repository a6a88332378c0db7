//! Drafts from the peer's samples: an environment without bodies, and its tasks. What could not be derived is listed.

mod environment;
mod schema;
mod slot;
mod task;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::host;
use super::matching::Record;
use super::path::objects;
use super::peer::{PeerFiles, text};
use crate::model::ids::is_identifier;
use slot::Slot;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftFile {
    /// Below the root, with `/`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// Something that the author has to add or look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LeftOver {
    /// The file.
    pub file: String,
    /// Where in it.
    pub pointer: String,
    /// What is missing.
    pub what: String,
}

/// Files and what is left.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    /// The files.
    pub files: Vec<DraftFile>,
    /// What is left, file by file.
    pub left: Vec<LeftOver>,
    /// Samples that no draft was made of, and why.
    pub passed_over: Vec<(String, &'static str)>,
}

/// Notes what is left in one file.
struct Left {
    file: String,
    found: Vec<LeftOver>,
}

impl Left {
    fn new(file: String) -> Self {
        Left { file, found: Vec::new() }
    }

    fn add(&mut self, pointer: impl Into<String>, what: impl Into<String>) {
        self.found.push(LeftOver { file: self.file.clone(), pointer: pointer.into(), what: what.into() });
    }
}

/// One environment of the peer with all its samples.
struct World<'a> {
    id: String,
    name: String,
    item: Value,
    samples: Vec<&'a Value>,
    /// Every state that a sample shows: the initial one and what its oracle makes of it.
    states: Vec<Map<String, Value>>,
    slots: BTreeMap<String, Slot>,
}

impl<'a> World<'a> {
    fn new(domain: &str, name: String, item: Value, samples: Vec<&'a Value>) -> Self {
        let id = format!("{domain}/{name}");
        let mut world = World { id, name, item, samples, states: Vec::new(), slots: BTreeMap::new() };
        world.states = world.samples.iter().flat_map(|sample| [world.initial(sample), world.last(sample)]).collect();
        world.slots = slot::slots(&world.states.iter().collect::<Vec<_>>());
        world.slots.retain(|name, _| is_identifier(name));
        world
    }

    /// The state a sample starts from.
    fn initial(&self, sample: &Value) -> Map<String, Value> {
        let own = sample.get("init_config").or_else(|| self.item.get("init_config"));
        own.and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// The state its oracle ends in.
    fn last(&self, sample: &Value) -> Map<String, Value> {
        let mut diff = sample.get("expected_state_diff").and_then(Value::as_object).cloned().unwrap_or_default();
        diff.retain(|name, _| !super::browse::HELPERS.contains(&name.as_str()));
        slot::apply(&diff, &self.initial(sample))
    }

    fn tools(&self) -> impl Iterator<Item = &Record> {
        objects(self.item.get("tools"))
    }

    fn steps(&self) -> impl Iterator<Item = &Record> {
        self.samples.iter().flat_map(|sample| environment::oracle(sample))
    }
}

/// Drafts of all environments and tasks.
pub fn drafts(files: &PeerFiles, domain: &str) -> Drafts {
    let mut drafts = Drafts::default();
    let mut worlds: BTreeMap<String, (Value, Vec<&Value>)> = BTreeMap::new();
    for sample in &files.samples {
        match files.items.get(&text(sample, "task_id")) {
            Some(item) => {
                let id = [sample.get("env_id"), item.get("env_id")].map(host::label);
                let name = identifier(id.iter().find(|id| !id.is_empty()).map_or("environment", String::as_str));
                worlds.entry(name).or_insert_with(|| (item.clone(), Vec::new())).1.push(sample);
            }
            None => drafts.passed_over.push((text(sample, "sample_id"), "the blueprints have no item for its task")),
        }
    }
    for (name, (item, samples)) in worlds {
        drafts.add(&World::new(domain, name, item, samples));
    }
    drafts
}

impl Drafts {
    fn add(&mut self, world: &World) {
        let mut left = Left::new(format!("environments/{}.json", world.id));
        let environment = environment::file(world, &mut left);
        for name in world.states.iter().flat_map(|state| state.keys()).collect::<std::collections::BTreeSet<_>>() {
            if !world.slots.contains_key(name) {
                left.add("/state", format!("`{name}` cannot be the name of a part"));
            }
        }
        let script = environment::script(world, &environment);
        self.push_json(left.file.clone(), &environment);
        self.left.append(&mut left.found);
        self.files.push(DraftFile { path: format!("scripts/{}.rhai", world.id), text: script });
        let mut tasks: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for sample in &world.samples {
            let source = [sample.get("source_task_id"), sample.get("task_id")].map(host::label);
            let name = source.iter().find(|id| !id.is_empty()).map_or("task", String::as_str);
            tasks.entry(identifier(name)).or_default().push(sample);
        }
        for (name, samples) in tasks {
            let id = format!("{}/{name}", world.id);
            let mut left = Left::new(format!("tasks/{id}.json"));
            if let Some(task) = task::file(world, &id, &samples, &mut left) {
                self.push_json(left.file.clone(), &task);
                self.left.append(&mut left.found);
            }
        }
    }

    fn push_json(&mut self, path: String, file: &impl Serialize) {
        let text = serde_json::to_string_pretty(file).unwrap_or_default();
        self.files.push(DraftFile { path, text: text + "\n" });
    }
}

/// A name in lower-case letters, digits and `_`.
fn identifier(name: &str) -> String {
    let kept = name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect::<String>();
    if is_identifier(&kept) { kept } else { format!("x_{kept}") }
}
