//! Tests as data: texts with what is read of them.
//!
//! `[days] days are read` begins a section: the reader, and what its cases show. Each line below it is a case,
//! `the 12th => 2026-06-12`; `[days: none] ..` says of all cases what they are read as. `""` is the empty text, and `\n`,
//! `\\` and `\u{ad}` are what they are in Rust.

use std::collections::BTreeSet;
use std::fmt::Display;

/// Reads a text, and tells what it read.
pub type Reader<F = String> = fn(&str) -> F;

/// What was read of a text, and whether it is what a case says: the same text, where a reader writes what it read.
pub trait Meets: Display {
    fn meets(&self, expected: &str) -> bool;
}

impl Meets for String {
    fn meets(&self, expected: &str) -> bool {
        self == expected
    }
}

/// Fails with all cases that are read otherwise than they say, and with the readers that have no case.
pub fn hold<F: Meets>(cases: &str, readers: &[(&str, Reader<F>)]) {
    let (mut wrong, mut unused) = (Vec::new(), readers.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>());
    let (mut title, mut all, mut read): (&str, Option<&str>, Option<Reader<F>>) = ("", None, None);
    let mut count = usize::MAX;
    for line in cases.lines().filter(|line| !line.is_empty()) {
        let section =
            line.strip_prefix('[').filter(|line| line.starts_with(char::is_alphabetic) && !line.contains(" => "));
        if let Some((head, rest)) = section.and_then(|line| line.split_once("] ")) {
            assert!(count > 0, "{title}: no case");
            count = 0;
            let name = head.split(": ").next().unwrap();
            (title, all) = (rest, head.split_once(": ").map(|(_, all)| all));
            read = readers.iter().find(|(own, _)| *own == name).map(|(_, read)| *read);
            unused.remove(name);
            continue;
        }
        count = count.saturating_add(1);
        let (text, expected) = all.map_or_else(|| line.rsplit_once(" => ").unwrap(), |all| (line, all));
        let found = read.unwrap_or_else(|| panic!("nothing reads {title}"))(&plain(text));
        if !found.meets(expected) {
            wrong.push(format!("{title}: {text} => {found}, not {expected}"));
        }
    }
    assert!(count > 0, "{title}: no case");
    assert!(wrong.is_empty() && unused.is_empty(), "{}\nwithout a case: {unused:?}", wrong.join("\n"));
}

/// The two texts of a case that has two.
pub fn pair(text: &str) -> (&str, &str) {
    text.split_once(" | ").unwrap_or((text, ""))
}

pub fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

/// Some readings in a row, or `none`.
pub fn row<T: ToString>(found: impl IntoIterator<Item = T>, joint: &str) -> String {
    let found: Vec<String> = found.into_iter().map(|one| one.to_string()).collect();
    if found.is_empty() { "none".to_owned() } else { found.join(joint) }
}

fn plain(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut plain = parts.next().filter(|first| *first != "\"\"").unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        if part.is_empty() {
            plain.push('\\');
            plain.push_str(parts.next().unwrap());
        } else if let Some((code, rest)) = part.strip_prefix("u{").and_then(|part| part.split_once('}')) {
            plain.push(u32::from_str_radix(code, 16).ok().and_then(char::from_u32).unwrap());
            plain.push_str(rest);
        } else {
            plain.push('\n');
            plain.push_str(part.strip_prefix('n').unwrap());
        }
    }
    plain
}
