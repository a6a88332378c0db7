//! The contract user: a finite automaton that holds the facts and says each only when it is asked for.
//!
//! It plays the turns of the task in order. When a reply asks something that the next turn does not answer, it
//! answers beside the script, at most five times in an episode, and goes on. Nothing in it is random, and all its words
//! are its own: its turns, its facts and the lines of `manner`. What is asked of the facts is read in `hearing`, what is
//! asked of the user's will in `confirmation`; how it takes that stands in `decision`, what it says of it in `answer`,
//! what it wants in `wish`, what of that is done and when it waits with a turn in `progress`, what it objects to in
//! `objection`, and all of that together in `exchange`.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use jiff::civil::Date;

use super::manner::{Line, Manner};
use super::own_record::{OwnRecord, words_of_key};
use crate::model::task_file::Fact;
use crate::model::variant::Variant;
use crate::task::presumption::Premise;
use crate::task::question::FactPhrases;
use crate::task::{Behaviour, OracleCall, Task};
use probity_engine::Stream;
use probity_prose::MONTHS;

/// As many as all wordings of each kind have in common, so that each may come first.
const FIRST_LINES: u64 = 12;

/// A user who answers from what the task says, and nothing else.
#[derive(Clone)]
pub struct ContractUser<'a> {
    pub(super) task: &'a Task,
    pub(super) behaviour: &'a Behaviour,
    pub(super) record: Option<OwnRecord<'a>>,
    pub(super) ordered: &'a [OracleCall],
    pub(super) manner: &'static Manner,
    pub(super) slots: Vec<Slot<'a>>,
    pub(super) turns_said: usize,
    pub(super) extras: usize,
    /// Which of several wordings comes first, and which have been used.
    pub(super) first_line: usize,
    used: Vec<&'static str>,
    /// The replies before the last one.
    pub(super) heard: String,
    /// How often it was put to a choice that it does not make.
    pub(super) pressed: usize,
    pub(super) is_switching: bool,
    /// What it ordered and was made, and the tools that were told as done.
    pub(super) made: Vec<&'a OracleCall>,
    /// The tools by which any call was made.
    pub(super) called: BTreeSet<String>,
    pub(super) told: Vec<&'a str>,
    /// Whether it has said its wish again since its last turn.
    pub(super) is_wish_told: bool,
    /// That wish, as it was said last.
    pub(super) last_wish: String,
    /// What of it was about a question, as it was said last.
    pub(super) last_about: String,
    /// Names of the calls that it said no to.
    pub(super) refused: Vec<&'a str>,
    pub(super) objected: Objected<'a>,
    /// What is its own, until it has said more.
    pub(super) own: OnceLock<OwnWords>,
    /// What its turns take for granted, and what of that is so.
    pub(super) premises: &'a [(u32, Premise)],
    pub(super) granted: Vec<bool>,
    /// What its next turn takes for granted and is not so: it is not said.
    pub(super) awaited: Option<&'a Premise>,
}

#[derive(Clone, Default)]
pub(super) struct Objected<'a> {
    pub(super) tools: Vec<&'a str>,
    pub(super) has_promise: bool,
    /// Things with their owners: *Bram's laptop*.
    pub(super) owned: Vec<String>,
    pub(super) has_month: bool,
    pub(super) has_sibling: bool,
    /// Names that stood in the place of its own.
    pub(super) names: Vec<String>,
}

/// What the user's turns so far order, and all that is its own.
#[derive(Clone)]
pub(super) struct OwnWords {
    /// The sentences that order something, each with its turn.
    pub(super) orders: Vec<(usize, String)>,
    pub(super) all: String,
}

#[derive(Clone)]
pub(super) struct Slot<'a> {
    pub(super) fact: &'a Fact,
    pub(super) voice: &'a FactPhrases,
    pub(super) is_withheld: bool,
    /// Whether the user is known by it, and whether it is its name or part of that.
    pub(super) is_who: bool,
    pub(super) is_name: bool,
    /// Whether it tells who the user is to somebody who asks for no more than that.
    pub(super) is_whole: bool,
    /// The words that it goes by: those of its own name, and of the field of the user's record.
    pub(super) called: Vec<Vec<String>>,
    pub(super) is_said: bool,
    /// Whether it has objected to another value that was offered, and to one that was done.
    pub(super) is_corrected: bool,
    pub(super) is_objected: bool,
    /// Whether something was told as done with another value, and not with its own since.
    pub(super) is_done_wrong: bool,
    /// Whether it has said of the last reply whether its value is right.
    pub(super) is_judged: bool,
}

impl<'a> ContractUser<'a> {
    /// The user of a task under a behaviour; `None` when the task has no such variant.
    pub fn new(task: &'a Task, variant: Variant) -> Option<Self> {
        let behaviour = task.behaviour(variant)?;
        let record = OwnRecord::of(task);
        let slot = |voice: &'a FactPhrases| {
            let is_withheld = behaviour.withheld.contains(&voice.name);
            let fact = task.file().facts.get(&voice.name)?;
            let field = record.as_ref().and_then(|record| record.field_of(&voice.name, fact));
            let called: Vec<Vec<String>> = field.into_iter().chain([voice.name.as_str()]).map(words_of_key).collect();
            Some(Slot {
                fact,
                voice,
                is_withheld,
                is_who: field.is_some(),
                is_name: field.is_some_and(|field| words_of_key(field).iter().any(|word| word == "name")),
                is_whole: field.is_some(),
                called,
                is_said: false,
                is_corrected: false,
                is_objected: false,
                is_done_wrong: false,
                is_judged: false,
            })
        };
        let mut slots: Vec<Slot> = task.voices().iter().filter_map(slot).collect();
        if slots.iter().any(|slot| slot.is_name) {
            slots.iter_mut().for_each(|slot| slot.is_whole = slot.is_name);
        }
        let ordered = task.oracle_outcome(variant).map_or(&[][..], |outcome| &outcome.oracle);
        let manner = Manner::of(variant);
        let drawn = Stream::new(0, "manner", &format!("{}/{variant}", task.id())).below(FIRST_LINES);
        let first_line = usize::try_from(drawn).unwrap_or_default();
        let (turns_said, extras, is_switching) = (0, 0, variant == Variant::GoalSwitching);
        let (refused, objected, used, heard) = (Vec::new(), Objected::default(), Vec::new(), String::new());
        let premises = behaviour.premises(task, variant);
        Some(ContractUser {
            task,
            behaviour,
            record,
            ordered,
            manner,
            slots,
            turns_said,
            extras,
            first_line,
            used,
            heard,
            pressed: 0,
            is_switching,
            made: Vec::new(),
            called: BTreeSet::new(),
            told: Vec::new(),
            is_wish_told: false,
            last_wish: String::new(),
            last_about: String::new(),
            refused,
            objected,
            own: OnceLock::new(),
            premises,
            granted: vec![false; premises.len()],
            awaited: None,
        })
    }

    /// One of several wordings: none is said twice before each has been said once.
    pub(super) fn line(&mut self, line: Line) -> String {
        let lines = self.manner.wordings(line);
        let times = |line: &&String| self.used.iter().filter(|used| **used == line.as_str()).count();
        let ordered = lines.iter().cycle().skip(self.first_line).take(lines.len());
        let Some(line) = ordered.min_by_key(times) else { return String::new() };
        self.used.push(line);
        line.clone()
    }

    /// The same, with what is told.
    pub(super) fn line_of(&mut self, line: Line, told: &str) -> String {
        self.line(line).replace("{}", told)
    }

    /// Its next turn, where what that takes for granted is so.
    pub(super) fn upcoming(&self) -> Option<&'a String> {
        self.behaviour.turns.get(self.turns_said).filter(|_| self.awaited.is_none())
    }

    /// The turn that waits until what it takes for granted is so.
    pub(super) fn waiting(&self) -> Option<&'a String> {
        self.behaviour.turns.get(self.turns_said).filter(|_| self.awaited.is_some())
    }

    /// Whether its next turn says yes to something.
    pub(super) fn agrees_in_next(&self) -> bool {
        self.awaited.is_none() && self.behaviour.consents.iter().any(|(turn, _)| *turn as usize == self.turns_said + 1)
    }

    pub(super) fn said(&self) -> &'a [String] {
        self.behaviour.turns.get(..self.turns_said).unwrap_or(&self.behaviour.turns)
    }
}

/// How a fact is said: a text as it is, a day in words, anything else as people say it where the task knows how.
pub(super) fn spoken(fact: &Fact) -> String {
    if is_day(fact) {
        let is_plain = |way: &&String| way.contains(char::is_alphabetic) && way.contains(|c: char| c.is_ascii_digit());
        let day = fact.value.as_str().and_then(|text| text.parse::<Date>().ok());
        return fact.also.iter().find(is_plain).cloned().or_else(|| day.map(in_words)).unwrap_or_default();
    }
    let value = fact.value.as_str().filter(|text| !text.contains('_')).map(str::to_owned);
    let also = || fact.also.first().cloned();
    let plain = || fact.value.as_str().map_or_else(|| fact.value.to_string(), |text| text.replace('_', " "));
    value.or_else(also).unwrap_or_else(plain)
}

pub(super) fn is_day(fact: &Fact) -> bool {
    fact.value.as_str().is_some_and(|text| text.parse::<Date>().is_ok())
}

/// *20 May*.
pub(super) fn in_words(day: Date) -> String {
    let month = usize::try_from(day.month()).ok().and_then(|month| MONTHS.get(month.checked_sub(1)?));
    format!("{} {}", day.day(), month.map_or_else(String::new, |month| capitalised(month)))
}

pub(super) fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

#[cfg(test)]
#[path = "contract_tests.rs"]
mod tests;
