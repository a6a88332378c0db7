//! The forms by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
