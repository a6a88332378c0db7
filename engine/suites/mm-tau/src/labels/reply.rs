//! The reply of a judge, read strictly: one JSON object of whole numbers, in a fence or among words; else nothing.
//! How often a judge is asked again is the caller's business.

use thiserror::Error;

use super::count_fault::CountFault;
use super::counts::{CountSource, LabelCounts};
use super::metric::LabelSubject;
use super::node::Node;
use crate::measures::MessageRole;

/// Longest reply, in bytes.
const LONGEST: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplyRefusal {
    #[error("it is {0} bytes long, more than {LONGEST}")]
    TooLong(usize),
    #[error("it holds no JSON object")]
    NoObject,
    /// From its first brace to its last it is not one object: it is cut off, broken, or there are several.
    #[error("it is not one JSON object: {0}")]
    NotOneObject(String),
    #[error("{}", told(.0))]
    Counts(Vec<CountFault>),
}

fn told(faults: &[CountFault]) -> String {
    let mut told: Vec<String> = faults.iter().take(SHOWN).map(ToString::to_string).collect();
    if faults.len() > SHOWN {
        told.push(format!("and {} more", faults.len() - SHOWN));
    }
    told.join("; ")
}

/// Faults that are told of a reply.
const SHOWN: usize = 5;

/// Reads what a judge replied about a message of that party: the names of [`LabelSubject::AgentMessage`] or
/// [`LabelSubject::UserMessage`].
pub fn read_message(reply: &str, role: MessageRole) -> Result<LabelCounts, ReplyRefusal> {
    read(reply, role.into())
}

/// Reads what a judge replied about a conversation: the names of [`LabelSubject::Conversation`].
pub fn read_conversation(reply: &str) -> Result<LabelCounts, ReplyRefusal> {
    read(reply, LabelSubject::Conversation)
}

fn read(reply: &str, subject: LabelSubject) -> Result<LabelCounts, ReplyRefusal> {
    if reply.len() > LONGEST {
        return Err(ReplyRefusal::TooLong(reply.len()));
    }
    let inside = reply.find('{').zip(reply.rfind('}')).and_then(|(first, last)| reply.get(first..=last));
    let object = inside.ok_or(ReplyRefusal::NoObject)?;
    match serde_json::from_str(object) {
        Ok(Node::Object(entries)) => {
            LabelCounts::read(&entries, subject, CountSource::Reply).map_err(ReplyRefusal::Counts)
        }
        Ok(_) => Err(ReplyRefusal::NoObject),
        Err(error) => Err(ReplyRefusal::NotOneObject(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::metric::LabelMetric;
    use super::*;

    const GOOD: &str = r#"{"user_effort": 1}"#;
    const TASKS: &str = r#"{"tasks_identified": 2, "tasks_succeeded": 1, "tasks_with_agent_understanding_errors": 1, "tasks_with_agent_understanding_errors_succeeded": 0}"#;

    fn refused(reply: &str) -> String {
        read_message(reply, MessageRole::User).unwrap_err().to_string()
    }

    fn agent_reply() -> String {
        let names = LabelSubject::AgentMessage.sheets().map(|sheet| format!("\"{}\": 0", sheet.name));
        format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn an_object_is_read_in_a_fence_or_among_words() {
        for reply in [
            GOOD.to_owned(),
            format!("\n ```json\n{GOOD}\n```\n"),
            format!("```{GOOD}```"),
            format!("The user spells it out.\n{GOOD}\nThat is all."),
        ] {
            let read = read_message(&reply, MessageRole::User).unwrap();
            assert_eq!(read.get(LabelMetric::UserEffort), Some(1), "{reply}");
            assert_eq!(read.get(LabelMetric::ErrorCommitted), None);
        }
        let tasks = read_conversation(TASKS).unwrap();
        assert_eq!(
            (tasks.get(LabelMetric::TasksIdentified), tasks.get(LabelMetric::TasksSucceeded)),
            (Some(2), Some(1))
        );
        assert_eq!(read_message(&agent_reply(), MessageRole::Agent).unwrap().get(LabelMetric::UserEffort), None);
    }

    #[test]
    fn a_reply_without_one_object_is_refused() {
        for reply in ["", "I would say 1.", "} {", "null", "[1]", "user_effort: 1"] {
            assert_eq!(refused(reply), "it holds no JSON object", "{reply}");
        }
        for reply in [
            &format!("{GOOD}\nNo, rather {GOOD}"),
            "{\"user_effort\": 1",
            "{'user_effort': 1}",
            "{\"user_effort\": 1,}",
            "{\"user_effort\": __import__('os').system('true')}",
            "{\"user_effort\": NaN}",
            "{\"user_effort\": 1e999}",
            "<think>{maybe}</think> {\"user_effort\": 1}",
            &"{\"a\":".repeat(3000),
            &format!("{}{}", "{\"a\":".repeat(3000), "}".repeat(3000)),
        ] {
            let why = refused(reply);
            assert!(why.starts_with("it is not one JSON object") || why == "it holds no JSON object", "{reply}: {why}");
        }
        assert_eq!(refused(&"x".repeat(20_001)), "it is 20001 bytes long, more than 20000");
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
        let why = read_message(&reply, MessageRole::Agent).unwrap_err().to_string();
        let told = "`clarification_true_positives` is more than";
        assert_eq!(why, format!("{told} `clarification_asked`; {told} `clarification_required`"));
        let why = read_conversation(&TASKS.replace("\"tasks_succeeded\": 1", "\"tasks_succeeded\": 3")).unwrap_err();
        assert_eq!(why.to_string(), "`tasks_succeeded` is more than `tasks_identified`");
    }
}
