//! A side of a dialogue.

use std::str::FromStr;

/// A side of a dialogue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Agent,
    User,
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "agent" => Ok(Side::Agent),
            "user" => Ok(Side::User),
            other => Err(format!("`{other}` is no side; one of agent, user")),
        }
    }
}
