//! Words of what people say, for rules that look at words alone.

/// The words in lower case, one blank between them, without punctuation.
pub fn folded(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    parts.map(|word| word.trim_matches('\'').to_lowercase()).filter(|word| !word.is_empty())
}

/// Whether a text holds a sign, both folded, as whole words.
pub fn has(text: &str, sign: &str) -> bool {
    format!(" {text} ").contains(&format!(" {sign} "))
}
