//! Slips of texts: what a hand, an editor or a merge does to a file.

use std::ops::Range;

use probity_engine::Stream;

/// What must come of a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Something is told.
    Told,
    /// Nothing is: it means the same.
    Clean,
    /// It depends on what was hit.
    Either,
}

use Expected::{Clean, Either, Told};

type Slipped = Option<(Vec<u8>, Expected)>;
/// Makes a slip in a text of a file; nothing where it cannot be made.
type Slip = fn(&str, &str, &mut Stream) -> Slipped;

pub const SLIPS: [(&str, Slip); 40] = [
    ("key left out", |text, file, stream| {
        let key = pick(keys(text, file), stream)?;
        let end = end_of_value(text, key.end)?;
        let comma = text[end..].trim_start().starts_with(',');
        let end = if comma { end + text[end..].find(',')? + 1 } else { end };
        put(text, key.start..end, "", Either)
    }),
    ("key misspelt", |text, file, stream| {
        let key = pick(keys(text, file), stream)?;
        let name = &text[key.start + 1..key.end - 1];
        let mut letters: Vec<char> = name.chars().collect();
        let at = usize::try_from(stream.below(letters.len().max(2) as u64 - 1)).ok()?;
        (letters.len() > 1 && letters[at] != letters[at + 1]).then(|| letters.swap(at, at + 1))?;
        put(text, key.start + 1..key.end - 1, &letters.iter().collect::<String>(), Either)
    }),
    ("key given twice", |text, file, stream| {
        let key = pick(keys(text, file), stream)?;
        let twice = format!("{}: 1, ", &text[key.clone()]);
        put(text, key.start..key.start, &twice, Told)
    }),
    ("key of another script", |text, file, stream| {
        let key = pick(keys(text, file), stream)?;
        let name = &text[key.clone()];
        let (from, to) =
            [("a", "\u{430}"), ("e", "\u{435}"), ("o", "\u{43e}")].into_iter().find(|(of, _)| name.contains(of))?;
        put(text, key.clone(), &name.replacen(from, to, 1), Either)
    }),
    ("zero-width space in a key", |text, file, stream| {
        let key = pick(keys(text, file), stream)?;
        put(text, key.start + 2..key.start + 2, "\u{200b}", Either)
    }),
    ("text for a number", |text, file, stream| {
        let number = pick(numbers(text, file), stream)?;
        put(text, number.clone(), &format!("\"{}\"", &text[number]), Either)
    }),
    ("huge number", |text, file, stream| put(text, pick(numbers(text, file), stream)?, "1152921504606846976", Either)),
    ("number beyond all", |text, file, stream| put(text, pick(numbers(text, file), stream)?, "1e400", Told)),
    ("large number", |text, file, stream| put(text, pick(numbers(text, file), stream)?, "100000000", Either)),
    ("number below zero", |text, file, stream| put(text, pick(numbers(text, file), stream)?, "-7", Either)),
    ("number with a fraction", |text, file, stream| put(text, pick(numbers(text, file), stream)?, "2.5", Either)),
    ("number for a text", |text, file, stream| put(text, pick(texts(text, file), stream)?, "7", Either)),
    ("null for a text", |text, file, stream| put(text, pick(texts(text, file), stream)?, "null", Either)),
    ("list for a text", |text, file, stream| {
        let of = pick(texts(text, file), stream)?;
        put(text, of.clone(), &format!("[{}]", &text[of]), Either)
    }),
    ("empty text", |text, file, stream| put(text, pick(texts(text, file), stream)?, "\"\"", Either)),
    ("text put off", |text, file, stream| put(text, pick(texts(text, file), stream)?, "\"TODO\"", Told)),
    ("text of 70 KiB", |text, file, stream| {
        put(text, pick(texts(text, file), stream)?, &format!("\"{}\"", "word ".repeat(14_400)), Told)
    }),
    ("text of 60 KiB", |text, file, stream| {
        put(text, pick(texts(text, file), stream)?, &format!("\"{}\"", "a ".repeat(30_000)), Either)
    }),
    ("nested 5,000 deep", |text, file, stream| {
        put(text, pick(texts(text, file), stream)?, &format!("{}1{}", "[".repeat(5000), "]".repeat(5000)), Told)
    }),
    ("nested 60 deep", |text, file, stream| {
        put(text, pick(texts(text, file), stream)?, &format!("{}1{}", "[".repeat(54), "]".repeat(54)), Either)
    }),
    ("list of 5,000 lists", |text, file, stream| {
        put(text, pick(texts(text, file), stream)?, &format!("\"{}string\"", "list of ".repeat(5000)), Either)
    }),
    ("brackets 2,000 deep in an expression", |text, file, stream| {
        put(text, pick(texts(text, file), stream)?, &format!("\"{}1{}\"", "(".repeat(1900), ")".repeat(1900)), Either)
    }),
    ("null character in a text", |text, file, stream| {
        let of = pick(texts(text, file), stream)?;
        put(text, of.start + 1..of.start + 1, "\0", Told)
    }),
    ("line break in a text", |text, file, stream| {
        let of = pick(texts(text, file), stream)?;
        put(text, of.start + 1..of.start + 1, "\n", Told)
    }),
    ("zero-width space in a text", |text, file, stream| {
        let of = pick(texts(text, file), stream)?;
        put(text, of.start + 1..of.start + 1, "\u{200b}", Either)
    }),
    ("letter misspelt", |text, _, stream| {
        let at = place(text, stream, |c| c.is_ascii_lowercase())?;
        put(text, at..at + 1, "q", Either)
    }),
    ("sign left out", |text, _, stream| {
        let at = place(text, stream, |c| "{}[](),:;\"=".contains(c))?;
        put(text, at..at + 1, "", Either)
    }),
    ("sign doubled", |text, _, stream| {
        let at = place(text, stream, |c| "{}[](),:\"".contains(c))?;
        put(text, at..at, &text[at..=at], Either)
    }),
    ("curly quotes", |text, _, stream| {
        let at = place(text, stream, |c| c == '"')?;
        put(text, at..at + 1, "\u{201c}", Either)
    }),
    ("no-break space", |text, _, stream| {
        let at = place(text, stream, |c| c == ' ')?;
        put(text, at..at + 1, "\u{a0}", Either)
    }),
    ("line left out", |text, _, stream| {
        let line = pick(lines(text), stream)?;
        put(text, line, "", Either)
    }),
    ("line doubled", |text, _, stream| {
        let line = pick(lines(text), stream)?;
        put(text, line.start..line.start, &text[line.clone()], Either)
    }),
    ("marks of a merge", |text, _, stream| {
        let line = pick(lines(text), stream)?;
        let both = format!("<<<<<<< HEAD\n{0}=======\n{0}>>>>>>> side\n", &text[line.clone()]);
        put(text, line, &both, Told)
    }),
    ("cut off", |text, _, stream| {
        let at = place(text, stream, |c| !c.is_whitespace())?;
        (at + 4 < text.trim_end().len()).then(|| (text.as_bytes()[..at].to_vec(), if at == 0 { Told } else { Either }))
    }),
    ("nothing in it", |_, _, stream| {
        let all = ["", " \n", "null", "[]", "{}", "\"\"", "\u{feff}"];
        Some((stream.pick(&all)?.as_bytes().to_vec(), Told))
    }),
    ("carriage returns", |text, _, _| Some((text.replace('\n', "\r\n").into_bytes(), Clean))),
    ("carriage returns alone", |text, _, _| Some((text.replace('\n', "\r").into_bytes(), Either))),
    ("byte order mark", |text, _, _| put(text, 0..0, "\u{feff}", Told)),
    ("not UTF-8", |text, _, stream| {
        let at = place(text, stream, |c| c.is_ascii_alphabetic())?;
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = 0xe9;
        Some((bytes, Told))
    }),
    ("words of another language", |text, file, stream| {
        let script = file.ends_with(".rhai").then_some(text)?;
        let (from, to) = *stream.pick(&[("fn ", "function "), ("let ", "var "), ("&&", "and"), ("true", "True")])?;
        let at = script.find(from)?;
        put(text, at..at + from.len(), to, Either)
    }),
];

fn put(text: &str, range: Range<usize>, by: &str, expected: Expected) -> Slipped {
    Some((format!("{}{by}{}", &text[..range.start], &text[range.end..]).into_bytes(), expected))
}

fn pick(ranges: Vec<Range<usize>>, stream: &mut Stream) -> Option<Range<usize>> {
    stream.pick(&ranges).cloned()
}

/// A place of a character of some kind.
fn place(text: &str, stream: &mut Stream, is: impl Fn(char) -> bool) -> Option<usize> {
    let all: Vec<usize> = text.char_indices().filter(|(_, c)| is(*c)).map(|(at, _)| at).collect();
    stream.pick(&all).copied()
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let line = |line: &str| {
        let range = start..start + line.len();
        start = range.end;
        range
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Texts with their quotes, outside of comments, and whether a colon follows.
fn strings(text: &str, file: &str) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    let mut at = 0;
    let Some(comment) = [(".json", "//"), (".toml", "#")].into_iter().find(|(end, _)| file.ends_with(end)) else {
        return found;
    };
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(comment.1) {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with('"') {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            let end = at + end.map_or(rest.len(), |(end, _)| end + 1);
            found.push((at..end, text[end..].trim_start().starts_with(':')));
            at = end;
        } else {
            at += rest.chars().next().unwrap().len_utf8();
        }
    }
    found
}

fn keys(text: &str, file: &str) -> Vec<Range<usize>> {
    strings(text, file)
        .into_iter()
        .filter(|(range, is_key)| *is_key && range.len() > 3)
        .map(|(range, _)| range)
        .collect()
}

fn texts(text: &str, file: &str) -> Vec<Range<usize>> {
    strings(text, file).into_iter().filter(|(_, is_key)| !is_key).map(|(range, _)| range).collect()
}

/// Numbers outside of texts.
fn numbers(text: &str, file: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    for (string, _) in strings(text, file) {
        let between = &text[from..string.start];
        let mut start = None;
        for (at, c) in between.char_indices() {
            match (c.is_ascii_digit() || c == '-' || c == '.', start) {
                (true, None) => start = Some(at),
                (false, Some(first)) => {
                    found.push(from + first..from + at);
                    start = None;
                }
                (true, Some(_)) | (false, None) => {}
            }
        }
        from = string.end;
    }
    found.retain(|range| text[range.clone()].parse::<f64>().is_ok());
    found
}

/// Where the value of a key ends.
fn end_of_value(text: &str, from: usize) -> Option<usize> {
    let start = from + text[from..].find(':')? + 1;
    let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<serde::de::IgnoredAny>();
    stream.next()?.ok()?;
    Some(start + stream.byte_offset())
}
