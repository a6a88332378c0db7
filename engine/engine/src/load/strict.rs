//! Strict reading of the authored formats: what is not in the Rust type is refused, all at once and
//! each thing at its line. The type's own JSON Schema does the checking, so editors check the same.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::{Error, Segment};

use super::position::{self, Positions};
use super::{diagnose, diagnose_all};
use crate::model::diagnostic::{Diagnostic, Place, Problem};
use crate::model::{number, pointer, suggest};
use crate::schema::{Schema, Violation, ViolationKind, without_echoes};

/// Parses a file of the format `T`.
///
/// # Errors
/// What is wrong, in the order of lines: syntax, else duplicate keys and unsafe integers, else
/// everything that does not keep to [`format_schema`], else the first value that `T` refuses.
pub fn parse<T: DeserializeOwned + JsonSchema>(file: &str, text: &str) -> Result<(T, Positions), Vec<Diagnostic>> {
    let (value, positions) = position::parse(file, text)?;
    of_value(file, &value, &positions).map(|parsed| (parsed, positions))
}

/// [`parse`] for a value that has its places already.
pub(super) fn of_value<T: DeserializeOwned + JsonSchema>(
    file: &str,
    value: &Value,
    positions: &Positions,
) -> Result<T, Vec<Diagnostic>> {
    let diagnosed = |problems: Vec<Problem>| diagnose_all(file, positions, problems);
    let violations = compiled::<T>().map_err(diagnosed)?.violations(value);
    if !violations.is_empty() {
        return Err(diagnosed(without_echoes(violations).into_iter().map(in_words).collect()));
    }
    serde_path_to_error::deserialize(value).map_err(|error| vec![diagnose(file, positions, refused(&error, value))])
}

/// The JSON Schema of the format `T`, for editors and for [`parse`]. It is stricter than what
/// schemars makes of `T`: an optional key is left out rather than `null`, and integers have their
/// type's bounds.
pub fn format_schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().with_transform(Tighten).into_generator().into_root_schema_for::<T>().to_value()
}

/// The compiled [`format_schema`], made once per type.
fn compiled<T: JsonSchema>() -> Result<Schema, Vec<Problem>> {
    static MADE: Mutex<BTreeMap<Cow<'static, str>, Schema>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = made.get(&T::schema_id()) {
        return Ok(schema.clone());
    }
    let schema = Schema::compile(&format_schema::<T>())?;
    made.insert(T::schema_id(), schema.clone());
    Ok(schema)
}

/// A violation with what to do about it.
pub(crate) fn in_words(violation: Violation) -> Problem {
    let expected = violation.message.strip_prefix("expected ").and_then(|rest| rest.split_once(", found "));
    let help = match (violation.kind, expected) {
        (ViolationKind::MissingKey, _) => "add it to this object".to_owned(),
        (ViolationKind::UnknownKey, _) => "remove it".to_owned(),
        (ViolationKind::WrongType, Some(("a number" | "a whole number", "a string"))) => {
            "write it without quotes".to_owned()
        }
        (ViolationKind::WrongType, Some((expected, _))) => format!("write {expected}"),
        (ViolationKind::UnknownValue, _) => "write one of these".to_owned(),
        (ViolationKind::BadValue | ViolationKind::WrongType, _) => bound(&violation.message),
    };
    let problem = violation.into_problem();
    Problem { help: problem.help.or(Some(help)), ..problem }
}

/// A help line for a value out of bounds.
fn bound(message: &str) -> String {
    if let Some(format) = message.split_once(" is not a `").and_then(|(_, rest)| rest.strip_suffix('`')) {
        return match format {
            "date" => "write a day of the calendar, e.g. 2026-06-11".to_owned(),
            "date-time" => "write a moment in UTC, e.g. 2026-06-11T09:00:00Z".to_owned(),
            "time" => "write a time of day in UTC, e.g. 09:00:00Z".to_owned(),
            other => format!("write a `{other}`"),
        };
    }
    match (message.split_once(" is less than "), message.split_once(" is more than ")) {
        (Some((_, least)), _) => format!("write {least} or more"),
        (None, Some((_, most))) => format!("write {most} or less"),
        (None, None) => "write a value that is allowed here".to_owned(),
    }
}

/// What only the type itself knows to refuse, such as a malformed call pattern.
fn refused(error: &Error<serde_json::Error>, value: &Value) -> Problem {
    let path = error.path().iter().fold(String::new(), |path, segment| match segment {
        Segment::Seq { index } => format!("{path}/{index}"),
        Segment::Map { key } | Segment::Enum { variant: key } => format!("{path}/{}", pointer::escape(key)),
        Segment::Unknown => path,
    });
    let message = error.inner().to_string().replace(['\n', '\r'], " ");
    unknown_key(&path, &message, value).unwrap_or_else(|| match message.split_once("; ") {
        Some((message, help)) => Problem::error(path, "bad_value", message).help(help),
        None => Problem::error(path, "bad_value", message).help("write a value that is allowed here"),
    })
}

/// A key of a map that is not one of a closed list. The schema cannot tell, because schemars drops
/// the list of keys when the names are documented, and serde says only "unknown variant `x`".
fn unknown_key(path: &str, message: &str, value: &Value) -> Option<Problem> {
    let mut names = message.strip_prefix("unknown variant `")?.split('`').step_by(2);
    let key = names.next()?;
    value.pointer(path)?.get(key)?;
    let problem = Problem::error("", "unknown_key", format!("unknown key `{key}`")).help(suggest::help(key, names));
    Some(Problem { place: Place::Key(format!("{path}/{}", pointer::escape(key))), ..problem })
}

/// Makes a generated schema say what an authored file may hold.
#[derive(Clone)]
struct Tighten;

impl Transform for Tighten {
    fn transform(&mut self, schema: &mut schemars::Schema) {
        transform_subschemas(self, schema);
        if let Some(map) = schema.as_object_mut() {
            without_null(map);
            bound_integers(map);
        }
    }
}

/// Takes `null` out of the alternatives: an absent key is left out.
fn without_null(map: &mut Map<String, Value>) {
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = types.as_slice() {
            let one = one.clone();
            map.insert("type".to_owned(), one);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(branches)) = map.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(one)] = branches.as_slice() {
            let one = one.clone();
            map.remove("anyOf");
            for (keyword, value) in one {
                map.entry(keyword).or_insert(value);
            }
        }
    }
}

/// Puts bounds for the formats by which schemars names Rust's integers.
fn bound_integers(map: &mut Map<String, Value>) {
    let safe = number::MAX_SAFE_INTEGER;
    let (least, most) = match map.get("format").and_then(Value::as_str) {
        Some("uint8") => (0, i64::from(u8::MAX)),
        Some("uint16") => (0, i64::from(u16::MAX)),
        Some("uint32") => (0, i64::from(u32::MAX)),
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("uint" | "uint64") => (0, safe),
        Some("int" | "int64") => (-safe, safe),
        Some("double") => {
            map.remove("format");
            return;
        }
        _ => return,
    };
    map.remove("format");
    map.insert("minimum".to_owned(), least.into());
    map.insert("maximum".to_owned(), most.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::environment_file::{EnvironmentFile, EventFile};

    const ENVIRONMENT: &str = r#"{
  "format": 1,
  "id": "travel/front_desk",
  "title": "Front desk",
  "summary": "Rooms and bookings.",
  "clock": "2026-06-11T09:00:00Z",
  "policy": [],
  "state": {
    "rooms": {"kind": "collection", "key": "id", "item": {"type": ["string", "null"]}}
  },
  "tools": [
    {
      "name": "book",
      "description": "Books a room.",
      "effect": "write",
      "effects": [{"collection": "rooms", "kinds": ["update"], "max_rows": 1.0}],
      "parameters": {},
      "returns": null
    }
  ],
  "constraints": {"precedence": [{"before": "book", "after": "book where args.n > 1"}]},
  "populate": {"function": "fill", "sizes": {"easy": {"rooms": 10}}}
}
"#;

    fn with(changes: &[(&str, &str)]) -> String {
        changes.iter().fold(ENVIRONMENT.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        })
    }

    fn refusals(changes: &[(&str, &str)]) -> Vec<String> {
        let refused = parse::<EnvironmentFile>("environments/a.json", &with(changes)).unwrap_err();
        refused.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_good_file_is_read_with_its_places() {
        let (file, positions) = parse::<EnvironmentFile>("environments/a.json", ENVIRONMENT).unwrap();
        assert_eq!(file.tools[0].effects[0].max_rows, 1);
        assert_eq!(file.tools[0].returns, Value::Null);
        assert_eq!(positions.locate(&Place::Pointer("/tools/0/effect".to_owned())), (15, 17));
    }

    #[test]
    fn all_structural_problems_are_reported_at_once() {
        let changes = [
            ("\"format\": 1", "\"format\": \"1\""),
            ("  \"title\": \"Front desk\",\n", ""),
            ("\"collection\", \"key\": \"id\"", "\"colection\", \"key\": null"),
            ("\"effects\": [", "\"efects\": ["),
            ("\"effect\": \"write\"", "\"effect\": \"rite\""),
            ("{\"rooms\": 10}", "{\"rooms\": -1, \"bookings\": 5000000000}"),
        ];
        let expected = [
            "environments/a.json:1:1: error[missing_key]: missing key `title`\n  help: add it to this object",
            "environments/a.json:2:13: error[wrong_type]: expected a whole number, found a string\n  \
             help: write it without quotes",
            "environments/a.json:8:23: error[unknown_value]: `colection` is none of `collection`, `record`\n  \
             help: did you mean `collection`?",
            "environments/a.json:8:43: error[wrong_type]: expected a string, found null\n  help: write a string",
            "environments/a.json:14:17: error[unknown_value]: `rite` is none of `read`, `write`\n  \
             help: did you mean `write`?",
            "environments/a.json:15:7: error[unknown_key]: unknown key `efects`\n  help: did you mean `effects`?",
            "environments/a.json:21:64: error[bad_value]: `-1` is less than 0\n  help: write 0 or more",
            "environments/a.json:21:80: error[bad_value]: `5000000000` is more than 4294967295\n  \
             help: write 4294967295 or less",
        ];
        assert_eq!(refusals(&changes), expected);
    }

    #[test]
    fn what_only_the_type_refuses_has_its_place_too() {
        let expected = ["environments/a.json:21:62: error[bad_value]: `book if args.n` is not a call pattern\n  \
             help: write `tool` or `tool where <expression>`"];
        assert_eq!(refusals(&[("book where args.n > 1", "book if args.n")]), expected);
        let expected =
            ["environments/a.json:22:46: error[unknown_key]: unknown key `esy`\n  help: did you mean `easy`?"];
        assert_eq!(refusals(&[("\"easy\"", "\"esy\"")]), expected);
    }

    #[test]
    fn syntax_and_duplicates_come_first() {
        let expected =
            ["environments/a.json:22:69: error[bad_json]: a comma with nothing after it\n  help: remove the comma"];
        assert_eq!(refusals(&[("10}}}", "10}}},"), ("\"tools\"", "\"tols\"")]), expected);
        let expected =
            ["environments/a.json:3:3: error[duplicate_key]: the key `format` is given twice in one object\n  \
             help: it is first given at line 2, column 3"];
        assert_eq!(refusals(&[("\"id\"", "\"format\"")]), expected);
        assert_eq!(
            parse::<EnvironmentFile>("environments/a.json", "[]").unwrap_err()[0].to_string(),
            "environments/a.json:1:1: error[wrong_type]: expected an object, found an array\n  help: write an object"
        );
    }

    #[test]
    fn optional_keys_are_left_out_but_raw_values_may_be_null() {
        let refused = parse::<EventFile>("a.json", r#"{"id": "e", "armed_by": null, "error": null}"#).unwrap_err();
        let texts: Vec<String> = refused.iter().map(ToString::to_string).collect();
        let expected = [
            "a.json:1:25: error[wrong_type]: expected a string, found null\n  help: write a string",
            "a.json:1:40: error[wrong_type]: expected an object, found null\n  help: write an object",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn the_format_is_a_schema_of_its_own() {
        let schema = format_schema::<EnvironmentFile>();
        assert!(Schema::compile(&schema).is_ok());
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["additionalProperties"], false);
        assert!(!schema.to_string().contains("null"), "{schema:#}");
        assert_eq!(schema["title"], "EnvironmentFile");
    }
}
