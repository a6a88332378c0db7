//! Facts: each is said by some user and used by something, and what is withheld is needed and can be had.

use std::collections::BTreeSet;

use super::inference::{ProblemsByVariant, Sheet};
use super::need::{is_choice, is_taken, is_taken_by_extra, words_of};
use super::scene::{Scene, Stage, VoicedFact};
use probity_behaviour::model::task_file::Fact;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::told::Told;
use probity_behaviour::task::Behaviour;
use probity_behaviour::task::ways_to_say;
use probity_engine::{Problem, pointer};

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
        let mut ways = ways_to_say(fact).map(|way| words(&way));
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
