//! Drafts of an environment and its tasks, and what an author has to add or look at.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::names::{IsReserved, Names};
use super::slot::Slot;
use super::{environment, names, slot, task};
use crate::rut::host;
use crate::rut::matching::{Record, oracle};
use crate::rut::path::objects;
use crate::rut::peer::{PeerFiles, text};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftFile {
    /// Below the root, with `/`.
    pub path: String,
    pub text: String,
}

#[derive(Clone, Debug, Default)]
pub struct Drafts {
    pub files: Vec<DraftFile>,
    pub left: Vec<LeftOver>,
    /// Samples that no draft was made of, and why.
    pub passed_over: Vec<(String, &'static str)>,
}

pub(super) struct World {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) item: Value,
    /// With our names of tools and parts of the state.
    samples: Vec<Value>,
    pub(super) tool_names: Names,
    pub(super) part_names: Names,
    /// Every state that a sample shows: the initial one and what its oracle makes of it.
    pub(super) states: Vec<Map<String, Value>>,
    pub(super) slots: BTreeMap<String, Slot>,
}

impl World {
    fn new(domain: &str, name: String, item: &Value, samples: &[&Value], is_reserved: IsReserved) -> Self {
        let tool_names = Names::of(names::tools(item, samples), &|word| word == POPULATE || is_reserved(word));
        let part_names = Names::of(names::parts(item, samples), is_reserved);
        let mut world = World {
            id: format!("{domain}/{name}"),
            name,
            item: names::item(item, &tool_names, &part_names),
            samples: samples.iter().map(|sample| names::sample(sample, &tool_names, &part_names)).collect(),
            tool_names,
            part_names,
            states: Vec::new(),
            slots: BTreeMap::new(),
        };
        world.states = world.samples.iter().flat_map(|sample| [world.initial(sample), world.last(sample)]).collect();
        world.slots = slot::slots(&world.states.iter().collect::<Vec<_>>());
        world
    }

    pub(super) fn initial(&self, sample: &Value) -> Map<String, Value> {
        let own = sample.get("init_config").or_else(|| self.item.get("init_config"));
        own.and_then(Value::as_object).cloned().unwrap_or_default()
    }

    pub(super) fn last(&self, sample: &Value) -> Map<String, Value> {
        let diff = sample.get("expected_state_diff").and_then(Value::as_object).cloned().unwrap_or_default();
        slot::apply(&diff, &self.initial(sample))
    }

    pub(super) fn tools(&self) -> impl Iterator<Item = &Record> {
        objects(self.item.get("tools"))
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &Record> {
        self.samples.iter().flat_map(oracle)
    }
}

/// The function of a script that fills the state; no tool can have its name.
pub(super) const POPULATE: &str = "populate";

/// Drafts of all environments and tasks. `is_reserved` knows the words that scripts keep for themselves.
pub fn drafts(files: &PeerFiles, domain: &str, is_reserved: IsReserved) -> Drafts {
    let mut drafts = Drafts::default();
    let mut worlds: BTreeMap<String, (&Value, Vec<&Value>)> = BTreeMap::new();
    for sample in &files.samples {
        match files.items.get(&text(sample, "task_id")) {
            Some(item) => {
                let name = first_label([sample.get("env_id"), item.get("env_id")], "environment");
                worlds.entry(name).or_insert_with(|| (item, Vec::new())).1.push(sample);
            }
            None => drafts.passed_over.push((text(sample, "sample_id"), "the blueprints have no item for its task")),
        }
    }
    let names = Names::of(worlds.keys().cloned().collect(), &|_| false);
    for (name, (item, samples)) in worlds {
        drafts.add(&World::new(domain, names.ours(&name), item, &samples, is_reserved), &name);
    }
    drafts
}

/// The first of these fields that says something.
pub(super) fn first_label(fields: [Option<&Value>; 2], otherwise: &str) -> String {
    let labels = fields.map(host::label);
    labels.into_iter().find(|label| !label.is_empty()).unwrap_or_else(|| otherwise.to_owned())
}

impl Drafts {
    /// Adds an environment, which the samples call `theirs`, and its tasks.
    fn add(&mut self, world: &World, theirs: &str) {
        let mut left = Left::new(format!("environments/{}.json", world.id));
        left.renamed("/id", theirs, &world.name);
        let environment = environment::file(world, &mut left);
        let script = environment::script(world, &environment);
        self.push_json(left.file.clone(), &environment);
        self.left.append(&mut left.found);
        self.files.push(DraftFile { path: format!("scripts/{}.rhai", world.id), text: script });
        let mut tasks: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for sample in &world.samples {
            let name = first_label([sample.get("source_task_id"), sample.get("task_id")], "task");
            tasks.entry(name).or_default().push(sample);
        }
        let names = Names::of(tasks.keys().cloned().collect(), &|_| false);
        for (theirs, samples) in tasks {
            let name = names.ours(&theirs);
            let id = format!("{}/{name}", world.id);
            let mut left = Left::new(format!("tasks/{id}.json"));
            left.renamed("/id", &theirs, &name);
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

/// Something that the author has to add or look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LeftOver {
    pub file: String,
    pub pointer: String,
    pub what: String,
}

pub(super) struct Left {
    pub(super) file: String,
    pub(super) found: Vec<LeftOver>,
}

impl Left {
    pub(super) fn new(file: String) -> Self {
        Left { file, found: Vec::new() }
    }

    pub(super) fn add(&mut self, pointer: impl Into<String>, what: impl Into<String>) {
        self.found.push(LeftOver { file: self.file.clone(), pointer: pointer.into(), what: what.into() });
    }

    /// Notes a name that is not the samples' own.
    pub(super) fn renamed(&mut self, pointer: impl Into<String>, theirs: &str, ours: &str) {
        if theirs != ours {
            self.add(pointer, format!("`{}` in the samples; look at the name", theirs.escape_debug()));
        }
    }
}
