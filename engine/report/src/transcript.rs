//! An episode for people: what happened, then what the scorers say of it.

use probity_bench::{Card, EpisodeRecord, Event, Finding, render::render_marked};

/// The whole episode; `remarks` are what its benchmark has to say beyond the scores.
pub fn transcript(card: &Card, record: &EpisodeRecord, remarks: &[String]) -> String {
    let marked: Vec<&Finding> = record.scores.findings().filter(|finding| finding.evidence.is_some()).collect();
    format!("== {}\n{}{}\n", record.name(), render_marked(&record.trace, &marked), scores(card, record, remarks))
}

/// What the scorers say; what the trace shows where it happened is not said again.
pub fn scores(card: &Card, record: &EpisodeRecord, remarks: &[String]) -> String {
    let metrics = card.metrics.iter().enumerate().map(|(place, metric)| {
        let value = record.scores.value(metric.name);
        let shown = if place == 0 { outcome(card, record) } else { shown(value) };
        format!("{} {shown}", metric.name)
    });
    let mut text = format!("{}; digest {}\n", metrics.collect::<Vec<_>>().join("; "), record.digest);
    for tag in card.tags {
        if let Some(word) = record.scores.tag(tag.name).filter(|word| Some(*word) != tag.usual) {
            text.push_str(&format!("  {}: {}\n", tag.name.replace('_', " "), word.replace('_', " ")));
        }
    }
    let in_trace: Vec<&Finding> = record.trace.events.iter().filter_map(as_finding).collect();
    let is_shown =
        |finding: &Finding| in_trace.iter().any(|known| known.code == finding.code && known.text == finding.text);
    for finding in record.scores.findings().filter(|finding| !is_shown(finding)) {
        text.push_str(&format!("  {}\n", finding_line(finding)));
    }
    for remark in remarks {
        text.push_str(&format!("  {remark}\n"));
    }
    for line in record.agent_errors.iter().flat_map(|errors| errors.lines()) {
        text.push_str(&format!("  stderr: {line}\n"));
    }
    text
}

/// How an episode came out by the first metric: `pass` or `fail` of a share, else the number.
pub fn outcome(card: &Card, record: &EpisodeRecord) -> String {
    let is_share = card.metrics.first().is_some_and(|metric| metric.range == (0.0, 1.0));
    match record.scores.value(card.headline()) {
        None => "not_scored".to_owned(),
        Some(value) if is_share => if value < 1.0 { "fail" } else { "pass" }.to_owned(),
        value @ Some(_) => shown(value),
    }
}

/// Whether an episode failed by the first metric, where that is a share.
pub fn has_failed(card: &Card, record: &EpisodeRecord) -> bool {
    outcome(card, record) == "fail"
}

/// A value in two digits, or `not scored`.
pub fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "not scored".to_owned(), |value| format!("{value:.2}"))
}

fn as_finding(event: &Event) -> Option<&Finding> {
    match event {
        Event::Finding(finding) => Some(finding),
        Event::User { .. } | Event::Reply { .. } | Event::Step(_) | Event::End { .. } => None,
    }
}

fn finding_line(finding: &Finding) -> String {
    let place = match (finding.step, finding.message) {
        (Some(step), _) => format!("step {step}: "),
        (None, Some(message)) => format!("message {message}: "),
        (None, None) => String::new(),
    };
    let evidence = finding.evidence.as_ref();
    let words = evidence
        .map(|words| format!(" [characters {} to {}; compared with {}]", words.start, words.end, words.against));
    format!("{place}{}: {}{}", finding.code, finding.text, words.unwrap_or_default())
}
