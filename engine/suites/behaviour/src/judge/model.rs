//! A judge behind a model: asked once for each episode, and again while its reply cannot be used.

use std::sync::Arc;

use serde_json::json;

use super::judgement::{JudgeCard, Judged, NoGrades, Sampling};
use super::prompt::Wording;
use super::question::{JudgeQuestion, Subject};
use probity_bench::{Client, Completion, Fault, ProviderConfig, Usage};
use probity_ruling::asker::{Asker, why_silent};

/// Most characters of an unusable reply that go back to the judge and into the file.
const MAX_REPLY: usize = 2000;

pub struct ModelJudge {
    client: Arc<Client>,
    model: String,
    wording: Wording,
}

impl ModelJudge {
    pub fn new(client: Arc<Client>, model: impl Into<String>, wording: Wording) -> Self {
        ModelJudge { client, model: model.into(), wording }
    }

    pub fn card(&self) -> JudgeCard {
        card(&self.model, self.wording, self.client.config())
    }

    /// Its judgement of an episode. `unit` names it in a cassette.
    /// An error: everything was asked to stop.
    pub fn judge(&self, subject: &Subject, unit: &str, usage: &mut Usage) -> Result<Judged, Fault> {
        let question = JudgeQuestion::of(subject, self.wording);
        if question.is_empty() {
            return Ok(Judged::Sentences { sentences: Vec::new() });
        }
        let asked = question.messages();
        let (mut why, mut reply) = (String::new(), None);
        let judged = Asker::new(&self.client, &self.model, unit).ask(&mut asked.clone(), usage, |said, messages| {
            match said {
                Ok(completion) => match usable(&completion, &question) {
                    Ok(judged) => return Some(judged),
                    Err(what) => (why, reply) = (what, completion.text.map(|text| start(&text))),
                },
                Err(Fault::TooLong(detail)) => return Some(none(NoGrades::JudgeOverflow, detail)),
                Err(fault) => (why, reply) = (format!("its provider: {}", why_silent(fault, "run")), None),
            }
            // Asked anew each time, with the last reply alone: three bad replies are not three times as long.
            messages.clone_from(&asked);
            messages.extend(reply.as_ref().map(|reply| json!({"role": "assistant", "content": reply})));
            messages.push(self.wording.again(&why));
            None
        });
        match judged {
            Ok(judged) => {
                Ok(judged.unwrap_or(Judged::NotScored { reason: NoGrades::JudgeUnreadable, detail: why, reply }))
            }
            Err(Fault::Interrupted) => Err(Fault::Interrupted),
            Err(fault) => Ok(none(NoGrades::JudgeUnreachable, why_silent(fault, "run"))),
        }
    }
}

pub fn card(model: &str, wording: Wording, config: &ProviderConfig) -> JudgeCard {
    JudgeCard {
        id: format!("{}:{model}", config.form),
        prompt: Some(wording.card()),
        sampling: Some(Sampling {
            temperature: config.temperature,
            max_tokens: config.max_tokens,
            extra_body: config.extra_body.clone(),
        }),
    }
}

/// The judgement of a message, or why it holds none.
fn usable(completion: &Completion, question: &JudgeQuestion) -> Result<Judged, String> {
    if completion.is_cut_off() {
        return Err("it was cut off at max_tokens".to_owned());
    }
    if !completion.calls.is_empty() {
        return Err("it calls tools".to_owned());
    }
    question.read(completion.text.as_deref().ok_or("it is empty")?)
}

fn none(reason: NoGrades, detail: String) -> Judged {
    Judged::NotScored { reason, detail, reply: None }
}

fn start(text: &str) -> String {
    text.chars().take(MAX_REPLY).collect()
}
