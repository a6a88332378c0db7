//! The judge that a language model speaks for (paper, C), and what it decided once, decided again.

use std::collections::VecDeque;
use std::sync::Arc;

use dyn_clone::DynClone;
use serde_json::{Value, json};

use super::{FactJudge, Verdict, read_coverage, read_fluency};
use crate::model::{SaidFile, Ticket};
use crate::resolution::{Exchange, Judge};
use probity_bench::{Client, EndReason, Event, Ruling, Trace, Usage};
use probity_ruling::asker::{Asker, why_silent};

const COVERAGE: &str = include_str!("coverage.txt").trim_ascii_end();

const FLUENCY: &str = include_str!("fluency.txt").trim_ascii_end();

#[derive(Clone)]
pub struct ModelJudge {
    ticket: Arc<Ticket>,
    client: Arc<Client>,
    model: String,
    unit: String,
    usage: Usage,
    given: Vec<Ruling>,
    fault: Option<String>,
}

fn covers(checkpoint: usize) -> String {
    format!("covers {checkpoint}")
}

fn follows(checkpoint: usize) -> String {
    format!("follows {checkpoint}")
}

impl ModelJudge {
    /// A judge of a ticket by `model`; `unit` names the episode in a cassette.
    pub fn new(ticket: Arc<Ticket>, client: Arc<Client>, model: String, unit: String) -> ModelJudge {
        ModelJudge { ticket, client, model, unit, usage: Usage::default(), given: Vec::new(), fault: None }
    }

    /// Asks until there is a verdict that can be read.
    fn ask(&mut self, asked: String, messages: &[Value], read: fn(&str) -> Verdict) -> Verdict {
        if self.fault.is_some() {
            return Verdict::Error;
        }
        let mut tries = 0;
        let asker = Asker::new(&self.client, &self.model, &self.unit);
        let said = asker.ask(&mut messages.to_vec(), &mut self.usage, |said, _| {
            tries += 1;
            Some(read(&said.ok()?.text?)).filter(|verdict| *verdict != Verdict::Error)
        });
        match said {
            Ok(verdict) => {
                self.given.push(Ruling { asked, verdict: verdict.map(|verdict| verdict.name().to_owned()), tries });
                verdict.unwrap_or(Verdict::Error)
            }
            Err(fault) => {
                self.fault = Some(why_silent(fault, "run"));
                Verdict::Error
            }
        }
    }

    /// The dialogue as far as it counts, the customer's query of a checkpoint last.
    fn dialogue(&self, behind: &[Exchange], checkpoint: usize) -> Vec<Value> {
        let said = |said: &SaidFile| match said {
            SaidFile::User(text) => json!({"customer": text}),
            SaidFile::Agent(text) => json!({"agent": text}),
        };
        let mut all: Vec<Value> = self.ticket.history.iter().map(said).collect();
        let reached = behind.iter().map(|exchange| (exchange.checkpoint, Some(&exchange.reply)));
        for (number, reply) in reached.chain([(checkpoint, None)]) {
            let Some(checkpoint) = self.ticket.checkpoint(number) else { continue };
            all.extend(checkpoint.before.iter().map(said));
            all.push(json!({"customer": checkpoint.query}));
            all.extend(reply.map(|reply| json!({"agent": reply})));
        }
        all
    }
}

fn messages(system: &str, told: &Value) -> [Value; 2] {
    [json!({"role": "system", "content": system}), json!({"role": "user", "content": told.to_string()})]
}

impl Judge for ModelJudge {
    fn covers(&mut self, reply: &str, checkpoint: usize, behind: &[Exchange]) -> Verdict {
        let Some(goal) = self.ticket.checkpoint(checkpoint) else { return Verdict::Error };
        let dialogue = self.dialogue(behind, checkpoint);
        let told = json!({"dialogue": dialogue, "reply_a": goal.reply, "reply_b": reply});
        self.ask(covers(checkpoint), &messages(COVERAGE, &told), read_coverage)
    }

    /// The model sees what was said, never what should have been.
    fn is_fluent(&mut self, behind: &[Exchange], checkpoint: usize) -> Verdict {
        let mut dialogue = self.dialogue(behind, checkpoint);
        let next = dialogue.pop();
        let told = json!({"dialogue": dialogue, "next": next});
        self.ask(follows(checkpoint), &messages(FLUENCY, &told), read_fluency)
    }
}

impl Backend for ModelJudge {
    fn rulings(&mut self) -> Vec<Ruling> {
        std::mem::take(&mut self.given)
    }

    fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    fn usage(&self) -> Option<Usage> {
        Some(self.usage)
    }
}

/// Says again what a trace recorded of its judge.
#[derive(Clone)]
pub struct RecordedJudge {
    left: VecDeque<Ruling>,
    given: Vec<Ruling>,
    end: Option<String>,
    has_ended: bool,
}

impl RecordedJudge {
    pub fn new(trace: &Trace) -> RecordedJudge {
        let end = match trace.end() {
            Some((EndReason::UserUnreachable, detail)) => Some(detail.unwrap_or_default().to_owned()),
            Some(_) | None => None,
        };
        RecordedJudge {
            left: trace.events.iter().filter_map(Event::ruling).cloned().collect(),
            given: Vec::new(),
            end,
            has_ended: false,
        }
    }

    fn next(&mut self, asked: &str) -> Verdict {
        match self.left.pop_front() {
            Some(ruling) if ruling.asked == asked => {
                let verdict = ruling.verdict.as_deref().and_then(Verdict::from_name).unwrap_or(Verdict::Error);
                self.given.push(ruling);
                verdict
            }
            Some(_) | None => {
                self.has_ended = true;
                Verdict::Error
            }
        }
    }
}

impl Judge for RecordedJudge {
    fn covers(&mut self, _reply: &str, checkpoint: usize, _behind: &[Exchange]) -> Verdict {
        self.next(&covers(checkpoint))
    }

    fn is_fluent(&mut self, _behind: &[Exchange], checkpoint: usize) -> Verdict {
        self.next(&follows(checkpoint))
    }
}

impl Backend for RecordedJudge {
    fn rulings(&mut self) -> Vec<Ruling> {
        std::mem::take(&mut self.given)
    }

    fn fault(&self) -> Option<String> {
        let missing = || "the trace has no further verdict".to_owned();
        self.has_ended.then(|| self.end.clone().unwrap_or_else(missing))
    }
}

/// A judge, and what there is to know of how it came to its verdicts.
pub trait Backend: Judge + DynClone + Send + Sync {
    /// What a model decided since it was last asked for that.
    fn rulings(&mut self) -> Vec<Ruling> {
        Vec::new()
    }

    /// Why it can judge no more: its provider could not be reached.
    fn fault(&self) -> Option<String> {
        None
    }

    /// What its provider was asked for; nothing for a judge without one.
    fn usage(&self) -> Option<Usage> {
        None
    }
}

impl Backend for FactJudge {}

dyn_clone::clone_trait_object!(Backend);
