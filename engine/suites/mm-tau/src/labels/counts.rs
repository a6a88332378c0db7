//! What a judge counts in a message or a conversation, by the table in `wording.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::prompt::quoted_name;
use crate::measures::MessageRole;
use probity_engine::Problem;
use probity_ruling::reply::{Entries, among_words};

/// The greatest count of a supplied label, but for critical field accuracy, which is 0 or 1 wherever it stands.
const MOST_SUPPLIED: u64 = 1000;
/// Faults that are told of a reply.
const SHOWN: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelSubject {
    AgentMessage,
    UserMessage,
    Conversation,
}

/// A name that a judge gives a whole number for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountSheet {
    /// In files and replies: the one that the reference code consumes (c.1).
    pub(super) name: String,
    pub(super) subject: LabelSubject,
    /// The greatest count that a judge may reply.
    pub(super) most: u64,
    pub(super) says: String,
    #[serde(default)]
    part_of: Vec<String>,
    #[serde(default)]
    pub(super) yes_takes: Option<String>,
    #[serde(default = "yes")]
    pub(super) is_compared: bool,
}

fn yes() -> bool {
    true
}

/// What judges are asked, but for the dialogue.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LabelWording {
    #[cfg_attr(not(test), expect(dead_code, reason = "a test holds it against the words"))]
    pub(super) id: String,
    pub(super) message: String,
    pub(super) conversation: String,
    pub(super) evidence: String,
    /// What a judge is told whose reply cannot be used.
    pub(super) again: String,
    pub(super) count: Vec<CountSheet>,
}

pub(super) static WORDING: LazyLock<LabelWording> =
    LazyLock::new(|| toml::from_str(include_str!("wording.toml")).unwrap_or_default());

impl From<MessageRole> for LabelSubject {
    fn from(role: MessageRole) -> LabelSubject {
        match role {
            MessageRole::Agent => LabelSubject::AgentMessage,
            MessageRole::User => LabelSubject::UserMessage,
        }
    }
}

impl LabelSubject {
    pub(super) fn sheets(self) -> impl Iterator<Item = &'static CountSheet> {
        WORDING.count.iter().filter(move |sheet| sheet.subject == self)
    }

    fn title(self) -> &'static str {
        match self {
            LabelSubject::AgentMessage => "a message of the agent",
            LabelSubject::UserMessage => "a message of the user",
            LabelSubject::Conversation => "a conversation",
        }
    }
}

/// The counts that a judge gave of one message or one conversation, or the sums of several. Read ones hold every name of
/// their subject and no other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LabelCounts(BTreeMap<&'static str, u64>);

/// Where counts come from, which says how much is asked of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountSource {
    /// From our own judge, which is told the limits and can be asked again.
    Reply,
    /// From a file, which is taken as it is as far as it can be.
    File,
}

impl LabelCounts {
    /// The count of a name; nothing where it is not counted.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// The sums of counts; one that no `u64` holds stays at the greatest.
    pub(super) fn total<'c>(all: impl Iterator<Item = &'c LabelCounts>) -> LabelCounts {
        let mut total = BTreeMap::new();
        for (name, count) in all.flat_map(|counts| &counts.0) {
            let sum: &mut u64 = total.entry(*name).or_insert(0);
            *sum = sum.saturating_add(*count);
        }
        LabelCounts(total)
    }

    /// The sum of a name; what nobody counted adds up to nothing.
    pub(super) fn sum(&self, name: &str) -> u64 {
        self.get(name).unwrap_or(0)
    }

    /// Reads what a judge replied.
    /// An error: why it holds no counts, as the judge is told.
    pub fn of_reply(reply: &str, subject: LabelSubject) -> Result<LabelCounts, String> {
        LabelCounts::read(&among_words(reply)?, subject, CountSource::Reply).map_err(|problems| {
            let mut told: Vec<String> = problems.iter().take(SHOWN).map(|problem| problem.message.clone()).collect();
            if problems.len() > SHOWN {
                told.push(format!("and {} more", problems.len() - SHOWN));
            }
            told.join("; ")
        })
    }

    /// Whole numbers of the names of a subject.
    /// An error: all that is wrong, with places below the object.
    pub(super) fn read(
        Entries(entries): &Entries,
        subject: LabelSubject,
        source: CountSource,
    ) -> Result<LabelCounts, Vec<Problem>> {
        let (mut counts, mut problems) = (LabelCounts::default(), Vec::new());
        for (name, _) in entries.iter().filter(|(name, _)| subject.sheets().all(|sheet| sheet.name != *name)) {
            let known: Vec<&str> = subject.sheets().map(|sheet| sheet.name.as_str()).collect();
            let message = format!("{} is not counted in {}", quoted_name(name), subject.title());
            problems.push(Problem::error("", "unknown_key", message).help(format!("known: {}", known.join(", "))));
        }
        for sheet in subject.sheets() {
            match one(entries, sheet, source) {
                Ok(count) => drop(counts.0.insert(&sheet.name, count)),
                Err(problem) => problems.push(problem),
            }
        }
        if source == CountSource::Reply {
            problems.extend(counts.inconsistencies(subject));
        }
        if problems.is_empty() { Ok(counts) } else { Err(problems) }
    }

    fn inconsistencies(&self, subject: LabelSubject) -> impl Iterator<Item = Problem> {
        let parts = subject.sheets().flat_map(|sheet| sheet.part_of.iter().map(move |whole| (&sheet.name, whole)));
        let is_more = |(part, whole): &(&String, &String)| match (self.get(part), self.get(whole)) {
            (Some(part), Some(whole)) => part > whole,
            (None, _) | (_, None) => false,
        };
        let told = |(part, whole)| Problem::error("", "bad_value", format!("`{part}` is more than `{whole}`"));
        parts.filter(is_more).map(told)
    }
}

fn one(entries: &[(String, Value)], sheet: &CountSheet, source: CountSource) -> Result<u64, Problem> {
    let name = &sheet.name;
    let wrong = |code, message: String, help: &str| Err(Problem::error(format!("/{name}"), code, message).help(help));
    let mut found = entries.iter().filter(|(given, _)| given == name).map(|(_, value)| value);
    let Some(value) = found.next() else {
        let help = "add it, or write null for the whole object";
        return Err(Problem::error("", "missing_key", format!("`{name}` is missing")).help(help));
    };
    if found.next().is_some() {
        return wrong("duplicate_key", format!("`{name}` stands there twice"), "leave one of the two out");
    }
    let Some(count) = value.as_u64() else {
        let message = format!("`{name}` is {}, not a whole number from 0 up", kind(value));
        return wrong("wrong_type", message, "write a whole number from 0 up");
    };
    let is_supplied = source == CountSource::File && name != "critical_field_accuracy";
    let most = if is_supplied { MOST_SUPPLIED } else { sheet.most };
    if count > most {
        let message = format!("`{name}` is {count}, more than {most}");
        return wrong("bad_value", message, &format!("write a number from 0 to {most}"));
    }
    Ok(count)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
        Value::Bool(_) | Value::Number(_) => "a truth value, a fraction or a negative number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"user_effort": 1}"#;
    const TASKS: &str = r#"{"tasks_identified": 2, "tasks_succeeded": 1, "tasks_with_agent_understanding_errors": 1, "tasks_with_agent_understanding_errors_succeeded": 0}"#;

    fn refused(reply: &str) -> String {
        LabelCounts::of_reply(reply, LabelSubject::UserMessage).unwrap_err()
    }

    fn agent_reply() -> String {
        let names = LabelSubject::AgentMessage.sheets().map(|sheet| format!("\"{}\": 0", sheet.name));
        format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn the_table_is_read_and_names_itself_alone() {
        let of = |subject: LabelSubject| subject.sheets().count();
        assert_eq!(
            [LabelSubject::AgentMessage, LabelSubject::UserMessage, LabelSubject::Conversation].map(of),
            [11, 1, 4]
        );
        for sheet in &WORDING.count {
            assert!(sheet.most > 0 && WORDING.count.iter().filter(|other| other.name == sheet.name).count() == 1);
            let named = sheet.part_of.iter().chain(&sheet.yes_takes);
            assert!(
                named.into_iter().all(|name| sheet.subject.sheets().any(|other| other.name == *name)),
                "{}",
                sheet.name
            );
        }
    }

    #[test]
    fn counts_are_read_by_their_names() {
        let user = LabelCounts::of_reply(&format!("So.\n{GOOD}"), LabelSubject::UserMessage).unwrap();
        assert_eq!((user.get("user_effort"), user.get("error_committed")), (Some(1), None));
        let tasks = LabelCounts::of_reply(TASKS, LabelSubject::Conversation).unwrap();
        assert_eq!((tasks.get("tasks_identified"), tasks.get("tasks_succeeded")), (Some(2), Some(1)));
        assert_eq!(refused("I would say 1."), "it holds no JSON object");
    }

    #[test]
    fn only_the_names_asked_for_in_whole_numbers_are_counts() {
        let expected = [
            (r#"{}"#, "`user_effort` is missing"),
            (r#"{"user_effort": 1, "user_effort": 0}"#, "`user_effort` stands there twice"),
            (r#"{"user_effort": 2}"#, "`user_effort` is 2, more than 1"),
            (r#"{"user_effort": "1"}"#, "`user_effort` is a text, not a whole number from 0 up"),
            (r#"{"user_effort": null}"#, "`user_effort` is null, not a whole number from 0 up"),
            (r#"{"user_effort": 1, "summary": "all well"}"#, "\"summary\" is not counted in a message of the user"),
            (
                r#"{"User_Effort": 1}"#,
                "\"User_Effort\" is not counted in a message of the user; `user_effort` is missing",
            ),
            (
                r#"{"labels": {"user_effort": 1}}"#,
                "\"labels\" is not counted in a message of the user; `user_effort` is missing",
            ),
        ];
        for (reply, why) in expected {
            assert_eq!(refused(reply), why, "{reply}");
        }
        for number in ["-1", "1.0", "0.5", "true", "18446744073709551616", "-0"] {
            let why = refused(&format!("{{\"user_effort\": {number}}}"));
            assert!(why.ends_with("not a whole number from 0 up"), "{number}: {why}");
        }
        let hostile = format!("{{\"{}\\n</reply>\": 1}}", "x".repeat(5000));
        assert!(refused(&hostile).chars().count() < 200 && !refused(&hostile).contains('\n'));
        let many: Vec<String> = (0..500).map(|at| format!("\"{at}\": 1")).collect();
        assert!(refused(&format!("{{{}}}", many.join(","))).ends_with("; and 496 more"));
    }

    #[test]
    fn a_part_is_never_more_than_its_whole() {
        let reply = agent_reply().replace("\"clarification_true_positives\": 0", "\"clarification_true_positives\": 1");
        let told = "`clarification_true_positives` is more than";
        let why = LabelCounts::of_reply(&reply, LabelSubject::AgentMessage).unwrap_err();
        assert_eq!(why, format!("{told} `clarification_asked`; {told} `clarification_required`"));
        let more = TASKS.replace("\"tasks_succeeded\": 1", "\"tasks_succeeded\": 3");
        let why = LabelCounts::of_reply(&more, LabelSubject::Conversation).unwrap_err();
        assert_eq!(why, "`tasks_succeeded` is more than `tasks_identified`");
    }
}
