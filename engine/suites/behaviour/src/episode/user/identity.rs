//! Who the contract user is: which of its facts people are known by, how a question asks for them, and its name as it wrote
//! it.

use std::collections::BTreeSet;

use compact_str::CompactString;
use jiff::civil::Date;
use serde_json::Value;

use super::asked::ASKED;
use super::confirmation::{asks_name, asks_who};
use super::contract::{ContractUser, Slot, in_words, spoken};
use super::hearing::affirmed;
use super::kept_text::{kept, words};
use super::own_record::{OwnRecord, words_of_key};
use super::utterance::capitalised;
use crate::task::question::Question;

/// Most words of a question which of several of a name the user is.
const MOST_OF_WHICH: usize = 8;

impl Slot<'_> {
    /// Whether a question asks who the user is by this fact: by its name, or by the words that it goes by.
    pub(super) fn is_identity_in(&self, question: &Question) -> bool {
        let said = words(question.text);
        let has = |word: &String| said.iter().any(|said| said == word);
        let is_birth = |called: &Vec<String>| called.iter().any(|word| ASKED.birth.has(word));
        let is_of_birth = || self.called.iter().any(is_birth) && asks_birth(&said);
        let is_called = |called: &Vec<String>| {
            let stands = || said.windows(called.len()).any(|part| part.iter().eq(called));
            match self.is_name {
                // `The last four digits under that name` does not ask for a last name.
                true => called.len() > 1 && stands(),
                false => !called.is_empty() && called.iter().all(has),
            }
        };
        // Of what is no part of who it is only what is asked for by its name: *your handle*, *which film*.
        let is_its_own = |called: &Vec<String>| {
            said.iter().enumerate().any(|(at, word)| {
                let behind = said.get(at + 1..).unwrap_or_default();
                matches!(word.as_str(), "your" | "which" | "what")
                    && !called.is_empty()
                    && behind.iter().take(called.len()).eq(called)
            })
        };
        let asks_family = || self.is_of_family() && said.iter().any(|word| word == "surname");
        // `Which Kim are you?`
        let is_which = said.len() <= MOST_OF_WHICH
            && matches!(&*said, [which, .., are, you] if which == "which" && are == "are" && you == "you");
        match self.is_who {
            true if is_which => !self.is_name,
            true => {
                (self.is_whole && (asks_who(question.text) || asks_name(question.text)))
                    || (self.is_name && asks_family())
                    || is_of_birth()
                    || self.called.iter().any(is_called)
            }
            false => self.called.iter().any(is_its_own),
        }
    }

    pub(super) fn is_of_family(&self) -> bool {
        self.called.iter().flatten().any(|word| ASKED.is_of_family(word))
    }
}

impl ContractUser<'_> {
    /// Its name as it wrote it, with what belongs to it: *Noor Selwani*; where it did not write it in one, what it said
    /// of it, the family's name last.
    pub(super) fn own_name(&self) -> Option<String> {
        let names = self.slots.iter().filter(|slot| slot.is_name && slot.is_said);
        let mut names: Vec<(bool, String)> = names.map(|slot| (slot.is_of_family(), spoken(slot.fact))).collect();
        names.sort();
        let of_record = self.record.as_ref().map(OwnRecord::words).unwrap_or_default();
        let is_whole = |name: &String| {
            let said = words(name);
            names.iter().all(|(_, part)| words(part).iter().all(|word| said.contains(word)))
        };
        let written = self.said().iter().flat_map(|turn| runs_of(turn, &of_record)).filter(is_whole);
        let written = written.max_by_key(|name| words(name).len());
        let told = || names.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>().join(" ");
        (!names.is_empty()).then(|| written.unwrap_or_else(told))
    }

    /// Its name, where a question has another in its place: *Is your name Bob?*, *Are you Bob?*
    pub(super) fn misnamed(&self, question: &Question) -> Option<String> {
        let own = self.own_name()?;
        let names = named_as_user(question)?;
        // Who has said no more than a part of it does not say what the other part is.
        let is_part = words(&own).iter().all(|word| names.iter().any(|name| name == word));
        (self.is_strange(&names) && !is_part).then_some(own)
    }

    /// Whether a question has a name in the place of the user's of which it has said nothing.
    pub(super) fn is_named_strangely(&self, question: &Question) -> bool {
        named_as_user(question).is_some_and(|names| self.is_strange(&names))
    }

    fn is_strange(&self, names: &[String]) -> bool {
        let has = |text: &str, name: &String| words(text).iter().any(|word| word == name);
        let is_own = |name: &String| {
            let mut own = self.slots.iter().filter(|slot| slot.is_name);
            self.said().iter().any(|turn| has(turn, name)) || own.any(|slot| has(&spoken(slot.fact), name))
        };
        !names.iter().all(is_own)
    }

    /// Whether words name somebody else among the people of the desk.
    pub(super) fn names_somebody(&self, text: &str) -> bool {
        let state = self.task.initial();
        let people = self.task.environment().file().conduct.people.as_ref();
        let slot = people.and_then(|people| self.task.environment().shape().index(&people.collection));
        let (Some(slot), Some(own)) = (slot, self.record.as_ref()) else { return false };
        let said = kept(text);
        let is_other = |(field, value): (&String, &Value)| {
            let is_name = || words_of_key(field).iter().any(|word| word == "name");
            let is_told = |name: &str| said.has_run(&words(name));
            own.record.get(field) != Some(value) && is_name() && value.as_str().is_some_and(is_told)
        };
        state.entities(slot).any(|(_, person)| person.iter().any(is_other))
    }

    /// What people of the desk are known by and its task has no fact for, where a question asks for that and for no fact:
    /// *And your date of birth?*
    pub(super) fn own_field(&self, question: &Question) -> Option<String> {
        let record = self.record.as_ref()?;
        let said = words(question.text);
        let is_of_user = said.iter().any(|word| word == "your") || asks_birth(&said);
        if !is_of_user || self.slots.iter().any(|slot| slot.is_asked_in(question)) {
            return None;
        }
        let is_called = |called: &[String]| {
            let is_birth = called.iter().any(|word| ASKED.birth.has(word)) && asks_birth(&said);
            is_birth || said.windows(called.len()).any(|part| part.iter().eq(called))
        };
        let is_silent = |called: &Vec<String>| !self.slots.iter().any(|slot| slot.called.contains(called));
        record.known_by().find_map(|(field, value)| {
            let called = words_of_key(field);
            (is_silent(&called) && is_called(&called)).then(|| spoken_value(value)).flatten()
        })
    }

    /// Its name, where a question asks whether it is right.
    pub(super) fn named_right(&self, question: &Question) -> Option<String> {
        let own = self.own_name()?;
        let is_own = |name: &String| words(&own).iter().any(|own| own == name);
        named_as_user(question).filter(|names| !names.is_empty() && names.iter().all(is_own)).map(|_| own)
    }
}

fn asks_birth(asked: &[CompactString]) -> bool {
    asked.iter().any(|word| ASKED.birth.has(word))
}

/// A field as people say it: *3 December 1990*.
fn spoken_value(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let day = text.parse::<Date>().ok();
    Some(day.map_or_else(|| text.to_owned(), |day| format!("{} {}", in_words(day), day.year())))
}

/// The names that a question puts in the place of the user's: *Am I speaking to Mr Bob?*
fn named_as_user(question: &Question) -> Option<Vec<String>> {
    let text = affirmed(question.text);
    let lower = text.to_lowercase();
    let behind = |cue: &str| lower.find(cue).and_then(|at| text.get(at + cue.len()..));
    let cues =
        ["is your name ", "are you ", "speaking to ", "speaking with ", "talking to ", "talking with ", "name is "];
    let rest = cues.into_iter().find_map(behind).filter(|_| question.is_marked)?;
    let rest = rest.split([',', ';', ':']).next().unwrap_or_default();
    // `Are you Noor?`, but not `Are you sure that Noor ..?`
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let run: Vec<&str> = rest.split_whitespace().take_while(is_name).collect();
    let names: Vec<String> = capitalised(&run.join(" ")).filter(|word| !ASKED.small.has(word)).collect();
    (!names.is_empty()).then_some(names)
}

/// The longest runs of words of a text, with nothing but a space between them, that are all among these.
fn runs_of(text: &str, known: &BTreeSet<CompactString>) -> Vec<String> {
    let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
    for word in text.split(' ') {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_known = !plain.is_empty() && words(plain).iter().all(|word| known.contains(word));
        match runs.last_mut().filter(|_| is_known && word.starts_with(plain)) {
            Some(run) => run.push(plain),
            None => runs.push(Vec::new()),
        }
        if is_known && !word.ends_with(plain) {
            runs.push(Vec::new());
        }
    }
    runs.into_iter().filter(|run| !run.is_empty()).map(|run| run.join(" ")).collect()
}
