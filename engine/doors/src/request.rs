//! What a client asks for, line by line.

use std::collections::BTreeMap;

use probity_bench::AgentMessage;
use serde::Deserialize;
use serde_json::{Map, Value};

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

/// A line: what it is called, if that can be read, and what it asks for.
pub(crate) fn read(line: &[u8]) -> (Value, Result<Request, Refusal>) {
    let refuse = |what: String| Refusal::new("bad_request", what, "docs/SERVE.md shows each request");
    let mut map: Map<String, Value> = match serde_json::from_slice(line) {
        Ok(map) => map,
        Err(error) => return (Value::Null, Err(refuse(format!("not one JSON object: {error}")))),
    };
    let id = match map.remove("id") {
        Some(id @ (Value::Number(_) | Value::Null)) => id,
        Some(Value::String(id)) if id.len() <= 256 => Value::String(id),
        Some(_) => return (Value::Null, Err(refuse("`id` is a number or a text of at most 256 bytes".to_owned()))),
        None => Value::Null,
    };
    if map.len() != 1 {
        let names = ["instances", "open", "step", "fork", "undo", "end", "score", "close"].join("`, `");
        return (id, Err(refuse(format!("beside `id` a request has one of `{names}`"))));
    }
    let request = serde_json::from_value(Value::Object(map)).map_err(|error| {
        // The error may repeat a key of any length.
        refuse(error.to_string().chars().take(300).collect())
    });
    (id, request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_request() {
        let read = |line: &str| {
            let (id, request) = read(line.as_bytes());
            (id, request.map_err(|refusal| refusal.message))
        };
        assert!(
            matches!(read(r#"{"id": 1, "fork": {"episode": "e1"}}"#), (id, Ok(Request::Fork { count: 1, .. })) if id == 1)
        );
        assert!(matches!(read(r#"{"close": {"episode": "e1"}}"#), (Value::Null, Ok(Request::Close { .. }))));
        for (line, id, said) in [
            ("hello", Value::Null, "not one JSON object"),
            ("[1]", Value::Null, "not one JSON object"),
            (r#"{"id": 7}"#, 7.into(), "beside `id`"),
            (r#"{"id": 7, "fork": {"episode": "e1"}, "close": {}}"#, 7.into(), "beside `id`"),
            (r#"{"id": "a", "fork": {}}"#, "a".into(), "missing field `episode`"),
            (r#"{"id": "a", "jump": {}}"#, "a".into(), "unknown variant `jump`"),
            (r#"{"id": [], "fork": {}}"#, Value::Null, "`id` is a number"),
            (r#"{"id": 1, "fork": {"episode": "e1", "count": -1}}"#, 1.into(), "invalid value"),
            (r#"{"id": 1, "open": {"task": "t", "level": {}}}"#, 1.into(), "unknown field `level`"),
        ] {
            let (found, request) = read(line);
            let what = request.unwrap_err();
            assert!(found == id && what.contains(said), "{line}: {found} {what}");
        }
    }
}
