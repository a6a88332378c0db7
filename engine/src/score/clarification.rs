//! Clarification: asked for what was withheld, did not ask for what was said (RUT-Bench 4.3).

use serde::{Deserialize, Serialize};

use super::replayed::Replayed;
use crate::model::event::Event;
use crate::model::task_file::Fact;
use crate::model::verdict::{Finding, Measure};
use crate::task::phrase::Phrase;

/// Clarification of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// Occasions handled well, of all occasions. Without an occasion it is not scored.
    pub measure: Measure,
    /// What was not asked, or asked needlessly.
    pub findings: Vec<Finding>,
}

/// Scores clarification: one occasion for each withheld fact, and one for each question about a known one.
/// In a dialogue of one turn the user cannot answer, so nothing is scored.
pub fn score(replayed: &Replayed) -> Clarification {
    let mut well = 0;
    let mut findings = Vec::new();
    if replayed.behaviour.turns.len() > 1 {
        let questions = questions(replayed);
        for (name, fact) in &replayed.task.file().facts {
            let cues = compiled(fact.cues.iter().cloned());
            let mut asking = questions.iter().filter(|question| cues.iter().any(|cue| cue.is_in(question.text)));
            if replayed.behaviour.withheld.contains(name) {
                match asking.any(|question| question.turns_heard == 1) {
                    true => well += 1,
                    false => {
                        findings.push(Finding::new("not_asked", format!("`{name}` was withheld and not asked for")))
                    }
                }
            } else if let Some(question) =
                said_in_turn(replayed, fact).and_then(|turn| asking.find(|q| q.turns_heard >= turn))
            {
                let text = format!("`{name}` was asked for although the user had said it");
                findings.push(Finding::new("asked_needlessly", text).at_message(question.message));
            }
        }
    }
    let occasions = well + findings.len();
    Clarification { measure: Measure::of(well, occasions), findings }
}

/// Questions looked at in one reply; nobody asks more.
const MAX_QUESTIONS: usize = 32;

struct Question<'a> {
    message: u32,
    text: &'a str,
    turns_heard: usize,
}

fn compiled(phrases: impl Iterator<Item = String>) -> Vec<Phrase> {
    phrases.filter_map(|phrase| Phrase::parse(&phrase).ok()).collect()
}

/// The turn, from 1, in which the user first says a fact.
fn said_in_turn(replayed: &Replayed, fact: &Fact) -> Option<usize> {
    let ways = compiled(crate::task::build::ways_to_say(fact));
    let turns = replayed.trace.events.iter().filter_map(|event| match event {
        Event::User { text, .. } => Some(text),
        Event::Reply { .. } | Event::Step(_) | Event::Finding(_) | Event::End { .. } => None,
    });
    let said = |turn: &String| ways.iter().any(|way| way.is_in(turn));
    turns.into_iter().position(said).map(|position| position + 1)
}

/// The sentences with a question mark, with how many turns the agent had heard by then.
fn questions<'a>(replayed: &Replayed<'a>) -> Vec<Question<'a>> {
    let mut turns = 0;
    let mut questions = Vec::new();
    for event in &replayed.trace.events {
        match event {
            Event::User { .. } => turns += 1,
            Event::Reply { message, text, .. } => {
                let sentences = text.split_inclusive(['.', '!', '?', '\n']).filter(|s| s.trim_end().ends_with('?'));
                let new = |text| Question { message: *message, text, turns_heard: turns };
                questions.extend(sentences.take(MAX_QUESTIONS).map(new));
            }
            Event::Step(_) | Event::Finding(_) | Event::End { .. } => {}
        }
    }
    questions
}
