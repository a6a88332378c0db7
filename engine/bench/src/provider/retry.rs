//! How long to wait before a provider is asked again, from what its headers say.

/// Longest wait that a provider may ask for, in milliseconds.
pub(super) const MAX_WAIT_MS: u64 = 120_000;

/// Headers that say when a limit is over, each with the one that says how much of it is left.
const RESETS: [(&str, &str); 9] = [
    ("x-ratelimit-reset-requests", "x-ratelimit-remaining-requests"),
    ("x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens"),
    ("x-ratelimit-reset", "x-ratelimit-remaining"),
    ("x-ratelimit-reset-after", "x-ratelimit-remaining"),
    ("ratelimit-reset", "ratelimit-remaining"),
    ("anthropic-ratelimit-requests-reset", "anthropic-ratelimit-requests-remaining"),
    ("anthropic-ratelimit-tokens-reset", "anthropic-ratelimit-tokens-remaining"),
    ("anthropic-ratelimit-input-tokens-reset", "anthropic-ratelimit-input-tokens-remaining"),
    ("anthropic-ratelimit-output-tokens-reset", "anthropic-ratelimit-output-tokens-remaining"),
];

/// Milliseconds to wait: a number of `retry-after-ms` or `retry-after`, or a date; else, of a request that was over a
/// limit, until the last limit that is used up is over, or the first of all where none says so. `now` is in
/// milliseconds since 1970.
pub(super) fn wait_ms(status: u16, header: &dyn Fn(&str) -> Option<String>, now: u64) -> Option<u64> {
    let milliseconds = header("retry-after-ms").and_then(|text| number(&text)).map(whole);
    let asked = milliseconds.or_else(|| header("retry-after").and_then(|text| span_ms(&text, now)));
    asked.or_else(|| (status == 429).then(|| reset_ms(header, now))?)
}

fn reset_ms(header: &dyn Fn(&str) -> Option<String>, now: u64) -> Option<u64> {
    let resets = RESETS.iter().filter_map(|(reset, left)| {
        let is_used_up = header(left).is_some_and(|left| number(&left) == Some(0.0));
        Some((is_used_up, span_ms(&header(reset)?, now)?))
    });
    let resets: Vec<(bool, u64)> = resets.collect();
    let used_up = resets.iter().filter(|(is_used_up, _)| *is_used_up).map(|(_, wait)| *wait).max();
    let wait = used_up.or_else(|| resets.iter().map(|(_, wait)| *wait).min());
    // It is when all of it is free again: less may be enough.
    wait.map(|wait| wait.min(MAX_WAIT_MS))
}

/// A wait as seconds, as `1m2.5s`, as seconds or milliseconds since 1970, or as a date of either form.
fn span_ms(text: &str, now: u64) -> Option<u64> {
    let text = text.trim();
    let until = |at: u64| at.saturating_sub(now);
    match number(text) {
        Some(number) if number >= 1e12 => Some(until(whole(number))),
        Some(number) if number >= 1e9 => Some(until(whole(number * 1000.0))),
        Some(number) => Some(whole(number * 1000.0)),
        None => parts_ms(text).or_else(|| {
            let mail = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok();
            let date = mail.or_else(|| text.parse::<jiff::Timestamp>().ok())?;
            Some(until(u64::try_from(date.as_millisecond()).ok()?))
        }),
    }
}

/// `1h2m3.5s`, `20ms`.
pub(super) fn parts_ms(text: &str) -> Option<u64> {
    let (mut sum, mut rest) = (0.0, text);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (value, unit) = rest.split_at_checked(digits)?;
        let length = unit.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(unit.len());
        let (unit, after) = unit.split_at_checked(length)?;
        let factor = match unit {
            "ms" => 1.0,
            "s" => 1000.0,
            "m" => 60_000.0,
            "h" => 3_600_000.0,
            "d" => 86_400_000.0,
            _ => return None,
        };
        sum += number(value)? * factor;
        rest = after;
    }
    (!text.is_empty()).then_some(whole(sum))
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative; a cast saturates")]
fn whole(milliseconds: f64) -> u64 {
    milliseconds.ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold, row};

    /// The wait at 2023-11-14T22:13:20Z, by headers with ` | ` between them.
    fn wait(status: u16, headers: &str) -> String {
        let all = || headers.split(" | ").map(|header| header.split_once(": ").unwrap());
        let header = |name: &str| all().find(|(key, _)| *key == name).map(|(_, value)| value.to_owned());
        row(wait_ms(status, &header, 1_700_000_000_000), "")
    }

    #[test]
    fn waits_are_read_as_the_cases_say() {
        let readers: [(&str, Reader); 2] =
            [("of 429", |headers| wait(429, headers)), ("of 500", |headers| wait(500, headers))];
        hold(include_str!("retry_cases.txt"), &readers);
    }
}
