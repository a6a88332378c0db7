//! The parts of a question that offers several things at once: *Shall I move you, charge the fee and order a taxi?*

use super::answer::Answer;
use super::choice::offers_things;
use super::confirmation::{begins_question, is_usual, is_write, named, verb};
use super::contract::ContractUser;
use super::manner::Line;
use super::sibling::is_kept;
use super::utterance::Values;
use super::wish::Owned;
use crate::task::question::Question;
use probity_engine::Environment;
use probity_prose::{Mark, Sentence, WordClass, lexicon::is, sentence::sentences, token::words};

/// Longest part that is said back, in words.
const MAX_SAID: usize = 12;

/// How the user stands to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Wanted,
    Unwanted,
    /// Words do not tell.
    Open,
}

impl<'a> ContractUser<'a> {
    /// Yes to what it wants of a question that offers more than that: the parts by name where it can name them.
    /// Nothing where it wants all or none of it.
    pub(super) fn part_of(&self, question: &Question) -> Option<Answer<'a>> {
        if offers_things(question) {
            return None;
        }
        let parts = parts(question.text, self.task.environment());
        let known = [&self.own(), self.heard.as_str(), question.context].join("\n");
        let mut standing: Vec<Standing> = parts.iter().map(|part| self.standing(part, &parts, &known)).collect();
        // *The stays of 26 June and 7 August*, where the user spoke of the first alone.
        let is_foreign = |at: usize| parts.get(at).is_some_and(|part| self.is_foreign_value(part));
        for at in (1..parts.len()).filter(|at| is_foreign(*at)) {
            let is_after_own = parts.get(at - 1).is_some_and(|before| self.ends_in_own_value(before));
            if let Some(one) = standing.get_mut(at).filter(|_| is_after_own) {
                *one = Standing::Unwanted;
            }
        }
        if !standing.contains(&Standing::Unwanted) || standing.iter().all(|one| *one == Standing::Unwanted) {
            return None;
        }
        let kept = parts.iter().zip(&standing).filter(|(_, standing)| **standing != Standing::Unwanted);
        let said: Option<Vec<String>> = kept.map(|(part, standing)| self.said_back(part, *standing)).collect();
        Some(said.map_or(Answer::Line(Line::InPart), |said| Answer::Part(said.join(" and "))))
    }

    fn standing(&self, part: &str, all: &[String], known: &str) -> Standing {
        let environment = self.task.environment();
        let tools = named(part, environment);
        let own = self.is_its_own(part);
        let is_needy = tools.iter().any(|tool| tool.confirm || tool.irreversible);
        let is_named_elsewhere = || {
            let others = all.iter().filter(|other| *other != part && self.is_its_own(other) > Owned::Not);
            others.flat_map(|other| named(other, environment)).any(|tool| tools.iter().any(|own| own.name == tool.name))
        };
        // What the user has spoken of, with what it has been told of it.
        let is_known = || own > Owned::Not && self.is_within(part, known) == Owned::Whole;
        match tools.iter().any(|tool| self.wants(tool)) {
            _ if is_kept(part) => Standing::Open,
            _ if self.own_instead(part, &tools).is_some() => Standing::Unwanted,
            true if own == Owned::Not && is_named_elsewhere() => Standing::Unwanted,
            true if is_known() => Standing::Wanted,
            true => Standing::Open,
            false if is_needy || (ends(part) && !ends(&self.own())) => Standing::Unwanted,
            false if own == Owned::Not && tells_thing(part) => Standing::Unwanted,
            false if tells_thing(part) && is_known() => Standing::Wanted,
            false => Standing::Open,
        }
    }

    /// Whether a part is but a day or an id of which the user has not spoken.
    fn is_foreign_value(&self, part: &str) -> bool {
        let now = self.task.initial().clock();
        begins_with_value(part) && Values::read(part, now).missing_from(&Values::read(&self.own(), now)).is_some()
    }

    /// Whether all that a part tells of days and ids is the user's own, and there is such.
    fn ends_in_own_value(&self, part: &str) -> bool {
        let now = self.task.initial().clock();
        let told = Values::read(part, now);
        part.contains(|c: char| c.is_ascii_digit()) && told.missing_from(&Values::read(&self.own(), now)).is_none()
    }

    /// A part in the user's mouth; none of what it has not told yet.
    fn said_back(&self, part: &str, standing: Standing) -> Option<String> {
        let is_secret = self.slots.iter().any(|slot| !slot.is_said && slot.voice.ways.are_in(part));
        let said = turned(part);
        (standing == Standing::Wanted && !is_secret && said.split(' ').count() <= MAX_SAID).then_some(said)
    }
}

/// Whether words are about ending or removing something.
pub(super) fn ends(text: &str) -> bool {
    words(text).iter().any(|word| is(WordClass::Endings, word))
}

/// *7 August*, *B0061*: what begins with figures, or has some in its first word.
fn begins_with_value(part: &str) -> bool {
    part.split_whitespace().next().is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()))
}

/// Whether words tell a thing by a word of their own.
fn tells_thing(part: &str) -> bool {
    let tells = |word: &str| word.chars().count() > 3 && word.chars().all(char::is_alphabetic);
    words(part).iter().any(|word| tells(word) && !is(WordClass::Common, word) && !is_usual(word))
}

/// What a question asks leave for, piece by piece; nothing when it asks none, or for one thing.
fn parts(question: &str, environment: &Environment) -> Vec<String> {
    let sentence = sentences(question).into_iter().next().unwrap_or_default();
    let Some(start) = start_of_deed(&sentence) else { return Vec::new() };
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    let (mut from, mut at) = (start, start + 1);
    let end = sentence.words.len();
    while at < end {
        let next = after_joint(&sentence, at);
        let is_over = next.is_some_and(|next| begins_question(sentence.word(next)));
        let begins = |next: &usize| is_over || begins_part(&sentence, *next, environment);
        if let Some(next) = next.filter(begins) {
            pieces.push((from, at));
            from = if is_over { end } else { next };
            at = from.max(at);
        }
        at += 1;
    }
    if from < end {
        pieces.push((from, end));
    }
    let text = |(from, to): &(usize, usize)| {
        let (from, to) = sentence.span(*from, *to);
        question.chars().skip(from).take(to.saturating_sub(from)).collect::<String>()
    };
    if pieces.len() > 1 { pieces.iter().map(text).collect() } else { Vec::new() }
}

/// A piece of a question in the mouth of the one who is asked, where it is short and offers something plainly.
pub(super) fn said_back(piece: &str) -> Option<String> {
    let sentence = sentences(piece).into_iter().next()?;
    let (from, to) = sentence.span(start_of_deed(&sentence).unwrap_or(0), sentence.words.len());
    let plain: String = piece.chars().skip(from).take(to.saturating_sub(from)).collect();
    let said = turned(plain.trim_start_matches("rather "));
    let count = said.split(' ').count();
    let is_plain = !words(&said).iter().any(|word| matches!(word.as_str(), "i" | "you" | "do" | "would" | "me"));
    (!said.is_empty() && is_plain && count <= MAX_SAID).then_some(said)
}

/// Behind all words that ask for leave or for a wish: *do you want me to*.
fn start_of_deed(sentence: &Sentence) -> Option<usize> {
    let first = (0..sentence.words.len()).find_map(|at| after_lead(sentence, at))?;
    Some(std::iter::successors(Some(first), |at| after_lead(sentence, *at)).last().unwrap_or(first))
}

/// Where a deed begins whose leave is asked for from `at` on: behind *shall I*, *want me to*, *your yes to*.
fn after_lead(sentence: &Sentence, at: usize) -> Option<usize> {
    let word = |more: usize| sentence.word(at + more);
    match (word(0), word(1), word(2)) {
        ("shall" | "should" | "may" | "can" | "could", "i" | "we", _) => Some(at + 2),
        ("me" | "us", "to", _) | ("you", "want" | "like" | "prefer" | "wish", _) => Some(at + 2),
        ("you", "rather" | "still", _) => Some(at + 2),
        ("yes" | "consent" | "approval" | "agreement" | "leave" | "permission", "to" | "for", _) => Some(at + 2),
        ("go", "ahead", "and") => Some(at + 3),
        _ => None,
    }
}

/// Behind what joins two parts at `at`: *and*, *and then also*, *and may I*, a comma; nothing where nothing does.
fn after_joint(sentence: &Sentence, at: usize) -> Option<usize> {
    let is_filler = |at: &usize| matches!(sentence.word(*at), "and" | "plus" | "then" | "also" | "besides");
    let joins = matches!(sentence.word(at), "and" | "plus") || sentence.mark(at) == Mark::Comma;
    let behind = (at..sentence.words.len()).find(|at| !is_filler(at)).filter(|_| joins)?;
    // Each may be asked for with words of its own.
    Some(after_lead(sentence, behind).unwrap_or(behind))
}

/// Whether something that is offered begins with a word: a tool's verb, another with what it is done to, or a thing.
fn begins_part(sentence: &Sentence, at: usize, environment: &Environment) -> bool {
    let first = sentence.word(at);
    let is_named = sentence.words.get(at).is_some_and(|word| word.is_particular);
    let is_verb = environment.tools().iter().any(|tool| is_write(tool) && verb(tool) == first);
    let is_plain = |word: &str| {
        let is_small = is(WordClass::ObjectStarts, word) || is(WordClass::Helpers, word);
        !is_named && word.chars().count() > 2 && !is_small && !is(WordClass::Negations, word)
    };
    let is_article =
        matches!(sentence.word(at + 1), "the" | "a" | "an" | "your" | "his" | "their" | "another" | "more");
    let is_person = matches!(sentence.word(at + 1), "you" | "it" | "that" | "this" | "them" | "him" | "her");
    let has_object = is_article || is_person || sentence.words.get(at + 1).is_some_and(|word| word.is_particular);
    let is_listed = sentence.mark(at) == Mark::Comma;
    let is_value = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    is_verb
        || (is_plain(first) && has_object)
        || (!is_listed && matches!(first, "the" | "a" | "an" | "your"))
        || (!is_listed && is_value(first))
}

/// A part in the mouth of the one who is asked: *charge your card* is *charge my card*.
fn turned(part: &str) -> String {
    let turn = |word: &str| {
        let own = match word.to_lowercase().as_str() {
            "you" => "me",
            "your" => "my",
            "yours" => "mine",
            "yourself" => "myself",
            "my" => "your",
            "me" => "you",
            _ => word,
        };
        own.to_owned()
    };
    let is_end =
        |word: &&str| !matches!(word.to_lowercase().as_str(), "so" | "which" | "because" | "since" | "if" | "when");
    let plain = part.split([',', ';', ':', '(', '–', '—', '?', '!']).next().unwrap_or_default();
    let mut said: Vec<String> = plain.split_whitespace().take_while(is_end).map(turn).collect();
    while said
        .last()
        .is_some_and(|word| matches!(word.as_str(), "too" | "also" | "now" | "please" | "then" | "well" | "as"))
    {
        said.pop();
    }
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_parted_where_another_thing_begins() {
        let suite = crate::suite::Suite::load(std::path::Path::new("../../.."));
        let hotel = suite.tasks.values().find(|loaded| loaded.task.id().ends_with("/late_move")).unwrap();
        let of = |question: &str| parts(question, hotel.task.environment()).join(" | ");
        for (question, expected) in [
            (
                "Shall I move you to 209, charge the fee and order you a taxi?",
                "move you to 209 | charge the fee | order you a taxi",
            ),
            ("May I charge it and also add a voucher, and is that right?", "charge it | add a voucher"),
            ("May I charge the fee and raise his bill?", "charge the fee | raise his bill"),
            ("Shall I charge the fee, and may I cancel B0061?", "charge the fee | cancel B0061"),
            ("Do I have your yes to the fee and the spa?", "the fee | the spa"),
            ("Shall I cancel the stays of 26 June and 7 August?", "cancel the stays of 26 June | 7 August"),
            ("Is it the sea and the garden?", ""),
            ("Shall I charge the fee, and which day suits you?", ""),
        ] {
            assert_eq!(of(question), expected, "{question}");
        }
    }

    #[test]
    fn a_part_is_said_back_by_the_one_who_is_asked() {
        assert_eq!(turned("charge your card 15.00 EUR now"), "charge my card 15.00 EUR");
        assert_eq!(turned("send you the note, so that you have it"), "send me the note");
    }
}
