//! What a user's message must not give away (spec D.1 and D.3).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::host;
use super::matching::tool_name;
use super::path::objects;
use probity_engine::within;

/// The texts of a list that occur in a message, whatever the case. Repeated ones count again.
fn hits(texts: impl Iterator<Item = String>, message: &str) -> Vec<String> {
    let message = message.to_lowercase();
    texts.filter(|text| !text.is_empty() && message.contains(&text.to_lowercase())).collect()
}

fn labels(list: Option<&Value>) -> impl Iterator<Item = String> {
    list.and_then(Value::as_array).into_iter().flatten().map(|item| host::label(Some(item)))
}

/// The check of the first dialogue: tool names, and entities that look like identifiers.
pub(crate) fn stable(message: &str, tool_names: Option<&Value>, entities: Option<&Value>) -> Value {
    let looks_like_id = |text: &String| text.chars().any(|c| matches!(c, '_' | '-') || c.is_numeric());
    json!({
        "tool_hits": hits(labels(tool_names), message),
        "entity_hits": hits(labels(entities).filter(looks_like_id), message),
    })
}

/// Identifiers of an oracle's trace that the user's own words do not show.
pub(crate) fn hidden_identifiers(dialogue: &Value) -> Vec<String> {
    let turns = objects(dialogue.get("user_turns")).map(|turn| host::label(turn.get("user_message")));
    let said: Vec<String> = std::iter::once(host::label(dialogue.get("user_request"))).chain(turns).collect();
    let said = said.join("\n").to_lowercase();
    let mut texts = BTreeSet::new();
    for step in objects(dialogue.get("agent_gold_trace")) {
        for name in ["arguments", "observation", "state_diff"] {
            texts.extend(step.get(name).into_iter().flat_map(within::texts).map(host::strip));
        }
    }
    let is_identifier = |text: &&str| {
        let (letter, digit) = (text.chars().any(char::is_alphabetic), text.chars().any(char::is_numeric));
        text.contains('_') || (letter && digit)
    };
    let hidden = texts.into_iter().filter(is_identifier).filter(|text| !said.contains(&text.to_lowercase()));
    hidden.map(str::to_owned).collect()
}

/// The check of a rewritten dialogue: tools of the oracle's trace, and hidden identifiers.
pub(crate) fn unstable(message: &str, dialogue: &Value) -> Value {
    let mut tools: Vec<String> = Vec::new();
    for step in objects(dialogue.get("agent_gold_trace")) {
        let name = tool_name(step);
        if !tools.contains(&name) {
            tools.push(name);
        }
    }
    json!({
        "tool_hits": hits(tools.into_iter(), message),
        "identifier_hits": hits(hidden_identifiers(dialogue).into_iter(), message),
    })
}
