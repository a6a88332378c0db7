//! Values to try: what lies next to one, what a schema says of those it takes, and how lists of them combine. Who needs
//! which of them, in which order and how many is their own: planted faults, slips, searches and explorations differ.

use serde_json::{Map, Value};

/// Adds the ways to take one value of each list whose positions sum to `rank`, up to `most` in all.
pub fn combine(lists: &[Vec<Value>], rank: usize, most: usize, chosen: &mut Vec<Value>, found: &mut Vec<Vec<Value>>) {
    if found.len() >= most || lists.iter().any(Vec::is_empty) {
        return;
    }
    let Some((first, rest)) = lists.split_first() else {
        if rank == 0 {
            found.push(chosen.clone());
        }
        return;
    };
    let later: usize = rest.iter().map(|list| list.len().saturating_sub(1)).sum();
    for (position, value) in first.iter().enumerate().take(rank + 1).skip(rank.saturating_sub(later)) {
        chosen.push(value.clone());
        combine(rest, rank - position, most, chosen, found);
        chosen.pop();
    }
}

/// Lists and objects with one part another.
pub fn without(list: &[Value], at: usize) -> Vec<Value> {
    list.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, item)| item.clone()).collect()
}

pub fn with_one(list: &[Value], at: usize, value: &Value) -> Vec<Value> {
    list.iter().enumerate().map(|(place, item)| if place == at { value } else { item }).cloned().collect()
}

pub fn with_more(list: &[Value], value: &Value) -> Vec<Value> {
    list.iter().chain([value]).cloned().collect()
}

pub fn with(fields: &Map<String, Value>, name: &str, value: &Value) -> Map<String, Value> {
    let mut fields = fields.clone();
    fields.insert(name.to_owned(), value.clone());
    fields
}

pub fn left_out(fields: &Map<String, Value>, name: &str) -> Map<String, Value> {
    let mut fields = fields.clone();
    fields.remove(name);
    fields
}

/// Numbers and days next to one; of anything else nothing.
pub fn near(value: &Value) -> Vec<Value> {
    if let Some(number) = value.as_i64() {
        let near = [number.checked_add(1), number.checked_sub(1), number.checked_mul(2), Some(number / 2)];
        return near.into_iter().flatten().map(Value::from).collect();
    }
    if let Some(number) = value.as_f64() {
        return [number + 1.0, number - 1.0, number * 2.0].into_iter().map(Value::from).collect();
    }
    days_off(value, [1, -1, 7, -7])
}

/// The days so many days off a day; nothing of a value that is none.
pub fn days_off(value: &Value, offs: impl IntoIterator<Item = i64>) -> Vec<Value> {
    let written = |text: &str| text.parse::<jiff::civil::Date>().ok().filter(|day| day.to_string() == text);
    let Some(day) = value.as_str().and_then(written) else { return Vec::new() };
    let others = offs.into_iter().filter_map(|off| day.checked_add(jiff::Span::new().days(off)).ok());
    others.map(|day| Value::from(day.to_string())).collect()
}

pub fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The names of the parts that may not be left out.
pub fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

pub fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// What an element is called of what is in a list of this name: a list of `item_ids` holds what an `item_id` is.
pub fn element_name(list: &str) -> &str {
    list.strip_suffix('s').unwrap_or(list)
}

/// The texts and whole numbers that stand in an expression, in their order.
pub fn literals(expression: &str) -> Vec<Value> {
    let mut found = Vec::new();
    // Every second part stands between quotes.
    for (at, part) in expression.split('"').enumerate() {
        if at % 2 == 1 {
            found.push(Value::from(part));
            continue;
        }
        let words = part.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        found.extend(words.filter_map(|word| word.replace('_', "").parse::<i64>().ok()).map(Value::from));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn products_start_with_likely_values() {
        let lists = vec![vec![json!(1), json!(2)], vec![json!("a"), json!("b")]];
        let ranked = |rank| {
            let mut found = Vec::new();
            combine(&lists, rank, 100, &mut Vec::new(), &mut found);
            found
        };
        assert_eq!(ranked(0), [[json!(1), json!("a")]]);
        assert_eq!(ranked(1), [[json!(1), json!("b")], [json!(2), json!("a")]]);
        assert_eq!(ranked(2), [[json!(2), json!("b")]]);
        assert!(ranked(3).is_empty());
        // Where one list has nothing to take, the others are not gone through.
        let many = vec![(0..100).map(Value::from).collect::<Vec<_>>(); 12].into_iter().chain([Vec::new()]);
        let mut found = Vec::new();
        combine(&many.collect::<Vec<_>>(), 500, 100, &mut Vec::new(), &mut found);
        assert!(found.is_empty());
    }

    #[test]
    fn numbers_and_days_have_others_next_to_them() {
        assert_eq!(near(&json!(20)), [json!(21), json!(19), json!(40), json!(10)]);
        assert_eq!(near(&json!("2026-02-28")).first(), Some(&json!("2026-03-01")));
        assert!(near(&json!("2026-02")).is_empty());
        assert_eq!(days_off(&json!("2026-03-01"), [-1, 1]), [json!("2026-02-28"), json!("2026-03-02")]);
    }

    #[test]
    fn texts_and_whole_numbers_are_found() {
        let found = literals("args.kind == \"late 7\" && args.cents1 > 20 && x12(1_000) < 1.5");
        assert_eq!(found, [json!("late 7"), json!(20), json!(1000)]);
    }
}
