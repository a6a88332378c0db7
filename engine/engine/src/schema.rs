//! JSON Schemas, compiled: the only file that names the validator. Draft 2020-12, formats asserted,
//! no reference leaves the schema, and patterns run in linear time.

pub mod keywords;
mod lint;
pub(crate) mod moment;
mod violation;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, JsonType, PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value};

use crate::model::diagnostic::Problem;
use crate::model::{pointer, suggest};
use violation::quote;
pub use violation::{Violation, ViolationKind, without_echoes};

const MAX_VIOLATIONS: usize = 1000;
/// The largest compiled pattern, in bytes: what a value is held against in turn grows with it.
const MAX_PATTERN: usize = 1 << 20;

/// A compiled schema. Cloning shares it.
#[derive(Clone)]
pub struct Schema {
    validator: Arc<Validator>,
    document: Arc<Value>,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.document).finish()
    }
}

impl Schema {
    /// Compiles a schema. References may only lead into itself.
    ///
    /// # Errors
    /// Every unknown keyword, unknown format, bad reference and ill-formed part, by JSON Pointer.
    pub fn compile(schema: &Value) -> Result<Schema, Vec<Problem>> {
        let mut problems = lint::check(schema, schema);
        problems.extend(ill_formed(schema));
        if !problems.is_empty() {
            return Err(problems);
        }
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .with_format("date-time", moment::is_moment)
            .with_format("time", moment::is_time)
            .offline()
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN))
            .build(schema)
            .map_err(|error| vec![build_problem(&error)])?;
        Ok(Schema { validator: Arc::new(validator), document: Arc::new(schema.clone()) })
    }

    /// Whether a keyword is one of the dialect and holds no schemas.
    pub fn is_plain(keyword: &str) -> bool {
        keywords::KEYWORDS.iter().any(|(known, holds)| *known == keyword && matches!(holds, keywords::Holds::Plain))
    }

    /// The formats that values are held against.
    pub fn formats() -> &'static [&'static str] {
        lint::FORMATS
    }

    /// Whether a part of a schema is written as the dialect has it: `{"minLength": "3"}` is not.
    pub fn is_well_formed(schema: &Value) -> bool {
        ill_formed(schema).next().is_none()
    }

    /// The schema as JSON, which needs nothing beside it.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Whether the value keeps to the schema.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.validator.is_valid(value)
    }

    /// Every way in which the value breaks the schema, in the order of the paths; of very many the first.
    pub fn violations(&self, value: &Value) -> Vec<Violation> {
        let errors = self.validator.iter_errors(value).take(MAX_VIOLATIONS);
        let violations: BTreeSet<Violation> = errors.flat_map(|error| violations_of(&error, &self.document)).collect();
        violations.into_iter().collect()
    }

    /// [`Schema::violations`] for the fields of an object. They are moved out and back, which is far
    /// cheaper than a copy.
    pub fn violations_in(&self, fields: &mut Map<String, Value>) -> Vec<Violation> {
        let value = Value::Object(std::mem::take(fields));
        let violations = if self.is_valid(&value) { Vec::new() } else { self.violations(&value) };
        if let Value::Object(map) = value {
            *fields = map;
        }
        violations
    }
}

/// Gives every absent property that has a `default` in the schema that value, also within objects and lists, and where
/// the schema leads through references. Of forms to choose from the first counts that a value may be of.
pub fn fill_defaults(schema: &Value, args: &mut Map<String, Value>) {
    let mut value = Value::Object(std::mem::take(args));
    DefaultWalk { root: schema, left: Cell::new(MAX_STEPS) }.fill(schema, &mut value, 0);
    if let Value::Object(filled) = value {
        *args = filled;
    }
}

/// How many schemas lie one in the other at most.
const MAX_DEPTH: usize = 64;
/// Most schemas that are held beside values for the defaults of one call; references may lead in circles.
const MAX_STEPS: usize = 1 << 20;

struct DefaultWalk<'s> {
    root: &'s Value,
    left: Cell<usize>,
}

impl DefaultWalk<'_> {
    /// Whether another schema may be held beside a value.
    fn goes_on(&self, depth: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0 && depth <= MAX_DEPTH
    }

    fn fill(&self, schema: &Value, value: &mut Value, depth: usize) {
        if !self.goes_on(depth) {
            return;
        }
        let listed = |keyword: &str| schema.get(keyword).and_then(Value::as_array).into_iter().flatten();
        let chosen =
            ["anyOf", "oneOf"].into_iter().filter_map(|of| listed(of).find(|form| self.may_be(form, value, depth)));
        let forms: Vec<&Value> = referred(schema, self.root).into_iter().chain(listed("allOf")).chain(chosen).collect();
        match value {
            Value::Object(fields) => {
                let properties = schema.get("properties").and_then(Value::as_object);
                for (name, property) in properties.into_iter().flatten() {
                    if let Some(default) = property.get("default")
                        && !fields.contains_key(name)
                    {
                        fields.insert(name.clone(), default.clone());
                    }
                }
                for (name, field) in fields.iter_mut() {
                    let of = properties.and_then(|all| all.get(name)).or_else(|| schema.get("additionalProperties"));
                    of.into_iter().for_each(|of| self.fill(of, field, depth + 1));
                }
            }
            Value::Array(items) => {
                let prefix = schema.get("prefixItems").and_then(Value::as_array);
                for (at, item) in items.iter_mut().enumerate() {
                    let of = prefix.and_then(|prefix| prefix.get(at)).or_else(|| schema.get("items"));
                    of.into_iter().for_each(|of| self.fill(of, item, depth + 1));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
        }
        forms.into_iter().for_each(|form| self.fill(form, value, depth + 1));
    }

    /// Whether a value may be of a form, as far as its type, its fields and what these must be tell it.
    fn may_be(&self, schema: &Value, value: &Value, depth: usize) -> bool {
        if !self.goes_on(depth) {
            return false;
        }
        let is_type = |name: &str| match value {
            Value::Null => name == "null",
            Value::Bool(_) => name == "boolean",
            Value::Number(number) => name == "number" || (name == "integer" && !number.is_f64()),
            Value::String(_) => name == "string",
            Value::Array(_) => name == "array",
            Value::Object(_) => name == "object",
        };
        let has_type = match schema.get("type") {
            Some(Value::String(one)) => is_type(one),
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).any(is_type),
            _ => *schema != Value::Bool(false),
        };
        let is_listed = schema.get("const").is_none_or(|one| one == value)
            && schema.get("enum").and_then(Value::as_array).is_none_or(|all| all.contains(value));
        let has_fields = value.as_object().is_none_or(|fields| {
            let properties = schema.get("properties").and_then(Value::as_object);
            let property = |name: &str| properties.and_then(|all| all.get(name));
            let required =
                schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            required
                .into_iter()
                .all(|name| fields.contains_key(name) || property(name).is_some_and(|of| of.get("default").is_some()))
                && fields.iter().all(|(name, field)| match property(name) {
                    Some(of) => self.may_be(of, field, depth + 1),
                    None => !is_closed,
                })
        });
        let is_referred = referred(schema, self.root).is_none_or(|form| self.may_be(form, value, depth + 1));
        has_type && is_listed && has_fields && is_referred
    }
}

fn referred<'s>(schema: &Value, root: &'s Value) -> Option<&'s Value> {
    schema.get("$ref").and_then(Value::as_str).and_then(|to| root.pointer(to.strip_prefix('#')?))
}

/// Whether [`fill_defaults`] may fill in anything.
pub fn has_defaults(schema: &Value) -> bool {
    let below = keywords::subschemas(schema);
    below.into_iter().any(|(_, _, below)| below.get("default").is_some() || has_defaults(below))
}

/// What to do with a short form that stands within a JSON Schema.
const SHORT_FORMS: &str = "below `properties` there are no short forms: write `\"fields\": {..}` in their place, in which \
                           `ref COLLECTION` and others may stand, or `{\"type\": \"string\"}` and a precondition";

/// What the dialect's own schema says against a schema.
fn ill_formed(schema: &Value) -> impl Iterator<Item = Problem> {
    let meta = jsonschema::draft202012::meta::validator();
    // Nearly all are well formed, which is told in less time than what is wrong is looked for.
    let errors = (!meta.is_valid(schema)).then(|| meta.iter_errors(schema)).into_iter().flatten();
    let violations: BTreeSet<Violation> = errors.flat_map(|error| violations_of(&error, &Value::Null)).collect();
    violations.into_iter().map(|violation| {
        let message = format!("not a schema: {}", violation.message);
        let text = schema.pointer(&violation.path).and_then(Value::as_str);
        let is_type = violation.path.ends_with("/type");
        let is_place = violation.message.contains("a boolean or an object");
        let is_short = text.is_some_and(|text| if is_type { text.contains(' ') } else { is_place });
        let help = match violation.help {
            _ if is_short => SHORT_FORMS.to_owned(),
            Some(help) => help,
            None => "write it as JSON Schema 2020-12 has it".to_owned(),
        };
        Problem::error(violation.path, "bad_schema", message).help(help)
    })
}

fn build_problem(error: &ValidationError<'_>) -> Problem {
    let path = error.instance_path().as_str().to_owned();
    match error.kind() {
        ValidationErrorKind::Format { format } if format == "regex" => {
            let message = format!("{} is not a pattern", quote(error.instance()));
            Problem::error(path, "bad_schema", message)
                .help("patterns are regular expressions without look-around and back-references, and not too large")
        }
        _ => Problem::error(path, "bad_schema", format!("not a schema: {}", violation_text(error).1)),
    }
}

/// An error of the validator as violations: one for each key when several keys are unexpected.
fn violations_of(error: &ValidationError<'_>, document: &Value) -> Vec<Violation> {
    let path = error.instance_path().as_str();
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let known = known_keys(error, document);
            unexpected.iter().take(MAX_VIOLATIONS).map(|key| unknown_key(path, key, &known)).collect()
        }
        ValidationErrorKind::PropertyNames { error } => {
            let key = error.instance().as_str().unwrap_or_default();
            let (_, message, help) = violation_text(error);
            let path = format!("{path}/{}", pointer::escape(key));
            let message = format!("bad key: {message}");
            vec![Violation { path, at_key: true, kind: ViolationKind::UnknownKey, message, help }]
        }
        _ => {
            let (kind, message, help) = violation_text(error);
            vec![Violation { path: path.to_owned(), at_key: false, kind, message, help }]
        }
    }
}

struct KnownKeys<'a> {
    names: Vec<&'a str>,
    patterns: Vec<&'a str>,
}

fn known_keys<'a>(error: &ValidationError<'_>, document: &'a Value) -> KnownKeys<'a> {
    let parent = error.schema_path().as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
    let keys = |keyword: &str| {
        let named = document.pointer(parent).and_then(|schema| schema.get(keyword)).and_then(Value::as_object);
        named.into_iter().flat_map(Map::keys).map(String::as_str).collect()
    };
    KnownKeys { names: keys("properties"), patterns: keys("patternProperties") }
}

fn unknown_key(path: &str, key: &str, known: &KnownKeys<'_>) -> Violation {
    let help = match known.patterns.as_slice() {
        [] if known.names.is_empty() => None,
        [pattern] if known.names.is_empty() => Some(format!("keys match the pattern `{pattern}`")),
        _ => Some(suggest::help(key, known.names.iter().copied())),
    };
    Violation {
        path: format!("{path}/{}", pointer::escape(key)),
        at_key: true,
        kind: ViolationKind::UnknownKey,
        message: format!("unknown key {}", quote(&Value::from(key))),
        help,
    }
}

type Text = (ViolationKind, String, Option<String>);

/// Kind, message and help of an error that concerns one value.
fn violation_text(error: &ValidationError<'_>) -> Text {
    use ValidationErrorKind as Kind;
    let found = quote(error.instance());
    match error.kind() {
        Kind::Required { property } => (ViolationKind::MissingKey, format!("missing key {}", quote(property)), None),
        Kind::Type { kind } => wrong_type(&expected_types(kind), error.instance()),
        Kind::Enum { options } => match options.as_ref() {
            Value::Array(options) => unknown_value(error.instance(), options),
            option => unknown_value(error.instance(), std::slice::from_ref(option)),
        },
        Kind::Constant { expected_value } => {
            unknown_value(error.instance(), std::slice::from_ref(expected_value.as_ref()))
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => no_branch(error, context),
        Kind::Format { .. } if error.instance().as_str().is_some_and(moment::has_offset) => {
            let message = format!("{found} has an offset; clocks here are in UTC");
            (ViolationKind::BadValue, message, Some("write the same moment in UTC, with `Z` behind it".to_owned()))
        }
        kind => (ViolationKind::BadValue, bad_value(kind, &found), None),
    }
}

/// The message of an error that has only a message.
fn bad_value(kind: &ValidationErrorKind, found: &str) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Minimum { limit } => format!("{found} is less than {limit}"),
        Kind::Maximum { limit } => format!("{found} is more than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("{found} is not more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("{found} is not less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("{found} is not a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("{found} has fewer than {limit} characters"),
        Kind::MaxLength { limit } => format!("{found} has more than {limit} characters"),
        Kind::Pattern { pattern } => format!("{found} does not match the pattern `{pattern}`"),
        Kind::Format { format } => format!("{found} is not a `{format}`"),
        Kind::MinItems { limit } => format!("fewer than {limit} items"),
        Kind::MaxItems { limit } => format!("more than {limit} items"),
        Kind::AdditionalItems { limit } => format!("more than {limit} items"),
        Kind::UnevaluatedItems { .. } => "more items than expected".to_owned(),
        Kind::UniqueItems => "an item stands there twice".to_owned(),
        Kind::Contains => "no item, or too many, of the wanted kind".to_owned(),
        Kind::MinProperties { limit } => format!("fewer than {limit} keys"),
        Kind::MaxProperties { limit } => format!("more than {limit} keys"),
        Kind::FalseSchema => "nothing is allowed here".to_owned(),
        Kind::Not { .. } => format!("{found} is of a form that is ruled out"),
        Kind::OneOfMultipleValid { .. } => format!("{found} is of several forms of which one is allowed"),
        Kind::ContentEncoding { content_encoding } => format!("{found} is not encoded as `{content_encoding}`"),
        Kind::ContentMediaType { content_media_type } => format!("{found} is not of the type `{content_media_type}`"),
        _ => format!("{found} is not allowed"),
    }
}

/// No branch fits: a list of constants is a list of values, a choice of types is a type, and of
/// anything else the branch with the fewest errors is named.
fn no_branch(error: &ValidationError<'_>, branches: &[Vec<ValidationError<'static>>]) -> Text {
    use ValidationErrorKind as Kind;
    let here = error.instance_path();
    let (mut values, mut types, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for branch in branches {
        let at_top = |error: &&ValidationError<'static>| error.instance_path() == here;
        let wrong = branch.iter().filter(at_top).find_map(|error| match error.kind() {
            Kind::Type { kind } => Some(expected_types(kind)),
            _ => None,
        });
        let options = branch.iter().filter(at_top).find_map(|error| match error.kind() {
            Kind::Constant { expected_value } => Some(vec![expected_value.as_ref().clone()]),
            Kind::Enum { options } => options.as_array().cloned(),
            _ => None,
        });
        match (wrong, options) {
            (_, Some(options)) => values.extend(options),
            (Some(names), None) => types.extend(names),
            (None, None) => others.push(branch),
        }
    }
    if let Some(branch) = others.iter().min_by_key(|branch| branch.len()) {
        let help = branch.first().map(|nearest| {
            let (path, (_, message, _)) = (nearest.instance_path().as_str(), violation_text(nearest));
            let below = path.strip_prefix(here.as_str()).filter(|below| !below.is_empty());
            let place = below.map_or_else(String::new, |below| format!(" at `{below}`"));
            format!("in the nearest form{place}: {message}")
        });
        return (ViolationKind::BadValue, format!("{} is of no allowed form", quote(error.instance())), help);
    }
    if values.is_empty() { wrong_type(&types, error.instance()) } else { unknown_value(error.instance(), &values) }
}

fn expected_types(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(several) => several.iter().collect(),
    }
}

fn wrong_type(expected: &[JsonType], found: &Value) -> Text {
    let mut names: Vec<&str> = Vec::new();
    for name in expected.iter().map(|expected| type_name(*expected)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number with a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    (ViolationKind::WrongType, format!("expected {}, found {found}", names.join(" or ")), None)
}

fn type_name(name: JsonType) -> &'static str {
    match name {
        JsonType::Array => "an array",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn unknown_value(found: &Value, options: &[Value]) -> Text {
    let quoted: Vec<String> = options.iter().map(quote).collect();
    let message = match quoted.as_slice() {
        [one] => format!("{} is not {one}", quote(found)),
        _ => format!("{} is none of {}", quote(found), quoted.join(", ")),
    };
    let near = found.as_str().and_then(|found| suggest::nearest(found, options.iter().filter_map(Value::as_str)));
    (ViolationKind::UnknownValue, message, near.map(|near| format!("did you mean `{near}`?")))
}

#[cfg(test)]
mod tests;
