//! How much of an environment its exploration has reached, for people and machines.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    pub reached: usize,
    pub all: usize,
}

impl Count {
    pub fn add(&mut self, is_reached: bool) {
        self.all += 1;
        self.reached += usize::from(is_reached);
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.reached, self.all)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    pub environment: String,
    /// Calls that were tried; what came of each was found out twice.
    pub calls: usize,
    pub states: usize,
    pub tools: Count,
    pub error_codes: Count,
    /// Declared effects, each kind of change to each part of the state.
    pub effects: Count,
    pub events: Count,
    /// Fields that some call wrote, `collection.field`.
    pub fields_written: Vec<String>,
    /// Fields of what tools may change that no call wrote.
    pub fields_not_written: Vec<String>,
}

impl Coverage {
    /// The numbers in a line; with the fields below where it is asked for or something was not reached.
    pub fn to_text(&self, is_verbose: bool) -> String {
        let events = match self.events.all {
            0 => String::new(),
            _ => format!("{} events fired, ", self.events),
        };
        let mut text = format!(
            "{}: {} tools succeeded, {} error codes reached, {} effects seen, {events}{} calls in {} states\n",
            self.environment, self.tools, self.error_codes, self.effects, self.calls, self.states
        );
        let counts = [self.tools, self.error_codes, self.effects, self.events];
        if !is_verbose && counts.iter().all(|count| count.reached == count.all) {
            return text;
        }
        for (what, fields) in [("fields written", &self.fields_written), ("never written", &self.fields_not_written)] {
            if !fields.is_empty() {
                text.push_str(&format!("  {what}: {}\n", fields.join(", ")));
            }
        }
        text
    }
}
