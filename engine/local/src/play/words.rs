//! A line split into words: blanks within quotation marks, brackets and braces do not part.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins, in bytes.
    pub start: usize,
    pub text: &'a str,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words<'a> {
    pub words: Vec<Word<'a>>,
    /// The quotation mark, bracket or brace that is never closed.
    pub open: Option<char>,
}

pub fn split(line: &str) -> Words<'_> {
    let mut found = Words::default();
    let (mut start, mut closers, mut is_text, mut is_escaped) = (None, Vec::new(), false, false);
    for (at, c) in line.char_indices() {
        if c.is_whitespace() && !is_text && closers.is_empty() {
            found.words.extend(start.take().and_then(|start| word(line, start, at)));
            continue;
        }
        start.get_or_insert(at);
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => is_text = !is_text,
            '{' if !is_text => closers.push('}'),
            '[' if !is_text => closers.push(']'),
            c if !is_text && closers.last() == Some(&c) => drop(closers.pop()),
            _ => {}
        }
    }
    found.words.extend(start.and_then(|start| word(line, start, line.len())));
    let opener = |closer: char| if closer == '}' { '{' } else { '[' };
    found.open = if is_text { Some('"') } else { closers.last().copied().map(opener) };
    found
}

fn word(line: &str, start: usize, end: usize) -> Option<Word<'_>> {
    line.get(start..end).map(|text| Word { start, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<&str> {
        split(line).words.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn blanks_part_only_outside_of_json() {
        assert_eq!(texts("  a b=1\tc "), ["a", "b=1", "c"]);
        assert_eq!(
            texts(r#"t a="x \" y" b=[1, {"c": "] "}] d=é f"#),
            ["t", r#"a="x \" y""#, r#"b=[1, {"c": "] "}]"#, "d=é", "f"]
        );
        assert_eq!(texts("O'Neill ] x"), ["O'Neill", "]", "x"]);
        assert_eq!(split("a é b").words[2], Word { start: 5, text: "b" });
    }

    #[test]
    fn what_stays_open_is_named() {
        assert_eq!(split("a b=\"x y").open, Some('"'));
        assert_eq!(split("a b=[1, {").open, Some('{'));
        assert_eq!(split("a b=[1]").open, None);
    }
}
