//! Facts: what each is needed for; each is said by some user and used by something, and what is withheld is needed and
//! can be had.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inference::{Need, ProblemsByVariant, Row, Sheet};
use super::origin::Origin;
use super::scene::{Scene, Stage, VoicedFact};
use probity_behaviour::model::task_file::Fact;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::told::{Told, provenance};
use probity_behaviour::task::Behaviour;
use probity_behaviour::task::reference::Reference;
use probity_engine::{Problem, Tool, pointer};

pub fn check(stage: &Stage, sheets: &[Sheet]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, fact) in &stage.facts {
        let at = pointer::join(["facts", name]);
        let variants = stage.task.variants();
        let is_said = |behaviour: &Behaviour| behaviour.turns.iter().any(|turn| fact.is_said_in(turn));
        if !variants.values().any(is_said) {
            let message = format!("no user ever says `{name}`");
            let help = "add the words by which the turns say it to `also`, or remove it";
            problems.push(Problem::error(at, "fact_never_said", message).help(help));
            continue;
        }
        let is_ideal = variants.get(&Variant::Ideal).is_none_or(is_said);
        if is_taken(stage, 0, fact) && !is_ideal && !is_shown(stage, name, Variant::Ideal) {
            let message = format!("the ideal user never says `{name}`, and nothing else shows it");
            let help = "let the ideal user say all that is needed; other users may withhold it";
            problems.push(Problem::error(at.clone(), "ideal_omits_fact", message).help(help));
        }
        if !is_used(stage, sheets, name, fact) {
            let message = format!("nothing needs `{name}`, and no question asks for it");
            let help = "remove it, or give it the `cues` by which a question asks for it";
            problems.push(Problem::warning(at, "unused_fact", message).help(help));
        }
    }
    problems.extend(check_withheld(stage, sheets));
    problems
}

/// Whether anything takes something from a fact, leaves it out, or is asked for it.
fn is_used(stage: &Stage, sheets: &[Sheet], name: &str, fact: &VoicedFact) -> bool {
    let variants = || stage.task.variants().values();
    stage.task.file().facts.get(name).is_some_and(|fact| !fact.cues.is_empty())
        || variants().any(|behaviour| behaviour.withheld.iter().any(|other| other == name))
        || variants().any(|behaviour| is_taken_by_extra(stage, behaviour, fact))
        || (0..stage.task.outcomes().len()).any(|outcome| {
            is_taken(stage, outcome, fact)
                || stage.task.file().facts.get(name).is_some_and(|f| is_prose(stage, outcome, f))
        })
        || stage.task.variants().keys().any(|variant| is_chosen_by(stage, sheets, *variant, name))
}

/// Whether a fact ends in the prose that an oracle writes: half of the words by which one way of saying it is known
/// stand there.
fn is_prose(stage: &Stage, outcome: usize, fact: &Fact) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let lower = text.to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3).map(str::to_owned).collect()
    };
    let prose = stage.calls(outcome).flat_map(|(tool, arguments)| {
        tool.free_text.iter().filter_map(move |name| arguments.get(name)?.as_str().map(str::to_owned))
    });
    prose.map(|prose| words(&prose)).any(|prose| {
        let mut ways = fact.ways().map(|way| words(&way));
        ways.any(|way| !way.is_empty() && 2 * way.intersection(&prose).count() >= way.len())
    })
}

/// Whether the oracle of a behaviour chooses by a fact.
fn is_chosen_by(stage: &Stage, sheets: &[Sheet], variant: Variant, name: &str) -> bool {
    let sheet = sheets.iter().find(|sheet| sheet.variant == variant);
    stage.scenes(variant).first().zip(sheet).is_some_and(|(scene, sheet)| is_choice(scene, sheet, name))
}

/// What is withheld must be needed, or leaving it out measures nothing; and it must be had in the end.
fn check_withheld(stage: &Stage, sheets: &[Sheet]) -> Vec<Problem> {
    let mut found = ProblemsByVariant::default();
    for (variant, behaviour) in stage.task.variants() {
        let Some(scene) = stage.scenes(*variant).into_iter().next() else { continue };
        for (position, name) in behaviour.withheld.iter().enumerate() {
            let Some(fact) = stage.facts.get(name.as_str()) else { continue };
            let at = format!("/variants/{variant}/withheld/{position}");
            if !is_taken(stage, scene.index, fact) && !is_chosen_by(stage, sheets, *variant, name) {
                let message = format!("`{name}` is withheld, but the oracle does not need it");
                let help = "withhold a fact that an argument, a binding or the answer takes";
                found.add(Problem::error(at.clone(), "withheld_not_needed", message).help(help), *variant);
                continue;
            }
            let later = behaviour.turns.iter().skip(1).any(|turn| fact.is_said_in(turn));
            let is_reported = sheets
                .iter()
                .any(|sheet| sheet.variant == *variant && sheet.rows.iter().any(|row| row.known_from.is_empty()));
            if !later && !is_reported && !is_shown(stage, name, *variant) {
                let message = format!("`{name}` is withheld, and nothing ever tells it");
                let help = "let a later turn say it, or an oracle call show it";
                found.add(Problem::error(at, "withheld_not_recoverable", message).help(help), *variant);
            }
        }
    }
    found.into_problems(stage.task)
}

/// Whether the oracle under a behaviour is shown a fact without its user saying it. Plain words are not looked
/// for: people paraphrase them, so they can be had from context.
fn is_shown(stage: &Stage, name: &str, variant: Variant) -> bool {
    let value = stage.task.file().facts.get(name).map(|fact| words_of(&fact.value)).unwrap_or_default();
    let spoken = stage.listener.spoken(&value);
    let is_told = |scene: &Scene| {
        let (all, _) = scene.around_reply(scene.behaviour.turns.len());
        let told: Vec<&Told> = all.iter().map(|(_, told)| *told).collect();
        told.iter().any(|told| spoken.occurs_in(told)) || spoken.follows_from(&told)
    };
    !spoken.has_value() || stage.scenes(variant).first().is_some_and(is_told)
}

pub fn words_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.replace('_', " "))
}

/// Whether an outcome takes something from a fact: an argument of its oracle, a binding that it uses, what
/// it must say or what it must achieve.
pub fn is_taken(stage: &Stage, index: usize, fact: &VoicedFact) -> bool {
    let file = stage.task.file();
    let outcome = file.outcomes.get(index).zip(stage.task.outcomes().get(index));
    let Some((authored, outcome)) = outcome else { return false };
    let is_told = |value: &Value| {
        let spoken = stage.listener.spoken(&words_of(value));
        let is_plain = value.as_str().is_none_or(|text| Reference::parse(text).is_none());
        is_plain && (spoken.occurs_in(&fact.told) || fact.also.iter().any(|told| spoken.occurs_in(told)))
    };
    let bound = bindings_of(stage, index).into_iter().filter_map(|name| file.bindings.get(&name));
    let said = outcome.must_say.iter().flatten().filter(|phrase| !phrase.source.starts_with("re:"));
    let achieved = authored.achieves.iter().flat_map(|it| it.values());
    bound.flat_map(|binding| binding.fields.values()).any(is_told)
        || said.map(|phrase| Value::from(phrase.source.as_str())).any(|phrase| is_told(&phrase))
        || achieved.into_iter().any(is_told)
        || stage.calls(index).any(|(tool, arguments)| takes(stage, tool, arguments, fact))
}

/// Whether a read that a wandering user asks for takes something from a fact.
pub fn is_taken_by_extra(stage: &Stage, behaviour: &Behaviour, fact: &VoicedFact) -> bool {
    let tool = |name: &str| stage.task.environment().tool(name);
    let calls = behaviour.extra_calls.iter().filter_map(|call| Some((tool(&call.tool)?, call.arguments.clone())));
    calls.into_iter().any(|(tool, arguments)| takes(stage, tool, &Value::Object(arguments), fact))
}

fn takes(stage: &Stage, tool: &Tool, arguments: &Value, fact: &VoicedFact) -> bool {
    let by_fact = provenance(tool, arguments, &[&fact.told]);
    let by_clock = provenance(tool, arguments, &[&stage.nothing]);
    by_fact.iter().zip(&by_clock).any(|(claim, clock)| match claim.is_listed {
        true => {
            let listed = stage.listener.spoken(&claim.value.trim_matches('"').replace('_', " "));
            listed.occurs_in(&fact.told) || fact.also.iter().any(|told| listed.occurs_in(told))
        }
        false => claim.is_known && !clock.is_known,
    })
}

/// Whether a fact tells which of several things an oracle takes an argument from: it is told by the one
/// that is chosen out of a list and not by all the others.
pub fn is_choice(scene: &Scene, sheet: &Sheet, fact: &str) -> bool {
    let Some(fact) = scene.stage.task.file().facts.get(fact) else { return false };
    let ways: Vec<_> = std::iter::once(words_of(&fact.value)).chain(fact.also.iter().cloned()).collect();
    let ways: Vec<_> = ways.iter().map(|way| scene.stage.listener.spoken(way)).collect();
    let is_told = |item: &Value| {
        let told = scene.stage.listener.observation(item);
        ways.iter().any(|way| way.occurs_in(&told))
    };
    let is_argument = |row: &&Row| matches!(row.need, Need::Argument { .. });
    let origins = sheet.rows.iter().filter(is_argument).flat_map(|row| &row.known_from);
    origins.into_iter().any(|origin| match origin {
        Origin::Call { call, path } => {
            chosen(scene.observation(*call), path).any(|(item, list)| is_told(item) && !list.iter().all(is_told))
        }
        Origin::Turn { .. }
        | Origin::Brief
        | Origin::Schema
        | Origin::Clock
        | Origin::Derived { .. }
        | Origin::OwnWords => false,
    })
}

/// The items of lists on the way of a path, with their lists.
fn chosen<'a>(shown: Option<&'a Value>, path: &str) -> impl Iterator<Item = (&'a Value, &'a Vec<Value>)> {
    let mut found = Vec::new();
    let mut node = shown;
    for step in path.split('.') {
        let list = node.and_then(Value::as_array);
        node = match list {
            Some(items) => step.parse::<usize>().ok().and_then(|at| items.get(at)),
            None => node.and_then(|value| value.get(step)),
        };
        found.extend(node.zip(list));
    }
    found.into_iter()
}

/// The bindings that an outcome's calls and assertions name, and those that these are found by.
fn bindings_of(stage: &Stage, index: usize) -> BTreeSet<String> {
    let file = stage.task.file();
    let mut named = BTreeSet::new();
    let authored = file.outcomes.get(index);
    for call in authored.into_iter().flat_map(|outcome| &outcome.oracle) {
        call.arguments.values().for_each(|value| names_in(value, &mut named));
    }
    for assertion in authored.into_iter().flat_map(|outcome| &outcome.achieves) {
        let path = assertion.path().into_iter().flat_map(|path| path.split('/'));
        path.for_each(|part| names_in(&Value::from(part), &mut named));
        assertion.values().for_each(|value| names_in(value, &mut named));
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = named.pop_first() {
        let fields = file.bindings.get(&name).map(|binding| binding.fields.values());
        if reached.insert(name) {
            fields.into_iter().flatten().for_each(|value| names_in(value, &mut named));
        }
    }
    reached
}

fn names_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            if let Some(Reference::Binding(name)) = Reference::parse(text) {
                found.insert(name.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names_in(item, found)),
        Value::Object(map) => map.values().for_each(|value| names_in(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
