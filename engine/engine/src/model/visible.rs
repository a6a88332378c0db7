//! Characters that a reader cannot see, or takes for others: shown as escapes, and named.

use std::borrow::Cow;

/// Marks that change the letter before them, as some keyboards and systems write `é`.
const COMBINING: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// Letters of other scripts, each before the ASCII letter that it looks like.
const LOOKALIKES: [(&str, &str); 3] = [
    ("аеорсухіјѕԁһԛԝӏкАВЕКМНОРСТУХІЈЅԚԜҮ", "aeopcyxijsdhqwlkABEKMHOPCTYXIJSQWY"),
    ("αονρικυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ", "aovpikuxABEZHIKMNOPTYXcj"),
    ("ոօսցհıɑɡℓⅼⅰⅴⅹ", "nouqhiagllivx"),
];

/// A text in which everything can be seen: what cannot, and what looks like an ASCII letter within a word of such
/// letters, stands as an escape.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_' || is_unseen(c))) {
        let is_mixed = word.chars().any(|c| c.is_ascii_alphabetic());
        for c in word.chars() {
            let joins = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}');
            let is_joined = joins && shown.chars().next_back().is_some_and(|before| !before.is_ascii());
            match (is_unseen(c) && !is_joined) || (is_mixed && lookalike(c).is_some()) {
                true => shown.push_str(&escape(c)),
                false => shown.push(c),
            }
        }
    }
    Cow::Owned(shown)
}

/// A text as it looks: without what cannot be seen, ASCII letters for those that look like them, blanks for blanks.
pub fn skeleton(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let seen = text.chars().filter(|c| is_blank(*c) || !is_unseen(*c));
    Cow::Owned(seen.map(|c| if is_blank(c) { ' ' } else { lookalike(c).unwrap_or(c) }).collect())
}

/// The first character of a text that cannot be seen or looks like an ASCII letter, with its name: `U+200B (zero-width
/// space)`.
pub fn strange(text: &str) -> Option<String> {
    let c = text.chars().find(|c| (is_unseen(*c) && *c != '\n') || lookalike(*c).is_some())?;
    Some(named(c))
}

/// The first character of a text that leaves no mark at all, with its name. Blanks of any kind and marks on letters are
/// seen; a joiner within a word of another script or a picture, and a mark of direction where some script runs from the
/// right, are of the writing.
pub fn hidden(text: &str) -> Option<String> {
    let runs_from_the_right = text.chars().any(|c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fefc}'));
    let mut before = ' ';
    let found = text.chars().find(|c| {
        let is_written = match c {
            '\u{200c}' | '\u{200d}' | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' => !before.is_ascii(),
            '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2066}'..='\u{2069}' => runs_from_the_right,
            _ => is_blank(*c) || COMBINING.contains(c),
        };
        before = *c;
        is_unseen(*c) && !is_written
    });
    found.map(named)
}

/// A character's number and name.
pub fn named(c: char) -> String {
    let number = format!("U+{:04X}", u32::from(c));
    match (name(c), lookalike(c)) {
        (Some(name), _) => format!("{number} ({name})"),
        (None, Some(like)) => format!("{number} (it looks like `{like}`)"),
        (None, None) if c.is_control() => format!("{number} (a control character)"),
        (None, None) if is_unseen(c) => format!("{number} (it cannot be seen)"),
        (None, None) => number,
    }
}

fn name(c: char) -> Option<&'static str> {
    Some(match c {
        '\0' => "the null character",
        '\t' => "tab",
        '\n' => "line feed",
        '\r' => "carriage return",
        '\u{1b}' => "escape",
        '\u{a0}' => "no-break space",
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => "it turns the reading order",
        '\u{202f}' => "narrow no-break space",
        '\u{2060}' => "word joiner",
        '\u{3000}' => "ideographic space",
        '\u{feff}' => "byte order mark, or zero-width no-break space",
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => "a curly single quote",
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => "a curly double quote",
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "it looks like `-`",
        '\u{ff01}'..='\u{ff5e}' => "a full-width letter or sign",
        _ if COMBINING.contains(&c) => "a mark on the letter before it",
        _ if is_blank(c) => "a blank, but not the ordinary one",
        _ => return None,
    })
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !c.is_control()
}

/// Whether a character leaves no mark of its own. An ordinary blank, a tab and a line break are seen by what they part.
fn is_unseen(c: char) -> bool {
    match c {
        ' ' | '\n' | '\t' => false,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e01ef}' => true,
        _ => c.is_control() || is_blank(c) || COMBINING.contains(&c),
    }
}

/// The ASCII letter or sign that a character of another script looks like.
fn lookalike(c: char) -> Option<char> {
    match c {
        _ if c.is_ascii() => None,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{1d400}'..='\u{1d6a3}' => {
            let place = u8::try_from((u32::from(c) - 0x1d400) % 52).ok()?;
            Some(char::from(if place < 26 { b'A' + place } else { b'a' + place - 26 }))
        }
        _ => LOOKALIKES.iter().find_map(|(others, own)| {
            let place = others.chars().position(|other| other == c)?;
            own.chars().nth(place)
        }),
    }
}

fn escape(c: char) -> String {
    match c {
        '\r' => "\\r".to_owned(),
        _ if u32::from(c) > 0xffff => format!("\\u{{{:x}}}", u32::from(c)),
        _ => format!("\\u{:04x}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lookalike_has_its_letter() {
        for (others, own) in LOOKALIKES {
            assert_eq!(others.chars().count(), own.chars().count(), "{others}");
            assert!(own.is_ascii() && !others.chars().any(|c| c.is_ascii()));
        }
    }
}
