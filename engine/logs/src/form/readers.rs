//! Who reads each form.

use super::Form;
use super::{
    atif, chat, claude_code, codex, inspect, langfuse, langsmith, otel, probity, recorded, responses, sharegpt, tau2,
};
use crate::gather::{Each, Gather};

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
