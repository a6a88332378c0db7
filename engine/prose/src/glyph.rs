//! What characters look like: digits and letters of other scripts that people read as ours, those nobody sees, and how
//! letters are written without their accents. `glyph.txt` lists them.

use std::sync::LazyLock;

use super::lookup::Lookup;

#[derive(Default)]
struct Glyphs {
    /// What is seen of a character, where that is another or none.
    seen: Lookup<char, Option<char>>,
    plain: Lookup<char, &'static str>,
}

static GLYPHS: LazyLock<Glyphs> = LazyLock::new(|| {
    let mut glyphs = Glyphs::default();
    let rows = |text: &'static str| {
        text.lines().filter(|line| !line.starts_with("# ")).filter_map(|line| line.split_once(' '))
    };
    let (seen, accents) = include_str!("glyph.txt").split_once("= accents\n").unwrap_or_default();
    for (own, alike) in rows(seen) {
        let own = if own == "hidden" { Vec::new() } else { row(own, 1) };
        for (at, like) in alike.split(' ').flat_map(|alike| row(alike, own.len()).into_iter().enumerate()) {
            glyphs.seen.insert(like, own.get(at).copied());
        }
    }
    rows(accents).for_each(|(own, letters)| letters.chars().for_each(|letter| glyphs.plain.insert(letter, own)));
    glyphs
});

/// Some characters, written out, or from the first on, or up to the last.
fn row(text: &str, length: usize) -> Vec<char> {
    let code = |text: &str| u32::from_str_radix(text.strip_prefix("U+")?, 16).ok();
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match code(first).zip(code(last)) {
        Some((first, last)) if last > first => (first..=last).filter_map(char::from_u32).collect(),
        Some((first, _)) => (first..).take(length.max(1)).filter_map(char::from_u32).collect(),
        None => text.chars().collect(),
    }
}

/// The character that readers take `c` for; `None` for one that they do not see.
///
/// `１` and `١` are 1, the Cyrillic `с` is c, and a soft hyphen or a zero-width blank is nothing.
pub fn seen(c: char) -> Option<char> {
    if c.is_ascii() { Some(c) } else { GLYPHS.seen.get(&c).copied().unwrap_or(Some(c)) }
}

/// The characters of a text as they are seen, each with its place in the text.
pub fn seen_in(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.chars().enumerate().filter_map(|(at, c)| Some((at, seen(c)?)))
}

/// A small letter without its accent, where it has one.
pub fn without_accent(c: char) -> Option<&'static str> {
    if c.is_ascii() { None } else { GLYPHS.plain.get(&c).copied() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_character_looks_like_one() {
        let written =
            include_str!("glyph.txt").lines().filter(|line| !line.starts_with(['#', '=']) && !line.is_empty());
        for (own, alike) in written.take_while(|line| !line.starts_with("a ")).filter_map(|line| line.split_once(' ')) {
            let odd = |row: &&str| !row.starts_with("U+") && row.chars().count() != own.chars().count();
            assert_eq!(alike.split(' ').find(odd), None, "{own}");
        }
    }
}
