//! The customer: asks the recorded queries as far as the agent's replies lead.

use std::sync::Arc;

use super::attempt::attempt;
use super::mode::Mode;
use super::past::{exchanged, recorded_until, said};
use super::tokens::TokenSource;
use crate::judge::Backend;
use crate::model::{Checkpoint, Ticket};
use crate::resolution::{Course, Next, Response, Rules};
use probity_bench::{Event, Past, Ruling, User, UserFault, Utterance};

#[derive(Clone)]
pub struct Customer {
    ticket: Arc<Ticket>,
    judge: Box<dyn Backend>,
    way: Way,
    /// What was said and counts.
    past: Vec<Past>,
    /// The checkpoint whose query was asked last.
    asked: Option<usize>,
}

#[derive(Clone)]
enum Way {
    MultiTurn(Course<Checkpoint>),
    SingleTurn(Response),
}

impl Customer {
    /// A customer who has said nothing but what the recorded history holds.
    pub fn new(ticket: &Arc<Ticket>, mode: Mode, rules: Rules, judge: Box<dyn Backend>) -> Customer {
        let (number, way) = match mode {
            Mode::MultiTurn => (1, Way::MultiTurn(Course::new(&ticket.checkpoints, rules))),
            Mode::SingleTurn(number) => (number, Way::SingleTurn(Response::new(ticket, number, rules))),
        };
        Customer { ticket: Arc::clone(ticket), judge, way, past: recorded_until(ticket, number), asked: None }
    }

    fn next(&mut self, since: &[Event]) -> Next {
        let attempt = attempt(since, TokenSource::of(since));
        match &mut self.way {
            Way::MultiTurn(course) => course.take(attempt, self.judge.as_mut()),
            Way::SingleTurn(response) => response.take(attempt, self.judge.as_mut()),
        }
    }

    fn first(&self) -> usize {
        match &self.way {
            Way::MultiTurn(_) => 1,
            Way::SingleTurn(response) => response.number(),
        }
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
            None => Next::Ask(self.first()),
            Some(_) => self.next(since),
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
