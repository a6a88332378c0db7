//! A script as its functions, each with the comments above it, and how two changes of one come together.

use std::collections::BTreeSet;

use crate::merge::{Merge, by_lines};

/// A function, or what stands between two.
pub struct Piece<'t> {
    /// Its name; nothing of what stands between.
    pub name: Option<String>,
    pub text: &'t str,
}

/// What a script is made of, in its order.
pub fn parts(script: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some((start, open, name)) = next_function(script, at) {
        let end = closed(script, open);
        let start = with_comments(script, start, from);
        found.push(Piece { name: None, text: script.get(from..start).unwrap_or_default() });
        let earlier = found.iter().filter(|part| named(part).is_some_and(|own| own == name)).count();
        let name = if earlier > 0 { format!("{name} {}", earlier + 1) } else { name };
        found.push(Piece { name: Some(name), text: script.get(start..end).unwrap_or_default() });
        (from, at) = (end, end);
    }
    found.push(Piece { name: None, text: script.get(from..).unwrap_or_default() });
    found
}

fn named<'p>(part: &'p Piece<'_>) -> Option<&'p str> {
    part.name.as_deref().and_then(|name| name.split(' ').next())
}

/// The end of a text in quotation marks or of a comment that begins here; nothing where neither does.
pub fn skipped(script: &str, at: usize) -> Option<usize> {
    let rest = script.get(at..)?;
    let quoted = |mark: char| {
        let mut is_escaped = false;
        let inner = rest.get(mark.len_utf8()..).unwrap_or_default();
        let end = inner.find(|c| {
            let is_end = c == mark && !is_escaped;
            is_escaped = c == '\\' && mark != '`' && !is_escaped;
            is_end
        });
        end.map_or(script.len(), |end| at + end + 2)
    };
    match rest.chars().next()? {
        mark @ ('"' | '`' | '\'') => Some(quoted(mark)),
        '/' if rest.starts_with("//") => Some(rest.find('\n').map_or(script.len(), |end| at + end)),
        '/' if rest.starts_with("/*") => Some(rest.find("*/").map_or(script.len(), |end| at + end + 2)),
        _ => None,
    }
}

/// Where the next `fn` of the outermost level begins, where its name does, and the name.
fn next_function(script: &str, from: usize) -> Option<(usize, usize, String)> {
    let mut at = from;
    let mut depth = 0_usize;
    let mut before = ' ';
    while let Some(next) = script.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(end) = skipped(script, at) {
            at = end;
            before = ' ';
            continue;
        }
        depth = match next {
            '{' | '[' | '(' => depth + 1,
            '}' | ']' | ')' => depth.saturating_sub(1),
            _ => depth,
        };
        let rest = script.get(at..).unwrap_or_default();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if let (0, false, Some(behind)) = (depth, is_word(before), rest.strip_prefix("fn "))
            && let Some(name) = behind.split(|c| !is_word(c)).find(|word| !word.is_empty())
        {
            let line = script.get(..at).and_then(|above| above.rfind('\n')).map_or(0, |end| end + 1);
            return Some((line.max(from), at, name.to_owned()));
        }
        before = next;
        at += next.len_utf8();
    }
    None
}

/// Where the body of a function ends that begins behind a place.
fn closed(script: &str, from: usize) -> usize {
    let (mut at, mut depth) = (from, 0_usize);
    while let Some(next) = script.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(end) = skipped(script, at) {
            at = end;
            continue;
        }
        at += next.len_utf8();
        match next {
            '{' => depth += 1,
            '}' if depth <= 1 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    script.len()
}

/// Where the comments begin that stand right above a place.
fn with_comments(script: &str, start: usize, from: usize) -> usize {
    let mut start = start;
    while let Some(above) = script.get(from..start).and_then(|above| above.strip_suffix('\n')) {
        let line = above.rsplit('\n').next().unwrap_or_default();
        if !line.trim_start().starts_with("//") {
            break;
        }
        start -= line.len() + 1;
    }
    start
}

/// The author's script with what changed from the `old` import to the `new` one.
pub fn merged(old: &str, mine: &str, new: &str, merge: &mut Merge<'_>) -> String {
    let together = |old: &str, mine: &str, new: &str| by_lines(old, mine, new).or_else(|| by_loops(old, mine, new));
    let whole = merged_parts(&parts(old), &parts(mine), &parts(new), "\n\n", &together, merge);
    if whole.ends_with('\n') { whole } else { whole + "\n" }
}

/// The loops of a function's outermost level, each by its first line, and what stands between them.
fn loops(function: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    let mut open = None;
    for line in function.split_inclusive('\n') {
        let end = at + line.len();
        match &open {
            None if line.starts_with("    for ") && line.trim_end().ends_with('{') => {
                found.push(Piece { name: None, text: function.get(from..at).unwrap_or_default() });
                (open, from) = (Some(line.trim().to_owned()), at);
            }
            Some(_) if line.trim_end() == "    }" => {
                found.push(Piece { name: open.take(), text: function.get(from..end).unwrap_or_default() });
                from = end;
            }
            _ => {}
        }
        at = end;
    }
    found.push(Piece { name: None, text: function.get(from..).unwrap_or_default() });
    found
}

/// Two changes of a function brought together by its loops, where nothing else of it changed in the source.
fn by_loops(old: &str, mine: &str, new: &str) -> Option<String> {
    let (old, own, new) = (loops(old), loops(mine), loops(new));
    let between = |parts: &[Piece<'_>]| -> String {
        parts.iter().filter(|part| part.name.is_none()).map(|part| part.text).collect()
    };
    let is_once = |parts: &[Piece<'_>]| {
        let names: Vec<&String> = parts.iter().filter_map(|part| part.name.as_ref()).collect();
        !names.is_empty() && names.iter().enumerate().all(|(at, name)| !names.iter().take(at).any(|own| own == name))
    };
    if between(&old) != between(&new) || ![&old, &own, &new].iter().all(|parts| is_once(parts)) {
        return None;
    }
    let held = BTreeSet::new();
    let mut merge = Merge::new(&held);
    // A loop is brought together by its lines alone: it is made of itself.
    let text = merged_parts(&old, &own, &new, "", &by_lines, &mut merge);
    merge.is_done().then_some(text)
}

/// Two changes of a text brought together; nothing where both changed the same of it.
type Together<'t> = &'t dyn Fn(&str, &str, &str) -> Option<String>;

fn merged_parts(
    old: &[Piece<'_>],
    own: &[Piece<'_>],
    new: &[Piece<'_>],
    between: &str,
    together: Together<'_>,
    merge: &mut Merge<'_>,
) -> String {
    let find = |all: &[Piece<'_>], name: &str| -> Option<String> {
        all.iter().find(|part| part.name.as_deref() == Some(name)).map(|part| part.text.to_owned())
    };
    let mut texts: Vec<(Option<String>, String)> = Vec::new();
    for part in own {
        let Some(name) = &part.name else {
            texts.push((None, part.text.to_owned()));
            continue;
        };
        let (before, after) = (find(old, name), find(new, name));
        let kept = merge.within(name, |merge| match (before, after) {
            _ if merge.is_held() => Some(part.text.to_owned()),
            (Some(before), Some(after)) => Some(merged_text(&before, part.text, &after, together, merge)),
            (Some(before), None) if before == part.text => None,
            (None, None) => Some(part.text.to_owned()),
            (_, after) if after.as_deref() == Some(part.text) => Some(part.text.to_owned()),
            (_, after) => {
                merge.left(part.text, &after.unwrap_or_default());
                Some(part.text.to_owned())
            }
        });
        match kept {
            Some(text) => texts.push((Some(name.clone()), text)),
            // The blank lines before it go as well.
            None => drop(texts.pop_if(|(name, text)| name.is_none() && text.trim().is_empty())),
        }
    }
    let names: Vec<&String> = new.iter().filter_map(|part| part.name.as_ref()).collect();
    for (at, name) in names.iter().enumerate().filter(|(_, name)| find(own, name).is_none()) {
        let text = find(new, name).unwrap_or_default();
        // What the author has taken out stays out.
        let is_new = find(old, name).is_none() && merge.within(name, |merge| !merge.is_held());
        if is_new {
            let is_it = |known: &&String| texts.iter().position(|(own, _)| own.as_ref() == Some(*known));
            let first = if between.is_empty() { 1 } else { texts.len() };
            let place = names.iter().take(at).rev().find_map(is_it).map_or(first, |place| place + 1);
            let place = place.min(texts.len());
            texts.splice(place..place, [(None, between.to_owned()), (Some((*name).clone()), text)]);
        }
    }
    texts.into_iter().map(|(_, text)| text).collect()
}

fn merged_text(old: &str, mine: &str, new: &str, together: Together<'_>, merge: &mut Merge<'_>) -> String {
    if old == new || mine == new {
        return mine.to_owned();
    }
    match together(old, mine, new) {
        Some(text) => text,
        None => {
            merge.left(mine, new);
            mine.to_owned()
        }
    }
}
