//! Authored texts that are no phrases.

use probity_engine::{Environment, Problem};
use probity_prose::Phrase;

pub fn of_warnings(environment: &Environment) -> Vec<Problem> {
    let warnings = environment.file().conduct.warnings.iter().enumerate();
    let words = warnings.flat_map(|(i, warning)| warning.words.iter().enumerate().map(move |(j, words)| (i, j, words)));
    let wrong = words.filter_map(|(i, j, words)| {
        let what = Phrase::parse(words).err()?;
        Some(no_phrase(format!("/conduct/warnings/{i}/words/{j}"), words, &what))
    });
    wrong.collect()
}

pub fn no_phrase(at: String, text: &str, what: &str) -> Problem {
    Problem::error(at, "bad_pattern", format!("`{text}` is no phrase: {what}"))
        .help("`re:` starts a regular expression; else it is plain text")
}
