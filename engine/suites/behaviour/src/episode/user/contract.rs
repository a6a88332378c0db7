//! The contract user: a finite automaton that holds the facts and says each only when it is asked for.
//!
//! It plays the turns of the task in order. When a reply asks something that the next turn does not answer, it
//! answers beside the script, at most three times in an episode, and goes on. Nothing in it is random, and all its words
//! are its own: its turns, its facts and the lines of `manner`. What is asked of the facts is read in `recall`, what is
//! asked of the user's will in `confirmation`; how it takes that stands in `decision`, what it wants in `wish`, and what it
//! objects to in `objection`.

use std::collections::BTreeSet;

use compact_str::CompactString;
use jiff::civil::Date;

use super::asked::{ASKED, denies};
use super::confirmation::{asks_again, asks_for_anything, asks_who, named, offers_help, offers_things};
use super::decision::Decision;
use super::manner::{Line, Manner};
use super::objection::Objected;
use super::recall::{Recall, digits, misheard, number, recall};
use super::told::{ToldChange, deeds, ways};
use super::utterance::{Values, capitalised as capitalised_words};
use super::wish::sentences_of;
use super::{User, UserFault, Utterance};
use crate::model::task_file::Fact;
use crate::model::variant::Variant;
use crate::task::question::{FactPhrases, Question, questions};
use crate::task::{Behaviour, OracleCall, Task};
use probity_bench::{Event, MAX_EXTRA_REPLIES, Step, StepOutcome, reply_in};
use probity_engine::{Stream, Tool};
use probity_prose::{MONTHS, token::words};
use serde_json::Value;

/// As many as all wordings of each kind have in common, so that each may come first.
const FIRST_LINES: u64 = 12;
/// Most words before the value of a thing offered: *or to the sea*.
const MOST_BEFORE_OPTION: usize = 2;

/// A user who answers from what the task says, and nothing else.
#[derive(Clone)]
pub struct ContractUser<'a> {
    pub(super) task: &'a Task,
    pub(super) behaviour: &'a Behaviour,
    pub(super) ordered: &'a [OracleCall],
    pub(super) manner: &'static Manner,
    pub(super) slots: Vec<Slot<'a>>,
    pub(super) turns_said: usize,
    extras: usize,
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
    pub(super) told: Vec<&'a str>,
    /// Whether it has said its wish again since its last turn.
    pub(super) is_wish_told: bool,
    /// Names of the calls that it said no to.
    pub(super) refused: Vec<&'a str>,
    pub(super) objected: Objected<'a>,
}

#[derive(Clone)]
pub(super) struct Slot<'a> {
    pub(super) fact: &'a Fact,
    pub(super) voice: &'a FactPhrases,
    is_withheld: bool,
    /// Whether people are known by it.
    pub(super) is_who: bool,
    pub(super) is_said: bool,
    is_repeated: bool,
    /// Whether it has objected to another value that was offered, and to one that was done.
    pub(super) is_corrected: bool,
    pub(super) is_objected: bool,
    /// Whether it has said of the last reply whether its value is right.
    pub(super) is_judged: bool,
}

impl Slot<'_> {
    /// Whether a reply tells its value, among others or not, or it has just been said whether that is right.
    pub(super) fn is_told_in(&self, reply: &str) -> bool {
        let has_number = |number: String| digits(reply).contains(&number);
        self.is_judged || self.voice.ways.are_in(reply) || number(self.fact).is_some_and(has_number)
    }

    fn is_asked_in(&self, question: &Question) -> bool {
        if self.is_who && self.is_said && asks_who(question.text) {
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
        let slot = |voice: &'a FactPhrases| {
            let is_withheld = behaviour.withheld.contains(&voice.name);
            let fact = task.file().facts.get(&voice.name)?;
            Some(Slot {
                fact,
                voice,
                is_withheld,
                is_who: is_of_identity(task, fact),
                is_said: false,
                is_repeated: false,
                is_corrected: false,
                is_objected: false,
                is_judged: false,
            })
        };
        let slots = task.voices().iter().filter_map(slot).collect();
        let ordered = task.oracle_outcome(variant).map_or(&[][..], |outcome| &outcome.oracle);
        let manner = Manner::of(variant);
        let drawn = Stream::new(0, "manner", &format!("{}/{variant}", task.id())).below(FIRST_LINES);
        let first_line = usize::try_from(drawn).unwrap_or_default();
        let (refused, objected) = (Vec::new(), Objected::default());
        let (turns_said, extras, is_switching) = (0, 0, variant == Variant::GoalSwitching);
        let (used, heard, pressed) = (Vec::new(), String::new(), 0);
        Some(ContractUser {
            task,
            behaviour,
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
            told: Vec::new(),
            is_wish_told: false,
            refused,
            objected,
        })
    }

    /// What it says next; nothing ends the dialogue.
    pub fn next(&mut self, reply: Option<&str>) -> Option<Utterance> {
        reply.into_iter().for_each(|reply| self.believe(reply));
        let answered = reply.filter(|_| self.extras < MAX_EXTRA_REPLIES);
        let (mut facts, mut decision) = answered.map_or((Vec::new(), Decision::Turn), |reply| self.answer(reply));
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
            facts.extend(self.object(reply, is_turn && !is_held).into_iter().chain(offered));
        }
        if decision == Decision::Turn && is_asked && reply.is_some_and(|reply| self.lacks_price(reply)) {
            facts.push(self.line(Line::Price));
            decision = Decision::Nothing;
        }
        if reply.is_some_and(|reply| self.is_asked_for_anything(reply)) {
            facts.push(self.line(Line::Blanket));
            decision = if answered.is_some() { Decision::Nothing } else { Decision::Turn };
        }
        // Before it goes it has said once more what it still wants.
        let is_last_word = self.extras + 1 == MAX_EXTRA_REPLIES && self.upcoming().is_none() && !self.is_wish_told;
        if is_last_word && decision == Decision::Nothing && !facts.is_empty() && self.wish("").is_some() {
            decision = Decision::Wish;
        }
        let is_silent = decision == Decision::Turn || (decision == Decision::Nothing && facts.is_empty());
        let utterance = match is_silent {
            false => {
                let said = self.say(decision, reply.unwrap_or_default());
                facts.extend(Some(said).filter(|said| !said.is_empty()));
                Utterance::extra(facts.join(" "))
            }
            true => {
                let is_done = !is_asked && reply.is_some_and(|reply| self.is_told_before(reply));
                let turn = self.upcoming()?;
                let turn = if is_done { self.line(Line::Done) } else { turn.clone() };
                self.turns_said += 1;
                self.is_wish_told = false;
                Utterance::scripted([facts, vec![turn]].concat().join(" "))
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

    pub(super) fn upcoming(&self) -> Option<&'a String> {
        self.behaviour.turns.get(self.turns_said)
    }

    /// Whether its next turn says yes to something.
    fn agrees_in_next(&self) -> bool {
        self.behaviour.consents.iter().any(|(turn, _)| *turn as usize == self.turns_said + 1)
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

    /// What it tells of the facts after a reply, and how it takes the rest.
    ///
    /// After *Is 4402 7719 0356 right, and shall I pay 350?* that the number is right, and the turn that says yes.
    fn answer(&mut self, reply: &str) -> (Vec<String>, Decision<'a>) {
        self.slots.iter_mut().for_each(|slot| slot.is_judged = false);
        let questions = asked_in(reply);
        if questions.is_empty() {
            return (Vec::new(), Decision::Nothing);
        }
        let held: Vec<Option<Recall>> = self.slots.iter().map(|slot| self.held_up(slot, &questions)).collect();
        let chosen = self.own_option(&questions);
        let is_over = self.upcoming().is_none() && self.wish("").is_none();
        let is_asked_in = |slot: &Slot, question: &Question| self.is_asked_for(slot, question, is_over);
        let is_of_fact = |slot: &Slot, question: &Question| is_asked_in(slot, question) && !self.is_put_to_it(question);
        let is_asked = |slot: &Slot| questions.iter().any(|question| is_of_fact(slot, question));
        let open =
            |at: usize, slot: &Slot, held: &Option<Recall>| held.is_none() && chosen != Some(at) && is_asked(slot);
        let slots = (0..).zip(self.slots.iter().zip(&held));
        let mut asked: Vec<usize> =
            slots.filter(|(at, (slot, held))| open(*at, slot, held)).map(|(at, _)| at).collect();
        let is_news = asked.iter().any(|at| self.slots.get(*at).is_some_and(|slot| !slot.is_said));
        // Settled before anything is told, which makes facts known.
        let is_of_facts = |question: &Question| {
            let is_held = |slot: &Slot| self.held_up(slot, &[*question]).is_some();
            self.slots.iter().any(|slot| is_asked_in(slot, question) || is_held(slot))
                || chosen.is_some_and(|_| self.own_option(&[*question]) == chosen)
        };
        let misheard = |asked: &Question| {
            misheard(asked, self.said(), self.task.initial().clock()).or_else(|| self.misnamed(asked))
        };
        // One of two that was chosen as a fact is not chosen once more, and nothing is said yes to beside what is wrong.
        let is_settled = |asked: &&Question| {
            let mut held = self.slots.iter().filter_map(|slot| self.held_up(slot, &[**asked]));
            held.any(|held| held != Recall::Same) || misheard(asked).is_some()
        };
        let sorted = questions.iter().filter(|asked| !is_settled(asked));
        let sorted: Vec<(Question, bool)> = sorted.map(|asked| (*asked, is_of_facts(asked))).collect();
        let misheard: BTreeSet<String> = questions.iter().filter_map(misheard).collect();
        let is_wrong = held.contains(&Some(Recall::Other)) || !misheard.is_empty();
        let mut facts = self.judge(&held);
        let unsaid = misheard.into_iter().filter(|own| !facts.iter().any(|fact| fact.contains(own.as_str())));
        let unsaid: Vec<String> = unsaid.collect();
        facts.extend(unsaid.iter().map(|own| self.line_of(Line::Wrong, own)));
        // A yes waits until what is wrong has been put right, and none stands beside it.
        let held_back = |decision: Decision<'a>| match decision {
            Decision::Turn if is_wrong && self.agrees_in_next() => Decision::Nothing,
            Decision::Said(_) if is_wrong && self.wish("").is_some() => Decision::Wish,
            Decision::Said(_) if is_wrong => Decision::Nothing,
            decision => decision,
        };
        let (mut decision, turn) = (held_back(self.take(&sorted)), held_back(Decision::Turn));
        // The next turn chooses for itself.
        facts.extend(chosen.filter(|_| decision != Decision::Turn).and_then(|at| self.choose(at)));
        let is_again = questions.iter().any(|question| asks_again(question.text));
        if !is_again && matches!(decision, Decision::Nothing | Decision::Closing | Decision::Wish) {
            let kept = self.not_in_wish(&asked, reply);
            if kept.len() < asked.len() {
                (asked, decision) = (kept, Decision::Wish);
            }
        }
        let told = if is_news { self.tell(&asked) } else { Some(Vec::new()).filter(|_| !self.settles_next()) };
        let Some(told) = told else { return (facts, turn) };
        facts.extend(told);
        let is_due = if is_again { !is_news } else { facts.is_empty() && decision != Decision::Turn };
        if is_due && !asked.is_empty() {
            facts.push(self.repeat(&asked));
        }
        (facts, decision)
    }

    /// Whether a question asks for a fact that it can tell; of what is done nobody asks again but by *again*.
    fn is_asked_for(&self, slot: &Slot, question: &Question, is_over: bool) -> bool {
        let is_old = is_over && slot.is_said && !slot.is_who && !asks_again(question.text);
        self.is_answered(slot) && slot.is_asked_in(question) && !is_old
    }

    fn choose(&mut self, at: usize) -> Option<String> {
        let own = spoken(self.slots.get(at)?.fact);
        Some(capitalised(&self.line_of(Line::Choice, &own)))
    }

    /// Which of its facts are not said with its wish, which tells them together with the rest.
    fn not_in_wish(&self, asked: &[usize], reply: &str) -> Vec<usize> {
        let wish = self.wish(reply).unwrap_or_default();
        let is_in_wish = |at: &usize| {
            let slot = self.slots.get(*at);
            slot.is_some_and(|slot| slot.is_said && !slot.is_who && slot.voice.ways.are_in(&wish))
        };
        asked.iter().copied().filter(|at| !is_in_wish(at)).collect()
    }

    /// Whether it has an answer to what asks for a fact: what a later turn says is not told before it.
    fn is_answered(&self, slot: &Slot) -> bool {
        let is_next = || self.upcoming().is_some_and(|turn| slot.voice.ways.are_in(turn));
        slot.is_said || slot.is_withheld || self.is_own_and_silent(slot) || is_next()
    }

    /// The one of its facts that questions offer to choose, as it stands: *the sea, or the garden?*
    fn own_option(&self, questions: &[Question]) -> Option<usize> {
        let is_plain =
            |question: &&Question| offers_things(question) && named(question.text, self.task.environment()).is_empty();
        let ends_with = |(at, piece): (usize, &str), slot: &Slot| {
            let said = words(piece);
            // *Monday* may be another Monday.
            let is_told =
                |way: &String| !way.is_empty() && (!is_day(slot.fact) || way.contains(|c: char| c.is_ascii_digit()));
            ways(slot.fact).filter(is_told).any(|way| {
                let way = words(&way);
                said.ends_with(&way) && (at == 0 || said.len() <= way.len() + MOST_BEFORE_OPTION)
            })
        };
        let is_open = self.upcoming().is_some() || self.wish("").is_some();
        let is_offered = |slot: &Slot| {
            let pieces = |question: &Question| -> Vec<(usize, String)> {
                let pieces = question.text.split(" or ").map(|piece| piece.trim_end_matches([',', '?']).to_owned());
                pieces.enumerate().collect()
            };
            let mut pieces = questions.iter().filter(is_plain).flat_map(pieces);
            is_open && slot.is_said && self.still_holds(slot) && pieces.any(|(at, piece)| ends_with((at, &piece), slot))
        };
        let mut offered = (0..).zip(&self.slots).filter(|(_, slot)| is_offered(slot)).map(|(at, _)| at);
        offered.next().filter(|_| offered.next().is_none())
    }

    /// Its name, where a question has another in its place: *Is your name Bob?*
    fn misnamed(&self, question: &Question) -> Option<String> {
        let said = question.text;
        let (before, name) = said.split_once(" name ").filter(|_| question.is_marked)?;
        let is_own = before.split_once("your").is_some_and(|(is, _)| words(is).last().is_some_and(|word| word == "is"));
        let name = name.strip_prefix("is ").unwrap_or(name).split([',', ';']).next().unwrap_or_default();
        let names: Vec<String> = capitalised_words(name).collect();
        let known: Vec<String> = self.said().iter().flat_map(|turn| capitalised_words(turn)).collect();
        let is_other = !names.is_empty() && !names.iter().any(|name| known.contains(name));
        let is_name = |slot: &&Slot| {
            slot.is_who && slot.is_said && spoken(slot.fact).chars().all(|c| c.is_alphabetic() || c == ' ')
        };
        let mut own: Vec<(bool, String)> = self
            .slots
            .iter()
            .filter(is_name)
            .map(|slot| (ASKED.is_of_family(&slot.voice.name), spoken(slot.fact)))
            .collect();
        own.sort();
        let own = own.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ");
        (is_own && is_other && !own.is_empty()).then_some(own)
    }

    /// What questions say of a fact that was said; of a withheld one only that they have it right.
    fn held_up(&self, slot: &Slot, questions: &[Question]) -> Option<Recall> {
        let now = self.task.initial().clock();
        let recalled = questions.iter().find_map(|question| recall(question, slot.voice, slot.fact, now));
        recalled.filter(|recall| slot.is_said || (slot.is_withheld && *recall == Recall::Same))
    }

    /// Says of each fact that is held up whether it is right.
    fn judge(&mut self, held: &[Option<Recall>]) -> Vec<String> {
        let judge = |(slot, held): (&mut Slot, &Option<Recall>)| {
            slot.is_judged = held.is_some();
            slot.is_said |= slot.is_judged;
            let lines = match held.as_ref()? {
                Recall::Same => Line::Right,
                Recall::Other => Line::Wrong,
                Recall::Either => Line::Choice,
            };
            Some((lines, spoken(slot.fact)))
        };
        let mut judged: Vec<(Line, String)> = self.slots.iter_mut().zip(held).filter_map(judge).collect();
        // Beside what is wrong nothing is confirmed.
        if judged.iter().any(|(line, _)| *line == Line::Wrong) {
            judged.retain(|(line, _)| *line != Line::Right);
        }
        judged.into_iter().map(|(lines, value)| self.line_of(lines, &value)).collect()
    }

    /// Reveals what was withheld; nothing when the next turn tells it.
    fn tell(&mut self, asked: &[usize]) -> Option<Vec<String>> {
        let slots = || asked.iter().filter_map(|at| self.slots.get(*at)).filter(|slot| !slot.is_said);
        let turn = self.upcoming().map_or("", String::as_str);
        if slots().all(|slot| slot.voice.ways.are_in(turn)) {
            return None;
        }
        let is_in_turn = slots().any(|slot| slot.voice.ways.are_in(turn));
        let is_told = |slot: &Slot| !slot.is_said && (slot.is_withheld || self.is_own_and_silent(slot));
        let told: Vec<usize> = asked.iter().copied().filter(|at| self.slots.get(*at).is_some_and(is_told)).collect();
        let mut values = Vec::new();
        for at in told {
            if let Some(slot) = self.slots.get_mut(at) {
                slot.is_said = true;
                values.push(spoken(slot.fact));
            }
        }
        match values.is_empty() {
            false => Some(vec![self.line_of(Line::Reveal, &values.join(", and "))]),
            true if is_in_turn => None,
            true => Some(Vec::new()),
        }
    }

    /// Whether a fact is as true as when it was said: who has changed its mind keeps to who it is, and to what it says
    /// after that.
    pub(super) fn still_holds(&self, slot: &Slot) -> bool {
        let has_switched = self.is_switching && self.turns_said > 1;
        let is_said_since = || self.said().last().is_some_and(|turn| slot.voice.ways.are_in(turn));
        !has_switched || is_said_since() || slot.is_who
    }

    /// Whether a fact is who somebody is, and no turn says it: *And your birth date?* is answered all the same.
    fn is_own_and_silent(&self, slot: &Slot) -> bool {
        !self.behaviour.turns.iter().any(|turn| slot.voice.ways.are_in(turn)) && slot.is_who
    }

    /// Says once more what has been said; after that it only says that it has.
    fn repeat(&mut self, asked: &[usize]) -> String {
        let mut values = Vec::new();
        for at in asked {
            let holds = self.slots.get(*at).is_some_and(|slot| self.still_holds(slot));
            if let Some(slot) = self.slots.get_mut(*at).filter(|slot| holds && !slot.is_repeated) {
                (slot.is_repeated, slot.is_judged) = (true, true);
                values.push(spoken(slot.fact));
            }
        }
        match values.is_empty() {
            true => self.line(Line::Told),
            false => self.line_of(Line::Repeat, &values.join(", and ")),
        }
    }

    /// How it takes its leave after the last reply.
    fn parting(&self, reply: &str) -> &'static str {
        let questions = questions(reply);
        let is_open = |question: &Question| question.is_marked && !offers_help(question.text);
        let line = match (questions.iter().any(is_open), questions.iter().any(|question| offers_help(question.text))) {
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

/// What a reply asks, but for offers of help.
fn asked_in(reply: &str) -> Vec<Question<'_>> {
    let mut questions = questions(reply);
    // `If you tell me that it is fine, I do it` asks for nothing.
    let is_told = |words: &[CompactString]| matches!(words, [tell, _, that] if tell == "tell" && that == "that");
    let is_request = |question: &Question| {
        let words = words(question.text);
        question.is_marked || words.first().is_none_or(|word| word != "if") || !words.windows(3).any(is_told)
    };
    questions.retain(|question| !offers_help(question.text) && is_request(question));
    questions
}

/// Whether somebody's record has a fact among what people are known by.
fn is_of_identity(task: &Task, fact: &Fact) -> bool {
    let environment = task.environment();
    let Some(people) = &environment.file().conduct.people else { return false };
    let Some(slot) = environment.shape().index(&people.collection) else { return false };
    let mut all = task.initial().entities(slot);
    all.any(|(_, person)| people.known_by.iter().flatten().any(|field| person.get(field) == Some(&fact.value)))
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

fn is_day(fact: &Fact) -> bool {
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
