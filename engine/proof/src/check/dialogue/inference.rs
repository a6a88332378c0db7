//! Inferability: where each argument of an oracle and each value it must say can be known from by then,
//! and the table of it (`--explain`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::origin::{CallReference, Origin, Sought, origins};
use super::scene::{Moment, Scene, Stage};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::told::{Told, provenance};
use probity_behaviour::task::Task;
use probity_behaviour::task::reference::Reference as Authored;
use probity_engine::{Effect, Problem, pointer};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "need", rename_all = "snake_case")]
pub enum Need {
    /// A scalar of a call's arguments.
    Argument {
        /// The call, from 1.
        call: usize,
        tool: String,
        /// The parameter, and below it.
        at: String,
    },
    /// A group of `must_say`, from 1.
    MustSay {
        group: usize,
        /// The turn, from 1, in whose reply it is said first.
        reply: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub need: Need,
    /// The value: as JSON, or as written in prose and replies.
    pub value: String,
    /// What tells it by then; the likeliest first.
    pub known_from: Vec<Origin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only_later: Vec<Origin>,
}

/// The rows of an accepted outcome for one user.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
    pub outcome: String,
    pub variant: Variant,
    /// In the order of calls, then of what must be said.
    pub rows: Vec<Row>,
    #[serde(skip)]
    index: usize,
}

pub fn sheets(stage: &Stage) -> Vec<Sheet> {
    let scenes = stage.task.variants().keys().flat_map(|variant| stage.scenes(*variant));
    scenes.map(|scene| sheet(&scene)).collect()
}

fn sheet(scene: &Scene) -> Sheet {
    let calls = 1..=scene.run.calls.len();
    let mut rows: Vec<Row> = calls.flat_map(|call| rows_of_call(scene, call)).collect();
    rows.extend((1..=scene.outcome.must_say.len()).filter_map(|group| row_of_group(scene, group)));
    Sheet { outcome: scene.outcome.name.clone(), variant: scene.variant, rows, index: scene.index }
}

fn rows_of_call(scene: &Scene, number: usize) -> Vec<Row> {
    let Some((call, _)) = number.checked_sub(1).and_then(|at| scene.run.calls.get(at)) else { return Vec::new() };
    let Some(tool) = scene.stage.task.environment().tool(&call.tool) else { return Vec::new() };
    let (known, later) = scene.around_call(number);
    let told: Vec<&Told> = known.iter().map(|(_, told)| *told).collect();
    let claims = provenance(tool, &call.arguments, &told).into_iter().enumerate();
    claims
        .map(|(position, claim)| {
            let reference = reference(scene, number, &claim.at);
            let sought = Sought::Argument {
                tool,
                arguments: &call.arguments,
                position,
                at: claim.at.clone(),
                value: claim.value.clone(),
                is_listed: claim.is_listed,
                words: scene.stage.listener.spoken(&claim.value.trim_matches('"').replace('_', " ")),
            };
            let mut known_from = origins(&sought, scene, known, &reference);
            let is_first =
                |origin: &Origin| !matches!(origin, Origin::Call { call, .. } if repeats(scene, *call, &claim.value));
            if known_from.iter().any(is_first) {
                known_from.retain(is_first);
            }
            let later = || later.iter().filter(|source| is_news(scene, source.0, &claim.value)).copied();
            let only_later = match known_from.is_empty() {
                true => origins(&sought, scene, &later().collect::<Vec<_>>(), &None),
                false => Vec::new(),
            };
            let need = Need::Argument { call: number, tool: call.tool.clone(), at: claim.at };
            Row { need, value: claim.value, known_from, only_later }
        })
        .collect()
}

/// The call and path that a value at a place of a call's arguments is authored to come from.
fn reference(scene: &Scene, call: usize, at: &str) -> CallReference {
    let mut parts = at.split('/');
    let first = scene.authored(call)?.get(parts.next()?)?;
    let value = parts.try_fold(first, |value, part| match value {
        Value::Object(map) => map.get(part),
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })?;
    match Authored::parse(value.as_str()?)? {
        Authored::Observation(call, path) => Some((call, path.join("."))),
        Authored::Binding(_) | Authored::Escaped(_) => None,
    }
}

/// Whether a later source could have told a value: what a write makes is not there before.
fn is_news(scene: &Scene, moment: Moment, value: &str) -> bool {
    let Moment::Call(number) = moment else { return true };
    let call = number.checked_sub(1).and_then(|at| scene.run.calls.get(at)).map(|(call, _)| call);
    let tool = call.and_then(|call| scene.stage.task.environment().tool(&call.tool));
    tool.is_some_and(|tool| tool.effect == Effect::Read) && !repeats(scene, number, value)
}

/// Whether a call, from 1, was given a value, so that it only repeats it.
fn repeats(scene: &Scene, number: usize, value: &str) -> bool {
    let call = number.checked_sub(1).and_then(|at| scene.run.calls.get(at));
    call.is_some_and(|(call, _)| call.arguments.to_string().contains(value))
}

fn row_of_group(scene: &Scene, number: usize) -> Option<Row> {
    let group = scene.outcome.must_say.get(number.checked_sub(1)?)?;
    let replies = scene.replies.iter().enumerate();
    let mut said = replies.flat_map(|(at, reply)| group.iter().filter_map(move |p| Some((at + 1, p.said_in(reply)?))));
    let (reply, words) = said.next()?;
    // Of several ways to say it in one reply, the one that names a value counts.
    let spoken = |words: &str| scene.stage.listener.spoken(words);
    let also = said.take_while(|(turn, _)| *turn == reply).find(|(_, words)| spoken(words).has_value());
    let words = also.filter(|_| !spoken(&words).has_value()).map_or(words.clone(), |(_, words)| words);
    let (has_value, sought) = (spoken(&words).has_value(), Sought::Phrase(spoken(&words)));
    let (known, later) = scene.around_reply(reply);
    let mut known_from = origins(&sought, scene, known, &None);
    if known_from.is_empty() && !has_value {
        known_from.push(Origin::OwnWords);
    }
    let only_later = if known_from.is_empty() { origins(&sought, scene, later, &None) } else { Vec::new() };
    let need = Need::MustSay { group: number, reply };
    Some(Row { need, value: words.trim().to_owned(), known_from, only_later })
}

/// What nothing tells by the time it is needed.
pub fn check(task: &probity_behaviour::task::Task, sheets: &[Sheet]) -> Vec<Problem> {
    let mut found = ProblemsByVariant::default();
    for sheet in sheets {
        for row in sheet.rows.iter().filter(|row| row.known_from.is_empty()) {
            found.add(problem(row, &format!("/outcomes/{}", sheet.index)), sheet.variant);
        }
    }
    found.into_problems(task)
}

fn problem(row: &Row, at: &str) -> Problem {
    let later = row.only_later.first();
    let value = &row.value;
    match &row.need {
        Need::Argument { call, tool, at: argument } => {
            let top = argument.split('/').next().unwrap_or(argument);
            let number = call.saturating_sub(1).to_string();
            let at = format!("{at}{}", pointer::join(["oracle", number.as_str(), "arguments", top]));
            match later {
                Some(later) => Problem::error(
                    at,
                    "told_too_late",
                    format!("`{argument}` of `{tool}` is {value}, which only {later} tells"),
                )
                .help("let the user say it before the call is made, or make the call later by `segments`"),
                None => Problem::error(
                    at,
                    "uninferable_argument",
                    format!("`{argument}` of `{tool}` is {value}, which nothing tells by then"),
                )
                .help("let the user say it, by a fact with its paraphrases, or an earlier call show it"),
            }
        }
        Need::MustSay { group, reply } => {
            let at = format!("{at}/must_say/{}", group.saturating_sub(1));
            match later {
                Some(later) => Problem::error(
                    at,
                    "said_too_early",
                    format!("\"{value}\" is said in reply {reply}, but only {later} tells it"),
                )
                .help("say it once it is known, or make the call that shows it earlier"),
                None => Problem::error(
                    at,
                    "must_say_unknown",
                    format!("\"{value}\" is said in reply {reply}, but nothing tells it by then"),
                )
                .help("add the call that shows it to the oracle, or ask for something that is known"),
            }
        }
    }
}

#[derive(Default)]
pub struct ProblemsByVariant(Vec<(Problem, Vec<Variant>)>);

impl ProblemsByVariant {
    pub fn add(&mut self, problem: Problem, variant: Variant) {
        match self.0.iter_mut().find(|(known, _)| *known == problem) {
            Some((_, variants)) => variants.push(variant),
            None => self.0.push((problem, vec![variant])),
        }
    }

    pub fn into_problems(self, task: &Task) -> Vec<Problem> {
        let all = task.variants().len();
        let named = self.0.into_iter().map(|(problem, variants)| {
            let names: Vec<String> = variants.iter().map(|variant| format!("`{variant}`")).collect();
            let under = if variants.len() == all { "every behaviour".to_owned() } else { names.join(", ") };
            Problem { message: format!("{} (under {under})", problem.message), ..problem }
        });
        named.collect()
    }
}

/// Most characters of a value that are shown.
const SHOWN: usize = 34;
/// Most sources of a value that are shown.
const SOURCES: usize = 3;

/// A row's place in the table: argument or phrase, and which of those that read the same.
type RowKey = (Need, usize);

/// The table of one task: what holds for most behaviours once, then what is different under each.
pub fn text(task: &str, sheets: &[Sheet]) -> String {
    let mut text = format!("{task}\n");
    let mut outcomes: Vec<&str> = Vec::new();
    for sheet in sheets {
        if !outcomes.contains(&sheet.outcome.as_str()) {
            outcomes.push(&sheet.outcome);
        }
    }
    for outcome in outcomes {
        let of_outcome: Vec<&Sheet> = sheets.iter().filter(|sheet| sheet.outcome == outcome).collect();
        text.push_str(&outcome_text(outcome, &of_outcome));
    }
    text
}

fn outcome_text(outcome: &str, sheets: &[&Sheet]) -> String {
    let keyed: Vec<(Variant, Vec<(RowKey, &Row)>)> =
        sheets.iter().map(|sheet| (sheet.variant, keyed(&sheet.rows))).collect();
    let mut usual: BTreeMap<RowKey, &Row> = BTreeMap::new();
    let mut order: Vec<RowKey> = Vec::new();
    for key in keyed.iter().flat_map(|(_, rows)| rows.iter().map(|(key, _)| key)) {
        if !usual.contains_key(key) {
            order.push(key.clone());
            usual.extend(most_frequent(key, &keyed).map(|row| (key.clone(), row)));
        }
    }
    order.sort();
    let names: Vec<&str> = keyed.iter().map(|(variant, _)| variant.name()).collect();
    let mut text = format!("\n  {outcome}, under {}\n", names.join(", "));
    let rows: Vec<&Row> = order.iter().filter_map(|key| usual.get(key).copied()).collect();
    text.push_str(&block(&rows));
    for (variant, rows) in &keyed {
        let differs = |(key, row): &&(RowKey, &Row)| usual.get(key).is_some_and(|usual| said(usual) != said(row));
        let other: Vec<&Row> = rows.iter().filter(differs).map(|(_, row)| *row).collect();
        if !other.is_empty() {
            let _ = write!(text, "\n  {outcome}, otherwise under {variant}\n{}", block(&other));
        }
    }
    text
}

/// Rows by need; the reply in which something is said may be another under each behaviour.
fn keyed(rows: &[Row]) -> Vec<(RowKey, &Row)> {
    let mut keyed: Vec<(RowKey, &Row)> = Vec::new();
    for row in rows {
        let need = match &row.need {
            Need::MustSay { group, .. } => Need::MustSay { group: *group, reply: 0 },
            Need::Argument { .. } => row.need.clone(),
        };
        let same = keyed.iter().filter(|((known, _), _)| *known == need).count();
        keyed.push(((need, same), row));
    }
    keyed
}

fn most_frequent<'a>(key: &RowKey, keyed: &[(Variant, Vec<(RowKey, &'a Row)>)]) -> Option<&'a Row> {
    let rows: Vec<&Row> =
        keyed.iter().filter_map(|(_, rows)| rows.iter().find(|(k, _)| k == key).map(|(_, row)| *row)).collect();
    let times = |row: &Row| rows.iter().filter(|other| said(other) == said(row)).count();
    let most = rows.iter().map(|row| times(row)).max()?;
    rows.iter().find(|row| times(row) == most).copied()
}

/// What a line of the table says beside its place.
fn said(row: &Row) -> (String, String, String) {
    let reply = match &row.need {
        Need::MustSay { reply, .. } => reply.to_string(),
        Need::Argument { .. } => String::new(),
    };
    (reply, row.value.clone(), sources(row))
}

fn sources(row: &Row) -> String {
    let named = |origins: &[Origin]| -> String {
        let shown: Vec<String> = origins.iter().take(SOURCES).map(Origin::to_string).collect();
        let more = origins.len().saturating_sub(SOURCES);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        format!("{}{more}", shown.join("; "))
    };
    match (row.known_from.as_slice(), row.only_later.as_slice()) {
        ([], []) => "NOTHING tells it".to_owned(),
        ([], later) => format!("ONLY LATER: {}", named(later)),
        (known, _) => named(known),
    }
}

fn block(rows: &[&Row]) -> String {
    let width = |text: fn(&Row) -> String| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or_default();
    let (places, values) = (width(place), width(value));
    let mut text = String::new();
    let mut heading = String::new();
    for row in rows {
        let next = head(row);
        if next != heading {
            let _ = writeln!(text, "    {next}");
            heading = next;
        }
        let _ = writeln!(text, "      {:places$}  {:values$}  {}", place(row), value(row), sources(row));
    }
    text
}

fn head(row: &Row) -> String {
    match &row.need {
        Need::Argument { call, tool, .. } => format!("call {call}: {tool}"),
        Need::MustSay { .. } => "must say".to_owned(),
    }
}

fn place(row: &Row) -> String {
    match &row.need {
        Need::Argument { at, .. } => at.clone(),
        Need::MustSay { reply, .. } => format!("in reply {reply}"),
    }
}

fn value(row: &Row) -> String {
    match row.value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}..", row.value.get(..end).unwrap_or_default()),
        None => row.value.clone(),
    }
}
