//! The values that a state, the tasks and earlier observations offer as arguments, by field name.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use probity_behaviour::task::Task;
use probity_engine::State;
use probity_engine::ids::{ends_in, identifier};

/// Values of one name that are kept at most.
const KEPT: usize = 24;
/// Names below this length are identifiers of less than 64 characters.
const SHORT: usize = 32;

/// Values by the name they stood under.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    fields: BTreeMap<String, Vec<Value>>,
    /// How many of a name's latest values are kept; of others the first ones are.
    latest: Option<usize>,
}

/// How near the name of a field is to that of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// The last word is the same: `amount_cents` and `balance_cents`.
    LastWord,
    /// One name ends with the other: `from_account_id` and `account_id`.
    Ending,
    Same,
}

impl Vocabulary {
    /// An empty one, which keeps so many of the latest values of each name.
    pub fn of_latest(count: usize) -> Self {
        Vocabulary { latest: Some(count), ..Vocabulary::default() }
    }

    /// What the tasks of an environment know: facts, and the plain arguments of their oracles.
    pub fn of_tasks(tasks: &[&Task]) -> Self {
        let mut vocabulary = Vocabulary::default();
        for task in tasks {
            for (name, fact) in &task.file().facts {
                vocabulary.add(name, &fact.value);
            }
            for call in task.outcomes().iter().flat_map(|outcome| &outcome.oracle) {
                for (name, value) in &call.arguments {
                    vocabulary.add(name, value);
                }
            }
        }
        vocabulary
    }

    /// What stands in a state, under the names of its fields.
    pub fn of_state(state: &State) -> Self {
        let mut vocabulary = Vocabulary::default();
        for slot in 0..state.shape().slots.len() {
            for (_, fields) in state.entities(slot) {
                vocabulary.add_fields(fields);
            }
        }
        vocabulary
    }

    /// Takes in a value that stood under `name`; what stands within it goes under its own name.
    pub fn add(&mut self, name: &str, value: &Value) {
        match value {
            Value::Object(fields) => self.add_fields(fields),
            Value::Array(items) => items.iter().for_each(|item| self.add(name, item)),
            Value::Null => {}
            Value::String(text) if text.starts_with('$') || text.len() > 200 => {}
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                if !self.fields.contains_key(name) {
                    self.fields.insert(name.to_owned(), Vec::new());
                }
                let Some(known) = self.fields.get_mut(name) else { return };
                if known.contains(value) {
                    return;
                }
                if self.latest.is_some_and(|most| known.len() >= most) {
                    known.remove(0);
                }
                if known.len() < KEPT {
                    known.push(value.clone());
                }
            }
        }
    }

    fn add_fields(&mut self, fields: &Map<String, Value>) {
        fields.iter().for_each(|(name, value)| self.add(name, value));
    }

    /// Values under names at least so near to a parameter's, the nearest first.
    pub fn near(&self, parameter: &str, least: Nearness) -> Vec<Value> {
        let mut found: Vec<(Nearness, &Vec<Value>)> = self
            .fields
            .iter()
            .filter_map(|(field, values)| Some((nearness(parameter, field)?, values)))
            .filter(|(near, _)| *near >= least)
            .collect();
        found.sort_by_key(|(near, _)| std::cmp::Reverse(*near));
        // In turn, so that no field crowds out the others of its nearness.
        let mut values = Vec::new();
        for group in found.chunk_by(|one, other| one.0 == other.0) {
            let longest = group.iter().map(|(_, values)| values.len()).max().unwrap_or_default();
            let row = |index: usize| group.iter().filter_map(move |(_, values)| values.get(index).cloned());
            values.extend((0..longest).flat_map(row));
        }
        values
    }

    /// All texts, whatever they stand under.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.fields.values().flatten().filter_map(Value::as_str)
    }
}

pub fn nearness(parameter: &str, field: &str) -> Option<Nearness> {
    // Most names are told apart by their last letter. Of a long one the identifier may end before it.
    let last = |name: &str| name.chars().rfind(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    if parameter.len().max(field.len()) < SHORT && last(parameter) != last(field) {
        return None;
    }
    let (parameter, field) = (identifier(parameter), identifier(field));
    match parameter == field {
        true => Some(Nearness::Same),
        false if ends_in(&parameter, &field) || ends_in(&field, &parameter) => Some(Nearness::Ending),
        false => (parameter.rsplit('_').next() == field.rsplit('_').next()).then_some(Nearness::LastWord),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_near_by_their_ends() {
        assert!(nearness("account_id", "account_id") == Some(Nearness::Same));
        assert!(nearness("from_account_id", "account_id") == Some(Nearness::Ending));
        assert!(nearness("nights", "extra_nights") == Some(Nearness::Ending));
        assert!(nearness("amount_cents", "balance_cents") == Some(Nearness::LastWord));
        assert!(nearness("accounts", "counts").is_none());
        assert!(nearness("accountID-", "from_account_Id") == Some(Nearness::Ending));
        assert!(nearness("user_id", "user_ids").is_none());
    }

    #[test]
    fn the_nearest_values_come_first_and_fields_take_turns() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add("part", &json!({"a_cents": [1, 2, 3], "b_cents": [7], "fee_cents": 9, "other": 5}));
        assert_eq!(
            vocabulary.near("fee_cents", Nearness::LastWord),
            [json!(9), json!(1), json!(7), json!(2), json!(3)]
        );
        assert_eq!(vocabulary.near("late_fee_cents", Nearness::Ending), [json!(9)]);
    }

    #[test]
    fn the_latest_values_take_the_place_of_the_first() {
        let mut vocabulary = Vocabulary::of_latest(2);
        vocabulary.add("rooms", &json!([{"room_id": "1"}, {"room_id": "2"}, {"room_id": "2"}, {"room_id": "3"}]));
        assert_eq!(vocabulary.near("room_id", Nearness::Same), [json!("2"), json!("3")]);
    }
}
