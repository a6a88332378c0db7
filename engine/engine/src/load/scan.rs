//! One pass over JSON text that notes places, keys given twice and integers that are not safe.

use std::collections::BTreeMap;

use serde::de::{Error as _, IgnoredAny};
use serde_json::{Error, Value};

use super::syntax;
use super::tree::{Data, Spot, Tree};
use crate::model::diagnostic::Diagnostic;
use crate::model::number;
use crate::model::pointer::join;

/// The deepest nesting of objects and arrays in an authored file.
pub const MAX_DEPTH: usize = 64;

/// The longest text of an authored file, in bytes: texts are read word by word, and what is said of each word is kept.
pub const MAX_TEXT_BYTES: usize = 64 << 10;

/// Most problems of a kind that are told of one text.
const MAX_FOUND: usize = 1000;

/// How the numbers of a text come out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// In their one form ([`number::normalise`]).
    Normal,
    /// As they are written: `7.0` stays a float. Of `-0`, which is written as an integer, 0 is made.
    Written,
}

/// What one pass over a text has found.
pub(super) struct Scanned {
    /// The value in its places; of fields with one key, the last.
    pub(super) tree: Tree,
    /// Duplicate keys and unsafe integers.
    pub(super) refused: Vec<Diagnostic>,
    /// JSON Pointers of integers beyond 64 bits.
    pub(super) wide: Vec<String>,
    /// Texts and keys that are longer than an author's may be.
    pub(super) long_texts: Vec<Diagnostic>,
}

/// Reads a text, which stands behind so many lines of its file.
///
/// # Errors
/// A syntax error or nesting that is too deep, at its line of the text.
pub(super) fn scan(file: &str, text: &str, numbers: Numbers, before: usize) -> Result<Scanned, Diagnostic> {
    let mut scan = Scan {
        file,
        rest: text,
        spot: (1, 1),
        numbers,
        open: Vec::new(),
        root: None,
        is_broken: false,
        refused: Vec::new(),
        wide: Vec::new(),
        long_texts: Vec::new(),
    };
    if let Some(too_deep) = scan.run() {
        return Err(too_deep);
    }
    // The parser vouches for what stands between values, and knows best what is wrong with any.
    let is_sound = !scan.is_broken && serde_json::from_str::<IgnoredAny>(text).is_ok();
    let Scan { root, open, refused, wide, long_texts, .. } = scan;
    match root.filter(|_| is_sound) {
        Some(tree) => Ok(Scanned { tree, refused, wide, long_texts }),
        None => {
            let error = serde_json::from_str::<Value>(text).err();
            let open = open.last().map(|open| (open.tree.at.0 + before, open.tree.at.1));
            Err(syntax::diagnose(file, text, &error.unwrap_or_else(|| Error::custom("expected value")), open))
        }
    }
}

/// It trusts the text to be JSON; what it gathers from other text must not be used.
struct Scan<'a> {
    file: &'a str,
    rest: &'a str,
    spot: Spot,
    numbers: Numbers,
    /// The objects and arrays that are open here, the innermost last.
    open: Vec<Open>,
    /// The whole text's value, once it has ended.
    root: Option<Tree>,
    /// Whether a text, a number or a word cannot be read.
    is_broken: bool,
    refused: Vec<Diagnostic>,
    wide: Vec<String>,
    long_texts: Vec<Diagnostic>,
}

struct Open {
    tree: Tree,
    /// Where each key of an object stands, and which of its fields is its own.
    keys: BTreeMap<String, (Spot, usize)>,
    /// In an object, the key whose value comes next.
    key: Option<(String, Spot)>,
}

impl<'a> Scan<'a> {
    /// Reads to the end, or to where the nesting is too deep.
    fn run(&mut self) -> Option<Diagnostic> {
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
                    if let Some(Open { tree, .. }) = self.open.pop() {
                        self.place(Tree { end, ..tree });
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
        let data = if object { Data::Object(Vec::new()) } else { Data::Array(Vec::new()) };
        let tree = Tree { at: self.spot, end: self.spot, key: None, data };
        self.open.push(Open { tree, keys: BTreeMap::new(), key: None });
        self.take(1);
    }

    /// Puts a value that has ended into what is around it: of fields with one key the last counts.
    fn place(&mut self, mut tree: Tree) {
        let Some(open) = self.open.last_mut() else { return self.root = Some(tree) };
        match &mut open.tree.data {
            Data::Object(fields) => {
                let Some((key, spot)) = open.key.take() else { return };
                tree.key = Some(spot);
                let (_, at) = *open.keys.entry(key.clone()).or_insert((spot, fields.len()));
                match fields.get_mut(at) {
                    Some((_, former)) => *former = tree,
                    None => fields.push((key, tree)),
                }
            }
            Data::Array(items) => items.push(tree),
            Data::Scalar(_) => {}
        }
    }

    fn place_scalar(&mut self, at: Spot, value: Value) {
        self.place(Tree { at, end: at, key: None, data: Data::Scalar(value) });
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
        let text = serde_json::from_str(raw).unwrap_or_else(|_| {
            self.is_broken = true;
            raw.to_owned()
        });
        let Some(Open { tree: Tree { data: Data::Object(_), .. }, keys, key: waiting @ None }) = self.open.last_mut()
        else {
            return self.place_scalar(spot, Value::String(text));
        };
        if let Some(((line, column), _)) = keys.get(&text) {
            let message = format!("the key `{}` is given twice in one object", text.escape_debug());
            let diagnostic = Diagnostic::file(self.file, "duplicate_key", message)
                .help(format!("it is first given at line {line}, column {column}"));
            note(&mut self.refused, at(spot, diagnostic));
        }
        *waiting = Some((text, spot));
    }

    /// A number, `true`, `false` or `null`.
    fn scalar(&mut self) {
        let spot = self.spot;
        let end = self.rest.find([',', ']', '}', '{', '[', ':', '"', ' ', '\n', '\r', '\t']);
        let token = self.take(end.unwrap_or(self.rest.len()));
        let mut value = serde_json::from_str(token).unwrap_or_else(|_| {
            self.is_broken = true;
            Value::Null
        });
        if matches!(&value, Value::Number(number) if number.is_f64()) && !token.contains(['.', 'e', 'E']) {
            match token {
                "-0" => value = Value::from(0),
                _ if self.wide.len() < MAX_FOUND => self.wide.push(self.pointer()),
                _ => {}
            }
        }
        let mut normal = value.clone();
        if number::normalise(&mut normal).is_err() {
            note(&mut self.refused, unsafe_integer(self.file, spot, &format!("`{token}`")));
        }
        self.place_scalar(spot, if self.numbers == Numbers::Normal { normal } else { value });
    }

    /// The JSON Pointer of the value that comes next.
    fn pointer(&self) -> String {
        let segment = |open: &Open| match (&open.key, &open.tree.data) {
            (Some((key, _)), _) => key.clone(),
            (None, Data::Array(items)) => items.len().to_string(),
            (None, Data::Object(_) | Data::Scalar(_)) => String::new(),
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

fn unsafe_integer(file: &str, spot: Spot, what: &str) -> Diagnostic {
    let message = format!("{what} is beyond ±(2^53 - 1), which not every reader of JSON keeps exactly");
    let help =
        "choose a number nearer to 0; only what is no amount, such as the digits of a card, is written as a text";
    at(spot, Diagnostic::file(file, "unsafe_integer", message).help(help))
}

fn at((line, column): Spot, diagnostic: Diagnostic) -> Diagnostic {
    Diagnostic { line, column, ..diagnostic }
}
