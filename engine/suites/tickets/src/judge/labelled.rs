//! Replies that a reader has labelled, and how far a judge agrees (paper, Table 7).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::model::Ticket;
use crate::resolution::Judge;
use crate::suite::TicketSuite;
use probity_bench::Measure;
use probity_bench::stats::kappa::{Weights, kappa};
use probity_engine::{Diagnostic, Problem};
use probity_ruling::lines;

/// A reply to the query of a checkpoint, and what a reader says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelledReply {
    /// The ticket.
    pub ticket: String,
    /// The checkpoint, from 1.
    pub checkpoint: usize,
    /// The words.
    pub reply: String,
    /// What the reader says.
    pub label: Label,
    /// Why, for people.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    Included,
    NotIncluded,
}

impl LabelledReply {
    /// Reads the labelled replies of a file.
    /// An error: all that is wrong, each with its line and column.
    pub fn read(file: &str, text: &str, suite: &TicketSuite) -> Result<Vec<LabelledReply>, Vec<Diagnostic>> {
        const HELP: &str = "docs/TICKETS.md, section \"Judging\", has the form of a line";
        let empty = Problem::error("", "no_replies", "the file has no reply").help(HELP);
        lines::read(file, text, empty, |reply: LabelledReply| {
            let checkpoints = suite.ticket(&reply.ticket).map_or(0, |ticket| ticket.checkpoints.len());
            if (1..=checkpoints).contains(&reply.checkpoint) {
                return Ok(reply);
            }
            let message = format!("there is no checkpoint {} of a ticket `{}`", reply.checkpoint, reply.ticket);
            Err(vec![Problem::error("/checkpoint", "unknown_checkpoint", message).help(HELP)])
        })
    }

    pub fn is_included(&self) -> bool {
        self.label == Label::Included
    }

    /// What a judge says of it after the recorded dialogue; nothing where no verdict came.
    pub fn judged(&self, ticket: &Ticket, judge: &mut dyn Judge) -> Option<bool> {
        match judge.covers(&self.reply, self.checkpoint, &ticket.replied_before(self.checkpoint)) {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::Error => None,
        }
    }
}

/// A judge beside a reader, or beside another judge: how many replies each held included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Confusion {
    pub both: usize,
    pub reader: usize,
    pub judge: usize,
    pub neither: usize,
    /// One of them says nothing; in no number below.
    pub unjudged: usize,
}

impl Confusion {
    /// What a reader and a judge say of the same replies, in their order.
    pub fn of(readers: &[Option<bool>], judges: &[Option<bool>]) -> Confusion {
        let mut confusion = Confusion::default();
        for pair in readers.iter().zip(judges) {
            let count = match pair {
                (Some(true), Some(true)) => &mut confusion.both,
                (Some(true), Some(false)) => &mut confusion.reader,
                (Some(false), Some(true)) => &mut confusion.judge,
                (Some(false), Some(false)) => &mut confusion.neither,
                (None, _) | (_, None) => &mut confusion.unjudged,
            };
            *count += 1;
        }
        confusion
    }

    /// Of those that the judge holds included, the share that the reader does; nothing over none.
    pub fn precision(&self) -> Option<f64> {
        Measure::of(self.both, self.both + self.judge).value()
    }

    /// Of those that the reader holds included, the share that the judge does; nothing over none.
    pub fn recall(&self) -> Option<f64> {
        Measure::of(self.both, self.both + self.reader).value()
    }

    /// The share of replies on which both say the same; nothing over none.
    pub fn accuracy(&self) -> Option<f64> {
        let Confusion { both, reader, judge, neither, .. } = *self;
        Measure::of(both + neither, both + reader + judge + neither).value()
    }

    /// Cohen's kappa; nothing where it has no value.
    pub fn kappa(&self) -> Option<f64> {
        let Confusion { both, reader, judge, neither, .. } = *self;
        let grades = [((1, 1), both), ((1, 0), reader), ((0, 1), judge), ((0, 0), neither)];
        let pairs: Vec<(u8, u8)> =
            grades.into_iter().flat_map(|(pair, count)| std::iter::repeat_n(pair, count)).collect();
        kappa(&pairs, Weights::Nominal).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_nothing_is_in_no_number() {
        let (yes, no) = (Some(true), Some(false));
        let confusion = Confusion::of(&[yes, yes, no, no, yes, None], &[yes, no, yes, no, None, yes]);
        assert_eq!(confusion, Confusion { both: 1, reader: 1, judge: 1, neither: 1, unjudged: 2 });
        assert_eq!((confusion.accuracy(), confusion.kappa()), (Some(0.5), Some(0.0)));
    }

    #[test]
    fn the_papers_table() {
        let paper = Confusion { both: 60, reader: 9, judge: 3, neither: 69, unjudged: 0 };
        assert!((paper.precision().unwrap() - 0.952).abs() < 1e-3 && (paper.recall().unwrap() - 0.870).abs() < 1e-3);
        assert!((paper.accuracy().unwrap() - 0.9149).abs() < 1e-4 && (paper.kappa().unwrap() - 0.829).abs() < 1e-3);
        assert_eq!((Confusion::default().accuracy(), Confusion::default().kappa()), (None, None));
    }
}
