//! The customer: asks the recorded queries as far as the agent's replies lead.

use std::sync::Arc;

use super::attempt::{TokenSource, attempt};
use super::brief::{Mode, exchanged, recorded_until, said};
use crate::judge::Backend;
use crate::model::{Checkpoint, Ticket};
use crate::resolution::{Course, Next, Rules};
use probity_bench::{Event, Past, Ruling, User, UserFault, Utterance};

#[derive(Clone)]
pub struct Customer {
    ticket: Arc<Ticket>,
    judge: Box<dyn Backend>,
    course: Course<Checkpoint>,
    /// What was said and counts.
    past: Vec<Past>,
    /// The checkpoint whose query was asked last.
    asked: Option<usize>,
}

/// The course of a ticket in a mode: all of it, or one checkpoint alone after the recorded dialogue that led to it.
pub fn course(ticket: &Ticket, mode: Mode, rules: Rules) -> Course<Checkpoint> {
    match mode {
        Mode::MultiTurn => Course::new(&ticket.checkpoints, rules),
        Mode::SingleTurn(number) => Course::alone(&ticket.checkpoints, number, ticket.replied_before(number), rules),
    }
}

impl Customer {
    /// A customer who has said nothing but what the recorded history holds.
    pub fn new(ticket: &Arc<Ticket>, mode: Mode, rules: Rules, judge: Box<dyn Backend>) -> Customer {
        let (course, past) = (course(ticket, mode, rules), recorded_until(ticket, mode.first()));
        Customer { ticket: Arc::clone(ticket), judge, course, past, asked: None }
    }

    fn ask(&mut self, number: usize, since: &[Event]) -> Option<Utterance> {
        let checkpoint = self.ticket.checkpoint(number)?;
        let last = self.asked.replace(number).and_then(|last| self.ticket.checkpoint(last));
        let mut utterance = Utterance::scripted(&checkpoint.query);
        if let Some(last) = last {
            self.past.extend(exchanged(&last.query, since));
            // What was said in between is no memory of the agent's: it begins anew with it.
            self.past.extend(said(&checkpoint.before));
            utterance.afresh = (!checkpoint.before.is_empty()).then(|| self.past.clone());
        }
        Some(utterance)
    }
}

impl User for Customer {
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        let next = match self.asked {
            None => Next::Ask(self.course.open),
            Some(_) => self.course.take(attempt(since, TokenSource::of(since)), self.judge.as_mut()),
        };
        if let Some(fault) = self.judge.fault() {
            return Err(UserFault(fault));
        }
        Ok(match next {
            Next::Ask(number) => self.ask(number, since),
            Next::Again(number) => self.ticket.checkpoint(number).map(|checkpoint| {
                let afresh = Some(self.past.clone());
                Utterance { afresh, ..Utterance::extra(&checkpoint.query) }
            }),
            Next::Over(_) => None,
        })
    }

    fn rulings(&mut self) -> Vec<Ruling> {
        self.judge.rulings()
    }

    fn usage(&self) -> Option<probity_bench::Usage> {
        self.judge.usage()
    }
}
