//! The customer: asks the recorded queries as far as the agent's replies lead.

use super::attempt::attempt;
use super::mode::Mode;
use super::past::{exchanged, recorded_until, said};
use super::tokens::TokenSource;
use crate::judge::Backend;
use crate::model::{Checkpoint, Ticket};
use crate::resolution::{Course, Next, Response, Rules};
use probity_bench::{Event, Past, Ruling, User, UserFault, Utterance};

pub struct Customer<'a> {
    ticket: &'a Ticket,
    judge: Box<dyn Backend + 'a>,
    way: Way<'a>,
    /// What was said and counts.
    past: Vec<Past>,
    query: Option<&'a str>,
}

enum Way<'a> {
    MultiTurn(Course<'a, Checkpoint>),
    SingleTurn(Response<'a>),
}

impl<'a> Customer<'a> {
    /// A customer who has said nothing but what the recorded history holds.
    pub fn new(ticket: &'a Ticket, mode: Mode, rules: Rules, judge: Box<dyn Backend + 'a>) -> Customer<'a> {
        let (number, way) = match mode {
            Mode::MultiTurn => (1, Way::MultiTurn(Course::new(&ticket.checkpoints, rules))),
            Mode::SingleTurn(number) => (number, Way::SingleTurn(Response::new(ticket, number, rules))),
        };
        Customer { ticket, judge, way, past: recorded_until(ticket, number), query: None }
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
        let last = self.query.replace(&checkpoint.query);
        let mut utterance = Utterance::scripted(&checkpoint.query);
        if let Some(last) = last {
            self.past.extend(exchanged(last, since));
            // What was said in between is no memory of the agent's: it begins anew with it.
            self.past.extend(said(&checkpoint.before));
            utterance.afresh = (!checkpoint.before.is_empty()).then(|| self.past.clone());
        }
        Some(utterance)
    }
}

impl User for Customer<'_> {
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        let next = match self.query {
            None => Next::Ask(self.first()),
            Some(_) => self.next(since),
        };
        if let Some(fault) = self.judge.fault() {
            return Err(UserFault(fault));
        }
        Ok(match next {
            Next::Ask(number) => self.ask(number, since),
            Next::Again(_) => self.query.map(|query| {
                let afresh = Some(self.past.clone());
                Utterance { afresh, ..Utterance::extra(query) }
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
