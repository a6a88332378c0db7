//! About how much memory a dialogue takes, so that whoever holds several knows when to stop.

use serde_json::Value;

use crate::dialogue::{Arguments, Call, CallResult, Dialogue, Event};

/// What a value, a text or an event takes beside its contents.
const OWN: usize = 32;

impl Dialogue {
    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        let tools = self.tools.iter().map(|tool| OWN + tool.description.len() + of_value(&tool.parameters));
        self.brief.len() + tools.sum::<usize>() + self.events.iter().map(Event::weight).sum::<usize>()
    }
}

impl Event {
    /// About how many bytes it takes.
    pub fn weight(&self) -> usize {
        OWN + match self {
            Event::User { text, .. } | Event::Agent { text, .. } | Event::Told { text, .. } => text.len(),
            Event::Call(call) | Event::UserCall(call) => of_call(call),
        }
    }
}

fn of_call(call: &Call) -> usize {
    let arguments = match &call.arguments {
        Arguments::Named(map) => map.iter().map(|(key, value)| OWN + key.len() + of_value(value)).sum(),
        Arguments::Raw(text) => text.len(),
    };
    let result = match &call.result {
        CallResult::Ok { observation } => of_value(observation),
        CallResult::Error { text } => text.len(),
        CallResult::Missing => 0,
    };
    call.tool.len() + arguments + result
}

fn of_value(value: &Value) -> usize {
    OWN + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(of_value).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| OWN + key.len() + of_value(value)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_large_weighs_much() {
        let small = of_value(&json!({"a": 1}));
        assert!(small < 200);
        assert!(of_value(&json!({"a": "x".repeat(10_000)})) > 10_000);
        assert!(of_value(&json!(vec![0; 1_000])) > 30_000);
        assert!(Event::Agent { message: 0, text: "x".repeat(500) }.weight() > 500);
    }
}
