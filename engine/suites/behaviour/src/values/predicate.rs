//! The values that a predicate turns on: `args.count > 3` is about 3.

use serde_json::Value;

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
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_and_whole_numbers_are_found() {
        let found = literals("args.kind == \"late 7\" && args.cents1 > 20 && x12(1_000) < 1.5");
        assert_eq!(found, [json!("late 7"), json!(20), json!(1000)]);
    }
}
