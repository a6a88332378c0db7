//! What a validator lets pass in a schema and an author did not mean: unknown keywords and formats,
//! references that lead nowhere or around in circles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::model::diagnostic::{Place, Problem};
use crate::model::{pointer, suggest};

/// The dialect all schemas are written in.
pub(super) const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What a keyword's value holds.
#[derive(Clone, Copy)]
enum Holds {
    /// No schema.
    Plain,
    /// One schema, for the same instance.
    Same,
    /// A list of schemas, for the same instance.
    SameList,
    /// One schema, for parts of the instance.
    Part,
    /// A list of schemas, for parts of the instance.
    PartList,
    /// Schemas by name.
    Named,
}

#[rustfmt::skip]
const KEYWORDS: &[(&str, Holds)] = &[
    ("$comment", Holds::Plain), ("$defs", Holds::Named), ("$ref", Holds::Plain), ("$schema", Holds::Plain),
    ("additionalProperties", Holds::Part), ("allOf", Holds::SameList), ("anyOf", Holds::SameList),
    ("const", Holds::Plain), ("contains", Holds::Part), ("contentEncoding", Holds::Plain),
    ("contentMediaType", Holds::Plain), ("contentSchema", Holds::Part), ("default", Holds::Plain),
    ("dependentRequired", Holds::Plain), ("dependentSchemas", Holds::Named), ("deprecated", Holds::Plain),
    ("description", Holds::Plain), ("else", Holds::Same), ("enum", Holds::Plain), ("examples", Holds::Plain),
    ("exclusiveMaximum", Holds::Plain), ("exclusiveMinimum", Holds::Plain), ("format", Holds::Plain),
    ("if", Holds::Same), ("items", Holds::Part), ("maxContains", Holds::Plain), ("maxItems", Holds::Plain),
    ("maxLength", Holds::Plain), ("maxProperties", Holds::Plain), ("maximum", Holds::Plain),
    ("minContains", Holds::Plain), ("minItems", Holds::Plain), ("minLength", Holds::Plain),
    ("minProperties", Holds::Plain), ("minimum", Holds::Plain), ("multipleOf", Holds::Plain), ("not", Holds::Same),
    ("oneOf", Holds::SameList), ("pattern", Holds::Plain), ("patternProperties", Holds::Named),
    ("prefixItems", Holds::PartList), ("properties", Holds::Named), ("propertyNames", Holds::Part),
    ("readOnly", Holds::Plain), ("required", Holds::Plain), ("then", Holds::Same), ("title", Holds::Plain),
    ("type", Holds::Plain), ("unevaluatedItems", Holds::Part), ("unevaluatedProperties", Holds::Part),
    ("uniqueItems", Holds::Plain), ("writeOnly", Holds::Plain),
];

/// Keywords of the dialect that move or name the target of a reference.
const NOT_HERE: &[&str] = &["$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$vocabulary"];

#[rustfmt::skip]
const FORMATS: &[&str] = &[
    "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri",
    "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri", "uri-reference",
    "uri-template", "uuid",
];

/// Everything suspicious in `schema`, whose references point into `document`.
pub(super) fn check(schema: &Value, document: &Value) -> Vec<Problem> {
    let mut lint = Lint { document, problems: Vec::new(), circular: BTreeSet::new() };
    lint.schema(schema, "");
    lint.problems
}

struct Lint<'a> {
    document: &'a Value,
    problems: Vec<Problem>,
    /// The targets of circles that have been reported.
    circular: BTreeSet<String>,
}

impl Lint<'_> {
    fn schema(&mut self, schema: &Value, path: &str) {
        let Value::Object(map) = schema else { return };
        for (keyword, value) in map {
            let path = format!("{path}/{}", pointer::escape(keyword));
            match KEYWORDS.iter().find(|(known, _)| known == keyword) {
                Some((_, holds)) => self.subschemas(*holds, value, &path),
                None => self.problems.push(unknown_keyword(keyword, path)),
            }
        }
        self.texts(map, path);
    }

    fn subschemas(&mut self, holds: Holds, value: &Value, path: &str) {
        match (holds, value) {
            (Holds::Same | Holds::Part, schema) => self.schema(schema, path),
            (Holds::SameList | Holds::PartList, Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    self.schema(schema, &format!("{path}/{index}"));
                }
            }
            (Holds::Named, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    self.schema(schema, &format!("{path}/{}", pointer::escape(name)));
                }
            }
            // The meta-schema reports what should be a list or an object and is not.
            (Holds::Plain | Holds::SameList | Holds::PartList | Holds::Named, _) => {}
        }
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
        let mut seen = BTreeMap::from([(target, true)]);
        if !self.circular.contains(target) && circles(document, schema, &mut seen) {
            let message = format!("`{reference}` comes back to itself without going into the value");
            let help = "let one of the definitions on the way describe a value, e.g. by `type`";
            self.problems.push(Problem::error(path, "circular_reference", message).help(help));
            self.circular.extend(seen.into_keys().map(str::to_owned));
        }
    }
}

/// Whether following references for the same instance from `schema` never ends. `seen` holds
/// the targets met so far, `true` while they are being followed.
fn circles<'a>(document: &'a Value, schema: &'a Value, seen: &mut BTreeMap<&'a str, bool>) -> bool {
    let Value::Object(map) = schema else { return false };
    map.iter().any(|(keyword, value)| {
        if keyword == "$ref" {
            let Some(target) = value.as_str().and_then(|reference| reference.strip_prefix('#')) else {
                return false;
            };
            if let Some(open) = seen.get(target) {
                return *open;
            }
            seen.insert(target, true);
            let circles = document.pointer(target).is_some_and(|schema| circles(document, schema, seen));
            seen.insert(target, false);
            return circles;
        }
        match (KEYWORDS.iter().find(|(known, _)| known == keyword), value) {
            (Some((_, Holds::Same)), schema) => circles(document, schema, seen),
            (Some((_, Holds::SameList)), Value::Array(schemas)) => schemas.iter().any(|s| circles(document, s, seen)),
            (Some((_, Holds::Named)), Value::Object(schemas)) if keyword == "dependentSchemas" => {
                schemas.values().any(|s| circles(document, s, seen))
            }
            _ => false,
        }
    })
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
        Some(known) => format!("did you mean `{known}`?"),
        None => "it is no keyword of JSON Schema 2020-12; `description` and `$comment` hold notes".to_owned(),
    };
    let message = format!("unknown keyword `{keyword}`");
    Problem { place: Place::Key(path), ..Problem::error("", "unknown_keyword", message).help(help) }
}
