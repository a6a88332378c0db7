//! A first task for any environment: look one entity up and say something about it.

use serde_json::{Value, json};

use probity_engine::environment::Environment;
use probity_engine::model::call::ToolCall;
use probity_engine::model::environment_file::{Actor, Effect, properties};
use probity_engine::model::ids::Difficulty;
use probity_engine::state::State;

const SEED: u64 = 1;

/// A look-up that works: the call, what it asks by, and something only its observation tells.
struct Lookup {
    tool: String,
    parameter: String,
    value: String,
    told: String,
}

/// The text of a task with this id; `None` when no read can be used.
pub(super) fn task(environment: &Environment, id: &str) -> Option<String> {
    let state = environment.populate(Difficulty::Easy, SEED).ok()?;
    let lookup = find(environment, &state)?;
    serde_json::to_string_pretty(&file(environment, id, &lookup)).ok().map(|text| text + "\n")
}

fn find(environment: &Environment, state: &State) -> Option<Lookup> {
    let reads = environment.tools().iter().filter(|tool| tool.effect == Effect::Read && tool.actor == Actor::Agent);
    for tool in reads {
        let required = tool.parameters.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let [Value::String(parameter)] = required.as_slice() else { continue };
        if properties(&tool.parameters).get(parameter).and_then(|p| p.get("type")) != Some(&Value::from("string")) {
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
    match observation {
        Value::String(text) => (text.len() > 2 && text != asked && !text.contains('_')).then(|| text.clone()),
        Value::Array(items) => items.iter().find_map(|item| telling(item, asked)),
        Value::Object(map) => map.values().find_map(|item| telling(item, asked)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn file(environment: &Environment, id: &str, lookup: &Lookup) -> Value {
    let Lookup { tool, parameter, value, told } = lookup;
    let answer = format!("This is what I found about {value}: {told}.");
    json!({
        "format": 1,
        "id": id,
        "environment": environment.id(),
        "difficulty": "easy",
        "goal": format!("Look up {value} and say what is known."),
        "initial_state": {"size": "easy", "seed": SEED, "hash": "written by probity check --update"},
        "facts": {"subject": {"value": value, "cues": ["which one"]}},
        "outcomes": [{
            "name": "base",
            "budget": 1,
            "oracle": [{"tool": tool, "arguments": {parameter: value}}],
            "must_say": [[told]],
            "replies": [answer],
        }],
        "variants": {
            "ideal": {"turns": [format!("Hello, please look up {value} and tell me what you find.")]},
            "underspecification": {
                "turns": ["Hello, please look something up for me.", format!("I mean {value}.")],
                "withheld": ["subject"],
                "segments": [2],
                "replies": ["Which one do you mean?", answer],
            },
            "information_overload": {
                "turns": [format!("It rained all morning, the bus was late and my umbrella is gone. Anyway, please look up {value}; I need to know what you have.")],
            },
            "fabricated_parameters": {
                "turns": [format!("Please look up {value} with the deep scan and tell me what you find.")],
                "planted": [{"text": "deep scan", "near": tool}],
                "replies": [format!("There is no deep scan. {answer}")],
            },
            "goal_switching": {"turns": [format!("I wanted to ask about your opening hours. No, forget that: please look up {value}.")]},
            "contradictory_constraints": {
                "turns": [format!("Tell me all about {value}, but do not look it up."), "All right, then look it up."],
                "contradicts": [{"wish": "to be told", "against": "nothing may be looked up", "settled_in_turn": 2, "holds": [tool]}],
                "segments": [2],
                "replies": ["I can only tell you what I look up. May I?", answer],
            },
            "impatience_and_hostility": {"turns": [format!("{value}. Look it up, and be quick about it for once.")]},
        },
    })
}
