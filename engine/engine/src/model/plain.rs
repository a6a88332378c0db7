//! Texts that agents and users wrote, made fit for a terminal or a page: no control sequences, no reversed reading
//! order, no line breaks but those of lines, no commands to a build server.

use std::borrow::Cow;

/// The text on one line.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_harmful(c) { ' ' } else { c }).collect()
}

/// The text on one line, cut where it has more than so many characters.
pub fn brief(text: &str, most: usize) -> String {
    let plain = plain(text);
    match plain.chars().count() > most {
        true => plain.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => plain.trim_end().to_owned(),
    }
}

/// The text with its line breaks. No line starts with `::`, by which a build server takes commands.
pub fn plain_lines(text: &str) -> String {
    let plain: String = text.chars().map(|c| if is_harmful(c) && c != '\n' { ' ' } else { c }).collect();
    let lines = plain.split_inclusive('\n').map(|line| match line.trim_start().strip_prefix("::") {
        Some(rest) => Cow::from(format!(": :{rest}")),
        None => Cow::from(line),
    });
    lines.collect::<String>().replace("##[", "## [")
}

/// A JSON text with such characters as escapes: the same value, fit for a terminal. They only stand in strings.
pub fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match is_harmful(c) && c != '\n' {
            // All of them are below U+10000, so one escape each is enough.
            true => plain.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => plain.push(c),
        }
    }
    plain
}

fn is_harmful(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_do_not_reach_the_terminal() {
        assert_eq!(plain("a\u{1b}[31mb\n"), "a [31mb ");
        assert_eq!(plain_lines("a\u{9b}2J\r\nb\u{7f}\u{202e}c"), "a 2J \nb  c");
        assert_eq!(plain_lines("a\u{2028}b\u{2029}c\u{61c}d"), "a b c d");
        assert_eq!(
            plain_lines("x\n \t::warning::y\n::error::z a::b\n##[group]"),
            "x\n: :warning::y\n: :error::z a::b\n## [group]"
        );
    }

    #[test]
    fn escaped_json_is_the_same_value() {
        let value = serde_json::json!({"a\u{202e}": "\u{9b}31m\u{7f} Zoë\n"});
        let text = plain_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(text.chars().all(|c| c == '\n' || !is_harmful(c)), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}
