//! What the contract user objects to: another value than its own, what was done before its yes, and what it never
//! asked for.

use std::cmp::Ordering;
use std::sync::LazyLock;

use compact_str::CompactString;
use jiff::civil::Date;
use serde::Deserialize;

use super::asked::ASKED;
use super::confirmation::{named, offers_help, speaks_of};
use super::contract::{ContractUser, Slot, capitalised, in_words, is_day, spoken};
use super::hearing::{number, numbers};
use super::kept_text::{KeptText, clauses, kept, questions, sentences, sentences_of, values, whole_words, words};
use super::manner::Line;
use super::told::{ToldChange, deeds, is_made_with, is_of_another, is_of_the_past, is_told_otherwise, offers};
use super::utterance::Values;
use crate::model::task_file::Fact;
use crate::task::question::Question;
use probity_prose::token::name_words;
use probity_prose::{Calendar, MONTHS, Sentence, Vocabulary, WordClass, lexicon::is};

/// Most figures of a long number that are other where it is miswritten.
const MOST_WRONG: usize = 2;

/// What tells of a favour; the vocabulary says what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FavourCue {
    Gift,
    Giving,
}

static CUES: LazyLock<Vocabulary<FavourCue>> = LazyLock::new(|| Vocabulary::of("favour"));

impl<'a> ContractUser<'a> {
    /// What it says against what a reply tells.
    pub(super) fn object(&mut self, reply: &str, is_before_turn: bool) -> Vec<String> {
        let deeds = deeds(reply, self.task);
        let mut said = self.object_to_values(&deeds, reply);
        said.extend(self.object_to_deeds(&deeds, is_before_turn));
        if self.promises_more(reply) && !self.objected.has_promise {
            self.objected.has_promise = true;
            said.push(self.line(Line::Unasked));
        }
        said
    }

    /// Says its wish again, once, where something is told as done, or announced, of another record than its own.
    pub(super) fn object_to_records(&mut self, reply: &str) -> Option<String> {
        let now = self.task.initial().clock();
        let questions = questions(reply);
        let is_asked = |deed: &ToldChange| questions.iter().any(|question| question.text.contains(&deed.clause));
        let announced = offers(reply, self.task).into_iter().filter(|deed| !is_asked(deed));
        let mut done = deeds(reply, self.task).into_iter().filter(|deed| !is_of_the_past(&deed.clause, now));
        let is_other = |deed: ToldChange| self.is_of_sibling(&deed.clause, deed.tool);
        if self.objected.has_sibling || !(done.any(is_other) || announced.into_iter().any(is_other)) {
            return None;
        }
        self.objected.has_sibling = true;
        self.told.clear();
        let line = self.line(Line::Unasked);
        Some(std::iter::once(line).chain(self.wish_again("")).collect::<Vec<_>>().join(" "))
    }

    /// Says of each value of its own with which something was done otherwise, once, what it had said.
    fn object_to_values(&mut self, deeds: &[ToldChange], reply: &str) -> Vec<String> {
        let wrong = self.told_otherwise(deeds, reply, |slot| slot.is_said && !slot.is_objected && !slot.is_judged);
        let object = |at: usize| {
            let slot = self.slots.get_mut(at)?;
            (slot.is_objected, slot.is_done_wrong) = (true, true);
            Some(spoken(slot.fact))
        };
        let values: Vec<String> = wrong.into_iter().filter_map(object).collect();
        values.iter().map(|value| self.line_of(Line::Objection, value)).collect()
    }

    /// Says the same of what is yet to be done, of each value once; not of what its next turn tells in the same breath.
    pub(super) fn correct(&mut self, reply: &str, is_before_turn: bool) -> Vec<String> {
        let offers = offers(reply, self.task);
        let turn = self.upcoming().filter(|_| is_before_turn).map_or("", String::as_str);
        let wrong = self.told_otherwise(&offers, reply, |slot| {
            slot.is_said && !slot.is_corrected && !slot.voice.ways.are_in(turn) && !slot.is_told_in(reply)
        });
        let object = |at: usize| {
            let slot = self.slots.get_mut(at)?;
            slot.is_corrected = true;
            Some(spoken(slot.fact))
        };
        let values: Vec<String> = wrong.into_iter().filter_map(object).collect();
        values.iter().map(|value| self.line_of(Line::Objection, value)).collect()
    }

    /// The facts of these that are told with another value in a deed that is made with them; a day also where it stands in
    /// the sentence that orders the deed, and limits nothing.
    fn told_otherwise(&self, deeds: &[ToldChange], reply: &str, is_open: impl Fn(&Slot) -> bool) -> Vec<usize> {
        let (ordered, now) = (self.ordered, self.task.initial().clock());
        let facts: Vec<&Fact> = self.slots.iter().map(|slot| slot.fact).collect();
        let is_ordered_with = |deed: &ToldChange, slot: &Slot| {
            let is_order = |said: &str| self.speaks_by_name(said, &deed.tool.name) && slot.voice.ways.are_in(said);
            let is_plain = |said: &str| is_order(said) && !ASKED.limiting.are_in(said);
            let mut standing = self.standing().iter();
            !slot.voice.ways.are_in(reply)
                && standing.any(|turn| sentences_of(turn).iter().any(|(said, _)| is_plain(said)))
        };
        let is_wrong = |deed: &ToldChange, slot: &Slot| {
            (is_made_with(&deed.tool.name, slot.fact, ordered, now)
                || (is_day(slot.fact) && is_ordered_with(deed, slot)))
                && is_told_otherwise(deed, slot.fact, now)
                && !is_of_another(&deed.clause, slot.fact, &facts, ordered, now)
        };
        let slots = (0..).zip(&self.slots).filter(|(_, slot)| is_open(slot));
        slots.filter(|(_, slot)| deeds.iter().any(|deed| is_wrong(deed, slot))).map(|(at, _)| at).collect()
    }

    /// Says of what looks like a slip of the pen what it had said: another month for its day, figures that changed
    /// places, another owner of a thing. Each of them once.
    pub(super) fn object_to_slips(&mut self, reply: &str) -> Vec<String> {
        let now = self.task.initial().clock();
        let told = values(&self.held_up_in(reply), now);
        let task = self.task;
        let is_known = |day: Date| task.written().has_day(day);
        let held: Vec<bool> = self.slots.iter().map(|slot| slot.is_said && self.still_holds(slot)).collect();
        let mut wrong = Vec::new();
        for (slot, _) in self.slots.iter_mut().zip(held).filter(|(slot, held)| *held && !slot.is_corrected) {
            if !slot.is_told_in(reply)
                && (is_slip(&told, slot.fact, is_known, now) || is_slip_of_number(reply, slot.fact))
            {
                slot.is_corrected = true;
                wrong.push(set_right(slot.fact));
            }
        }
        let mut said: Vec<String> = wrong.into_iter().map(|(lines, value)| self.line_of(lines, &value)).collect();
        if said.is_empty() && !self.objected.has_month {
            let month = slip_of_month(&told, self.said(), is_known, now);
            self.objected.has_month = month.is_some();
            said.extend(month.map(|month| self.line_of(Line::Objection, &month)));
        }
        let is_asking = questions(reply).iter().any(|question| question.is_marked && !offers_help(question.text));
        let is_open = is_asking && said.is_empty();
        let name = if is_open { slip_of_name(reply, self.said(), &task.written().names) } else { None };
        if let Some(name) = name.filter(|name| !self.objected.names.contains(name)) {
            said.push(self.line_of(Line::Objection, &name));
            self.objected.names.push(name);
        }
        let clauses = clauses(reply);
        let done = clauses.iter().filter(|clause| !named(clause, self.task).is_empty());
        let done: Vec<&str> = done.map(String::as_str).collect();
        let owned =
            slip_of_owner(reply, &done.join(" "), self.said()).filter(|owned| !self.objected.owned.contains(owned));
        if let Some(owned) = owned {
            said.push(self.line_of(Line::Objection, &owned));
            self.objected.owned.push(owned);
        }
        said
    }

    /// What a reply asks about, with what a bare *is that right?* stands behind, and what it tells as done.
    fn held_up_in(&self, reply: &str) -> String {
        let is_bare = |text: &str| !text.contains(|c: char| c.is_ascii_digit());
        let asked = questions(reply).into_iter().filter(|question| question.is_marked && !offers_help(question.text));
        let asked = asked.flat_map(|Question { text, before, .. }| [if is_bare(text) { before } else { "" }, text]);
        let mut held: Vec<String> = asked.map(str::to_owned).collect();
        held.extend(deeds(reply, self.task).into_iter().map(|deed| deed.clause));
        held.join("\n")
    }

    /// Says of what the agent says it did itself that there was no yes to it, or no word of it at all.
    fn object_to_deeds(&mut self, deeds: &[ToldChange<'a>], is_before_turn: bool) -> Vec<String> {
        let mut said = Vec::new();
        let now = self.task.initial().clock();
        for deed in deeds.iter().filter(|deed| deed.is_own && !is_of_the_past(&deed.clause, now)) {
            let name = deed.tool.name.as_str();
            let line = match deed.tool.confirm || deed.tool.irreversible {
                _ if self.objected.tools.contains(&name) => None,
                true if self.is_wanted_by_now(name) => None,
                true if is_before_turn && self.agrees_next(name) && !self.is_against(&deed.clause) => {
                    Some(Line::LateYes)
                }
                true => Some(Line::NoYes),
                false if !self.is_known(name) && names_object(deed) => Some(Line::Unasked),
                false if is_before_turn && self.agrees_only_next(deed) => Some(Line::LateYes),
                _ => None,
            };
            if let Some(line) = line.filter(|line| !said.contains(line)) {
                self.objected.tools.push(name);
                said.push(line);
            }
        }
        said.into_iter().map(|lines| self.line(lines)).collect()
    }

    /// Whether words tell a value in the place of one of its turns, said or next.
    fn is_against(&self, text: &str) -> bool {
        let now = self.task.initial().clock();
        let turns = self.behaviour.turns.get(..=self.turns_said).unwrap_or(&self.behaviour.turns);
        values(text, now).contradicts(&values(&turns.join("\n"), now))
    }

    /// Whether a call was agreed to or ordered in the turns said so far.
    pub(super) fn is_wanted_by_now(&self, tool: &str) -> bool {
        let by_now = |turn: u32| turn as usize <= self.turns_said;
        let is_agreed = |(turn, call): &(u32, _)| {
            let call: &probity_engine::Pattern = call;
            by_now(*turn) && call.source.tool == tool
        };
        let calls = self.ordered.iter().zip(&self.behaviour.segments);
        let is_ordered = calls.filter(|(_, turn)| by_now(**turn)).any(|(call, _)| call.is_by(tool));
        // What an oracle orders without a yes needs none.
        let needs_yes = self.behaviour.consents.iter().any(|(_, call)| call.source.tool == tool);
        self.behaviour.consents.iter().any(is_agreed) || (is_ordered && !needs_yes)
    }

    fn agrees_next(&self, tool: &str) -> bool {
        let next = self.turns_said + 1;
        self.behaviour.consents.iter().any(|(turn, call)| *turn as usize == next && call.source.tool == tool)
    }

    /// Whether the next turn is the first to speak of a deed, and orders it.
    fn agrees_only_next(&self, deed: &ToldChange) -> bool {
        let next = u32::try_from(self.turns_said + 1).unwrap_or(u32::MAX);
        let mut calls = self.ordered.iter().zip(&self.behaviour.segments);
        let is_next = calls.any(|(call, turn)| *turn == next && call.tool == deed.tool.name);
        let says = |turn: &String| speaks_of(turn, &[deed.tool], "", self.task);
        is_next && self.upcoming().is_some_and(says) && !self.said().iter().any(says)
    }

    /// Whether a call is part of any way to do the task.
    fn is_known(&self, tool: &str) -> bool {
        let mut calls = self.task.outcomes().iter().flat_map(|outcome| &outcome.oracle);
        calls.any(|call| call.is_by(tool))
    }

    /// Whether a reply promises a favour of which neither the user nor the desk has said a word.
    fn promises_more(&self, reply: &str) -> bool {
        let sentences = sentences(reply);
        let text = |sentence: &Sentence| {
            let (from, to) = sentence.span(0, sentence.words.len());
            reply.chars().skip(from).take(to.saturating_sub(from)).collect::<String>()
        };
        let is_plain = |sentence: &&Sentence| {
            let is_open = |word: &str| is(WordClass::Negations, word) || is(WordClass::Conditions, word);
            !sentence.is_question && !sentence.range(0, sentence.words.len()).any(is_open)
        };
        sentences.iter().filter(is_plain).any(|sentence| {
            let words = whole_words(&text(sentence));
            let heard = CUES.heard(&words);
            let is_unknown = |gift: &str| !self.has_heard_of(gift);
            let mut gifts = heard.iter().filter(|mention| *mention.list == FavourCue::Gift);
            heard.has(FavourCue::Giving) && gifts.any(|mention| is_unknown(mention.phrase))
        })
    }

    /// Whether the user's turns, or the desk's rules and tools, have a word for it.
    fn has_heard_of(&self, gift: &str) -> bool {
        let stem = |word: &str| word.chars().take(6).collect::<String>();
        let gift: Vec<String> = words(gift).iter().map(|word| stem(word)).collect();
        let has = |text: &str| {
            let words: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
            gift.iter().all(|part| words.contains(part))
        };
        let file = self.task.environment().file();
        self.behaviour.turns.iter().any(|turn| has(turn))
            || file.policy.iter().filter_map(|entry| entry.rule()).any(|rule| has(&rule.rule))
            || self.task.environment().tools().iter().any(|tool| has(&tool.description))
    }
}

/// Whether a text tells, in the place of a fact, what differs from it as a slip does and stands nowhere else.
pub(super) fn is_slip(told: &Values, fact: &Fact, is_known: impl Fn(Date) -> bool, now: i64) -> bool {
    let text = fact.value.as_str().map_or_else(|| fact.value.to_string(), str::to_owned);
    match text.parse::<Date>() {
        Ok(day) => {
            told.single_days().any(|other| other.day() == day.day() && other.month() != day.month() && !is_known(other))
        }
        Err(_) => told.has_swapped_figures(&values(&text, now)),
    }
}

/// Whether a text tells, in the place of a long number, one as long of which a figure or two are others.
fn is_slip_of_number(reply: &str, fact: &Fact) -> bool {
    let Some(own) = number(fact) else { return false };
    let is_near = |told: &String| {
        told.len() == own.len()
            && (1..=MOST_WRONG).contains(&told.chars().zip(own.chars()).filter(|(a, b)| a != b).count())
    };
    numbers(reply).any(|told| is_near(&told))
}

/// The only month that the user named, where a text tells a day of another month and there is that day in its own.
pub(super) fn slip_of_month(
    told: &Values,
    said: &[String],
    is_known: impl Fn(Date) -> bool,
    now: i64,
) -> Option<String> {
    let said = words(&said.join("\n"));
    let mut named =
        (1..).zip(MONTHS.iter()).filter(|(_, month)| **month != "may" && said.iter().any(|word| word == month));
    let (number, month) = named.next().filter(|_| named.next().is_none())?;
    let today = Calendar::at(now).today;
    let is_slip = |day: Date| {
        let own = day.with().month(number).build();
        let is_own = own.is_ok_and(|own| own != day && is_known(own));
        is_own && day != today && !is_known(day)
    };
    told.single_days().any(is_slip).then(|| capitalised(month))
}

/// Sets right what slipped: a day as the user said it where that has a month, else by its month.
fn set_right(fact: &Fact) -> (Line, String) {
    let day = fact.value.as_str().and_then(|text| text.parse::<Date>().ok());
    let Some(day) = day else { return (Line::Objection, spoken(fact)) };
    let has_month = |way: &&String| MONTHS.iter().any(|month| way.to_lowercase().contains(month));
    match fact.also.iter().find(has_month) {
        Some(way) => (Line::Objection, way.clone()),
        None => (Line::Wrong, in_words(day)),
    }
}

/// A name that the user said, where a reply has in its place another that there is, longer or shorter by one word or
/// of three words with one exchanged: *Ashdale Income Growth Fund* for *Ashdale Income Fund*.
pub(super) fn slip_of_name(reply: &str, said: &[String], names: &[(String, Vec<CompactString>)]) -> Option<String> {
    let (reply, said) = (kept(reply), kept(&said.join("\n")));
    let has = |text: &KeptText, name: &[CompactString]| text.has_run(name);
    let told: Vec<&Vec<CompactString>> =
        names.iter().map(|(_, name)| name).filter(|name| has(&reply, name) && !has(&said, name)).collect();
    let is_slip = |own: &[CompactString]| told.iter().any(|other| is_near(own, other));
    let mut own = names.iter().filter(|(_, name)| has(&said, name) && !has(&reply, name));
    own.find(|(_, name)| is_slip(name)).map(|(name, _)| name.clone())
}

/// Whether two names differ by one word put in or left out, or by one of three.
fn is_near(one: &[CompactString], other: &[CompactString]) -> bool {
    let without = |long: &[CompactString], short: &[CompactString]| {
        (0..long.len()).any(|out| {
            let kept = long.iter().enumerate().filter(|(at, _)| *at != out).map(|(_, word)| word);
            kept.eq(short.iter())
        })
    };
    match one.len().cmp(&other.len()) {
        Ordering::Equal => one.len() > 2 && one.iter().zip(other).filter(|(one, other)| one != other).count() == 1,
        Ordering::Less => one.len() + 1 == other.len() && without(other, one),
        Ordering::Greater => other.len() > 1 && other.len() + 1 == one.len() && without(one, other),
    }
}

/// A thing with the owner that the user gave it, where what a reply does is told of that of another: *Bea's laptop*.
pub(super) fn slip_of_owner(reply: &str, done: &str, said: &[String]) -> Option<String> {
    let own: Vec<(String, String)> = said.iter().flat_map(|turn| owned(turn)).collect();
    let told = owned(reply);
    owned(done).iter().find_map(|(owner, thing)| {
        let mut owners = own.iter().filter(|(_, other)| other == thing).map(|(owner, _)| owner);
        let first = owners.next()?;
        let is_one = owners.all(|other| other == first);
        let is_told = told.iter().any(|(other, of)| other == first && of == thing);
        let is_heard = said.iter().any(|turn| words(turn).iter().any(|word| *word == words(owner).join(" ")));
        (is_one && !is_told && !is_heard && owner != first).then(|| format!("{first}'s {thing}"))
    })
}

/// What is told to be somebody's by name: *Bram's laptop*.
fn owned(text: &str) -> Vec<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pair = |pair: &[&str]| {
        let [owner, thing] = pair else { return None };
        let name = owner.strip_suffix("'s").or_else(|| owner.strip_suffix("’s"))?;
        let thing = thing.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is_name = name.chars().next().is_some_and(char::is_uppercase) && name.chars().all(char::is_alphanumeric);
        (is_name && !thing.is_empty()).then(|| (name.to_owned(), thing))
    };
    words.windows(2).filter_map(pair).collect()
}

/// Whether a clause has a word for what the tool works on: *a note* for `add_note`.
fn names_object(deed: &ToldChange) -> bool {
    let said = words(&deed.clause);
    name_words(&deed.tool.name).iter().skip(1).any(|part| said.iter().any(|word| word.trim_end_matches('s') == part))
}
