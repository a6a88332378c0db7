//! A user who leaves where a dialogue has come to its limits.

use super::protocol::Spent;
use probity_bench::{Event, Ruling, Usage, User, UserFault, Utterance, reply_in};
use probity_engine::ToolCall;

/// A user who leaves where too much was said or refused, or where the agent came to no reply.
#[derive(Clone)]
pub struct LimitedUser<U> {
    user: U,
    spent: Spent,
    /// How much of what happened since they last spoke is counted.
    counted: usize,
    has_spoken: bool,
    has_left: bool,
}

impl<U: User> LimitedUser<U> {
    pub fn new(user: U) -> LimitedUser<U> {
        LimitedUser { user, spent: Spent::default(), counted: 0, has_spoken: false, has_left: false }
    }

    fn count(&mut self, since: &[Event]) {
        self.spent.add(since.get(self.counted..).unwrap_or_default());
        self.counted = since.len();
        let is_cut = self.has_spoken && reply_in(since).is_none();
        self.has_left |= is_cut || self.spent.limit().is_some();
    }
}

impl<U: User + Clone> User for LimitedUser<U> {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        self.count(since);
        if self.has_left { None } else { self.user.act(since) }
    }

    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        self.count(since);
        if self.has_left {
            return Ok(None);
        }
        let said = self.user.speak(since)?;
        if let Some(said) = &said {
            self.spent.add(&[Event::user(1, said.text.as_str())]);
            (self.counted, self.has_spoken) = (0, true);
        }
        Ok(said)
    }

    fn farewell(&self, since: &[Event]) -> Option<Utterance> {
        if self.has_left { None } else { self.user.farewell(since) }
    }

    fn rulings(&mut self) -> Vec<Ruling> {
        self.user.rulings()
    }

    fn usage(&self) -> Option<Usage> {
        self.user.usage()
    }
}
