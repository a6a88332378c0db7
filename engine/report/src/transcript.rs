//! An episode for people: what was wanted, what happened, then what the scorers say of it.

use probity_bench::render::{Length, arguments, render_marked};
use probity_bench::{Card, EpisodeOutcome, EpisodeRecord, Event, Finding, Wanted};
use probity_engine::plain::plain;

#[derive(Clone, Copy, Debug, Default)]
pub struct Beyond<'a> {
    pub wanted: Option<&'a Wanted>,
    pub remarks: &'a [String],
    /// What judges say of the sentences of its reading list: in no score.
    pub judged: &'a [JudgedWords],
    pub length: Length,
}

/// What a judge says of some words of a message.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct JudgedWords {
    pub message: u32,
    /// The first character of the words, and the one after the last.
    pub start: usize,
    pub end: usize,
    /// Who says what.
    pub said: String,
}

impl JudgedWords {
    fn is_of(&self, listed: &Finding) -> bool {
        let words = listed.evidence.as_ref();
        listed.message == Some(self.message)
            && words.is_some_and(|words| (words.start, words.end) == (self.start, self.end))
    }
}

pub fn transcript(card: &Card, record: &EpisodeRecord, told: &Beyond) -> String {
    let (head, events) = (head(record, told.wanted), events(card, record, told.length));
    format!("{head}{events}{}\n", scores(card, record, told))
}

/// The episode's name, its goal and, where some of them were not made, the calls that were wanted.
pub fn head(record: &EpisodeRecord, wanted: Option<&Wanted>) -> String {
    let mut text = format!("== {}\n", record.name());
    let Some(wanted) = wanted else { return text };
    text.push_str(&goal(wanted));
    let Some(paired) = record.scores.paired.as_ref().filter(|paired| paired.steps.contains(&None)) else { return text };
    let calls = wanted.way(&paired.way).map(|way| way.calls.as_slice()).unwrap_or_default();
    for (at, (call, step)) in calls.iter().zip(&paired.steps).enumerate() {
        let (number, instead) = (at + 1, paired.instead.get(at).copied().flatten());
        let made = match (step, instead) {
            (Some(step), _) => format!("step {step}"),
            (None, Some(other)) => format!("\u{2260} step {other}"),
            (None, None) => "not made".to_owned(),
        };
        let call = format!("{}({})", call.tool, arguments(&call.arguments, Length::Short));
        text.push_str(&format!("want {number:<2}{made:<9} {}\n", plain(&call)));
    }
    text
}

pub fn goal(wanted: &Wanted) -> String {
    format!("goal   {}\n", plain(&wanted.goal))
}

/// What happened, the words that findings are about marked.
pub fn events(card: &Card, record: &EpisodeRecord, length: Length) -> String {
    let marked: Vec<&Finding> = card.findings(&record.scores).filter(|finding| finding.evidence.is_some()).collect();
    render_marked(&record.trace, &marked, length)
}

/// What the scorers say; what the trace shows where it happened is not said again.
pub fn scores(card: &Card, record: &EpisodeRecord, told: &Beyond) -> String {
    let measured = card.metrics.iter().enumerate().filter(|(_, metric)| metric.applies(&record.factors));
    let metrics = measured.map(|(place, metric)| {
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
    let in_trace: Vec<&Finding> = record.trace.events.iter().filter_map(Event::finding).collect();
    let is_shown =
        |finding: &Finding| in_trace.iter().any(|known| known.code == finding.code && known.text == finding.text);
    for finding in card.findings(&record.scores).filter(|finding| !is_shown(finding)) {
        text.push_str(&format!("  {}\n", finding_line(finding)));
    }
    for listed in &record.scores.reading_list {
        text.push_str(&listed_line(listed, told.judged));
    }
    for remark in told.remarks {
        text.push_str(&format!("  {remark}\n"));
    }
    for line in record.agent_errors.iter().flat_map(|errors| errors.lines()) {
        text.push_str(&format!("  stderr: {line}\n"));
    }
    text
}

/// An entry of a reading list, with what judges say of it below.
pub fn listed_line(listed: &Finding, judged: &[JudgedWords]) -> String {
    let said = judged.iter().filter(|words| words.is_of(listed));
    let said = said.map(|words| format!("    judged: {}\n", plain(&words.said)));
    format!("  to read: {}{}\n{}", place(listed), listed.text, said.collect::<String>())
}

/// How an episode came out by the first metric: in words of a share, else the number.
pub fn outcome(card: &Card, record: &EpisodeRecord) -> String {
    match card.outcome(&record.scores) {
        EpisodeOutcome::PassWithFindings => "pass, with findings".to_owned(),
        EpisodeOutcome::Scored => shown(record.scores.value(card.headline())),
        other @ (EpisodeOutcome::Pass | EpisodeOutcome::Fail | EpisodeOutcome::NotScored) => other.name().to_owned(),
    }
}

/// A value in two digits, or `not scored`.
pub fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "not scored".to_owned(), |value| format!("{value:.2}"))
}

fn place(finding: &Finding) -> String {
    match (finding.step, finding.message) {
        (Some(step), _) => format!("step {step}: "),
        (None, Some(message)) => format!("message {message}: "),
        (None, None) => String::new(),
    }
}

fn finding_line(finding: &Finding) -> String {
    let evidence = finding.evidence.as_ref();
    let words = evidence
        .map(|words| format!(" [characters {} to {}; compared with {}]", words.start, words.end, words.against));
    format!("{}{}: {}{}", place(finding), finding.code, finding.text, words.unwrap_or_default())
}
