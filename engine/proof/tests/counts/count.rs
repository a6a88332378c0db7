//! One thing that is counted beside the scripts, and what is so of it.

use super::seen::{Pair, Seen};

/// How two numbers that are counted stand to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Same,
    AtMost,
}

pub struct Count {
    /// The environment; every one where there is none.
    pub environment: &'static str,
    /// The only tool after whose calls it is counted, if not after all that changed something.
    pub tool: Option<&'static str>,
    pub says: &'static str,
    pub is: Is,
    pub pairs: fn(&Seen) -> Vec<Pair>,
}

impl Count {
    pub fn holds(&self, pair: &Pair) -> bool {
        match self.is {
            Is::Same => pair.one == pair.other,
            Is::AtMost => pair.one <= pair.other,
        }
    }

    /// Whether it is counted after such a call.
    pub fn is_due(&self, environment: &str, seen: &Seen) -> bool {
        let is_at_home = self.environment.is_empty() || self.environment == environment;
        is_at_home && self.tool.map_or(seen.differences() > 0, |tool| tool == seen.call.tool && seen.got.is_some())
    }
}

/// Two numbers that are one after every call that changed something.
pub const fn same(environment: &'static str, says: &'static str, pairs: fn(&Seen) -> Vec<Pair>) -> Count {
    Count { environment, tool: None, says, is: Is::Same, pairs }
}

/// The first number is never above the second.
pub const fn at_most(environment: &'static str, says: &'static str, pairs: fn(&Seen) -> Vec<Pair>) -> Count {
    Count { environment, tool: None, says, is: Is::AtMost, pairs }
}

impl Count {
    /// The same after calls of one tool alone.
    pub const fn after(self, tool: &'static str) -> Count {
        Count { tool: Some(tool), ..self }
    }
}
