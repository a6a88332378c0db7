//! Words, stems, numbers and dates in plain text.

use jiff::civil::Date;

use probity_prose::{MONTHS, SMALL_IN_WORDS};

/// The words of a text: letters, digits and what holds them together.
pub fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '@' | '_' | ':');
    text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['.', ':', '-'])).filter(|w| !w.is_empty()).collect()
}

/// A word without its usual endings, so that `bookings`, `booked` and `booking` meet.
pub fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let cut = ["ations", "ation", "ments", "ment", "ings", "ing", "ies", "ed", "es", "s", "e", "y"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= 3));
    cut.unwrap_or(&word).to_owned()
}

/// The numbers of a text with the word that follows each.
pub fn numbers(text: &str) -> Vec<(f64, String)> {
    let all = words(text);
    let mut found = Vec::new();
    for (index, word) in all.iter().enumerate() {
        let small = SMALL_IN_WORDS.iter().position(|small| small.eq_ignore_ascii_case(word));
        let number = word.parse::<f64>().ok().filter(|n| n.is_finite());
        let number = number.or_else(|| small.and_then(|n| u32::try_from(n).ok()).map(f64::from));
        if let Some(number) = number {
            found.push((number, all.get(index + 1).map(|next| stem(next)).unwrap_or_default()));
        }
    }
    found
}

/// The dates of a text, as seen from `today`.
pub fn dates(text: &str, today: Option<Date>) -> Vec<Date> {
    let all = words(text);
    let mut found = Vec::new();
    for (index, word) in all.iter().enumerate() {
        let near = |offset: usize| index.checked_sub(offset).and_then(|at| all.get(at)).copied();
        let next = all.get(index + 1).copied();
        let month = next.and_then(month_of).or_else(|| near(1).and_then(month_of));
        found.extend(word.get(..10).and_then(|day| day.parse::<Date>().ok()));
        found.extend(today.and_then(|today| named_day(word, today)));
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let day = digits.parse::<i8>().ok().filter(|day| (1..=31).contains(day));
        if let (Some(day), Some(today)) = (day, today) {
            match month {
                Some(month) => found.extend(Date::new(today.year(), month, day).ok()),
                None if digits.len() < word.len() => found.extend(coming(today, day)),
                None => {}
            }
        }
    }
    found
}

fn month_of(word: &str) -> Option<i8> {
    let start = word.get(..3)?.to_lowercase();
    let position = MONTHS.iter().position(|month| month.starts_with(&start))?;
    i8::try_from(position + 1).ok()
}

fn named_day(word: &str, today: Date) -> Option<Date> {
    match word.to_lowercase().as_str() {
        "today" => Some(today),
        "tomorrow" => today.tomorrow().ok(),
        "yesterday" => today.yesterday().ok(),
        _ => None,
    }
}

fn coming(today: Date, day: i8) -> Option<Date> {
    let this = Date::new(today.year(), today.month(), day).ok().filter(|date| *date >= today);
    this.or_else(|| Date::new(today.year(), today.month() + 1, day).ok())
}

/// Runs of capitalised words, longest first: names of people and things.
pub fn names(text: &str) -> Vec<String> {
    let mut runs: Vec<Vec<&str>> = vec![Vec::new()];
    for piece in text.split_inclusive([' ', '\n']) {
        let ends = piece.trim_end().ends_with(['.', ',', '!', '?', ';', ':']);
        let word = words(piece).pop().unwrap_or_default();
        let is_name = word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().count() > 1
            && word.chars().skip(1).all(|c| c.is_lowercase() || c == '-');
        match runs.last_mut() {
            Some(run) if is_name => run.push(word),
            Some(_) | None => runs.push(Vec::new()),
        }
        if ends {
            runs.push(Vec::new());
        }
    }
    runs.retain(|run| !run.is_empty());
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs.into_iter().map(|run| run.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_meet_by_their_stems() {
        assert_eq!(stem("bookings"), stem("booking"));
        assert_eq!(stem("cancelled").get(..6), Some("cancel"));
    }

    #[test]
    fn dates_and_numbers_are_found() {
        let today = "2026-06-11".parse().ok();
        let found: Vec<String> =
            dates("tomorrow, 14 June, the 20th, 2026-07-01", today).iter().map(Date::to_string).collect();
        assert_eq!(found, ["2026-06-12", "2026-06-14", "2026-06-20", "2026-07-01"]);
        assert_eq!(numbers("three nights for 95.50"), [(3.0, "night".to_owned()), (95.5, String::new())]);
        assert_eq!(names("I'm Ines Okafor from Lagos")[0], "Ines Okafor");
    }
}
