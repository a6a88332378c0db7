//! One checkpoint alone, after the recorded dialogue that led to it.

use std::sync::Arc;

use super::course::{Judge, Next, mark};
use super::rules::Rules;
use super::session::{Attempt, Exchange, Marks, Termination};
use crate::judge::Verdict;
use crate::model::Ticket;

#[derive(Clone, Debug)]
pub struct Response {
    ticket: Arc<Ticket>,
    number: usize,
    rules: Rules,
    behind: Vec<Exchange>,
    /// What was done, attempt by attempt, with its marks and whether it counts.
    attempts: Vec<(Attempt, Marks, bool)>,
}

impl Response {
    /// Nothing was said yet to the query of this checkpoint, from 1.
    pub fn new(ticket: &Arc<Ticket>, number: usize, rules: Rules) -> Response {
        let earlier = ticket.checkpoints.iter().take(number - 1).enumerate();
        let behind =
            earlier.map(|(index, checkpoint)| Exchange { checkpoint: index + 1, reply: checkpoint.reply.clone() });
        Response { ticket: Arc::clone(ticket), number, rules, behind: behind.collect(), attempts: Vec::new() }
    }

    pub fn take(&mut self, attempt: Attempt, judge: &mut dyn Judge) -> Next {
        let reply = attempt.reply.as_deref();
        let rr = reply.map_or(Verdict::No, |reply| judge.covers(reply, self.number, &self.behind));
        let (marks, is_accepted) = mark(self.ticket.checkpoint(self.number), &attempt, rr, self.rules);
        self.attempts.push((attempt, marks, is_accepted));
        match is_accepted {
            true => Next::Over(Termination::Resolved),
            false if self.attempts.len() < self.rules.attempts as usize => Next::Again(self.number),
            false => Next::Over(Termination::Rejected),
        }
    }

    pub fn number(&self) -> usize {
        self.number
    }

    /// The attempts in order, each with its marks and whether it counts.
    pub fn attempts(&self) -> &[(Attempt, Marks, bool)] {
        &self.attempts
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }
}
