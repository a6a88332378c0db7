//! Names that are checked once: identifiers of files, and the closed lists of the design.

use std::borrow::Cow;
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

/// Most characters of an identifier.
const MAX_IDENTIFIER: usize = 64;

/// Whether `text` is a lower-case identifier: a letter, then letters, digits and `_`, 64 at most.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    text.len() <= MAX_IDENTIFIER
        && chars.next().is_some_and(|c| c.is_ascii_lowercase())
        && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Most characters of a tool's name, as in the Model Context Protocol.
pub const MAX_TOOL_NAME: usize = 128;

/// Whether `text` can be a tool's name: letters, digits, `_`, `-` and `.`, as in the Model Context Protocol.
pub fn is_tool_name(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=MAX_TOOL_NAME).contains(&text.len()) && text.chars().all(is_of_name)
}

/// The identifier that a name of others gives: `getUser`, `get-user` and `Get.User` are all `get_user`. It is cut after
/// 64 characters, and empty where nothing of the name can stand in one.
pub fn identifier_of(name: &str) -> String {
    identifier(name).into_owned()
}

/// The same; borrowed where the name is an identifier itself.
pub fn identifier(name: &str) -> Cow<'_, str> {
    if is_identifier(name) && !name.contains("__") && !name.ends_with('_') {
        return Cow::Borrowed(name);
    }
    let mut identifier = String::new();
    let mut before = '_';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let begins_word = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || (before.is_ascii_uppercase() && chars.peek().is_some_and(char::is_ascii_lowercase)));
        let is_gap = !c.is_ascii_alphanumeric();
        if (begins_word || is_gap) && !identifier.is_empty() && !identifier.ends_with('_') {
            identifier.push('_');
        }
        if !is_gap {
            if identifier.is_empty() && c.is_ascii_digit() {
                identifier.push_str("x_");
            }
            identifier.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    identifier.truncate(MAX_IDENTIFIER);
    identifier.truncate(identifier.trim_end_matches('_').len());
    Cow::Owned(identifier)
}

/// A name, or the first of those with a number behind it (`name_2`), that is free.
pub fn free_name(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let numbered = (2_u64..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default()
}

/// Whether a field or parameter is called after another: by its name, or as `from_account_id` and `fromAccountId` after
/// `account_id`.
pub fn is_called_after(name: &str, other: &str) -> bool {
    ends_in(&identifier(name), &identifier(other))
}

/// Whether an identifier is another, or ends in the words of it.
pub fn ends_in(identifier: &str, other: &str) -> bool {
    let before = identifier.strip_suffix(other).filter(|_| !other.is_empty());
    before.is_some_and(|before| before.is_empty() || before.ends_with('_'))
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
    fn names_have_a_longest_length() {
        assert!(!is_tool_name("") && !is_tool_name("get order") && !is_tool_name(&"a".repeat(129)));
        assert!(is_identifier(&identifier_of(&format!("a{}", "-b".repeat(60)))));
    }
}
