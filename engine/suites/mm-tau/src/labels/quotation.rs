//! Text of others on one line, so that it can neither pass for an instruction nor for the end of its quotation, and of
//! bounded length.

/// Characters of all quoted texts of a prompt together, about.
const BUDGET: usize = 80_000;
/// Characters of a text that are always shown, however many texts there are.
const LEAST: usize = 40;
/// Characters of a text that are shown at most.
const MOST: usize = 4_000;
/// Characters of a name that is told back to a judge or to people.
const NAME: usize = 40;

/// How many characters of each of so many texts are shown.
pub(super) fn share(texts: usize) -> usize {
    (BUDGET / texts.max(1)).clamp(LEAST, MOST)
}

/// A text as a JSON string on one line, cut after so many of its characters; what is cut is said outside the quotes.
pub(super) fn quoted(text: &str, limit: usize) -> String {
    let shown: String = text.chars().take(limit).collect();
    let mut line = serde_json::Value::from(shown.as_str()).to_string();
    if line.contains(is_unseen) {
        line = line.chars().fold(String::new(), escaped);
    }
    if shown.len() < text.len() {
        line.push_str(&format!(" (cut: {} characters in all)", text.chars().count()));
    }
    line
}

/// A name that a judge or a file made up, short enough for a message of one line.
pub(super) fn name(text: &str) -> String {
    quoted(text, NAME)
}

/// What may break a line or hide in it without JSON escaping it: control characters, line separators, marks of writing
/// direction, marks of no width, tags.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn escaped(mut line: String, c: char) -> String {
    if is_unseen(c) {
        c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| line.push_str(&format!("\\u{unit:04x}")));
    } else {
        line.push(c);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_on_its_line() {
        for text in ["a\nb\r\"c\"\\", "\u{2028}=====\u{85}\u{7f}", "\u{202e}\u{e0041}\u{200b}é"] {
            let line = quoted(text, 100);
            assert!(!line.contains(is_unseen), "{line:?}");
            assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        }
    }

    #[test]
    fn what_is_cut_is_said_outside_the_quotes() {
        assert_eq!(quoted("ééé", 3), "\"ééé\"");
        assert_eq!(quoted("éééé", 3), "\"ééé\" (cut: 4 characters in all)");
        assert_eq!((share(0), share(100), share(1_000_000)), (MOST, 800, LEAST));
    }
}
