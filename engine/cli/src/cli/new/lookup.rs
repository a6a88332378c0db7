//! A first task for any environment: look one entity up and say something about it.

use probity_engine::within::texts;
use serde_json::{Value, json};

use probity_engine::{
    Actor, Difficulty, Effect, Environment, State, ToolCall, environment_file::properties, format::format,
};

const SEED: u64 = 1;

/// A look-up that works: the call, what it asks by, and something only its observation tells.
struct Lookup {
    tool: String,
    parameter: String,
    value: String,
    told: String,
}

/// The text of a task; `None` when no read can be used.
pub(super) fn task(environment: &Environment) -> Option<String> {
    let state = environment.populate(Difficulty::Easy, SEED).ok()?;
    let lookup = find(environment, &state)?;
    let Lookup { tool, parameter, value, told } = lookup;
    let filled = [("@TOOL@", tool), ("@PARAMETER@", parameter), ("@VALUE@", value), ("@TOLD@", told)];
    let text = include_str!("lookup.json");
    let text = filled.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, &escaped(value)));
    format("lookup.json", &text).ok()
}

fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
}

fn find(environment: &Environment, state: &State) -> Option<Lookup> {
    let reads = environment.tools().iter().filter(|tool| tool.effect == Effect::Read && tool.actor == Actor::Agent);
    for tool in reads {
        let required = tool.parameters.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let [Value::String(parameter)] = required.as_slice() else { continue };
        if properties(&tool.parameters).get(parameter).and_then(|p| p.get("type")) != Some(&Value::from("string")) {
            continue;
        }
        // A key is nothing that a user knows.
        if state.shape().slots.iter().any(|slot| slot.key.as_deref() == Some(parameter.as_str())) {
            continue;
        }
        for value in values_of(state, parameter) {
            let call = ToolCall::new(tool.name.clone(), json!({parameter: value}));
            let Ok(applied) = environment.step(state, &call, Actor::Agent).result else { continue };
            if let Some(told) = telling(&applied.observation, &value) {
                return Some(Lookup { tool: tool.name.clone(), parameter: parameter.clone(), value, told });
            }
        }
    }
    None
}

/// Texts that stand in the state under a field of this name.
fn values_of(state: &State, field: &str) -> Vec<String> {
    let slots = 0..state.shape().slots.len();
    let entities = slots.flat_map(|slot| state.entities(slot).map(|(_, fields)| fields));
    entities.filter_map(|fields| fields.get(field)?.as_str().map(str::to_owned)).take(20).collect()
}

/// A text of an observation that is worth telling: not what was asked by.
fn telling(observation: &Value, asked: &str) -> Option<String> {
    texts(observation).find(|text| text.len() > 2 && *text != asked && !text.contains('_')).map(str::to_owned)
}
