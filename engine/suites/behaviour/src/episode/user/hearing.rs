//! What a reply asks of the contract user: each question for itself, the facts that they are about, and what of its own
//! words it asks for again.

use std::collections::BTreeSet;

use compact_str::CompactString;

use super::asked::ASKED;
use super::confirmation::{asks_again, asks_for_leave, offers_help, offers_things, points_back, shared_of};
use super::contract::{ContractUser, Slot};
use super::kept_text::{clauses, questions, sentences_of, values, words};
use crate::model::task_file::Fact;
use crate::task::question::{FactPhrases, Question};
use probity_prose::{WordClass, lexicon::is};

/// Most words of a request without a verb.
const MOST_OF_REQUEST: usize = 8;
/// Between two questions of one sentence.
const AND: &str = " and ";

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
        let begins_anew = |word: &str| ASKED.inquires(word) || (is_apart && ASKED.asking.has(word));
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

/// Fewest digits of a number that stands for one thing alone, such as that of an account.
const NUMBER: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recall {
    /// The fact's value, in any spelling.
    Same,
    Other,
    /// The fact's value or another: *Is it 0356 or 0365?*
    Either,
}

/// What a question says of a fact, if it asks whether that is right: *Is 4402 7719 0356 right?*
///
/// The fact must be meant for certain: it is asked for by a cue, is a long number, or is who the user is and named. A guess at the user's wishes
/// (*Is tomorrow right for you?*) is no matter of facts.
pub(super) fn recall(question: &Question, voice: &FactPhrases, fact: &Fact, is_who: bool, now: i64) -> Option<Recall> {
    let asked = clauses(question.text);
    (0..).zip(asked.iter()).find_map(|(at, clause)| {
        let (is_cued, number) = (voice.cues.are_in(clause), number(fact));
        let is_meant = is_cued || number.is_some() || (is_who && voice.ways.are_in(&affirmed(clause)));
        if !question.is_marked || !is_check(clause) || !is_meant {
            return None;
        }
        let held = |text: &String| held(text, fact, now);
        // `Plumbing is 4402 7719 0356, is that right?` is about the last that is told.
        let told = asked.iter().take(at).rev();
        let told = std::iter::once(clause).chain(told).map(held).find(|held| !held.is_empty()).unwrap_or_default();
        let words = words(clause);
        let is_either = words
            .windows(2)
            .any(|pair| matches!(pair, [or, other] if or == "or" && !matches!(other.as_str(), "no" | "not")));
        let says = || voice.ways.are_in(&affirmed(clause));
        match (told.first(), told.iter().all(|is_own| told.first() == Some(is_own))) {
            (Some(_), is_one) if is_either && (!is_one || told == [true]) => Some(Recall::Either),
            (Some(true), true) => Some(Recall::Same),
            (Some(is_own), _) => Some(if *is_own { Recall::Same } else { Recall::Other }),
            (None, _) if says() => Some(if is_either { Recall::Either } else { Recall::Same }),
            // `Does the account number end in 0356?`
            (None, _) if number.as_ref().is_some_and(|number| numbers(clause).any(|end| is_end_of(&end, number))) => {
                Some(Recall::Same)
            }
            (None, _) => {
                let least = if number.is_some() { NUMBER } else { 1 };
                (is_cued && digits(clause).len() >= least).then_some(Recall::Other)
            }
        }
    })
}

/// The user's own value, as it wrote it, where a question asks whether another in its place is right: *the fare of 27
/// September, right?* of one of 24 September. What it asks about shares a word with what the user said of it.
pub(super) fn misheard(question: &Question, said: &[String], now: i64) -> Option<String> {
    if question.is_choice() {
        return None;
    }
    let all = values(&said.join("\n"), now);
    let suits = |clause: &String| {
        let words = words(clause);
        words.windows(2).any(|pair| matches!(pair, [to, you] if you == "you" && (to == "for" || to == "with")))
    };
    let asks = |clause: &String| question.is_marked && is_check(clause) && !suits(clause);
    if !clauses(question.text).iter().any(asks) {
        return None;
    }
    // `You leave on Tuesday the 23rd. Right day?` is about what stands before it.
    let is_bare = !question.text.contains(|c: char| c.is_ascii_digit());
    let asked = [if is_bare { question.before } else { "" }, question.text].join(" ");
    let whole = values(&affirmed(&asked), now);
    clauses(&asked).iter().find_map(|clause| {
        let told = values(&affirmed(clause), now);
        said.iter().rev().find_map(|turn| {
            let own = sentences_of(turn);
            let mut own = own.iter().filter(|(own, _)| shared_of(own, clause).0 > 0);
            own.find_map(|(own, _)| told.misheard(&values(own, now), &all, &whole).map(str::to_owned))
        })
    })
}

/// Whether figures are the last of a number, and enough to tell it by.
fn is_end_of(figures: &str, number: &str) -> bool {
    figures.len() + 1 >= NUMBER && number.ends_with(figures)
}

/// What a text tells in the place of a fact, in order: whether each is its value.
fn held(text: &str, fact: &Fact, now: i64) -> Vec<bool> {
    let text = affirmed(text);
    match number(fact) {
        Some(number) => numbers(&text).filter(|told| told.len() == number.len()).map(|told| told == number).collect(),
        None => values(&text, now).held_against(&fact.ways().map(|way| values(&way, now)).collect::<Vec<_>>()),
    }
}

/// The words of a text but for those that it denies: *4402, and not 4420*, *400 instead of 350*.
pub(super) fn affirmed(text: &str) -> String {
    let mut is_denied = false;
    let mut before = String::new();
    let mut kept = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        is_denied = plain != "but" && (is_denied || is(WordClass::Negations, &plain) || plain == "instead");
        // `Callum in place of Danny`.
        is_denied |= matches!((before.as_str(), plain.as_str()), ("in", "place") | ("rather", "than"));
        before = plain;
        if !is_denied {
            kept.push_str(word);
        }
        is_denied &= !word.trim_end().ends_with([',', ';', '.', '?', '!']);
    }
    kept
}

/// *Is it ..*, *Did you say ..*, *.., right?* and nothing that the agent would do.
fn is_check(clause: &str) -> bool {
    let words = words(clause);
    let mut start = words.iter().skip_while(|word| matches!(word.as_str(), "and" | "so" | "but" | "then"));
    let first = start.next().map_or("", CompactString::as_str);
    let holds = words.iter().any(|word| word == "right" || word == "correct");
    // `Did I get it right?`, but not `Is it fine if I send it?`
    let is_heard = first == "did" || first == "have";
    (is(WordClass::Checks, first) || is_heard || holds)
        && (is_heard || !words.iter().any(|word| is(WordClass::OwnDeeds, word)))
}

/// The figures of a fact that is one long number, with its letters: *440277190356*, *555-0187*, *26DE48510773*.
pub(super) fn number(fact: &Fact) -> Option<String> {
    let text = fact.value.as_str()?;
    let is_number = text.chars().all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+'));
    let is_id = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_day = text.parse::<jiff::civil::Date>().is_ok();
    Some(text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()).filter(
        |number: &String| {
            let is_long =
                digits(text).len() >= NUMBER || (is_id && number.len() >= NUMBER + 2 && digits(text).len() > 2);
            (is_number || is_id) && !is_day && is_long
        },
    )
}

pub(super) fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

pub(super) fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+');
    // `26DE48510773` is one, `ORG-2718` and `4402 7719 0356` as well.
    let is_id = |word: &&str| word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit());
    let ids = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(is_id);
    let ids = ids.map(|id| id.replace('-', "").to_ascii_lowercase());
    text.split(move |c| !is_part(c)).map(digits).filter(|number| !number.is_empty()).chain(ids)
}
