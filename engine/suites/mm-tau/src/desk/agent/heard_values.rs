//! What an agent has heard of the user's values.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::desk::task::{DeskCall, DeskFact};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeardValues(BTreeMap<String, String>);

impl HeardValues {
    pub fn get(&self, fact: &DeskFact) -> Option<&String> {
        self.0.get(&fact.name)
    }

    pub fn forget(&mut self, fact: &DeskFact) {
        self.0.remove(&fact.name);
    }

    pub fn take(&mut self, fact: &DeskFact, value: String) {
        self.0.insert(fact.name.clone(), value);
    }

    /// A call with what was heard in place of what is true.
    pub fn in_call(&self, call: &DeskCall, facts: &[DeskFact]) -> Value {
        let mut arguments = call.arguments.clone();
        for value in arguments.values_mut() {
            let Value::String(text) = value else { continue };
            let same = |fact: &&DeskFact| fact.is(text);
            if let Some(heard) = facts.iter().filter(|fact| fact.is_critical).find(same).and_then(|fact| self.get(fact))
            {
                *text = heard.clone();
            }
        }
        Value::Object(arguments)
    }
}

/// A value with another last digit, or another last letter.
pub fn spoilt(value: &str) -> String {
    let mut signs: Vec<char> = value.chars().collect();
    let digit = signs.iter_mut().rev().find(|sign| sign.is_ascii_digit());
    match digit {
        Some(sign) => *sign = if *sign == '9' { '0' } else { '9' },
        None => signs.push('x'),
    }
    signs.into_iter().collect()
}
