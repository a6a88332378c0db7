//! The one style of authored files: what fits on a line stands on one, all else is broken by one blank a level. Plain
//! values, those of a list and those of an object without others, stand side by side.

use super::comment::{Comment, blank};
use super::position;
use super::tree::{Data, Tree};
use crate::model::diagnostic::Diagnostic;

/// The widest line, in characters; only a text that is longer itself goes beyond.
pub const WIDTH: usize = 110;

/// A file in the one style. What it holds, comments too, stays as it is.
///
/// # Errors
/// What keeps the text from being read as JSON.
pub fn format(file: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (blanked, comments) = blank(text);
    let (value, positions) = position::parse(file, &blanked)?;
    Ok(print(&Tree::of(value, &positions), comments))
}

/// A value with its comments as the text of a file.
pub fn print(tree: &Tree, comments: Vec<Comment>) -> String {
    let mut printer = Printer { text: String::new(), comments: comments.into_iter().peekable() };
    printer.comments_before(0, tree, true);
    printer.value(tree, 0, 0);
    printer.text.push('\n');
    printer.rest(0, None);
    printer.text
}

struct Printer {
    text: String,
    comments: std::iter::Peekable<std::vec::IntoIter<Comment>>,
}

impl Printer {
    /// A value behind what stands on its line, which is so wide; `after` characters follow it.
    fn value(&mut self, tree: &Tree, indent: usize, after: usize) {
        let used = self.text.rsplit('\n').next().unwrap_or_default().chars().count();
        let inner = flat(tree);
        let is_whole = indent == 0 && !is_empty(tree) && matches!(tree.data, Data::Object(_));
        if !is_whole && !self.has_comment_in(tree) && used + inner.chars().count() + after <= WIDTH {
            self.text.push_str(&inner);
            return;
        }
        match &tree.data {
            Data::Scalar(_) => self.text.push_str(&inner),
            Data::Array(items) => {
                self.text.push('[');
                self.members(items.iter().map(|item| (None, item)), tree, indent + 1);
                self.text.push(']');
            }
            Data::Object(fields) => {
                self.text.push('{');
                self.members(fields.iter().map(|(key, field)| (Some(key.as_str()), field)), tree, indent + 1);
                self.text.push('}');
            }
        }
    }

    /// What is inside brackets, each on lines of its own; plain values of a list, or of an object that holds nothing
    /// else, side by side.
    fn members<'a>(&mut self, members: impl Iterator<Item = (Option<&'a str>, &'a Tree)>, of: &Tree, indent: usize) {
        let is_record = indent > 1 && of.fields().is_some_and(|fields| fields.iter().all(|(_, field)| is_plain(field)));
        let mut members = members.peekable();
        let mut is_side_by_side = false;
        while let Some((key, member)) = members.next() {
            let after = usize::from(members.peek().is_some());
            let is_plain = is_plain(member) && (key.is_none() || is_record);
            let used = self.text.rsplit('\n').next().unwrap_or_default().chars().count();
            let key_width = key.map_or(0, |key| quoted(key).chars().count() + 2);
            let fits = used + 1 + key_width + flat(member).chars().count() + after <= WIDTH;
            if is_side_by_side && is_plain && fits && !self.has_comment_before(member) {
                self.text.push(' ');
            } else {
                self.line(indent);
                self.comments_before(indent, member, false);
            }
            if let Some(key) = key {
                self.text.push_str(&quoted(key));
                self.text.push_str(": ");
            }
            self.value(member, indent, after);
            if after > 0 {
                self.text.push(',');
            }
            is_side_by_side = is_plain;
        }
        self.rest(indent, Some(of));
        self.line(indent.saturating_sub(1));
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.push_str(&" ".repeat(indent));
    }

    fn is_before(comment: &Comment, tree: &Tree) -> bool {
        let start = tree.key.unwrap_or(tree.at);
        comment.at < start || (comment.is_behind && comment.at.0 == start.0)
    }

    fn has_comment_before(&mut self, tree: &Tree) -> bool {
        self.comments.peek().is_some_and(|comment| Self::is_before(comment, tree))
    }

    fn has_comment_in(&mut self, tree: &Tree) -> bool {
        self.comments.peek().is_some_and(|comment| comment.at < tree.end)
    }

    /// The comments that belong to a value, each on lines of its own above it.
    fn comments_before(&mut self, indent: usize, tree: &Tree, is_first: bool) {
        let is_of = |comment: &Comment| match is_first {
            true => comment.at < tree.at,
            false => Self::is_before(comment, tree),
        };
        while let Some(comment) = self.comments.next_if(is_of) {
            self.text.push_str(&comment.text);
            self.line(indent);
        }
    }

    /// The comments before a closing bracket, or before the end of the file.
    fn rest(&mut self, indent: usize, of: Option<&Tree>) {
        while let Some(comment) = self.comments.next_if(|comment| of.is_none_or(|tree| comment.at < tree.end)) {
            match of {
                Some(_) => {
                    self.line(indent);
                    self.text.push_str(&comment.text);
                }
                None => {
                    self.text.push_str(&comment.text);
                    self.text.push('\n');
                }
            }
        }
    }
}

fn is_plain(tree: &Tree) -> bool {
    matches!(tree.data, Data::Scalar(_))
}

fn is_empty(tree: &Tree) -> bool {
    tree.fields().is_some_and(<[_]>::is_empty)
}

/// A value on one line.
fn flat(tree: &Tree) -> String {
    match &tree.data {
        Data::Scalar(value) => value.to_string(),
        Data::Array(items) => format!("[{}]", items.iter().map(flat).collect::<Vec<_>>().join(", ")),
        Data::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| format!("{}: {}", quoted(key), flat(field)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn what_fits_stands_on_one_line() {
        let text = r#"{"b": [1, {"a": []}], "a": {"long": ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", "CCCCCCCCCCCCC", "D"]}, "c": 1.0}"#;
        let expected = r#"{
 "b": [1, {"a": []}],
 "a": {
  "long": [
   "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB",
   "CCCCCCCCCCCCC", "D"
  ]
 },
 "c": 1
}
"#;
        assert_eq!(format("a.json", text).unwrap(), expected);
    }

    #[test]
    fn comments_stay_with_what_they_are_about() {
        let text = "// first\n{\"a\": 1, // of a\n \"b\": [ /* of b */ 2,\n  // of 3\n  3\n  // last in b\n ]\n // last\n} // end\n";
        let expected = "// first\n{\n // of a\n \"a\": 1,\n // of b\n \"b\": [\n  2,\n  // of 3\n  3\n  // last in b\n ]\n // last\n}\n// end\n";
        let once = format("a.json", text).unwrap();
        assert_eq!(once, expected.replace("// of b\n", "/* of b */\n"));
        assert_eq!(format("a.json", &once).unwrap(), once);
    }

    fn values() -> impl Strategy<Value = Value> {
        let text = prop_oneof!["[ -~]{0,60}", "\\PC{0,8}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1000i64..1000).prop_map(Value::from),
            text.prop_map(Value::from)
        ];
        leaf.prop_recursive(5, 60, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::btree_map("[a-z/*\"]{0,12}", inner, 0..8)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn formatting_twice_is_formatting_once_and_the_value_stays(value in values(), note in "[a-z ]{0,9}") {
            let plain = serde_json::to_string_pretty(&value).unwrap();
            let commented = plain.replacen('\n', &format!(" // {note}\n /* {note} */\n"), 2);
            for text in [value.to_string(), plain, commented] {
                let once = format("a.json", &text).unwrap();
                let read: Value = serde_json::from_str(&blank(&once).0).unwrap();
                prop_assert_eq!(&read, &value);
                prop_assert_eq!(blank(&once).1.len(), blank(&text).1.len());
                prop_assert_eq!(format("a.json", &once).unwrap(), once);
            }
        }
    }
}
