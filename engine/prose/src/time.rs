//! Times of day in running text, as minutes after midnight.

use super::lexicon::{WordClass, is};
use super::quantity::small_number;
use super::token::{Shape, Token, word_at, word_before};

/// Minutes after midnight, below 1440.
pub type Minutes = i64;

const DAY: i64 = 24 * 60;
const HALF: i64 = 12 * 60;

/// The time that starts at a token: the tokens it takes and every way to read it.
pub fn time_at(tokens: &[Token], at: usize) -> Option<(usize, Vec<Minutes>)> {
    let token = tokens.get(at).filter(|token| token.opens_value)?;
    match token.folded.as_str() {
        "noon" | "midday" => return Some((1, vec![HALF])),
        "midnight" => return Some((1, vec![0])),
        _ => {}
    }
    if let Some(found) = past(tokens, at) {
        return Some(found);
    }
    if let Some((time, half)) = suffixed(&token.folded) {
        return Some((1, vec![half_of(time, half)?]));
    }
    let (time, is_clock) = clock_or_hour(token)?;
    match half_after(tokens, at + 1) {
        // `at 12 h` is noon, `12 h are left` are hours.
        Some((_, Half::Exact))
            if !is_clock
                && matches!(word_at(tokens, at + 1), "h" | "hrs")
                && !is(WordClass::PointLeads, word_before(tokens, at)) =>
        {
            None
        }
        Some((taken, half)) => Some((1 + taken, vec![half_of(time, half)?])),
        None if is_clock => Some((1, readings(time, token.folded.starts_with('0')))),
        None => after_preposition(tokens, at, time),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Morning,
    Afternoon,
    Night,
    Exact,
}

fn half_of(time: Minutes, half: Half) -> Option<Minutes> {
    let small = time <= HALF + 59;
    let hour = time / 60;
    let found = match half {
        Half::Morning if small => time % HALF,
        Half::Afternoon if small => time % HALF + HALF,
        // Eleven at night is 23:00, two at night is 2:00, twelve is midnight.
        Half::Night if small && (6..12).contains(&hour) => time + HALF,
        Half::Night if hour == 12 => time - HALF,
        Half::Morning | Half::Afternoon | Half::Night | Half::Exact => time,
    };
    (0..DAY).contains(&found).then_some(found)
}

/// Both readings of a time that may be in either half of the day.
fn readings(time: Minutes, exact: bool) -> Vec<Minutes> {
    let is_either = !exact && (60..HALF + 60).contains(&time);
    std::iter::once(time).chain(is_either.then_some((time + HALF) % DAY)).collect()
}

/// `23:00`, `23:00:00`, or a bare hour; whether it is a clock time.
fn clock_or_hour(token: &Token) -> Option<(Minutes, bool)> {
    if let Some(hour) = small_number(&token.folded) {
        return (1..=12).contains(&hour).then_some((hour * 60, false));
    }
    if token.shape != Shape::Number {
        return None;
    }
    match token.folded.contains([':', '.']) {
        true => Some((clock(&token.folded)?, token.folded.contains(':'))),
        false => Some((hour(&token.folded)?, false)),
    }
}

fn hour(text: &str) -> Option<Minutes> {
    text.parse::<i64>().ok().filter(|hour| text.len() <= 2 && (0..=24).contains(hour)).map(|hour| hour * 60 % DAY)
}

/// `h:mm`, with seconds or not.
fn clock(text: &str) -> Option<Minutes> {
    let mut parts = text.split([':', '.']);
    let (hour, minute) = (parts.next()?, parts.next()?);
    let number = |part: &str| part.parse::<i64>().ok().filter(|_| part.len() <= 2);
    let (hour, minute) = (number(hour)?, number(minute).filter(|_| minute.len() == 2)?);
    ((0..=24).contains(&hour) && (0..60).contains(&minute)).then_some((hour * 60 + minute) % DAY)
}

/// `3pm`, `6.30pm`, `18h30`, `09:30:00z`.
fn suffixed(text: &str) -> Option<(Minutes, Half)> {
    let split = text.find(|c: char| c.is_alphabetic())?;
    let (digits, letters) = text.split_at_checked(split)?;
    let time = || if digits.contains([':', '.']) { clock(digits) } else { hour(digits) };
    match letters {
        "am" => Some((time()?, Half::Morning)),
        "pm" => Some((time()?, Half::Afternoon)),
        "z" => Some((clock(digits)?, Half::Exact)),
        _ => {
            let minutes = letters.strip_prefix('h')?;
            Some((clock(&format!("{digits}:{minutes}"))?, Half::Exact))
        }
    }
}

/// `pm`, `p.m.`, `o'clock`, `in the morning`, `at night` from a token on.
fn half_after(tokens: &[Token], at: usize) -> Option<(usize, Half)> {
    let of = |i: usize| word_at(tokens, at + i);
    let clock = if (of(0), of(1)) == ("o", "clock") { 2 } else { 0 };
    let word = |i: usize| of(clock + i);
    let found = match (word(0), word(1), word(2)) {
        ("am", _, _) => Some((1, Half::Morning)),
        ("a", "m", _) => Some((2, Half::Morning)),
        ("pm", _, _) => Some((1, Half::Afternoon)),
        ("p", "m", _) => Some((2, Half::Afternoon)),
        ("in", "the", "morning") => Some((3, Half::Morning)),
        ("in", "the", "afternoon" | "evening") => Some((3, Half::Afternoon)),
        ("at", "night", _) => Some((2, Half::Night)),
        ("tonight", _, _) => Some((1, Half::Night)),
        ("h" | "hrs" | "uhr", _, _) => Some((1, Half::Exact)),
        _ => None,
    };
    found.map(|(taken, half)| (clock + taken, half))
}

/// `half past eight`, `quarter to ten`, `ten past four`.
fn past(tokens: &[Token], at: usize) -> Option<(usize, Vec<Minutes>)> {
    let word = |i: usize| word_at(tokens, at + i);
    let minutes = match word(0) {
        "half" => 30,
        "quarter" => 15,
        other => small_number(other)?,
    };
    let offset = match word(1) {
        "past" => minutes,
        "to" if minutes < 30 => -minutes,
        _ => return None,
    };
    let (hour, _) = clock_or_hour(tokens.get(at + 2)?)?;
    // `from ten to five` is a span of hours, and `past` or `quarter` make it a time.
    if word(1) == "to" && word(0) != "quarter" && minutes % 5 != 0 {
        return None;
    }
    let time = (hour + offset).rem_euclid(DAY);
    match half_after(tokens, at + 3) {
        Some((more, half)) => Some((3 + more, vec![half_of(time, half)?])),
        None => Some((3, readings(time, false))),
    }
}

/// `after eleven`, `until 9`, `nine o'clock`: the hour in either half of the day.
fn after_preposition(tokens: &[Token], at: usize, time: Minutes) -> Option<(usize, Vec<Minutes>)> {
    if (word_at(tokens, at + 1), word_at(tokens, at + 2)) == ("o", "clock") {
        return Some((3, readings(time, false)));
    }
    let next = tokens.get(at + 1);
    let counts = next.is_some_and(|next| next.is_adjacent() && !is(WordClass::HourFollowers, next.folded.as_str()));
    let attached = tokens.get(at).is_some_and(|token| token.after.starts_with(['%', '€', '$', '/', '-', '–', '£']));
    let is_bare = time % 60 == 0 && tokens.get(at).is_some_and(|token| !token.folded.contains('.'));
    (is_bare && is(WordClass::TimeLeads, word_before(tokens, at)) && !counts && !attached)
        .then(|| (1, readings(time, false)))
}
