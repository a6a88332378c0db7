//! Names that are checked once: identifiers of files, and the closed lists of the design.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How hard a task is, and how large the state it is played in.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// 2 or 3 calls, about 10 entities.
    Easy,
    /// 4 to 6 calls, about 40 entities.
    Medium,
    /// 6 to 10 calls, about 150 entities.
    Hard,
}

impl Difficulty {
    /// All three, easiest first.
    pub const ALL: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];

    /// The spelling used in JSON, flags and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Difficulty {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Difficulty::ALL
            .into_iter()
            .find(|d| d.name() == text)
            .ok_or_else(|| format!("unknown difficulty `{text}`; one of easy, medium, hard"))
    }
}

/// Whether `text` is a lower-case identifier: a letter, then letters, digits and `_`, 64 at most.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    text.len() <= 64
        && chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Splits `domain/name` (an environment) into its two identifiers.
pub fn split_environment_id(id: &str) -> Option<(&str, &str)> {
    let (domain, name) = id.split_once('/')?;
    (is_identifier(domain) && is_identifier(name)).then_some((domain, name))
}

/// Splits `domain/environment/task` into the environment's id and the task's name.
pub fn split_task_id(id: &str) -> Option<(&str, &str)> {
    let (environment, name) = id.rsplit_once('/')?;
    split_environment_id(environment)?;
    is_identifier(name).then_some((environment, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_two_or_three_parts() {
        assert_eq!(split_environment_id("travel/front_desk"), Some(("travel", "front_desk")));
        assert_eq!(split_environment_id("front_desk"), None);
        assert_eq!(split_environment_id("../front_desk"), None);
        assert_eq!(split_task_id("travel/front_desk/move"), Some(("travel/front_desk", "move")));
        assert_eq!(split_task_id("travel/move"), None);
    }
}
