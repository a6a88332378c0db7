//! What free text claims: its numbers, days, times, ids and names; the rest of it is free.

use crate::knowledge::Knowledge;
use probity_prose::date::days_at;
use probity_prose::quantity::{quantity_at, small_number};
use probity_prose::time::time_at;
use probity_prose::token::tokens;
use probity_prose::{Days, Minutes, Shape, Token, Unit, WordClass, lexicon::is};

/// Most words of a heading.
const MAX_HEADING: usize = 16;

#[derive(Clone, Debug)]
enum Value {
    Days(Days),
    /// A time of day, in each way to read it.
    Times(Vec<Minutes>),
    Number,
    /// Letters with digits; some are numbers with a unit.
    Id,
    /// What has the look of a date and is none.
    NoDate,
    /// A capitalised word inside a sentence.
    Name,
}

/// The claims of a free text, as written, with whether they are grounded.
pub(crate) fn claims(text: &str, knowledge: &Knowledge) -> Vec<(String, bool)> {
    let tokens = tokens(text);
    let mut claims = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match value_at(&tokens, at, knowledge) {
            Some((taken, value)) => {
                claims.push((written(&tokens, at, taken), is_known(&tokens, at, taken, &value, knowledge)));
                at += taken.max(1);
            }
            None => at += 1,
        }
    }
    claims
}

fn written(tokens: &[Token], at: usize, taken: usize) -> String {
    let mut text = String::new();
    for (offset, token) in tokens.iter().skip(at).take(taken.max(1)).enumerate() {
        if offset > 0 {
            text.push_str(&token.gap);
        }
        text.push_str(&token.raw);
    }
    text
}

fn has_digit(tokens: &[Token], at: usize, taken: usize) -> bool {
    tokens.iter().skip(at).take(taken).any(|token| token.shape != Shape::Word)
}

/// Whether some of the tokens of a value start with a capital: *fifteenth of September*.
fn has_capital(tokens: &[Token], at: usize, taken: usize) -> bool {
    tokens.iter().skip(at).take(taken).any(Token::is_capitalised)
}

/// *ten percent*, *three hundred euros*, *ninety seconds*: a number in words with a unit that nothing but a number has.
fn in_words(tokens: &[Token], at: usize) -> Option<(usize, Value)> {
    let is_number = small_number(&tokens.get(at)?.folded).is_some_and(|number| number > 1);
    let (taken, quantity) = quantity_at(tokens, at).filter(|_| is_number)?;
    let is_measured =
        matches!(quantity.unit, Some(Unit::Money | Unit::Cents | Unit::Percent | Unit::Second | Unit::Minute));
    is_measured.then_some((taken, Value::Number))
}

/// Whether some tokens write a time that cannot be meant otherwise: `23:30`, `half past eleven`.
fn is_clock(tokens: &[Token], at: usize, taken: usize) -> bool {
    let past = |token: &Token| matches!(token.folded.as_str(), "past" | "to");
    has_digit(tokens, at, taken) || (taken > 2 && tokens.iter().skip(at).take(taken).any(past))
}

/// The value that starts at a token, with the tokens it takes.
fn value_at(tokens: &[Token], at: usize, knowledge: &Knowledge) -> Option<(usize, Value)> {
    let token = tokens.get(at)?;
    if let Some(days) = days_at(tokens, at, &knowledge.calendar)
        .filter(|days| has_digit(tokens, at, days.taken) || has_capital(tokens, at, days.taken))
    {
        return Some((days.taken, Value::Days(days)));
    }
    if let Some((taken, _)) = quantity_at(tokens, at).filter(|(taken, quantity)| {
        // `2 h 40 min` is a length and not an hour of the day.
        let rest = quantity_at(tokens, at + taken).map(|(_, rest)| rest.unit);
        quantity.unit == Some(Unit::Hour) && rest == Some(Some(Unit::Minute))
    }) {
        return Some((taken, Value::Number));
    }
    if let Some((taken, times)) = time_at(tokens, at).filter(|(taken, _)| is_clock(tokens, at, *taken)) {
        return Some((taken, Value::Times(times)));
    }
    let taken = || quantity_at(tokens, at).map_or(1, |(taken, _)| taken);
    match token.shape {
        Shape::Number => Some((taken(), Value::Number)),
        Shape::Mixed => Some((taken(), Value::Id)),
        Shape::IsoDate => Some((1, Value::NoDate)),
        Shape::Word => in_words(tokens, at).or_else(|| is_name(tokens, at).then_some((1, Value::Name))),
    }
}

/// Whether the value of the tokens is known or follows from what is known.
fn is_known(tokens: &[Token], at: usize, taken: usize, value: &Value, knowledge: &Knowledge) -> bool {
    let has_word = |token: &Token| knowledge.has_word(&token.folded);
    let counted = || taken == 1 && is_known_number(tokens, at, knowledge);
    let is_first = |known: fn(&Knowledge, &str) -> bool| tokens.get(at).is_some_and(|t| known(knowledge, &t.folded));
    match value {
        Value::Days(days) => {
            let as_words = || tokens.iter().skip(at).take(taken).all(has_word);
            let named =
                days.months.iter().any(|month| knowledge.sources.iter().any(|source| source.months.contains(month)));
            named || knowledge.has_any_date(&days.dates) || as_words() || counted()
        }
        Value::Times(times) => knowledge.has_any_time(times) || counted(),
        Value::Number | Value::Id => is_known_number(tokens, at, knowledge),
        Value::NoDate => is_first(Knowledge::has_word),
        Value::Name => is_first(Knowledge::has_form_of),
    }
}
/// Whether a number or an id is known: as a word, or as a quantity in any of its forms.
fn is_known_number(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let ordinal = token.folded.trim_end_matches(|c: char| c.is_alphabetic());
    let is_ordinal = matches!(token.folded.strip_prefix(ordinal), Some("st" | "nd" | "rd" | "th"));
    let whole = probity_prose::Amount::written(ordinal).filter(|_| is_ordinal);
    knowledge.has_word(&token.folded)
        || knowledge.has_score(&token.folded)
        || whole.is_some_and(|value| knowledge.has_amount(value, None))
        || quantity_at(tokens, at)
            .is_some_and(|(_, quantity)| quantity.forms().any(|form| knowledge.has_amount(form.value, form.unit)))
}

/// A capitalised word inside a sentence; acronyms and headings are no names.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let is_acronym = token.raw.chars().all(char::is_uppercase);
    let is_title = is(WordClass::Titles, &token.folded);
    token.is_capitalised() && !token.starts && !is_acronym && !is_title && !is_in_heading(tokens, at)
}

/// Whether the word stands in a run of capitals that starts a line and ends in a colon: `Late Arrival: ..`.
fn is_in_heading(tokens: &[Token], at: usize) -> bool {
    let mut rest = tokens.iter().skip(at).take(MAX_HEADING).take_while(|token| token.is_capitalised());
    let end = rest.find(|token| token.after.starts_with(':'));
    let before = tokens.get(..at).unwrap_or_default().iter().rev().take(MAX_HEADING);
    let start = before.take_while(|token| token.is_capitalised()).any(|token| token.starts);
    end.is_some() && start
}
