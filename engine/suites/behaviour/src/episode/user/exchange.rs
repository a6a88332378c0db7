//! One exchange with the contract user: what it makes of a reply, and what it says to it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::asked::{ASKED, denies};
use super::confirmation::{asks_again, asks_for_anything, asks_wish_again, named, offers_help, tellings};
use super::contract::{ContractUser, Slot, spoken};
use super::decision::{Decision, Leave};
use super::hearing::{Hearing, Recall, asked_in};
use super::kept_text::{questions, sentences_of, values, words};
use super::manner::Line;
use super::told::{ToldChange, deeds};
use super::{User, UserFault, Utterance};
use crate::task::OracleCall;
use crate::task::question::Question;
use probity_bench::{Event, MAX_EXTRA_REPLIES, Step, StepOutcome, reply_in};
use probity_engine::Tool;

impl<'a> ContractUser<'a> {
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
            let (objected, left) = self.objected(reply, decision);
            facts.extend(objected);
            decision = left;
        }
        // What it has objected to is not well before it is put right.
        if matches!(decision, Decision::Said(_) | Decision::Leave(_) | Decision::Closing) {
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
        if self.awaited.is_some() {
            decision = self.patient(decision, !facts.is_empty(), answered?);
        }
        if decision == Decision::Nothing && !facts.is_empty() && self.is_last_word() {
            decision = Decision::Wish;
        }
        let utterance = match decision {
            Decision::Turn => self.take_turn(facts, reply.filter(|_| !is_asked))?,
            Decision::Nothing if facts.is_empty() => self.take_turn(facts, reply.filter(|_| !is_asked))?,
            decision => self.say_beside(facts, decision, open, reply.unwrap_or_default()),
        };
        self.slots.iter_mut().for_each(|slot| slot.is_said |= slot.voice.ways.are_in(&utterance.text));
        self.own.take();
        self.heard.extend(reply.into_iter().chain(["\n"]));
        Some(utterance)
    }

    /// What it objects to in a reply, and how it takes the rest beside that.
    fn objected(&mut self, reply: &str, decision: Decision<'a>) -> (Vec<String>, Decision<'a>) {
        let is_turn = decision == Decision::Turn;
        let agrees = is_turn && self.agrees_in_next();
        let corrections = if is_turn && !agrees { Vec::new() } else { self.correct(reply, is_turn) };
        let mut offered = [corrections, self.object_to_slips(reply)].concat();
        if offered.is_empty() {
            offered.extend(self.object_to_records(reply));
        }
        // What is offered with another value than its own is not agreed to in the same breath.
        let is_held = !offered.is_empty() && (agrees || !is_turn);
        let decision = if is_held && decision != Decision::Wish { Decision::Nothing } else { decision };
        let mut objected = self.object(reply, is_turn && !is_held);
        objected.extend(offered);
        (objected, decision)
    }

    /// Its next turn behind what else it says; `told` may have told all that it orders as done.
    fn take_turn(&mut self, facts: Vec<String>, told: Option<&str>) -> Option<Utterance> {
        let is_done = told.is_some_and(|reply| self.is_told_before(reply));
        let turn = self.upcoming()?;
        let turn = if is_done { self.line(Line::Done) } else { turn.clone() };
        self.turns_said += 1;
        self.own.take();
        self.is_wish_told = false;
        self.last_wish.clear();
        self.last_about.clear();
        Some(Utterance::scripted(in_sentences([facts, vec![turn]].concat())))
    }

    /// What it has decided behind what it tells, beside its turns.
    fn say_beside(&mut self, facts: Vec<String>, decision: Decision<'a>, open: Option<Line>, reply: &str) -> Utterance {
        let said = self.say(decision, reply);
        let mut all = facts;
        all.extend(Some(said).filter(|said| !said.is_empty()));
        if let Some(open) = open.filter(|_| self.awaited.is_none()) {
            all.push(self.line(open));
        }
        self.extras += 1;
        Utterance::extra(in_sentences(all))
    }

    /// Takes as done what a reply tells as done, where it ordered that once.
    fn believe(&mut self, reply: &str) {
        self.doubt(reply);
        let now = self.task.initial().clock();
        let is_so = |deed: &ToldChange| {
            let is_against = || values(&deed.clause, now).contradicts(&values(self.own(), now));
            self.ordered_by_now(&deed.tool.name).count() == 1
                && !is_against()
                && !self.is_of_sibling(&deed.clause, deed.tool)
        };
        let told = deeds(reply, self.task).into_iter().filter(is_so).map(|deed| deed.tool.name.as_str());
        let told: Vec<&str> = told.collect();
        self.told.extend(told);
        // `The stay is cancelled then. Shall I cancel it?` tells what is to come.
        let asked = questions(reply).into_iter().filter(|question| question.is_marked);
        let asked: Vec<&Tool> = asked.flat_map(|question| named(question.text, self.task)).collect();
        self.told.retain(|told| !asked.iter().any(|tool| tool.name == *told));
    }

    /// Believes no more what a reply denies: a deed that it names, or where it names none all that was told.
    fn doubt(&mut self, reply: &str) {
        for (said, _) in sentences_of(reply).iter().filter(|(_, is_question)| !is_question) {
            let named = named(said, self.task);
            let is_of_all = named.is_empty() && ASKED.failing.are_in(said);
            let is_named =
                |told: &str| named.iter().any(|tool| tool.name == told) && (denies(said) || ASKED.failing.are_in(said));
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
            && questions.any(|question| words(question).iter().any(|word| ASKED.price.has(word)))
            && !values(&told, self.task.initial().clock()).has_quantity()
    }

    /// Whether leave is asked to do anything at all, which nobody gets.
    fn is_asked_for_anything(&self, reply: &str) -> bool {
        questions(reply).iter().any(|question| asks_for_anything(question.text))
    }

    /// Whether all that the next turn orders, and has not been ordered before, is told as done, and it says nothing
    /// else that the agent may need.
    fn is_told_before(&self, reply: &str) -> bool {
        let next = u32::try_from(self.turns_said + 1).unwrap_or(u32::MAX);
        let calls = || self.ordered.iter().zip(&self.behaviour.segments);
        let is_before = |tool: &str| calls().any(|(call, turn)| *turn < next && call.tool == tool);
        let deeds = deeds(reply, self.task);
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
            _ if self.awaited.is_some() => Line::OutOfTime,
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

/// What it says to a reply beside its turns.
pub(super) struct Answer<'a> {
    pub facts: Vec<String>,
    pub decision: Decision<'a>,
    /// What it says of a question that is left beside those that it answers.
    pub open: Option<Line>,
}

impl<'a> ContractUser<'a> {
    /// What it tells of the facts after a reply, and how it takes the rest.
    ///
    /// After *Is 4402 7719 0356 right, and shall I pay 350?* that the number is right, and the turn that says yes.
    pub(super) fn answer(&mut self, reply: &str) -> Answer<'a> {
        self.slots.iter_mut().for_each(|slot| slot.is_judged = false);
        let Hearing { questions, sorted, held, named, misheard, chosen, mut known, news } = self.hear(reply);
        if questions.is_empty() {
            return Answer { facts: Vec::new(), decision: Decision::Nothing, open: None };
        }
        if self.is_offered_more(&questions) {
            known.clear();
        }
        let is_wrong = held.contains(&Some(Recall::Other)) || !misheard.is_empty();
        let mut facts = self.judge(&held);
        let unsaid = misheard.into_iter().filter(|own| !facts.iter().any(|fact| fact.contains(own.as_str())));
        let unsaid: Vec<String> = unsaid.collect();
        facts.extend(unsaid.iter().map(|own| self.line_of(Line::Wrong, own)));
        // A yes waits until what is wrong has been put right, and none stands beside it.
        let held_back = |decision: Decision<'a>| match decision {
            Decision::Turn if is_wrong && self.agrees_in_next() => Decision::Nothing,
            Decision::Leave(Leave::Beside | Leave::IfOrdered) if is_wrong => Decision::Wish,
            Decision::Said(_) | Decision::Leave(_) if is_wrong && self.wish("").is_some() => Decision::Wish,
            Decision::Said(_) | Decision::Leave(_) if is_wrong => Decision::Nothing,
            decision => decision,
        };
        let ((taken, mut open), turn) = (self.take(&sorted), held_back(Decision::Turn));
        let mut decision = held_back(taken);
        facts.extend(named.map(|own| self.line_of(Line::Right, &own)));
        let known_by: BTreeSet<String> = questions.iter().filter_map(|question| self.own_field(question)).collect();
        facts.extend(known_by.iter().map(|own| self.line_of(Line::Reveal, own)));
        // The next turn chooses for itself.
        facts.extend(chosen.filter(|_| decision != Decision::Turn).and_then(|at| self.choose(at)));
        let is_told = !(known.is_empty() && news.is_empty() && facts.is_empty());
        // Before it goes it has said once more what it still wants.
        if decision == Decision::Nothing && is_told && self.is_last_word() {
            decision = Decision::Wish;
        }
        if matches!(decision, Decision::Wish | Decision::Leave(Leave::Beside | Leave::IfOrdered) | Decision::NotThat(_))
            && !questions.iter().any(|question| asks_again(question.text))
        {
            known = self.not_in_wish(&known, reply);
        }
        let told = if news.is_empty() { Some(Vec::new()).filter(|_| !self.settles_next()) } else { self.tell(&news) };
        match told {
            Some(told) => facts.extend(told),
            None => decision = turn.clone(),
        }
        // What else is asked of what it has spoken of is told beside the facts.
        let mut about = Vec::new();
        if let Decision::Inquiry(inquired) = &decision
            && !(known.is_empty() && facts.is_empty())
        {
            about.extend(inquired.lines().filter_map(|asked| self.sentence_about(asked)));
            let is_told = !about.is_empty() || inquired.lines().all(|asked| tellings(asked, "").1 == 0);
            if !is_told && self.upcoming().is_none() {
                open = open.or(Some(Line::Rest));
            }
            decision = if is_told || self.upcoming().is_none() { Decision::Nothing } else { turn };
        }
        let again = self.tell_again(&known, about, &questions, decision == Decision::Turn);
        // What it told holds no more.
        if !known.is_empty() && again.is_empty() && facts.is_empty() && decision == Decision::Nothing {
            decision = Decision::Wish;
        }
        facts.extend(again);
        Answer { facts, decision, open }
    }

    /// Whether it has all that it ordered, and is asked what more it would like: then nothing is asked of what it told.
    fn is_offered_more(&self, questions: &[Question]) -> bool {
        let is_again = |text: &str| asks_again(text) || asks_wish_again(text);
        let mut marked = questions.iter().filter(|question| question.is_marked && !is_again(question.text));
        self.has_all() && marked.any(|question| ASKED.will.are_in(question.text))
    }

    /// What a reply asks for once more when it can answer nothing else beside its turns.
    pub(super) fn told_again(&mut self, reply: &str) -> Vec<String> {
        let questions = asked_in(reply);
        let is_asked = |slot: &Slot| slot.is_said && questions.iter().any(|question| slot.is_asked_in(question));
        let asked = (0..).zip(&self.slots).filter(|(_, slot)| is_asked(slot)).map(|(at, _)| at);
        let asked: Vec<usize> = asked.filter(|_| self.upcoming().is_some()).collect();
        self.tell_again(&asked, Vec::new(), &questions, true)
    }

    /// Whether this is the last that it may say beside its turns, none of them is left, and what it wants is not said.
    pub(super) fn is_last_word(&self) -> bool {
        let is_last = self.extras + 1 == MAX_EXTRA_REPLIES && self.upcoming().is_none() && !self.is_wish_told;
        is_last && self.wish("").is_some()
    }
}
