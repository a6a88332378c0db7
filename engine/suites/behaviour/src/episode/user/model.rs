//! The model user: what the contract user means, in a model's words, as long as they say the same.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::json;

use super::checker::Checker;
use super::contract::ContractUser;
use super::manner::Manner;
use super::{User, UserFault, Utterance};
use crate::model::variant::Variant;
use crate::task::Task;
use probity_bench::{Client, EndReason, Event, Rephrased, Trace, Usage, reply_in};
use probity_ruling::asker::{Asker, why_silent};

/// Longest text of a refused attempt that the model is shown again, in characters.
const MAX_SHOWN: usize = 2000;

#[derive(Clone)]
pub struct ModelUser<'a> {
    contract: ContractUser<'a>,
    checker: Checker<'a>,
    voice: Speaker,
}

#[derive(Clone)]
enum Speaker {
    Asked(SpeakingModel),
    /// A trace: each utterance with how it came about, and why there was no further one.
    Recorded {
        words: VecDeque<(String, Rephrased)>,
        end: String,
    },
}

#[derive(Clone)]
struct SpeakingModel {
    client: Arc<Client>,
    model: String,
    unit: String,
    character: &'static str,
    usage: Usage,
}

impl<'a> ModelUser<'a> {
    /// A user whose words `model` finds; `unit` names the episode in a cassette.
    pub fn new(task: &'a Task, variant: Variant, client: Arc<Client>, model: String, unit: String) -> Option<Self> {
        let character = Manner::of(variant).character.as_str();
        let voice = Speaker::Asked(SpeakingModel { client, model, unit, character, usage: Usage::default() });
        Some(ModelUser { contract: ContractUser::new(task, variant)?, checker: Checker::of(task, variant)?, voice })
    }

    /// The user of a trace again: what it means is found anew, its words are taken from the trace and checked.
    pub fn recorded(task: &'a Task, trace: &Trace) -> Option<Self> {
        let variant = Variant::of(&trace.header.levels)?;
        let words = trace.events.iter().filter_map(|event| match event {
            Event::User { text, rephrased, .. } => Some((text.clone(), rephrased.clone()?)),
            Event::Reply { .. } | Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
        });
        let end = match trace.end() {
            Some((EndReason::UserUnreachable, Some(detail))) => detail.to_owned(),
            Some(_) | None => "the trace has no further words".to_owned(),
        };
        let voice = Speaker::Recorded { words: words.collect(), end };
        Some(ModelUser { contract: ContractUser::new(task, variant)?, checker: Checker::of(task, variant)?, voice })
    }
}

impl User for ModelUser<'_> {
    fn speak(&mut self, since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        self.contract.notice(since);
        let Some(meant) = self.contract.next(reply_in(since)) else { return Ok(None) };
        let (text, rephrased) = match &mut self.voice {
            Speaker::Asked(asked) => asked.rephrase(&self.checker, &meant.text)?,
            Speaker::Recorded { words, end } => {
                let (said, recorded) = words.pop_front().ok_or_else(|| UserFault(end.clone()))?;
                again(&self.checker, &meant.text, said, recorded)
            }
        };
        Ok(Some(Utterance { text, said: None, extra: meant.extra, rephrased: Some(rephrased), afresh: None }))
    }

    /// In the contract user's own words: there is nothing in them to rephrase.
    fn farewell(&self, since: &[Event]) -> Option<Utterance> {
        self.contract.farewell(since)
    }

    fn usage(&self) -> Option<Usage> {
        match &self.voice {
            Speaker::Asked(asked) => Some(asked.usage),
            Speaker::Recorded { .. } => None,
        }
    }
}

/// Recorded words if they say what is meant now; else the contract user's own, which then differ from the record.
fn again(checker: &Checker, meant: &str, said: String, recorded: Rephrased) -> (String, Rephrased) {
    let Rephrased { refused, fell_back, .. } = recorded;
    let holds = !fell_back && checker.check(&said, meant).is_ok();
    let text = if holds { said } else { meant.to_owned() };
    (text, Rephrased { meant: meant.to_owned(), refused, fell_back: !holds })
}

impl SpeakingModel {
    fn rephrase(&mut self, checker: &Checker, meant: &str) -> Result<(String, Rephrased), UserFault> {
        let mut messages = vec![
            json!({"role": "system", "content": brief(self.character)}),
            json!({"role": "user", "content": meant}),
        ];
        let mut refused = Vec::new();
        let asker = Asker::new(&self.client, &self.model, &self.unit);
        let said = asker.ask(&mut messages, &mut self.usage, |said, messages| {
            let said = said.map(|completion| completion.text.unwrap_or_default().trim().to_owned());
            let why = match said {
                Ok(said) if said.is_empty() => "empty: say something".to_owned(),
                Ok(said) => match checker.check(&said, meant) {
                    Ok(()) => return Some(said),
                    Err(refusal) => {
                        let shown: String = said.chars().take(MAX_SHOWN).collect();
                        messages.push(json!({"role": "assistant", "content": shown}));
                        refusal.to_string()
                    }
                },
                Err(_) => "unreadable: say it more simply".to_owned(),
            };
            let again = format!("{REFUSED} {why}. Write this again, as you were told: {meant}");
            messages.push(json!({"role": "user", "content": again}));
            refused.push(why);
            None
        });
        let said = said.map_err(|fault| UserFault(why_silent(fault, "run")))?;
        let fell_back = said.is_none();
        let text = said.unwrap_or_else(|| meant.to_owned());
        Ok((text, Rephrased { meant: meant.to_owned(), refused, fell_back }))
    }
}

/// How a message begins that tells the model why its words were refused.
pub const REFUSED: &str = "That was refused:";

fn brief(character: &str) -> String {
    format!(
        "You play {character}. You are given one message of that customer to a service agent. Write it in your own \
         words, in character. Keep every number, date, time, name, id and option exactly; keep every yes and no; keep \
         every wish and every question. Add no fact, no wish and no agreement. Write the customer's words alone."
    )
}
