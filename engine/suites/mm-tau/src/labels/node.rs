//! A JSON value that keeps every key of an object, also one that stands there twice: a repeated name is a fault to be
//! told, not a value to be lost.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Null,
    /// A whole number from 0 up.
    Count(u64),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
    /// A truth value, or a number that is negative, a fraction or greater than a count can be.
    Other,
}

impl Node {
    pub(super) fn title(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Count(_) => "a whole number",
            Node::Text(_) => "a text",
            Node::List(_) => "a list",
            Node::Object(_) => "an object",
            Node::Other => "a truth value, a fraction or a negative number",
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_u64<E>(self, count: u64) -> Result<Node, E> {
        Ok(Node::Count(count))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = object.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_key_is_kept() {
        let read: Node = serde_json::from_str(r#"{"b": [1, -1, 1.0, true, null], "a": "x", "b": {}}"#).unwrap();
        let list = Node::List(vec![Node::Count(1), Node::Other, Node::Other, Node::Other, Node::Null]);
        let entries = [("b", list), ("a", Node::Text("x".to_owned())), ("b", Node::Object(Vec::new()))];
        assert_eq!(read, Node::Object(entries.map(|(key, node)| (key.to_owned(), node)).to_vec()));
    }

    #[test]
    fn depth_is_bounded() {
        assert!(serde_json::from_str::<Node>(&"[".repeat(100_000)).is_err());
    }
}
