//! What the heuristic agent has heard and seen, in words, numbers, days and names, and how it fills a parameter from
//! that.

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::agent::{Parameter, ToolCard};
use probity_engine::ids::identifier_of;
use probity_engine::within::within;
use probity_prose::token::name_words;
use probity_prose::{MONTHS, SMALL_IN_WORDS};

/// Most objects that are remembered; the newest win.
const MAX_OBJECTS: usize = 400;
/// Most objects in a summary.
const MAX_TOLD: usize = 6;

#[derive(Default)]
pub struct Memory {
    pub said: String,
    latest: String,
    objects: Vec<Map<String, Value>>,
    today: Option<Date>,
}

impl Memory {
    /// Reads the date from what the agent was told.
    pub fn start(&mut self, system: &str) {
        self.today = words(system).into_iter().rev().find_map(|word| word.get(..10)?.parse().ok());
    }

    pub fn hear(&mut self, text: &str) {
        self.said.push_str(text);
        self.said.push('\n');
        text.clone_into(&mut self.latest);
    }

    /// Remembers every object in what a call returned.
    pub fn observe(&mut self, value: &Value) {
        self.objects.extend(within(value).filter_map(Value::as_object).cloned());
        let excess = self.objects.len().saturating_sub(MAX_OBJECTS);
        self.objects.drain(..excess);
    }

    /// A value for a parameter, if the words or an object give one.
    pub fn fill(&self, tool: &ToolCard, parameter: &Parameter) -> Option<Value> {
        let name = parameter.name.as_str();
        if let Some(values) = parameter.schema.get("enum").and_then(Value::as_array) {
            return values.iter().find(|value| self.mentions(value)).cloned();
        }
        let kind = parameter.schema.get("type").and_then(Value::as_str).unwrap_or_default();
        let is_date = parameter.schema.get("format") == Some(&Value::from("date"));
        match kind {
            "string" if is_date => {
                let date = dates(&self.said, self.today).first().map(|date| Value::from(date.to_string()));
                date.or_else(|| self.in_objects(name).filter(|_| parameter.is_required))
            }
            "string" if identifier_of(name).ends_with("_id") => self.in_objects(name).or_else(|| self.spoken_id()),
            "string" if tool.is_read || name.contains("name") => self.spoken_name(name, parameter.is_required),
            "string" => parameter.is_required.then(|| Value::from(self.last_sentence())),
            "integer" | "number" => {
                self.number(name).or_else(|| self.in_objects(name).filter(|_| parameter.is_required))
            }
            "boolean" => parameter.is_required.then_some(Value::Bool(true)),
            _ => None,
        }
    }

    /// The field of the object that shares most with what the user said; the newest of equals.
    fn in_objects(&self, field: &str) -> Option<Value> {
        let holding = self.objects.iter().filter(|object| object.contains_key(field));
        let best = holding.max_by_key(|object| object.values().filter(|value| self.mentions(value)).count())?;
        best.get(field).cloned()
    }

    fn mentions(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                let date = text.get(..10).and_then(|day| day.parse::<Date>().ok());
                if let Some(date) = date {
                    return dates(&self.said, self.today).contains(&date);
                }
                let spoken = words(&self.said);
                if spoken.iter().any(|word| word.eq_ignore_ascii_case(text)) {
                    return true;
                }
                let said: Vec<String> = spoken.into_iter().map(stem).collect();
                let parts: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|p| !p.is_empty()).collect();
                !parts.is_empty() && parts.iter().all(|part| said.contains(&stem(part)))
            }
            Value::Number(number) => {
                number.as_f64().is_some_and(|n| n > 1.0 && numbers(&self.said).iter().any(|(m, _)| *m == n))
            }
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        }
    }

    fn spoken_id(&self) -> Option<Value> {
        let is_id =
            |word: &&str| word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(|c| c.is_ascii_uppercase());
        words(&self.said).into_iter().find(is_id).map(Value::from)
    }

    fn spoken_name(&self, parameter: &str, is_required: bool) -> Option<Value> {
        let asked = name_words(parameter);
        let asked: Vec<&str> = asked.iter().map(|word| word.as_str()).collect();
        let is_person = matches!(asked[..], ["first" | "last", "name"]);
        let compound = words(&self.said).into_iter().find(|word| word.contains('-') && !word.ends_with('-'));
        if let Some(compound) = compound.filter(|_| is_required && !is_person) {
            return Some(Value::from(compound));
        }
        let full = names(&self.said).into_iter().next();
        let part = full.as_deref().and_then(|full| match asked[..] {
            ["first", "name"] => full.split(' ').next().filter(|_| full.contains(' ')),
            ["last", "name"] => full.split(' ').next_back(),
            _ => Some(full),
        });
        part.map(Value::from).filter(|_| is_required)
    }

    fn number(&self, parameter: &str) -> Option<Value> {
        let stems: Vec<String> = name_words(parameter).iter().map(|part| stem(part)).collect();
        let all = numbers(&self.said);
        let named = all.iter().find(|(_, next)| stems.contains(next)).map(|(number, _)| *number);
        let is_money = identifier_of(parameter).ends_with("cents");
        let number = named.or_else(|| all.iter().rev().map(|(number, _)| *number).next().filter(|_| is_money))?;
        let number = if is_money { number * 100.0 } else { number };
        #[expect(clippy::cast_possible_truncation, reason = "whole and far below 2^53")]
        let whole = (number.fract() == 0.0 && number.abs() < 1e12).then_some(number as i64);
        whole.map(Value::from)
    }

    fn last_sentence(&self) -> String {
        let mut sentences = self.latest.split_inclusive(['.', '!', '?']).map(str::trim).filter(|s| !s.is_empty());
        sentences.next_back().unwrap_or("noted").chars().take(120).collect()
    }

    /// What was found, for the user: the newest objects, field by field, money also in whole units.
    pub fn summary(&self) -> String {
        let told: Vec<String> = self.objects.iter().rev().take(MAX_TOLD).map(describe).collect();
        match told.is_empty() {
            true => "I could not find out what you need. Could you tell me more?".to_owned(),
            false => format!("Here is what I have: {}.", told.join("; ")),
        }
    }
}

fn describe(object: &Map<String, Value>) -> String {
    let fields = object.iter().filter_map(|(name, value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => match number.as_i64().filter(|_| identifier_of(name).ends_with("cents")) {
                Some(cents) => format!("{}.{:02}", cents / 100, (cents % 100).abs()),
                None => number.to_string(),
            },
            Value::Bool(flag) => flag.to_string(),
            Value::Array(items) => {
                let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                texts.join(" and ")
            }
            Value::Null | Value::Object(_) => return None,
        };
        Some(format!("{} {text}", name_words(name).join(" ")))
    });
    fields.collect::<Vec<_>>().join(", ")
}

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
