//! JSON text with places: where every value and key stands, by JSON Pointer.

use std::collections::BTreeMap;

use serde_json::Value;

use super::scan::{Scan, unsafe_integer};
use super::syntax;
use crate::model::diagnostic::{Diagnostic, Place};
use crate::model::{number, pointer};

/// The deepest nesting of objects and arrays in an authored file.
pub const MAX_DEPTH: usize = 64;

/// The longest text of an authored file, in bytes: texts are read word by word, and what is said of each word is kept.
pub const MAX_TEXT_BYTES: usize = 64 << 10;

/// A line and a column, both from 1; columns count characters.
pub type Spot = (usize, usize);

/// Where the values and keys of one JSON text stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    root: Option<Node>,
}

/// Where one value stands, and what is inside it. A tree, so that its size is that of the text
/// however long the keys are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) value: Spot,
    /// For an object or array: where its closing bracket is.
    pub(super) end: Spot,
    pub(super) key: Option<Spot>,
    pub(super) inside: Inside,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Nothing,
    Array(Vec<Node>),
    Object(BTreeMap<String, Node>),
}

impl Node {
    fn child(&self, segment: &str) -> Option<&Node> {
        match &self.inside {
            Inside::Nothing => None,
            Inside::Array(items) => items.get(segment.parse::<usize>().ok()?),
            Inside::Object(fields) => fields.get(segment),
        }
    }
}

impl Positions {
    pub(super) fn root(&self) -> Option<&Node> {
        self.root.as_ref()
    }

    /// The places of a value that was put together.
    pub(super) fn of_node(root: Node) -> Self {
        Positions { root: Some(root) }
    }

    /// Where everything of a scanned text stands.
    pub(super) fn of(scan: Scan) -> Self {
        Positions { root: scan.root }
    }

    /// The line and column of a place; of the nearest thing around it when the text has no such
    /// value; `(0, 0)` when there is nothing at all.
    pub fn locate(&self, place: &Place) -> Spot {
        match place {
            Place::Pointer(pointer) => self.nearest(pointer).map_or((0, 0), |(node, _)| node.value),
            Place::Key(pointer) => match self.nearest(pointer) {
                Some((Node { key: Some(key), .. }, true)) => *key,
                Some((node, _)) => node.value,
                None => (0, 0),
            },
            Place::Script { line, column, .. } => (*line, *column),
        }
    }

    /// The value at a pointer, or the innermost around it, and whether it is the one asked for.
    fn nearest(&self, pointer: &str) -> Option<(&Node, bool)> {
        let mut node = self.root.as_ref()?;
        let Some(segments) = pointer::split(pointer) else { return Some((node, false)) };
        for segment in segments {
            match node.child(&segment) {
                Some(child) => node = child,
                None => return Some((node, false)),
            }
        }
        Some((node, true))
    }
}

/// Parses one JSON value and notes where everything stands. Numbers come out in their one form
/// ([`number::normalise`]).
///
/// # Errors
/// A syntax error or nesting beyond [`MAX_DEPTH`], alone; else every key that an object has twice
/// and every integer beyond ±(2^53 - 1).
pub fn parse(file: &str, text: &str) -> Result<(Value, Positions), Vec<Diagnostic>> {
    read(file, text, false)
}

/// [`parse`] for what an author writes, whose texts have a limit.
///
/// # Errors
/// As [`parse`], and every text beyond [`MAX_TEXT_BYTES`].
pub fn parse_authored(file: &str, text: &str) -> Result<(Value, Positions), Vec<Diagnostic>> {
    read(file, text, true)
}

fn read(file: &str, text: &str, is_authored: bool) -> Result<(Value, Positions), Vec<Diagnostic>> {
    let mut scan = Scan::new(file, text);
    if let Some(too_deep) = scan.run() {
        return Err(vec![too_deep]);
    }
    let mut value: Value = serde_json::from_str(text)
        .map_err(|error| vec![syntax::diagnose(file, text, &error, scan.innermost_open())])?;
    if is_authored {
        scan.refused.append(&mut scan.long_texts);
    }
    if !scan.refused.is_empty() {
        scan.refused.sort();
        return Err(scan.refused);
    }
    let positions = Positions { root: scan.root };
    match number::normalise(&mut value) {
        Ok(()) => Ok((value, positions)),
        Err(pointer) => {
            let spot = positions.locate(&Place::Pointer(pointer));
            Err(vec![unsafe_integer(file, spot, "this integer")])
        }
    }
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
            parse_authored("a.json", &text).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(refused, [expected("2:2"), expected("2:65543")]);
        assert!(parse("a.json", &text).is_ok());
        assert!(parse_authored("a.json", &format!("[\"{}\"]", "a".repeat(MAX_TEXT_BYTES))).is_ok());
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
