//! The judge that needs no model: a reply conveys what the recorded one does when it asserts every fact of the
//! checkpoint and keeps its markers; a query follows when what it leans on has happened.

use super::Verdict;
use crate::model::{Checkpoint, Need, SaidFile, Ticket};
use crate::resolution::{Exchange, Judge};
use probity_prose::{Answer, Calendar, Reply};

/// Judges by the facts of a ticket.
pub struct FactJudge<'a>(pub &'a Ticket);

/// The facts of a checkpoint that a reply does not assert, and the markers that it lacks, as authored.
pub fn lacking(checkpoint: &Checkpoint, reply: &str) -> Vec<String> {
    let read = Reply::read(reply, &Calendar::at(0));
    let is_told = |answer: &Answer| answer.said_by(&read).is_some() || asks_for(answer, reply, checkpoint);
    let untold = checkpoint.facts.iter().filter(|group| !group.iter().any(is_told));
    let untold = untold.filter_map(|group| named(group).map(str::to_owned));
    let lost = checkpoint.keep.iter().filter(|marker| !reply.contains(marker.as_str())).cloned();
    untold.chain(lost).collect()
}

/// A fact as people are told of it: the first of its texts that is no expression.
pub fn named(group: &[Answer]) -> Option<&str> {
    let plain = group.iter().find(|answer| !answer.source.starts_with("re:"));
    plain.or(group.first()).map(|answer| answer.source.as_str())
}

/// Where the recorded reply asks, what matters is that it is asked for.
fn asks_for(answer: &Answer, reply: &str, checkpoint: &Checkpoint) -> bool {
    !answer.is_said_in(&checkpoint.reply) && answer.is_in(&checkpoint.reply) && answer.is_in(reply)
}

impl FactJudge<'_> {
    fn has_happened(&self, need: &Need, behind: &[Exchange]) -> bool {
        match need {
            Need::Answered(number) => behind.iter().any(|exchange| exchange.checkpoint == *number),
            Need::Said(answer) => self.said(behind).any(|text| answer.is_in(text)),
        }
    }

    /// All that was said before: the history, and what came before each query and was replied to it.
    fn said<'t>(&'t self, behind: &'t [Exchange]) -> impl Iterator<Item = &'t str> {
        let text = |said: &'t SaidFile| match said {
            SaidFile::User(text) | SaidFile::Agent(text) => text.as_str(),
        };
        let exchanged = behind.iter().flat_map(move |exchange| {
            let checkpoint = self.0.checkpoints.get(exchange.checkpoint - 1);
            let before = checkpoint.into_iter().flat_map(|checkpoint| &checkpoint.before).map(text);
            let query = checkpoint.map(|checkpoint| checkpoint.query.as_str());
            before.chain(query).chain(std::iter::once(exchange.reply.as_str()))
        });
        self.0.history.iter().map(text).chain(exchanged)
    }
}

impl Judge for FactJudge<'_> {
    fn covers(&mut self, reply: &str, checkpoint: usize, _behind: &[Exchange]) -> Verdict {
        match self.0.checkpoints.get(checkpoint - 1) {
            Some(checkpoint) if lacking(checkpoint, reply).is_empty() => Verdict::Yes,
            Some(_) => Verdict::No,
            None => Verdict::Error,
        }
    }

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict {
        let Some(asked) = self.0.checkpoints.get(checkpoint - 1) else { return Verdict::Error };
        match asked.requires.iter().all(|need| self.has_happened(need, behind)) {
            true => Verdict::Yes,
            false => Verdict::No,
        }
    }
}
