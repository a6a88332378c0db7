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
            let is_withheld = replayed.behaviour.withheld.contains(name);
            let asked = questions.iter().find(|question| asks_for(question, fact));
            match (is_withheld, asked) {
                (true, Some(_)) => well += 1,
                (true, None) => {
                    findings.push(Finding::new("not_asked", format!("`{name}` was withheld and not asked for")))
                }
                (false, Some(question)) => {
                    let text = format!("`{name}` was asked for although the user had said it");
                    findings.push(Finding::new("asked_needlessly", text).at_message(question.message));
                }
                (false, None) => {}
            }
        }
    }
    let occasions = well + findings.len();
    Clarification { measure: Measure::of(well, occasions), findings }
}

struct Question<'a> {
    message: u32,
    text: &'a str,
    heard: String,
    is_first: bool,
}

/// The sentences with a question mark, with what the user had said by then.
fn questions<'a>(replayed: &Replayed<'a>) -> Vec<Question<'a>> {
    let mut heard = String::new();
    let mut turns = 0;
    let mut questions = Vec::new();
    for event in &replayed.trace.events {
        match event {
            Event::User { text, .. } => {
                heard.push_str(text);
                heard.push('\n');
                turns += 1;
            }
            Event::Reply { message, text, .. } => {
                let sentences = text.split_inclusive(['.', '!', '?', '\n']).filter(|s| s.trim_end().ends_with('?'));
                let new = |text| Question { message: *message, text, heard: heard.clone(), is_first: turns == 1 };
                questions.extend(sentences.map(new));
            }
            Event::Step(_) | Event::Finding(_) | Event::End { .. } => {}
        }
    }
    questions
}

/// Whether a question asks for a fact: by one of its cues; for a known fact only when the user had said it.
fn asks_for(question: &Question, fact: &Fact) -> bool {
    let has = |text: &str, phrase: &str| Phrase::parse(phrase).is_ok_and(|phrase| phrase.is_in(text));
    let by_cue = fact.cues.iter().any(|cue| has(question.text, cue));
    let said = crate::task::build::ways_to_say(fact).any(|way| has(&question.heard, &way));
    by_cue && (said || question.is_first)
}
