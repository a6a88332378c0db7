//! What a player gets to see, as text.

use serde_json::Value;

use crate::play::command::{USAGE, agent_tools};
use probity_bench::render::{render_delta, render_event, short};
use probity_bench::{Event, Step, StepOutcome};
use probity_engine::format::format as formatted;
use probity_engine::{Delta, Effect, Environment, SlotKind, State, Tool, environment_file::properties, pointer};

/// Lines of one value at most; `--json` cuts nothing.
const MAX_LINES: usize = 200;

pub fn events(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Step(step) => render_step(step, &mut text),
            Event::User { .. } | Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {
                render_event(event, &[], &mut text);
            }
        }
    }
    text
}

fn render_step(step: &Step, text: &mut String) {
    for fired in &step.fired {
        text.push_str(&format!("event  {} (+{} minutes)\n", fired.event, fired.advanced_minutes));
        render_delta(&fired.delta, text);
    }
    let result = if step.is_ok() { "ok" } else { "refused" };
    text.push_str(&format!("step {}: {result}\n{}\n", step.step, pretty(&step.shown())));
    match &step.outcome {
        StepOutcome::Ok { delta: changes, .. } => text.push_str(&delta(changes)),
        StepOutcome::Rejected { rejection } => {
            let detail = rejection.detail.iter();
            detail.for_each(|detail| text.push_str(&format!("for the author: {detail}\n")));
        }
    }
    step.prints.iter().for_each(|print| text.push_str(&format!("print  {print}\n")));
}

/// What changed, or nothing at all where nothing did.
pub fn delta(delta: &Delta) -> String {
    let mut text = String::new();
    render_delta(delta, &mut text);
    text
}

/// The calls and replies among what was taken back.
pub fn undone(events: &[Event]) -> String {
    let line = |event: &Event| match event {
        Event::Step(step) => Some(format!("undone: {} {}\n", step.tool, step.arguments)),
        Event::Reply { text, .. } => Some(format!("undone: say {text}\n")),
        Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
    };
    events.iter().filter_map(line).collect()
}

/// Scores with lines of one kind folded after the first of them: who stops early misses every call.
pub fn folded(scores: &str, kind: &str) -> String {
    let is_kind = |line: &&str| line.trim_start().starts_with(kind);
    let more = scores.lines().filter(is_kind).count().saturating_sub(1);
    let mut text = String::new();
    let mut met = 0;
    for line in scores.lines() {
        met += usize::from(is_kind(&line));
        match (is_kind(&line), met) {
            (true, 2) => text.push_str(&format!("  {kind} and {more} more\n")),
            (true, 3..) => {}
            _ => text.push_str(&format!("{line}\n")),
        }
    }
    text
}

/// A value with what fits on a line on one line.
fn pretty(value: &Value) -> String {
    let whole = serde_json::to_string(value).unwrap_or_default();
    let whole = formatted("value", &whole).unwrap_or(whole).trim_end().to_owned();
    let count = whole.lines().count();
    if count <= MAX_LINES {
        return whole;
    }
    let first: Vec<&str> = whole.lines().take(MAX_LINES).collect();
    format!("{}\n.. {} more lines; `--json` shows all", first.join("\n"), count - MAX_LINES)
}

/// The parts of a state, or what stands at a path.
pub fn state(state: &State, path: &[String]) -> Option<String> {
    let Some((part, rest)) = path.split_first() else { return Some(parts(state)) };
    let slot = state.shape().index(part)?;
    let shape = state.shape().slots.get(slot)?;
    if rest.is_empty() && shape.kind == SlotKind::Collection {
        let line = |key: &str, fields: &serde_json::Map<String, Value>| {
            format!("{} {}\n", pointer::escape(key), short(&Value::Object(fields.clone())))
        };
        return Some(state.entities(slot).map(|(key, fields)| line(key, fields)).collect());
    }
    state.at(path).map(|value| pretty(&value) + "\n")
}

fn parts(state: &State) -> String {
    let line = |(slot, shape): (usize, &probity_engine::SlotShape)| match shape.kind {
        SlotKind::Collection => format!("/{:<24} {} entities\n", shape.name, state.len(slot)),
        SlotKind::Record => format!("/{:<24} a record\n", shape.name),
    };
    state.shape().slots.iter().enumerate().map(line).collect()
}

pub fn tools(environment: &Environment) -> String {
    agent_tools(environment).map(|tool| format!("{}\n    {}\n", signature(tool), tool.description)).collect()
}

fn signature(tool: &Tool) -> String {
    let required = tool.parameters.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let parameters = properties(&tool.parameters);
    let mark = |name: &String| if required.contains(&Value::from(name.as_str())) { "" } else { "?" };
    let names: Vec<String> = parameters.keys().map(|name| format!("{name}{}", mark(name))).collect();
    let effect = match tool.effect {
        Effect::Read => "reads",
        Effect::Write => "writes",
    };
    format!("{}({}) {effect}", tool.name, names.join(", "))
}

pub fn tool(tool: &Tool) -> String {
    let mut text = format!("{}\n{}\n{}\n", signature(tool), tool.description, pretty(&tool.parameters));
    for precondition in &tool.preconditions {
        text.push_str(&format!("refuses {}: {}\n", precondition.code, precondition.message));
    }
    tool.errors.iter().for_each(|code| text.push_str(&format!("fails with {code}\n")));
    for (holds, what) in [(tool.irreversible, "cannot be taken back"), (tool.confirm, "needs the user's yes")] {
        if holds {
            text.push_str(&format!("{what}\n"));
        }
    }
    text
}

pub fn help() -> String {
    USAGE.iter().map(|(usage, what)| format!("{usage:<20} {what}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_values_are_cut_and_counted() {
        let text = pretty(&json!(vec![json!({"text": "word ".repeat(18)}); 300]));
        assert_eq!(text.lines().count(), MAX_LINES + 1);
        assert!(text.ends_with(".. 102 more lines; `--json` shows all"), "{text}");
    }

    #[test]
    fn what_fits_on_a_line_stands_on_one() {
        assert_eq!(pretty(&json!([{"a": 1, "b": [1, 2]}])), "[{\"a\": 1, \"b\": [1, 2]}]");
    }

    #[test]
    fn lines_of_one_kind_are_folded() {
        let scores = "sr fail\n  call_missing: a\n  call_missing: b\n  call_missing: c\n  not_said: d\n";
        let expected = "sr fail\n  call_missing: a\n  call_missing: and 2 more\n  not_said: d\n";
        assert_eq!(folded(scores, "call_missing:"), expected);
    }
}
