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
}
