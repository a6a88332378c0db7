//! One pass over JSON text that notes places, keys given twice and integers that are not safe.

use std::collections::BTreeMap;

use serde_json::Value;

use super::position::{Inside, MAX_DEPTH, MAX_TEXT_BYTES, Node, Spot};
use crate::model::diagnostic::Diagnostic;
use crate::model::number;
use crate::model::pointer::join;

/// Most problems of a kind that are told of one text.
const MAX_FOUND: usize = 1000;

/// It trusts the text to be JSON; what it gathers from other text must not be used.
pub(super) struct Scan<'a> {
    file: &'a str,
    rest: &'a str,
    spot: Spot,
    /// The objects and arrays that are open here, the innermost last.
    open: Vec<Open>,
    /// The whole text's value, once it has ended.
    pub(super) root: Option<Node>,
    /// Duplicate keys and unsafe integers.
    pub(super) refused: Vec<Diagnostic>,
    /// JSON Pointers of integers beyond 64 bits.
    pub(super) wide: Vec<String>,
    /// JSON Pointers of zeros that are written `-0`.
    pub(super) minus_zeros: Vec<String>,
    /// Texts and keys that are longer than an author's may be.
    pub(super) long_texts: Vec<Diagnostic>,
}

struct Open {
    node: Node,
    /// In an object, the key whose value comes next.
    key: Option<(String, Spot)>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Scan {
            file,
            rest: text,
            spot: (1, 1),
            open: Vec::new(),
            root: None,
            refused: Vec::new(),
            wide: Vec::new(),
            minus_zeros: Vec::new(),
            long_texts: Vec::new(),
        }
    }

    /// Where the innermost object or array starts that is not closed.
    pub(super) fn innermost_open(&self) -> Option<Spot> {
        self.open.last().map(|open| open.node.value)
    }

    /// Reads to the end, or to where the nesting is too deep.
    pub(super) fn run(&mut self) -> Option<Diagnostic> {
        while let Some(next) = self.rest.chars().next() {
            match next {
                '{' | '[' => {
                    if self.open.len() == MAX_DEPTH {
                        let message = format!("nested deeper than {MAX_DEPTH} levels");
                        let refused = Diagnostic::file(self.file, "too_deep", message);
                        return Some(at(self.spot, refused.help("make it flatter")));
                    }
                    self.enter(next == '{');
                }
                '}' | ']' => {
                    let end = self.spot;
                    self.take(1);
                    if let Some(Open { node, .. }) = self.open.pop() {
                        self.place(Node { end, ..node });
                    }
                }
                '"' => self.string(),
                ',' | ':' | ' ' | '\n' | '\r' | '\t' => {
                    self.take(1);
                }
                _ => self.scalar(),
            }
        }
        None
    }

    fn enter(&mut self, object: bool) {
        let inside = if object { Inside::Object(BTreeMap::new()) } else { Inside::Array(Vec::new()) };
        let node = Node { value: self.spot, end: self.spot, key: None, inside };
        self.open.push(Open { node, key: None });
        self.take(1);
    }

    /// Puts a value that has ended into what is around it.
    fn place(&mut self, mut node: Node) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { node: Node { inside: Inside::Object(fields), .. }, key }) => {
                if let Some((key, spot)) = key.take() {
                    node.key = Some(spot);
                    fields.insert(key, node);
                }
            }
            Some(Open { node: Node { inside: Inside::Array(items), .. }, .. }) => items.push(node),
            Some(Open { node: Node { inside: Inside::Nothing, .. }, .. }) => {}
        }
    }

    /// A string: a key where an object waits for one, else a value.
    fn string(&mut self) {
        let spot = self.spot;
        let raw = self.take_string();
        if raw.len() > MAX_TEXT_BYTES + 2 {
            let message = format!("the text has {} bytes; it may have {MAX_TEXT_BYTES}", raw.len() - 2);
            let refused = Diagnostic::file(self.file, "text_too_long", message);
            note(&mut self.long_texts, at(spot, refused.help("say it in fewer words, or in several texts")));
        }
        let Some(Open { node: Node { inside: Inside::Object(fields), .. }, key: waiting @ None }) =
            self.open.last_mut()
        else {
            return self.place(Node { value: spot, end: spot, key: None, inside: Inside::Nothing });
        };
        let key: String = serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned());
        if let Some((line, column)) = fields.get(&key).and_then(|first| first.key) {
            let message = format!("the key `{}` is given twice in one object", key.escape_debug());
            let diagnostic = Diagnostic::file(self.file, "duplicate_key", message)
                .help(format!("it is first given at line {line}, column {column}"));
            note(&mut self.refused, at(spot, diagnostic));
        }
        *waiting = Some((key, spot));
    }

    /// A number, `true`, `false` or `null`.
    fn scalar(&mut self) {
        let spot = self.spot;
        let end = self.rest.find([',', ']', '}', '{', '[', ':', '"', ' ', '\n', '\r', '\t']);
        let token = self.take(end.unwrap_or(self.rest.len()));
        let number = serde_json::from_str(token);
        match &number {
            Ok(Value::Number(number)) if number.is_f64() && !token.contains(['.', 'e', 'E']) => match token {
                "-0" => self.minus_zeros.push(self.pointer()),
                _ => self.wide.push(self.pointer()),
            },
            Ok(_) | Err(_) => {}
        }
        if number.is_ok_and(|mut value: Value| number::normalise(&mut value).is_err()) {
            note(&mut self.refused, unsafe_integer(self.file, spot, &format!("`{token}`")));
        }
        self.place(Node { value: spot, end: spot, key: None, inside: Inside::Nothing });
    }

    /// The JSON Pointer of the value that comes next.
    fn pointer(&self) -> String {
        let segment = |open: &Open| match (&open.key, &open.node.inside) {
            (Some((key, _)), _) => key.clone(),
            (None, Inside::Array(items)) => items.len().to_string(),
            (None, Inside::Object(_) | Inside::Nothing) => String::new(),
        };
        join(self.open.iter().map(segment).collect::<Vec<_>>().iter().map(String::as_str))
    }

    fn take_string(&mut self) -> &'a str {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, next)| {
            let ends = *next == '"' && !escaped;
            escaped = *next == '\\' && !escaped;
            ends
        });
        self.take(end.map_or(self.rest.len(), |(quote, _)| quote + 1))
    }

    /// Takes so many bytes, which end between two characters.
    fn take(&mut self, length: usize) -> &'a str {
        let (token, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        for next in token.chars() {
            self.spot = if next == '\n' { (self.spot.0 + 1, 1) } else { (self.spot.0, self.spot.1 + 1) };
        }
        self.rest = rest;
        token
    }
}

/// Adds to a list that nobody reads to its end.
fn note(found: &mut Vec<Diagnostic>, diagnostic: Diagnostic) {
    if found.len() < MAX_FOUND {
        found.push(diagnostic);
    }
}

pub(super) fn unsafe_integer(file: &str, spot: Spot, what: &str) -> Diagnostic {
    let message = format!("{what} is beyond ±(2^53 - 1), which not every reader of JSON keeps exactly");
    let help =
        "choose a number nearer to 0; only what is no amount, such as the digits of a card, is written as a text";
    at(spot, Diagnostic::file(file, "unsafe_integer", message).help(help))
}

fn at((line, column): Spot, diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { line, column, ..diagnostic }
}
