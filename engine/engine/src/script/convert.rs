//! JSON values to Rhai values and back; what has no JSON form is refused with its path.

use rhai::{Array, Dynamic, ImmutableString, Map as RhaiMap};
use serde_json::{Map, Number, Value};

use super::fuel;
use super::handles::{Row, Table};
use crate::model::number::MAX_SAFE_INTEGER;
use crate::state::Key;

/// Deepest nesting of a value that a script may hand back.
const MAX_DEPTH: usize = 32;

/// What a script is told that hands over more than it may.
pub const TOO_MUCH: &str = "too much is written or returned in one call";

/// A JSON value as scripts see it; what is long costs operations.
pub fn to_dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(flag) => Dynamic::from_bool(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => Dynamic::from_int(integer),
            None => Dynamic::from_float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => {
            fuel::burn_text(text.len());
            Dynamic::from(ImmutableString::from(text.as_str()))
        }
        Value::Array(items) => {
            fuel::burn(items.len() as u64);
            Dynamic::from_array(items.iter().map(to_dynamic).collect())
        }
        Value::Object(map) => Dynamic::from_map(to_rhai_map(map)),
    }
}

/// A JSON object as scripts see it.
pub fn to_rhai_map(map: &Map<String, Value>) -> RhaiMap {
    fuel::burn(map.len() as u64);
    map.iter().map(|(key, value)| (key.as_str().into(), to_dynamic(value))).collect()
}

/// A script's value as JSON. It counts towards what the call may keep, handles with all they lead to.
///
/// # Errors
/// The path within the value and what stands there, e.g. `/price: NaN is not JSON`.
pub fn to_json(value: &Dynamic) -> Result<Value, String> {
    at_depth(value, 0).map_err(|(path, what)| match path.is_empty() {
        true => what,
        false => format!("{path}: {what}"),
    })
}

/// A copy of an entity's fields, which counts as [`to_json`] does.
///
/// # Errors
/// As [`to_json`].
pub fn copy_fields(fields: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    count_fields(fields, 0).map(|()| fields.clone()).map_err(|(_, what)| what)
}

type Refused = (String, String);

fn at_depth(value: &Dynamic, depth: usize) -> Result<Value, Refused> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    keep(0)?;
    if let Some(value) = scalar(value)? {
        return Ok(value);
    }
    if let Some(items) = value.read_lock::<Array>() {
        let items = items.iter().enumerate();
        return items.map(|(i, item)| below(&i.to_string(), item, depth)).collect::<Result<_, _>>().map(Value::Array);
    }
    if let Some(map) = value.read_lock::<RhaiMap>() {
        let fields = map.iter().map(|(key, item)| {
            keep(key.len())?;
            Ok((key.to_string(), below(key, item, depth)?))
        });
        return fields.collect::<Result<_, _>>().map(Value::Object);
    }
    if let Some(row) = value.read_lock::<Row>() {
        let copied = row.read(|fields| count_fields(fields, depth).map(|()| fields.clone()));
        return copied.map_err(|what| (String::new(), what))?.map(Value::Object);
    }
    if let Some(table) = value.read_lock::<Table>() {
        return table.read(|entities| {
            let entity = |(key, fields): (&Key, &Map<String, Value>)| {
                keep(key.len())?;
                count_fields(fields, depth + 1)?;
                Ok((key.to_string(), Value::Object(fields.clone())))
            };
            entities.map(entity).collect::<Result<_, _>>().map(Value::Object)
        });
    }
    Err((String::new(), format!("a {} is not JSON", value.type_name())))
}

/// Counts one value with this much text.
fn keep(text: usize) -> Result<(), Refused> {
    let kept = fuel::keep(fuel::VALUE + text as u64) && fuel::burn(1) && fuel::burn_text(text);
    if kept { Ok(()) } else { Err((String::new(), TOO_MUCH.to_owned())) }
}

fn count(value: &Value, depth: usize) -> Result<(), Refused> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => keep(0),
        Value::String(text) => keep(text.len()),
        Value::Array(items) => keep(0).and_then(|()| items.iter().try_for_each(|item| count(item, depth + 1))),
        Value::Object(map) => count_fields(map, depth),
    }
}

fn count_fields(fields: &Map<String, Value>, depth: usize) -> Result<(), Refused> {
    keep(0)?;
    fields.iter().try_for_each(|(key, value)| keep(key.len()).and_then(|()| count(value, depth + 1)))
}

fn too_deep() -> Refused {
    (String::new(), format!("nested deeper than {MAX_DEPTH} levels"))
}

fn scalar(value: &Dynamic) -> Result<Option<Value>, Refused> {
    if let Ok(text) = value.as_immutable_string_ref() {
        keep(text.len())?;
        return Ok(Some(Value::from(text.as_str())));
    }
    if let Ok(integer) = value.as_int() {
        return match (-MAX_SAFE_INTEGER..=MAX_SAFE_INTEGER).contains(&integer) {
            true => Ok(Some(Value::from(integer))),
            false => Err((String::new(), format!("the integer {integer} is beyond 2^53 - 1"))),
        };
    }
    if let Ok(flag) = value.as_bool() {
        return Ok(Some(Value::Bool(flag)));
    }
    if let Ok(float) = value.as_float() {
        let number = Number::from_f64(float).ok_or_else(|| (String::new(), format!("{float} is not JSON")))?;
        let mut value = Value::Number(number);
        let whole = crate::model::number::normalise(&mut value);
        return whole.map(|()| Some(value)).map_err(|_| (String::new(), format!("{float} is beyond 2^53 - 1")));
    }
    if value.is_unit() {
        return Ok(Some(Value::Null));
    }
    Ok(None)
}

fn below(segment: &str, value: &Dynamic, depth: usize) -> Result<Value, Refused> {
    at_depth(value, depth + 1)
        .map_err(|(path, what)| (format!("/{}{path}", crate::model::pointer::escape(segment)), what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_round_trips() {
        fuel::start(fuel::TOOL_CALL);
        let value = json!({"a": [1, 1.5, "x", null, true], "b": {"c": {}}});
        assert_eq!(to_json(&to_dynamic(&value)), Ok(value));
    }

    #[test]
    fn what_is_not_json_is_named_with_its_path() {
        fuel::start(fuel::TOOL_CALL);
        let mut map = RhaiMap::new();
        map.insert("deep".into(), Dynamic::from_array(vec![Dynamic::from_float(f64::NAN)]));
        assert_eq!(to_json(&Dynamic::from_map(map)), Err("/deep/0: NaN is not JSON".to_owned()));
        assert_eq!(to_json(&Dynamic::from_char('x')), Err("a char is not JSON".to_owned()));
        let big = to_json(&Dynamic::from_int(i64::MAX));
        assert_eq!(big, Err("the integer 9223372036854775807 is beyond 2^53 - 1".to_owned()));
        assert_eq!(to_json(&Dynamic::from_float(2.0)), Ok(json!(2)));
    }
}
