//! The rules: signs of behaviours in a user's words, and in what an agent had to answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use super::labels::{Log, LogTurn};
use crate::model::variant::Variant;
use probity_prose::lexicon::is;
use probity_prose::token::whole_words;
use probity_prose::{Heard, Vocabulary, WordClass};

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
    let answered = log.turns.iter().flat_map(|turn| content(&whole_words(&turn.reply))).collect();
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
    let idle = sentences(text).map(whole_words).filter(|words| content(words).is_disjoint(answered));
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
    let choice = offers_choice(reply).filter(|_| goes_on && limits(reply));
    if let Some(choice) = choice {
        add(Variant::ContradictoryConstraints, 1.3, choice.to_owned());
    }
    if let (Some(asked), true) = (asks(reply), goes_on) {
        add(Variant::Underspecification, if choice.is_some() { 0.9 } else { 1.8 }, asked.to_owned());
    }
    if let Some(denied) = denies(reply, spoken) {
        add(Variant::FabricatedParameters, 1.7, denied.to_owned());
    }
    if let (Some(undone), true, false) = (leaves_undone(reply), clashes, goes_on) {
        add(Variant::ContradictoryConstraints, 0.9, undone.to_owned());
    }
}

/// Shorter words say nothing of what is spoken of.
const SHORTEST: usize = 4;
const STEM: usize = 5;

pub(super) fn sentences(reply: &str) -> impl Iterator<Item = &str> {
    reply.split_inclusive(['.', '?', '!', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

fn says(text: &str, cue: Cue) -> bool {
    heard(&whole_words(text)).has(cue)
}

pub(super) fn asks(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| {
        let heard = heard(&whole_words(sentence));
        sentence.ends_with('?') && heard.has(Cue::Asks) && !heard.has(Cue::Prefers)
    })
}

/// The first sentence that says of something the user spoke of that it is not there.
pub(super) fn denies<'r>(reply: &'r str, spoken: &str) -> Option<&'r str> {
    let known = content(&whole_words(spoken));
    sentences(reply).find(|sentence| {
        let words = whole_words(sentence);
        let heard = heard(&words);
        let denied = heard.iter().filter(|mention| *mention.list == Cue::Denies);
        let mut after = denied.filter_map(|mention| words.get(mention.at + mention.length..));
        after.any(|after| !content(after).is_disjoint(&known))
    })
}

pub(super) fn offers_choice(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| sentence.ends_with('?') && says(sentence, Cue::Choices))
}

/// Whether the reply says that something cannot be had, or not with something else.
pub(super) fn limits(reply: &str) -> bool {
    says(reply, Cue::Cannots)
}

pub(super) fn leaves_undone(reply: &str) -> Option<&str> {
    sentences(reply).find(|sentence| !sentence.ends_with('?') && says(sentence, Cue::Nothings))
}

/// The beginnings of the words that say what is spoken of.
pub(super) fn content(words: &[CompactString]) -> BTreeSet<CompactString> {
    let telling = words.iter().filter(|word| word.chars().count() >= SHORTEST && !is(WordClass::Plain, word));
    telling.map(|word| word.chars().take(STEM).collect()).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cue {
    SecondThoughts,
    Wavering,
    Pressure,
    Haste,
    Calm,
    Clashes,
    Unnamed,
    Asks,
    Prefers,
    Denies,
    Cannots,
    Choices,
    Nothings,
}

static CUES: LazyLock<Vocabulary<Cue>> = LazyLock::new(|| Vocabulary::of("behaviour"));

pub fn heard(words: &[CompactString]) -> Heard<'static, Cue> {
    CUES.heard(words)
}

/// The phrases of a list that were heard, each once, as they are listed.
pub fn listed(heard: &Heard<'static, Cue>, cue: Cue) -> Vec<&'static str> {
    let own = heard.iter().filter(|mention| *mention.list == cue);
    own.map(|mention| (mention.order, mention.phrase)).collect::<BTreeMap<_, _>>().into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_prose::token::whole_words;

    #[test]
    fn replies_tell_of_the_turn_before_them() {
        assert_eq!(asks("Thank you. Which stay do you mean?"), Some("Which stay do you mean?"));
        assert_eq!(asks("It costs 15 EUR. Shall I go ahead?"), None);
        assert_eq!(asks("Would you rather have the room, or what else?"), None);
        let reply = "Your stay is moved. There is no priority move.";
        assert_eq!(denies(reply, "Use the priority move!"), Some("There is no priority move."));
        assert_eq!(denies(reply, "Cancel the order."), None);
        assert_eq!(offers_choice("Would you rather stay?"), Some("Would you rather stay?"));
        assert!(limits("I cannot waive it.") && !limits("It is done."));
        assert_eq!(leaves_undone("I am sorry. Nothing has been moved."), Some("Nothing has been moved."));
    }

    #[test]
    fn cues_are_whole_words() {
        let found = |text: &str, cue| listed(&heard(&whole_words(text)), cue);
        assert_eq!(found("Hurry up -- I'm WAITING! Hurry!", Cue::Pressure), ["hurry", "hurry up", "waiting"]);
        assert!(found("I await the hurrying", Cue::Pressure).is_empty());
        assert_eq!(CUES.lists().len(), Cue::Nothings as usize + 1);
    }
}
