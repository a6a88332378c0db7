//! What a reply asks of the contract user: each question for itself, and the facts that they are about.

use std::collections::BTreeSet;

use compact_str::CompactString;
use probity_prose::{WordClass, lexicon::is};

use super::asked::ASKED;
use super::confirmation::{asks_again, asks_for_leave, offers_help, points_back};
use super::contract::{ContractUser, Slot};
use super::kept_text::{questions, words};
use super::recall::{Recall, misheard};
use crate::task::question::Question;

/// Most words of a request without a verb.
const MOST_OF_REQUEST: usize = 8;
/// Between two questions of one sentence.
const AND: &str = " and ";

/// What a reply asks.
pub(super) struct Hearing<'q> {
    pub questions: Vec<Question<'q>>,
    /// Those that ask for its will, each with whether it is about facts.
    pub sorted: Vec<(Question<'q>, bool)>,
    /// What is said of each fact that is held up.
    pub held: Vec<Option<Recall>>,
    /// Its name where that is asked to be right.
    pub named: Option<String>,
    /// Its own values in the place of which others are held up.
    pub misheard: BTreeSet<String>,
    /// The fact among things offered.
    pub chosen: Option<usize>,
    /// The facts that are asked for: those that it has said, and those that it has not.
    pub known: Vec<usize>,
    pub news: Vec<usize>,
}

impl ContractUser<'_> {
    /// What a reply asks, before anything is told, which makes facts known.
    pub(super) fn hear<'q>(&self, reply: &'q str) -> Hearing<'q> {
        let questions = asked_in(reply);
        let named = questions.iter().find_map(|question| self.named_right(question));
        let is_strange = questions.iter().any(|question| self.is_named_strangely(question));
        let is_settled_name = |slot: &Slot| slot.is_name && (named.is_some() || is_strange);
        let held = |slot: &Slot| self.held_up(slot, &questions).filter(|_| !is_settled_name(slot));
        let held: Vec<Option<Recall>> = self.slots.iter().map(held).collect();
        let chosen = self.own_option(&questions);
        // Nothing withheld is told to what no scorer takes for a question.
        let plain = plain_questions(reply);
        let is_asked = |slot: &Slot| {
            let mut asked = if slot.is_said { &questions } else { &plain }.iter();
            asked.any(|question| self.is_asked_for(slot, question) && !self.is_put_to_it(question))
        };
        let slots = (0..).zip(self.slots.iter().zip(&held)).filter(|(at, (slot, held))| {
            held.is_none() && chosen != Some(*at) && !is_settled_name(slot) && is_asked(slot)
        });
        let (known, news): (Vec<_>, Vec<_>) = slots.partition(|(_, (slot, _))| slot.is_said);
        let [known, news] = [known, news].map(|asked| asked.into_iter().map(|(at, _)| at).collect::<Vec<usize>>());
        let misheard = |asked: &Question| {
            misheard(asked, self.said(), self.task.initial().clock()).or_else(|| self.misnamed(asked))
        };
        // One of two that was chosen as a fact is not chosen once more, and nothing is said yes to beside what is wrong.
        let is_settled = |asked: &&Question| {
            let mut held = self.slots.iter().filter_map(|slot| self.held_up(slot, &[**asked]));
            held.any(|held| held != Recall::Same) || misheard(asked).is_some()
        };
        // `Which waybill? Say it again, please.` asks for one thing.
        let of_facts: Vec<bool> = questions.iter().map(|question| self.is_of_facts(question, chosen)).collect();
        let is_echo = |at: usize, asked: &Question| {
            let before = at.checked_sub(1).and_then(|at| of_facts.get(at));
            before == Some(&true) && asks_again(asked.text) && points_back(asked.text)
        };
        let sorted = (0..).zip(&questions).zip(&of_facts).filter(|((_, asked), _)| !is_settled(asked));
        let sorted = sorted.map(|((at, asked), is_of_facts)| (*asked, *is_of_facts || is_echo(at, asked))).collect();
        let misheard: BTreeSet<String> = questions.iter().filter_map(misheard).collect();
        Hearing { sorted, held, named, misheard, chosen, known, news, questions }
    }

    /// Whether a question asks for a fact that it can tell.
    fn is_asked_for(&self, slot: &Slot, question: &Question) -> bool {
        let is_of_user = || words(question.text).iter().any(|word| word == "your");
        let is_of_other = || slot.is_who && self.names_somebody(question.text) && !is_of_user();
        // `Shall I book waybill 602418?` knows it.
        let is_known = || {
            slot.is_said
                && asks_for_leave(question.text)
                && slot.voice.ways.are_in(question.text)
                && !asks_again(question.text)
        };
        self.is_answered(slot) && slot.is_asked_in(question) && !is_of_other() && !is_known()
    }

    /// Whether a question is about facts, or chooses the one that was chosen as a fact.
    fn is_of_facts(&self, question: &Question, chosen: Option<usize>) -> bool {
        let is_strange = self.is_named_strangely(question);
        let is_held = |slot: &Slot| !(is_strange && slot.is_name) && self.held_up(slot, &[*question]).is_some();
        self.slots.iter().any(|slot| self.is_asked_for(slot, question) || is_held(slot))
            || (chosen.is_some() && self.own_option(&[*question]) == chosen)
            || self.named_right(question).is_some()
            || self.own_field(question).is_some()
    }
}

/// What a reply asks, each thing for itself, and what it asks for without a verb: *And your name, please.*
pub(super) fn asked_in(reply: &str) -> Vec<Question<'_>> {
    let mut asked: Vec<Question> = plain_questions(reply).into_iter().flat_map(parts_of).collect();
    let bare = reply.split_inclusive(['.', '!', '?', '\n']).map(str::trim).filter(|text| is_bare_request(text));
    let is_new = |text: &&str| !asked.iter().any(|question| question.text.contains(*text));
    let bare: Vec<&str> = bare.filter(is_new).collect();
    let question = |text| Question { text, before: "", context: "", is_marked: false, is_last: false };
    asked.extend(bare.into_iter().map(question));
    asked
}

/// What a reply asks, but for offers of help.
fn plain_questions(reply: &str) -> Vec<Question<'_>> {
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

/// The questions of one sentence: *What is your name, and when were you born?*
fn parts_of(question: Question<'_>) -> Vec<Question<'_>> {
    let text = question.text;
    let begins = |at: &usize| {
        let behind = text.get(at + AND.len()..).unwrap_or_default();
        let is_apart = text.get(..*at).is_some_and(|before| before.ends_with(','));
        let begins_anew = |word: &str| ASKED.inquires(word) || (is_apart && ASKED.asks(word));
        behind.split(|c: char| !c.is_alphabetic()).next().is_some_and(begins_anew)
    };
    let place = text.match_indices(AND).map(|(at, _)| at).find(begins).filter(|_| question.is_marked);
    let parts = place.and_then(|at| Some((text.get(..at)?, text.get(at + AND.len()..)?)));
    match parts {
        Some((first, second)) => {
            let first = Question { text: first, is_last: false, ..question };
            let second = Question { text: second, before: first.text, ..question };
            std::iter::once(first).chain(parts_of(second)).collect()
        }
        None => vec![question],
    }
}

/// Whether a sentence asks for something without a verb.
fn is_bare_request(text: &str) -> bool {
    let said = words(text);
    let first = said.iter().find(|word| !matches!(word.as_str(), "and" | "also" | "then" | "now"));
    let is_verb = |word: &CompactString| is(WordClass::Helpers, word) || is(WordClass::Modals, word) || word == "is";
    said.len() <= MOST_OF_REQUEST
        && first.is_some_and(|word| matches!(word.as_str(), "your" | "the"))
        && said.iter().any(|word| word == "please")
        && !said.iter().any(is_verb)
}
