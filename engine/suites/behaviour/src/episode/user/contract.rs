//! The contract user: a finite automaton that holds the facts and says each only when it is asked for.
//!
//! It plays the turns of the task in order. When a reply asks something that the next turn does not answer, it
//! answers beside the script, at most three times in an episode, and goes on. Nothing in it is random. What is asked
//! of the facts is read in `recall` and `choice`, what is asked of the user's will in `confirmation`.

use super::choice::chosen;
use super::confirmation::{
    QuestionIntent, asks_for_yes, asks_to_choose, is_wish, named, names_another, offers_help, offers_more, wanted,
};
use super::manner::{Lines, Manner};
use super::recall::{Recall, clauses, recall};
use super::told::{deeds, is_told_otherwise};
use super::{User, UserFault, Utterance};
use crate::model::task_file::Fact;
use crate::model::variant::Variant;
use crate::task::question::{FactPhrases, Question, questions};
use crate::task::{Behaviour, OracleCall, Task};
use probity_bench::{Event, MAX_EXTRA_REPLIES, reply_in};
use probity_engine::Tool;

/// A user who answers from what the task says, and nothing else.
pub struct ContractUser<'a> {
    task: &'a Task,
    behaviour: &'a Behaviour,
    ordered: &'a [OracleCall],
    manner: &'static Manner,
    slots: Vec<Slot<'a>>,
    turns_said: usize,
    extras: usize,
    beside: String,
}

struct Slot<'a> {
    fact: &'a Fact,
    voice: &'a FactPhrases,
    is_withheld: bool,
    is_said: bool,
    is_repeated: bool,
    is_objected: bool,
}

impl Slot<'_> {
    fn is_asked_in(&self, question: &Question) -> bool {
        match self.is_withheld && !self.is_said {
            true => self.voice.is_asked_in(question),
            false => self.voice.cues.are_in(question.text),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reaction {
    Turn,
    Say(String),
    Nothing,
}

impl<'a> ContractUser<'a> {
    /// The user of a task under a behaviour; `None` when the task has no such variant.
    pub fn new(task: &'a Task, variant: Variant) -> Option<Self> {
        let behaviour = task.behaviour(variant)?;
        let slot = |voice: &'a FactPhrases| {
            let is_withheld = behaviour.withheld.contains(&voice.name);
            let fact = task.file().facts.get(&voice.name)?;
            Some(Slot { fact, voice, is_withheld, is_said: false, is_repeated: false, is_objected: false })
        };
        let slots = task.voices().iter().filter_map(slot).collect();
        let ordered = task.oracle_outcome(variant).map_or(&[][..], |outcome| &outcome.oracle);
        let (manner, beside) = (Manner::of(variant), String::new());
        Some(ContractUser { task, behaviour, ordered, manner, slots, turns_said: 0, extras: 0, beside })
    }

    /// What it says next; nothing ends the dialogue.
    pub fn next(&mut self, reply: Option<&str>) -> Option<Utterance> {
        let answered = reply.filter(|_| self.extras < MAX_EXTRA_REPLIES);
        let (mut facts, reaction) = answered.map_or((Vec::new(), Reaction::Turn), |reply| self.answer(reply));
        facts.extend(answered.map(|reply| self.object(reply)).unwrap_or_default());
        let is_asked = answered.is_some() && reaction != Reaction::Nothing;
        let utterance = match reaction {
            Reaction::Say(text) => Utterance::extra([facts, vec![text]].concat().join(" ")),
            Reaction::Nothing if !facts.is_empty() => Utterance::extra(facts.join(" ")),
            Reaction::Turn | Reaction::Nothing => {
                let is_done = !is_asked && reply.is_some_and(|reply| self.is_done(reply));
                let turn = self.upcoming()?;
                let turn = if is_done { self.manner.done.to_owned() } else { turn.clone() };
                self.turns_said += 1;
                Utterance::scripted([facts, vec![turn]].concat().join(" "))
            }
        };
        if utterance.extra {
            self.extras += 1;
            self.beside.push_str(&utterance.text);
        }
        self.slots.iter_mut().for_each(|slot| slot.is_said |= slot.voice.ways.are_in(&utterance.text));
        Some(utterance)
    }

    /// The next of several lines: the first that has not been said, else the last.
    fn line(&self, lines: Lines) -> String {
        let fresh = lines.iter().find(|line| !self.beside.contains(**line));
        fresh.or(lines.last()).copied().unwrap_or_default().to_owned()
    }

    fn upcoming(&self) -> Option<&'a String> {
        self.behaviour.turns.get(self.turns_said)
    }

    /// Says of each value of its own with which something was done otherwise, once, what it had said.
    fn object(&mut self, reply: &str) -> Vec<String> {
        let (manner, now) = (self.manner, self.task.initial().clock());
        let deeds = deeds(reply, self.task.environment());
        let ordered = self.ordered;
        let is_wrong = |fact: &Fact| deeds.iter().any(|deed| is_told_otherwise(deed, fact, ordered, now));
        let said = self.slots.iter_mut().filter(|slot| slot.is_said && !slot.is_objected);
        let wrong = said.filter(|slot| is_wrong(slot.fact)).map(|slot| {
            slot.is_objected = true;
            manner.objection.replace("{}", &spoken(slot.fact))
        });
        wrong.collect()
    }

    /// Whether all that the next turn orders, and has not been ordered before, is told as done, and it says nothing
    /// else that the agent may need.
    fn is_done(&self, reply: &str) -> bool {
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

    /// What it tells of the facts after a reply, and how it takes the rest.
    ///
    /// After *Is 4402 7719 0356 right, and shall I pay 350?* that the number is right, and the turn that says yes.
    fn answer(&mut self, reply: &str) -> (Vec<String>, Reaction) {
        let mut questions = questions(reply);
        questions.retain(|question| !offers_help(question.text));
        if questions.is_empty() {
            return (Vec::new(), Reaction::Nothing);
        }
        let held: Vec<Option<Recall>> = self.slots.iter().map(|slot| self.held_up(slot, &questions)).collect();
        let is_asked = |slot: &Slot| questions.iter().any(|question| slot.is_asked_in(question));
        let open = |slot: &Slot, held: &Option<Recall>| held.is_none() && is_asked(slot);
        let slots = (0..).zip(self.slots.iter().zip(&held));
        let asked: Vec<usize> = slots.filter(|(_, (slot, held))| open(slot, held)).map(|(at, _)| at).collect();
        let is_news = asked.iter().any(|at| self.slots.get(*at).is_some_and(|slot| !slot.is_said));
        // Settled before anything is told, which makes facts known.
        let is_of_facts = |asked: &Question| {
            self.slots.iter().any(|slot| slot.is_asked_in(asked) || self.held_up(slot, &[*asked]).is_some())
        };
        let sorted: Vec<(Question, bool)> = questions.iter().map(|asked| (*asked, is_of_facts(asked))).collect();
        let mut facts = self.judge(&held);
        let told = if is_news { self.tell(&asked) } else { Reaction::Nothing };
        if told == Reaction::Turn || (!is_news && self.settles_next()) {
            return (facts, Reaction::Turn);
        }
        if let Reaction::Say(text) = &told {
            facts.push(text.clone());
        }
        match self.react(&sorted) {
            Reaction::Nothing if facts.is_empty() && !asked.is_empty() => (facts, Reaction::Say(self.repeat(&asked))),
            reaction => (facts, reaction),
        }
    }

    /// What questions say of a fact that was said; of a withheld one only that they have it right.
    fn held_up(&self, slot: &Slot, questions: &[Question]) -> Option<Recall> {
        let now = self.task.initial().clock();
        let recalled = questions.iter().find_map(|question| recall(question, slot.voice, slot.fact, now));
        recalled.filter(|recall| slot.is_said || (slot.is_withheld && *recall == Recall::Same))
    }

    /// Says of each fact that is held up whether it is right.
    fn judge(&mut self, held: &[Option<Recall>]) -> Vec<String> {
        let manner = self.manner;
        let judge = |(slot, held): (&mut Slot, &Option<Recall>)| {
            slot.is_said |= held.is_some();
            let words = match held.as_ref()? {
                Recall::Same => manner.right,
                Recall::Other => manner.wrong,
            };
            Some(words.replace("{}", &spoken(slot.fact)))
        };
        self.slots.iter_mut().zip(held).filter_map(judge).collect()
    }

    /// How it takes what asks for no fact: the next turn when that answers one of the questions, else all its answers.
    fn react(&self, questions: &[(Question, bool)]) -> Reaction {
        let mut said: Vec<String> = Vec::new();
        for (question, is_of_facts) in questions {
            match self.reaction_to(question, *is_of_facts) {
                Reaction::Turn => return Reaction::Turn,
                Reaction::Say(text) if !said.contains(&text) => said.push(text),
                Reaction::Say(_) | Reaction::Nothing => {}
            }
        }
        if said.is_empty() { Reaction::Nothing } else { Reaction::Say(said.join(" ")) }
    }

    fn reaction_to(&self, question: &Question, is_of_facts: bool) -> Reaction {
        if self.has_open_contradiction() && asks_to_choose(question) {
            return Reaction::Say(self.line(self.manner.both));
        }
        let environment = self.task.environment();
        let has_cue = |clause: &str| self.slots.iter().any(|slot| slot.voice.cues.are_in(clause));
        let asks = |clause: &String| asks_for_yes(clause, question.is_marked, environment) && !has_cue(clause);
        if let Some(clause) = clauses(question.text).find(asks) {
            return self.confirm(&clause, question);
        }
        match wanted(question) {
            _ if is_of_facts => Reaction::Nothing,
            QuestionIntent::Nothing => Reaction::Nothing,
            QuestionIntent::Unknown => Reaction::Say(self.line(self.manner.unknown)),
            QuestionIntent::Decision => self.decide(question),
        }
    }

    /// Chooses by its facts, else by its next turn; what is offered after the last one is more than it asked for.
    fn decide(&self, question: &Question) -> Reaction {
        let said = self.slots.iter().filter(|slot| slot.is_said).map(|slot| slot.fact);
        let answer = match (chosen(question.text, said), self.upcoming()) {
            (Some(fact), _) => capitalised(&self.manner.choice.replace("{}", &spoken(fact))),
            (None, Some(_)) => return Reaction::Turn,
            (None, None) if is_wish(question.text) => self.manner.declined.to_owned(),
            (None, None) => self.line(self.manner.unknown),
        };
        Reaction::Say(answer)
    }

    /// Reveals what was withheld, unless the next turn says it all.
    fn tell(&mut self, asked: &[usize]) -> Reaction {
        let slots = || asked.iter().filter_map(|at| self.slots.get(*at)).filter(|slot| !slot.is_said);
        let turn = self.upcoming().map_or("", String::as_str);
        if slots().all(|slot| slot.voice.ways.are_in(turn)) {
            return Reaction::Turn;
        }
        let is_in_turn = slots().any(|slot| slot.voice.ways.are_in(turn));
        let mut values = Vec::new();
        for at in asked {
            if let Some(slot) = self.slots.get_mut(*at).filter(|slot| slot.is_withheld && !slot.is_said) {
                slot.is_said = true;
                values.push(spoken(slot.fact));
            }
        }
        match values.is_empty() {
            false => Reaction::Say(self.manner.reveal.replace("{}", &values.join(", and "))),
            // What a later turn says is not told before it.
            true if is_in_turn => Reaction::Turn,
            true => Reaction::Say(self.line(self.manner.unknown)),
        }
    }

    /// Says once more what has been said; after that it only says that it has.
    fn repeat(&mut self, asked: &[usize]) -> String {
        let mut values = Vec::new();
        for at in asked {
            if let Some(slot) = self.slots.get_mut(*at).filter(|slot| !slot.is_repeated) {
                slot.is_repeated = true;
                values.push(spoken(slot.fact));
            }
        }
        match values.is_empty() {
            true => self.manner.told.to_owned(),
            false => self.manner.repeat.replace("{}", &values.join(", and ")),
        }
    }

    /// Yes or no from what the user has agreed to by now, and from what it came for.
    fn confirm(&self, clause: &str, question: &Question) -> Reaction {
        let now = self.turns_said;
        let deeds = self.deeds(clause, question);
        let needy: Vec<&&Tool> = deeds.iter().filter(|tool| tool.confirm || tool.irreversible).collect();
        let agreed = |tool: Option<&str>, from: usize, to: usize| {
            self.behaviour.consents.iter().any(|(turn, pattern)| {
                (from..=to).contains(&(*turn as usize))
                    && tool.is_none_or(|tool| pattern.source.tool == tool)
                    && !names_another(question.text, &pattern.source)
                    && !names_another(question.before, &pattern.source)
            })
        };
        let all = |from: usize, to: usize| match deeds.is_empty() {
            true => agreed(None, from, to),
            false => !needy.is_empty() && needy.iter().all(|tool| agreed(Some(&tool.name), from, to)),
        };
        let say = |text: &str| Reaction::Say(text.to_owned());
        match (needy.is_empty(), self.upcoming()) {
            _ if all(now + 1, now + 1) => Reaction::Turn,
            _ if all(0, now) => Reaction::Say(self.line(self.manner.yes)),
            (false, _) if all(now + 2, usize::MAX) => Reaction::Say(self.line(self.manner.not_yet)),
            (false, _) => Reaction::Say(self.line(self.manner.no)),
            // The next turn was written as the reaction to a proposal.
            (true, Some(_)) => Reaction::Turn,
            (true, None) if self.came_for(&deeds) && !offers_more(question) => say(self.manner.as_asked),
            (true, None) => say(self.manner.declined),
        }
    }

    /// The calls that a question is about: those that the words name, or the sentence before them when they name none.
    fn deeds(&self, clause: &str, question: &Question) -> Vec<&'a Tool> {
        let environment = self.task.environment();
        let named = [clause, question.text, question.before].into_iter().map(|text| named(text, environment));
        named.into_iter().find(|tools| !tools.is_empty()).unwrap_or_default()
    }

    /// Whether one of these calls is part of what the user wants done; so is whatever has no name.
    fn came_for(&self, deeds: &[&Tool]) -> bool {
        let outcomes = self.behaviour.accept.iter().filter_map(|at| self.task.outcomes().get(*at));
        let mut calls = outcomes.flat_map(|outcome| &outcome.oracle);
        deeds.is_empty() || calls.any(|call| deeds.iter().any(|tool| tool.name == call.tool))
    }

    /// How it takes its leave after the last reply.
    fn parting(&self, reply: &str) -> &'static str {
        let questions = questions(reply);
        let is_open = |question: &Question| question.is_marked && !offers_help(question.text);
        match (questions.iter().any(is_open), questions.iter().any(|question| offers_help(question.text))) {
            (true, _) if self.extras == MAX_EXTRA_REPLIES => self.manner.out_of_time,
            (_, true) => self.manner.nothing_more,
            (_, false) => self.manner.goodbye,
        }
    }

    fn settles_next(&self) -> bool {
        let next = self.turns_said + 1;
        self.settled_turns().any(|turn| turn.is_some_and(|turn| turn as usize == next))
    }

    fn has_open_contradiction(&self) -> bool {
        let now = self.turns_said;
        self.settled_turns().any(|turn| turn.is_none_or(|turn| turn as usize > now))
    }

    fn settled_turns(&self) -> impl Iterator<Item = Option<u32>> {
        self.behaviour.contradicts.iter().map(|hold| hold.source.settled_in_turn)
    }
}

impl User for ContractUser<'_> {
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        Ok(self.next(reply_in(since)))
    }

    fn farewell(&self, since: &[Event]) -> Option<Utterance> {
        reply_in(since).map(|reply| Utterance::extra(self.parting(reply)))
    }
}

/// How a fact is said: a text as it is, anything else as people say it where the task knows how.
fn spoken(fact: &Fact) -> String {
    let value = fact.value.as_str().filter(|text| !text.contains('_')).map(str::to_owned);
    let also = || fact.also.first().cloned();
    let plain = || fact.value.as_str().map_or_else(|| fact.value.to_string(), |text| text.replace('_', " "));
    value.or_else(also).unwrap_or_else(plain)
}

fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}
