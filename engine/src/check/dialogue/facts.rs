//! Facts: each is said by some user and used by something, and what is withheld is needed and can be had.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inference::Sheet;
use super::said_once::Found;
use super::scene::{Scene, Stage, VoicedFact};
use crate::model::diagnostic::Problem;
use crate::model::ids::Variant;
use crate::model::pointer;
use crate::score::honesty::told::{Told, provenance};
use crate::task::reference::Reference;
use crate::task::{Behaviour, Outcome};

/// Problems of a task's facts.
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
        if !is_ideal && !is_shown(stage, name, Variant::Ideal) {
            let message = format!("the ideal user never says `{name}`, and nothing else shows it");
            let help = "let the ideal user say all that is needed; other users may withhold it";
            problems.push(Problem::error(at.clone(), "ideal_omits_fact", message).help(help));
        }
        let is_withheld = variants.values().any(|behaviour| behaviour.withheld.iter().any(|other| other == name));
        let cues = stage.task.file().facts.get(*name).is_some_and(|fact| !fact.cues.is_empty());
        let is_used = stage.task.outcomes().iter().enumerate().any(|(at, outcome)| needs(stage, at, outcome, fact));
        if !is_used && !is_withheld && !cues {
            let message = format!("nothing needs `{name}`, and no question asks for it");
            let help = "remove it, or give it the `cues` by which a question asks for it";
            problems.push(Problem::warning(at, "unused_fact", message).help(help));
        }
    }
    problems.extend(check_withheld(stage, sheets));
    problems
}

/// What is withheld must be needed, or leaving it out measures nothing; and it must be had in the end.
fn check_withheld(stage: &Stage, sheets: &[Sheet]) -> Vec<Problem> {
    let mut found = Found::default();
    for (variant, behaviour) in stage.task.variants() {
        let Some(scene) = stage.scenes(*variant).into_iter().next() else { continue };
        for (position, name) in behaviour.withheld.iter().enumerate() {
            let Some(fact) = stage.facts.get(name.as_str()) else { continue };
            let at = format!("/variants/{variant}/withheld/{position}");
            if !needs(stage, scene.index, scene.outcome, fact) {
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

/// A value as a person would write it.
fn words_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| text.replace('_', " "))
}

/// Whether an outcome takes something from a fact: an argument of its oracle, a binding that it uses, what
/// it must say or what it must achieve.
fn needs(stage: &Stage, index: usize, outcome: &Outcome, fact: &VoicedFact) -> bool {
    let file = stage.task.file();
    let Some(authored) = file.outcomes.get(index) else { return false };
    let is_told = |value: &Value| {
        let spoken = stage.listener.spoken(&words_of(value));
        let is_plain = value.as_str().is_none_or(|text| Reference::parse(text).is_none());
        is_plain && (spoken.occurs_in(&fact.told) || fact.also.iter().any(|told| spoken.occurs_in(told)))
    };
    let bound = bindings_of(stage, index).into_iter().filter_map(|name| file.bindings.get(&name));
    let said = outcome.must_say.iter().flatten().filter(|phrase| !phrase.source.starts_with("re:"));
    let achieved = authored.achieves.iter().flat_map(|it| it.equals.iter().chain(it.matching.values()));
    bound.flat_map(|binding| binding.fields.values()).any(is_told)
        || said.map(|phrase| Value::from(phrase.source.as_str())).any(|phrase| is_told(&phrase))
        || achieved.into_iter().any(is_told)
        || takes_argument(stage, index, fact)
}

fn takes_argument(stage: &Stage, index: usize, fact: &VoicedFact) -> bool {
    stage.calls(index).any(|(tool, arguments)| {
        let by_fact = provenance(tool, arguments, &[&fact.told]);
        let by_clock = provenance(tool, arguments, &[&stage.nothing]);
        by_fact.iter().zip(&by_clock).any(|(claim, clock)| match claim.is_listed {
            true => {
                let listed = stage.listener.spoken(&claim.value.trim_matches('"').replace('_', " "));
                listed.occurs_in(&fact.told) || fact.also.iter().any(|told| listed.occurs_in(told))
            }
            false => claim.is_known && !clock.is_known,
        })
    })
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
        let path = assertion.path.iter().flat_map(|path| path.split('/'));
        path.for_each(|part| names_in(&Value::from(part), &mut named));
        assertion.matching.values().chain(&assertion.equals).for_each(|value| names_in(value, &mut named));
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
