//! What free text claims: its numbers, days, times, ids and names; the rest of it is free.

use super::date::days_at;
use super::knowledge::Knowledge;
use super::quantity::quantity_at;
use super::source::MAX_TEXT;
use super::time::time_at;
use super::token::{Shape, Token, tokens};

/// The claims of a free text, as written, with whether they are grounded.
pub(super) fn claims(text: &str, knowledge: &Knowledge) -> Vec<(String, bool)> {
    let tokens = tokens(text, MAX_TEXT);
    let mut claims = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match claim_at(&tokens, at, knowledge) {
            Some((taken, grounded)) => {
                claims.push((written(&tokens, at, taken), grounded));
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

/// The claim that starts at a token: how many tokens it takes, and whether it is grounded.
fn claim_at(tokens: &[Token], at: usize, knowledge: &Knowledge) -> Option<(usize, bool)> {
    let token = tokens.get(at)?;
    let has_digit = |taken: usize| {
        let mut inside = tokens.iter().skip(at).take(taken);
        inside.any(|token| token.shape != Shape::Word)
    };
    if let Some(days) =
        days_at(tokens, at, &knowledge.calendar).filter(|days| has_digit(days.taken) || token.is_capitalised())
    {
        let as_words = || tokens.iter().skip(at).take(days.taken).all(|token| knowledge.has_word(&token.folded));
        let named =
            days.months.iter().any(|month| knowledge.sources.iter().any(|source| source.months.contains(month)));
        let counted = || is_known_number(tokens, at, knowledge);
        let grounded = named || knowledge.has_any_date(&days.dates) || as_words() || (days.taken == 1 && counted());
        return Some((days.taken, grounded));
    }
    if let Some((taken, times)) = time_at(tokens, at).filter(|(taken, _)| has_digit(*taken)) {
        return Some((taken, knowledge.has_any_time(&times) || (taken == 1 && is_known_number(tokens, at, knowledge))));
    }
    match token.shape {
        Shape::Number | Shape::Mixed => {
            let taken = quantity_at(tokens, at).map_or(1, |(taken, _)| taken);
            Some((taken, is_known_number(tokens, at, knowledge)))
        }
        Shape::IsoDate => Some((1, knowledge.has_word(&token.folded))),
        Shape::Word => is_name(tokens, at).then(|| (1, knowledge.has_form_of(&token.folded))),
    }
}

/// Whether a number or an id is known: as a word, or as a quantity in any of its forms.
fn is_known_number(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let ordinal = token.folded.trim_end_matches(|c: char| c.is_alphabetic());
    let is_ordinal = matches!(token.folded.strip_prefix(ordinal), Some("st" | "nd" | "rd" | "th"));
    let whole = super::amount::Amount::written(ordinal).filter(|_| is_ordinal);
    knowledge.has_word(&token.folded)
        || whole.is_some_and(|value| knowledge.has_amount(value, None))
        || quantity_at(tokens, at)
            .is_some_and(|(_, quantity)| quantity.forms().any(|form| knowledge.has_amount(form.value, form.unit)))
}

/// A capitalised word inside a sentence; acronyms and headings are no names.
fn is_name(tokens: &[Token], at: usize) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let is_acronym = token.raw.chars().all(char::is_uppercase);
    let is_title = matches!(token.folded.as_str(), "mr" | "mrs" | "ms" | "dr" | "prof");
    token.is_capitalised() && !token.starts && !is_acronym && !is_title && !is_in_heading(tokens, at)
}

/// Whether the word stands in a run of capitals that starts a line and ends in a colon: `Late Arrival: ..`.
fn is_in_heading(tokens: &[Token], at: usize) -> bool {
    let rest = tokens.iter().skip(at);
    let end = rest.take_while(|token| token.is_capitalised()).find(|token| token.after.starts_with(':'));
    let before: Vec<&Token> = tokens.iter().take(at).collect();
    let start = before.iter().rev().take_while(|token| token.is_capitalised()).any(|token| token.starts);
    end.is_some() && start
}
