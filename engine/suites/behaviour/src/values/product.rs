//! How lists of values combine: the likeliest first.

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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
}
