//! Asking judges about episodes, each as often as is wanted.

use std::sync::Arc;

use serde_json::json;

use super::judgement::{EpisodeCard, FORMAT, JudgeCard, Judged, Judgement, NoGrades, Sampling};
use super::prompt::Wording;
use super::question::{JudgeQuestion, Subject};
use probity_bench::{Client, Completion, Fault, ProviderConfig, RunError, Usage};
use probity_ruling::asker::{Asker, why_silent};
use probity_ruling::journal::Journal;
use probity_ruling::session::{Judging, Round, Session};

pub struct Asking<'a> {
    judges: Vec<(&'a ModelJudge, JudgeCard)>,
    repeats: u32,
    session: Session<'a, Judgement>,
}

struct JudgementRequest<'a> {
    judge: &'a ModelJudge,
    card: &'a JudgeCard,
    key: (String, EpisodeCard, u32),
    subject: &'a Subject<'a>,
}

impl<'a> Asking<'a> {
    /// Judges that are asked for every judgement that the journal does not hold yet.
    /// An error: the journal cannot be written.
    pub fn begin(
        judges: &'a [ModelJudge],
        repeats: u32,
        round: Round<'a>,
        journal: Option<Journal<Judgement>>,
    ) -> Result<Asking<'a>, RunError> {
        let judges = judges.iter().map(|judge| (judge, judge.card())).collect();
        Ok(Asking { judges, repeats, session: Session::begin(round, journal)? })
    }

    pub fn grade(&self, subject: &Subject) {
        for wanted in wanted(&self.judges, self.repeats, std::slice::from_ref(subject)) {
            // Who was asked to stop says nothing.
            let _ = self.session.ask(&wanted.key, |usage| wanted.judge(usage));
        }
    }

    /// Asks for all that is still missing and says what came of it.
    /// An error: the journal could not be written at some time; what was recorded is kept.
    pub fn end(self, subjects: &[Subject]) -> Result<Judging<Judgement>, RunError> {
        let wanted = wanted(&self.judges, self.repeats, subjects);
        self.session.end(&wanted, |wanted| wanted.key.clone(), JudgementRequest::judge)
    }
}

fn wanted<'b>(
    judges: &'b [(&'b ModelJudge, JudgeCard)],
    repeats: u32,
    subjects: &'b [Subject<'b>],
) -> Vec<JudgementRequest<'b>> {
    let mut wanted = Vec::new();
    for (judge, card) in judges {
        let key = card.key();
        for subject in subjects {
            let request =
                |repeat| JudgementRequest { judge, card, key: (key.clone(), subject.episode.clone(), repeat), subject };
            wanted.extend((0..repeats).map(request));
        }
    }
    wanted
}

impl JudgementRequest<'_> {
    /// An error: everything was asked to stop.
    fn judge(&self, spent: &mut Usage) -> Result<Judgement, Fault> {
        let Subject { episode, trace, .. } = self.subject;
        let mut usage = Usage::default();
        let judged = match trace.end() {
            Some((reason, detail)) if reason.is_unreached() => {
                let detail = detail.unwrap_or("a provider of the episode could not be reached").to_owned();
                Judged::NotScored { reason: NoGrades::EpisodeUnreached, detail, reply: None }
            }
            Some(_) | None => self.judge.judge(self.subject, &self.unit(), &mut usage)?,
        };
        *spent += usage;
        let (_, _, repeat) = self.key;
        Ok(Judgement { format: FORMAT, judge: self.card.clone(), repeat, episode: episode.clone(), judged, usage })
    }

    fn unit(&self) -> String {
        let (_, EpisodeCard { agent, task, variant, trial, dialogue, .. }, repeat) = &self.key;
        let dialogue = dialogue.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        format!("{} {repeat} {agent} {task} {variant} #{trial}{dialogue}", self.card.id)
    }
}

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
