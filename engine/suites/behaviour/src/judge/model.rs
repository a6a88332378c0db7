//! A judge behind a model: asked once for each episode, and again while its reply cannot be used.

use std::sync::Arc;

use serde_json::json;

use super::judgement::{JudgeCard, Judged, NoGrades, Sampling};
use super::prompt::Wording;
use super::question::{JudgeQuestion, Subject};
use super::sentences::asked::AskedSentences;
use probity_bench::{Client, Completion, Fault, ProviderConfig, Usage};

/// Times a judge is asked for one judgement at most; what the provider sends again does not count.
pub const MAX_ASKED: u32 = 3;
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

    /// Its judgement of an episode; nothing when everything was asked to stop. `unit` names it in a cassette.
    pub fn judge(&self, subject: &Subject, unit: &str) -> Option<(Judged, Usage)> {
        let mut usage = Usage::default();
        let judged = self.ask(&JudgeQuestion::of(subject, self.wording), unit, &mut usage)?;
        Some((judged, usage))
    }

    fn ask(&self, question: &JudgeQuestion, unit: &str, usage: &mut Usage) -> Option<Judged> {
        if let JudgeQuestion::Sentences(AskedSentences { sentences, .. }) = question
            && sentences.is_empty()
        {
            return Some(Judged::Sentences { sentences: Vec::new() });
        }
        let asked = question.messages();
        let mut messages = asked.clone();
        let (mut why, mut reply) = (String::new(), None);
        for _ in 0..MAX_ASKED {
            match self.client.session(unit, usage).complete(&self.model, &messages, None) {
                Ok(completion) => match usable(&completion, question) {
                    Ok(judged) => return Some(judged),
                    Err(what) => (why, reply) = (what, completion.text.map(|text| start(&text))),
                },
                Err(Fault::Unreadable(what)) => (why, reply) = (format!("its provider: {what}"), None),
                Err(Fault::TooLong(detail)) => return Some(none(NoGrades::JudgeOverflow, detail)),
                Err(Fault::Unreachable(detail)) => return Some(none(NoGrades::JudgeUnreachable, detail)),
                Err(Fault::Interrupted) => return None,
            }
            // Asked anew each time, with the last reply alone: three bad replies are not three times as long.
            messages.clone_from(&asked);
            messages.extend(reply.as_ref().map(|reply| json!({"role": "assistant", "content": reply})));
            messages.push(self.wording.again(&why));
        }
        Some(Judged::NotScored { reason: NoGrades::JudgeUnreadable, detail: why, reply })
    }
}

pub fn card(model: &str, wording: Wording, config: &ProviderConfig) -> JudgeCard {
    JudgeCard {
        id: format!("openai:{model}"),
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
    if completion.finish.as_deref() == Some("length") {
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
