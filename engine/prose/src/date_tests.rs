//! Days as people write them, seen from Thursday, 11 June 2026.

use jiff::Timestamp;

use super::*;
use crate::token::tokens;

fn calendar() -> Calendar {
    Calendar::at("2026-06-11T09:00:00Z".parse::<Timestamp>().unwrap().as_second())
}

fn read(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut dates: Vec<String> = Vec::new();
    for at in 0..tokens.len() {
        let days = days_at(&tokens, at, &calendar()).unwrap_or_default();
        dates.extend(days.dates.iter().map(ToString::to_string));
        dates.extend(days.months.iter().map(|(year, month)| format!("{year}-{month:02}")));
    }
    dates.sort();
    dates.dedup();
    dates
}

#[test]
fn days_are_read() {
    let cases: [(&str, &[&str]); 25] = [
        ("2026-06-12", &["2026-06-12"]),
        ("tomorrow", &["2026-06-12"]),
        ("the day after tomorrow", &["2026-06-12", "2026-06-13"]),
        ("yesterday evening", &["2026-06-10"]),
        ("12 June", &["2026-06-12"]),
        ("12th of June", &["2026-06-12"]),
        ("June 12", &["2026-06-12"]),
        ("June 12th, 2027", &["2027-06-12"]),
        ("Jun 12", &["2026-06-12"]),
        ("the 12th", &["2026-06-12"]),
        ("the twelfth", &["2026-06-12"]),
        ("the 5th", &["2026-06-05", "2026-07-05"]),
        ("the 28th", &["2026-05-28", "2026-06-28"]),
        ("3 to 7 August", &["2026-08-03", "2026-08-07"]),
        ("from 3 August to the 7th", &["2026-06-07", "2026-07-07", "2026-08-03", "2026-08-07"]),
        ("August 3-7", &["2026-08-03", "2026-08-07"]),
        ("12/06/2026", &["2026-06-12", "2026-12-06"]),
        ("12.6.2026", &["2026-06-12", "2026-12-06"]),
        ("3 January", &["2026-01-03"]),
        ("3 January or 20 December", &["2025-12-20", "2026-01-03", "2026-12-20"]),
        ("next Friday", &["2026-06-12", "2026-06-19"]),
        ("last Monday", &["2026-06-08"]),
        ("in July 2025", &["2025-07"]),
        ("next month", &["2026-07"]),
        ("Q1 2026", &["2026-01-01", "2026-01-31", "2026-03-01", "2026-03-31"]),
    ];
    let wrong = cases.into_iter().filter(|(text, dates)| read(text) != *dates);
    let wrong: Vec<String> = wrong.map(|(text, _)| format!("{text} {:?}", read(text))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for text in ["May I ask", "you may go", "in second place", "the first one", "24/7", "room 12"] {
        assert!(read(text).is_empty(), "{text}");
    }
}
