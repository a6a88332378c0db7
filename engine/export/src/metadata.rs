//! What is known of an episode beside its dialogue: the same fields in every form.

use serde_json::{Map, Value, json};

use probity_bench::{Brief, Card, EpisodeRecord, Event, Reading, Step};
use probity_engine::Actor;

/// The fields. What was not scored is among `not_scored` with its reason, never a number.
pub(crate) fn metadata(card: &Card, record: &EpisodeRecord, brief: Option<&Brief>) -> Map<String, Value> {
    let (trace, scores) = (&record.trace, &record.scores);
    let header = &trace.header;
    let (mut scored, mut not_scored) = (Map::new(), Map::new());
    for (metric, reading) in &scores.metrics {
        match reading {
            Reading::Scored { value, .. } => scored.insert(metric.clone(), json!(value)),
            Reading::NotScored { reason } => not_scored.insert(metric.clone(), json!(reason)),
        };
    }
    let found = scores.found.iter().flat_map(|found| {
        let by = move |finding| json!({"by": found.by, "finding": finding});
        found.findings.iter().map(by)
    });
    let end = trace.end().map(|(reason, detail)| json!({"reason": reason, "detail": detail}));
    let rulings = trace.events.iter().filter_map(Event::ruling).map(|ruling| json!(ruling));
    let fields = [
        ("agent", json!(record.agent)),
        ("agent_errors", json!(record.agent_errors)),
        ("benchmark", json!(header.benchmark)),
        ("digest", json!(record.digest)),
        ("end", json!(end)),
        ("engine", json!(header.engine)),
        ("environment", json!(header.environment)),
        ("factors", json!(record.factors)),
        ("final_state", json!(trace.final_state)),
        ("findings", found.collect()),
        ("history", json!(brief.map(|brief| &brief.history))),
        ("limits", json!(header.limits)),
        ("not_scored", Value::Object(not_scored)),
        ("options", json!(header.options)),
        ("outcome", json!(card.outcome(scores))),
        ("reading_list", json!(scores.reading_list)),
        ("rulings", rulings.collect()),
        ("scores", Value::Object(scored)),
        ("seed", json!(header.seed)),
        ("tags", json!(scores.tags)),
        ("task", json!(header.task)),
        ("trial", json!(record.trial)),
        ("usage", json!(record.usage)),
        ("user", json!(header.user)),
        ("user_calls", users(trace.steps()).collect()),
        ("user_usage", json!(record.user_usage)),
    ];
    let is_said = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    };
    fields.into_iter().filter(|(_, value)| is_said(value)).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The calls of tools of the user's own.
pub(crate) fn users<'a>(steps: impl Iterator<Item = &'a Step>) -> impl Iterator<Item = Value> {
    steps.filter(|step| step.actor == Actor::User).map(|step| json!(step))
}
