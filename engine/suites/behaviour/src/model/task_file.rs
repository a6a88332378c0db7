//! A task as authored: the shape of `tasks/<domain>/<environment>/<task>.json` (docs/FORMATS.md, "Task").

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::assertion::Assertion;
use crate::model::variant::Variant;
use probity_engine::{CallPattern, Constraints, Delta, Difficulty};

/// A task file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskFile {
    /// Version of this format; 1.
    pub format: u32,
    /// `domain/environment/task`, the same as the file's path.
    pub id: String,
    /// The environment's id.
    pub environment: String,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// What is wanted, in one sentence, for people.
    pub goal: String,
    /// The state the episode starts from.
    pub initial_state: InitialStateFile,
    /// What the user knows: named slots.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, Fact>,
    /// Names (`$booking`) for keys of entities of the initial state.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bindings: BTreeMap<String, Binding>,
    /// Constraints on top of the environment's.
    #[serde(default)]
    pub constraints: Constraints,
    /// The outcomes that can be accepted; the first is called `base`.
    pub outcomes: Vec<OutcomeFile>,
    /// The seven user behaviours.
    pub variants: BTreeMap<Variant, VariantFile>,
}

/// The state the episode starts from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitialStateFile {
    /// Which of the environment's sizes.
    pub size: Difficulty,
    /// The seed of `populate`.
    pub seed: u64,
    /// The hash of the resulting state; best left to the lock file, which `probity check --update` writes.
    #[serde(default)]
    pub hash: String,
    /// A JSON merge patch (RFC 7396) on top of what `populate` made.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub patch: Map<String, Value>,
}

/// Something the user knows.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The value as a tool would take it.
    pub value: Value,
    /// Other ways the user says it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Words by which a question asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cues: Vec<String>,
}

impl Fact {
    /// The ways in which the user can say it: its value as text, and its paraphrases.
    pub fn ways(&self) -> impl Iterator<Item = String> + '_ {
        let value = self.value.as_str().map_or_else(|| self.value.to_string(), str::to_owned);
        std::iter::once(value).chain(self.also.iter().cloned())
    }
}

/// Exactly one entity of the initial state, found by its fields.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// The collection.
    pub collection: String,
    /// Field values; a value may be another binding.
    #[serde(rename = "where")]
    pub fields: Map<String, Value>,
}

/// One way the task may end well.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeFile {
    /// Its name; the first is `base`.
    pub name: String,
    /// What is wanted of a user who ends so, where it is not the task's goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The calls of the oracle trace, in order; every one counts.
    pub oracle: Vec<OracleCallFile>,
    /// The action budget: the number of oracle calls.
    pub budget: u32,
    /// What the oracle changes; best left to the lock file, which `probity check --update` writes.
    #[serde(default)]
    pub delta: Delta,
    /// Assertions that are false at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub achieves: Vec<Assertion>,
    /// Assertions that are true at the start and that a careless agent would break.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preserves: Vec<Assertion>,
    /// Calls that must not succeed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<CallPattern>,
    /// Groups of answers: the replies must assert one of each group. Text that reads as a value (`15.00 EUR`) is met
    /// by it in any wording, other text as whole words; `re:` starts a regular expression.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 256), inner(length(max = 64)))]
    pub must_say: Vec<Vec<String>>,
    /// What a good agent replies, turn by turn.
    pub replies: Vec<String>,
}

/// A call of the oracle trace.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OracleCallFile {
    /// The tool.
    pub tool: String,
    /// Its arguments; `$name` is a binding, `$2.field` a field of what oracle call 2 returned.
    pub arguments: Map<String, Value>,
    /// The user turn, from 1, after which it is made.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub segment: u32,
    /// Oracle calls, by number from 1, that must have been made before it, e.g. the change whose result a
    /// read shows. Within one outcome only; what holds for the whole task stands in `constraints`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<u32>,
    /// Other whole calls that do as well; for reads only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equivalents: Vec<CallFile>,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_one(segment: &u32) -> bool {
    *segment == 1
}

/// A tool and its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallFile {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// One user behaviour: what the user says, and what that means for the examination.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    /// What the user says, turn by turn.
    #[schemars(length(max = 64), inner(length(max = 16384)))]
    pub turns: Vec<String>,
    /// Facts left out of the first turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
    /// Options and capabilities the user speaks of that do not exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub planted: Vec<Planted>,
    /// Wishes that cannot both be had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradicts: Vec<Contradiction>,
    /// Reads that this user really asks for on top of the oracle's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_calls: Vec<CallFile>,
    /// Calls the user says yes to, by turn (from 1); a yes stays given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub consents: BTreeMap<u32, Vec<CallPattern>>,
    /// What turns (from 2) take for granted, beside what is certain from their own words: a contract user does not say one
    /// before that is so. Of a turn with an empty list nothing is.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub presumes: BTreeMap<u32, Vec<Presumption>>,
    /// Names of the outcomes that are accepted; the oracle agent plays the first.
    #[serde(default = "base", skip_serializing_if = "is_base")]
    pub accept: Vec<String>,
    /// The segments of the oracle's calls in this variant, when they differ from the outcome's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<u32>,
    /// What a good agent replies in this variant, when it differs from the outcome's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<String>,
}

impl VariantFile {
    /// A behaviour of which nothing but the turns is known.
    pub fn of_turns(turns: Vec<String>) -> Self {
        VariantFile {
            turns,
            withheld: Vec::new(),
            planted: Vec::new(),
            contradicts: Vec::new(),
            extra_calls: Vec::new(),
            consents: BTreeMap::new(),
            presumes: BTreeMap::new(),
            accept: base(),
            segments: Vec::new(),
            replies: Vec::new(),
        }
    }
}

fn base() -> Vec<String> {
    vec!["base".to_owned()]
}

fn is_base(accept: &[String]) -> bool {
    accept == ["base"]
}

/// What a turn takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Presumption {
    /// The agent has told one of these answers, written as in `must_say`.
    Told(Vec<String>),
    /// The agent has asked for this fact, as far as it asks anything.
    Asked(String),
    /// The agent has made a call by this tool, or told it as made.
    Made(String),
}

/// An option or capability that does not exist.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Planted {
    /// The words by which the user calls it, as they stand in a turn.
    pub text: String,
    /// The tool it pretends to belong to.
    pub near: String,
}

/// Two wishes that cannot both be had.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// The one wish.
    pub wish: String,
    /// What stands against it.
    pub against: String,
    /// The turn in which the user settles it; without one it is never settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_in_turn: Option<u32>,
    /// Calls that must wait until then, or never be made when it is never settled.
    pub holds: Vec<CallPattern>,
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::model::assertion::Assertion;
    use probity_engine::strict::{format_schema, parse};
    use probity_engine::{Schema, number};

    #[test]
    fn optional_keys_are_left_out_but_raw_values_may_be_null() {
        let assertion = |text: &str| parse::<Assertion>("a.json", text).map(|(assertion, _)| assertion);
        let equals = Assertion::Equals { path: "/a".to_owned(), equals: Value::Null };
        assert_eq!(assertion(r#"{"path": "/a", "equals": null}"#).unwrap(), equals);
        let refused = assertion(r#"{"path": null}"#).unwrap_err();
        let expected = "a.json:1:10: error[wrong_type]: expected a string, found null\n  help: write a string";
        assert_eq!(refused[0].to_string(), expected);
    }

    #[test]
    fn the_format_is_a_schema_of_its_own() {
        let schema = format_schema::<TaskFile>();
        assert!(Schema::compile(&schema).is_ok());
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["additionalProperties"], false);
        assert!(!schema.to_string().contains("null"), "{schema:#}");
        let seed = &format_schema::<TaskFile>()["$defs"]["InitialStateFile"]["properties"]["seed"];
        assert_eq!((&seed["minimum"], &seed["maximum"]), (&Value::from(0), &Value::from(number::MAX_SAFE_INTEGER)));
    }
}
