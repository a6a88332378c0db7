//! Dates and times on the virtual clock. They stay within the years 0000 to 9999, which is what a `date` and a
//! `date-time` of a schema can be: what would lie beyond is the first or the last moment of them.

use std::borrow::Cow;

use jiff::civil::{Date, DateTime, Time, datetime};
use jiff::fmt::temporal::Pieces;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use rhai::{Engine, ImmutableString, NativeCallContext};

use super::error::{ScriptResult, fault};
use super::handles::Db;
use crate::schema::moment;

const FIRST: DateTime = datetime(0, 1, 1, 0, 0, 0, 0);
const LAST: DateTime = datetime(9999, 12, 31, 23, 59, 59, 0);
/// Longer than all these years, and short enough to be a duration.
const ALL_MINUTES: i64 = 10_000 * 366 * 1440;

fn clock(context: &NativeCallContext) -> ScriptResult<DateTime> {
    let db = context.tag().and_then(|tag| tag.read_lock::<Db>().map(|db| db.clone()));
    let Some(db) = db else { return fault("the clock cannot be read here") };
    let seconds = db.lock().base().clock();
    Timestamp::from_second(seconds)
        .map(|time| time.to_zoned(TimeZone::UTC).datetime())
        .or_else(|error| fault(error.to_string()))
}

/// A day, or that of a moment in UTC.
fn date(text: &str) -> ScriptResult<Date> {
    refuse_offset(text)?;
    let day = text.get(..10).unwrap_or(text);
    day.parse().or_else(|_| fault(format!("`{text}` is not a date such as 2026-06-11")))
}

/// A time in UTC. Not a [`Timestamp`], which ends a day before the last date.
pub(super) fn time(text: &str) -> ScriptResult<DateTime> {
    refuse_offset(text)?;
    let read = nanoseconds(text);
    let pieces = Pieces::parse(read.as_ref()).ok();
    let parts = pieces
        .as_ref()
        .and_then(|pieces| Some((pieces.date().to_datetime(pieces.time()?), pieces.to_numeric_offset()?)));
    match parts {
        Some((local, offset)) => Ok(moved(local, SignedDuration::from_secs(-i64::from(offset.seconds())))),
        None => fault(format!("`{text}` is not a time such as 2026-06-11T09:00:00Z")),
    }
}

/// With an offset, the day and the minute of a moment would be counted by two clocks.
fn refuse_offset(text: &str) -> ScriptResult<()> {
    match moment::has_offset(text) {
        true => fault(format!("`{text}` has an offset; clocks here are in UTC: write it with `Z`")),
        false => Ok(()),
    }
}

/// A time with a fraction of nine digits at most; RFC 3339 knows no end of them.
fn nanoseconds(text: &str) -> Cow<'_, str> {
    let cut = text.split_once('.').and_then(|(whole, rest)| {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        Some(format!("{whole}.{}{}", rest.get(..9)?, rest.get(digits..)?)).filter(|_| digits > 9)
    });
    cut.map_or(Cow::Borrowed(text), Cow::Owned)
}

fn moved(time: DateTime, by: SignedDuration) -> DateTime {
    let end = if by.is_negative() { FIRST } else { LAST };
    time.checked_add(by).unwrap_or(end).clamp(FIRST, LAST)
}

fn shown(time: DateTime) -> ImmutableString {
    format!("{time}Z").into()
}

fn days_between(from: Date, to: Date) -> i64 {
    to.duration_since(from).as_hours() / 24
}

fn add_days(text: &str, days: i64) -> ScriptResult<ImmutableString> {
    let days = days.clamp(-ALL_MINUTES / 1440, ALL_MINUTES / 1440);
    let moved = moved(date(text)?.to_datetime(Time::midnight()), SignedDuration::from_hours(24 * days));
    Ok(moved.date().to_string().into())
}

fn add_minutes(text: &str, minutes: i64) -> ScriptResult<ImmutableString> {
    let minutes = minutes.clamp(-ALL_MINUTES, ALL_MINUTES);
    Ok(shown(moved(time(text)?, SignedDuration::from_mins(minutes))))
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("now", |context: NativeCallContext| clock(&context).map(shown));
    engine.register_fn("today", |context: NativeCallContext| clock(&context).map(|now| now.date().to_string()));
    engine.register_fn("days_until", |context: NativeCallContext, day: ImmutableString| -> ScriptResult<i64> {
        Ok(days_between(clock(&context)?.date(), date(&day)?))
    });
    engine.register_fn("add_days", |day: ImmutableString, days: i64| add_days(&day, days));
    engine.register_fn("add_minutes", |start: ImmutableString, minutes: i64| add_minutes(&start, minutes));
    engine.register_fn("days_between", |from: ImmutableString, to: ImmutableString| -> ScriptResult<i64> {
        Ok(days_between(date(&from)?, date(&to)?))
    });
    engine.register_fn("minutes_between", |from: ImmutableString, to: ImmutableString| -> ScriptResult<i64> {
        Ok(time(&to)?.duration_since(time(&from)?).as_mins())
    });
    engine.register_fn("weekday", |day: ImmutableString| -> ScriptResult<String> {
        Ok(format!("{:?}", date(&day)?.weekday()).to_lowercase())
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold, pair};

    /// A day or a moment so much later.
    fn later(text: &str, add: fn(&str, i64) -> ScriptResult<ImmutableString>) -> String {
        let (from, count) = pair(text);
        add(from, count.parse().unwrap()).map_or("refused".to_owned(), |text| text.to_string())
    }

    #[test]
    fn days_and_moments_are_counted_as_the_cases_say() {
        let readers: [(&str, Reader); 3] = [
            ("days", |text| later(text, add_days)),
            ("minutes", |text| later(text, add_minutes)),
            ("between", |text| days_between(date(pair(text).0).unwrap(), date(pair(text).1).unwrap()).to_string()),
        ];
        hold(include_str!("dates_cases.txt"), &readers);
    }

    #[test]
    fn what_a_schema_takes_for_a_time_is_one() {
        let schema = crate::schema::Schema::compile(&serde_json::json!({"format": "date-time"})).unwrap();
        let days = ["2026-09-15", "0000-01-01", "9999-12-31", "2016-12-31"];
        let times = ["T09:00:00", "t09:00:00", " 09:00:00", "T23:59:60", "T24:00:00", "T00:00:60"];
        let fractions = ["", ".5", ".123456789", ".0000000001", ".99999999999999999999"];
        let offsets = ["Z", "z", "+00:00", "-00:00", "+02:00", "-23:59", "+23:59", "+0200", ""];
        let mut taken = 0;
        for day in days {
            for at in times {
                for fraction in fractions {
                    for offset in offsets {
                        let text = format!("{day}{at}{fraction}{offset}");
                        if schema.is_valid(&text.as_str().into()) {
                            taken += 1;
                            assert!(time(&text).is_ok(), "{text}");
                            assert!(date(&text).is_ok(), "{text}");
                        }
                    }
                }
            }
        }
        assert!(taken > 100, "{taken}");
    }
}
