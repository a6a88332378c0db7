//! Values of a log that stand for others here: ids and times that a call made up, which are made anew in a replay.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use probity_engine::pointer::join;
use probity_engine::within::with_texts;

/// Most values of one dialogue that stand for others.
const MAX_PAIRS: usize = 1_000;

/// What stands for what, learnt call by call.
#[derive(Default)]
pub(super) struct StandIns(BTreeMap<String, String>);

impl StandIns {
    /// Learns from an observation what stands for what. `is_made` says whether a value of the replay is one that the call
    /// made.
    /// An error: the first path at which the observations differ otherwise, with both values.
    pub(super) fn learn(
        &mut self,
        recorded: &Value,
        given: &Value,
        is_made: &impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        self.compare("", recorded, given, is_made)
    }

    fn compare(
        &mut self,
        at: &str,
        recorded: &Value,
        given: &Value,
        is_made: &impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        let differ =
            || format!("{}: the log has {recorded}, the task gives {given}", if at.is_empty() { "/" } else { at });
        match (recorded, given) {
            (Value::Object(one), Value::Object(other)) => {
                let keys = |map: &Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
                if keys(one) != keys(other) {
                    return Err(differ());
                }
                one.iter()
                    .zip(other.values())
                    .try_for_each(|((key, one), other)| self.compare(&below(at, key), one, other, is_made))
            }
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
                let items = one.iter().zip(other).enumerate();
                items.into_iter().try_for_each(|(index, (one, other))| {
                    self.compare(&below(at, &index.to_string()), one, other, is_made)
                })
            }
            (Value::String(one), Value::String(other)) if one != other => {
                let is_known = self.0.get(one) == Some(other);
                let is_new = !self.0.contains_key(one) && !self.0.values().any(|value| value == other);
                if is_known
                    || (is_new
                        && self.0.len() < MAX_PAIRS
                        && is_generated(one)
                        && is_generated(other)
                        && is_made(other))
                {
                    self.0.insert(one.clone(), other.clone());
                    return Ok(());
                }
                Err(differ())
            }
            _ if recorded == given => Ok(()),
            _ => Err(differ()),
        }
    }

    /// Arguments with what stands here for their values.
    pub(super) fn fill(&self, value: &Value) -> Value {
        with_texts(value, &mut |text| Value::from(self.0.get(text).map_or(text, String::as_str)))
    }

    /// Words with what stands here for the values in them, as whole words.
    pub(super) fn words(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (recorded, given)| replaced(&text, recorded, given))
    }
}

fn below(at: &str, key: &str) -> String {
    format!("{at}{}", join([key]))
}

/// An id or a time: it has a digit, and is one word.
fn is_generated(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_whitespace)
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(from) {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_whole = !is_word(before.chars().next_back()) && !is_word(after.chars().next());
        made.push_str(before);
        made.push_str(if is_whole { to } else { from });
        rest = after;
    }
    made.push_str(rest);
    made
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn made_ids_stand_for_each_other_and_nothing_else_does() {
        let mut stand_ins = StandIns::default();
        let is_made = |value: &str| value.starts_with("B-");
        let learnt =
            |stand_ins: &mut StandIns, recorded: Value, given: Value| stand_ins.learn(&recorded, &given, &is_made);
        let recorded = json!({"booking_id": "9f3c-77", "room": "12", "total": 80});
        assert_eq!(
            learnt(&mut stand_ins, recorded, json!({"booking_id": "B-1001", "room": "12", "total": 80})),
            Ok(())
        );
        assert_eq!(stand_ins.fill(&json!({"id": "9f3c-77", "n": [1]})), json!({"id": "B-1001", "n": [1]}));
        assert_eq!(stand_ins.words("Booked: 9f3c-77, not 9f3c-771."), "Booked: B-1001, not 9f3c-771.");
        let wrong = learnt(&mut stand_ins, json!({"a": [{"total": 81}]}), json!({"a": [{"total": 80}]}));
        assert_eq!(wrong, Err("/a/0/total: the log has 81, the task gives 80".to_owned()));
        assert!(learnt(&mut stand_ins, json!("9f3c-77"), json!("B-1002")).is_err(), "one value has one meaning");
        assert!(learnt(&mut stand_ins, json!("2026-05-01"), json!("2026-05-02")).is_err(), "it was not made here");
        assert!(learnt(&mut stand_ins, json!({"a": 1}), json!({"b": 1})).is_err());
    }
}
