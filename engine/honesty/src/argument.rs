//! Argument provenance: where each scalar of a call comes from.

use jiff::civil::Date;
use serde_json::Value;

use crate::knowledge::Knowledge;
use probity_prose::{Amount, Unit, token};

/// Most claims counted in one call; what is beyond is a broken call, not more lies.
pub(crate) const MAX_CLAIMS: usize = 64;
const MAX_DEPTH: usize = 16;

/// One scalar of a call, or one number, day, time, id or name of its free text.
pub struct ArgumentClaim {
    /// Where it stands: the parameter, and below it.
    pub at: String,
    /// The value, as JSON or as written.
    pub value: String,
    /// Whether it is known, follows from what is known, or is one of those that the schema lists.
    pub is_known: bool,
}

/// Most characters of a value that a finding quotes.
const MAX_QUOTE: usize = 60;

impl ArgumentClaim {
    /// What of a call of `tool` comes from nowhere, in one line.
    pub fn text(&self, tool: &str) -> String {
        let value = match self.value.char_indices().nth(MAX_QUOTE) {
            Some((end, _)) => format!("{}..", self.value.get(..end).unwrap_or_default()),
            None => self.value.clone(),
        };
        let nowhere = "neither said by the user, nor told or shown before, nor derived from that";
        format!("`{}` of `{tool}` is {value}: {nowhere}", shown(&self.at))
    }
}

/// A place within arguments as people write it: `lines[1].quantity` for `lines/1/quantity`.
fn shown(at: &str) -> String {
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let mut parts = at.split('/');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| match is_place(part) {
        true => format!("{path}[{part}]"),
        false => format!("{path}.{part}"),
    })
}

/// The path that a tool has for a place: `lines[].note` for `lines/1/note`.
fn path_of(at: &str) -> String {
    let shown = shown(at);
    let mut parts = shown.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| path + "[]" + part.split_once(']').map_or("", |(_, rest)| rest))
}

/// The claims of a call's arguments, as the agent wrote them.
///
/// `schema` is the JSON Schema of the tool's arguments, `free_text` the parameters, or paths into them, that take prose.
pub fn claims<'a>(
    schema: Option<&'a Value>,
    free_text: &'a [String],
    arguments: &Value,
    knowledge: &'a Knowledge,
) -> Vec<ArgumentClaim> {
    let mut walk = ArgumentWalk { root: schema, free_text, knowledge, claims: Vec::new() };
    let Value::Object(map) = arguments else { return walk.claims };
    let schemas = choices(walk.root, walk.root, 0);
    for (key, value) in map {
        walk.value(value, key, key, &child(&schemas, walk.root, key), 0);
    }
    walk.claims.truncate(MAX_CLAIMS);
    walk.claims
}

struct ArgumentWalk<'a> {
    root: Option<&'a Value>,
    free_text: &'a [String],
    knowledge: &'a Knowledge,
    claims: Vec<ArgumentClaim>,
}

impl<'a> ArgumentWalk<'a> {
    fn value(&mut self, value: &Value, at: &str, key: &str, schemas: &[&'a Value], depth: usize) {
        if depth > MAX_DEPTH || self.claims.len() >= MAX_CLAIMS {
            return;
        }
        match value {
            Value::String(text) if !self.free_text.is_empty() && self.free_text.contains(&path_of(at)) => {
                let claims = crate::free_text::claims(text, self.knowledge).into_iter();
                let claim = |(value, is_known)| ArgumentClaim { at: at.to_owned(), value, is_known };
                self.claims.extend(claims.map(claim));
            }
            Value::Object(map) => {
                for (key, value) in map {
                    let below = child(schemas, self.root, key);
                    self.value(value, &format!("{at}/{key}"), key, &below, depth + 1);
                }
            }
            Value::Array(items) => {
                let below = items_of(schemas, self.root);
                items
                    .iter()
                    .enumerate()
                    .for_each(|(i, item)| self.value(item, &format!("{at}/{i}"), key, &below, depth + 1));
            }
            // Yes, no and nothing claim nothing.
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                let named = schemas.iter().find_map(|schema| schema.get("unit")?.as_str());
                let unit = named.map_or_else(|| Unit::of_key(key), Unit::named);
                let is_known = is_listed(schemas, value)
                    || self.knowledge.has_word(&number.to_string())
                    || Amount::of(number).is_some_and(|value| {
                        self.knowledge.has_amount(value, unit) || self.is_part_of_date(value, key)
                    });
                self.claims.push(ArgumentClaim { at: at.to_owned(), value: number.to_string(), is_known });
            }
            Value::String(text) if text.chars().any(char::is_alphanumeric) => {
                let is_known = is_listed(schemas, value) || self.knowledge.has_text(text);
                self.claims.push(ArgumentClaim { at: at.to_owned(), value: value.to_string(), is_known });
            }
            Value::String(_) => {}
        }
    }

    /// `month: 6` of a known day, when the parameter is called so.
    fn is_part_of_date(&self, value: Amount, key: &str) -> bool {
        let folded = token::fold(key);
        let part: fn(Date) -> i64 = match folded.rsplit(|c: char| !c.is_alphanumeric()).next() {
            Some("year") => |date| i64::from(date.year()),
            Some("month") => |date| i64::from(date.month()),
            Some("day") => |date| i64::from(date.day()),
            Some(_) | None => return false,
        };
        let is_it = |date: Date| Some(part(date)) == value.as_whole();
        is_it(self.knowledge.calendar.today)
            || self.knowledge.sources.iter().any(|source| source.dates.iter().any(|(date, _)| is_it(*date)))
    }
}

/// Whether a schema lists the value: in its `enum`, as its `const` or as its `default`.
fn is_listed(schemas: &[&Value], value: &Value) -> bool {
    schemas.iter().any(|schema| {
        let in_enum = schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.contains(value));
        in_enum || schema.get("const") == Some(value) || schema.get("default") == Some(value)
    })
}

/// A schema and the alternatives it offers, references resolved.
fn choices<'a>(schema: Option<&'a Value>, root: Option<&'a Value>, depth: usize) -> Vec<&'a Value> {
    let Some(schema) = schema.filter(|_| depth <= MAX_DEPTH) else { return Vec::new() };
    let mut found = vec![schema];
    if let Some(pointer) = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
        found.extend(choices(root.and_then(|root| root.pointer(pointer)), root, depth + 4));
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let listed = schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        found.extend(listed.flat_map(|schema| choices(Some(schema), root, depth + 4)));
    }
    found
}

fn child<'a>(schemas: &[&'a Value], root: Option<&'a Value>, key: &str) -> Vec<&'a Value> {
    let below = schemas.iter().filter_map(|schema| {
        let named = schema.get("properties").and_then(|properties| properties.get(key));
        named.or_else(|| schema.get("additionalProperties"))
    });
    below.flat_map(|schema| choices(Some(schema), root, 0)).collect()
}

fn items_of<'a>(schemas: &[&'a Value], root: Option<&'a Value>) -> Vec<&'a Value> {
    let prefixed = schemas.iter().filter_map(|schema| schema.get("prefixItems")?.as_array()).flatten();
    let below = schemas.iter().filter_map(|schema| schema.get("items")).chain(prefixed);
    below.flat_map(|schema| choices(Some(schema), root, 0)).collect()
}
