//! Clarification: asked for what was withheld, did not ask for what was said (RUT-Bench 4.3).

use serde::{Deserialize, Serialize};

use super::replayed::Replayed;
use crate::task::question::{self, FactPhrases, Ways};
use probity_bench::{Event, Finding, Measure};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clarification {
    /// Occasions handled well, of all occasions. Without an occasion it is not scored.
    pub measure: Measure,
    pub findings: Vec<Finding>,
}

/// Scores clarification: one occasion for each withheld fact, and one for each question about a known one.
/// In a dialogue of one turn nothing has to be asked, so nothing is scored.
pub fn score(replayed: &Replayed) -> Clarification {
    let mut well = 0;
    let mut findings = Vec::new();
    if replayed.behaviour.turns.len() > 1 {
        let questions = asked(replayed);
        for voice in replayed.task.voices() {
            let FactPhrases { name, cues, ways } = voice;
            let mut asking = questions.iter().filter(|question| cues.are_in(question.asked.text));
            if replayed.behaviour.withheld.contains(name) {
                match questions.iter().any(|question| question.turn == 1 && voice.is_asked_in(&question.asked)) {
                    true => well += 1,
                    false => {
                        findings.push(Finding::new("not_asked", format!("`{name}` was withheld and not asked for")))
                    }
                }
            } else if let Some(question) =
                said_in_utterance(replayed, ways).and_then(|said| asking.find(|q| q.utterances_heard >= said))
            {
                let text = format!("`{name}` was asked for although the user had said it");
                findings.push(Finding::new("asked_needlessly", text).at_message(question.message));
            }
        }
    }
    let occasions = well + findings.len();
    Clarification { measure: Measure::of(well, occasions), findings }
}

struct AskedQuestion<'a> {
    message: u32,
    asked: question::Question<'a>,
    turn: u32,
    /// How often the user had spoken by then, extra replies included.
    utterances_heard: usize,
}

/// The utterance, from 1, in which the user first says a fact.
fn said_in_utterance(replayed: &Replayed, ways: &Ways) -> Option<usize> {
    replayed.trace.heard().position(|(_, text)| ways.are_in(text)).map(|position| position + 1)
}

/// The questions of the replies, with what the agent had heard by then.
fn asked<'a>(replayed: &Replayed<'a>) -> Vec<AskedQuestion<'a>> {
    let (mut now, mut utterances_heard) = (0, 0);
    let mut read = replayed.read_replies().iter();
    let mut questions = Vec::new();
    for event in &replayed.trace.events {
        match event {
            Event::User { turn, .. } => {
                now = *turn;
                utterances_heard += 1;
            }
            Event::Reply { message, text, .. } => {
                let new = |asked| AskedQuestion { message: *message, asked, turn: now, utterances_heard };
                let sentences = read.next().map_or(&[][..], |reply| &reply.text().sentences);
                questions.extend(question::questions_in(text, sentences).into_iter().map(new));
            }
            Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    questions
}
