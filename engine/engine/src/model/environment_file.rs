//! An environment as authored: the shape of `environments/<domain>/<name>.json`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::conduct::Conduct;
use super::constraints::Constraints;
use super::ids::{Difficulty, identifier_of, is_identifier};
use super::pattern::CallPattern;
use super::policy::PolicyEntry;

/// An environment file: state, tools, constraints and how the state is filled.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentFile {
    /// Version of this format; 1.
    pub format: u32,
    /// `domain/name`, the same as the file's path.
    pub id: String,
    /// A short name for people.
    pub title: String,
    /// One or two sentences: what the agent can do here. Shown to the agent.
    pub summary: String,
    /// The fixed start of the virtual clock, RFC 3339, e.g. `2026-06-11T09:00:00Z`.
    pub clock: String,
    /// Rules the agent must heed, each with what checks it. Shown to the agent.
    pub policy: Vec<PolicyEntry>,
    /// The collections and records of the state, by name.
    pub state: BTreeMap<String, SlotFile>,
    /// JSON Pointers below which changes never count, e.g. `/audit_log`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub soft_paths: Vec<String>,
    /// The tools.
    #[schemars(length(max = 256))]
    pub tools: Vec<ToolFile>,
    /// Orders and exclusions that hold in every task of this environment.
    #[serde(default)]
    pub constraints: Constraints,
    /// Calls that must not succeed, in any outcome of any task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<CallPattern>,
    /// What a careful agent heeds beyond them.
    #[serde(default, skip_serializing_if = "Conduct::is_empty")]
    pub conduct: Conduct,
    /// What holds in every state; asked by checks, never during a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<InvariantFile>,
    /// How the initial state is made.
    pub populate: PopulateFile,
    /// Deterministic events, optional.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventFile>,
}

/// One named part of the state.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlotFile {
    /// A collection of entities by key, or a single record.
    pub kind: SlotKind,
    /// For a collection: the field of each entity that repeats its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// JSON Schema (2020-12) of an entity, or of the record.
    pub item: Value,
    /// Fields that hold the key of an entity elsewhere, or a list of such keys: the collection by the field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refers: BTreeMap<String, String>,
}

/// Whether a part of the state holds many entities or one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SlotKind {
    /// Entities by key: `db.rooms["101"]`.
    Collection,
    /// One object: `db.settings`.
    Record,
}

/// A tool as authored.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolFile {
    /// The name the agent calls: letters, digits, `_`, `-` and `.`.
    pub name: String,
    /// The Rhai function that is its body; without it the name as an identifier: `get_order` of `getOrder`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// What the tool does. Shown to the agent.
    pub description: String,
    /// Whether the tool only reads, or writes.
    pub effect: Effect,
    /// What a write may touch; enforced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<EffectFile>,
    /// JSON Schema of the arguments: a closed object.
    pub parameters: Value,
    /// JSON Schema of the observation. `#/state/<name>/item` refers to an entity's schema.
    pub returns: Value,
    /// What the business refuses, tried in order before the body runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<PreconditionFile>,
    /// Codes the body may give to `fail(code, message)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// Whether a call cannot be taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub irreversible: bool,
    /// Whether the policy asks for the user's yes before each call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Who may call it.
    #[serde(default, skip_serializing_if = "Actor::is_agent")]
    pub actor: Actor,
    /// Parameters, or paths into them, that hold prose: any non-empty text matches the oracle's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free_text: Vec<String>,
    /// Parameters, or paths into them (`address.street`, `lines[].sku`), compared otherwise than by equality.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub compare: BTreeMap<String, Compare>,
    /// Past participles by which an agent claims to have done this, e.g. `["moved", "switched"]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<String>,
    /// For a read: words by which people speak of what it shows, beside those of its name, e.g. `["payment"]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<String>,
    /// For a write: words for those whom it tells, e.g. `["prescriber", "doctor"]`. Nobody else hears of a call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub informs: Vec<String>,
}

impl ToolFile {
    /// The name of the Rhai function that is its body.
    pub fn function(&self) -> Cow<'_, str> {
        match &self.function {
            Some(function) => function.into(),
            None if is_identifier(&self.name) => self.name.as_str().into(),
            None => identifier_of(&self.name).into(),
        }
    }
}

/// Whether a tool changes the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Never changes the state; enforced.
    Read,
    /// May change the state within its `effects`; enforced.
    Write,
}

/// Who calls a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The agent under examination.
    #[default]
    Agent,
    /// The user, on a device of their own.
    User,
    /// The task itself: what makes its start, and what asks whether it was done. Shown to nobody.
    Task,
}

impl Actor {
    fn is_agent(&self) -> bool {
        *self == Actor::Agent
    }
}

/// A way to compare an argument with the oracle's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Text without regard to case and surrounding or repeated white space.
    Casefold,
    /// The same calendar day, whatever follows the date.
    Date,
    /// The same digits.
    Phone,
    /// A list whose order does not count; how often an element stands in it does.
    Set,
}

/// What one call may do to one collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EffectFile {
    /// The collection or record.
    pub collection: String,
    /// The kinds of change.
    pub kinds: Vec<ChangeKind>,
    /// At most so many entities a call, over all the kinds.
    pub max_rows: u32,
}

/// A kind of change to an entity.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The entity was not there before.
    Create,
    /// The entity was there and has other fields now.
    Update,
    /// The entity is gone.
    Delete,
}

impl ChangeKind {
    /// The spelling used in JSON and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A predicate that must hold before a tool's body runs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreconditionFile {
    /// What the agent is told when it does not hold, e.g. `room_not_free`.
    pub code: String,
    /// A Rhai expression over `db` and `args`; it cannot write.
    pub expr: String,
    /// One line for the agent: why the call was refused.
    pub message: String,
}

impl PreconditionFile {
    /// What asks that what stands at a path into the arguments is a key of a collection, as a `ref` there does.
    pub fn has_each(collection: &str, path: &str) -> String {
        format!("db.{collection}.has_each(args, \"{path}\")")
    }

    /// The collections of which it asks that they have what stands somewhere in the arguments, each with where: that of
    /// `db.rooms.has(args.room)`, `db.rooms.has(args["room"])` and [`PreconditionFile::has_each`]; not of what must not
    /// be there.
    pub fn references(&self) -> impl Iterator<Item = (&str, &str)> {
        self.expr.match_indices("db.").filter_map(|(at, start)| {
            let (before, rest) = (self.expr.get(..at)?, self.expr.get(at + start.len()..)?);
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '!');
            if before.ends_with(is_part) {
                return None;
            }
            let (collection, rest) = rest.split_once('.')?;
            let quoted = ["has(args[\"", "has_each(args, \""].iter().find_map(|form| rest.strip_prefix(form));
            let path = match quoted {
                Some(rest) => rest.split('"').next(),
                None => rest.strip_prefix("has(args.")?.split(|c: char| !(c.is_alphanumeric() || c == '_')).next(),
            };
            path.filter(|_| is_identifier(collection)).map(|path| (collection, path))
        })
    }
}

/// What holds in every state that calls lead to.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InvariantFile {
    /// Its name, unique in the environment, e.g. `no_room_booked_twice`.
    pub name: String,
    /// A Rhai expression over `db`, true in every state; it cannot write.
    pub holds: String,
    /// One sentence for people: what it says.
    pub sentence: String,
}

/// How the initial state is made.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PopulateFile {
    /// The Rhai function `(db, rng, size)` that fills the state.
    pub function: String,
    /// The counts handed to it as `size`, per difficulty.
    pub sizes: BTreeMap<Difficulty, BTreeMap<String, u32>>,
    /// What a populated state offers to the tasks that are written on it, whatever its seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structure: Vec<StructureFile>,
}

/// Something that tasks of several steps need in a populated state: a guest with two bookings, a full class.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StructureFile {
    /// Its name, unique among them, e.g. `guest_with_two_bookings`.
    pub name: String,
    /// A Rhai expression over `db`, true in every populated state; it cannot write.
    pub holds: String,
    /// One sentence for people: what it says.
    pub sentence: String,
    /// The sizes that offer it; without them all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<Difficulty>,
}

/// A deterministic event: armed by a call, fired before a later one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventFile {
    /// Its name, unique in the environment.
    pub id: String,
    /// The successful call that arms it; without one it is armed from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub armed_by: Option<CallPattern>,
    /// The call before which it fires; without one, any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fires_before: Option<CallPattern>,
    /// It waits for so many successful calls after it was armed.
    #[serde(default)]
    pub after_calls: u32,
    /// A Rhai function `(db)` that changes the state, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Moves the virtual clock forward by so many minutes.
    #[serde(default)]
    pub advance_minutes: u32,
    /// Refuses the call with this error instead of running it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<EventError>,
}

/// The error an event puts in the place of a call.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventError {
    /// The code the agent sees.
    pub code: String,
    /// One line for the agent.
    pub message: String,
}

/// Reads a JSON Schema's properties; empty when it has none.
pub fn properties(schema: &Value) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_precondition_tells_what_must_be_there() {
        let told = |expr: &str| {
            let precondition = PreconditionFile { code: String::new(), expr: expr.to_owned(), message: String::new() };
            precondition.references().map(|(of, path)| format!("{of} {path}")).collect::<Vec<_>>()
        };
        assert_eq!(
            told("db.people.has(args.person_id) && db.people.has(args.managerId)"),
            ["people person_id", "people managerId"]
        );
        assert_eq!(
            told("!(\"toBench\" in args) || db.benches.has(args[\"toBench\"].to_string())"),
            ["benches toBench"]
        );
        assert_eq!(told(&PreconditionFile::has_each("items", "lines[].item_id")), ["items lines[].item_id"]);
        for none in [
            "!db.items.has(args.item_id)",
            "db.items.has(db.order.item)",
            "mydb.items.has(args.item)",
            "db.",
            "db.€.has(args.",
        ] {
            assert_eq!(told(none), [""; 0], "{none}");
        }
    }
}
