//! Calls that work, of which the draft of a task can be made: something is looked at, and something is changed.

use serde_json::{Map, Value, json};

use probity_engine::constraint::contains;
use probity_engine::ids::identifier_of;
use probity_engine::{Actor, Effect, Environment, State, Tool, ToolCall};
use probity_prose::noun::singular;

/// Most entities that a tool is tried on.
const MAX_TRIED: usize = 20;

/// The first write that changes something, and the look before it that shows what it names; a look alone where no
/// write can be called.
pub(super) fn calls(environment: &Environment, state: &State) -> Vec<ToolCall> {
    let of = |effect: Effect| {
        environment.tools().iter().filter(move |tool| tool.effect == effect && tool.actor == Actor::Agent)
    };
    let works = |call: &ToolCall| environment.step(state, call, Actor::Agent).result.ok();
    let attempts = |tool: &Tool| -> Vec<ToolCall> {
        arguments(tool, state).into_iter().map(|arguments| ToolCall::new(tool.name.clone(), arguments.into())).collect()
    };
    let looks: Vec<(ToolCall, Value)> = of(Effect::Read)
        .filter_map(|tool| attempts(tool).into_iter().find_map(|call| Some((call.clone(), works(&call)?.observation))))
        .collect();
    let changes = |call: &ToolCall| works(call).is_some_and(|applied| !applied.delta.is_empty());
    let write = of(Effect::Write).flat_map(attempts).find(changes);
    let named: Vec<&Value> = write.iter().filter_map(|call| call.arguments.as_object()).flat_map(Map::values).collect();
    let shows = |(_, seen): &&(ToolCall, Value)| named.iter().any(|value| value.is_string() && contains(seen, value));
    let look = looks.iter().find(shows).or(looks.first().filter(|_| write.is_none())).map(|(call, _)| call.clone());
    look.into_iter().chain(write).collect()
}

/// Arguments with nothing but what is required, one for each entity that may be named.
fn arguments(tool: &Tool, state: &State) -> Vec<Map<String, Value>> {
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    (0..MAX_TRIED)
        .filter_map(|at| {
            let given = required.iter().map(|name| {
                let schema = tool.parameters.get("properties").and_then(|all| all.get(*name))?;
                Some(((*name).to_owned(), key(name, state, at).or_else(|| value(name, schema))?))
            });
            given.collect::<Option<Map<String, Value>>>()
        })
        .collect()
}

/// The key that a parameter names by what it is called: `orderId` of an order.
fn key(parameter: &str, state: &State, at: usize) -> Option<Value> {
    let called = identifier_of(parameter);
    let is_named = |slot: &probity_engine::SlotShape| {
        let one = singular(&slot.name);
        slot.key.as_deref() == Some(parameter) || called == format!("{one}_id")
    };
    let slot = state.shape().slots.iter().position(is_named)?;
    state.entities(slot).map(|(key, _)| Value::from(key.as_str())).nth(at)
}

/// A value for a parameter, or what is to be written in its place.
fn value(name: &str, schema: &Value) -> Option<Value> {
    let listed = ["const", "default"].iter().find_map(|key| schema.get(*key)).cloned();
    let first = ["enum", "examples"].iter().find_map(|key| schema.get(*key)?.get(0)).cloned();
    if let Some(value) = listed.or(first) {
        return Some(value);
    }
    let least = |key: &str, otherwise: i64| schema.get(key).cloned().unwrap_or_else(|| otherwise.into());
    Some(match schema.get("type")?.as_str()? {
        "string" if schema.get("format").is_some() || schema.get("pattern").is_some() => return None,
        "string" => format!("{}{name}", probity_proof::check::TO_DO).into(),
        "integer" | "number" => least("minimum", 1),
        "boolean" => true.into(),
        "array" => json!([value(name, schema.get("items")?)?]),
        "object" => {
            let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            let is_required = |name: &str| {
                schema
                    .get("required")
                    .is_some_and(|all| all.as_array().is_some_and(|all| all.iter().any(|known| known == name)))
            };
            let given = fields
                .filter(|(name, _)| is_required(name))
                .map(|(name, below)| Some((name.clone(), value(name, below)?)));
            Value::Object(given.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
