//! Leaks: what a user says must not give away tool names, hidden ids or schema words (`rut-bench.md` D.1).

use std::collections::BTreeSet;

use crate::model::diagnostic::Problem;
use crate::task::Task;
use crate::task::build::ways_to_say;
use crate::task::phrase::Phrase;

/// Problems of what the users of a task say.
pub fn check(task: &Task) -> Vec<Problem> {
    let secrets = secrets(task);
    let mut problems = Vec::new();
    for (variant, behaviour) in task.variants() {
        for (index, turn) in behaviour.turns.iter().enumerate() {
            let words: BTreeSet<&str> = words(turn).collect();
            for (word, what) in secrets.iter().filter(|(word, _)| words.contains(word.as_str())) {
                let message = format!("the user says `{word}`, {what}");
                let help = "say it as a person would; what a user knows stands in `facts`";
                let at = format!("/variants/{variant}/turns/{index}");
                problems.push(Problem::error(at, "leak", message).help(help));
            }
        }
    }
    problems
}

fn words(turn: &str) -> impl Iterator<Item = &str> {
    turn.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
}

/// Words a user cannot know, with what they are. Ordinary words that happen to name a tool are none.
fn secrets(task: &Task) -> Vec<(String, &'static str)> {
    let is_technical = |word: &str| word.contains('_');
    let looks_like_id = |word: &str| {
        word.chars().any(|c| c.is_ascii_digit())
            && word.chars().any(|c| c.is_ascii_alphabetic() || c == '-' || c == '_')
    };
    let environment = task.environment();
    let mut secrets = Vec::new();
    for tool in environment.tools() {
        secrets.push((tool.name.clone(), "the name of a tool"));
        let parameters = crate::model::environment_file::properties(&tool.parameters);
        secrets.extend(parameters.into_iter().map(|(name, _)| (name, "the name of a parameter")));
    }
    for (name, slot) in &environment.file().state {
        secrets.push((name.clone(), "the name of a collection"));
        let fields = crate::model::environment_file::properties(&slot.item);
        secrets.extend(fields.into_iter().map(|(name, _)| (name, "the name of a field")));
    }
    secrets.retain(|(word, _)| is_technical(word));
    let known: Vec<String> = task.file().facts.values().flat_map(ways_to_say).collect();
    let is_known = |word: &str| Phrase::parse(word).is_ok_and(|phrase| known.iter().any(|fact| phrase.is_in(fact)));
    // Phrases are dear to compile: only keys that a turn holds are looked into.
    let turns: Vec<&str> = task.variants().values().flat_map(|v| v.turns.iter().map(String::as_str)).collect();
    let spoken: BTreeSet<&str> = turns.iter().flat_map(|turn| words(turn)).collect();
    for slot in 0..environment.shape().slots.len() {
        let keys = task.initial().entities(slot).map(|(key, _)| key.to_string());
        let hidden = keys.filter(|key| spoken.contains(key.as_str()) && looks_like_id(key) && !is_known(key));
        secrets.extend(hidden.map(|key| (key, "an id that no fact tells")));
    }
    secrets.sort();
    // The name of a parameter is often that of a field too: one line says enough.
    secrets.dedup_by(|next, kept| next.0 == kept.0);
    secrets
}
