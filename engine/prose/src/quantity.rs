//! Numbers in running text: digits or words, with the unit beside them.

use super::amount::Amount;
use super::lexicon::{WordClass, is, lexicon};
use super::token::{Shape, Token, word_at};
use super::unit::{Quantity, Unit};

/// The quantity that starts at a token, with the number of tokens it takes; `2 hours and 40 minutes` is one.
pub fn quantity_at(tokens: &[Token], at: usize) -> Option<(usize, Quantity)> {
    let (taken, quantity) = plain_at(tokens, at)?;
    let (more, minutes) =
        Some(quantity).filter(|own| own.unit == Some(Unit::Hour)).map_or((0, 0), |_| minutes_at(tokens, at + taken));
    let whole = quantity.minutes().filter(|_| more > 0).map(|hours| Amount::whole(hours + minutes));
    Some(whole.map_or((taken, quantity), |all| (taken + more, Quantity::new(all, Some(Unit::Minute)))))
}

/// The minutes behind hours, `and 40 minutes`, with the tokens they take.
fn minutes_at(tokens: &[Token], at: usize) -> (usize, i64) {
    let and = usize::from(tokens.get(at).is_some_and(|token| token.folded == "and" && token.is_adjacent()));
    let found = tokens.get(at + and).filter(|token| token.is_adjacent()).and_then(|_| plain_at(tokens, at + and));
    let minutes =
        found.filter(|(_, own)| own.unit == Some(Unit::Minute)).and_then(|(taken, own)| Some((taken, own.minutes()?)));
    minutes.filter(|(_, minutes)| (1..60).contains(minutes)).map_or((0, 0), |(taken, minutes)| (and + taken, minutes))
}

fn plain_at(tokens: &[Token], at: usize) -> Option<(usize, Quantity)> {
    let token = tokens.get(at).filter(|token| token.opens_value)?;
    match token.shape {
        Shape::Number => grouped(tokens, at).or_else(|| {
            let value = Amount::written(&token.folded)?;
            Some(with_unit(tokens, at, 1, value))
        }),
        Shape::Mixed => mixed(tokens, at),
        Shape::Word => fixed(tokens, at).or_else(|| words(tokens, at)),
        Shape::IsoDate => None,
    }
}

/// Thousands apart: `1'234.50`, `1 234,50`, and, of money, `1 432 EUR`.
fn grouped(tokens: &[Token], at: usize) -> Option<(usize, Quantity)> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let first =
        tokens.get(at).filter(|token| token.raw.len() <= 3 && is_digits(&token.raw) && !token.raw.starts_with('0'))?;
    let is_quote = |token: &Token| matches!(token.gap.as_str(), "'" | "’" | "ʼ");
    let is_group = |token: &&Token| {
        let (whole, cents) = token.raw.split_once([',', '.']).unwrap_or((&token.raw, "00"));
        let is_blank = token.gap.chars().all(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'));
        (is_blank || is_quote(token)) && whole.len() == 3 && is_digits(whole) && cents.len() == 2 && is_digits(cents)
    };
    let is_whole = |token: &&Token| is_digits(&token.raw);
    let rest = tokens.iter().skip(at + 1).take(4);
    let groups = rest.clone().take_while(is_group).take_while(is_whole).count();
    let last = rest.clone().nth(groups).filter(is_group);
    let taken = groups + usize::from(last.is_some());
    let mut parts = rest.take(taken);
    let digits: String = std::iter::once(first).chain(parts.clone()).map(|token| token.raw.as_str()).collect();
    let value = Amount::written(&digits).filter(|_| taken > 0)?;
    let (all, found) = with_unit(tokens, at, 1 + taken, value);
    let is_one_number = last.is_some() || parts.all(is_quote) || found.unit == Some(Unit::Money);
    is_one_number.then_some((all, found))
}

/// `2h`, `15eur`, `20k`.
fn mixed(tokens: &[Token], at: usize) -> Option<(usize, Quantity)> {
    let token = tokens.get(at)?;
    let split = token.folded.find(|c: char| c.is_alphabetic())?;
    let (digits, letters) = token.folded.split_at_checked(split)?;
    let value = Amount::written(digits)?;
    match letters {
        "k" => Some(with_unit(tokens, at, 1, value.scaled(1000, 1)?)),
        "x" => Some((1, Quantity::new(value, None))),
        _ => Some((1, Quantity::new(value, Some(Unit::of_suffix(letters)?)))),
    }
}

/// Phrases of their own: `half an hour`, `a couple`, `fortnight`, `the day after`.
fn fixed(tokens: &[Token], at: usize) -> Option<(usize, Quantity)> {
    let word = |i: usize| word_at(tokens, at + i);
    let unit = |i: usize| tokens.get(at + i).and_then(|token| Unit::of_word(&token.folded));
    let of = |taken: usize, value: Amount, unit: Option<Unit>| Some((taken, Quantity::new(value, unit)));
    let (one, half) = (Amount::whole(1), Amount::decimal("0.5")?);
    match (word(0), word(1), word(2)) {
        ("half", "a" | "an", _) => of(3, half, Some(unit(2)?)),
        ("half", _, _) => of(2, half, Some(unit(1)?)),
        ("quarter", "of", "an") if word(3) == "hour" => of(4, Amount::whole(15), Some(Unit::Minute)),
        ("fortnight", _, _) => of(1, Amount::whole(14), Some(Unit::Day)),
        ("dozen", _, _) => of(1, Amount::whole(12), None),
        ("couple" | "pair", "of", _) => of(3, Amount::whole(2), unit(2)),
        ("twice", _, _) => of(1, Amount::whole(2), None),
        ("once", _, _) => of(1, one, None),
        ("day" | "night", "after" | "before" | "earlier" | "later", _)
        | ("next" | "following" | "previous", "day" | "night", _) => of(2, one, Some(Unit::Day)),
        ("an", "hour", "and") if (word(3), word(4)) == ("a", "half") => of(5, one.plus(half), Some(Unit::Hour)),
        ("a" | "an" | "another" | "extra" | "additional" | "per", _, _) => of(2, one, Some(unit(1)?)),
        ("one" | "single", "more" | "extra" | "additional", _) => of(3, one, unit(2)),
        _ => None,
    }
}

/// Number words, with `hundred`, `thousand` and `million`, and digits behind a `point`.
fn words(tokens: &[Token], at: usize) -> Option<(usize, Quantity)> {
    let (taken, value) = number_words(tokens, at)?;
    let (more, fraction) = behind_point(tokens, at + taken);
    Some(with_unit(tokens, at, taken + more, Amount::whole(value).plus(fraction)))
}

/// Most digits that are read behind a `point`.
const MAX_FRACTION: usize = 6;

/// `point two five`.
fn behind_point(tokens: &[Token], at: usize) -> (usize, Amount) {
    let digit = |token: &Token| small_number(&token.folded).filter(|digit| *digit < 10 && joins(token));
    let is_point = tokens.get(at).is_some_and(|token| token.folded == "point" && joins(token));
    let rest = tokens.iter().skip(at + 1).take(if is_point { MAX_FRACTION } else { 0 });
    let digits: String = rest.map_while(digit).map(|digit| digit.to_string()).collect();
    match Amount::decimal(&format!("0.{digits}")) {
        Some(fraction) if !digits.is_empty() => (1 + digits.len(), fraction),
        Some(_) | None => (0, Amount::whole(0)),
    }
}

/// Whether nothing but blanks or a hyphen stands between a word and the one before it.
fn joins(token: &Token) -> bool {
    token.is_adjacent() || token.gap == "-"
}

fn is_number_word(token: &Token) -> bool {
    small_number(&token.folded).is_some() || scale(&token.folded).is_some()
}

/// Whether the number at `at` is the rest of a longer one: the seven of `seventy-seven`, of `hundred and seven` and of
/// `two point seven`.
pub fn is_rest(tokens: &[Token], at: usize) -> bool {
    let before = |by: usize| at.checked_sub(by).and_then(|before| tokens.get(before));
    let joined = |by: usize| by == 0 || before(by - 1).is_some_and(joins);
    let Some((token, last)) = tokens.get(at).zip(before(1)) else { return false };
    let is_scale = |by: usize| joined(by) && before(by).is_some_and(|token| scale(&token.folded).is_some());
    let is_number =
        |by: usize| joined(by) && before(by).is_some_and(|token| token.shape == Shape::Number || is_number_word(token));
    match last.folded.as_str() {
        _ if !joins(token) => false,
        "and" => is_scale(2),
        "point" => is_number(2),
        _ => is_number_word(last) && (token.shape == Shape::Word || scale(&last.folded).is_some()),
    }
}

fn number_words(tokens: &[Token], at: usize) -> Option<(usize, i64)> {
    let (mut total, mut part, mut taken) = (0_i64, 0_i64, 0);
    // Nothing goes on after `zero`, and thousands come after millions: what is counted is counted once.
    let (mut is_zero, mut below) = (false, i64::MAX);
    if tokens.get(at).is_some_and(|token| token.folded == "a") {
        tokens.get(at + 1).filter(|next| joins(next) && scale(&next.folded).is_some())?;
        (part, taken) = (1, 1);
    }
    while let Some(token) = tokens.get(at + taken) {
        let joins = taken == 0 || joins(token);
        let word = token.folded.as_str();
        match (small_number(word), scale(word)) {
            (Some(number), _) if joins && !is_zero && (part == 0 || fits(part, number)) => {
                part += number;
                is_zero = number == 0;
            }
            (None, Some(100)) if joins && (1..100).contains(&part) => part *= 100,
            (None, Some(factor)) if joins && factor > 100 && factor < below && part > 0 => {
                total += part * factor;
                (part, below) = (0, factor);
            }
            (None, None)
                if joins
                    && word == "and"
                    && (part >= 100 || (total > 0 && part == 0))
                    && tokens.get(at + taken + 1).is_some_and(|next| small_number(&next.folded).is_some()) => {}
            _ => break,
        }
        taken += 1;
    }
    let value = total + part;
    if taken == 0 || (taken == 1 && value == 1 && !counts_something(tokens, at)) {
        return None;
    }
    Some((taken, value))
}

/// `twenty` takes `five`, `three hundred` takes `fifty`.
fn fits(part: i64, number: i64) -> bool {
    (part % 100 == 0 && number < 100) || (part % 10 == 0 && part % 100 >= 20 && (1..10).contains(&number))
}

/// `one` is a number before a thing that is counted, and a pronoun elsewhere.
fn counts_something(tokens: &[Token], at: usize) -> bool {
    tokens
        .get(at + 1)
        .is_some_and(|next| next.is_adjacent() && next.shape == Shape::Word && !is(WordClass::NoThings, &next.folded))
}

/// A number of `taken` tokens with what follows: a scale, `and a half`, a unit, a currency sign.
fn with_unit(tokens: &[Token], at: usize, mut taken: usize, mut value: Amount) -> (usize, Quantity) {
    let word = |i: usize| tokens.get(at + i).filter(|t| joins(t)).map_or("", |t| t.folded.as_str());
    if let Some(scaled) = scale(word(taken)).and_then(|factor| value.scaled(factor, 1)) {
        value = scaled;
        taken += 1;
    }
    if (word(taken), word(taken + 1), word(taken + 2)) == ("and", "a", "half") {
        value = value.plus(Amount::decimal("0.5").unwrap_or(value));
        taken += 3;
    }
    let signs = ['€', '$', '£', '¥'];
    let before = tokens.get(at).is_some_and(|token| token.gap.trim_end().ends_with(signs));
    let last = tokens.get(at + taken - 1);
    let after = last.map_or("", |token| token.after.trim_start());
    if before || after.starts_with(signs) {
        return (taken, Quantity::new(value, Some(Unit::Money)));
    }
    if after.starts_with('%') {
        return (taken, Quantity::new(value, Some(Unit::Percent)));
    }
    match unit_after(tokens, at, taken) {
        Some((skipped, Unit::Money)) => {
            let (more, cents) = cents_after(tokens, at + taken + skipped);
            (taken + skipped + more, Quantity::new(value.plus(cents), Some(Unit::Money)))
        }
        Some((skipped, unit)) => (taken + skipped, Quantity::new(value, Some(unit))),
        None => (taken, Quantity::new(value, currency_before(tokens, at))),
    }
}

/// `and seventy-five cents`, or a bare `seventy-five` in words, behind whole euros.
fn cents_after(tokens: &[Token], at: usize) -> (usize, Amount) {
    let and = usize::from(tokens.get(at).is_some_and(|token| token.folded == "and"));
    let is_word = tokens.get(at + and).is_some_and(|token| token.shape == Shape::Word);
    let joins = tokens.get(at + and).is_some_and(Token::is_adjacent);
    let cents = tokens.get(at + and).filter(|_| joins).and_then(|token| match token.shape {
        Shape::Number => Some((1, Amount::written(&token.folded)?)),
        Shape::Word => number_words(tokens, at + and).map(|(taken, value)| (taken, Amount::whole(value))),
        Shape::Mixed | Shape::IsoDate => None,
    });
    let Some((taken, cents)) = cents.filter(|(_, cents)| *cents < Amount::whole(100)) else {
        return (0, Amount::whole(0));
    };
    let unit = |at: usize| tokens.get(at).and_then(|token| Unit::of_word(&token.folded));
    let hundredth = cents.scaled(1, 100).unwrap_or(cents);
    match unit(at + and + taken) {
        Some(Unit::Cents) => (and + taken + 1, hundredth),
        None if is_word && and == 0 => (taken, hundredth),
        _ => (0, Amount::whole(0)),
    }
}

/// The unit behind a number; `more`, `extra` and the like may stand between.
fn unit_after(tokens: &[Token], at: usize, taken: usize) -> Option<(usize, Unit)> {
    let word = |i: usize| tokens.get(at + taken + i).filter(|t| joins(t));
    let first = word(0)?;
    let is_hours = first.folded == "h" && !first.raw.starts_with('H');
    if let Some(unit) = Unit::of_word(&first.folded).or(is_hours.then_some(Unit::Hour)) {
        return Some((1, unit));
    }
    let unit = Unit::of_word(&word(1)?.folded)?;
    is(WordClass::UnitLeads, &first.folded).then_some((2, unit))
}

/// `EUR 15`.
fn currency_before(tokens: &[Token], at: usize) -> Option<Unit> {
    let before = tokens.get(at.checked_sub(1)?)?;
    let adjacent = tokens.get(at)?.is_adjacent();
    Unit::of_word(&before.folded).filter(|unit| adjacent && *unit == Unit::Money)
}

fn scale(word: &str) -> Option<i64> {
    lexicon().entry(word).scale
}

/// A number word up to twenty, or a round ten.
pub fn small_number(word: &str) -> Option<i64> {
    lexicon().entry(word).number
}
