//! Which of the gold calls were made (ACTION).

use serde_json::{Map, Value};

use crate::model::GoldCall;
use probity_bench::Trace;
use probity_engine::number::is_same;

/// For each gold call whether some call of the episode matches it. Who called, order and number do not count.
pub(crate) fn gold_matches(gold: &[GoldCall], trace: &Trace) -> Vec<bool> {
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
