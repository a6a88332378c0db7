//! What stands beside a value in a reply, and how it is written: both may ground it.

use jiff::civil::Date;

use super::knowledge::Knowledge;
use super::prose::{Value, has_digit};
use super::value::FoundValue;
use probity_prose::calendar::days_between;
use probity_prose::date::dotted;
use probity_prose::time::time_at;
use probity_prose::{Amount, Minutes, Token, Unit};

/// Ranks up to this count what somebody has.
const RANKS: i64 = 10;

/// Whether a known value is written in another form: in parts, by its end, with dots.
pub(super) fn is_written_otherwise(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    is_joined(tokens, at, knowledge) || is_ending(tokens, at, knowledge) || is_dotted(tokens, at, knowledge)
}

/// Whether the text beside a value makes it true: `tomorrow, 18 March`; `12/6, 13/6 and 14/6`, each the day after
/// one that is known; `before 16 June`, the day before one that is; `23:30 + 0:45`, a length that is known.
pub(super) fn follows_from_text(
    tokens: &[Token],
    at: usize,
    value: &Value,
    last: Option<&FoundValue>,
    knowledge: &Knowledge,
) -> bool {
    let before = || tokens.get(at.saturating_sub(4)..at).unwrap_or_default().iter().map(|token| token.folded.as_str());
    match value {
        Value::Days(days) => {
            let is_named = |date: &Date| {
                let offset = days_between(knowledge.calendar.today, *date);
                let name: &[&str] = match offset {
                    0 => &["today", "tonight", "now"],
                    1 => &["tomorrow", "tmrw", "tomorrows"],
                    -1 => &["yesterday"],
                    _ => &[],
                };
                before().any(|word| name.contains(&word))
            };
            let is_next = |date: &Date| {
                let near = last.filter(|last| last.grounded && is_listed(tokens, last.at + last.taken, at));
                let known = near.and_then(|last| match &last.value {
                    Value::Days(days) => Some(&days.dates),
                    _ => None,
                });
                known.is_some_and(|dates| dates.iter().any(|known| known.tomorrow().is_ok_and(|next| next == *date)))
            };
            let is_bound = before().any(|word| matches!(word, "before" | "prior"));
            let is_eve = |date: &Date| is_bound && date.tomorrow().is_ok_and(|next| knowledge.tells_date(next));
            // `it locks on 22 November, so changes are possible until 21 November`
            let is_last = |date: &Date| {
                let is_until = before().any(|word| matches!(word, "until" | "till" | "latest" | "last"));
                let told = last.filter(|last| is_until && last.grounded).map(|last| &last.value);
                let next = date.tomorrow().ok();
                matches!(told, Some(Value::Days(days)) if days.dates.iter().any(|told| Some(*told) == next))
            };
            days.dates.iter().any(|date| is_named(date) || is_next(date) || is_eve(date) || is_last(date))
        }
        Value::Times(times) => {
            let is_added = tokens.get(at).is_some_and(|token| token.gap.contains(['+', '−']));
            let lasts = |time: &Minutes| knowledge.has_amount(Amount::whole(*time), Some(Unit::Minute));
            is_added && times.first().is_some_and(lasts)
        }
        Value::Number(_) | Value::Id(_) | Value::NoDate | Value::Name => false,
    }
}

/// Whether nothing but a comma, a sign or an `and` stands between two values of a list.
fn is_listed(tokens: &[Token], end: usize, next: usize) -> bool {
    let gap = tokens.get(next).map_or("", |token| token.gap.as_str());
    let is_and = next == end + 1 && tokens.get(end).is_some_and(|token| token.folded == "and");
    is_and || (next == end && gap.contains([',', '+', '&']))
}

/// `2nd floor`, `| 1st |`: the number of a thing, not of a day.
pub(super) fn is_rank(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let number = token.folded.trim_end_matches(|c: char| c.is_alphabetic());
    let value = Amount::written(number).filter(|_| number.len() < token.folded.len());
    let counts = |word: &str| matches!(word, "floor" | "storey" | "time" | "attempt" | "try" | "visit" | "one");
    // `your third, his 1st`: how many there are by then.
    let is_count = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|before| matches!(before.folded.as_str(), "your" | "ur" | "his" | "her" | "their" | "my" | "our"));
    if is_count && value.is_some_and(|value| value <= Amount::whole(RANKS)) {
        return true;
    }
    let is_of_thing = tokens.get(at + 1).is_some_and(|next| counts(&next.folded)) || token.gap.contains('|');
    is_of_thing && value.is_some_and(|value| knowledge.has_amount(value, None))
}

/// `ending in 0365`: the last digits of a number that is known.
fn is_ending(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    let before = tokens.get(at.saturating_sub(6)..at).unwrap_or_default();
    let ends =
        before.iter().any(|token| matches!(token.folded.as_str(), "end" | "ends" | "ending" | "last" | "digits"));
    let digits = tokens.get(at).map_or("", |token| token.raw.as_str());
    ends && digits.len() >= 2 && digits.bytes().all(|byte| byte.is_ascii_digit()) && knowledge.has_digits(digits)
}

/// `12.06.` for a day that is known, `9.20` for a time.
fn is_dotted(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    let (days, time) = dotted(tokens, at, &knowledge.calendar);
    let is_next = |day: &Date| day.yesterday().is_ok_and(|before| knowledge.tells_date(before));
    days.iter().any(|day| knowledge.tells_date(*day) || (is_after_midnight(tokens, at) && is_next(day)))
        || time.is_some_and(|time| knowledge.has_any_time(&[time]))
}

/// Whether a time right after midnight is told near a token: a day may have begun since the day that is known.
pub(super) fn is_after_midnight(tokens: &[Token], at: usize) -> bool {
    let near = at.saturating_sub(8)..at + 8;
    near.into_iter().filter(|at| has_digit(tokens, *at, 1)).any(|at| {
        let times = time_at(tokens, at).map(|(_, times)| times).unwrap_or_default();
        times.iter().any(|time| *time < 6 * 60)
    })
}

/// `B-0031` for the known `B0031`.
fn is_joined(tokens: &[Token], at: usize, knowledge: &Knowledge) -> bool {
    let Some((before, own)) = at.checked_sub(1).and_then(|before| tokens.get(before)).zip(tokens.get(at)) else {
        return false;
    };
    let joined = format!("{}{}", before.folded, own.folded);
    let is_number = joined.len() > 2 && joined.bytes().all(|byte| byte.is_ascii_digit());
    // `03**56**`: a part is marked.
    let is_marked = !own.gap.is_empty() && own.gap.chars().all(|c| c == '*') && is_number;
    (matches!(own.gap.as_str(), "-" | "_" | "/" | " " | ". ") && knowledge.has_word(&joined))
        || (is_marked && knowledge.has_digits(&joined))
}
