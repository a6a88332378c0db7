//! Comments in authored files: `// to the end of the line` and `/* between these */`.

use super::position::Spot;

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
    let (mut blanked, mut comments) = (String::with_capacity(text.len()), Vec::new());
    let (mut rest, mut line, mut start) = (text, 1, 0);
    while let Some(next) = rest.chars().next() {
        let token = token(rest);
        let (taken, left) = rest.split_at_checked(token).unwrap_or((rest, ""));
        if next == '/' && taken.len() > 1 {
            let before = blanked.get(start..).unwrap_or_default();
            comments.push(Comment {
                at: (line, before.chars().count() + 1),
                text: taken.trim_end().to_owned(),
                is_behind: !before.trim().is_empty(),
            });
            blanked.extend(taken.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            blanked.push_str(taken);
        }
        line += taken.matches('\n').count();
        start = blanked.rfind('\n').filter(|_| taken.contains('\n')).map_or(start, |end| end + 1);
        rest = left;
    }
    (blanked, comments)
}

/// The length of what comes next: a string, a comment, or one character.
fn token(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if let Some(inside) = rest.strip_prefix("/*") {
        return inside.find("*/").map_or(1, |end| end + 4);
    }
    if !rest.starts_with('"') {
        return rest.chars().next().map_or(0, char::len_utf8);
    }
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, next)| {
        let ends = matches!(next, '"' | '\n') && !escaped;
        escaped = *next == '\\' && !escaped;
        ends
    });
    end.map_or(rest.len(), |(quote, _)| quote + 1)
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

    #[test]
    fn what_is_no_comment_is_left() {
        for text in ["{\"a\": 1 / 2}", "{} /* open", "\"a\\\"//\"", "\"open // \n"] {
            assert_eq!(blank(text).0, text);
        }
    }
}
