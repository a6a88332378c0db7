//! What there is to reach in an environment, and how much of it has been reached.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use probity_engine::{ChangeKind, Delta, Environment, Rejection, RejectionKind, pointer};

/// An effect: the part of the state and what happens to its entities.
pub type Change = (String, ChangeKind);

#[derive(Clone, Debug, Default)]
pub struct Reached {
    pub calls: usize,
    pub successes: usize,
    /// Refusals by code of a precondition or of `fail`.
    pub codes: BTreeMap<String, usize>,
    pub effects: BTreeSet<Change>,
    /// Whether a call of it showed a fault of the author.
    pub is_faulty: bool,
}

pub struct Goals<'a> {
    environment: &'a Environment,
    /// By the position of the tool.
    pub tools: Vec<Reached>,
    pub fired: BTreeSet<String>,
    pub has_faulty_event: bool,
    /// Fields that calls have written, `collection.field`.
    written: BTreeSet<String>,
    pub states: usize,
}

impl<'a> Goals<'a> {
    pub fn new(environment: &'a Environment) -> Self {
        let tools = vec![Reached::default(); environment.tools().len()];
        Goals {
            environment,
            tools,
            fired: BTreeSet::new(),
            has_faulty_event: false,
            written: BTreeSet::new(),
            states: 0,
        }
    }

    pub fn succeed(&mut self, tool: usize, delta: &Delta) {
        let Some(reached) = self.tools.get_mut(tool) else { return };
        reached.successes += 1;
        for (change, field) in changes(self.environment, delta) {
            if let Some(field) = field {
                self.written.insert(format!("{}.{field}", change.0));
            }
            reached.effects.insert(change);
        }
    }

    pub fn refuse(&mut self, tool: usize, rejection: &Rejection) {
        let Some(reached) = self.tools.get_mut(tool) else { return };
        reached.is_faulty |= rejection.kind.is_author_fault();
        if let RejectionKind::PreconditionFailed | RejectionKind::ToolFailed = rejection.kind {
            *reached.codes.entry(rejection.code.clone()).or_default() += 1;
        }
    }

    pub fn is_open(&self, tool: usize) -> bool {
        let (Some(reached), Some(declared)) = (self.tools.get(tool), self.environment.tools().get(tool)) else {
            return false;
        };
        let codes = declared.preconditions.iter().map(|p| &p.code).chain(&declared.errors);
        let effects = self.declared(tool);
        reached.successes == 0
            || codes.into_iter().any(|code| !reached.codes.contains_key(code))
            || effects.iter().any(|effect| !reached.effects.contains(effect))
    }

    pub fn are_open(&self) -> bool {
        let events = &self.environment.file().events;
        (0..self.tools.len()).any(|tool| self.is_open(tool))
            || events.iter().any(|event| !self.fired.contains(&event.id))
    }

    pub fn declared(&self, tool: usize) -> Vec<Change> {
        let tool = self.environment.file().tools.get(tool);
        let effects = tool.into_iter().flat_map(|tool| &tool.effects);
        effects.flat_map(|e| e.kinds.iter().map(|kind| (e.collection.clone(), *kind))).collect()
    }

    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage { environment: self.environment.id().to_owned(), ..Coverage::default() };
        coverage.calls = self.tools.iter().map(|reached| reached.calls).sum();
        coverage.states = self.states;
        for (index, (tool, reached)) in self.environment.tools().iter().zip(&self.tools).enumerate() {
            coverage.tools.add(reached.successes > 0);
            for code in tool.preconditions.iter().map(|p| &p.code).chain(&tool.errors) {
                coverage.error_codes.add(reached.codes.contains_key(code));
            }
            for effect in self.declared(index) {
                coverage.effects.add(reached.effects.contains(&effect));
            }
        }
        coverage.events = Count::default();
        for event in &self.environment.file().events {
            coverage.events.add(self.fired.contains(&event.id));
        }
        coverage.fields_written = self.written.iter().cloned().collect();
        coverage.fields_not_written = self.not_written();
        coverage
    }

    /// Fields of what some tool may update or create that no call has written.
    fn not_written(&self) -> Vec<String> {
        let file = self.environment.file();
        let effects = file.tools.iter().flat_map(|tool| &tool.effects);
        let parts: BTreeSet<&String> = effects.map(|effect| &effect.collection).collect();
        let fields = parts.into_iter().filter_map(|part| Some((part, file.state.get(part)?)));
        let fields = fields.flat_map(|(part, slot)| {
            let names = probity_engine::environment_file::properties(&slot.item);
            names.into_iter().map(move |(name, _)| format!("{part}.{name}"))
        });
        fields.filter(|field| !self.written.contains(field)).collect()
    }
}

/// What a delta changes, without keys: the effect and, for what was written, the field.
pub fn changes(environment: &Environment, delta: &Delta) -> Vec<(Change, Option<String>)> {
    let mut found = Vec::new();
    for (path, fields) in &delta.created {
        let part = part_of(path);
        found.extend(fields.keys().map(|field| ((part.clone(), ChangeKind::Create), Some(field.clone()))));
    }
    for path in delta.updated.keys() {
        let segments = pointer::split(path).unwrap_or_default();
        let part = segments.first().cloned().unwrap_or_default();
        let is_record = environment.file().state.get(&part).is_some_and(|slot| slot.key.is_none());
        let field = segments.get(if is_record { 1 } else { 2 }).cloned();
        found.push(((part, ChangeKind::Update), field));
    }
    found.extend(delta.deleted.keys().map(|path| ((part_of(path), ChangeKind::Delete), None)));
    found
}

fn part_of(path: &str) -> String {
    pointer::split(path).and_then(|segments| segments.into_iter().next()).unwrap_or_default()
}

/// What a call did, without keys and free values: the effects, the fields, and values of closed lists.
pub fn shape(environment: &Environment, delta: &Delta) -> String {
    let listed = |part: &str, field: &str, value: Option<&Value>| {
        let item = environment.file().state.get(part).map(|slot| &slot.item);
        let schema = item.and_then(|item| item.get("properties")?.get(field));
        let is_listed = schema.is_some_and(|schema| {
            schema.get("enum").is_some() || schema.get("type").is_some_and(|kind| kind == "boolean")
        });
        value.filter(|_| is_listed).map(|value| format!("={value}")).unwrap_or_default()
    };
    let mut found: BTreeSet<String> = BTreeSet::new();
    for (path, fields) in &delta.created {
        let part = part_of(path);
        for (field, value) in fields {
            found.insert(format!("create {part}.{field}{}", listed(&part, field, Some(value))));
        }
    }
    for ((change, field), to) in changes(environment, &Delta { updated: delta.updated.clone(), ..Delta::default() })
        .iter()
        .zip(delta.updated.values())
    {
        let field = field.clone().unwrap_or_default();
        found.insert(format!("update {}.{field}{}", change.0, listed(&change.0, &field, to.to.as_ref())));
    }
    found.extend(delta.deleted.keys().map(|path| format!("delete {}", part_of(path))));
    found.into_iter().collect::<Vec<_>>().join(" ")
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    pub reached: usize,
    pub all: usize,
}

impl Count {
    pub fn add(&mut self, is_reached: bool) {
        self.all += 1;
        self.reached += usize::from(is_reached);
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.reached, self.all)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    pub environment: String,
    /// Calls that were tried; what came of each was found out twice.
    pub calls: usize,
    pub states: usize,
    pub tools: Count,
    pub error_codes: Count,
    /// Declared effects, each kind of change to each part of the state.
    pub effects: Count,
    pub events: Count,
    /// Fields that some call wrote, `collection.field`.
    pub fields_written: Vec<String>,
    /// Fields of what tools may change that no call wrote.
    pub fields_not_written: Vec<String>,
}

impl Coverage {
    /// The numbers in a line; with the fields below where it is asked for or something was not reached.
    pub fn to_text(&self, is_verbose: bool) -> String {
        let events = match self.events.all {
            0 => String::new(),
            _ => format!("{} events fired, ", self.events),
        };
        let mut text = format!(
            "{}: {} tools succeeded, {} error codes reached, {} effects seen, {events}{} calls in {} states\n",
            self.environment, self.tools, self.error_codes, self.effects, self.calls, self.states
        );
        let counts = [self.tools, self.error_codes, self.effects, self.events];
        if !is_verbose && counts.iter().all(|count| count.reached == count.all) {
            return text;
        }
        for (what, fields) in [("fields written", &self.fields_written), ("never written", &self.fields_not_written)] {
            if !fields.is_empty() {
                text.push_str(&format!("  {what}: {}\n", fields.join(", ")));
            }
        }
        text
    }
}
