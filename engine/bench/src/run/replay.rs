//! Replaying a run: every episode again from the run directory alone, compared event by event.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde_json::{Value, json};

use super::config::RunConfig;
use super::episodes::EpisodeLine;
use super::record::EpisodeRecord;
use super::unit::{Unit, Units};
use crate::agent::spec::AgentSpec;
use crate::card::Card;
use crate::event::Event;
use crate::scores::Scores;
use crate::trace::Trace;
use probity_engine::pointer::first_difference;
use probity_engine::recall::within;

/// So many records are replayed one after the other: in unit order most are of one task and make the same calls, and what
/// came of a call is known when it comes again.
pub const TOGETHER: usize = 16;

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

impl Divergence {
    fn whole(episode: &str, path: &str, text: impl Into<String>) -> Divergence {
        Divergence { episode: episode.to_owned(), step: None, path: path.to_owned(), text: text.into() }
    }
}

/// Replays records of a run.
pub struct Replayer<'a> {
    units: &'a Units,
    card: &'static Card,
}

/// A record held against what its trace gives: scores are derived, never believed.
pub struct Proved {
    /// The record with the scores that its trace gives; a trace that does not replay is not scored.
    pub record: EpisodeRecord,
    /// The first difference from what was recorded.
    pub divergence: Option<Divergence>,
}

impl<'a> Replayer<'a> {
    /// One for the records of these units.
    pub fn new(units: &'a Units, card: &'static Card) -> Replayer<'a> {
        Replayer { units, card }
    }

    /// Replays records, in parallel; one divergence for each that differs.
    pub fn replay(&self, records: &[EpisodeRecord]) -> Vec<Divergence> {
        let differs = |record: &EpisodeRecord| match again(self.unit(record), record) {
            Ok(again) => difference(record, &again),
            Err(divergence) => Some(divergence),
        };
        let some = |records: &[EpisodeRecord]| within(|| records.iter().filter_map(differs).collect::<Vec<_>>());
        records.par_chunks(TOGETHER).flat_map_iter(some).collect()
    }

    /// Replays records, in parallel, and scores them anew.
    pub fn prove(&self, records: Vec<EpisodeRecord>) -> Vec<Proved> {
        let prove = |record| self.prove_one(record);
        let some = |records: Vec<EpisodeRecord>| within(|| records.into_iter().map(prove).collect::<Vec<_>>());
        records.into_par_iter().chunks(TOGETHER).flat_map_iter(some).collect()
    }

    fn prove_one(&self, record: EpisodeRecord) -> Proved {
        let not_scored = |mut record: EpisodeRecord, divergence: Divergence| {
            record.scores = Scores::not_scored(self.card, "its trace does not replay");
            Proved { record, divergence: Some(divergence) }
        };
        match again(self.unit(&record), &record) {
            Err(divergence) => not_scored(record, divergence),
            Ok(again) => match difference(&record, &again) {
                Some(divergence) if record.trace != again.trace => not_scored(record, divergence),
                divergence => Proved { record: again, divergence },
            },
        }
    }

    fn unit(&self, record: &EpisodeRecord) -> Option<Unit> {
        self.units.get(self.units.place(record.order())?)
    }
}

/// Records that are missing or doubled, each named by its unit.
pub fn gaps(coverage: &Coverage) -> Vec<Divergence> {
    let missing = coverage.missing.iter().map(|unit| Divergence::whole(unit, "/trace", "it has no record"));
    let doubled = coverage.doubled.iter().map(|unit| Divergence::whole(unit, "/trace", "it has more than one record"));
    missing.chain(doubled).collect()
}

/// Where a `report.json` first differs from the report that the episodes make. What a run's own judge
/// said is not in them and is left out; of a report by another version only the digest is held.
pub fn compare_report(report: &str, made: &Value, config: &RunConfig, same_version: bool) -> Option<Divergence> {
    let mut report: Value = match serde_json::from_str(report) {
        Ok(report) => report,
        Err(error) => return Some(Divergence::whole("report.json", "/", error.to_string())),
    };
    if let (Some(fields), true) = (report.as_object_mut(), config.judge.is_some()) {
        fields.remove("judged");
    }
    let is_of_them = report.get("digest") == made.get("digest");
    let path = match is_of_them {
        false => "/digest".to_owned(),
        true if same_version => first_difference(&report, made)?,
        true => return None,
    };
    Some(Divergence::whole("report.json", &path, sides(REPLAY, report.pointer(&path), made.pointer(&path))))
}

/// The record that a trace gives when it is played again.
fn again(unit: Option<Unit>, record: &EpisodeRecord) -> Result<EpisodeRecord, Divergence> {
    let whole = |path: &str, text: &str| Divergence::whole(&record.name(), path, text);
    let unit = unit.ok_or_else(|| whole("/trace/header", "this run has no such unit"))?;
    let mut again = unit.replay(&record.trace).ok_or_else(|| whole("/scores", "the replay cannot be scored"))?;
    // Another version of the program that does the same has done the same.
    if again.trace.header.engine != record.trace.header.engine {
        again.trace.header.engine.clone_from(&record.trace.header.engine);
        again.digest = again.trace.digest();
    }
    // What a process wrote to standard error, and what a provider counted, cannot be had again.
    again.agent_errors.clone_from(&record.agent_errors);
    again.usage = record.usage;
    again.mended = record.mended;
    again.user_usage = record.user_usage;
    Ok(again)
}

/// Where a record first differs from what its trace gives.
fn difference(record: &EpisodeRecord, again: &EpisodeRecord) -> Option<Divergence> {
    if record == again {
        return None;
    }
    if let Some((step, path, text)) = compare_traces(&record.trace, &again.trace, REPLAY) {
        return Some(Divergence { episode: record.name(), step, path, text });
    }
    let (Ok(recorded), Ok(replayed)) = (serde_json::to_value(record), serde_json::to_value(again)) else {
        return Some(Divergence::whole(&record.name(), "/", "it has no JSON form"));
    };
    let path = first_difference(&recorded, &replayed)?;
    let text = sides(REPLAY, recorded.pointer(&path), replayed.pointer(&path));
    let words = if path == "/digest" { words_of(&record.trace) } else { String::new() };
    Some(Divergence::whole(&record.name(), &path, format!("{text}{words}")))
}

/// Where two records of one unit first say different things; nothing where they say the same. What a provider counted and
/// a process wrote beside is nothing that they say.
pub(super) fn parting(first: &EpisodeRecord, second: &EpisodeRecord) -> Option<String> {
    let ours = ["the first says", "the second says"];
    if let Some((_, path, text)) = compare_traces(&first.trace, &second.trace, ours) {
        return Some(format!("{path}: {text}"));
    }
    let [one, other] = [first, second].map(|record| json!({"trace": record.trace, "scores": record.scores}));
    let path = first_difference(&one, &other)?;
    Some(format!("{path}: {}", sides(ours, one.pointer(&path), other.pointer(&path))))
}

fn compare_traces(recorded: &Trace, replayed: &Trace, ours: [&str; 2]) -> Option<(Option<u32>, String, String)> {
    for index in 0..recorded.events.len().max(replayed.events.len()) {
        let (before, after) = (recorded.events.get(index), replayed.events.get(index));
        if before == after {
            continue;
        }
        let json = |event: Option<&Event>| serde_json::to_value(event).unwrap_or_default();
        let (before_json, after_json) = (json(before), json(after));
        let path = first_difference(&before_json, &after_json).unwrap_or_default();
        let text = sides(ours, before_json.pointer(&path), after_json.pointer(&path));
        return Some((before.or(after).and_then(step_of), format!("/trace/events/{index}{path}"), text));
    }
    None
}

/// Where a change can stand that the digest alone tells of: what the agent said is taken from the record, so that its
/// words are the same in the replay, whatever they are.
fn words_of(recorded: &Trace) -> String {
    let is_said = |(_, event): &(usize, &Event)| matches!(event, Event::Reply { .. });
    let said = recorded.events.iter().enumerate().filter(is_said).map(|(at, _)| format!("/trace/events/{at}/text"));
    match said.collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        [only] => format!("; calls and states agree, so {only} was changed, or the digest"),
        many => format!("; calls and states agree, so one of {} was changed, or the digest", many.join(", ")),
    }
}

fn step_of(event: &Event) -> Option<u32> {
    match event {
        Event::Step(step) => Some(step.step),
        Event::Finding(finding) => finding.step,
        Event::User { .. } | Event::Reply { .. } | Event::Note(_) | Event::End { .. } => None,
    }
}

/// Who says something in a replay.
const REPLAY: [&str; 2] = ["the record says", "the replay gives"];

fn sides([ours, theirs]: [&str; 2], recorded: Option<&Value>, replayed: Option<&Value>) -> String {
    let side = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), crate::trace::render::short);
    format!("{ours} {}, {theirs} {}", side(recorded), side(replayed))
}

/// The units of a run beside its records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many episodes the run has when it is complete.
    pub expected: usize,
    /// Units without a record, by name; those an agent has nothing to play in are not among them.
    pub missing: Vec<String>,
    /// Episodes with more than one record, by name.
    pub doubled: Vec<String>,
}

impl Coverage {
    /// Compares the units with the records there are.
    pub fn of(units: &Units, agents: &BTreeMap<String, AgentSpec>, entries: &[EpisodeLine]) -> Coverage {
        let mut recorded = vec![false; units.len()];
        let mut doubled = BTreeSet::new();
        let mut last = None;
        for entry in entries {
            // They stand in unit order, so that doubles follow each other.
            if last.replace(entry.order()) == Some(entry.order()) {
                doubled.insert(entry.name());
            }
            let place = units.place(entry.order()).and_then(|place| recorded.get_mut(place));
            place.into_iter().for_each(|recorded| *recorded = true);
        }
        let open = recorded.iter().enumerate().filter(|(_, is_recorded)| !**is_recorded);
        let open = open.filter_map(|(place, _)| units.get(place));
        let missing: Vec<String> = open.filter(|unit| unit.is_played_by(agents)).map(|unit| unit.name()).collect();
        let count = recorded.iter().filter(|is_recorded| **is_recorded).count();
        Coverage { expected: count + missing.len(), missing, doubled: doubled.into_iter().collect() }
    }

    /// How many of the expected episodes are recorded.
    pub fn recorded(&self) -> usize {
        self.expected - self.missing.len()
    }

    /// Whether each unit has its one record.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.doubled.is_empty()
    }
}
