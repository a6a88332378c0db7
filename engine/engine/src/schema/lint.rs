//! What a validator lets pass in a schema and an author did not mean: unknown keywords and formats,
//! references that lead nowhere or never end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::keywords::{KEYWORDS, Position, subschemas};
use crate::model::diagnostic::{Place, Problem};
use crate::model::{pointer, suggest};

pub(super) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Keywords of the dialect that move or name the target of a reference.
const NOT_HERE: &[&str] = &["$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$vocabulary"];

#[rustfmt::skip]
pub(super) const FORMATS: &[&str] = &[
    "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri",
    "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri", "uri-reference",
    "uri-template", "uuid",
];

/// Everything suspicious in `schema`, whose references point into `document`.
pub(super) fn check(schema: &Value, document: &Value) -> Vec<Problem> {
    let mut lint = Lint { document, problems: Vec::new(), circular: BTreeSet::new() };
    lint.schema(schema, "");
    let size = Unfolded { document, known: BTreeMap::new() }.size(schema, 0);
    if let Ok(size @ MAX_SIZE..) = size {
        let message = format!(
            "with its references followed, the schema holds {size} schemas, patterns and listed values; {MAX_SIZE} are too many"
        );
        let help = "refer to fewer definitions, list fewer values or nest fewer `unevaluated..`";
        lint.problems.push(Problem::error("", "schema_too_large", message).help(help));
    }
    lint.problems
}

struct Lint<'a> {
    document: &'a Value,
    problems: Vec<Problem>,
    circular: BTreeSet<String>,
}

impl Lint<'_> {
    fn schema(&mut self, schema: &Value, path: &str) {
        let Value::Object(map) = schema else { return };
        for keyword in map.keys().filter(|keyword| KEYWORDS.iter().all(|(known, _)| known != keyword)) {
            self.problems.push(unknown_keyword(keyword, format!("{path}/{}", pointer::escape(keyword))));
        }
        for (below, _, schema) in subschemas(schema) {
            self.schema(schema, &format!("{path}{below}"));
        }
        self.texts(map, path);
    }

    fn texts(&mut self, map: &Map<String, Value>, path: &str) {
        let text = |keyword: &str| map.get(keyword).and_then(Value::as_str);
        if let Some(dialect) = text("$schema").filter(|dialect| dialect.trim_end_matches('#') != DIALECT) {
            let message = format!("schemas of the dialect `{dialect}` are not read");
            let problem = Problem::error(format!("{path}/$schema"), "unsupported_keyword", message);
            self.problems.push(problem.help(format!("write it in `{DIALECT}`, or leave the key out")));
        }
        if let Some(format) = text("format").filter(|format| !FORMATS.contains(format)) {
            let problem =
                Problem::error(format!("{path}/format"), "unknown_format", format!("unknown format `{format}`"));
            self.problems.push(problem.help(suggest::help(format, FORMATS.iter().copied())));
        }
        if map.get("unit").is_some_and(|unit| !unit.is_string()) {
            let problem = Problem::error(format!("{path}/unit"), "bad_value", "a unit is a text");
            self.problems.push(problem.help("for example `\"unit\": \"EUR cents\"`, `\"minutes\"` or `\"kg\"`"));
        }
        if let Some(reference) = text("$ref") {
            self.reference(reference, format!("{path}/$ref"));
        }
    }

    fn reference(&mut self, reference: &str, path: String) {
        let Some(target) = reference.strip_prefix('#') else {
            let problem = Problem::error(path, "outside_reference", format!("`{reference}` leads out of the schema"));
            self.problems.push(problem.help("write the definition under `$defs` and refer to `#/$defs/<name>`"));
            return;
        };
        let document = self.document;
        let Some(schema) = document.pointer(target) else {
            let problem = Problem::error(path, "unknown_reference", format!("`{reference}` refers to nothing"));
            let names = document.get("$defs").and_then(Value::as_object);
            let known: Vec<String> =
                names.map_or_else(Vec::new, |defs| defs.keys().map(|name| format!("#/$defs/{name}")).collect());
            let help = match known.as_slice() {
                [] => "write the definition under `$defs`".to_owned(),
                _ => suggest::help(reference, known.iter().map(String::as_str)),
            };
            self.problems.push(problem.help(help));
            return;
        };
        if self.circular.contains(target) {
            return;
        }
        let mut unfolded = Unfolded { document: self.document, known: BTreeMap::from([(target, None)]) };
        if let Err(endless) = unfolded.size(schema, 0) {
            let message = match endless {
                Endless::Circle => format!("`{reference}` comes back to itself: values of any depth are not judged"),
                Endless::Deep => format!("`{reference}` leads through more than {MAX_DEPTH} schemas"),
            };
            let help = "describe each level on its own, as deep as values really go";
            self.problems.push(Problem::error(path, "circular_reference", message).help(help));
            self.circular.extend(unfolded.known.into_keys().map(str::to_owned));
        }
    }
}

/// Deepest chain of schemas, references followed.
const MAX_DEPTH: usize = 128;
/// Most schemas that one value may be held against, references followed: two references to what
/// holds two references grow twofold with each level.
const MAX_SIZE: u64 = 20_000;

enum Endless {
    Circle,
    Deep,
}

/// Counts the schemas in a schema with every reference followed.
struct Unfolded<'a> {
    document: &'a Value,
    /// Sizes of the targets met so far; `None` while they are being followed.
    known: BTreeMap<&'a str, Option<u64>>,
}

impl<'a> Unfolded<'a> {
    fn size(&mut self, schema: &'a Value, depth: usize) -> Result<u64, Endless> {
        if depth > MAX_DEPTH {
            return Err(Endless::Deep);
        }
        let mut size = match schema.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#')) {
            Some(target) => self.target(target, depth)?,
            None => 1,
        };
        size = size.saturating_add(listed(schema));
        for (_, position, below) in subschemas(schema) {
            match position {
                Position::Same | Position::Aside | Position::Part => {
                    size = self.size(below, depth + 1)?.saturating_add(size);
                }
                Position::Definition => {}
            }
        }
        // What stands below is asked once whether it holds, and twice what it has evaluated.
        let is_asked_again = ["unevaluatedItems", "unevaluatedProperties"].iter().any(|key| schema.get(key).is_some());
        Ok(if is_asked_again { size.saturating_mul(3) } else { size })
    }

    fn target(&mut self, target: &'a str, depth: usize) -> Result<u64, Endless> {
        match self.known.get(target) {
            Some(Some(size)) => return Ok(*size),
            Some(None) => return Err(Endless::Circle),
            None => drop(self.known.insert(target, None)),
        }
        let Some(schema) = self.document.pointer(target) else { return Ok(1) };
        let size = self.size(schema, depth + 1)?;
        self.known.insert(target, Some(size));
        Ok(size)
    }
}

/// What a pattern counts for: it may take a megabyte and as many steps for each letter.
const PATTERN: usize = 64;

/// What a schema lists beside schemas: values that are compared or looked up, and patterns.
fn listed(schema: &Value) -> u64 {
    let list = |keyword: &str| schema.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
    let dependent = schema.get("dependentRequired").and_then(Value::as_object);
    let dependent = dependent.into_iter().flatten().map(|(_, names)| 1 + names.as_array().map_or(0, Vec::len));
    let named = schema.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
    let patterns = named + usize::from(schema.get("pattern").is_some());
    (list("enum") + list("required") + dependent.sum::<usize>() + PATTERN * patterns) as u64
}

fn unknown_keyword(keyword: &str, path: String) -> Problem {
    if NOT_HERE.contains(&keyword) {
        return Problem {
            place: Place::Key(path),
            ..Problem::error("", "unsupported_keyword", format!("the keyword `{keyword}` is not supported"))
                .help("refer to definitions as `#/$defs/<name>`")
        };
    }
    let replaced = match keyword {
        "additionalItems" => Some("items"),
        "definitions" => Some("$defs"),
        "dependencies" => Some("dependentRequired"),
        "nullable" => Some("\"type\": [..., \"null\"]"),
        _ => suggest::nearest(keyword, KEYWORDS.iter().map(|(known, _)| *known)),
    };
    let help = match replaced {
        _ if ["is", "fields"].contains(&keyword) => super::SHORT_FORMS.to_owned(),
        Some(known) => format!("did you mean `{known}`?"),
        None => "it is no keyword of JSON Schema 2020-12; `description` and `$comment` hold notes".to_owned(),
    };
    let message = format!("unknown keyword `{keyword}`");
    Problem { place: Place::Key(path), ..Problem::error("", "unknown_keyword", message).help(help) }
}
