//! The contract user: a finite automaton that holds the facts and says each only when it is asked for.
//!
//! It plays the turns of the task in order. When a reply asks something that the next turn does not answer, it
//! answers beside the script, at most three times in an episode, and goes on. Nothing in it is random, and all its words
//! are its own: its turns, its facts and the lines of `manner`. What is asked of the facts is read in `recall`, what is
//! asked of the user's will in `confirmation`; how it takes that stands in `decision`, what it wants in `wish`, and what it
//! objects to in `objection`.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::answer::Answer;
use super::asked::{ASKED, denies};
use super::confirmation::{asks_again, asks_for_anything, asks_wish_again, named, offers_help, offers_things};
use super::decision::Decision;
use super::identity::{OwnRecord, words_of_key};
use super::manner::{Line, Manner};
use super::objection::Objected;
use super::recall::{digits, number};
use super::told::{ToldChange, deeds};
use super::utterance::Values;
use super::wish::sentences_of;
use super::{User, UserFault, Utterance};
use crate::model::task_file::Fact;
use crate::model::variant::Variant;
use crate::task::presumption::{Premise, Presumed};
use crate::task::question::{FactPhrases, Question, questions};
use crate::task::{Behaviour, OracleCall, Task};
use probity_bench::{Event, MAX_EXTRA_REPLIES, Step, StepOutcome, reply_in};
use probity_engine::{Stream, Tool};
use probity_prose::{MONTHS, token::words};
use serde_json::Value;

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
    first_line: usize,
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
    /// What its turns take for granted, and what of that is so.
    pub(super) presumed: &'a [Presumed],
    pub(super) granted: Vec<bool>,
    /// What its next turn takes for granted and is not so: it is not said.
    pub(super) lack: Option<&'a Premise>,
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

impl Slot<'_> {
    /// Whether a reply tells its value, among others or not, or it has just been said whether that is right.
    pub(super) fn is_told_in(&self, reply: &str) -> bool {
        let has_number = |number: String| digits(reply).contains(&number);
        self.is_judged || self.voice.ways.are_in(reply) || number(self.fact).is_some_and(has_number)
    }

    pub(super) fn is_asked_in(&self, question: &Question) -> bool {
        if (self.is_said || !self.is_withheld) && self.is_identity_in(question) {
            return true;
        }
        match self.is_withheld && !self.is_said {
            true => self.voice.is_asked_in(question),
            // A choice of something else is not about what it has said.
            false => {
                let is_open = asks_again(question.text) || !offers_things(question);
                self.voice.cues.are_in(question.text) && (is_open || self.voice.ways.are_in(question.text))
            }
        }
    }
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
        let (refused, objected) = (Vec::new(), Objected::default());
        let (turns_said, extras, is_switching) = (0, 0, variant == Variant::GoalSwitching);
        let (used, heard, pressed) = (Vec::new(), String::new(), 0);
        let presumed = behaviour.presumed(task, variant);
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
            pressed,
            is_switching,
            made: Vec::new(),
            called: BTreeSet::new(),
            told: Vec::new(),
            is_wish_told: false,
            last_wish: String::new(),
            last_about: String::new(),
            refused,
            objected,
            presumed,
            granted: vec![false; presumed.len()],
            lack: None,
        })
    }

    /// What it says next; nothing ends the dialogue.
    pub fn next(&mut self, reply: Option<&str>) -> Option<Utterance> {
        if let Some(reply) = reply {
            self.believe(reply);
            self.grant(reply);
            self.slots.iter_mut().for_each(|slot| slot.is_done_wrong &= !slot.voice.ways.are_in(reply));
        }
        let answered = reply.filter(|_| self.extras < MAX_EXTRA_REPLIES);
        let Answer { mut facts, mut decision, open } = match answered {
            Some(reply) => self.answer(reply),
            None => Answer { facts: self.told_again(reply.unwrap_or_default()), decision: Decision::Turn, open: None },
        };
        let is_asked = answered.is_some() && decision != Decision::Nothing;
        if let Some(reply) = answered {
            let is_turn = decision == Decision::Turn;
            let agrees = is_turn && self.agrees_in_next();
            let corrections = if is_turn && !agrees { Vec::new() } else { self.correct(reply, is_turn) };
            let mut offered = [corrections, self.object_to_slips(reply)].concat();
            if offered.is_empty() {
                offered.extend(self.object_to_records(reply));
            }
            // What is offered with another value than its own is not agreed to in the same breath.
            let is_held = !offered.is_empty() && (agrees || !is_turn);
            if is_held && decision != Decision::Wish {
                decision = Decision::Nothing;
            }
            let objected = self.object(reply, is_turn && !is_held);
            facts.extend(objected.into_iter().chain(offered));
        }
        // What it has objected to is not well before it is put right.
        if matches!(decision, Decision::Said(_) | Decision::Provided | Decision::Closing) {
            let wrong = self.slots.iter().filter(|slot| slot.is_done_wrong).map(|slot| spoken(slot.fact));
            let wrong: Vec<String> = wrong.filter(|value| !facts.iter().any(|fact| fact.contains(value))).collect();
            if !wrong.is_empty() {
                facts.extend(wrong.iter().map(|value| self.line_of(Line::Objection, value)));
                decision = Decision::Nothing;
            }
        }
        if decision == Decision::Turn && is_asked && reply.is_some_and(|reply| self.lacks_price(reply)) {
            let again = reply.into_iter().flat_map(questions).find(|question| asks_wish_again(question.text));
            let wish = again.and_then(|question| self.old_wish(question.text));
            facts.extend(wish.map(|wish| self.line_of(Line::Wish, &wish)));
            facts.push(self.line(Line::Price));
            decision = Decision::Nothing;
        }
        if reply.is_some_and(|reply| self.is_asked_for_anything(reply)) {
            facts.push(self.line(Line::Blanket));
            decision = if answered.is_some() { Decision::Nothing } else { Decision::Turn };
        }
        if self.lack.is_some() {
            decision = self.patient(decision, !facts.is_empty(), answered?);
        }
        if decision == Decision::Nothing && !facts.is_empty() && self.is_last_word() {
            decision = Decision::Wish;
        }
        let is_silent = decision == Decision::Turn || (decision == Decision::Nothing && facts.is_empty());
        let utterance = match is_silent {
            false => {
                let said = self.say(decision, reply.unwrap_or_default());
                facts.extend(Some(said).filter(|said| !said.is_empty()));
                if let Some(open) = open.filter(|_| self.lack.is_none()) {
                    facts.push(self.line(open));
                }
                Utterance::extra(in_sentences(facts))
            }
            true => {
                let is_done = !is_asked && reply.is_some_and(|reply| self.is_told_before(reply));
                let turn = self.upcoming()?;
                let turn = if is_done { self.line(Line::Done) } else { turn.clone() };
                self.turns_said += 1;
                self.is_wish_told = false;
                self.last_wish.clear();
                self.last_about.clear();
                Utterance::scripted(in_sentences([facts, vec![turn]].concat()))
            }
        };
        if utterance.extra {
            self.extras += 1;
        }
        self.slots.iter_mut().for_each(|slot| slot.is_said |= slot.voice.ways.are_in(&utterance.text));
        self.heard.extend(reply.into_iter().chain(["\n"]));
        Some(utterance)
    }

    /// Takes as done what a reply tells as done, where it ordered that once.
    fn believe(&mut self, reply: &str) {
        self.doubt(reply);
        let now = self.task.initial().clock();
        let own = Values::read(&self.own(), now);
        let is_so = |deed: &ToldChange| {
            !Values::read(&deed.clause, now).contradicts(&own) && !self.is_of_sibling(&deed.clause, deed.tool)
        };
        let told = deeds(reply, self.task.environment()).into_iter().filter(is_so).map(|deed| deed.tool.name.as_str());
        let told: Vec<&str> = told.filter(|tool| self.ordered_by_now(tool).count() == 1).collect();
        self.told.extend(told);
        // `The stay is cancelled then. Shall I cancel it?` tells what is to come.
        let asked = questions(reply).into_iter().filter(|question| question.is_marked);
        let asked: Vec<&Tool> = asked.flat_map(|question| named(question.text, self.task.environment())).collect();
        self.told.retain(|told| !asked.iter().any(|tool| tool.name == *told));
    }

    /// Believes no more what a reply denies: a deed that it names, or where it names none all that was told.
    fn doubt(&mut self, reply: &str) {
        for (said, _) in sentences_of(reply).into_iter().filter(|(_, is_question)| !is_question) {
            let named = named(&said, self.task.environment());
            let is_of_all = named.is_empty() && ASKED.fails(&said);
            let is_named =
                |told: &str| named.iter().any(|tool| tool.name == told) && (denies(&said) || ASKED.fails(&said));
            self.told.retain(|told| !is_of_all && !is_named(told));
        }
    }

    /// Remembers which of the calls that it ordered were made.
    pub(super) fn notice(&mut self, since: &[Event]) {
        let is_same = |call: &OracleCall, step: &Step| {
            // What is written freely, or refers to what came before, may be any.
            let is_free = |value: &Value| {
                value.as_str().map_or(value.is_array() || value.is_object(), |text| text.contains([' ', '$']))
            };
            let mut arguments = call.arguments.iter();
            call.is_by(&step.tool)
                && matches!(step.outcome, StepOutcome::Ok { .. })
                && (call.tool != step.tool
                    || arguments.all(|(name, value)| {
                        is_free(value) || step.arguments.get(name).is_none_or(|given| given == value)
                    }))
        };
        let steps: Vec<&Step> = since.iter().filter_map(Event::step).collect();
        let done = steps.iter().filter(|step| matches!(step.outcome, StepOutcome::Ok { .. }));
        self.called.extend(done.map(|step| step.tool.clone()));
        let made = self.ordered.iter().filter(|call| steps.iter().any(|step| is_same(call, step)));
        self.made.extend(made);
    }

    /// Whether its next turn says yes where it has asked what something costs, and no figure has been told yet.
    fn lacks_price(&self, reply: &str) -> bool {
        let said = self.said().join("\n");
        let mut questions = said.split_inclusive(['.', '!', '?', '\n']).filter(|sentence| sentence.ends_with('?'));
        let told = [self.heard.as_str(), reply].join("\n");
        self.agrees_in_next()
            && questions.any(|question| words(question).iter().any(|word| ASKED.is_price(word)))
            && !Values::read(&told, self.task.initial().clock()).has_quantity()
    }

    /// Whether leave is asked to do anything at all, which nobody gets.
    fn is_asked_for_anything(&self, reply: &str) -> bool {
        questions(reply).iter().any(|question| asks_for_anything(question.text))
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
        self.behaviour.turns.get(self.turns_said).filter(|_| self.lack.is_none())
    }

    /// The turn that waits until what it takes for granted is so.
    pub(super) fn waiting(&self) -> Option<&'a String> {
        self.behaviour.turns.get(self.turns_said).filter(|_| self.lack.is_some())
    }

    /// Whether its next turn says yes to something.
    pub(super) fn agrees_in_next(&self) -> bool {
        self.lack.is_none() && self.behaviour.consents.iter().any(|(turn, _)| *turn as usize == self.turns_said + 1)
    }

    /// The turns that it has said so far.
    pub(super) fn said(&self) -> &'a [String] {
        self.behaviour.turns.get(..self.turns_said).unwrap_or(&self.behaviour.turns)
    }

    /// Whether all that the next turn orders, and has not been ordered before, is told as done, and it says nothing
    /// else that the agent may need.
    fn is_told_before(&self, reply: &str) -> bool {
        let next = u32::try_from(self.turns_said + 1).unwrap_or(u32::MAX);
        let calls = || self.ordered.iter().zip(&self.behaviour.segments);
        let is_before = |tool: &str| calls().any(|(call, turn)| *turn < next && call.tool == tool);
        let deeds = deeds(reply, self.task.environment());
        let is_told = |tool: &str| deeds.iter().any(|deed| deed.tool.name == tool) && !is_before(tool);
        let mut due = calls().filter(|(_, turn)| **turn == next).map(|(call, _)| call.tool.as_str()).peekable();
        let turn = self.upcoming().map_or("", String::as_str);
        let tells_more = self.slots.iter().any(|slot| !slot.is_said && slot.voice.ways.are_in(turn))
            || self.behaviour.planted.iter().any(|planted| turn.contains(&planted.text))
            || self.settles_next()
            // The yes that a turn gives is not said for the user.
            || self.behaviour.consents.iter().any(|(turn, _)| *turn == next);
        due.peek().is_some() && due.all(is_told) && !tells_more
    }

    /// How it takes its leave after the last reply.
    fn parting(&self, reply: &str) -> &'static str {
        let questions = questions(reply);
        let is_open = |question: &Question| question.is_marked && !offers_help(question.text);
        let line = match (questions.iter().any(is_open), questions.iter().any(|question| offers_help(question.text))) {
            _ if self.lack.is_some() => Line::OutOfTime,
            (true, _) if self.extras == MAX_EXTRA_REPLIES => Line::OutOfTime,
            (_, true) => Line::NothingMore,
            (_, false) => Line::Goodbye,
        };
        self.manner.wordings(line).iter().cycle().nth(self.first_line).map_or("", String::as_str)
    }
}

impl User for ContractUser<'_> {
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        self.notice(since);
        Ok(self.next(reply_in(since)))
    }

    fn farewell(&self, since: &[Event]) -> Option<Utterance> {
        reply_in(since).map(|reply| Utterance::extra(self.parting(reply)))
    }
}

/// Texts one after another, each ended before the next.
fn in_sentences(mut texts: Vec<String>) -> String {
    let last = texts.len().saturating_sub(1);
    texts.iter_mut().take(last).filter(|text| text.ends_with(char::is_alphanumeric)).for_each(|text| text.push('.'));
    texts.join(" ")
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
