//! The judge that a language model speaks for (paper, C).

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Backend, Verdict, read_coverage, read_fluency};
use crate::model::{SaidFile, Ticket};
use crate::resolution::{Exchange, Judge};
use probity_bench::{Client, Ruling, Usage};
use probity_ruling::asker::{Asker, why_silent};

const COVERAGE: &str = "\
You compare two replies of a service agent to the same customer. A is the reference, B is to be judged.
1. Find what the customer wants at the end of the dialogue.
2. Find what A tells, asks or does about it: the answer, figures, steps, conditions, what is asked for.
3. Look for each of that in B. Other words, another order and more detail do not matter.
4. A check of identity, a warning about security or a confirmation code in A has to be in B.
B is Included only if nothing of that is missing or contradicted.
Answer with one of these lines and nothing else:
<result>Included</result>
<result>Not Included</result>";

const FLUENCY: &str = "\
You are the customer of a service desk. You see a dialogue, and the next thing that you would say.
Does it still make sense there? It does not if it answers a question nobody asked, speaks of something that never
came up, or asks for what was settled already.
Answer with one word: Yes or No.";

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

pub(super) fn covers(checkpoint: usize) -> String {
    format!("covers {checkpoint}")
}

pub(super) fn follows(checkpoint: usize) -> String {
    format!("follows {checkpoint}")
}

pub(super) fn verdict(name: Option<&str>) -> Verdict {
    match name {
        Some("yes") => Verdict::Yes,
        Some("no") => Verdict::No,
        Some(_) | None => Verdict::Error,
    }
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
        let name = |verdict| match verdict {
            Verdict::Yes => Some("yes".to_owned()),
            Verdict::No => Some("no".to_owned()),
            Verdict::Error => None,
        };
        match said {
            Ok(verdict) => {
                let verdict = verdict.unwrap_or(Verdict::Error);
                self.given.push(Ruling { asked, verdict: name(verdict), tries });
                verdict
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
