//! What the heuristic agent has heard and seen, and how it fills a parameter from that.

use jiff::civil::Date;
use probity_engine::within::within;
use serde_json::{Map, Value};

use super::card::{Parameter, ToolCard};
use super::words::{dates, names, numbers, stem, words};
use probity_engine::ids::identifier_of;
use probity_prose::token::name_words;

/// Most objects that are remembered; the newest win.
const MAX_OBJECTS: usize = 400;
/// Most objects in a summary.
const MAX_TOLD: usize = 6;

#[derive(Default)]
pub struct Memory {
    said: String,
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

    pub fn said(&self) -> &str {
        &self.said
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
