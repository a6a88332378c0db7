//! Calls of either side: of the initialization, of the gold trace, and of assertions.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::literal::Literal;
use super::named::named;
use probity_engine::ToolCall;

named! {
    /// Whose function it is: the carrier's records are the agent's, the phone is the user's.
    pub enum Side {
        /// The agent, who works on the carrier's records (`assistant` in the peer's files).
        Agent = "agent",
        /// The user, who holds the phone.
        User = "user",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Call {
    pub side: Side,
    /// The function: a tool, or a helper of the environment's that initialization and assertions alone may call.
    pub function: &'static str,
    #[serde(serialize_with = "as_object")]
    pub arguments: &'static [(&'static str, Literal)],
}

impl Call {
    pub(super) const fn agent(function: &'static str, arguments: &'static [(&'static str, Literal)]) -> Call {
        Call { side: Side::Agent, function, arguments }
    }

    pub(super) const fn user(function: &'static str, arguments: &'static [(&'static str, Literal)]) -> Call {
        Call { side: Side::User, function, arguments }
    }

    pub fn made(&self) -> ToolCall {
        ToolCall::new(self.function, Value::Object(self.object()))
    }

    /// The arguments as a JSON object.
    pub fn object(&self) -> Map<String, Value> {
        self.arguments.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
    }
}

/// A function of the environment that must answer as expected at the end of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Assertion {
    #[serde(flatten)]
    pub call: Call,
    pub expected: bool,
}

impl Assertion {
    /// The assertion that this call answers `true`.
    pub(super) const fn holds(call: Call) -> Assertion {
        Assertion { call, expected: true }
    }
}

fn as_object<S: Serializer>(arguments: &[(&str, Literal)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(arguments.iter().copied())
}
