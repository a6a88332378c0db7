//! Leaks: what a user says must not give away tool names, hidden ids or schema words.

mod id;

use id::{Id, SearchedText};
use serde_json::Value;

use probity_behaviour::task::Task;
use probity_behaviour::task::ways_to_say;
use probity_engine::Problem;
use probity_prose::{Phrase, token::spaced};

/// Deepest part of a schema that is looked into.
const MAX_DEPTH: usize = 32;

pub fn check(task: &Task) -> Vec<Problem> {
    let secrets = secrets(task);
    let mut problems = Vec::new();
    for (variant, behaviour) in task.variants() {
        for (index, turn) in behaviour.turns.iter().enumerate() {
            let (lower, searched) = (turn.to_lowercase(), SearchedText::of(turn));
            let is_said = |secret: &&Secret| {
                is_said(&lower, &secret.lower) || secret.id.as_ref().is_some_and(|id| id.is_said(&searched))
            };
            for Secret { word, what, .. } in secrets.iter().filter(is_said) {
                let message = format!("the user says `{word}`, {what}");
                let help = "say it as a person would; what a user knows stands in `facts`";
                let at = format!("/variants/{variant}/turns/{index}");
                problems.push(Problem::error(at, "leak", message).help(help));
            }
        }
    }
    problems
}

/// Whether a text, both in lower case, holds a word that is not part of a longer one.
fn is_said(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        !is_part(before.chars().next_back()) && !is_part(rest.chars().nth(word.chars().count()))
    })
}

/// Whether a key is a name that only the machine uses.
fn looks_like_key(key: &str) -> bool {
    key.contains(|c: char| c.is_ascii_digit())
        && key.contains(|c: char| c.is_ascii_alphabetic() || c == '-' || c == '_')
}

/// Whether a text of the state is such a name. People say `v2`, `500mg` and days, too: it takes letters,
/// two digits and five characters without a blank.
fn looks_like_id(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_long = text.chars().count() >= 5 && !text.contains(char::is_whitespace);
    is_long && digits >= 2 && text.contains(|c: char| c.is_ascii_alphabetic())
}

/// A word a user cannot know.
struct Secret {
    word: String,
    /// The same in lower case.
    lower: String,
    what: &'static str,
    /// For a hidden id: how people write it.
    id: Option<Id>,
}

impl Secret {
    fn new(word: &str, what: &'static str, id: Option<Id>) -> Secret {
        Secret { word: word.to_owned(), lower: word.to_lowercase(), what, id }
    }
}

/// Words a user cannot know, with what they are. Ordinary words that happen to name a tool are none.
fn secrets(task: &Task) -> Vec<Secret> {
    let mut secrets: Vec<Secret> = names(task).into_iter().map(|(word, what)| Secret::new(&word, what, None)).collect();
    secrets.extend(hidden(task));
    secrets.sort_by(|one, other| (&one.word, one.what).cmp(&(&other.word, other.what)));
    // The name of a parameter is often that of a field too: one line says enough.
    secrets.dedup_by(|next, kept| next.word == kept.word);
    secrets
}

/// Whether a name is one that nobody says: `set_quantity`, `orderAnalyses`.
fn is_technical(word: &str) -> bool {
    word.contains('_') || spaced(word) != word
}

fn names(task: &Task) -> Vec<(String, &'static str)> {
    let environment = task.environment();
    let mut secrets = Vec::new();
    for tool in environment.tools() {
        secrets.push((tool.name.clone(), "the name of a tool"));
        let parameters = probity_engine::environment_file::properties(&tool.parameters);
        secrets.extend(parameters.into_iter().map(|(name, _)| (name, "the name of a parameter")));
    }
    for (name, slot) in &environment.file().state {
        secrets.push((name.clone(), "the name of a collection"));
        let fields = probity_engine::environment_file::properties(&slot.item);
        secrets.extend(fields.into_iter().map(|(name, _)| (name, "the name of a field")));
    }
    for tool in environment.tools() {
        let codes = tool.preconditions.iter().map(|precondition| &precondition.code).chain(&tool.errors);
        secrets.extend(codes.map(|code| (code.clone(), "the code of a refusal")));
        secrets.extend(listed(&tool.parameters, 0).map(|value| (value, "a value that a schema lists")));
    }
    for slot in environment.file().state.values() {
        secrets.extend(listed(&slot.item, 0).map(|value| (value, "a value that a schema lists")));
    }
    secrets.retain(|(word, _)| is_technical(word));
    secrets
}

/// Ids of the initial state that somebody says and no fact tells.
fn hidden(task: &Task) -> Vec<Secret> {
    let known: Vec<String> = task.file().facts.values().flat_map(ways_to_say).collect();
    let is_known = |word: &str, id: Option<&Id>| {
        Phrase::parse(word).is_ok_and(|phrase| known.iter().any(|fact| phrase.is_in(fact)))
            || id.is_some_and(|id| known.iter().any(|fact| id.is_told(&SearchedText::of(fact))))
    };
    // Phrases are dear to compile: only what a turn holds is looked into.
    let turns = task.variants().values().flat_map(|v| v.turns.iter());
    let spoken = turns.cloned().collect::<Vec<_>>().join("\n");
    let (lower, searched) = (spoken.to_lowercase(), SearchedText::of(&spoken));
    let secret = |word: &str, what: &'static str| {
        let secret = Secret::new(word, what, Id::of(word));
        let is_spoken = is_said(&lower, &secret.lower) || secret.id.as_ref().is_some_and(|id| id.is_said(&searched));
        (is_spoken && !is_known(word, secret.id.as_ref())).then_some(secret)
    };
    let mut secrets = Vec::new();
    for slot in 0..task.environment().shape().slots.len() {
        for (key, fields) in task.initial().entities(slot) {
            let texts = fields.values().filter_map(Value::as_str).filter(|text| looks_like_id(text));
            secrets.extend(texts.filter_map(|text| secret(text, "which stands in the state and no fact tells")));
            secrets.extend(
                Some(key).filter(|key| looks_like_key(key)).and_then(|key| secret(key, "an id that no fact tells")),
            );
        }
    }
    secrets
}

/// The texts that a schema lists as constants or in enumerations.
fn listed(schema: &Value, depth: usize) -> Box<dyn Iterator<Item = String> + '_> {
    if depth > MAX_DEPTH {
        return Box::new(std::iter::empty());
    }
    let own = ["enum", "const"].into_iter().filter_map(|key| schema.get(key));
    let own = own.flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    let own = own.filter_map(Value::as_str).map(str::to_owned);
    let parts: Box<dyn Iterator<Item = &Value>> = match schema {
        Value::Object(map) => Box::new(map.values()),
        Value::Array(items) => Box::new(items.iter()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Box::new(std::iter::empty()),
    };
    Box::new(own.chain(parts.flat_map(move |part| listed(part, depth + 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_style_are_technical_and_words_are_not() {
        for name in ["set_quantity", "orderAnalyses", "methodId"] {
            assert!(is_technical(name), "{name}");
        }
        for word in ["order", "Order", "v2", "URL"] {
            assert!(!is_technical(word), "{word}");
        }
    }
}
