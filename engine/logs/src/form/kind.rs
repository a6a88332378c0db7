//! The forms by name, and who reads each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    atif, chat, claude_code, codex, inspect, langfuse, langsmith, otel, probity, recorded, responses, sharegpt, tau2,
};
use crate::gather::{Each, Gather};

/// A form of log.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumIter,
    strum::EnumString,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Form {
    /// Messages of OpenAI's chat completions.
    Chat,
    /// Items of OpenAI's Responses API.
    Responses,
    /// Anthropic's Messages.
    Anthropic,
    /// Spans of OpenTelemetry: GenAI's conventions, OpenInference's, older events.
    Otel,
    /// Runs of LangSmith.
    Langsmith,
    /// Observations of Langfuse.
    Langfuse,
    /// Logs of Inspect, `.json` or `.eval`.
    Inspect,
    /// Results of tau2-bench and of tau-bench.
    Tau2,
    /// Conversations in ShareGPT's form, with calls of LLaMA-Factory, Hermes or ToolACE.
    Sharegpt,
    /// Trajectories of Harbor.
    Atif,
    /// Sessions of Claude Code.
    ClaudeCode,
    /// Rollouts of Codex, and what `codex exec --json` prints.
    Codex,
    /// What `probity record` writes: a request to a model, and its answer, a line.
    Recorded,
    /// Traces and dialogues of probity, and its normal form of logs.
    Probity,
}

impl Form {
    /// Who makes dialogues of its units.
    pub(crate) fn gather(self) -> Box<dyn Gather> {
        match self {
            // Anthropic's parts stand as in chat completions, with the system's words beside the messages; blocks of tool
            // use are told apart by the message.
            Form::Chat | Form::Anthropic => Box::new(Each::new(chat::dialogue)),
            Form::Responses => Box::new(Each::new(responses::dialogue)),
            Form::Otel => Box::new(otel::Otel::default()),
            Form::Langsmith => Box::new(langsmith::Langsmith::default()),
            Form::Langfuse => Box::new(langfuse::Langfuse::default()),
            Form::Inspect => Box::new(Each::new(inspect::dialogue)),
            Form::Tau2 => Box::new(Each::new(tau2::dialogue)),
            Form::Sharegpt => Box::new(Each::new(sharegpt::dialogue)),
            Form::Atif => Box::new(Each::new(atif::dialogue)),
            Form::ClaudeCode => Box::new(claude_code::ClaudeCode::default()),
            Form::Codex => Box::new(codex::Codex::default()),
            Form::Recorded => Box::new(recorded::Recorded::default()),
            Form::Probity => Box::new(probity::Probity::new()),
        }
    }

    /// Whether each of its units is a dialogue.
    pub(crate) fn is_each(self) -> bool {
        match self {
            Form::Chat
            | Form::Responses
            | Form::Anthropic
            | Form::Inspect
            | Form::Tau2
            | Form::Sharegpt
            | Form::Atif
            | Form::Probity => true,
            Form::Otel | Form::Langsmith | Form::Langfuse | Form::ClaudeCode | Form::Codex | Form::Recorded => false,
        }
    }
}
