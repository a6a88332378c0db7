//! The policy of an environment: the rules an agent is told, each with what enforces or scores it.

use std::fmt;

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use super::ids::is_identifier;
use super::pattern::CallPattern;

/// One rule of a policy: its words alone, or with what checks it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PolicyEntry {
    /// The words alone: plays and scores, but `probity check` asks for the rest.
    Text(String),
    /// A rule with a name and what checks it.
    Rule(Rule),
}

/// A rule that says what checks it: its words, or an object with exactly one of `bound_to` and `unscored`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name, unique in the policy.
    pub id: String,
    /// The rule in words. Shown to the agent.
    pub rule: String,
    /// What enforces or scores it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bound_to: Vec<Binding>,
    /// Why nothing does, if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
}

/// One thing that enforces or scores a rule: exactly one of these keys, some with `tasks`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Binding {
    /// A refusal: the code of a precondition, or of `errors`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition: Option<Refusal>,
    /// The `id` of an edge or exclusion: the environment's, or with `tasks` one of these tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// A pattern of `forbidden`: the environment's, or with `tasks` one of their outcomes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forbidden: Option<CallPattern>,
    /// A call that a user of these `tasks` holds back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<CallPattern>,
    /// An answer that a group of `must_say` lists in these `tasks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_say: Option<String>,
    /// A finding of tool discipline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discipline: Option<Offence>,
    /// The tasks that are meant, by the last part of their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<String>,
}

/// A way in which a tool refuses calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The tool.
    pub tool: String,
    /// The code of the refusal.
    pub code: String,
}

/// A finding of tool discipline about calls of a tool, or of any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Offence {
    /// The finding.
    pub finding: OffenceKind,
    /// The tool; `others_data` and `person_unknown` may leave it out and mean every tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// The findings of tool discipline that a rule can be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OffenceKind {
    /// A call before the user's yes.
    NoConsent,
    /// A yes given before its price or consequence was told.
    UninformedConsent,
    /// The records of somebody else opened.
    OthersData,
    /// Records opened before it was known who is speaking.
    PersonUnknown,
    /// A text replaced without carrying over what was in it.
    Overwritten,
    /// A change that nobody asked for.
    UnrequestedWrite,
}

impl OffenceKind {
    /// The code of the finding.
    pub fn code(self) -> &'static str {
        match self {
            OffenceKind::NoConsent => "no_consent",
            OffenceKind::UninformedConsent => "uninformed_consent",
            OffenceKind::OthersData => "others_data",
            OffenceKind::PersonUnknown => "person_unknown",
            OffenceKind::Overwritten => "overwritten",
            OffenceKind::UnrequestedWrite => "unrequested_write",
        }
    }
}

/// What a binding names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check<'a> {
    /// A refusal of a tool.
    Precondition(&'a Refusal),
    /// An edge or exclusion.
    Constraint(&'a str),
    /// A forbidden call.
    Forbidden(&'a CallPattern),
    /// A call held back.
    Hold(&'a CallPattern),
    /// An answer that must be given.
    MustSay(&'a str),
    /// A finding of tool discipline.
    Discipline(&'a Offence),
}

impl PolicyEntry {
    /// The rule in words, as the agent is told.
    pub fn text(&self) -> &str {
        match self {
            PolicyEntry::Text(text) => text,
            PolicyEntry::Rule(rule) => &rule.rule,
        }
    }

    /// The rule with what checks it, when it says so.
    pub fn rule(&self) -> Option<&Rule> {
        match self {
            PolicyEntry::Text(_) => None,
            PolicyEntry::Rule(rule) => Some(rule),
        }
    }
}

impl Binding {
    /// What it names; nothing when that is not exactly one thing.
    pub fn check(&self) -> Option<Check<'_>> {
        let named = [
            self.precondition.as_ref().map(Check::Precondition),
            self.constraint.as_deref().map(Check::Constraint),
            self.forbidden.as_ref().map(Check::Forbidden),
            self.hold.as_ref().map(Check::Hold),
            self.must_say.as_deref().map(Check::MustSay),
            self.discipline.as_ref().map(Check::Discipline),
        ];
        let mut named = named.into_iter().flatten();
        named.next().filter(|_| named.next().is_none())
    }
}

/// What a condition asks of, which is no task where it ends a bare pattern: `pay where "n" in args`.
const ASKED_OF: [&str; 2] = ["args", "db"];

/// A pattern, in brackets where its end, or the tasks behind it, could be read as the other.
fn told(pattern: &CallPattern, tasks: &[String]) -> String {
    let text = pattern.to_string();
    let is_plain = split_pattern(&text).1.is_empty() && !tasks.iter().any(|task| ASKED_OF.contains(&task.as_str()));
    if is_plain { text } else { format!("({text})") }
}

/// A binding as it is printed without its tasks, and those.
pub fn split_tasks(text: &str) -> (&str, Vec<&str>) {
    let split =
        text.rsplit_once(" in ").map(|(rest, tasks)| (rest, tasks.split(',').map(str::trim).collect::<Vec<_>>()));
    match split {
        Some((rest, tasks)) if tasks.iter().all(|task| is_identifier(task)) => (rest, tasks),
        Some(_) | None => (text, Vec::new()),
    }
}

/// A pattern as it is printed and its tasks. `in args` and `in db` behind a bare one are the pattern's own; behind one
/// in brackets they are tasks of that name.
pub fn split_pattern(text: &str) -> (&str, Vec<&str>) {
    let (rest, tasks) = split_tasks(text);
    match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(pattern) => (pattern, tasks),
        None if tasks.iter().any(|task| ASKED_OF.contains(task)) => (text, Vec::new()),
        None => (rest, tasks),
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.check() {
            None => write!(f, "nothing")?,
            Some(Check::Precondition(refusal)) => write!(f, "{} refuses {}", refusal.tool, refusal.code)?,
            Some(Check::Constraint(id)) => write!(f, "constraint {id}")?,
            Some(Check::Forbidden(pattern)) => write!(f, "forbids {}", told(pattern, &self.tasks))?,
            Some(Check::Hold(pattern)) => write!(f, "holds back {}", told(pattern, &self.tasks))?,
            Some(Check::MustSay(phrase)) => write!(f, "says \"{phrase}\"")?,
            Some(Check::Discipline(offence)) => match &offence.tool {
                Some(tool) => write!(f, "{} by {tool}", offence.finding.code())?,
                None => write!(f, "{}", offence.finding.code())?,
            },
        }
        match self.tasks.as_slice() {
            [] => Ok(()),
            tasks => write!(f, " in {}", tasks.join(", ")),
        }
    }
}

impl<'de> Deserialize<'de> for PolicyEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

/// Reads an entry without trying one form after the other, so that a fault keeps its place.
struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = PolicyEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rule in words, or an object with `id` and `rule`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<PolicyEntry, E> {
        Ok(PolicyEntry::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PolicyEntry, A::Error> {
        Rule::deserialize(MapAccessDeserializer::new(map)).map(PolicyEntry::Rule)
    }
}

impl JsonSchema for PolicyEntry {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PolicyEntry".into()
    }

    /// A rule's schema that lets words pass too: what it says of keys says nothing of a string.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Rule::json_schema(generator);
        schema.insert("type".to_owned(), json!(["string", "object"]));
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn entry(value: Value) -> PolicyEntry {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn both_forms_are_read_and_written_as_they_were() {
        let words = json!("Ask first.");
        let rule = json!({"id": "ask", "rule": "Ask first.", "bound_to": [{"constraint": "a"}]});
        for value in [words, rule, json!({"id": "ask", "rule": "Ask first.", "unscored": "manners"})] {
            let read = entry(value.clone());
            assert_eq!(read.text(), "Ask first.");
            assert_eq!(serde_json::to_value(&read).unwrap(), value);
        }
        assert!(serde_json::from_value::<PolicyEntry>(json!(3)).is_err());
        assert!(serde_json::from_value::<PolicyEntry>(json!({"id": "ask"})).is_err());
    }

    #[test]
    fn a_binding_names_one_thing() {
        let binding = |value: Value| serde_json::from_value::<Binding>(value).unwrap();
        assert_eq!(binding(json!({})).check(), None);
        assert_eq!(binding(json!({"constraint": "a", "must_say": "b"})).check(), None);
        for (value, text) in [
            (json!({"precondition": {"tool": "pay", "code": "poor"}}), "pay refuses poor"),
            (json!({"forbidden": "pay where args.n > 1"}), "forbids pay where args.n > 1"),
            (json!({"must_say": "5.00", "tasks": ["a", "b"]}), "says \"5.00\" in a, b"),
            (json!({"discipline": {"finding": "no_consent", "tool": "pay"}}), "no_consent by pay"),
            (json!({"discipline": {"finding": "others_data"}}), "others_data"),
        ] {
            assert_eq!(binding(value).to_string(), text);
        }
    }
}
