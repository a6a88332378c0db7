//! Whether a call was carried out. Many logs mark no error and only say so in words.

use std::sync::LazyLock;

use compact_str::CompactString;
use probity_logs::{Arguments, Call, CallResult};
use probity_prose::deed::own_name;
use probity_prose::lexicon::{is, lexicon};
use probity_prose::token::{name_words, words};
use probity_prose::{Mark, Sentence, Text, Vocabulary, WordClass};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Most words, and most bytes, of a text that says no more than that nothing was done.
const MAX_WORDS: usize = 16;
const MAX_BYTES: usize = 1_000;
/// Most words of a sentence that says what was not found.
const FEW_WORDS: usize = 10;
/// The codes of HTTP that are errors.
const ERRORS: std::ops::Range<u64> = 400..600;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wording {
    /// Stands before a verb that was not done.
    Denials,
    /// Ends a sentence that tells a failure.
    Ends,
    /// What HTTP calls an error.
    Reasons,
}

static CUES: LazyLock<Vocabulary<Wording>> = LazyLock::new(|| Vocabulary::of("refusal"));

/// The text of a refusal, where what came back is one; how it is marked, in words or by the log. What looks something up
/// may show a thing that was rejected or not found: of it less is taken for a refusal than of what `changes` something.
pub fn refusal(call: &Call, changes: bool) -> Option<String> {
    let deed = || OwnDeed { words: name_words(own_name(&call.tool)), arguments: &call.arguments };
    match &call.result {
        CallResult::Error { text } => Some(text.clone()),
        CallResult::Missing => None,
        CallResult::Ok { observation } => match observation {
            Value::Object(map) => {
                (says_error(map) || (changes && deed().is_refused(map))).then(|| observation.to_string())
            }
            Value::String(text) => {
                let is_refusal = is_error(text) || is_failure(text) || (changes && deed().is_refused_in(text));
                is_refusal.then(|| text.clone())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
        },
    }
}

/// What a tool does and was called with, by which it is told what of it was not done.
struct OwnDeed<'c> {
    words: Vec<CompactString>,
    arguments: &'c Arguments,
}

impl OwnDeed<'_> {
    fn verb(&self) -> &str {
        self.words.first().map_or("", |verb| verb)
    }

    /// Whether a value is given back as it was handed over: a note that says *not found* was taken down.
    fn is_echo(&self, key: &str, value: &Value) -> bool {
        match (self.arguments, value) {
            (Arguments::Named(map), Value::String(_)) => map.values().any(|own| own == value),
            (Arguments::Named(map), _) => map.get(key) == Some(value),
            (Arguments::Raw(raw), Value::String(text)) => !text.is_empty() && raw.contains(text.as_str()),
            (Arguments::Raw(_), _) => false,
        }
    }

    /// Whether a tool is about what a field is called: `report_fault` shows a `fault` that it took down.
    fn is_about(&self, key: &str) -> bool {
        self.words.iter().any(|word| key == *word || key.strip_suffix('s') == Some(word))
    }

    /// `cancelled` for a tool that cancels.
    fn is_done(&self, past: &str) -> bool {
        past != self.verb() && lexicon().verbs_of(past).iter().any(|verb| verb == self.verb())
    }

    /// Whether an answer to a change says that it was not made, in fields of its own; what stands deeper, or beside a
    /// thing, tells of that thing.
    fn is_refused(&self, map: &Map<String, Value>) -> bool {
        let of_call =
            |(key, value): (&String, &Value)| is(WordClass::Envelope, &key.to_lowercase()) || is_nothing(value);
        let tells_no_thing = map.iter().all(of_call) && ["data", "result"].iter().all(|key| is_no_thing(map.get(*key)));
        let is_well =
            |state: &str| is(WordClass::Successes, &state.to_lowercase()) || self.is_done(&state.to_lowercase());
        let says_done = map.values().any(|value| *value == Value::Bool(true))
            || map.iter().any(|(key, value)| {
                is(WordClass::CallStates, &key.to_lowercase()) && value.as_str().is_some_and(is_well)
            });
        let is_undone = || {
            map.iter().any(|(key, value)| {
                *value == Value::Bool(false) && self.is_done(&key.to_lowercase()) && !self.is_echo(key, value)
            })
        };
        !says_done && (is_undone() || (tells_no_thing && map.iter().any(|(key, value)| self.is_fault(map, key, value))))
    }

    /// Whether a field that tells of the call says that it failed.
    fn is_fault(&self, map: &Map<String, Value>, key: &str, value: &Value) -> bool {
        if self.is_about(key) || self.is_echo(key, value) {
            return false;
        }
        let key = key.to_lowercase();
        let text = value.as_str().unwrap_or_default();
        let number = || value.as_u64().or_else(|| text.parse().ok());
        match key.as_str() {
            "errors" => !is_nothing(value) && !value.is_number() && !value.is_boolean(),
            key if is(WordClass::CallOks, key) => {
                value.as_bool() == Some(false) || number() == Some(0) || is(WordClass::Falsehoods, &text.to_lowercase())
            }
            // Elsewhere a code is that of a door.
            "code" => {
                let tells = map.keys().any(|key| is(WordClass::Reports, &key.to_lowercase()));
                tells && number().is_some_and(|code| ERRORS.contains(&code))
            }
            key if is(WordClass::CallCodes, key) && number().is_some_and(|code| ERRORS.contains(&code)) => true,
            key if is(WordClass::CallStates, key) => self.is_refused_state(text),
            key if is(WordClass::Faults, key) => !is_nothing(value) && !value.is_boolean(),
            key if is(WordClass::Reports, key) => is_failure(text) || is_error(text) || self.is_refused_in(text),
            _ => false,
        }
    }

    /// `{"status": "rejected"}`; of what is handed in that tells what came of it, and a tool that rejects has done so.
    fn is_refused_state(&self, state: &str) -> bool {
        let state = state.trim().to_lowercase().replace([' ', '-'], "_");
        let is_verdict = is(WordClass::Verdicts, &state) && is(WordClass::HandingIn, self.verb());
        let is_own =
            self.words.iter().any(|own| lexicon().verbs_of(&state).iter().any(|verb| lexicon().means_same(verb, own)));
        is(WordClass::RefusedStates, &state) && !is_verdict && !is_own
    }

    /// Whether a short text says that a change was not made.
    fn is_refused_in(&self, text: &str) -> bool {
        if self.is_echo("", &Value::from(text)) {
            return false;
        }
        if is_trace(text) || is_http(text) {
            return true;
        }
        if text.len() > MAX_BYTES || counts(text) || words(text).len() > MAX_WORDS {
            return false;
        }
        if is_marked(text) && !self.is_about("error") && !self.is_about("errors") {
            return true;
        }
        let read = Text::read(text);
        // `Cancelled 3, 2 could not be cancelled` was done in part.
        let places = || read.sentences.iter().flat_map(|sentence| self.places(sentence));
        let (denied, done): (Vec<bool>, Vec<bool>) = places().partition(|is_denied| *is_denied);
        done.is_empty() && (!denied.is_empty() || read.sentences.first().is_some_and(tells_failure))
    }

    /// Where a sentence tells what the tool does in its past form, each time whether it denies it.
    fn places(&self, sentence: &Sentence) -> Vec<bool> {
        let words: Vec<CompactString> = sentence.words.iter().map(|word| word.text.clone()).collect();
        let heard = CUES.heard(&words);
        let is_denied = |at: usize| {
            heard.iter().any(|cue| {
                *cue.list == Wording::Denials && (cue.at + cue.length == at || cue.at + cue.length + 1 == at)
            })
        };
        // `Queued, not sent yet` leaves it open.
        let is_open = |at: usize| sentence.word(at + 1) == "yet" || sentence.before(at) == "yet";
        (0..words.len()).filter(|at| self.is_done(sentence.word(*at)) && !is_open(*at)).map(is_denied).collect()
    }
}

/// Whether a field has nothing in it.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether a field that may hold a thing holds none.
fn is_no_thing(value: Option<&Value>) -> bool {
    value.is_none_or(|value| is_nothing(value) || value.is_string() || *value == Value::Bool(false))
}

/// `Order ZK-5 not found`, `Request timed out: ..`: a first sentence that ends so, or does before a colon.
fn tells_failure(sentence: &Sentence) -> bool {
    let words: Vec<CompactString> = sentence.words.iter().map(|word| word.text.clone()).collect();
    let ends_at = |end: usize| {
        end == words.len()
            || sentence.token(end).is_some_and(|token| token.gap.contains([':', ',', '(', '-', '–', '—']))
    };
    let heard = CUES.heard(&words);
    heard.iter().any(|cue| {
        let end = cue.at + cue.length;
        // `Saved, the old one was not found` tells what was done before.
        let is_one = (1..cue.at).all(|at| sentence.mark(at) == Mark::None && !sentence.is(WordClass::ClauseLeads, at));
        *cue.list == Wording::Ends && end <= FEW_WORDS && is_one && !sentence.is_question && ends_at(end)
    })
}

/// What Python prints.
fn is_trace(text: &str) -> bool {
    text.trim_start().starts_with("Traceback (most recent call last)")
}

/// `HTTP 403 Forbidden`, `404 Not Found`; `404 rows deleted` is a count.
fn is_http(text: &str) -> bool {
    let words = words(text.get(..MAX_BYTES).unwrap_or(text));
    let protocol = words.iter().take_while(|word| is(WordClass::Protocols, word)).count();
    let is_code = |word: &CompactString| word.len() == 3 && word.parse().is_ok_and(|code| ERRORS.contains(&code));
    let is_named = words.len() <= MAX_WORDS && words.first().is_some_and(|word| word == "http" || word == "https");
    let reason = words.get(protocol + 1..).unwrap_or_default();
    words.get(protocol).is_some_and(is_code) && (is_named || CUES.heard(reason).begins(0, Wording::Reasons))
}

/// `ERROR already shipped`, `[ERROR] already shipped`.
fn is_marked(text: &str) -> bool {
    let text = text.trim_start();
    let is_named = |name: &str| text.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', ':', '-']));
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(mark, _)| mark);
    is_named("ERROR") || is_named("FATAL") || matches!(bracketed.to_lowercase().as_str(), "error" | "fatal" | "err")
}

/// Whether a text counts something behind its colon: `Failed: 0, passed: 12`.
fn counts(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| {
        let rest = rest.trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("none")
    })
}

fn says_error(map: &Map<String, Value>) -> bool {
    let is_said = |value: &Value| match value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(is) => *is,
        Value::Null | Value::Number(_) | Value::Array(_) => false,
    };
    let is_false = |key: &str| map.get(key) == Some(&Value::Bool(false));
    let status = map.get("status").and_then(Value::as_str).unwrap_or_default();
    map.get("error").is_some_and(is_said)
        || map.get("isError") == Some(&Value::Bool(true))
        || (map.len() <= 3 && (is_false("success") || is_false("ok")))
        || (map.len() <= 3 && matches!(status, "error" | "failed" | "failure"))
}

/// `Error: user not found`, `Error executing tool: ...`, `ValueError: ...`; `Error rate: 0.2 %` is a figure.
fn is_error(text: &str) -> bool {
    const MAX_HEAD: usize = 60;
    let Some((head, _)) = text.trim_start().split_once(':').filter(|(head, _)| head.len() <= MAX_HEAD) else {
        return false;
    };
    let mut own = head.split_whitespace();
    let (first, next) = (own.next().unwrap_or_default(), own.next());
    let is_kind = next.is_none() && (head.ends_with("Error") || head.ends_with("Exception"));
    let goes_on = next.is_none_or(|next| next.ends_with("ing") || matches!(next, "in" | "from" | "code" | "while"));
    is_kind || (first.eq_ignore_ascii_case("error") && goes_on)
}

/// `no such booking`, `unknown plate`, `cannot be moved any more`: a short text that begins as a refusal does, and counts
/// nothing (`Failed: 0, passed: 12`).
fn is_failure(text: &str) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    let words = words(text);
    let begins = |all: &[&str]| all.iter().zip(&words).all(|(wanted, word)| wanted == word);
    let pairs: [&[&str]; 4] = [&["no", "such"], &["not", "found"], &["could", "not"], &["permission", "denied"]];
    let is_short = (1..=MAX_WORDS).contains(&words.len()) && !counts(text);
    is_short && (words.first().is_some_and(|word| is(WordClass::Failures, word)) || pairs.into_iter().any(begins))
}
