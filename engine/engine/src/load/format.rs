//! The one style of authored files: what fits on a line stands on one, all else is broken by one blank a level. Plain
//! values, those of a list and those of an object without others, stand side by side.

use std::collections::BTreeMap;

use super::comment::{Comment, blank};
use super::position;
use super::tree::{Data, Spot, Tree};
use crate::model::diagnostic::Diagnostic;

/// The widest line, in characters; only a text that is longer itself goes beyond.
pub const WIDTH: usize = 110;

/// A file in the one style. What it holds, comments too, stays as it is.
///
/// # Errors
/// What keeps the text from being read as JSON.
pub fn format(file: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (blanked, comments) = blank(text);
    Ok(print(&position::tree(file, &blanked)?, comments))
}

/// A value with its comments as the text of a file.
pub fn print(tree: &Tree, comments: Vec<Comment>) -> String {
    let comments = comments.into_iter().map(|comment| (comment.at, comment)).collect();
    let mut printer = Printer { text: String::new(), comments };
    printer.comments_until(0, tree.at);
    printer.value(tree, 0, 0);
    printer.text.push('\n');
    printer.rest(0, None);
    printer.text
}

struct Printer {
    text: String,
    comments: BTreeMap<Spot, Comment>,
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
            let next = members.peek().map_or(of.end, |(_, next)| next.key.unwrap_or(next.at));
            let behind = self.behind(member, next);
            if is_side_by_side && is_plain && fits && behind.is_empty() && !self.has_comment_before(member) {
                self.text.push(' ');
            } else {
                self.line(indent);
                self.comments_until(indent, member.at);
                for comment in behind {
                    self.text.push_str(&comment.text);
                    self.line(indent);
                }
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

    /// Takes the comments that stand behind a value on the line where it ends, with no other member between, or right
    /// behind its opening bracket. The next member, or the end of what it stands in, is at `next`.
    fn behind(&mut self, tree: &Tree, next: Spot) -> Vec<Comment> {
        let last = if is_plain(tree) { tree.at } else { tree.end };
        let first = match &tree.data {
            Data::Scalar(_) => tree.at,
            Data::Array(items) => items.first().map_or(tree.end, |first| first.at),
            Data::Object(fields) => fields.first().map_or(tree.end, |(_, first)| first.key.unwrap_or(first.at)),
        };
        let is_of = |comment: &&Comment| {
            let is_inside = comment.at < first && comment.at.0 == tree.at.0;
            let is_after = comment.at > last && comment.at < next && comment.at.0 == last.0;
            comment.is_behind && (is_inside || is_after)
        };
        let spots: Vec<Spot> = self.comments.range(tree.at..next).map(|(_, c)| c).filter(is_of).map(|c| c.at).collect();
        spots.iter().filter_map(|spot| self.comments.remove(spot)).collect()
    }

    fn has_comment_before(&self, tree: &Tree) -> bool {
        self.comments.first_key_value().is_some_and(|(at, _)| *at < tree.at)
    }

    fn has_comment_in(&self, tree: &Tree) -> bool {
        self.comments.first_key_value().is_some_and(|(at, _)| *at < tree.end)
    }

    /// The comments up to a place, each on lines of its own.
    fn comments_until(&mut self, indent: usize, until: Spot) {
        while let Some(entry) = self.comments.first_entry().filter(|entry| *entry.key() < until) {
            let comment = entry.remove();
            self.text.push_str(&comment.text);
            self.line(indent);
        }
    }

    /// The comments before a closing bracket, or before the end of the file.
    fn rest(&mut self, indent: usize, of: Option<&Tree>) {
        while let Some(entry) =
            self.comments.first_entry().filter(|entry| of.is_none_or(|tree| *entry.key() < tree.end))
        {
            let comment = entry.remove();
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

    #[test]
    fn a_comment_behind_belongs_to_the_last_member_that_ends_on_its_line() {
        let text = "{\n \"a\": 1, \"b\": 2, // of b\n \"c\": [\n  1\n ], // of c\n \"d\": [ // of d\n  1, 2 // of 2\n ] // of d too\n}\n";
        let expected = "{\n \"a\": 1,\n // of b\n \"b\": 2,\n // of c\n \"c\": [1],\n // of d\n // of d too\n \"d\": [\n  1,\n  // of 2\n  2\n ]\n}\n";
        let once = format("a.json", text).unwrap();
        assert_eq!(once, expected);
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
