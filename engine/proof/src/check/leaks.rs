//! Leaks: what a user says must not give away tool names, hidden ids or schema words.

use serde_json::Value;

use probity_behaviour::model::task_file::Fact;
use probity_behaviour::task::Task;
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
    let known: Vec<String> = task.file().facts.values().flat_map(Fact::ways).collect();
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

/// Marks that people put between the parts of an id without thinking of anything else.
const STRONG: [char; 2] = ['-', '_'];
/// Marks that stand in ordinary text too.
const WEAK: [char; 5] = [' ', '.', '/', '#', ':'];
/// The most marks between two parts, as in `K - 901`.
const MAX_GAP: usize = 3;

/// An id as people write it, its letters and digits in lower case: `K 901`, `k-901` and `K901` are one.
#[derive(Debug)]
struct Id(Vec<IdCharacter>);

#[derive(Debug)]
struct IdCharacter {
    c: char,
    is_apart: bool,
}

struct SearchedText {
    chars: Vec<char>,
    /// Where a word may begin.
    starts: Vec<usize>,
}

impl SearchedText {
    fn of(text: &str) -> SearchedText {
        let chars: Vec<char> = text.chars().collect();
        let is_start = |at: &usize| at.checked_sub(1).and_then(|at| chars.get(at)).is_none_or(|c| !is_word(*c));
        SearchedText { starts: (0..chars.len()).filter(is_start).collect(), chars }
    }
}

impl Id {
    /// The id in a text; nothing when it has no letter or no digit, for then it is an ordinary number or word.
    fn of(text: &str) -> Option<Id> {
        let mut parts: Vec<IdCharacter> = Vec::new();
        let mut is_apart = false;
        for c in text.chars() {
            if is_mark(c) {
                is_apart = !parts.is_empty();
                continue;
            }
            parts.extend(c.to_lowercase().map(|c| IdCharacter { c, is_apart }));
            is_apart = false;
        }
        let has = |is: fn(char) -> bool| parts.iter().any(|part| is(part.c));
        (has(char::is_alphabetic) && has(|c| c.is_ascii_digit())).then_some(Id(parts))
    }

    /// Whether a user's text says it. Where only a blank or the like stands between letters and a number, the
    /// letters must not be an ordinary word: `at 12` is no `AT12`.
    fn is_said(&self, text: &SearchedText) -> bool {
        self.is_in(text, |letters, number| !is_ordinary(letters, number))
    }

    fn is_told(&self, text: &SearchedText) -> bool {
        self.is_in(text, |_, _| true)
    }

    fn is_in(&self, text: &SearchedText, may_be_apart: impl Fn(&[char], char) -> bool) -> bool {
        text.starts.iter().any(|at| self.is_at(text.chars.get(*at..).unwrap_or_default(), &may_be_apart))
    }

    /// Whether a text starts with it, and it ends there.
    fn is_at(&self, text: &[char], may_be_apart: &impl Fn(&[char], char) -> bool) -> bool {
        let mut rest = text;
        let mut before: Option<char> = None;
        let mut is_apart = false;
        for part in &self.0 {
            let gap = before.map_or(0, |_| rest.iter().take_while(|c| is_mark(**c)).count());
            let (marks, next) = rest.split_at_checked(gap).unwrap_or((rest, &[]));
            if gap > 0 {
                let is_strong = marks.iter().all(|c| STRONG.contains(c));
                let is_number = before.is_some_and(char::is_alphabetic) && part.c.is_ascii_digit();
                if gap > MAX_GAP || !(is_strong || part.is_apart || is_number) {
                    return false;
                }
                let is_weak = is_number && !is_strong;
                let letters = text.iter().take_while(|c| c.is_alphabetic()).count();
                if is_weak && !may_be_apart(text.get(..letters).unwrap_or_default(), part.c) {
                    return false;
                }
                is_apart |= is_weak;
            }
            match next.split_first() {
                Some((c, after)) if c.to_lowercase().eq([part.c]) => rest = after,
                _ => return false,
            }
            before = Some(part.c);
        }
        let ends = rest.first().is_none_or(|c| !is_word(*c));
        // `at 09:30` and `no 12/3` go on.
        let goes_on = rest.first().is_some_and(|c| is_mark(*c)) && rest.get(1).is_some_and(char::is_ascii_digit);
        ends && !(is_apart && goes_on)
    }
}

/// Whether letters before a number are a word that stands before numbers: one in small letters with a vowel, or one
/// that may start a sentence. No ordinary number starts with 0.
fn is_ordinary(letters: &[char], number: char) -> bool {
    let is_capital = letters.iter().all(|c| c.is_uppercase()) && !matches!(letters, ['A' | 'I']);
    let has_vowel = letters.iter().any(|c| "aeiouyAEIOUY".contains(*c) || !c.is_ascii());
    !is_capital && has_vowel && number != '0'
}

fn is_mark(c: char) -> bool {
    STRONG.contains(&c) || WEAK.contains(&c)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold, pair, row, yes};

    /// Whether a text holds an id: *K901 | it is K 901.*
    fn has(text: &str, is_so: fn(&Id, &SearchedText) -> bool) -> String {
        let (id, text) = pair(text);
        yes(is_so(&Id::of(id).unwrap(), &SearchedText::of(text)))
    }

    const READERS: [(&str, Reader); 4] = [
        ("technical", |text| yes(is_technical(text))),
        ("said", |text| has(text, Id::is_said)),
        ("told", |text| has(text, Id::is_told)),
        ("id", |text| row(Id::of(text).map(|id| format!("{id:?}")), "")),
    ];

    #[test]
    fn names_and_ids_are_read_as_the_cases_say() {
        hold(include_str!("leaks_cases.txt"), &READERS);
    }
}
