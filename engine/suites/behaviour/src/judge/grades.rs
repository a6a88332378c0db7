//! The reply of a judge, read strictly: one JSON object with three whole grades in range and a reason for each.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::scale::Scale;
use probity_wire::lenient::whole_characters;

/// Longest reason, in characters.
const MAX_REASON: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    pub reason: String,
    /// From 0 to the best of its scale.
    pub grade: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grades {
    pub faithfulness: Grade,
    pub clarification: Grade,
    pub discipline: Grade,
}

impl Grades {
    pub fn of(&self, scale: Scale) -> &Grade {
        match scale {
            Scale::Faithfulness => &self.faithfulness,
            Scale::Clarification => &self.clarification,
            Scale::Discipline => &self.discipline,
        }
    }

    /// Reads a reply: the object alone, or alone in a fenced block.
    /// An error: why it is no judgement; nothing in it is mended.
    pub fn read(reply: &str) -> Result<Grades, String> {
        let grades: Grades = object(reply)?;
        grades.check()?;
        Ok(grades)
    }

    /// Whether every grade is on its scale and every reason says something, briefly; a file can hold anything.
    /// An error: what is out of bounds.
    pub fn check(&self) -> Result<(), String> {
        for scale in Scale::ALL {
            let (Grade { grade, reason }, name, best) = (self.of(scale), scale.name(), scale.best());
            if *grade > best {
                return Err(format!("`{name}` is {grade}, not from 0 to {best}"));
            }
            reasoned(name, reason)?;
        }
        Ok(())
    }
}

pub(super) fn reasoned(name: &str, reason: &str) -> Result<(), String> {
    if reason.trim().is_empty() {
        return Err(format!("`{name}` has no reason"));
    }
    if reason.chars().count() > MAX_REASON {
        return Err(format!("the reason of `{name}` is longer than {MAX_REASON} characters"));
    }
    Ok(())
}

/// The object that a reply is: alone, or alone in a fenced block.
pub(super) fn object<T: DeserializeOwned>(reply: &str) -> Result<T, String> {
    let text = unfenced(reply.trim());
    if !text.starts_with('{') {
        return Err("it is not one JSON object alone".to_owned());
    }
    serde_json::from_str(&whole_characters(text).0).map_err(|error| format!("it cannot be read: {error}"))
}

/// The inside of a block that is the whole reply; else the reply.
fn unfenced(reply: &str) -> &str {
    let inside = reply.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.map_or(reply, |inside| inside.strip_prefix("json").unwrap_or(inside).trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = r#"{"faithfulness": {"reason": "All found.", "grade": 4}, "clarification": {"grade": 0, "reason": "Never asked."}, "discipline": {"reason": "One blind write.", "grade": 2}}"#;

    fn why(reply: &str) -> String {
        Grades::read(reply).unwrap_err()
    }

    #[test]
    fn the_object_alone_is_read() {
        let read = Grades::read(GOOD).unwrap();
        assert_eq!(Scale::ALL.map(|scale| read.of(scale).grade), [4, 0, 2]);
        for fenced in [
            format!("```json\n{GOOD}\n```"),
            format!("```\n{GOOD}\n```"),
            format!(" \n```json {GOOD}```\n"),
            format!("\n{GOOD}\n"),
        ] {
            assert_eq!(Grades::read(&fenced).as_ref(), Ok(&read), "{fenced}");
        }
    }

    #[test]
    fn nothing_is_mended() {
        let with = |from: &str, to: &str| {
            assert!(GOOD.contains(from), "{from}");
            why(&GOOD.replacen(from, to, 1))
        };
        assert_eq!(with("\"grade\": 4", "\"grade\": 5"), "`faithfulness` is 5, not from 0 to 4");
        assert_eq!(with("\"grade\": 2", "\"grade\": 4"), "`discipline` is 4, not from 0 to 3");
        assert!(with("\"grade\": 4", "\"grade\": -1").contains("invalid value: integer `-1`"));
        assert!(with("\"grade\": 4", "\"grade\": 4.0").contains("floating point"));
        assert!(with("\"grade\": 4", "\"grade\": \"4\"").contains("invalid type: string"));
        assert!(with("\"grade\": 4", "\"grade\": null").contains("invalid type: null"));
        assert!(with("\"grade\": 4", "\"grade\": 260").contains("invalid value"));
        assert!(with("\"grade\": 4", "\"mark\": 4").contains("unknown field `mark`"));
        assert!(with("\"grade\": 4", "\"grade\": 4, \"grade\": 3").contains("duplicate field"));
        assert!(
            with(", \"discipline\": {\"reason\": \"One blind write.\", \"grade\": 2}", "").contains("missing field")
        );
        assert!(with("}}", "}, \"overall\": 3}").contains("unknown field `overall`"));
        assert!(with("}}", "}").contains("EOF"));
        assert_eq!(with("Never asked.", " "), "`clarification` has no reason");
        let long = "x".repeat(MAX_REASON + 1);
        assert!(with("Never asked.", &long).contains("longer than 1000"));
    }

    #[test]
    fn words_around_it_are_no_judgement() {
        for reply in ["", "I would say 4, 3 and 3.", "[4, 3, 3]", "4", "```json\n```"] {
            assert_eq!(why(reply), "it is not one JSON object alone", "{reply}");
        }
        assert_eq!(why(&format!("Here it is:\n```json\n{GOOD}\n```")), "it is not one JSON object alone");
        assert!(why(&format!("{GOOD}\nI hope this helps.")).contains("trailing characters"));
        assert!(why(&format!("{GOOD}{GOOD}")).contains("trailing characters"));
    }

    proptest! {
        #[test]
        fn no_reply_makes_the_reader_panic(reply in "[{}\\[\\]\":,`a-z0-9. \n\té😀-]{0,80}") {
            let _ = Grades::read(&reply);
        }

        #[test]
        fn only_grades_in_range_are_read(f in -3_i64..300, c in -3_i64..300, d in -3_i64..300) {
            let grade = |grade: i64| serde_json::json!({"reason": "r", "grade": grade});
            let reply = serde_json::json!({"faithfulness": grade(f), "clarification": grade(c), "discipline": grade(d)});
            let is_in_range = (0..=4).contains(&f) && (0..=3).contains(&c) && (0..=3).contains(&d);
            let read = Grades::read(&reply.to_string());
            prop_assert_eq!(read.is_ok(), is_in_range);
            if let Ok(read) = read {
                prop_assert_eq!([f, c, d], Scale::ALL.map(|scale| i64::from(read.of(scale).grade)));
            }
        }
    }
}
