//! The events of a trace: what was said, called, observed and found, in order.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::verdict::Finding;
pub use probity_engine::Fired;
use probity_engine::{Actor, Applied, Delta, Played, Rejection, State, ToolCall};

/// Replies beside the script that a user gives in one episode at most.
pub const MAX_EXTRA_REPLIES: usize = 5;

/// How a model came to the words of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rephrased {
    /// What the words had to mean: what the contract user would have said.
    pub meant: String,
    /// Why earlier attempts were refused, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Whether all attempts were refused, so that the contract user's own words stand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fell_back: bool,
}

/// One event of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The user speaks; turns count from 1.
    User {
        /// Which turn of the user's script.
        turn: u32,
        /// What the agent hears.
        text: String,
        /// What was said, where a channel between them made something else of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
        /// Whether it answers the agent beside the script; it then belongs to the turn before it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        extra: bool,
        /// Whether the agent began anew before it heard this, with what counts of the dialogue so far as its history.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        afresh: bool,
        /// How a model came to these words, if one was asked for them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rephrased: Option<Rephrased>,
    },
    /// The agent speaks. With calls in the same message it is an aside, else it ends the agent's turn.
    Reply {
        /// Which message of the agent, from 1.
        message: u32,
        /// What is said.
        text: String,
        /// Whether calls follow in the same message.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        aside: bool,
    },
    /// The agent calls a tool, or the user one of their own.
    Step(Step),
    /// The constraint checker found something about the step before. The agent does not see it.
    Finding(Finding),
    /// What was said beside the dialogue. Of all that the agent sees its context alone.
    Note(Note),
    /// The episode is over.
    End {
        /// Why.
        reason: EndReason,
        /// For people: what went wrong, when something did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
}

impl Event {
    /// A turn of the user's script, heard as it was said.
    pub fn user(turn: u32, text: impl Into<String>) -> Event {
        Event::User { turn, text: text.into(), said: None, extra: false, afresh: false, rephrased: None }
    }

    /// The call it is, if it is one.
    pub fn step(&self) -> Option<&Step> {
        if let Event::Step(step) = self { Some(step) } else { None }
    }

    /// The agent's message that it is, with its number, if it is one.
    pub fn reply(&self) -> Option<(u32, &str)> {
        if let Event::Reply { message, text, .. } = self { Some((*message, text)) } else { None }
    }

    /// The agent's reply that ends its turn, if it is one.
    pub fn last_reply(&self) -> Option<&str> {
        if let Event::Reply { text, aside: false, .. } = self { Some(text) } else { None }
    }

    /// The user's words that it is, with the turn they belong to, if it is some.
    pub fn heard(&self) -> Option<(u32, &str)> {
        if let Event::User { turn, text, .. } = self { Some((*turn, text)) } else { None }
    }

    /// What a model decided in it, if one did.
    pub fn ruling(&self) -> Option<&Ruling> {
        if let Event::Note(Note::Ruling(ruling)) = self { Some(ruling) } else { None }
    }

    /// What it says was found, if it does.
    pub fn finding(&self) -> Option<&Finding> {
        if let Event::Finding(finding) = self { Some(finding) } else { None }
    }
}

/// What was said beside the dialogue: kept, so that an episode is scored and played again without a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case", deny_unknown_fields)]
pub enum Note {
    /// What the agent's provider counted for a message.
    Tokens {
        /// Which message of the agent, from 1.
        message: u32,
        /// Tokens written; nothing where the provider did not say.
        written: Option<u64>,
    },
    /// A model decided something that the user goes by.
    Ruling(Ruling),
    /// What the agent was told beside the dialogue from here on, in place of what it was told so before.
    Context(Context),
}

/// What an agent is told beside the dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// What it is told.
    pub text: String,
    /// What it had answered when it was asked for it; nothing where it answers no such questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// What a model decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// What it was asked, in the benchmark's words: `covers 3`.
    pub asked: String,
    /// Its verdict, in the benchmark's words; nothing where it gave none that could be read.
    pub verdict: Option<String>,
    /// How often it was asked.
    pub tries: u32,
}

/// `covers 3: yes`.
impl std::fmt::Display for Ruling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.asked, self.verdict.as_deref().unwrap_or("no verdict"))
    }
}

/// One call on the state machine, accepted or rejected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Number of the step, from 1.
    pub step: u32,
    /// The message of its caller it stood in; the calls of one message are one batch.
    pub message: u32,
    /// Who called.
    pub actor: Actor,
    /// The tool, as its caller wrote it.
    pub tool: String,
    /// The arguments, as their caller wrote them.
    pub arguments: Value,
    /// What came of it.
    pub outcome: StepOutcome,
    /// The order-free hash of the state after it, 64 hexadecimal digits.
    pub state_hash: String,
    /// Environment events that fired before the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fired: Vec<Fired>,
    /// What the script printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prints: Vec<String>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case", deny_unknown_fields)]
pub enum StepOutcome {
    /// It was carried out.
    Ok {
        /// What the agent got back.
        observation: Value,
        /// What changed.
        #[serde(default, skip_serializing_if = "Delta::is_empty")]
        delta: Delta,
    },
    /// It was refused; nothing changed.
    Rejected {
        /// Why.
        rejection: Rejection,
    },
}

impl Step {
    /// A call as traces have it: what came of it, who made it in which message, and the state after it.
    pub fn of(played: Played, call: ToolCall, (actor, message): (Actor, u32), after: &State) -> Step {
        let Played { step, result, fired, prints } = played;
        let outcome = match result {
            Ok(Applied { observation, delta }) => StepOutcome::Ok { observation, delta },
            Err(rejection) => StepOutcome::Rejected { rejection },
        };
        let ToolCall { tool, arguments } = call;
        Step { step, message, actor, tool, arguments, outcome, state_hash: after.sum().to_string(), fired, prints }
    }

    /// The call as made.
    pub fn call(&self) -> ToolCall {
        ToolCall::new(self.tool.clone(), self.arguments.clone())
    }

    /// The observation of a call that was carried out.
    pub fn observation(&self) -> Option<&Value> {
        if let StepOutcome::Ok { observation, .. } = &self.outcome { Some(observation) } else { None }
    }

    /// Why the call was refused, if it was.
    pub fn rejection(&self) -> Option<&Rejection> {
        if let StepOutcome::Rejected { rejection } = &self.outcome { Some(rejection) } else { None }
    }

    /// Whether the call was carried out.
    pub fn is_ok(&self) -> bool {
        self.rejection().is_none()
    }

    /// What the agent saw.
    pub fn shown(&self) -> Value {
        match &self.outcome {
            StepOutcome::Ok { observation, .. } => observation.clone(),
            StepOutcome::Rejected { rejection } => rejection.observation(),
        }
    }
}

impl EndReason {
    /// Whether a provider could not be reached, so that the episode says nothing.
    pub fn is_unreached(self) -> bool {
        matches!(self, EndReason::ProviderUnreachable | EndReason::UserUnreachable)
    }
}

/// Why an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The user had nothing left to say.
    Completed,
    /// The agent used up its messages.
    MaxMessages,
    /// The agent exited, timed out or broke the protocol: it failed.
    AgentFailed,
    /// The dialogue became longer than the agent's model can read: it failed.
    ContextOverflow,
    /// The agent's provider could not be reached: not scored.
    ProviderUnreachable,
    /// The provider of the user's model could not be reached: not scored.
    UserUnreachable,
}
