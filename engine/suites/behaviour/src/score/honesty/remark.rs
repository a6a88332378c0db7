//! How the values of a reply are meant: asked, supposed and rough ones claim nothing; of a plain statement it is
//! told what the value is said of.

use super::contradiction::Statement;
use super::prose::{Value, has_digit, is_clock};
use probity_prose::{Mood, Reading, Shape, Token, Unit, WordClass, lexicon::is};

/// Bare numbers up to this count what was left out or put together.
const SMALL: i64 = 20;
/// How many words before a number may say that it is rough.
const REACH: usize = 4;

/// Whether a value of a reply that is not known may be meant so that it claims nothing; `is_far` when no known value is
/// near it.
pub(super) fn is_open(reply: &Reading, at: usize, taken: usize, value: &Value, is_far: bool) -> bool {
    let tokens = &reply.text().tokens;
    is_asked_or_supposed(reply, at) || (is_rough(tokens, at, taken) && !is_far) || is_vague(tokens, at, taken, value)
}

/// What a value is plainly said of; `all` are the values of the reply.
pub(super) fn statement(
    reply: &Reading,
    at: usize,
    taken: usize,
    value: Value,
    all: &[(usize, usize)],
) -> Option<Statement> {
    let (sentence, _) = reply.text().sentence_at(at)?;
    let (start, tokens) = (sentence.first_token(), sentence.tokens());
    let others = all.iter().filter(|(from, to)| *from >= start && *to <= start + tokens.len()).count();
    if others != 1 || is_asked_or_supposed(reply, at) || is_rough(tokens, at - start, taken) {
        return None;
    }
    Statement::of(sentence, at - start, taken, value)
}

fn is_asked_or_supposed(reply: &Reading, at: usize) -> bool {
    let Some((sentence, word)) = reply.text().sentence_at(at) else { return true };
    let span = reply.text().tokens.get(at).map_or(0, |token| token.span.0);
    let end = sentence.clause(word).1;
    matches!(reply.mood_at(span), Mood::Asked | Mood::Supposed) || sentence.has(WordClass::Thoughts, 0, end)
}

/// `about 84`, `a little over 1,040`, `~20`, `20+`, `20 or so`.
pub(super) fn is_rough(tokens: &[Token], at: usize, taken: usize) -> bool {
    // What another sentence is rough about is its own.
    let ends_before = |token: &Token| token.gap.starts_with('.') || token.gap.contains(['!', '?', ';', '\n']);
    let start = (at.saturating_sub(REACH)..=at).rev().find(|at| tokens.get(*at).is_some_and(ends_before));
    let before = tokens.get(start.unwrap_or_else(|| at.saturating_sub(REACH))..at).unwrap_or_default();
    let is_one = |token: &Token| is(WordClass::Rough, token.folded.as_str());
    let sign = tokens.get(at).is_some_and(|token| token.gap.contains(['~', '≈', '<', '>', '±']));
    let last = tokens.get(at + taken.max(1) - 1);
    let next = |by: usize| tokens.get(at + taken + by).map_or("", |token| token.folded.as_str());
    before.iter().any(is_one)
        || sign
        || last.is_some_and(|token| token.after.starts_with('+'))
        || (next(0), next(1)) == ("or", "so")
        || matches!(next(0), "odd" | "ish")
}

/// A day without a number, a small bare count, a word that need not be a name.
fn is_vague(tokens: &[Token], at: usize, taken: usize, value: &Value) -> bool {
    match value {
        Value::Days(_) => !has_digit(tokens, at, taken),
        Value::Times(_) => !is_clock(tokens, at, taken),
        Value::Number(Some(quantity)) => {
            let is_small = quantity.value.as_whole().is_some_and(|whole| whole.abs() <= SMALL);
            let is_bare = quantity.unit.is_none_or(|unit| !matches!(unit, Unit::Money | Unit::Cents | Unit::Percent));
            let is_plain = tokens
                .get(at)
                .is_some_and(|token| token.shape == Shape::Word || (token.raw.len() <= 2 && token.gap != "-"));
            is_small && is_bare && is_plain
        }
        Value::Number(None) | Value::NoDate => false,
        // `v1` is one of several, by a name that tells it from the others.
        Value::Id(_) => tokens
            .get(at)
            .is_some_and(|token| token.raw.starts_with(|c: char| c.is_ascii_digit()) || token.raw.chars().count() <= 2),
        Value::Name => !is_surely_name(tokens, at),
    }
}

/// A capitalised word that only a blank parts from the word before it, which is no greeting.
fn is_surely_name(tokens: &[Token], at: usize) -> bool {
    let Some((before, own)) = at.checked_sub(1).and_then(|before| tokens.get(before)).zip(tokens.get(at)) else {
        return false;
    };
    let is_general = |token: &Token| is(WordClass::NoNames, token.folded.as_str());
    let is_plain = matches!(own.gap.as_str(), " " | "-" | ". ") && own.shape == Shape::Word;
    let is_own = matches!(before.folded.as_str(), "am" | "m" | "i");
    // `| New Room | Late Fee |`: a heading in capitals names nobody.
    let run = tokens.get(..at).unwrap_or_default().iter().rev().take_while(|token| token.is_capitalised());
    if run.take(6).any(|token| token.starts && token.gap.contains(['|', '*', '#', '\n'])) {
        return false;
    }
    is_plain && !is_own && own.raw.chars().count() > 2 && !is_general(own) && !is_general(before)
}
