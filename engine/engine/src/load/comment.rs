//! Comments in authored files: `// to the end of the line` and `/* between these */`.

use super::tree::Spot;

/// A comment and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where it starts.
    pub at: Spot,
    /// Its text, with what marks it as a comment.
    pub text: String,
    /// Whether a value or a bracket stands before it on its line.
    pub is_behind: bool,
}

/// The text with a blank for each character of a comment, so that everything else keeps its place, and the comments.
/// One that is not closed is left as it stands: it is no JSON, and is reported there.
pub fn blank(text: &str) -> (String, Vec<Comment>) {
    let mut scan = Blanking { blanked: String::with_capacity(text.len()), at: (1, 1), is_behind: false };
    let (mut rest, mut comments) = (text, Vec::new());
    // Behind the last `*/` no comment is closed, which need not be looked for again at each that is opened.
    let mut last_end = text.rfind("*/").map(|end| text.len() - end);
    while !rest.is_empty() {
        last_end = last_end.filter(|end| *end <= rest.len());
        let (kind, length) = token(rest, last_end.is_some());
        let (taken, left) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if kind == Kind::Comment {
            let text = taken.trim_end().to_owned();
            comments.push(Comment { at: scan.at, text, is_behind: scan.is_behind });
        }
        taken.chars().for_each(|next| scan.take(next, kind));
        rest = left;
    }
    (scan.blanked, comments)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Comment,
    /// A string, or characters outside of strings and comments.
    Text,
}

struct Blanking {
    blanked: String,
    at: Spot,
    /// Whether something stands on this line already.
    is_behind: bool,
}

impl Blanking {
    fn take(&mut self, next: char, kind: Kind) {
        if next == '\n' {
            self.at = (self.at.0 + 1, 1);
            self.is_behind = false;
        } else {
            self.at.1 += 1;
            self.is_behind |= kind == Kind::Text && !next.is_whitespace();
        }
        self.blanked.push(if kind == Kind::Text || next == '\n' { next } else { ' ' });
    }
}

/// What comes next and its length: a string, a comment, or all up to one of them. `is_closing`: a `*/` comes yet.
fn token(rest: &str, is_closing: bool) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if let Some(inside) = rest.strip_prefix("/*") {
        let end = if is_closing { inside.find("*/") } else { None };
        return end.map_or((Kind::Text, 1), |end| (Kind::Comment, end + 4));
    }
    if !rest.starts_with('"') {
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let others = rest.get(first..).and_then(|rest| rest.find(['"', '/']));
        return (Kind::Text, others.map_or(rest.len(), |end| first + end));
    }
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, next)| {
        let ends = matches!(next, '"' | '\n') && !escaped;
        escaped = *next == '\\' && !escaped;
        ends
    });
    (Kind::Text, end.map_or(rest.len(), |(quote, _)| quote + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_blanks_and_all_else_keeps_its_place() {
        let text = "{ // é\n  \"a//b\": 1, /* x\n y */ \"c\": \"/* no */\"\n}\n// end";
        let (blanked, comments) = blank(text);
        assert_eq!(blanked, "{     \n  \"a//b\": 1,     \n      \"c\": \"/* no */\"\n}\n      ");
        let found: Vec<_> = comments.iter().map(|c| (c.at, c.text.as_str(), c.is_behind)).collect();
        assert_eq!(found, [((1, 3), "// é", true), ((2, 14), "/* x\n y */", true), ((5, 1), "// end", false)]);
    }

    /// Each of these took minutes when something was looked for anew at every comment.
    #[test]
    fn one_long_line_is_read_once() {
        for piece in ["{\"a\":[1,2]}", "/* ", "/* a */ 1", "\"", "/ "] {
            let line = piece.repeat((8 << 20) / piece.len());
            let (blanked, comments) = blank(&line);
            assert_eq!(blanked.len(), line.len());
            assert_eq!(comments.len(), if piece.contains("*/") { (8 << 20) / piece.len() } else { 0 }, "{piece}");
        }
        let behind = "[1, /* a */ 2]".repeat(1000);
        assert!(blank(&behind).1.iter().all(|comment| comment.is_behind));
    }

    #[test]
    fn what_is_no_comment_is_left() {
        for text in ["{\"a\": 1 / 2}", "{} /* open", "\"a\\\"//\"", "\"open // \n"] {
            assert_eq!(blank(text).0, text);
        }
    }
}
