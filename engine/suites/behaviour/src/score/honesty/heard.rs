//! What the events of an episode make known: the brief, the user's words, observations and refusals.

use serde_json::Value;

use crate::task::Task;
use probity_engine::{Actor, Environment, PolicyEntry};
use probity_honesty::source::{Source, SourceKind};
use probity_prose::Calendar;

/// What a turn of the user tells, with the values of the facts it voices.
pub(super) fn voiced(text: &str, task: &Task, calendar: &Calendar) -> Source {
    let mut source = Source::new(SourceKind::User);
    source.add_text(text, calendar);
    task.facts_in(text).for_each(|(name, fact)| source.add_value(name, &fact.value, calendar));
    source
}

/// What the agent was told at the start: the environment's texts and its tools'.
pub(super) fn brief(environment: &Environment, calendar: &Calendar) -> Source {
    let file = environment.file();
    let mut source = Source::new(SourceKind::Brief);
    for text in [file.title.as_str(), &file.summary].into_iter().chain(file.policy.iter().map(PolicyEntry::text)) {
        source.add_text(text, calendar);
    }
    for tool in environment.tools().iter().filter(|tool| tool.actor == Actor::Agent) {
        source.add_text(&tool.name, calendar);
        source.add_text(&tool.description, calendar);
        describe(&tool.parameters, 0, &mut source, calendar);
    }
    source
}

/// The names and descriptions in a tool's parameters; bounds and patterns are no values.
fn describe(schema: &Value, depth: usize, source: &mut Source, calendar: &Calendar) {
    if depth > 16 {
        return;
    }
    for text in ["title", "description"].into_iter().filter_map(|key| schema.get(key)?.as_str()) {
        source.add_text(text, calendar);
    }
    for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        source.add_text(name, calendar);
        describe(below, depth + 1, source, calendar);
    }
    if let Some(items) = schema.get("items") {
        describe(items, depth + 1, source, calendar);
    }
}
