//! Moments and times of day as texts. The clocks of environments are in UTC and nothing else: a moment with another
//! offset would be one day to what counts days and another to what counts minutes.

/// Whether a text is a moment of RFC 3339 in UTC: `2026-06-11T09:00:00Z`.
pub fn is_moment(text: &str) -> bool {
    parts(text).is_some_and(|(_, offset)| offset == 0)
}

/// Whether a text is a time of day of RFC 3339 in UTC: `09:00:00Z`.
pub fn is_time(text: &str) -> bool {
    time(text).is_some_and(|(_, offset)| offset == 0)
}

/// Whether a text is a moment or a time of day with an offset from UTC.
pub fn has_offset(text: &str) -> bool {
    parts(text).or_else(|| time(text)).is_some_and(|(_, offset)| offset != 0)
}

/// What stands before the offset of a moment, and the offset in minutes.
fn parts(text: &str) -> Option<(&str, i64)> {
    let (day, rest) = text.split_at_checked(10)?;
    let (_, offset) = time(rest.strip_prefix(['T', 't'])?)?;
    is_day(day).then_some((day, offset))
}

fn is_day(text: &str) -> bool {
    let numbers = || Some((number(text, 0, 4)?, number(text, 5, 7)?, number(text, 8, 10)?));
    let Some((year, month, day)) = numbers() else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let dashes = [4, 7].iter().all(|at| text.as_bytes().get(*at) == Some(&b'-'));
    dashes && (1..=12).contains(&month) && (1..=last).contains(&day)
}

/// What stands before the offset of a time of day, and the offset in minutes.
fn time(text: &str) -> Option<(&str, i64)> {
    let clock = text.get(..8)?;
    let (hour, minute, second) = (number(clock, 0, 2)?, number(clock, 3, 5)?, number(clock, 6, 8)?);
    let colons = [2, 5].iter().all(|at| clock.as_bytes().get(*at) == Some(&b':'));
    let mut rest = text.get(8..)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let end = fraction.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?;
        rest = fraction.get(end..)?;
    }
    let offset = offset(rest)?;
    // A leap second is the last of a day in UTC.
    let is_leap = second == 60 && (hour * 60 + minute - offset).rem_euclid(1440) == 1439;
    (colons && hour < 24 && minute < 60 && (second < 60 || is_leap)).then_some((clock, offset))
}

fn offset(text: &str) -> Option<i64> {
    let sign = match text.chars().next()? {
        'Z' | 'z' => return (text.len() == 1).then_some(0),
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let (hours, minutes) = (number(text, 1, 3)?, number(text, 4, 6)?);
    let is_whole = text.len() == 6 && text.get(3..4) == Some(":") && hours < 24 && minutes < 60;
    is_whole.then_some(sign * (hours * 60 + minutes))
}

/// The digits from one place to another, as a number.
fn number(text: &str, from: usize, to: usize) -> Option<i64> {
    let digits = text.get(from..to)?;
    if digits.bytes().all(|digit| digit.is_ascii_digit()) { digits.parse().ok() } else { None }
}
