//! A checked environment: schemas and scripts compiled, shared by all its episodes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::events::{Event, Pattern};
use super::load::strict::in_words;
use super::recall;
use super::schema::{Schema, Violation, ViolationKind, without_echoes};
use super::script::lint::Linter;
use super::script::outcome::Stopped;
use super::script::program::{Expression, Program};
use super::script::sources::Sources;
use super::state::{EventProgress, Fields, Key, RECORD_KEY, Shape, State, entity_path};
use super::tool::Tool;
use super::transaction::{Access, Change, Transaction, written};
use crate::model::canonical::Hash;
use crate::model::diagnostic::{Problem, Severity};
use crate::model::environment_file::{Effect, EnvironmentFile, SlotKind};
use crate::model::ids::Difficulty;
use crate::model::merge::merge;
use crate::model::pattern::CallPattern;
use crate::model::stream::Stream;
use crate::model::suggest;

/// Most faults that are told of one patch.
const MAX_FAULTS: usize = 1000;
/// The code of what does not fit in the patch of an initial state.
const BAD_PATCH: &str = "bad_patch";
const SMALLER: &str = "patch fewer or smaller entities";

/// Where in a part of a patch, what, and what to do about it.
type PatchFault = (String, String, &'static str);

/// What an entity lacks, or has and may not.
fn misfit(violation: Violation) -> Problem {
    let is_missing = violation.kind == ViolationKind::MissingKey;
    let problem = Problem { code: BAD_PATCH, ..in_words(violation) };
    if is_missing { problem.help("a new entity needs all fields that its schema requires") } else { problem }
}

/// A checked environment. Only [`Environment::build`] makes one.
pub struct Environment {
    pub(super) file: EnvironmentFile,
    pub(super) sources: Sources,
    pub(super) clock: i64,
    pub(super) shape: Arc<Shape>,
    pub(super) items: Vec<Schema>,
    pub(super) tools: Vec<Tool>,
    /// Where each tool stands among them, by name.
    pub(super) tool_places: BTreeMap<String, usize>,
    pub(super) events: Vec<Event>,
    pub(super) warnings: Vec<Pattern>,
    pub(super) invariants: Vec<Expression>,
    pub(super) structure: Vec<Expression>,
    pub(super) program: Program,
    /// Tells it from all others of the process.
    pub(super) number: u64,
    pub(super) linter: Linter,
    pub(super) hash: OnceLock<Hash>,
    pub(super) script_hashes: BTreeMap<String, Hash>,
}

impl Environment {
    /// `domain/name`.
    pub fn id(&self) -> &str {
        &self.file.id
    }

    /// The file it was built from.
    pub fn file(&self) -> &EnvironmentFile {
        &self.file
    }

    /// The scripts it was built from.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Where its clock starts, in seconds after 1970.
    pub fn clock(&self) -> i64 {
        self.clock
    }

    /// The names and kinds of its state's parts.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Its tools, in the order of the file.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool called `name`.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tool_places.get(name).and_then(|place| self.tools.get(*place))
    }

    /// Whether a tool only looks; one that does not exist does not.
    pub fn is_read(&self, tool: &str) -> bool {
        self.tool(tool).is_some_and(|tool| tool.effect == Effect::Read)
    }

    /// The calls that `conduct.warnings` are about, compiled, in the order of the file.
    pub fn warned_calls(&self) -> &[Pattern] {
        &self.warnings
    }

    /// The content hash of the file, as canonical JSON.
    pub fn hash(&self) -> Hash {
        *self.hash.get_or_init(|| Hash::of_serialized(&self.file))
    }

    /// The published hash of one of its states ([`State::hash`]), kept as what calls come to is.
    pub fn fingerprint(&self, state: &State) -> Hash {
        recall::hash(self.number, state)
    }

    /// The content hashes of its scripts, by path.
    pub fn script_hashes(&self) -> &BTreeMap<String, Hash> {
        &self.script_hashes
    }

    /// Compiles a call pattern for [`Environment::matches`].
    ///
    /// # Errors
    /// Unknown tool, or a predicate that does not compile or names what is not there, placed at the root pointer.
    pub fn pattern(&self, source: &CallPattern) -> Result<Pattern, Problem> {
        if self.tool(&source.tool).is_none() {
            let names = self.tools.iter().map(|tool| tool.name.as_str());
            let help = crate::model::suggest::help(&source.tool, names);
            return Err(Problem::error("", "unknown_tool", format!("there is no tool `{}`", source.tool)).help(help));
        }
        let predicate = source.predicate.as_deref().map(|text| self.program.expression(text)).transpose()?;
        if let Some(problem) = source.predicate.as_deref().and_then(|text| self.wrong_expression(&source.tool, text)) {
            return Err(problem);
        }
        Ok(Pattern { source: source.clone(), predicate })
    }

    /// The first error of an expression over `db` and the arguments of `tool`, placed at the root pointer.
    pub(super) fn wrong_expression(&self, tool: &str, text: &str) -> Option<Problem> {
        let found = self.linter.expression(&self.program, tool, text);
        found.into_iter().find(|problem| problem.severity == Severity::Error)
    }

    /// The state that `populate` makes for a size and a seed.
    ///
    /// # Errors
    /// A line for the author: the script failed, or an entity is not what its schema says.
    pub fn populate(&self, size: Difficulty, seed: u64) -> Result<State, String> {
        let empty = self.unfilled(self.clock);
        let counts = self.file.populate.sizes.get(&size).into_iter().flatten();
        let counts: Fields = counts.map(|(name, count)| (name.clone(), Value::from(*count))).collect();
        let transaction = Transaction::new(empty.clone(), Access::Write);
        let stream = Stream::new(seed, "populate", self.id());
        let db = self
            .program
            .populate(&self.file.populate.function, transaction, stream, &counts)
            .map_err(Stopped::into_detail)?;
        let mut changes = db.lock().changes();
        match self.fault_of_new(&mut changes) {
            Some(fault) => Err(fault),
            None => Ok(written(empty, changes)),
        }
    }

    /// The state that holds exactly these parts, with the clock at `clock` seconds after 1970; nothing is populated,
    /// and null is a value like any other.
    ///
    /// # Errors
    /// A line for the author: a part that there is not, is missing or is no object, or an entity that is not what its
    /// schema says.
    pub fn state_of(&self, parts: &Fields, clock: i64) -> Result<State, String> {
        if let Some(name) = parts.keys().find(|name| self.shape.index(name).is_none()) {
            return Err(format!("/{name}: there is no such collection or record"));
        }
        let mut state = self.unfilled(clock);
        for (slot, shape) in self.shape.slots.iter().enumerate() {
            let object = |value: &Value, path: &str| {
                let fields = value.as_object().cloned();
                fields.ok_or_else(|| format!("{path}: must be an object"))
            };
            let Some(part) = parts.get(&shape.name) else { return Err(format!("/{} is missing", shape.name)) };
            let fields = object(part, &entity_path(shape, RECORD_KEY))?;
            let entities: Vec<(Key, Fields)> = match shape.kind {
                SlotKind::Record => vec![(RECORD_KEY.into(), fields)],
                SlotKind::Collection => fields
                    .iter()
                    .map(|(key, entity)| Ok((key.as_str().into(), object(entity, &entity_path(shape, key))?)))
                    .collect::<Result<_, String>>()?,
            };
            for (key, mut fields) in entities {
                crate::model::number::normalise_map(&mut fields)
                    .map_err(|path| format!("{}{path}: a number beyond 2^53 - 1", entity_path(shape, &key)))?;
                if let Some(fault) = self.entity_fault(slot, &key, &mut fields) {
                    return Err(fault);
                }
                state.set(slot, &key, Some(fields));
            }
        }
        Ok(state)
    }

    /// The state without entities, its events as they are before the first call.
    fn unfilled(&self, clock: i64) -> State {
        let progress = self
            .events
            .iter()
            .map(|event| EventProgress { calls_since_armed: event.armed_by.is_none().then_some(0), fired: false });
        State::empty(Arc::clone(&self.shape), clock, progress.collect())
    }

    /// The state after a JSON merge patch (RFC 7396).
    ///
    /// # Errors
    /// Everything in the patch that does not fit the state, placed in it.
    pub fn patch(&self, state: &State, patch: &Fields) -> Result<State, Vec<Problem>> {
        let mut transaction = Transaction::new(state.clone(), Access::Write);
        let mut problems = Vec::new();
        for (name, part) in patch {
            let pointer = crate::model::pointer::join([name.as_str()]);
            let Some(slot) = self.shape.index(name) else {
                let help = suggest::help(name, self.shape.slots.iter().map(|slot| slot.name.as_str()));
                let message = format!("there is no collection or record `{name}`");
                problems.push(Problem::error(pointer, BAD_PATCH, message).help(help));
                continue;
            };
            if let Err((below, what, help)) = self.patch_part(&mut transaction, slot, part) {
                problems.push(Problem::error(format!("{pointer}{below}"), BAD_PATCH, what).help(help));
            }
        }
        let mut changes = transaction.changes();
        for change in &mut changes {
            if problems.len() >= MAX_FAULTS {
                break;
            }
            let Some(fields) = change.after.as_mut() else { continue };
            let at = match self.shape.slots.get(change.slot).map(|shape| shape.kind) {
                Some(SlotKind::Record) => crate::model::pointer::join([self.slot_name(change.slot)]),
                Some(SlotKind::Collection) | None => {
                    crate::model::pointer::join([self.slot_name(change.slot), change.key.as_str()])
                }
            };
            problems.extend(self.misfits(change.slot, &change.key, fields).into_iter().map(|found| found.below(&at)));
        }
        if problems.is_empty() { Ok(written(state.clone(), changes)) } else { Err(problems) }
    }

    /// In what an entity of a patch is not what its schema says, placed in it.
    fn misfits(&self, slot: usize, key: &str, fields: &mut Fields) -> Vec<Problem> {
        let violations = self.items.get(slot).map(|item| item.violations_in(fields)).unwrap_or_default();
        let mut found: Vec<Problem> = without_echoes(violations).into_iter().map(misfit).collect();
        let key_field = self.shape.slots.get(slot).and_then(|shape| shape.key.as_deref());
        if let Some(field) = key_field.filter(|field| fields.get(*field).and_then(Value::as_str) != Some(key)) {
            let at = crate::model::pointer::join([field]);
            let message = format!("`{field}` must repeat the key `{key}`");
            found.push(Problem::error(at, BAD_PATCH, message).help("leave it out, or write the key"));
        }
        found
    }

    fn patch_part(&self, transaction: &mut Transaction, slot: usize, part: &Value) -> Result<(), PatchFault> {
        let shape = self.shape.slots.get(slot);
        let Some(part) = part.as_object() else {
            let message = "a patch of a collection or record is an object".to_owned();
            return Err((String::new(), message, "write `{\"KEY\": {..}}`, of a record its fields"));
        };
        if shape.is_some_and(|shape| shape.kind == SlotKind::Record) {
            let mut merged = Value::Object(transaction.get(slot, RECORD_KEY).cloned().unwrap_or_default());
            merge(&mut merged, &Value::Object(part.clone()));
            let written = transaction.set(slot, RECORD_KEY, merged.as_object().cloned());
            return written.map_err(|what| (String::new(), what, SMALLER));
        }
        let key_field = shape.and_then(|shape| shape.key.as_deref()).unwrap_or_default();
        for (key, entity) in part {
            let fields = match entity {
                Value::Null => None,
                Value::Object(_) => {
                    let base = transaction.get(slot, key).cloned();
                    let is_new = base.is_none();
                    let mut merged = Value::Object(base.unwrap_or_default());
                    merge(&mut merged, entity);
                    let mut fields = merged.as_object().cloned().unwrap_or_default();
                    if is_new {
                        fields.entry(key_field).or_insert_with(|| Value::from(key.as_str()));
                    }
                    Some(fields)
                }
                _ => {
                    return Err((
                        crate::model::pointer::join([key.as_str()]),
                        "an entity is an object or null".to_owned(),
                        "write its fields that differ, or `null` to remove it",
                    ));
                }
            };
            transaction.set(slot, key, fields).map_err(|what| (String::new(), what, SMALLER))?;
        }
        Ok(())
    }

    /// Why a state that holds just what was written is not what its schemas say, if it is not.
    fn fault_of_new(&self, changes: &mut [Change]) -> Option<String> {
        self.shape.slots.iter().enumerate().find_map(|(slot, shape)| {
            let mut own = changes.iter_mut().filter(|change| change.slot == slot).peekable();
            if shape.kind == SlotKind::Record && own.peek().is_none() {
                return Some(format!("/{} is never set", shape.name));
            }
            own.find_map(|change| self.entity_fault(slot, &change.key, change.after.as_mut()?))
        })
    }

    /// Why an entity is not what its schema says, if it is not.
    pub(super) fn entity_fault(&self, slot: usize, key: &str, fields: &mut Fields) -> Option<String> {
        let shape = self.shape.slots.get(slot)?;
        let path = entity_path(shape, key);
        if let Some(violation) = self.items.get(slot).and_then(|item| item.violations_in(fields).into_iter().next()) {
            return Some(format!("{path}{}: {}", violation.path, violation.message));
        }
        let key_field = shape.key.as_deref()?;
        let same = fields.get(key_field).and_then(Value::as_str) == Some(key);
        (!same).then(|| format!("{path}/{key_field}: must repeat the key `{key}`"))
    }

    /// The tools of an actor in the form model providers take.
    pub fn functions(&self, actor: crate::model::environment_file::Actor) -> Value {
        self.tools.iter().filter(|tool| tool.actor == actor).map(Tool::to_function).collect()
    }

    pub(super) fn slot_name(&self, slot: usize) -> &str {
        self.shape.slots.get(slot).map_or("", |shape| shape.name.as_str())
    }

    /// Whether an expression holds in a state for some arguments.
    pub(super) fn holds(&self, expression: &Expression, state: &State, arguments: &Fields) -> Result<bool, Stopped> {
        recall::holds(expression.number, arguments, state, || {
            self.program.holds(expression, Transaction::new(state.clone(), Access::ReadOnly), arguments)
        })
    }
}

pub(super) fn optional_pattern(
    environment: &Environment,
    pattern: Option<&CallPattern>,
) -> Result<Option<Pattern>, Problem> {
    pattern.map(|pattern| environment.pattern(pattern)).transpose()
}
