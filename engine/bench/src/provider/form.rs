//! Wire forms: the ways in which providers are asked and answer.
//!
//! Inside there is one dialogue, as chat completions have it. A form writes in its own way what is asked, and reads what
//! is answered back; the mock does the same from the other end. To add one takes a file in `form` and its lines
//! here.

mod anthropic;
mod bedrock;
mod chat;
mod gemini;
mod message;
mod responses;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use serde_json::Value;

use super::wire::{Trouble, Wire};
use probity_engine::as_text;

/// All that there are; the first is meant where none is named.
static WIRES: [&Wire; 5] = [&chat::WIRE, &anthropic::WIRE, &responses::WIRE, &gemini::WIRE, &bedrock::WIRE];

/// A wire form.
#[derive(Clone, Copy)]
pub struct Form(&'static Wire);

impl Form {
    /// All forms.
    pub fn all() -> impl Iterator<Item = Form> {
        WIRES.iter().map(|wire| Form(wire))
    }

    /// Where requests for a model go below the base URL.
    pub(super) fn path_of(self, model: &str) -> String {
        self.path.replace("{model}", &segment(model))
    }

    /// Whether it is the one that is meant where none is named.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(super) fn is_first(&self) -> bool {
        *self == Form::default()
    }

    /// Whether the model stands in the path alone.
    pub(super) fn is_model_in_path(self) -> bool {
        self.path.contains("{model}")
    }

    /// Words on a setting, in which `{temperature}` is the patch of a request that leaves it out, and `{max_tokens}` the
    /// key of that limit.
    pub(super) fn hint(self, words: &str) -> String {
        let [temperature, max_tokens] = self.keys;
        let patch = temperature.rsplit('.').fold("null".to_owned(), |inner, key| format!("{{\"{key}\": {inner}}}"));
        words.replace("{temperature}", &patch).replace("{max_tokens}", max_tokens)
    }
}

/// The other end, for a mock and for who stands between.
impl Form {
    /// The form that is spoken at a path, and the model where it stands there.
    pub fn at(path: &str) -> Option<(Form, Option<String>)> {
        let path = path.split('?').next().unwrap_or_default();
        let paths = Form::all().flat_map(|form| [Some(form.path), form.stream_path].map(|path| (form, path)));
        paths.filter_map(|(form, known)| Some((form, known?))).find_map(|(form, known)| {
            match known.split_once("{model}") {
                None => path.ends_with(known).then_some((form, None)),
                Some((before, behind)) => {
                    let (_, model) = path.strip_suffix(behind)?.rsplit_once(before)?;
                    Some((form, Some(unescaped(model))))
                }
            }
        })
    }

    /// A trouble in the way of this form, with its body.
    pub fn trouble(self, status: u16, name: &str, message: &str) -> (u16, Value) {
        let row = self.troubles.iter().find(|(known, ..)| *known == name || known.is_empty());
        let (_, own, code, words) = row.copied().unwrap_or_default();
        let or = |own: &str, given: &str| if own.is_empty() { given.to_owned() } else { own.to_owned() };
        let status = if own == 0 { status } else { own };
        (status, (self.error)(&Trouble { status, code: or(code, name), message: or(words, message) }))
    }
}

/// A text as it may stand in a path.
fn segment(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// A text as it stood before it was put into a path or a query; what is no escape stays.
pub fn unescaped(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let byte = piece
            .split_at_checked(2)
            .and_then(|(hex, rest)| Some((u8::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with('+'))?, rest)));
        match byte {
            Some((byte, rest)) => bytes.extend(std::iter::once(byte).chain(rest.bytes())),
            None => bytes.extend([b"%", piece.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Deref for Form {
    type Target = Wire;

    fn deref(&self) -> &Wire {
        self.0
    }
}

impl Default for Form {
    fn default() -> Self {
        Form(&chat::WIRE)
    }
}

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        self.name == other.name
    }
}

impl Eq for Form {}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

as_text!(Form);

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Form::all().find(|form| form.name == text).ok_or_else(|| format!("there is no wire form `{text}`"))
    }
}

/// A model and how it is spoken to: `openai:MODEL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelName {
    /// How it is spoken to.
    pub form: Form,
    /// The model, as its provider calls it.
    pub model: String,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.form, self.model)
    }
}

impl FromStr for ModelName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = text.split_once(':').and_then(|(form, model)| Some((form.parse().ok()?, model.to_owned())));
        match known.filter(|(_, model)| !model.trim().is_empty()) {
            Some((form, model)) => Ok(ModelName { form, model }),
            None => Err(format!("a model is {}", ModelName::ways())),
        }
    }
}

impl ModelName {
    /// How a model may be named, for people.
    pub fn ways() -> String {
        let ways: Vec<String> = Form::all().map(|form| format!("`{form}:MODEL`")).collect();
        ways.join(" or ")
    }
}
