//! Plain values: what lies next to them, and how lists of them combine.

use serde_json::Value;

use probity_engine::Stream;

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

pub fn near(value: &Value) -> Vec<Value> {
    if let Some(number) = value.as_i64() {
        let near = [number.checked_add(1), number.checked_sub(1), number.checked_mul(2), Some(number / 2)];
        return near.into_iter().flatten().map(Value::from).collect();
    }
    if let Some(number) = value.as_f64() {
        return [number + 1.0, number - 1.0, number * 2.0].into_iter().map(Value::from).collect();
    }
    let day =
        value.as_str().and_then(|text| text.parse::<jiff::civil::Date>().ok().filter(|day| day.to_string() == text));
    let spans = [1, -1, 7, -7].into_iter().map(|days| jiff::Span::new().days(days));
    let days = day.into_iter().flat_map(|day| spans.clone().filter_map(move |span| day.checked_add(span).ok()));
    days.map(|day| Value::from(day.to_string())).collect()
}

/// The texts and numbers that stand in an expression, and the numbers next to them.
pub fn literals(expression: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for (index, part) in expression.split('"').enumerate() {
        if index % 2 == 1 {
            found.push(Value::from(part));
            continue;
        }
        let words = part.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        for number in words.filter_map(|word| word.parse::<i64>().ok()) {
            found.push(Value::from(number));
            found.extend(near(&Value::from(number)));
        }
    }
    found
}

pub fn with_other_digits(text: &str, stream: &mut Stream) -> String {
    let digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    let other = |c: char| if c.is_ascii_digit() { stream.pick(&digits).copied().unwrap_or(c) } else { c };
    text.chars().map(other).collect()
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
    fn literals_and_near_values_are_candidates() {
        let found = literals("args.kind == \"late\" && args.cents1 > 20");
        assert_eq!(found, [json!("late"), json!(20), json!(21), json!(19), json!(40), json!(10)]);
        assert_eq!(near(&json!("2026-02-28")).first(), Some(&json!("2026-03-01")));
        assert!(near(&json!("2026-02")).is_empty());
    }
}
