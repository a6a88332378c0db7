//! Episodes that came out otherwise: in which number, by which findings, and from which event on.

use std::collections::BTreeMap;
use std::mem::discriminant;

use serde::Serialize;
use serde_json::Value;

use super::pair::Pair;
use probity_bench::{Card, EpisodeRecord, Event, Finding, Levels, Note};
use probity_engine::pointer::first_difference;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedEpisode<'a> {
    /// `task levels #trial`.
    pub episode: String,
    pub task: String,
    pub levels: Levels,
    pub factors: Levels,
    /// Which repetition, from 0.
    pub trial: u32,
    /// The metrics that changed, with both values; null is not scored.
    pub metrics: BTreeMap<&'static str, (Option<f64>, Option<f64>)>,
    pub new_findings: Vec<&'a Finding>,
    pub first_difference: Option<FirstDifference>,
    /// Both episodes, for the page: the base's, then the new run's.
    #[serde(skip)]
    pub records: [&'a EpisodeRecord; 2],
}

impl ChangedEpisode<'_> {
    /// `task levels`.
    pub fn instance(&self) -> String {
        format!("{} {}", self.task, self.levels)
    }
}

/// The first event in which two episodes differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstDifference {
    /// Which event, from 0.
    pub event: usize,
    /// JSON Pointer within it; `/type` where the events are of two kinds, or one had ended.
    pub path: String,
    /// The base's event, in a line; nothing when it had ended.
    pub base: Option<String>,
    /// The new run's event, in a line; nothing when it had ended.
    pub new: Option<String>,
}

pub fn changed<'a>(card: &'static Card, pair: &Pair<'a>) -> Option<ChangedEpisode<'a>> {
    let metrics: BTreeMap<_, _> = card
        .metrics
        .iter()
        .map(|metric| metric.name)
        .map(|metric| (metric, (pair.base.scores.value(metric), pair.new.scores.value(metric))))
        .filter(|(_, (base, new))| base != new)
        .collect();
    let new_findings = new_findings(card, pair);
    (!metrics.is_empty() || !new_findings.is_empty()).then(|| ChangedEpisode {
        episode: pair.base.instance_name(),
        task: pair.task().to_owned(),
        levels: pair.levels().clone(),
        factors: pair.base.factors.clone(),
        trial: pair.base.trial,
        metrics,
        new_findings,
        first_difference: first_event(pair),
        records: [pair.base, pair.new],
    })
}

fn new_findings<'a>(card: &'static Card, pair: &Pair<'a>) -> Vec<&'a Finding> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in card.findings(&pair.base.scores) {
        *known.entry(&finding.code).or_default() += 1;
    }
    let mut new = Vec::new();
    for finding in card.findings(&pair.new.scores) {
        match known.get_mut(finding.code.as_str()).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => new.push(finding),
        }
    }
    new
}

fn first_event(pair: &Pair) -> Option<FirstDifference> {
    let (base, new) = (&pair.base.trace.events, &pair.new.trace.events);
    (0..base.len().max(new.len())).find_map(|at| {
        let (left, right) = (base.get(at), new.get(at));
        let is_count = |event: Option<&Event>| matches!(event, Some(Event::Note(Note::Tokens { .. })));
        if left == right || (is_count(left) && is_count(right)) {
            return None;
        }
        let value =
            |event: Option<&Event>| event.and_then(|event| serde_json::to_value(event).ok()).unwrap_or_default();
        // A reply and a call have nothing in common that a path could lead to.
        let is_alike = left.zip(right).is_some_and(|(left, right)| discriminant(left) == discriminant(right));
        let path = first_difference(&value(left), &value(right)).filter(|_| is_alike);
        let path = path.unwrap_or_else(|| "/type".to_owned());
        Some(FirstDifference { event: at, path, base: left.map(line), new: right.map(line) })
    })
}

/// An event in a line of at most 160 characters.
fn line(event: &Event) -> String {
    let text = match event {
        Event::User { text, .. } => format!("user: {text}"),
        Event::Reply { text, .. } => format!("agent: {text}"),
        Event::Step(step) => {
            let refused = step.rejection().map(|rejection| format!(" refused: {}", rejection.code));
            format!("call {} {}{}", step.tool, step.arguments, refused.unwrap_or_default())
        }
        Event::Finding(finding) => format!("finding {}: {}", finding.code, finding.text),
        Event::Note(note) => format!("note {}", serde_json::to_value(note).unwrap_or_default()),
        Event::End { reason, detail } => {
            let reason = serde_json::to_value(reason).unwrap_or(Value::Null);
            format!("end {} {}", reason.as_str().unwrap_or_default(), detail.as_deref().unwrap_or_default())
        }
    };
    probity_engine::plain::brief(&text, 160)
}

/// What changed in an episode, a line each: its new findings in words, then the first event that differs.
pub fn causes(episode: &ChangedEpisode) -> Vec<String> {
    let at = |step: Option<u32>| step.map(|step| format!(" at step {step}")).unwrap_or_default();
    let mut lines: Vec<String> = episode
        .new_findings
        .iter()
        .map(|finding| format!("{}{}: {}", finding.code, at(finding.step), finding.text))
        .collect();
    if let Some(first) = &episode.first_difference {
        let side = |line: &Option<String>| line.clone().unwrap_or_else(|| "(ended)".to_owned());
        lines.push(format!("event {}, base  {}", first.event, side(&first.base)));
        lines.push(format!("event {}, new   {}", first.event, side(&first.new)));
    }
    lines
}
