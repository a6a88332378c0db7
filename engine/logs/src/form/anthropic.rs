//! `anthropic`: Anthropic's Messages, the request alone or with its answer.

use crate::draft::Draft;
use crate::form::chat;
use crate::place::Unit;

/// Reads a dialogue. Where its parts stand is as in chat completions, with the system's words beside the messages;
/// blocks of tool use are told apart by the message.
pub(crate) fn dialogue(draft: &mut Draft, unit: &Unit) {
    chat::dialogue(draft, unit);
}
