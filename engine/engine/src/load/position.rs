//! JSON text with places: where every value and key stands, by JSON Pointer.

use serde_json::Value;

use super::comment::blank;
pub use super::scan::{MAX_DEPTH, MAX_TEXT_BYTES};
use super::scan::{Numbers, Scanned, scan};
pub use super::tree::Spot;
use super::tree::Tree;
use crate::model::diagnostic::{Diagnostic, Place};
use crate::model::pointer;

/// Where the values and keys of one JSON text stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    root: Option<Tree>,
}

impl Positions {
    /// A value that was read or put together, and its places.
    pub fn beside(tree: Tree) -> (Value, Self) {
        (tree.value(), Positions { root: Some(tree) })
    }

    /// The line and column of a place; of the nearest thing around it when the text has no such
    /// value; `(0, 0)` when there is nothing at all.
    pub fn locate(&self, place: &Place) -> Spot {
        match place {
            Place::Pointer(pointer) => self.nearest(pointer).map_or((0, 0), |(tree, _)| tree.at),
            Place::Key(pointer) => match self.nearest(pointer) {
                Some((Tree { key: Some(key), .. }, true)) => *key,
                Some((tree, _)) => tree.at,
                None => (0, 0),
            },
            Place::Script { line, column, .. } => (*line, *column),
        }
    }

    /// The value at a pointer, or the innermost around it, and whether it is the one asked for.
    fn nearest(&self, pointer: &str) -> Option<(&Tree, bool)> {
        let mut tree = self.root.as_ref()?;
        let Some(segments) = pointer::split(pointer) else { return Some((tree, false)) };
        for segment in segments {
            match tree.child(&segment) {
                Some(child) => tree = child,
                None => return Some((tree, false)),
            }
        }
        Some((tree, true))
    }
}

/// Parses one JSON value and notes where everything stands. Numbers come out in their one form
/// ([`number::normalise`](crate::model::number::normalise)).
///
/// # Errors
/// A syntax error or nesting beyond [`MAX_DEPTH`], alone; else every key that an object has twice
/// and every integer beyond ±(2^53 - 1).
pub fn parse(file: &str, text: &str) -> Result<(Value, Positions), Vec<Diagnostic>> {
    tree(file, text).map(Positions::beside)
}

/// [`parse`] with the value in its places.
///
/// # Errors
/// As [`parse`].
pub fn tree(file: &str, text: &str) -> Result<Tree, Vec<Diagnostic>> {
    accepted(scan(file, text, Numbers::Normal, 0))
}

/// [`tree`] for what an author writes: comments are passed over, and texts have a limit.
///
/// # Errors
/// As [`parse`], and every text beyond [`MAX_TEXT_BYTES`].
pub fn authored_tree(file: &str, text: &str) -> Result<Tree, Vec<Diagnostic>> {
    let (blanked, _) = blank(text);
    accepted(scan(file, &blanked, Numbers::Normal, 0).map(|mut found| {
        found.refused.append(&mut found.long_texts);
        found
    }))
}

fn accepted(found: Result<Scanned, Diagnostic>) -> Result<Tree, Vec<Diagnostic>> {
    let Scanned { tree, mut refused, .. } = found.map_err(|problem| vec![problem])?;
    refused.sort();
    if refused.is_empty() { Ok(tree) } else { Err(refused) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refusals(text: &str) -> Vec<String> {
        parse("a.json", text).unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_duplicate_key_and_unsafe_integer_is_reported() {
        let text =
            "{\"é\": 1, \"a\\u0062\": [9007199254740992],\n \"ab\": {\"x\": 1},\n \"é\": -1e300, \"c\": {\"x\": 2}}";
        let expected = [
            "a.json:1:22: error[unsafe_integer]: `9007199254740992` is beyond ±(2^53 - 1), \
             which not every reader of JSON keeps exactly\n  help: choose a number nearer to 0; only what is no amount, such as the digits of a card, is written as a text",
            "a.json:2:2: error[duplicate_key]: the key `ab` is given twice in one object\n  \
             help: it is first given at line 1, column 10",
            "a.json:3:2: error[duplicate_key]: the key `é` is given twice in one object\n  \
             help: it is first given at line 1, column 2",
            "a.json:3:7: error[unsafe_integer]: `-1e300` is beyond ±(2^53 - 1), \
             which not every reader of JSON keeps exactly\n  help: choose a number nearer to 0; only what is no amount, such as the digits of a card, is written as a text",
        ];
        assert_eq!(refusals(text), expected);
    }

    #[test]
    fn nesting_has_a_limit_and_no_text_overflows_the_stack() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse("a.json", &nested(64)).is_ok());
        let expected = ["a.json:1:65: error[too_deep]: nested deeper than 64 levels\n  help: make it flatter"];
        assert_eq!(refusals(&nested(65)), expected);
        assert_eq!(
            refusals(&"{\"a\":".repeat(100_000)),
            ["a.json:1:321: error[too_deep]: nested deeper than 64 levels\n  help: make it flatter"]
        );
    }

    #[test]
    fn places_fall_back_to_what_is_around_them() {
        let (value, positions) = parse("a.json", "\n{ \"a/b\": [1.0,\n  {\"c\": true}] }").unwrap();
        assert_eq!(value.to_string(), r#"{"a/b":[1,{"c":true}]}"#);
        let locate = |pointer: &str| {
            let pointer = pointer.to_owned();
            (positions.locate(&Place::Pointer(pointer.clone())), positions.locate(&Place::Key(pointer)))
        };
        assert_eq!(locate(""), ((2, 1), (2, 1)));
        assert_eq!(locate("/a~1b"), ((2, 10), (2, 3)));
        assert_eq!(locate("/a~1b/1/c"), ((3, 9), (3, 4)));
        assert_eq!(locate("/a~1b/1/d/e"), ((3, 3), (3, 3)));
        assert_eq!(locate("not a pointer"), ((2, 1), (2, 1)));
        assert_eq!(Positions::default().locate(&Place::Pointer("/a".to_owned())), (0, 0));
    }

    #[test]
    fn long_texts_and_keys_are_refused_where_they_stand() {
        let long = "a".repeat(MAX_TEXT_BYTES + 1);
        let expected = |place: &str| {
            let message = "error[text_too_long]: the text has 65537 bytes; it may have 65536";
            format!("a.json:{place}: {message}\n  help: say it in fewer words, or in several texts")
        };
        let text = format!("{{\"a\":\n \"{long}\", \"{long}\": 1}}");
        let refused: Vec<String> =
            authored_tree("a.json", &text).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(refused, [expected("2:2"), expected("2:65543")]);
        assert!(parse("a.json", &text).is_ok());
        assert!(authored_tree("a.json", &format!("[\"{}\"]", "a".repeat(MAX_TEXT_BYTES))).is_ok());
    }

    #[test]
    fn long_keys_cost_no_more_than_their_text() {
        let text = format!("{{\"{}\": [{}]}}", "k".repeat(60_000), vec!["1"; 100_000].join(","));
        let (_, positions) = parse("a.json", &text).unwrap();
        let place = Place::Pointer(format!("/{}/99999", "k".repeat(60_000)));
        assert_eq!(positions.locate(&place), (1, text.chars().count() - 2));
    }

    fn tail(text: &str, (line, column): Spot) -> String {
        let lines: Vec<&str> = text.split('\n').skip(line - 1).collect();
        lines.join("\n").chars().skip(column - 1).collect()
    }

    fn check(text: &str, positions: &Positions, path: &str, value: &Value) {
        let from = tail(text, positions.locate(&Place::Pointer(path.to_owned())));
        let found: Value = serde_json::Deserializer::from_str(&from).into_iter().next().unwrap().unwrap();
        assert_eq!(&found, value, "{path:?}");
        let children: Vec<(String, &Value)> = match value {
            Value::Array(items) => items.iter().enumerate().map(|(i, item)| (format!("{path}/{i}"), item)).collect(),
            Value::Object(map) => {
                map.iter().map(|(key, item)| (format!("{path}/{}", pointer::escape(key)), item)).collect()
            }
            _ => Vec::new(),
        };
        for (child, value) in children {
            if matches!(found, Value::Object(_)) {
                let from = tail(text, positions.locate(&Place::Key(child.clone())));
                let key: Value = serde_json::Deserializer::from_str(&from).into_iter().next().unwrap().unwrap();
                assert!(child.ends_with(&format!("/{}", pointer::escape(key.as_str().unwrap()))));
            }
            check(text, positions, &child, value);
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-1_000_000_i64..1_000_000).prop_map(Value::from),
            "[a\"\\\\\n{}\\[\\]:, é😀/~]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-c\"\\\\{/~é😀]{0,3}", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_value_is_found_where_it_stands(value in any_json()) {
            for text in [serde_json::to_string_pretty(&value).unwrap(), value.to_string()] {
                let (parsed, positions) = parse("a.json", &text).unwrap();
                prop_assert_eq!(&parsed, &value);
                check(&text, &positions, "", &value);
            }
        }

        #[test]
        fn no_text_makes_the_door_panic(text in "[\\[\\]{}:,\"'0-9a-c\\\\/#. \n\té😀-]{0,40}") {
            let _ = parse("a.json", &text);
        }
    }
}
