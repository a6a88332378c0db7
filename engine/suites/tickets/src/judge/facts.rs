//! The judge that needs no model: a reply conveys what the recorded one does when it asserts every fact of the
//! checkpoint and keeps its markers; a query follows when what it leans on has happened.

use std::sync::LazyLock;

use regex::Regex;

use super::Verdict;
use crate::model::{Checkpoint, Fact, Need, SaidFile, Ticket, Unread};
use crate::resolution::{Exchange, Judge};
use probity_prose::{Calendar, Reply};

pub struct FactJudge<'a>(pub &'a Ticket);

/// The facts of a checkpoint that a reply does not assert, and the markers that it lacks, as authored.
pub fn lacking(checkpoint: &Checkpoint, reply: &str) -> Vec<String> {
    let read = Reply::read(reply, &Calendar::at(0));
    let requests: Vec<&str> = requests(reply).collect();
    let is_told = |fact: &Result<Fact, Unread>| {
        let Ok(Fact { answer, is_asked, is_requested }) = fact else { return false };
        answer.said_by(&read).is_some()
            || (*is_asked && answer.is_in(reply))
            || (*is_requested && requests.iter().any(|request| answer.is_in(request)))
    };
    let groups = checkpoint.facts.written().iter().zip(checkpoint.facts.read());
    let untold = groups.filter(|(_, group)| !group.iter().any(is_told));
    let untold = untold.filter_map(|(written, _)| named(written).map(str::to_owned));
    let lost = checkpoint.keep.iter().filter(|marker| !reply.contains(marker.as_str())).cloned();
    untold.chain(lost).collect()
}

/// A fact as people are told of it: the first of its texts that is no expression.
pub fn named(group: &[String]) -> Option<&str> {
    let plain = group.iter().find(|text| !text.starts_with("re:"));
    plain.or(group.first()).map(String::as_str)
}

/// What a reply asks politely to be done or given: *Could you send me the server ID?* is *Send me the server ID*. What
/// asks whether something is so is no such.
fn requests(reply: &str) -> impl Iterator<Item = &str> {
    static REQUEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:(?:could|can|would|will) you|would you mind|may i (?:have|ask)|might i (?:have|ask))\b[^.!?\n]*\?",
        )
        .ok()
    });
    static WHETHER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\b(?:if|whether)\b").ok());
    let asked = REQUEST.iter().flat_map(move |request| request.find_iter(reply)).map(|found| found.as_str());
    asked.filter(|asked| WHETHER.as_ref().is_some_and(|whether| !whether.is_match(asked)))
}

fn words(said: &SaidFile) -> &str {
    match said {
        SaidFile::User(text) | SaidFile::Agent(text) => text,
    }
}

impl FactJudge<'_> {
    fn has_happened(&self, need: &Need, behind: &[Exchange], asked: &Checkpoint) -> bool {
        match need {
            Need::Answered(number) => behind.iter().any(|exchange| exchange.checkpoint == *number),
            Need::Said(said) => {
                let mut all = self.said(behind).chain(asked.before.iter().map(words));
                said.read().is_ok_and(|answer| all.any(|text| answer.is_in(text)))
            }
        }
    }

    /// All that was said before: the history, and what came before each query and was replied to it.
    fn said<'t>(&'t self, behind: &'t [Exchange]) -> impl Iterator<Item = &'t str> {
        let exchanged = behind.iter().flat_map(move |exchange| {
            let checkpoint = self.0.checkpoint(exchange.checkpoint);
            let before = checkpoint.into_iter().flat_map(|checkpoint| &checkpoint.before).map(words);
            let query = checkpoint.map(|checkpoint| checkpoint.query.as_str());
            before.chain(query).chain(std::iter::once(exchange.reply.as_str()))
        });
        self.0.history.iter().map(words).chain(exchanged)
    }
}

impl Judge for FactJudge<'_> {
    fn covers(&mut self, reply: &str, checkpoint: usize, _behind: &[Exchange]) -> Verdict {
        match self.0.checkpoint(checkpoint) {
            Some(checkpoint) if lacking(checkpoint, reply).is_empty() => Verdict::Yes,
            Some(_) => Verdict::No,
            None => Verdict::Error,
        }
    }

    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict {
        let Some(asked) = self.0.checkpoint(checkpoint) else { return Verdict::Error };
        match asked.requires.iter().all(|need| self.has_happened(need, behind, asked)) {
            true => Verdict::Yes,
            false => Verdict::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polite_question_asks_for_what_an_order_does() {
        let asked = |reply: &'static str| requests(reply).collect::<Vec<_>>();
        assert_eq!(asked("Thanks. Could you send me the server ID?"), ["Could you send me the server ID?"]);
        assert_eq!(asked("Would you mind deleting the rule? Then reload."), ["Would you mind deleting the rule?"]);
        assert_eq!(asked("Can you see whether the disk is full?"), [""; 0]);
        assert_eq!(asked("Did you send the server ID?"), [""; 0]);
    }
}
