//! What a question says of a fact that it holds up to the user: its value, or another in its place.

use compact_str::CompactString;

use super::confirmation::shared_of;
use super::kept_text::{clauses, sentences_of, values, words};
use crate::model::task_file::Fact;
use crate::task::question::{FactPhrases, Question};
use crate::task::ways_to_say as ways;
use probity_prose::{WordClass, lexicon::is};

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
        None => values(&text, now).held_against(&ways(fact).map(|way| values(&way, now)).collect::<Vec<_>>()),
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

/// The numbers of a text, each without what parts its figures.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+');
    // `26DE48510773` is one, `ORG-2718` and `4402 7719 0356` as well.
    let is_id = |word: &&str| word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit());
    let ids = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(is_id);
    let ids = ids.map(|id| id.replace('-', "").to_ascii_lowercase());
    text.split(move |c| !is_part(c)).map(digits).filter(|number| !number.is_empty()).chain(ids)
}
