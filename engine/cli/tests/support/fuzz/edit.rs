//! Edits of a JSON value: with them an input changes one thing of a good file and leaves it JSON.
//!
//! One edit a line, its places counted from the root in the order of the text: `17 drop`, `17 = {"a": 1}`,
//! `17 copy 3`, `17 swap 3`, `17 again`, `17 key name`, `17 add name [1]`, `17 cut 4`. A line that is none is passed
//! over, and a place beyond the last is counted from the first again, so that nearly every input does something.

use serde_json::Value;

/// Most edits of one input.
const MOST: usize = 32;

pub fn edit<'a>(value: &mut Value, lines: impl IntoIterator<Item = &'a str>) {
    for line in lines.into_iter().take(MOST) {
        let _ = edit_one(value, line);
    }
}

fn edit_one(value: &mut Value, line: &str) -> Option<()> {
    let mut words = line.splitn(3, ' ');
    let (place, deed, rest) = (words.next()?, words.next()?, words.next().unwrap_or_default());
    let places = places(value);
    let find = |number: &str| Some(places[number.trim().parse::<usize>().ok()? % places.len()].clone());
    let path = find(place)?;
    match deed {
        "=" => *value.pointer_mut(&path)? = said(rest),
        "copy" => *value.pointer_mut(&path)? = value.pointer(&find(rest)?)?.clone(),
        "swap" => {
            let other = find(rest)?;
            let (here, there) = (value.pointer(&path)?.clone(), value.pointer(&other)?.clone());
            *value.pointer_mut(&path)? = there;
            *value.pointer_mut(&other)? = here;
        }
        "add" => {
            let (key, rest) = rest.split_once(' ').unwrap_or((rest, "null"));
            match value.pointer_mut(&path)? {
                Value::Object(map) => drop(map.insert(key.to_owned(), said(rest))),
                Value::Array(items) => items.push(said(rest)),
                other => *other = said(rest),
            }
        }
        "cut" => cut(value.pointer_mut(&path)?, rest.trim().parse().ok()?),
        "drop" | "again" | "key" => inside(value, &path, deed, rest)?,
        _ => return None,
    }
    Some(())
}

/// Edits of the object or array that holds a place.
fn inside(value: &mut Value, path: &str, deed: &str, name: &str) -> Option<()> {
    let (around, segment) = path.rsplit_once('/')?;
    let key = segment.replace("~1", "/").replace("~0", "~");
    match (value.pointer_mut(around)?, deed) {
        (Value::Object(map), "drop") => drop(map.remove(&key)),
        (Value::Object(map), "again") => drop(map.insert(format!("{key}{name}_2"), map.get(&key)?.clone())),
        (Value::Object(map), _) => {
            let moved = map.remove(&key)?;
            map.insert(name.to_owned(), moved);
        }
        (Value::Array(items), "drop") => drop(items.remove(key.parse().ok()?)),
        (Value::Array(items), _) => {
            let index: usize = key.parse().ok()?;
            items.insert(index, items.get(index)?.clone());
        }
        _ => {}
    }
    Some(())
}

/// A text or list up to so many of its parts, a number less so much.
fn cut(value: &mut Value, length: usize) {
    match value {
        Value::String(text) => *text = text.chars().take(length).collect(),
        Value::Array(items) => items.truncate(length),
        Value::Number(number) => {
            let less = number.as_i64().unwrap_or_default().wrapping_sub(i64::try_from(length).unwrap_or(i64::MAX));
            *value = Value::from(less);
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => {}
    }
}

/// A value as it is written; what is no JSON is a text.
fn said(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// The JSON Pointers of all places, the root first.
fn places(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut next = 0;
    while next < found.len() {
        let path = found[next].clone();
        let below: Vec<String> = match value.pointer(&path) {
            Some(Value::Object(map)) => {
                map.keys().map(|key| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))).collect()
            }
            Some(Value::Array(items)) => (0..items.len()).map(|index| format!("{path}/{index}")).collect(),
            _ => Vec::new(),
        };
        next += 1;
        found.splice(next..next, below);
    }
    found
}
