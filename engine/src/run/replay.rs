//! Replaying a run: every episode again from the run directory alone, compared event by event.

use rayon::prelude::*;

use super::plan::Unit;
use super::record::EpisodeRecord;
use crate::episode::replay::ReplayAgent;
use crate::model::event::Event;
use crate::model::pointer::first_difference;
use crate::trace::Trace;

/// Where a replay differs from its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The episode.
    pub episode: String,
    /// The step, when the difference lies in one.
    pub step: Option<u32>,
    /// JSON Pointer within the event, the header or the scores.
    pub path: String,
    /// What the record says and what the replay gives.
    pub text: String,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "replay of `{}` diverged", self.episode)?;
        if let Some(step) = self.step {
            write!(f, " at step {step}")?;
        }
        write!(f, ", {}: {}", self.path, self.text)
    }
}

/// Replays all records of a run; one divergence for each episode that differs.
pub fn replay(units: &[Unit], records: &[EpisodeRecord]) -> Vec<Divergence> {
    records.par_iter().filter_map(|record| replay_one(units, record)).collect()
}

fn replay_one(units: &[Unit], record: &EpisodeRecord) -> Option<Divergence> {
    let diverged = |step, path: String, text: String| Some(Divergence { episode: record.name(), step, path, text });
    let Some(unit) = units.iter().find(|unit| unit.order() == record.order()) else {
        return diverged(None, "/trace/header".to_owned(), "this run has no such unit".to_owned());
    };
    let again = unit.play_with(&mut ReplayAgent::new(&record.trace))?;
    if let Some((step, path, text)) = compare_traces(&record.trace, &again.trace) {
        return diverged(step, path, text);
    }
    let recorded = serde_json::to_value(record).ok()?;
    let replayed = serde_json::to_value(&again).ok()?;
    let path = first_difference(&recorded, &replayed)?;
    let text = sides(recorded.pointer(&path), replayed.pointer(&path));
    diverged(None, path, text)
}

fn compare_traces(recorded: &Trace, replayed: &Trace) -> Option<(Option<u32>, String, String)> {
    for index in 0..recorded.events.len().max(replayed.events.len()) {
        let (before, after) = (recorded.events.get(index), replayed.events.get(index));
        if before == after {
            continue;
        }
        let json = |event: Option<&Event>| serde_json::to_value(event).unwrap_or_default();
        let (before_json, after_json) = (json(before), json(after));
        let path = first_difference(&before_json, &after_json).unwrap_or_default();
        let text = sides(before_json.pointer(&path), after_json.pointer(&path));
        return Some((before.or(after).and_then(step_of), format!("/trace/events/{index}{path}"), text));
    }
    None
}

fn step_of(event: &Event) -> Option<u32> {
    match event {
        Event::Step(step) => Some(step.step),
        Event::Finding(finding) => finding.step,
        Event::User { .. } | Event::Reply { .. } | Event::End { .. } => None,
    }
}

fn sides(recorded: Option<&serde_json::Value>, replayed: Option<&serde_json::Value>) -> String {
    let side =
        |value: Option<&serde_json::Value>| value.map_or_else(|| "nothing".to_owned(), crate::trace::render::short);
    format!("the record says {}, the replay gives {}", side(recorded), side(replayed))
}
