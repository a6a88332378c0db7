//! What the user's words hold, as far as discipline asks: values of facts, and what a call is called.

use serde_json::Value;

use crate::score::replayed::UserUtterance;
use crate::task::Task;
use crate::task::likeness::scalars;
use probity_engine::{Tool, fold};
use probity_prose::token::{name_words, words};

/// How many letters of a word are compared: *cancelling* is *cancel*.
const STEM: usize = 5;

/// Whether one of the texts says a value: as it is written, or as a fact of the task puts it (*2 May 1991*); of a list
/// or an object, all that is in it.
pub fn says(task: &Task, heard: &[&UserUtterance], value: &Value) -> bool {
    if value.is_array() || value.is_object() {
        let mut parts = scalars(value).peekable();
        return parts.peek().is_some() && parts.all(|part| says(task, heard, part));
    }
    let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let plain = words(&written);
    let is_plain =
        |heard: &UserUtterance| !plain.is_empty() && heard.words.windows(plain.len()).any(|said| said == plain);
    let facts = task.voices().iter().filter(|voice| {
        task.file().facts.get(&voice.name).is_some_and(|fact| fact.value == *value || is_same(&fact.value, &written))
    });
    let ways: Vec<_> = facts.map(|voice| &voice.ways).collect();
    heard.iter().any(|heard| is_plain(heard) || ways.iter().any(|way| way.are_in(&heard.text)))
}

fn is_same(value: &Value, written: &str) -> bool {
    value.as_str().is_some_and(|text| fold(text) == fold(written))
}

/// The words of a text that tell something: numbers, and words of four letters or more, cut to their stem.
pub fn telling(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let tells = |word: &String| word.chars().count() >= 4 || word.chars().any(|c| c.is_ascii_digit());
    words.filter(tells).map(|word| word.chars().take(STEM).collect()).collect()
}

/// Whether a text speaks of what a tool does: by a word of its name or by a participle in `claims`.
pub fn speaks_of(tool: &Tool, text: &str) -> bool {
    let name = name_words(&tool.name).join(" ");
    let names: Vec<String> = tool.claims.iter().chain([&name]).flat_map(|name| telling(name)).collect();
    telling(text).iter().any(|word| names.contains(word))
}
