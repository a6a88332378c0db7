//! The events that the measures of a trace are counted from.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use probity_engine::canonical;

/// One event of a conversation, in the order in which they happened.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum TraceEvent {
    User(UserSpoke),
    /// The agent said something: one message, whatever its length.
    Agent {
        #[serde(default)]
        acts: Vec<AgentAct>,
        #[serde(default)]
        acts_source: Option<ActSource>,
        /// The text; no measure reads it.
        #[serde(default)]
        text: String,
    },
    /// The engine executed a tool call; not a message.
    Tool(SlotCall),
    /// The user answered a request for confirmation.
    Reply {
        /// The call that was to be confirmed: tool and canonical arguments.
        #[serde(alias = "to")]
        key: String,
        value: Consent,
    },
    /// The state gave the agent cause to ask.
    Need(NeedOpened),
    NeedClosed {
        id: String,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserSpoke {
    pub said: String,
    /// The words after it; where absent, the same.
    pub heard: Option<String>,
    /// The fields that it mentions, as the scripted user meant them.
    #[serde(default)]
    pub mentions: Vec<FieldMention>,
    #[serde(default)]
    pub corrects: Vec<String>,
    #[serde(default)]
    pub spelled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldMention {
    pub field: String,
    pub value: String,
}

/// What an agent's message does; it may do several things.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum AgentAct {
    Clarify {
        /// About which field; about none in particular, it meets no need.
        field: Option<String>,
    },
    Confirm {
        /// Of which call: tool and canonical arguments.
        key: Option<String>,
    },
    Inform,
    TransferNotice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActSource {
    /// The agent declares them.
    Structured,
    /// The scripted user had to tell them apart to find its answer.
    User,
    Judge,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotCall {
    pub name: String,
    /// The arguments as texts: a string as it is, anything else as JSON writes it.
    #[serde(deserialize_with = "texts")]
    pub args: BTreeMap<String, String>,
    pub ok: bool,
    /// Whether its effect cannot be taken back.
    #[serde(default)]
    pub irreversible: bool,
    /// Which arguments hold which field.
    #[serde(default)]
    pub slots: BTreeMap<String, String>,
    /// Tool and canonical arguments, by which a confirmation is matched; without one, nothing confirms the call.
    #[serde(default)]
    pub key: Option<String>,
}

impl SlotCall {
    /// The key by which a call and its confirmation are matched: the tool and its arguments as canonical JSON.
    pub fn key_of(tool: &str, arguments: &Value) -> String {
        let mut key = format!("{tool} ");
        canonical::write(arguments, &mut key);
        key
    }
}

/// A user's answer to a request for confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// Go ahead.
    Yes,
    No,
}

/// A cause to ask, found by the engine in the state.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct NeedOpened {
    /// By which it is closed.
    pub id: String,
    #[serde(flatten)]
    pub subject: NeedSubject,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NeedSubject {
    Clarify {
        field: String,
    },
    Confirm {
        /// The call: tool and canonical arguments.
        key: String,
    },
}

fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, Value>::deserialize(deserializer)?;
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(values.into_iter().map(|(name, value)| (name, text(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_need_has_what_its_kind_asks_for_and_nothing_else() {
        let read = |rest: &str| serde_json::from_str::<TraceEvent>(&format!(r#"{{"t": "need", "id": "n"{rest}}}"#));
        assert!(
            read(r#", "kind": "clarify", "field": "zip""#).is_ok()
                && read(r#", "kind": "confirm", "key": "k""#).is_ok()
        );
        for wrong in
            ["", r#", "kind": "clarify""#, r#", "kind": "clarify", "field": "zip", "key": "k""#, r#", "kind": "ask""#]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
