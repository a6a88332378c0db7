//! The trace reader: lines of `episodes.jsonl` of any content, shown, reported, scored and played again.
//! The first line of an input says what the rest is:
//!
//! - `edit NUMBER`: edits of a record of a good run, see [`edit`];
//! - `say NUMBER`: what the agent says in a record instead of its own words, one reply a line;
//! - anything else: the file itself.

use std::sync::LazyLock;

use serde_json::Value;

use super::edit::edit;
use super::first_line;
use super::suite::SUITE;
use probity_behaviour::benchmark;
use probity_behaviour::benchmark::CARD;
use probity_behaviour::episode::play::{self, PlanAgent, Setting, play, play_scripted};
use probity_behaviour::episode::user::ScriptedUser;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::episode::{Scores, score};
use probity_behaviour::task::Task;
use probity_bench::render::render;
use probity_bench::run::episodes;
use probity_bench::run::journal::line;
use probity_bench::{EpisodeRecord, Event, ReplayAgent, Trace};
use probity_report::transcript::{Beyond, transcript};
use probity_report::{About, SuiteCounts, sample, table};

/// Records of one input that are looked at closely.
const MOST: usize = 2;

pub static RECORDS: LazyLock<Vec<EpisodeRecord>> = LazyLock::new(|| {
    let tasks = SUITE.tasks.values().map(|loaded| &loaded.task);
    tasks.flat_map(|task| Variant::ALL.into_iter().filter_map(|variant| recorded(task, variant))).collect()
});

fn recorded(task: &Task, variant: Variant) -> Option<EpisodeRecord> {
    let mut agent: PlanAgent = play::agent(task, variant)?;
    benchmark::record("oracle", 0, task, play_scripted(task, variant, 0, &mut agent)?)
}

/// Reads an input as a run's episodes.
pub fn run(data: &[u8]) {
    match edited(data) {
        Some(line) => read(line.as_bytes()),
        None => read(data),
    }
}

fn edited(data: &[u8]) -> Option<String> {
    let (first, rest) = first_line(std::str::from_utf8(data).ok()?);
    let (deed, number) = first.split_once(' ')?;
    let record = &RECORDS[number.parse::<usize>().ok()? % RECORDS.len()];
    match deed {
        "edit" => {
            let mut value: Value = serde_json::to_value(record).unwrap();
            edit(&mut value, rest.lines());
            Some(format!("{value}\n"))
        }
        "say" => Some(line(&said(record.clone(), rest)).unwrap()),
        _ => None,
    }
}

fn said(mut record: EpisodeRecord, words: &str) -> EpisodeRecord {
    let mut lines = words.lines();
    for event in &mut record.trace.events {
        let Event::Reply { text, .. } = event else { continue };
        lines.next().unwrap_or_default().clone_into(text);
    }
    record
}

/// Reads the file: each line is a record, damaged, empty or the torn last one.
fn read(bytes: &[u8]) {
    let episodes = episodes::read(bytes).unwrap();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
    assert_eq!(episodes.records.len() + episodes.damaged.len() + usize::from(episodes.is_torn), lines);
    assert!(episodes.damaged.iter().all(|(number, what)| (1..=lines).contains(number) && !what.is_empty()));
    for record in &episodes.records {
        let again = episodes::read(line(record).unwrap().as_bytes()).unwrap();
        assert_eq!(again.records.as_slice(), std::slice::from_ref(record));
    }
    episodes.records.iter().take(MOST).for_each(look_at);
    if !episodes.records.is_empty() {
        report(&episodes.records);
    }
}

/// Shows, scores and plays one record again.
fn look_at(record: &EpisodeRecord) {
    assert!(!transcript(&CARD, record, &Beyond::default()).is_empty());
    assert_eq!(record.trace.digest(), record.trace.clone().digest());
    let Some(loaded) = SUITE.tasks.get(&record.trace.header.task) else { return };
    let (task, trace) = (&*loaded.task, &record.trace);
    let scores = score(task, trace);
    assert_eq!(scores, score(task, trace));
    let made = benchmark::record(&record.agent, record.trial, task, trace.clone().into());
    assert_eq!(made.map(|made| made.scores), scores.as_ref().map(Scores::by_card));
    let Some(again) = replayed(task, trace) else { return };
    let third = replayed(task, &again).unwrap();
    assert_eq!(render(&third), render(&again));
    assert_eq!(third, again, "a replay of a played trace is that trace");
    assert!(benchmark::record("replay", 0, task, again.into()).is_some(), "a played trace can be scored");
}

/// The calls and words of a trace played again, for the user who speaks in it.
fn replayed(task: &Task, trace: &Trace) -> Option<Trace> {
    let variant = Variant::of(&trace.header.levels)?;
    task.behaviour(variant)?;
    let setting = Setting { task, variant, seed: trace.header.seed, limits: trace.header.limits, user: "scripted" };
    let turns = trace.heard().map(|(_, text)| text.to_owned()).collect();
    Some(play(setting, &mut ReplayAgent::new(trace), ScriptedUser::new(turns)))
}

fn report(records: &[EpisodeRecord]) {
    let counts = SuiteCounts { tasks: SUITE.tasks.len(), task_instances: RECORDS.len(), ..SuiteCounts::default() };
    let report = sample::report(&CARD, records, counts);
    assert!(!table::render(&CARD, &report, &[], 100).is_empty() && !table::render(&CARD, &report, &[], 40).is_empty());
    let page = sample::page(&CARD, &report, &About::default(), records);
    let scripts = page.matches("<script").count();
    assert_eq!(scripts, *SCRIPTS, "a record cannot bring a script along");
}

static SCRIPTS: LazyLock<usize> = LazyLock::new(|| {
    let records = &RECORDS[..1];
    let counts = SuiteCounts { tasks: 1, task_instances: 1, ..SuiteCounts::default() };
    let report = sample::report(&CARD, records, counts);
    sample::page(&CARD, &report, &About::default(), records).matches("<script").count()
});
