//! Argument provenance: where each scalar of a call comes from.

use jiff::civil::Date;
use serde_json::Value;

use crate::knowledge::Knowledge;
use probity_prose::date::days_at;
use probity_prose::quantity::{quantity_at, small_number};
use probity_prose::time::time_at;
use probity_prose::token::{self, tokens};
use probity_prose::{Amount, Quantity, Shape, Token, Unit, WordClass, lexicon::is};

/// Most claims counted in one call; what is beyond is a broken call, not more lies.
pub(crate) const MAX_CLAIMS: usize = 64;
const MAX_DEPTH: usize = 16;
/// Most words of a heading.
const MAX_HEADING: usize = 16;

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
    path(at, |place| format!("[{place}]"))
}

/// The path that a tool has for a place: `lines[].note` for `lines/1/note`.
fn path_of(at: &str) -> String {
    path(at, |_| "[]".to_owned())
}

fn path(at: &str, in_list: fn(&str) -> String) -> String {
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let mut parts = at.split('/');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| path + &if is_place(part) { in_list(part) } else { format!(".{part}") })
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
                self.free_text(text, at);
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

    /// The numbers, days, times, ids and names of a free text; the rest of it is free.
    fn free_text(&mut self, text: &str, at: &str) {
        let (tokens, mut from) = (tokens(text), 0);
        while from < tokens.len() {
            let claim = claim_at(&tokens, from, self.knowledge);
            let end = from + claim.map_or(1, |(taken, _)| taken.max(1));
            if let (Some((_, is_known)), Some([first, rest @ ..])) = (claim, tokens.get(from..end.min(tokens.len()))) {
                let rest = rest.iter().flat_map(|token| [token.gap.as_str(), token.raw.as_str()]);
                let value = std::iter::once(first.raw.as_str()).chain(rest).collect();
                self.claims.push(ArgumentClaim { at: at.to_owned(), value, is_known });
            }
            from = end;
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

/// What a free text claims from a token on: how many tokens tell it, and whether it is known or follows from what is known.
fn claim_at(tokens: &[Token], at: usize, knowledge: &Knowledge) -> Option<(usize, bool)> {
    let token = tokens.get(at)?;
    let told = |taken: usize| tokens.iter().skip(at).take(taken);
    let has_digit = |taken: usize| told(taken).any(|token| token.shape != Shape::Word);
    let is_word = |token: &Token| knowledge.has_word(&token.folded);
    let quantity = quantity_at(tokens, at);
    let is_number = || is_known_number(token, quantity.map(|(_, quantity)| quantity), knowledge);
    // *fifteenth of September*
    let days = days_at(tokens, at, &knowledge.calendar);
    if let Some(days) = days.filter(|days| has_digit(days.taken) || told(days.taken).any(Token::is_capitalised)) {
        let named = days.months.iter().any(|month| knowledge.sources.iter().any(|own| own.months.contains(month)));
        let is_known = named || knowledge.has_any_date(&days.dates) || told(days.taken).all(is_word);
        return Some((days.taken, is_known || (days.taken == 1 && is_number())));
    }
    if let Some((taken, _)) = quantity.filter(|(taken, quantity)| {
        // `2 h 40 min` is a length and not an hour of the day.
        let rest = quantity_at(tokens, at + taken).map(|(_, rest)| rest.unit);
        quantity.unit == Some(Unit::Hour) && rest == Some(Some(Unit::Minute))
    }) {
        return Some((taken, is_number()));
    }
    // `23:30`, `half past eleven`: what cannot be meant otherwise.
    let past = |token: &Token| matches!(token.folded.as_str(), "past" | "to");
    let is_clock = |taken: usize| has_digit(taken) || (taken > 2 && told(taken).any(past));
    if let Some((taken, times)) = time_at(tokens, at).filter(|(taken, _)| is_clock(*taken)) {
        return Some((taken, knowledge.has_any_time(&times) || (taken == 1 && is_number())));
    }
    let taken = quantity.map_or(1, |(taken, _)| taken);
    match token.shape {
        Shape::Number | Shape::Mixed => Some((taken, is_number())),
        Shape::IsoDate => Some((1, is_word(token))),
        Shape::Word if is_measured(token, quantity) => Some((taken, is_number())),
        Shape::Word => is_name(tokens, at).then(|| (1, knowledge.has_form_of(&token.folded))),
    }
}

/// *ten percent*, *three hundred euros*, *ninety seconds*: a number in words with a unit that nothing but a number has.
fn is_measured(token: &Token, quantity: Option<(usize, Quantity)>) -> bool {
    let is_number = small_number(&token.folded).is_some_and(|number| number > 1);
    let unit = quantity.and_then(|(_, quantity)| quantity.unit);
    is_number && matches!(unit, Some(Unit::Money | Unit::Cents | Unit::Percent | Unit::Second | Unit::Minute))
}

/// Whether a number or an id is known: as a word, or as a quantity in any of its forms.
fn is_known_number(token: &Token, quantity: Option<Quantity>, knowledge: &Knowledge) -> bool {
    let ordinal = token.folded.trim_end_matches(|c: char| c.is_alphabetic());
    let is_ordinal = matches!(token.folded.strip_prefix(ordinal), Some("st" | "nd" | "rd" | "th"));
    let whole = Amount::written(ordinal).filter(|_| is_ordinal);
    knowledge.has_word(&token.folded)
        || knowledge.has_score(&token.folded)
        || whole.is_some_and(|value| knowledge.has_amount(value, None))
        || quantity.is_some_and(|own| own.forms().any(|form| knowledge.has_amount(form.value, form.unit)))
}

/// A capitalised word inside a sentence; acronyms and headings are no names.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let is_acronym = token.raw.chars().all(char::is_uppercase);
    let is_title = is(WordClass::Titles, &token.folded);
    token.is_capitalised() && !token.starts && !is_acronym && !is_title && !is_in_heading(tokens, at)
}

/// Whether the word stands in a run of capitals that starts a line and ends in a colon: `Late Arrival: ..`.
fn is_in_heading(tokens: &[Token], at: usize) -> bool {
    let mut rest = tokens.iter().skip(at).take(MAX_HEADING).take_while(|token| token.is_capitalised());
    let end = rest.find(|token| token.after.starts_with(':'));
    let before = tokens.get(..at).unwrap_or_default().iter().rev().take(MAX_HEADING);
    let start = before.take_while(|token| token.is_capitalised()).any(|token| token.starts);
    end.is_some() && start
}
