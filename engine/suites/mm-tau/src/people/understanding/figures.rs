//! Values in an agent's message: amounts of money, in cents (`$1,204.50`, `12 dollars`, `ninety-nine dollars`, `USD 40`),
//! amounts of data, numbers that are read back, names. Money of another country is an amount that is never right, and so
//! is a share of something.

use std::sync::LazyLock;

use compact_str::CompactString;
use serde::Deserialize;

use super::words::{Cue, heard, words};
use crate::measures::{FieldKind, canonical};
use probity_prose::quantity::{quantity_at, small_number};
use probity_prose::{
    Amount, Mark, Quantity, Sentence, Shape, Text, Token, Unit, Vocabulary, WordClass, lexicon::is, token::fold,
};

/// An amount of foreign money, a share, or one that is not said in full: `thousands of dollars`.
pub(super) const NEVER: u64 = u64::MAX;
/// So many words before an amount stands what denies it.
const DENIAL: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MoneyWord {
    /// Before an amount that is not the right one.
    Denying,
    /// Behind a negation that denies no amount.
    Bounding,
    /// What a share is of, or what it is: a fee, a discount.
    Charge,
    /// A number that is not said in full.
    Vague,
}

static MONEY: LazyLock<Vocabulary<MoneyWord>> = LazyLock::new(|| Vocabulary::of("money"));

/// Amounts that a message tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// What is told to be so, in cents.
    pub told: Vec<u64>,
    /// What is told not to be so: `certainly not $5`.
    pub denied: Vec<u64>,
}

impl Amounts {
    pub fn is_empty(&self) -> bool {
        self.told.is_empty() && self.denied.is_empty()
    }
}

pub(crate) fn money(text: &str) -> Amounts {
    let text = Text::read(text);
    let mut found = Amounts::default();
    for (at, amount) in amounts(&text) {
        let is_denied = text.sentence_at(at).is_some_and(|(sentence, word)| is_denied(sentence, word));
        let list = if is_denied { &mut found.denied } else { &mut found.told };
        list.push(amount);
    }
    found
}

/// The amounts of a text, each with its first token.
pub(super) fn amounts(text: &Text) -> Vec<(usize, u64)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.tokens.len() {
        let (to, amount) = amount_at(text, at);
        found.extend(amount.map(|amount| (at, amount)));
        at = to;
    }
    found
}

/// Where the amount at a token ends, and what it is; the next token where there is none.
fn amount_at(text: &Text, at: usize) -> (usize, Option<u64>) {
    let tokens = &text.tokens;
    if let Some(taken) = vague_at(tokens, at) {
        return (at + taken, Some(NEVER));
    }
    let Some((taken, quantity)) = quantity_at(tokens, at) else { return (at + 1, None) };
    let to = at + taken;
    let Quantity { value, unit, .. } = quantity;
    // `not a cent` is no amount.
    let is_article = |token: &Token| token.shape == Shape::Word && small_number(&token.folded).is_none();
    let is_number = value != Amount::whole(1) || !tokens.get(at).is_some_and(is_article);
    let amount = match unit {
        _ if !is_number => None,
        // Who is a hundred percent sure that there is no fee charges nothing.
        Some(Unit::Percent) => (value != Amount::whole(100) && is_of_cost(text, at)).then_some(NEVER),
        Some(Unit::Money | Unit::Cents) if is_dollars(tokens, at, to) => {
            value.scaled(100, 1).and_then(|cents| u64::try_from(cents.as_whole()?).ok())
        }
        Some(Unit::Money | Unit::Cents) => Some(NEVER),
        _ => None,
    };
    (to, amount)
}

/// Whether the sentence around a share speaks of a cost: a battery at 80 % costs nothing.
fn is_of_cost(text: &Text, at: usize) -> bool {
    text.sentence_at(at).is_some_and(|(sentence, _)| {
        let words: Vec<CompactString> = sentence.words.iter().map(|word| word.text.clone()).collect();
        MONEY.heard(&words).has(MoneyWord::Charge)
    })
}

/// How many tokens an amount takes that is not said in full: `thousands of dollars`.
fn vague_at(tokens: &[Token], at: usize) -> Option<usize> {
    let words: Vec<CompactString> = tokens.iter().skip(at).take(2).map(|token| token.folded.clone()).collect();
    let taken = MONEY.heard(&words).longest(0).filter(|found| *found.list == MoneyWord::Vague)?.length;
    let unit = tokens.get(at + taken).and_then(|token| Unit::of_word(&token.folded));
    (unit == Some(Unit::Money)).then_some(taken + 1)
}

/// Whether what stands right before an amount takes it back: `not $5`, `anything but $5`; `not more than $5` does not.
fn is_denied(sentence: &Sentence, amount: usize) -> bool {
    let joined = (0..DENIAL.min(amount)).take_while(|back| sentence.mark(amount - back) == Mark::None).count();
    let first = amount - joined;
    let words: Vec<CompactString> = sentence.range(first, amount).map(CompactString::from).collect();
    let said = MONEY.heard(&words);
    let goes_on = |word: &str| {
        is(WordClass::Conjunctions, word) || is(WordClass::Subordinators, word) || matches!(word, "and" | "so" | "that")
    };
    if said.has(MoneyWord::Denying) {
        return true;
    }
    let last = words.iter().rposition(|word| is(WordClass::Negations, word) || goes_on(word));
    last.is_some_and(|at| {
        let is_bound = words.get(at + 1).is_some_and(|next| is(WordClass::Focus, next));
        !words.get(at).is_some_and(|word| goes_on(word)) && !is_bound && !said.begins(at + 1, MoneyWord::Bounding)
    })
}

/// Whether the amount from `at` to before `to` is in dollars: by a sign on either side, or a word.
fn is_dollars(tokens: &[Token], at: usize, to: usize) -> bool {
    let sign = |token: Option<&Token>, gap: fn(&Token) -> &str| token.is_some_and(|token| gap(token).contains('$'));
    let words = tokens.get(at.saturating_sub(1)..to).unwrap_or_default();
    sign(tokens.get(at), |token| token.gap.trim_end().rsplit(' ').next().unwrap_or_default())
        || sign(tokens.get(to - 1), |token| token.after.trim_start().split(' ').next().unwrap_or_default())
        || words.iter().any(|token| is(WordClass::Dollars, &token.folded))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what is too large is the largest")]
pub(crate) fn cents(amount: f64) -> u64 {
    (amount.abs() * 100.0).round() as u64
}

const NUMBER_LENGTHS: std::ops::RangeInclusive<usize> = 9..=11;
/// Lengths that it may have where the sentence says that it is a number.
const NAMED_LENGTHS: std::ops::RangeInclusive<usize> = 5..=14;
/// Most words of a name.
const NAME_WORDS: usize = 3;

pub(super) fn phone_number(written: &str) -> Option<String> {
    let words = words(written);
    let lengths = if heard(&words).has(Cue::Numbers) { NAMED_LENGTHS } else { NUMBER_LENGTHS };
    runs(&words).into_iter().find(|run| lengths.contains(&run.len()))
}

/// The digits of each run of words that are numbers.
fn runs(words: &[CompactString]) -> Vec<String> {
    let mut runs = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    for word in words.iter().map(CompactString::as_str).chain([""]) {
        let is_times = matches!(word, "double" | "triple");
        let digits = canonical(FieldKind::Digits, word);
        if is_times || (!digits.is_empty() && !word.contains('.') && digits == canonical(FieldKind::Id, word)) {
            run.push(word);
        } else if !run.is_empty() {
            runs.push(canonical(FieldKind::Digits, &run.join(" ")));
            run.clear();
        }
    }
    runs
}

/// The name that is repeated: the words that begin with a capital after what leads to it.
pub(crate) fn name(written: &str) -> Option<String> {
    let pieces: Vec<&str> = written.split_whitespace().collect();
    let lower: Vec<CompactString> = pieces.iter().map(|piece| fold(bare(piece))).collect();
    let heard = heard(&lower);
    let leads = heard.iter().filter(|mention| *mention.list == Cue::Named);
    let after = leads.min_by_key(|mention| mention.order).map(|mention| mention.at + mention.length)?;
    let is_name =
        |piece: &&&str| bare(piece).starts_with(char::is_uppercase) && !is(WordClass::NeverNames, &fold(bare(piece)));
    let mut name: Vec<&str> = Vec::new();
    for piece in pieces
        .iter()
        .skip(after)
        .skip_while(|piece| bare(piece).len() <= 3 && !is_name(piece))
        .take_while(is_name)
        .take(NAME_WORDS)
    {
        name.push(bare(piece));
        if piece.ends_with(['.', ',', '?', '!']) {
            break;
        }
    }
    (!name.is_empty()).then(|| name.join(" "))
}

fn bare(piece: &str) -> &str {
    piece.trim_matches(|sign: char| !sign.is_alphanumeric())
}

pub(super) fn gigabytes(words: &[CompactString]) -> Option<f64> {
    let said = heard(words);
    let mut before = "";
    for (at, word) in words.iter().enumerate() {
        if let Some(number) = word.strip_suffix("gb").filter(|number| !number.is_empty()) {
            return number.parse().ok();
        }
        if said.begins(at, Cue::Gigabytes) {
            let spoken = || canonical(FieldKind::Digits, before).parse().ok();
            return before.parse().ok().or_else(spoken).filter(|gb: &f64| gb.is_finite());
        }
        before = word;
    }
    None
}
