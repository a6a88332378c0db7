//! What a model thought, where a server left it among what was said.

use std::ops::Range;

/// The tags between which models think, open and closed.
const TAGS: [(&str, &str); 12] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
];
/// How the channels of the harmony form begin.
const CHANNEL: &str = "<|channel|>";
const ENDS: [&str; 4] = ["<|end|>", "<|return|>", "<|call|>", "<|start|>"];

/// A tag where it stands.
struct Tag {
    place: Range<usize>,
    kind: usize,
    is_open: bool,
}

/// An agent's words without what it thought, and how many such places there were.
///
/// A thought stands between tags, which may be nested, or before a closing tag that nothing opened: then it began in
/// the prompt. One that is opened and never closed was cut off, and goes to the end; a tag in the middle of a sentence
/// is spoken of. Tags in code, fenced or between backticks, are quoted.
pub fn without_thoughts(text: &str) -> (String, u32) {
    let (said, channels) = match channelled(text) {
        Some(said) => (said, 1),
        None => (text.to_owned(), 0),
    };
    let (said, count) = untagged(&said);
    match channels + count {
        0 => (said, 0),
        count => (said.trim().to_owned(), count),
    }
}

fn untagged(text: &str) -> (String, u32) {
    let tags = tags(text);
    let last_close = |kind: usize| tags.iter().rposition(|tag| tag.kind == kind && !tag.is_open);
    let last_closes: Vec<Option<usize>> = (0..TAGS.len()).map(last_close).collect();
    let (mut said, mut count, mut from, mut at) = (String::new(), 0, 0, 0);
    while let Some(tag) = tags.get(at) {
        let before = text.get(from..tag.place.start).unwrap_or_default();
        let last = last_closes.get(tag.kind).copied().flatten().filter(|last| *last > at);
        at += 1;
        match (tag.is_open, last) {
            (false, _) => {
                count += u32::from(!said.trim().is_empty() || !before.trim().is_empty());
                said.clear();
                from = tag.place.end;
            }
            (true, Some(last)) => {
                let end = closing(&tags, at - 1, last);
                said.push_str(before);
                count += 1;
                from = tags.get(end).map_or(text.len(), |tag| tag.place.end);
                at = end + 1;
            }
            (true, None) if is_spoken_of(text, &tag.place) => {}
            (true, None) => {
                said.push_str(before);
                return (said, count + 1);
            }
        }
    }
    said.push_str(text.get(from..).unwrap_or_default());
    (said, count)
}

/// Which tag closes one: where as many are closed as were opened, else the last of its kind.
fn closing(tags: &[Tag], open: usize, last: usize) -> usize {
    let kind = tags.get(open).map(|tag| tag.kind);
    let mut depth = 0_usize;
    for (at, tag) in tags.iter().enumerate().take(last).skip(open).filter(|(_, tag)| Some(tag.kind) == kind) {
        depth = if tag.is_open { depth + 1 } else { depth.saturating_sub(1) };
        if depth == 0 {
            return at;
        }
    }
    last
}

/// Whether a tag that is never closed stands within a sentence, as a word of it.
fn is_spoken_of(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end();
    let is_within = line.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ',' | '"' | '(' | '\''));
    let after = text.get(place.end..).unwrap_or_default();
    is_within && after.starts_with([' ', '.', ',', '"', ')', '\'', '?', '!'])
}

/// The tags of a text that are not quoted, in order.
fn tags(text: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    let lower = text.to_ascii_lowercase();
    for (at, _) in lower.match_indices(['<', '[', '◁']) {
        let rest = lower.get(at..).unwrap_or_default();
        let tag = TAGS.iter().enumerate().find_map(|(kind, (open, close))| {
            let (tag, is_open) = [(open, true), (close, false)].into_iter().find(|(tag, _)| rest.starts_with(**tag))?;
            Some(Tag { place: at..at + tag.len(), kind, is_open })
        });
        found.extend(tag);
    }
    if !found.is_empty() {
        let quoted = quoted(text);
        found.retain(|tag| {
            let next = quoted.partition_point(|code| code.end <= tag.place.start);
            quoted.get(next).is_none_or(|code| code.start > tag.place.start)
        });
    }
    found
}

/// Where code stands: in fences that are closed, and between backticks of a line.
fn quoted(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut at): (Vec<Range<usize>>, Option<(usize, char)>, usize) = (Vec::new(), None, 0);
    let mut inline = Vec::new();
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let mark = ['`', '~'].into_iter().find(|mark| trimmed.chars().take_while(|c| c == mark).count() >= 3);
        let is_bare = mark.is_some_and(|mark| trimmed.chars().all(|c| c == mark));
        match (mark, open) {
            (Some(mark), Some((start, opened))) if is_bare && mark == opened => {
                inline.retain(|code: &Range<usize>| code.start < start);
                found.push(start..at + line.len());
                open = None;
            }
            // A fence with a language opens one: the fence before it was never closed.
            (Some(mark), _) => open = Some((at, mark)),
            (None, _) => {
                let ticks: Vec<usize> = line.match_indices('`').map(|(tick, _)| at + tick).collect();
                inline.extend(ticks.chunks_exact(2).filter_map(|pair| Some(*pair.first()?..*pair.last()? + 1)));
            }
        }
        at += line.len();
    }
    found.extend(inline);
    found.sort_by_key(|code| code.start);
    found
}

/// What is said on channels other than `analysis`, and to nobody but the user; nothing where there are no channels.
fn channelled(text: &str) -> Option<String> {
    if !text.contains(CHANNEL) {
        // The same with its marks left out.
        let thought = text.trim_start().strip_prefix("analysis")?;
        return thought.rsplit_once("assistantfinal").map(|(_, said)| said.to_owned());
    }
    let mut parts = text.split(CHANNEL);
    let mut said = until_end(parts.next().unwrap_or_default()).to_owned();
    for part in parts {
        let (head, body) = part.split_once("<|message|>").unwrap_or_else(|| {
            let name = part.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
            part.split_at(name)
        });
        let is_said = head.split_whitespace().next() != Some("analysis") && !head.contains("to=");
        said.push_str(if is_said { until_end(body) } else { "" });
    }
    Some(said)
}

fn until_end(text: &str) -> &str {
    let end = ENDS.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold};
    use proptest::prelude::*;

    /// How many thoughts are left out, and what is said.
    fn said(text: &str) -> String {
        let (said, count) = without_thoughts(text);
        format!("{count}: {}", said.replace('\n', "\\n"))
    }

    #[test]
    fn what_is_thought_is_left_out_as_the_cases_say() {
        hold(include_str!("thoughts_cases.txt"), &[("said", said as Reader)]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(parts in prop::collection::vec(prop::sample::select(vec![
            "<think>", "</think>", "[THINK]", "[/think]", "`", "```\n", "\n", "~~~", "é", "a ", "<|channel|>", "final",
            "<|message|>", "<|end|>", "◁think▷",
        ]), 0..30)) {
            let text = parts.concat();
            let (said, count) = without_thoughts(&text);
            prop_assert!(said.len() <= text.len() && (count > 0 || !said.contains("</think>") || text.contains('`') || text.contains('~')));
        }
    }
}
