//! The reply of a judge, read strictly: one JSON object with three whole grades in range and a reason for each.

use serde::{Deserialize, Serialize};

use probity_bench::named;
use probity_ruling::reply::alone;

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
        let grades: Grades = alone(reply)?;
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

named! {
    /// One scale; its grades are whole numbers from 0.
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Scale {
        /// Faithfulness and stability over the turns: grounded, consistent, nothing invented.
        Faithfulness = "faithfulness",
        /// Asks when a needed fact is missing, and not when it can act.
        Clarification = "clarification",
        /// No blind deeds, no needless or repeated calls, no promises without ground.
        Discipline = "discipline",
    }
}

impl Scale {
    pub fn best(self) -> u8 {
        match self {
            Scale::Faithfulness => 4,
            Scale::Clarification | Scale::Discipline => 3,
        }
    }
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
