//! The rules: signs of behaviours in a user's words, and in what an agent had to answer.

use std::collections::BTreeSet;

use compact_str::CompactString;
use probity_prose::token::whole_words;
use serde::Serialize;

use super::cue::{Cue, heard, listed};
use super::log::{Log, LogTurn};
use super::question;
use crate::model::variant::Variant;

/// Signs of one behaviour in one turn that together weigh so much make a label.
pub(super) const ENOUGH: f64 = 1.0;
/// Words of a turn, and those of them in sentences that no answer takes up: how many are usual, and how many more weigh
/// one.
const LENGTH: (f64, f64) = (75.0, 50.0);
const IDLE: (f64, f64) = (15.0, 25.0);
/// In turns longer than this, words weigh less: more of all words stand there by chance.
const USUAL: f64 = 60.0;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BehaviourSign {
    pub behaviour: Variant,
    /// The turn, from 1.
    pub turn: usize,
    /// What it weighs; 1 makes a label.
    pub weight: f64,
    /// The words it was found in, or what was counted.
    pub evidence: String,
}

pub fn signs(log: &Log) -> Vec<BehaviourSign> {
    let mut found = Vec::new();
    let mut spoken = String::new();
    let last = log.turns.len();
    let answered = log.turns.iter().flat_map(|turn| question::content(&whole_words(&turn.reply))).collect();
    for (turn, said) in (1..).zip(&log.turns) {
        spoken.push_str(&format!("\n{}", said.text));
        let mut add = |behaviour, weight, evidence: String| {
            if weight > 0.0 {
                found.push(BehaviourSign { behaviour, turn, weight, evidence });
            }
        };
        if said.text.trim().is_empty() {
            continue;
        }
        of_words(&said.text, &answered, &mut add);
        of_reply(said, (&spoken, turn < last), &mut add);
    }
    found
}

type Add<'a> = &'a mut dyn FnMut(Variant, f64, String);

fn of_words(text: &str, answered: &BTreeSet<CompactString>, add: Add<'_>) {
    let words = whole_words(text);
    let length = words.len() as f64;
    let rare = (USUAL / length.max(1.0)).min(1.0);
    let all = heard(&words);
    let calm = heard(&without_calm(words));
    let mut lexical = |behaviour, cue, weight: f64| {
        let heard = listed(if behaviour == Variant::ImpatienceAndHostility { &calm } else { &all }, cue);
        add(behaviour, weight * rare * heard.len() as f64, heard.join(", "));
    };
    lexical(Variant::Underspecification, Cue::Unnamed, 0.6);
    lexical(Variant::GoalSwitching, Cue::SecondThoughts, 1.1);
    lexical(Variant::GoalSwitching, Cue::Wavering, 0.6);
    lexical(Variant::ImpatienceAndHostility, Cue::Pressure, 1.0);
    lexical(Variant::ImpatienceAndHostility, Cue::Haste, 0.4);
    lexical(Variant::ContradictoryConstraints, Cue::Clashes, 0.25);
    let capitals = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| word.chars().count() >= 4 && word.chars().all(char::is_uppercase));
    let (shouts, capitals) = (text.matches('!').count(), capitals.count());
    let loud = (0.4 * shouts as f64 + 0.7 * capitals as f64).min(1.5);
    add(Variant::ImpatienceAndHostility, loud, format!("{shouts} exclamation marks, {capitals} words in capitals"));
    let idle =
        question::sentences(text).map(whole_words).filter(|words| question::content(words).is_disjoint(answered));
    let idle = idle.map(|words| words.len()).sum::<usize>() as f64;
    let above = |count: f64, (usual, step): (f64, f64)| (count - usual) / step;
    let long = above(length, LENGTH) + above(idle, IDLE);
    add(Variant::InformationOverload, long, format!("{length} words, {idle} of them answered by nothing"));
}

/// The words with nothing in the place of those that press nobody.
fn without_calm(mut words: Vec<CompactString>) -> Vec<CompactString> {
    for mention in heard(&words).iter().filter(|mention| *mention.list == Cue::Calm) {
        words.iter_mut().skip(mention.at).take(mention.length).for_each(CompactString::clear);
    }
    words
}

fn of_reply(LogTurn { text, reply }: &LogTurn, (spoken, goes_on): (&str, bool), add: Add<'_>) {
    let clashes = heard(&whole_words(text)).has(Cue::Clashes);
    let choice = question::offers_choice(reply).filter(|_| goes_on && question::limits(reply));
    if let Some(choice) = choice {
        add(Variant::ContradictoryConstraints, 1.3, choice.to_owned());
    }
    if let (Some(asked), true) = (question::asks(reply), goes_on) {
        add(Variant::Underspecification, if choice.is_some() { 0.9 } else { 1.8 }, asked.to_owned());
    }
    if let Some(denied) = question::denies(reply, spoken) {
        add(Variant::FabricatedParameters, 1.7, denied.to_owned());
    }
    if let (Some(undone), true, false) = (question::leaves_undone(reply), clashes, goes_on) {
        add(Variant::ContradictoryConstraints, 0.9, undone.to_owned());
    }
}
