//! What a client asks for, line by line.

use std::collections::BTreeMap;

use probity_bench::AgentMessage;
use probity_bench::agent::shape::{Field, Misfit, Need, Shape};
use serde::Deserialize;
use serde_json::Value;

use super::Refusal;

/// A request: one key of this name in its line, beside `id`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// What there is to play.
    Instances {
        /// Of this task alone.
        task: Option<String>,
    },
    /// Begins an episode.
    Open(Opening),
    /// The agent says something.
    Step {
        /// Which.
        episode: String,
        /// What it says.
        message: AgentMessage,
    },
    /// Goes on in more than one way.
    Fork {
        /// Which.
        episode: String,
        /// In so many more.
        #[serde(default = "one")]
        count: u64,
    },
    /// Takes messages back.
    Undo {
        /// Which.
        episode: String,
        /// So many.
        #[serde(default = "one")]
        count: u64,
    },
    /// The agent gives up.
    End {
        /// Which.
        episode: String,
    },
    /// What an episode that is over is worth.
    Score {
        /// Which.
        episode: String,
        /// Whether to give all that happened as well.
        #[serde(default)]
        record: bool,
    },
    /// Forgets an episode.
    Close {
        /// Which.
        episode: String,
    },
}

/// What an episode begins with; what is left out is as the door was opened with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The task's id, or the last part of it.
    pub task: String,
    /// Levels of the suite's settings; of those left out, the first that there is.
    #[serde(default)]
    pub levels: BTreeMap<String, String>,
    /// Which repetition, from 0.
    #[serde(default)]
    pub trial: u32,
    /// The root seed of everything random.
    pub seed: Option<u64>,
    /// Who speaks for the user.
    pub user: Option<String>,
    /// Most messages of the agent.
    pub max_messages: Option<u32>,
    /// Choices of the suite between ways to play.
    pub options: Option<BTreeMap<String, String>>,
}

fn one() -> u64 {
    1
}

/// Whether a request may be called so: it comes back as it was.
pub(crate) fn is_id(id: &Value) -> bool {
    match id {
        Value::Null => true,
        Value::Number(number) => !number.is_f64(),
        Value::String(text) => text.len() <= 256,
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

const EPISODE: Field = Field("episode", Shape::Text, Need::Must);
const OPENING: Shape = Shape::Object(&[
    Field("task", Shape::Text, Need::Must),
    Field("levels", Shape::Texts, Need::May),
    Field("trial", Shape::Whole(u32::MAX as u64), Need::May),
    Field("seed", Shape::Whole(u64::MAX), Need::MayBeNull),
    Field("user", Shape::Text, Need::MayBeNull),
    Field("max_messages", Shape::Whole(u32::MAX as u64), Need::MayBeNull),
    Field("options", Shape::Texts, Need::MayBeNull),
]);
/// What [`Request`] reads; who sends something else is told so in these words.
static REQUESTS: [(&str, Shape); 8] = [
    ("instances", Shape::Object(&[Field("task", Shape::Text, Need::MayBeNull)])),
    ("open", OPENING),
    ("step", Shape::Object(&[EPISODE, Field("message", AgentMessage::SHAPE, Need::Must)])),
    ("fork", Shape::Object(&[EPISODE, Field("count", Shape::Whole(u64::MAX), Need::May)])),
    ("undo", Shape::Object(&[EPISODE, Field("count", Shape::Whole(u64::MAX), Need::May)])),
    ("end", Shape::Object(&[EPISODE])),
    ("score", Shape::Object(&[EPISODE, Field("record", Shape::Flag, Need::May)])),
    ("close", Shape::Object(&[EPISODE])),
];

/// A line: what it is called, if that can be read, and what it asks for.
pub(crate) fn read(line: &[u8]) -> (Value, Result<Request, Refusal>) {
    let refuse = |what: String| Refusal::new("bad_request", what, "docs/SERVE.md shows each request");
    let mut map = match serde_json::from_slice(line) {
        Ok(Value::Object(map)) => map,
        Ok(_) => return (Value::Null, Err(refuse("a request is one JSON object".to_owned()))),
        Err(error) => {
            return (Value::Null, Err(refuse(format!("a request is one JSON object, and this is no JSON: {error}"))));
        }
    };
    let id = match map.remove("id") {
        Some(id) if is_id(&id) => id,
        Some(_) => {
            return (Value::Null, Err(refuse("`id` is a whole number or a text of at most 256 bytes".to_owned())));
        }
        None => Value::Null,
    };
    let known = || REQUESTS.iter().map(|(name, _)| *name);
    let (Some((name, fields)), 1) = (map.iter().next(), map.len()) else {
        let names = known().collect::<Vec<_>>().join("`, `");
        return (id, Err(refuse(format!("beside `id` a request has one of `{names}`"))));
    };
    let Some((name, shape)) = REQUESTS.iter().find(|(known, _)| known == name) else {
        return (id, Err(Refusal::unknown("bad_request", "request", name, known())));
    };
    if let Some(Misfit { at, what }) = shape.misfit(fields) {
        return (id, Err(refuse(format!("`{name}{at}` {what}"))));
    }
    let request = serde_json::from_value(Value::Object(map));
    (id, request.map_err(|_| refuse(format!("`{name}` is not as the protocol has it"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold};
    use serde_json::Map;

    fn refused(line: &str) -> String {
        let (id, request) = read(line.as_bytes());
        format!("{id}: {}", request.unwrap_err().message)
    }

    #[test]
    fn a_line_is_one_request() {
        let fork = read(br#"{"id": 1, "fork": {"episode": "e1"}}"#);
        assert!(matches!(fork, (id, Ok(Request::Fork { count: 1, .. })) if id == 1));
        let close = read(br#"{"close": {"episode": "e1"}}"#);
        assert!(matches!(close, (Value::Null, Ok(Request::Close { .. }))));
        hold(include_str!("request_cases.txt"), &[("request", refused as Reader)]);
    }

    /// Values of every kind at every place: what is not taken is told in the protocol's terms.
    #[test]
    fn what_is_read_is_what_is_told() {
        let episode = || ("episode", Value::from("e1"));
        let wholes: [(&str, &[(&str, Value)]); 8] = [
            ("instances", &[("task", "t".into())]),
            ("open", &[("task", "t".into())]),
            ("step", &[episode(), ("message", serde_json::json!({"text": "x"}))]),
            ("fork", &[episode()]),
            ("undo", &[episode()]),
            ("end", &[episode()]),
            ("score", &[episode()]),
            ("close", &[episode()]),
        ];
        let values = serde_json::json!([null, true, 0, 3.5, -1, u64::MAX, "e1", [], ["a"], {}, {"a": "b"}, {"a": 1}]);
        let mut told = 0;
        for ((name, shape), (of, fields)) in REQUESTS.iter().zip(wholes) {
            assert_eq!(*name, of);
            let Shape::Object(known) = shape else { panic!("{name}") };
            for (field, value) in
                known.iter().flat_map(|field| values.as_array().unwrap().iter().map(move |v| (field, v)))
            {
                let mut map: Map<String, Value> =
                    fields.iter().map(|(name, v)| ((*name).to_owned(), v.clone())).collect();
                map.insert(field.0.to_owned(), value.clone());
                let wrong = shape.misfit(&Value::Object(map.clone()));
                let wrong = wrong.map(|Misfit { at, what }| format!("`{name}{at}` {what}"));
                let (_, request) = super::read(serde_json::json!({*name: map}).to_string().as_bytes());
                assert_eq!(wrong, request.err().map(|refusal| refusal.message), "{name} {} {value}", field.0);
                told += usize::from(wrong.is_some());
            }
        }
        assert!(told > 100, "{told}");
    }
}
