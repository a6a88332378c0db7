//! Traces as compact text, for snapshots and `probity show`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Trace;
use crate::event::{Event, Note, Rephrased, Step, StepOutcome};
use crate::verdict::Finding;
use probity_engine::{Actor, Delta, canonical, plain::plain};

const MAX_VALUE: usize = 100;

/// How much of a value is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// As much as a line takes.
    #[default]
    Short,
    /// All of it, each item of a list on a line of its own.
    Whole,
}

/// The events of a trace, one line each; deltas on lines of their own.
pub fn render(trace: &Trace) -> String {
    render_marked(trace, &[], Length::Short)
}

/// The same, with the words that findings are about between `⟦` and `⟧`.
pub fn render_marked(trace: &Trace, findings: &[&Finding], length: Length) -> String {
    let mut text = String::new();
    for event in &trace.events {
        render_long(event, findings, length, &mut text);
    }
    text
}

/// One event, on one line or with its deltas below it; the words that findings are about are marked.
pub fn render_event(event: &Event, findings: &[&Finding], text: &mut String) {
    render_long(event, findings, Length::Short, text);
}

/// The same with as much of each value as asked for.
pub(crate) fn render_long(event: &Event, findings: &[&Finding], length: Length, text: &mut String) {
    match event {
        Event::User { text: words, said, extra, afresh, rephrased, .. } => {
            match (*extra, *afresh) {
                (true, true) => line(text, "again", words),
                (true, false) => line(text, "extra", words),
                (false, _) => line(text, "user", words),
            }
            said.iter().for_each(|said| line(text, "said", said));
            rephrased.iter().for_each(|rephrased| render_rephrased(rephrased, text));
        }
        Event::Reply { message, text: words, aside } => {
            let label = if *aside { "aside" } else { "reply" };
            line(text, label, &marked(words, *message, findings));
        }
        Event::Step(step) => render_step(step, length, text),
        Event::Note(Note::Ruling(ruling)) => line(text, "judge", &ruling.to_string()),
        Event::Note(Note::Context(context)) => line(text, "context", &context.text),
        Event::Note(Note::Tokens { .. }) => {}
        Event::Finding(finding) => line(text, "!", &format!("{}: {}", finding.code, finding.text)),
        Event::End { reason, detail } => {
            let reason = serde_json::to_value(reason).ok().and_then(|v| v.as_str().map(str::to_owned));
            let detail = detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
            line(text, "end", &format!("{}{detail}", reason.unwrap_or_default()));
        }
    }
}

/// A reply with the words marked that findings are about; marks that overlap are one.
fn marked(words: &str, message: u32, findings: &[&Finding]) -> String {
    let own = findings.iter().filter(|finding| finding.message == Some(message));
    let mut turns: BTreeMap<usize, i64> = BTreeMap::new();
    for words in own.filter_map(|finding| finding.evidence.as_ref()).filter(|words| words.start < words.end) {
        *turns.entry(words.start).or_default() += 1;
        *turns.entry(words.end).or_default() -= 1;
    }
    let mut text = String::with_capacity(words.len());
    let mut depth = 0;
    for (at, c) in words.chars().map(Some).chain([None]).enumerate() {
        let next = depth + turns.get(&at).copied().unwrap_or(0);
        let is_end = c.is_none() && next > 0;
        text.extend((depth == 0 && next > 0 && !is_end).then_some('⟦'));
        text.extend((depth > 0 && (next == 0 || is_end)).then_some('⟧'));
        text.extend(c);
        depth = next;
    }
    text
}

fn render_rephrased(rephrased: &Rephrased, text: &mut String) {
    rephrased.refused.iter().for_each(|why| line(text, "", &format!("refused: {why}")));
    match rephrased.fell_back {
        true => line(text, "", "its own words stand: every attempt to rephrase them was refused"),
        false => line(text, "", &format!("meant: {}", rephrased.meant)),
    }
}

fn line(text: &mut String, label: &str, words: &str) {
    text.push_str(&format!("{label:<6} {}\n", plain(words).trim_end()));
}

fn render_step(step: &Step, length: Length, text: &mut String) {
    let arguments = match &step.arguments {
        Value::Object(map) => arguments(map, length),
        other => cut(other, length),
    };
    let outcome = match &step.outcome {
        StepOutcome::Ok { observation: Value::Array(items), .. } if length == Length::Whole => {
            format!("{} item{}", items.len(), if items.len() == 1 { "" } else { "s" })
        }
        StepOutcome::Ok { observation, .. } => cut(observation, length),
        StepOutcome::Rejected { rejection } => {
            let detail = rejection.detail.as_ref().map(|detail| format!(" [{detail}]")).unwrap_or_default();
            format!("rejected: {}: {}: {}{detail}", rejection.kind.name(), rejection.code, rejection.message)
        }
    };
    for fired in &step.fired {
        line(text, "event", &format!("{} (+{} minutes)", fired.event, fired.advanced_minutes));
        changes(&fired.delta, length, text);
    }
    let by = if step.actor == Actor::User { "user's " } else { "" };
    line(text, &format!("call {}", step.step), &format!("{by}{}({arguments}) -> {outcome}", step.tool));
    if let StepOutcome::Ok { observation, delta } = &step.outcome {
        let items = observation.as_array().filter(|_| length == Length::Whole);
        items.into_iter().flatten().for_each(|item| line(text, "", &canonical::to_string(item)));
        changes(delta, length, text);
    }
    step.prints.iter().for_each(|print| line(text, "print", print));
}

/// A delta, one line for each entity or field.
pub fn render_delta(delta: &Delta, text: &mut String) {
    changes(delta, Length::Short, text);
}

fn changes(delta: &Delta, length: Length, text: &mut String) {
    for (path, entity) in &delta.created {
        line(text, "", &format!("+ {path} {}", cut(&Value::Object(entity.clone()), length)));
    }
    for (path, change) in &delta.updated {
        let side =
            |value: &Option<Value>| value.as_ref().map_or_else(|| "(nothing)".to_owned(), |value| cut(value, length));
        line(text, "", &format!("~ {path}: {} -> {}", side(&change.from), side(&change.to)));
    }
    for path in delta.deleted.keys() {
        line(text, "", &format!("- {path}"));
    }
}

/// Arguments with their names: `a: 1, b: "x"`.
pub fn arguments(arguments: &serde_json::Map<String, Value>, length: Length) -> String {
    let each = arguments.iter().map(|(name, value)| format!("{name}: {}", cut(value, length)));
    each.collect::<Vec<_>>().join(", ")
}

fn cut(value: &Value, length: Length) -> String {
    match length {
        Length::Short => short(value),
        Length::Whole => canonical::to_string(value),
    }
}

/// A value on one line; a long list is counted, a long object or text is cut.
pub fn short(value: &Value) -> String {
    let whole = canonical::to_string(value);
    if whole.chars().count() <= MAX_VALUE {
        return whole;
    }
    match value {
        Value::Array(items) => {
            let first = items.first().map(short).unwrap_or_default();
            format!("{} items, first {first}", items.len())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            let start: String = whole.chars().take(MAX_VALUE).collect();
            format!("{start}…")
        }
    }
}

#[cfg(test)]
mod marks {
    use super::*;

    #[test]
    fn words_are_marked_by_character_whatever_the_spans() {
        let about = |span| Finding::new("x", "").at_message(1).about(span, "");
        let spans = [(2, 4), (3, 6), (7, 7), (8, 99)].map(about);
        let findings: Vec<&Finding> = spans.iter().collect();
        assert_eq!(marked("zoë costs 9", 1, &findings), "zo⟦ë co⟧st⟦s 9⟧");
        assert_eq!(marked("zoë costs 9", 2, &findings), "zoë costs 9");
    }
}
