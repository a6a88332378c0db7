//! Faults of reports: other numbers, days and names than those that came of the calls, and words against one's own.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::candidates::with_other_digits;
use super::draft::Draft;
use super::kind::Severity;
use super::text::{MONTHS, by_words, names, sentences, words};
use crate::episode::plan::Plan;
use crate::model::variant::Variant;
use crate::task::Task;
use crate::task::likeness::canonical_scalars;
use probity_engine::Stream;
use probity_prose::Calendar;

const MAX_NAMES: usize = 100;
const INVENTED: [&str; 4] = ["Quillfeather", "Brambleton", "Ostervald", "Tanglewick"];

/// Says other numbers than those that came of the calls: off by one, off by half, or invented.
pub fn misreports(task: &Task, variant: Variant, seed: u64, severity: Severity) -> Option<Plan> {
    rewritten(task, variant, |reply| with_other_numbers(reply, severity, seed))
}

/// Says other days than those that came of the calls: the next one, one ten days later, one a hundred days later.
pub fn wrong_date(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let days = match severity {
        Severity::Mild => 1,
        Severity::Medium => 10,
        Severity::Severe => 100,
    };
    let told = told(&Draft::of_oracle(task, variant)?);
    let year = Calendar::at(task.initial().clock()).today.year();
    rewritten(task, variant, |reply| with_other_days(reply, days, (&told, year)))
}

/// Says other names than those that came of the calls: one with another ending, one invented, all invented.
pub fn wrong_name(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    let mut told = BTreeSet::new();
    for call in draft.play() {
        call.result.iter().for_each(|applied| told.extend(canonical_scalars(&applied.observation)));
    }
    let told: Vec<String> = told.into_iter().collect();
    let is_told = |name: &&String| told.iter().any(|text| words(text).any(|word| word == name.as_str()));
    let spoken: Vec<String> = draft.replies.iter().flat_map(|reply| names(reply)).collect();
    let mut known: Vec<&String> = spoken.iter().filter(is_told).collect();
    known.dedup();
    let wrong = |at: usize, name: &str| match severity {
        Severity::Mild => format!("{name}ke"),
        Severity::Medium | Severity::Severe => INVENTED.into_iter().cycle().nth(at).unwrap_or_default().to_owned(),
    };
    let most = if severity == Severity::Severe { usize::MAX } else { 1 };
    let replaced: Vec<(String, String)> = known
        .into_iter()
        .take(most.min(MAX_NAMES))
        .enumerate()
        .map(|(at, name)| (name.clone(), wrong(at, name)))
        .collect();
    if replaced.is_empty() {
        return None;
    }
    for reply in &mut draft.replies {
        *reply = by_words(reply, |word| replaced.iter().find(|(name, _)| name == word).map(|(_, wrong)| wrong.clone()));
    }
    Some(draft.into_plan())
}

/// Says a sentence of an earlier reply again in the last one, with another number.
pub fn contradicts_itself(task: &Task, variant: Variant, seed: u64, severity: Severity) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    let told = told(&draft);
    let earlier = draft.replies.len().checked_sub(1).map(|last| draft.replies.iter().take(last))?;
    let wrong = earlier.flat_map(|reply| sentences(reply)).find_map(|sentence| {
        let wrong = with_other_numbers(sentence, severity, seed);
        // What is said of a bound is hardly wrong, and what another thing has may be meant of that.
        let is_plain = !sentence.ends_with('?') && !sentence.contains(" than ") && !sentence.contains(" about ");
        (wrong != sentence && is_plain && is_news(sentence, &wrong, &told)).then_some(wrong)
    })?;
    draft.replies.last_mut()?.push_str(&format!(" {wrong}"));
    Some(draft.into_plan())
}

/// What the calls return and the user says, as one text.
fn told(draft: &Draft) -> String {
    let played = draft.play();
    let returned = played.iter().filter_map(|call| call.result.as_ref().ok());
    let mut told: Vec<String> = returned.map(|applied| applied.observation.to_string()).collect();
    told.extend(draft.behaviour.turns.iter().cloned());
    told.join(" ")
}

/// Whether no number that is new in `wrong` stands in what was told, in whole units or in hundredths.
fn is_news(right: &str, wrong: &str, told: &str) -> bool {
    let numbers = |text| words(text).filter(|word: &&str| word.chars().all(|c| c.is_ascii_digit())).map(str::to_owned);
    let known: BTreeSet<String> = numbers(right).collect();
    let holds = |number: &String| words(told).any(|word| word == number || word.strip_suffix("00") == Some(number));
    numbers(wrong).filter(|number| !known.contains(number)).all(|number| !holds(&number))
}

/// The oracle's plan with its replies rewritten; `None` when that changes nothing.
fn rewritten(task: &Task, variant: Variant, rewrite: impl Fn(&str) -> String) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    let wrong: Vec<String> = draft.replies.iter().map(|reply| rewrite(reply)).collect();
    if wrong == draft.replies {
        return None;
    }
    draft.replies = wrong;
    Some(draft.into_plan())
}

/// Another number for each whole number that stands alone: no part of a name, a time or a date.
fn with_other_numbers(text: &str, severity: Severity, seed: u64) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: Option<usize>| index.and_then(|index| chars.get(index)).copied().unwrap_or(' ');
    let mut out = String::new();
    let mut start = 0;
    while let Some(first) = chars.get(start) {
        if !first.is_ascii_digit() {
            out.push(*first);
            start += 1;
            continue;
        }
        let length = chars.iter().skip(start).take_while(|c| c.is_ascii_digit()).count();
        let number: String = chars.iter().skip(start).take(length).collect();
        let (before, after) = (at(start.checked_sub(1)), at(Some(start + length)));
        let is_part = |c: char| c.is_alphanumeric() || "_-:/#".contains(c);
        let is_fraction = ".,".contains(before) && at(start.checked_sub(2)).is_ascii_digit();
        let alone = !is_part(before) && !is_part(after) && !is_fraction;
        out.push_str(&if alone { other_number(&number, severity, seed) } else { number });
        start += length;
    }
    out
}

/// One more, half as much again (at least two more), or one of as many digits that has nothing to do with it.
fn other_number(number: &str, severity: Severity, seed: u64) -> String {
    let Ok(value) = number.parse::<u64>() else { return number.to_owned() };
    let plain = |value: u64| format!("{value:0width$}", width = number.len());
    match severity {
        Severity::Mild => plain(value.saturating_add(1)),
        Severity::Medium => plain(value.saturating_add(value.div_ceil(2).max(2))),
        Severity::Severe => {
            let mut stream = Stream::new(seed, "misreports", number);
            let digits = format!("7{number}");
            let drawn = (0..16).map(|_| with_other_digits(&digits, &mut stream));
            drawn.into_iter().find(|drawn| *drawn != digits).unwrap_or(digits)
        }
    }
}

/// Each day that is written with its month, or as `2026-06-12`, so many days later; a day that was told of
/// something else is left alone. A month without a year is of the task's.
fn with_other_days(text: &str, days: i64, (told, year): (&str, i16)) -> String {
    let later = |date: Date| {
        let later = date.checked_add(jiff::Span::new().days(days)).ok();
        later.filter(|later| !told.contains(&later.to_string()))
    };
    let iso = by_words(text, |word| word.parse::<Date>().ok().and_then(later).map(|date| date.to_string()));
    let mut out = String::new();
    let mut rest = iso.as_str();
    // `12 June`: a number, a blank and a month.
    while let Some((at, month)) = MONTHS.iter().filter_map(|month| Some((rest.find(month)?, *month))).min() {
        let (before, after) = (rest.get(..at).unwrap_or_default(), rest.get(at + month.len()..).unwrap_or_default());
        let trimmed = before.strip_suffix(' ').unwrap_or(before);
        let digits = trimmed.len() - trimmed.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let day = trimmed.get(trimmed.len() - digits..).and_then(|day| day.parse::<i8>().ok());
        let number = MONTHS.iter().position(|name| *name == month).and_then(|at| i8::try_from(at + 1).ok());
        let date = day.zip(number).and_then(|(day, month)| Date::new(year, month, day).ok()).and_then(later);
        match date {
            Some(date) => {
                let name = usize::try_from(date.month() - 1).ok().and_then(|at| MONTHS.get(at)).unwrap_or(&month);
                out.push_str(trimmed.get(..trimmed.len() - digits).unwrap_or_default());
                out.push_str(&format!("{} {name}", date.day()));
            }
            None => out.push_str(&format!("{before}{month}")),
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_that_stand_alone_are_changed() {
        let mild = |text| with_other_numbers(text, Severity::Mild, 0);
        assert_eq!(mild("15.00 EUR for room 305, B0031 at 23:00."), "16.00 EUR for room 306, B0031 at 23:00.");
        assert_eq!(mild("on 2026-06-12: none"), "on 2026-06-12: none");
        assert_eq!(with_other_numbers("9 and 200", Severity::Medium, 0), "14 and 300");
        assert_eq!(with_other_numbers("94.00", Severity::Severe, 0).len(), 6);
    }

    #[test]
    fn days_are_moved_with_their_month() {
        assert_eq!(
            with_other_days("from 30 June to 2 July, 2026-06-12.", 1, ("", 2026)),
            "from 1 July to 3 July, 2026-06-13."
        );
        assert_eq!(with_other_days("May I? In June.", 10, ("", 2026)), "May I? In June.");
        assert_eq!(with_other_days("on 12 June", 1, ("2026-06-13", 2026)), "on 12 June");
        assert_eq!(with_other_days("on 28 February", 1, ("", 2028)), "on 29 February");
    }
}
