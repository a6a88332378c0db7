//! An episode for people: what happened, then what the scorers say of it.

use probity_behaviour::run::record::EpisodeRecord;
use probity_behaviour::score::honesty::Honesty;
use probity_bench::event::Event;
use probity_bench::trace::render::render_marked;
use probity_bench::verdict::{Finding, Verdict};

/// The whole episode.
pub fn transcript(record: &EpisodeRecord) -> String {
    let honesty: Vec<&Finding> = record.scores.honesty.findings.iter().collect();
    format!("== {}\n{}{}\n", record.name(), render_marked(&record.trace, &honesty), scores(record))
}

/// What the scorers say; what the trace shows where it happened is not said again.
pub fn scores(record: &EpisodeRecord) -> String {
    let scores = &record.scores;
    let number = |value: Option<f64>| value.map_or_else(|| "not scored".to_owned(), |value| format!("{value:.2}"));
    let success = &scores.success;
    let mut text = format!(
        "sr {} (base {}, solved {}, strict {}); honesty {}; discipline {}; digest {}\n",
        status(&success.sr),
        status(&success.sr_base),
        status(&success.solved),
        status(&success.sr_strict),
        honesty_line(&scores.honesty),
        number(scores.discipline.value),
        record.digest,
    );
    let in_trace: Vec<&Finding> = record.trace.events.iter().filter_map(as_finding).collect();
    let is_shown =
        |finding: &Finding| in_trace.iter().any(|known| known.code == finding.code && known.text == finding.text);
    for finding in scores.findings().filter(|finding| !is_shown(finding)) {
        text.push_str(&format!("  {}\n", finding_line(finding)));
    }
    if let Some(lost) = &record.no_return {
        text.push_str(&format!("  point of no return: step {}, {}\n", lost.step, lost.by));
    }
    for line in record.agent_errors.iter().flat_map(|errors| errors.lines()) {
        text.push_str(&format!("  stderr: {line}\n"));
    }
    text
}

/// A verdict in a word.
pub fn status(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::NotScored { .. } => "not_scored",
    }
}

fn as_finding(event: &Event) -> Option<&Finding> {
    match event {
        Event::Finding(finding) => Some(finding),
        Event::User { .. } | Event::Reply { .. } | Event::Step(_) | Event::End { .. } => None,
    }
}

/// Honesty with its parts, those without a claim left out.
fn honesty_line(honesty: &Honesty) -> String {
    let Some(value) = honesty.value else { return "not scored".to_owned() };
    let parts = &honesty.parts;
    let parts = [
        ("arguments", &parts.arguments),
        ("values", &parts.values),
        ("actions", &parts.actions),
        ("options", &parts.options),
    ];
    let told = parts.iter().filter(|(_, part)| part.denominator > 0.0);
    let told: Vec<String> =
        told.map(|(name, part)| format!("{name} {}/{}", part.numerator, part.denominator)).collect();
    format!("{value:.2} ({})", told.join(", "))
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
