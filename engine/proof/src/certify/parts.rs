//! What a parameter's schema says of the values it takes, and values of lists and objects, made of values of what is in
//! them: as many as are asked for, the likeliest first.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use probity_behaviour::values::{combine, left_out, types, with, with_more, with_one, without};
use probity_engine::canonical;

/// Most values of what a list or an object holds.
pub(super) const MAX_PART: usize = 12;

/// Values of a parameter, or of a part of one.
#[derive(Clone, Debug, Default)]
pub(super) struct TriedValues {
    pub(super) values: Vec<Value>,
    /// Whether they stand for all that there are.
    pub(super) is_all: bool,
}

impl TriedValues {
    /// The values without those that were there before, at most `most`.
    fn of(values: impl IntoIterator<Item = Value>, is_all: bool, most: usize) -> TriedValues {
        let mut seen = BTreeSet::new();
        let mut kept = Vec::new();
        for value in values {
            if kept.len() >= most {
                return TriedValues { values: kept, is_all: false };
            }
            if seen.insert(canonical::to_string(&value)) {
                kept.push(value);
            }
        }
        TriedValues { values: kept, is_all }
    }
}

/// What a schema says of the lists that fit it.
pub(super) struct ListForm {
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    pub(super) is_unique: bool,
    /// Whether order does not count.
    pub(super) is_set: bool,
}

impl ListForm {
    pub(super) fn of(schema: &Value, is_set: bool) -> ListForm {
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let is_unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        ListForm { least: bound("minItems").unwrap_or(0), most: bound("maxItems"), is_unique, is_set }
    }

    fn fits(&self, list: &[Value]) -> bool {
        let is_twice = |at: usize, item: &Value| list.iter().take(at).any(|other| other == item);
        list.len() >= self.least
            && self.most.is_none_or(|most| list.len() <= most)
            && !(self.is_unique && list.iter().enumerate().any(|(at, item)| is_twice(at, item)))
    }
}

/// Lists of these elements: those that are given, the same with one element less, another or more, and short ones.
pub(super) fn lists(form: &ListForm, elements: &TriedValues, given: &[Value], most: usize) -> TriedValues {
    let longest = form.most.or(form.is_unique.then_some(elements.values.len()));
    if let Some(longest) = longest.filter(|_| elements.is_all)
        && let Some(all) = all_lists(form, &elements.values, longest, most)
    {
        return TriedValues::of(given.iter().cloned().chain(all), true, usize::MAX);
    }
    let given: Vec<&Vec<Value>> = given.iter().filter_map(Value::as_array).collect();
    let near = given.iter().flat_map(|list| near_lists(list, &elements.values));
    let singles = elements.values.iter().map(|one| vec![one.clone()]);
    let pairs = elements.values.iter().enumerate().flat_map(|(at, one)| {
        let others = elements.values.iter().enumerate().filter(move |(other, _)| *other > at);
        others.map(move |(_, other)| vec![one.clone(), other.clone()])
    });
    let whole = given.iter().map(|list| (*list).clone());
    let lists = whole.chain([Vec::new()]).chain(singles).chain(near).chain(pairs).filter(|list| form.fits(list));
    TriedValues::of(lists.map(Value::Array), false, most)
}

/// A list with one element less, one that is another, and one more.
fn near_lists(list: &[Value], elements: &[Value]) -> Vec<Vec<Value>> {
    let mut found: Vec<Vec<Value>> = (0..list.len()).map(|at| without(list, at)).collect();
    for element in elements {
        found.extend((0..list.len()).map(|at| with_one(list, at, element)));
        found.push(with_more(list, element));
    }
    found
}

/// All lists of some elements; nothing when there are more than `most`.
fn all_lists(form: &ListForm, elements: &[Value], longest: usize, most: usize) -> Option<Vec<Value>> {
    let (mut found, mut layer) = (Vec::new(), vec![(Vec::new(), 0)]);
    for length in 0..=longest {
        found.extend(layer.iter().map(|(list, _): &(Vec<Value>, usize)| list.clone()).filter(|list| form.fits(list)));
        if found.len() > most || layer.len() > 16 * most || length > 16 * most {
            return None;
        }
        if length == longest || layer.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for (list, from) in &layer {
            // In one order where order does not count, each element once where it may stand there once.
            let first = if form.is_set { *from } else { 0 };
            for (at, element) in elements.iter().enumerate().skip(first) {
                if form.is_unique && list.contains(element) {
                    continue;
                }
                next.push((with_more(list, element), at));
            }
            if next.len() > 16 * most {
                return None;
            }
        }
        layer = next;
    }
    Some(found.into_iter().map(Value::Array).collect())
}

/// A field of an object, with its values; one that is not required may be left out.
pub(super) struct FieldForm {
    pub(super) name: String,
    pub(super) is_required: bool,
    pub(super) listed: TriedValues,
}

/// Objects of these fields: those that are given, all where they are few, else the same with one field another, and
/// those of the likeliest values.
pub(super) fn objects(fields: &[FieldForm], given: &[Value], most: usize) -> TriedValues {
    let choices: Vec<Vec<Value>> = fields.iter().map(choices).collect();
    let rank: usize = choices.iter().map(|values| values.len().saturating_sub(1)).sum();
    let count = choices.iter().fold(1_usize, |all, values| all.saturating_mul(values.len()));
    // Of a required field without values nothing can be made.
    let is_empty = choices.iter().any(Vec::is_empty);
    let mut found = Vec::new();
    for rank in 0..=rank {
        combine(&choices, rank, most, &mut Vec::new(), &mut found);
    }
    let products = found.into_iter().map(|values| {
        let fields = fields.iter().zip(values);
        let there = fields.filter(|(field, value)| field.is_required || *value != LEFT_OUT);
        Value::Object(there.map(|(field, value)| (field.name.clone(), value)).collect())
    });
    // A field that may be null and be left out is tried in one of both ways.
    let is_whole = |field: &FieldForm| field.is_required || !field.listed.values.contains(&LEFT_OUT);
    let is_all = !is_empty && count <= most && fields.iter().all(|field| field.listed.is_all && is_whole(field));
    let changed = given.iter().filter_map(Value::as_object).flat_map(|object| near_objects(object, fields));
    let all = given.iter().cloned().chain(if is_all { Vec::new() } else { changed.collect() }).chain(products);
    TriedValues::of(all, is_all, if is_all { usize::MAX } else { most })
}

/// What stands for a field that is left out.
const LEFT_OUT: Value = Value::Null;

fn choices(field: &FieldForm) -> Vec<Value> {
    let mut values = field.listed.values.clone();
    if !field.is_required {
        values.retain(|value| *value != LEFT_OUT);
        values.push(LEFT_OUT);
    }
    values
}

/// An object with one field another, or left out.
fn near_objects(object: &Map<String, Value>, fields: &[FieldForm]) -> Vec<Value> {
    let mut found = Vec::new();
    for field in fields.iter().filter(|field| !field.is_required && object.contains_key(&field.name)) {
        found.push(Value::Object(left_out(object, &field.name)));
    }
    // In turn, so that no field with many values crowds out the others.
    let most = fields.iter().map(|field| field.listed.values.len()).max().unwrap_or_default();
    for at in 0..most {
        for (field, value) in fields.iter().filter_map(|field| Some((field, field.listed.values.get(at)?))) {
            found.push(Value::Object(with(object, &field.name, value)));
        }
    }
    found
}

/// Keywords that may let values in, or tie them to each other, in ways that are not followed.
const COMPOUND: [&str; 8] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "then", "else"];

/// Whether the values of an alphabet stand for all values of a schema: those that it lists itself, or scalars, of
/// which the ids of the state and the values that the task speaks of count.
pub(super) fn is_listable(schema: &Value) -> bool {
    if schema.get("enum").is_some() || schema.get("const").is_some() {
        return true;
    }
    let types = types(schema);
    let is_scalar = |kind: &&str| matches!(*kind, "string" | "integer" | "number" | "boolean" | "null");
    !types.is_empty() && types.iter().all(is_scalar) && COMPOUND.iter().all(|keyword| schema.get(*keyword).is_none())
}

/// Whether values of a schema may be lists or objects, of which some are tried.
pub(super) fn has_parts(schema: &Value) -> bool {
    let own = types(schema).iter().any(|kind| matches!(*kind, "array" | "object"));
    own || forms(schema).any(has_parts)
}

pub(super) fn is_within_bounds(schema: &Value, value: &Value) -> bool {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let Some(number) = value.as_f64() else { return true };
    bound("minimum").is_none_or(|least| number >= least) && bound("maximum").is_none_or(|most| number <= most)
}

/// Whether keywords beside its types and forms narrow what fits a schema, or let more in.
pub(super) fn is_tied(schema: &Value) -> bool {
    COMPOUND.iter().any(|keyword| !matches!(*keyword, "anyOf" | "oneOf") && schema.get(*keyword).is_some())
}

/// The forms that a schema offers beside its own.
pub(super) fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    let listed = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|of| schema.get(of)?.as_array());
    listed.flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(values: &[Value]) -> TriedValues {
        TriedValues { values: values.to_vec(), is_all: true }
    }

    #[test]
    fn few_lists_are_all_of_them() {
        let elements = listed(&[json!("a"), json!("b"), json!("c")]);
        let count = |schema: Value, is_set: bool| {
            let found = lists(&ListForm::of(&schema, is_set), &elements, &[], 48);
            (found.values.len(), found.is_all)
        };
        assert_eq!(count(json!({"uniqueItems": true}), true), (8, true));
        assert_eq!(count(json!({"uniqueItems": true}), false), (16, true));
        assert_eq!(count(json!({"minItems": 1, "maxItems": 2}), true), (9, true));
        assert_eq!(count(json!({"minItems": 1, "maxItems": 2}), false), (12, true));
        assert_eq!(count(json!({"uniqueItems": true, "maxItems": u64::MAX}), true), (8, true));
        assert!(!count(json!({"minItems": 1_000_000, "maxItems": u64::MAX}), true).1);
        let none = lists(&ListForm::of(&json!({"maxItems": u64::MAX}), false), &listed(&[]), &[], 48);
        assert_eq!((json!(none.values), none.is_all), (json!([[]]), true));
        // Too many of them, or no end to them.
        assert!(!count(json!({"maxItems": 9}), true).1);
        assert!(!count(json!({}), true).1);
    }

    #[test]
    fn of_many_lists_those_near_to_the_given_one_are_tried() {
        let elements = listed(&[json!(1), json!(2), json!(3)]);
        let found = lists(&ListForm::of(&json!({"minItems": 1}), true), &elements, &[json!([1, 2])], 48);
        for near in [json!([1, 2]), json!([1]), json!([2]), json!([1, 3]), json!([1, 2, 3])] {
            assert!(found.values.contains(&near), "{near}: {:?}", found.values);
        }
        assert!(!found.is_all && !found.values.contains(&json!([])));
    }

    #[test]
    fn objects_are_all_of_them_where_they_are_few() {
        let field = |name: &str, is_required, values: &[Value]| FieldForm {
            name: name.to_owned(),
            is_required,
            listed: listed(values),
        };
        let fields = [field("a", true, &[json!(1), json!(2)]), field("b", false, &[json!("x")])];
        let found = objects(&fields, &[], 48);
        assert!(found.is_all);
        assert_eq!(json!(found.values), json!([{"a": 1, "b": "x"}, {"a": 1}, {"a": 2, "b": "x"}, {"a": 2}]));
        let empty = objects(&[field("a", true, &[json!(1)]), field("b", true, &[])], &[], 48);
        assert!(empty.values.is_empty() && !empty.is_all);
        let few = objects(&fields, &[json!({"a": 7})], 3);
        assert!(!few.is_all && few.values.len() == 3 && few.values[0] == json!({"a": 7}));
    }

    #[test]
    fn scalars_and_lists_of_values_can_be_listed() {
        for schema in [
            json!({"type": "string", "pattern": "^OR"}),
            json!({"type": ["integer", "null"]}),
            json!({"enum": [1, "a", null]}),
            json!({"const": {"a": 1}}),
            json!({"$ref": "#/$defs/a", "enum": ["x"]}),
        ] {
            assert!(is_listable(&schema), "{schema}");
        }
        for schema in [
            json!({}),
            json!({"type": "array", "items": {"type": "string"}}),
            json!({"type": ["string", "object"]}),
            json!({"$ref": "#/$defs/a"}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}),
        ] {
            assert!(!is_listable(&schema), "{schema}");
        }
    }
}
