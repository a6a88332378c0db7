//! The judge that needs no model: a reply conveys what the recorded one does when it asserts every fact of the
//! checkpoint and keeps its markers; a query follows when what it leans on has happened.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::Verdict;
use crate::model::{Checkpoint, Fact, Need, RULES, SaidFile, Ticket, Unread};
use crate::resolution::{Exchange, Judge};
use probity_prose::{Calendar, Reply, token::tokens};

#[derive(Clone)]
pub struct FactJudge(pub Arc<Ticket>);

/// Facts that stand further apart than this, and than so many recorded replies are long, are not one answer.
const EXTENT: usize = 1_500;
const RECORDED_REPLIES: usize = 4;

/// The facts of a checkpoint, by its number, that a reply does not assert, and the markers that it lacks, as authored.
/// What it copies from what the agent was told does not count, nor what stands in no one answer with the rest.
pub fn lacking(ticket: &Ticket, number: usize, reply: &str) -> Vec<String> {
    let Some(checkpoint) = ticket.checkpoint(number) else { return Vec::new() };
    let own = own_words(reply, &checkpoint.reply, told(ticket, number));
    let lost = unsaid(checkpoint, &own);
    let extent = EXTENT.max(RECORDED_REPLIES * checkpoint.reply.len());
    if !lost.is_empty() || own.len() <= extent {
        return lost;
    }
    // What is said within half of such a stretch stands in one of them as a whole.
    let stretches = stretches(&own, extent);
    stretches.into_iter().map(|stretch| unsaid(checkpoint, stretch)).min_by_key(Vec::len).unwrap_or_default()
}

/// What an agent was told before it replies to the query of a checkpoint, its own replies aside.
fn told(ticket: &Ticket, number: usize) -> impl Iterator<Item = &str> {
    let asked = ticket.checkpoints.iter().take(number);
    let heard = asked.flat_map(|asked| asked.before.iter().filter_map(by_user).chain([asked.query.as_str()]));
    let references = ticket.references.iter().map(|document| document.text.as_str());
    [RULES].into_iter().chain(references).chain(ticket.history.iter().filter_map(by_user)).chain(heard)
}

fn by_user(said: &SaidFile) -> Option<&str> {
    match said {
        SaidFile::User(text) => Some(text),
        SaidFile::Agent(_) => None,
    }
}

/// A text in overlapping stretches of such a length, cut between words.
fn stretches(text: &str, extent: usize) -> Vec<&str> {
    let cut = |from: usize| {
        let after = text.get(from..).map_or(0, |rest| rest.find(char::is_whitespace).unwrap_or(rest.len()));
        from + after
    };
    let starts = (0..text.len()).step_by((extent / 2).max(1)).map(|from| floor(text, from));
    starts.filter_map(|from| text.get(if from == 0 { 0 } else { cut(from) }..cut(floor(text, from + extent)))).collect()
}

/// The place at or before another where a character begins.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

fn unsaid(checkpoint: &Checkpoint, reply: &str) -> Vec<String> {
    let read = Reply::read(reply, &Calendar::at(0));
    let requests: Vec<&str> = requests(reply).collect();
    let is_told = |fact: &Result<Fact, Unread>| {
        let Ok(Fact { answer, is_asked, is_requested }) = fact else { return false };
        answer.said_by(&read).is_some()
            || (*is_asked && answer.is_in(reply))
            || (*is_requested && requests.iter().any(|request| answer.is_in(request)))
    };
    let groups = checkpoint.facts.written.iter().zip(checkpoint.facts.read());
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

impl FactJudge {
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

impl Judge for FactJudge {
    fn covers(&mut self, reply: &str, checkpoint: usize, _behind: &[Exchange]) -> Verdict {
        match self.0.checkpoint(checkpoint) {
            Some(_) if lacking(&self.0, checkpoint, reply).is_empty() => Verdict::Yes,
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

/// So many words in a row that were told are copied; fewer are how people speak of the same thing.
const RUN: usize = 8;
/// So many copied words are a quotation, whatever the length of the recorded reply.
const QUOTATION: usize = 40;

/// A reply with blanks in place of what it copies from `told`. Quotations are its own words: as many words in a row as half
/// of the recorded reply has, or a few more, unless most of the reply is such.
pub(super) fn own_words<'t>(reply: &str, recorded: &str, told: impl Iterator<Item = &'t str>) -> String {
    let words = tokens(reply);
    if words.len() <= QUOTATION {
        return reply.to_owned();
    }
    let said: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let mut runs: BTreeMap<&[&str], Vec<usize>> = BTreeMap::new();
    said.windows(RUN).enumerate().for_each(|(at, run)| runs.entry(run).or_default().push(at));
    let mut is_copied = vec![false; said.len()];
    for text in told {
        let told = tokens(text);
        let told: Vec<&str> = told.iter().map(|word| word.folded.as_str()).collect();
        for at in told.windows(RUN).filter_map(|run| runs.get(run)).flatten() {
            is_copied.iter_mut().skip(*at).take(RUN).for_each(|word| *word = true);
        }
    }
    let most = (tokens(recorded).len() / 2).max(QUOTATION);
    let copied = is_copied.iter().filter(|copied| **copied).count();
    if copied <= most || 2 * copied <= said.len() {
        is_copied
            .chunk_by_mut(|one, next| one == next)
            .filter(|words| words.len() <= most)
            .for_each(|words| words.fill(false));
    }
    let mut signs: Vec<char> = reply.chars().collect();
    for (word, _) in words.iter().zip(&is_copied).filter(|(_, copied)| **copied) {
        signs.iter_mut().take(word.span.1).skip(word.span.0).for_each(|sign| *sign = ' ');
    }
    signs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_overlap_and_hold_all_of_a_text() {
        let text = "αβγ delta epsilon zeta eta theta iota kappa lambda";
        let found = stretches(text, 20);
        assert!(found[0].starts_with("αβγ") && found.iter().any(|stretch| stretch.ends_with("lambda")), "{found:?}");
        for word in text.split(' ') {
            assert!(
                found.iter().any(|stretch| stretch.split_whitespace().any(|held| held == word)),
                "{word}: {found:?}"
            );
        }
    }

    #[test]
    fn a_polite_question_asks_for_what_an_order_does() {
        let asked = |reply: &'static str| requests(reply).collect::<Vec<_>>();
        assert_eq!(asked("Thanks. Could you send me the server ID?"), ["Could you send me the server ID?"]);
        assert_eq!(asked("Would you mind deleting the rule? Then reload."), ["Would you mind deleting the rule?"]);
        assert_eq!(asked("Can you see whether the disk is full?"), [""; 0]);
        assert_eq!(asked("Did you send the server ID?"), [""; 0]);
    }

    const TOLD: &str = "A password has 12 to 30 characters of at least three kinds. A restart from the start menu does \
                        not count, and a page says nothing where a password is turned down. A server that is moved to \
                        another host begins from the start when it is restarted, and a resize is billed by the hour.";

    #[test]
    fn what_is_copied_counts_as_far_as_it_is_a_quotation() {
        let own = |reply: &str| own_words(reply, "Please reset it again.", [TOLD].into_iter());
        let quoting = "I looked it up for you. A password has 12 to 30 characters of at least three kinds, so the one \
                       that you have chosen is too short; please go to the page of the server, take a longer one there, \
                       and tell me whether the page says that it was taken, since it may say nothing at all.";
        assert_eq!(own(quoting), quoting);
        let pasted = format!("{TOLD} I hope that this helps.");
        assert_eq!(own(&pasted).trim_matches([' ', '.', ',']), "I hope that this helps");
        assert_eq!(own(TOLD).chars().count(), TOLD.chars().count());
    }
}
