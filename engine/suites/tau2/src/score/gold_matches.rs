//! Which of the gold calls were made (`tau2.md` 1.6, ACTION).

use serde_json::{Map, Value};

use crate::model::GoldCall;
use probity_bench::Trace;

/// For each gold call whether some call of the episode matches it. Who called, order and number do not count.
pub fn gold_matches(gold: &[GoldCall], trace: &Trace) -> Vec<bool> {
    gold.iter().map(|call| trace.steps().any(|step| is_match(call, &step.tool, &step.arguments))).collect()
}

fn is_match(gold: &GoldCall, tool: &str, arguments: &Value) -> bool {
    if gold.tool != tool {
        return false;
    }
    let none = Map::new();
    let made = arguments.as_object().unwrap_or(&none);
    let agrees = |name: &String| match (gold.arguments.get(name), made.get(name)) {
        (Some(wanted), Some(given)) => is_same(wanted, given),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    match &gold.compared {
        Some(compared) => compared.iter().all(agrees),
        None => made.keys().all(agrees),
    }
}

/// Whether two values are equal, however their numbers are spelled.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let agrees = |(name, one): (&String, &Value)| other.get(name).is_some_and(|other| is_same(one, other));
            one.len() == other.len() && one.iter().all(agrees)
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::Actor;
    use serde_json::json;

    fn gold(arguments: &Value, compared: Option<&[&str]>) -> GoldCall {
        let compared = compared.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let arguments = arguments.as_object().unwrap().clone();
        GoldCall { side: Actor::Agent, tool: "pick".to_owned(), arguments, compared }
    }

    #[test]
    fn the_calls_own_arguments_are_compared_where_nothing_is_said() {
        let wanted = gold(&json!({"jar": "a", "n": 2}), None);
        assert!(is_match(&wanted, "pick", &json!({"jar": "a", "n": 2.0})));
        assert!(is_match(&wanted, "pick", &json!({"jar": "a"})), "what the call does not have is not compared");
        assert!(is_match(&wanted, "pick", &json!({})), "so that a call without arguments is like any other");
        assert!(!is_match(&wanted, "pick", &json!({"jar": "a", "why": 1})));
        assert!(!is_match(&wanted, "put", &json!({"jar": "a", "n": 2})));
    }

    #[test]
    fn named_arguments_alone_are_compared() {
        assert!(is_match(&gold(&json!({"jar": "a"}), Some(&[])), "pick", &json!({"jar": "b"})));
        let jar = gold(&json!({"jar": "a", "n": 2}), Some(&["jar"]));
        assert!(is_match(&jar, "pick", &json!({"jar": "a", "n": 7})));
        assert!(!is_match(&jar, "pick", &json!({"n": 2})));
    }
}
