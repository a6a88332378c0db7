//! Paths into arguments: `address.street`, and `lines[].item_id` for the `item_id` of each of the lines.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// How many schemas lie on the way of a path at most.
const MAX_DEPTH: usize = 16;
/// Most paths that a schema is said to have.
const MAX_KNOWN: usize = 256;
/// Within what a list holds.
pub(crate) const EACH: &str = "[]";

/// Whether a path leads into a parameter, rather than to it.
pub fn leads_within(path: &str) -> bool {
    path.contains(['.', '['])
}

/// What a path leads through in turn: a field, or each element of a list.
pub(crate) fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').flat_map(|part| {
        let mut name = part;
        let mut lists = 0;
        while let Some(of) = name.strip_suffix(EACH) {
            (name, lists) = (of, lists + 1);
        }
        std::iter::once(name).chain(std::iter::repeat_n(EACH, lists))
    })
}

/// The values at a path, in their order. A plain name is the field itself, whatever characters it has.
pub fn values<'v>(fields: &'v Map<String, Value>, path: &str) -> Vec<&'v Value> {
    if let Some(value) = fields.get(path) {
        return vec![value];
    }
    let mut steps = steps(path);
    let mut found: Vec<&Value> = steps.next().and_then(|first| fields.get(first)).into_iter().collect();
    for step in steps {
        found = match step {
            EACH => found.into_iter().filter_map(Value::as_array).flatten().collect(),
            name => found.into_iter().filter_map(|value| value.get(name)).collect(),
        };
    }
    found
}

/// The steps of a path into these fields. A plain name is the field itself, whatever characters it has.
fn steps_into<'p>(fields: &Map<String, Value>, path: &'p str) -> Vec<&'p str> {
    if fields.contains_key(path) { vec![path] } else { steps(path).collect() }
}

/// For each path the value there; nothing of a path where nothing stands.
pub type PathRow<'v> = Vec<Option<&'v Value>>;
/// What is left of paths, by their places.
type Ways<'p> = Vec<(usize, &'p [&'p str])>;

/// The values at several paths, row by row: paths into one list take them from one element, those into different lists
/// each choice of one of each. Nothing when the choices of different lists are more than `most`.
pub fn rows<'v>(fields: &'v Map<String, Value>, paths: &[&str], most: usize) -> Option<Vec<PathRow<'v>>> {
    if let Some(plain) = paths.iter().map(|path| fields.get(*path).map(Some)).collect() {
        return Some(vec![plain]);
    }
    let none = || vec![None; paths.len()];
    let steps: Vec<Vec<&str>> = paths.iter().map(|path| steps_into(fields, path)).collect();
    let mut rows = vec![none()];
    for (name, ways) in ways_by_step(steps.iter().map(Vec::as_slice).enumerate()) {
        let found = fields.get(name).map_or(Some(Vec::new()), |value| rows_below(value, &ways, &none(), most));
        rows = product(rows, &found?, most)?;
    }
    rows.retain(|row| row.is_empty() || row.iter().any(Option::is_some));
    Some(rows)
}

fn ways_by_step<'p>(ways: impl Iterator<Item = (usize, &'p [&'p str])>) -> BTreeMap<&'p str, Ways<'p>> {
    let mut next: BTreeMap<&str, Ways> = BTreeMap::new();
    for (at, steps) in ways {
        steps.split_first().into_iter().for_each(|(step, rest)| next.entry(step).or_default().push((at, rest)));
    }
    next
}

/// The rows of which something stands in a value, or within it.
fn rows_below<'v>(value: &'v Value, ways: &Ways, none: &PathRow<'v>, most: usize) -> Option<Vec<PathRow<'v>>> {
    let mut here = none.clone();
    for (at, _) in ways.iter().filter(|(_, steps)| steps.is_empty()) {
        here.get_mut(*at).into_iter().for_each(|place| *place = Some(value));
    }
    let mut rows = vec![here];
    for (step, ways) in ways_by_step(ways.iter().copied()) {
        let into = match step {
            EACH => value.as_array().map(Vec::as_slice).unwrap_or_default(),
            name => value.get(name).map(std::slice::from_ref).unwrap_or_default(),
        };
        let mut found = Vec::new();
        for below in into {
            found.extend(rows_below(below, &ways, none, most)?);
        }
        rows = product(rows, &found, most)?;
    }
    rows.retain(|row| row.iter().any(Option::is_some));
    Some(rows)
}

/// Each choice of a row of each; where there is nothing to choose from, its places stay empty.
fn product<'v>(rows: Vec<PathRow<'v>>, more: &[PathRow<'v>], most: usize) -> Option<Vec<PathRow<'v>>> {
    if more.is_empty() {
        return Some(rows);
    }
    let is_choice = rows.len() > 1 && more.len() > 1;
    if is_choice && rows.len().saturating_mul(more.len()) > most {
        return None;
    }
    let with =
        |row: &PathRow<'v>, more: &PathRow<'v>| row.iter().zip(more).map(|(one, other)| one.or(*other)).collect();
    Some(rows.iter().flat_map(|row| more.iter().map(move |more| with(row, more))).collect())
}

/// Whether these values stand at these paths, those of paths into one list in one element of it.
pub fn stand_in(fields: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    let values: Vec<&Value> = wanted.values().collect();
    let steps: Vec<Vec<&str>> = wanted.keys().map(|path| steps_into(fields, path)).collect();
    let mut ways = ways_by_step(steps.iter().map(Vec::as_slice).enumerate()).into_iter();
    ways.all(|(name, ways)| fields.get(name).is_some_and(|value| stand_below(value, &ways, &values)))
}

fn stand_below(value: &Value, ways: &Ways, wanted: &[&Value]) -> bool {
    let mut here = ways.iter().filter(|(_, steps)| steps.is_empty());
    here.all(|(at, _)| wanted.get(*at).is_some_and(|wanted| *wanted == value))
        && ways_by_step(ways.iter().copied()).into_iter().all(|(step, ways)| match step {
            EACH => value.as_array().into_iter().flatten().any(|item| stand_below(item, &ways, wanted)),
            name => value.get(name).is_some_and(|below| stand_below(below, &ways, wanted)),
        })
}

/// Changes the values at a path.
pub fn change(fields: &mut Map<String, Value>, path: &str, how: &mut impl FnMut(&mut Value)) {
    if let Some(value) = fields.get_mut(path) {
        return how(value);
    }
    let steps: Vec<&str> = steps(path).collect();
    if let Some((first, rest)) = steps.split_first()
        && let Some(value) = fields.get_mut(*first)
    {
        change_below(value, rest, how);
    }
}

fn change_below(value: &mut Value, steps: &[&str], how: &mut impl FnMut(&mut Value)) {
    match steps.split_first() {
        None => how(value),
        Some((&EACH, rest)) => {
            let items = value.as_array_mut().into_iter().flatten();
            items.for_each(|item| change_below(item, rest, how));
        }
        Some((name, rest)) => value.get_mut(*name).into_iter().for_each(|below| change_below(below, rest, how)),
    }
}

/// The path without the places in lists: `lines[2].item_id` is `lines[].item_id`.
pub fn without_places(path: &str) -> Cow<'_, str> {
    if !path.contains('[') {
        return Cow::Borrowed(path);
    }
    let mut parts = path.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(EACH);
        plain.push_str(part.split_once(']').map_or("", |(_, rest)| rest));
    }
    Cow::Owned(plain)
}

/// The paths of a schema of arguments, each with the schemas of the values there, parameters before what lies within.
pub fn known(root: &Value) -> Vec<(String, Vec<&Value>)> {
    let mut found = Vec::new();
    let mut layer: Vec<(String, Vec<&Value>)> = vec![(String::new(), forms(root, root, 0))];
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for (path, schemas) in layer {
            let mut below: Vec<(String, Vec<&Value>)> = Vec::new();
            let mut add = |path: String, schema| {
                let forms = forms(schema, root, 0);
                match below.iter_mut().find(|(known, _)| *known == path) {
                    Some((_, known)) => known.extend(forms),
                    None => below.push((path, forms)),
                }
            };
            let dot = if path.is_empty() { "" } else { "." };
            for schema in &schemas {
                let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
                fields.for_each(|(name, field)| add(format!("{path}{dot}{name}"), field));
                schema.get("items").into_iter().for_each(|items| add(format!("{path}{EACH}"), items));
            }
            found.push((path, schemas));
            next.extend(below);
        }
        if next.is_empty() || found.len() > MAX_KNOWN {
            break;
        }
        layer = next;
    }
    found.retain(|(path, _)| !path.is_empty());
    found
}

/// A schema with the forms that it offers, references within the root followed.
pub(crate) fn forms<'s>(schema: &'s Value, root: &'s Value, depth: usize) -> Vec<&'s Value> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let referred = schema.get("$ref").and_then(Value::as_str).and_then(|to| root.pointer(to.strip_prefix('#')?));
    let listed = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|of| schema.get(of)?.as_array()).flatten();
    let more = referred.into_iter().chain(listed).flat_map(|schema| forms(schema, root, depth + 4));
    std::iter::once(schema).chain(more).collect()
}

/// Whether one of some schemas is of values of a type.
pub fn is_of(schemas: &[&Value], kind: &str) -> bool {
    schemas.iter().any(|schema| match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn order() -> Map<String, Value> {
        let order = json!({
            "lines": [{"sku": "A", "sizes": [1, 2]}, {"sku": "B", "sizes": []}, {"note": "none"}],
            "address": {"street": "4 Elm Lane"}, "a.b": 7
        });
        order.as_object().unwrap().clone()
    }

    #[test]
    fn a_path_leads_to_each_value() {
        let order = order();
        let at = |path| json!(values(&order, path));
        assert_eq!(at("address.street"), json!(["4 Elm Lane"]));
        assert_eq!(at("lines[].sku"), json!(["A", "B"]));
        assert_eq!(at("lines[].sizes[]"), json!([1, 2]));
        assert_eq!(at("a.b"), json!([7]));
        for none in ["address.city", "lines.sku", "address[]", "", "[]", ".", "lines[][]"] {
            assert_eq!(at(none), json!([]), "{none}");
        }
    }

    #[test]
    fn paths_into_one_list_are_paired_element_by_element() {
        let order = order();
        let at = |paths: &[&str]| json!(rows(&order, paths, 4));
        assert_eq!(at(&["lines[].sku", "lines[].sizes[]"]), json!([["A", 1], ["A", 2], ["B", null]]));
        assert_eq!(at(&["lines[].sku", "a.b"]), json!([["A", 7], ["B", 7]]));
        assert_eq!(at(&["lines[].nothing", "address.street"]), json!([[null, "4 Elm Lane"]]));
        assert_eq!((at(&["lines[].nothing"]), at(&[])), (json!([]), json!([[]])));
        let lists = json!({"a": [1, 2, 3], "b": [1, 2]});
        assert_eq!(rows(lists.as_object().unwrap(), &["a[]", "b[]"], 4), None);
        assert_eq!(rows(lists.as_object().unwrap(), &["a[]"], 1).unwrap().len(), 3);
        let stands = |wanted: Value| stand_in(&order, wanted.as_object().unwrap());
        assert!(stands(json!({"lines[].sku": "A", "lines[].sizes[]": 2, "a.b": 7})));
        assert!(!stands(json!({"lines[].sku": "B", "lines[].sizes[]": 2})));
    }

    #[test]
    fn what_stands_at_a_path_can_be_changed() {
        let mut order = order();
        change(&mut order, "lines[].sku", &mut |value| *value = json!(value.as_str().unwrap().to_lowercase()));
        change(&mut order, "a.b", &mut |value| *value = json!(8));
        change(&mut order, "nothing[].there", &mut |value| *value = json!(null));
        assert_eq!(json!(values(&order, "lines[].sku")), json!(["a", "b"]));
        assert_eq!(order["a.b"], 8);
    }

    #[test]
    fn a_schema_tells_its_paths() {
        let schema = json!({"properties": {
            "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
            "address": {"anyOf": [{"type": "object", "properties": {"street": {"type": ["string", "null"]}}}, {"type": "null"}]}
        }, "$defs": {"line": {"properties": {"sku": {"type": "string"}, "more": {"$ref": "#/$defs/line"}}}}});
        let known = known(&schema);
        let paths: Vec<&str> = known.iter().map(|(path, _)| path.as_str()).take(6).collect();
        assert_eq!(paths, ["address", "lines", "address.street", "lines[]", "lines[].more", "lines[].sku"]);
        let is = |path, kind| known.iter().any(|(known, schemas)| known == path && is_of(schemas, kind));
        assert!(is("address.street", "string") && is("lines", "array") && !is("lines", "string"));
        assert_eq!(without_places("lines[12].a[0]"), "lines[].a[]");
    }
}
