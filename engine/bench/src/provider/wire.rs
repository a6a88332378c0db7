//! What a wire form is, and what its two ends hand over.

use serde_json::Value;

/// What a wire form is.
pub struct Wire {
    /// What stands before a model: `openai` of `openai:MODEL`.
    pub name: &'static str,
    /// What people call it.
    pub about: &'static str,
    /// Where it is spoken when no URL is given.
    pub base_url: &'static str,
    /// Where requests go below the base URL, `{model}` where the model stands in the path and not in the body.
    pub(super) path: &'static str,
    /// Where they go that are answered by a stream, if that is another path.
    pub(super) stream_path: Option<&'static str>,
    /// The environment variable that holds the key when none is named.
    pub key_env: &'static str,
    /// The header that carries the key.
    pub(super) key_header: &'static str,
    /// The headers of every request.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// Where a request holds the temperature, and the most tokens of a message.
    pub(super) keys: [&'static str; 2],
    /// A request of chat completions in this form.
    pub(super) ask: fn(&Value) -> Value,
    /// An answer in this form as one of chat completions; an error: what is missing for it to be one.
    pub(super) answered: fn(&Value) -> Result<Answered, String>,
    /// What the model said in an answer, as it stands there: its message, or its items.
    pub(super) said: fn(&Value) -> Option<Vec<Value>>,
    /// The answer that the events of a stream come to, and whether its mark of the end was among them; nothing when it
    /// broke off.
    pub(super) gathered: fn(&[Value], bool) -> Option<Value>,
    /// Whether an event is the last of its stream.
    pub(super) is_end: fn(&Value) -> bool,
    /// Where a request may hold the list of what was said, the system's words beside it, and the tools, as pointers.
    pub places: [&'static [&'static str]; 3],
    // What the mock needs.
    /// A request in this form as one of chat completions.
    pub asked: fn(&Value) -> Value,
    /// An answer of chat completions in this form.
    pub answer: fn(&Value) -> Value,
    /// The events of a stream that come to an answer; one that is a text is no JSON.
    pub events: fn(&Value) -> Vec<Value>,
    /// How troubles look: their name, then status, code and words; the last row is of all others, and what is empty
    /// stays as it was.
    pub(super) troubles: &'static [(&'static str, u16, &'static str, &'static str)],
    /// The body that tells of one.
    pub(super) error: fn(&Trouble) -> Value,
    /// The one request that tests hold all forms against, as it stands in this one; `chat` has what it says.
    #[cfg(test)]
    pub(super) request: &'static str,
}

/// A trouble as a provider tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The HTTP status.
    pub status: u16,
    /// The code.
    pub code: String,
    /// The words.
    pub message: String,
}

/// An answer as chat completions have it.
pub(super) struct Answered {
    pub chat: Value,
    /// The message as it came, where the provider wants it back so.
    pub said: Option<Value>,
}
