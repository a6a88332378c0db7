//! Asking judges for the labels of conversations.

use std::collections::BTreeSet;

use super::counts::{LabelCounts, LabelSubject, WORDING};
use super::label_set::{ConversationLabels, JudgedEpisode, LabelSet, LabelledMessage};
use super::prompt::{DialogueMessage, JudgePrompt, conversation_prompt, message_prompt};
use crate::card::{DOMAIN, EXPOSURE, PERSONA};
use crate::measures::MessageRole;
use crate::play::modality;
use probity_bench::{Client, EpisodeRecord, Event, Fault, RunError, Usage};
use probity_ruling::asker::Asker;
use probity_ruling::journal::Journal;
use probity_ruling::journal::Record as _;
use probity_ruling::session::{Judging, Round, Session};

type LabelKey = (String, String);

impl LabelSet {
    /// Takes in what a journal holds. Gives whose labels of which episodes are of none as it is now: they are passed over.
    pub fn take(&mut self, kept: &[ConversationLabels]) -> BTreeSet<LabelKey> {
        let lost = kept.iter().filter(|labels| self.add((*labels).clone()).is_err());
        lost.map(ConversationLabels::key).collect()
    }

    /// Asks each model for the labels of each episode that it has not labelled; each is kept as soon as it is there.
    /// An error: the journal cannot be written.
    pub fn ask(
        &mut self,
        (models, client): (&[String], &Client),
        records: &[EpisodeRecord],
        (journal, lost): (Journal<ConversationLabels>, &BTreeSet<LabelKey>),
        round: Round,
    ) -> Result<Judging<ConversationLabels>, RunError> {
        let mut session = Session::begin(round, Some(journal))?;
        session.forget(lost);
        let mut wanted = Vec::new();
        for model in models {
            let judge = format!("{}:{model}", client.config().form);
            let open = records.iter().filter(|record| !self.has(&judge, &record.name()));
            let known = open.filter_map(|record| Some((record, self.episodes().get(&record.name())?)));
            wanted.extend(known.map(|(record, episode)| LabelRequest { judge: judge.clone(), model, record, episode }));
        }
        let key = |request: &LabelRequest| (request.judge.clone(), request.record.name());
        let judging = session.end(&wanted, key, |request, usage| request.labels(client, usage))?;
        self.take(&judging.records);
        Ok(judging)
    }
}

struct LabelRequest<'a> {
    judge: String,
    model: &'a str,
    record: &'a EpisodeRecord,
    episode: &'a JudgedEpisode,
}

impl LabelRequest<'_> {
    /// All labels of an episode.
    fn labels(&self, client: &Client, usage: &mut Usage) -> Result<ConversationLabels, Fault> {
        let (dialogue, episode) = (transcript(self.record), self.record.name());
        let critical = critical_fields(&self.episode.domain);
        let asker = Asker::new(client, self.model, &episode);
        let mut ask = |prompt: &JudgePrompt, subject: LabelSubject| {
            asker.read(prompt.messages(), usage, &WORDING.again, |reply| LabelCounts::of_reply(reply, subject))
        };
        let mut messages = Vec::new();
        for (index, message) in dialogue.iter().enumerate() {
            let prompt = message_prompt(&dialogue, index, critical);
            let counts = prompt.map_or(Ok(None), |prompt| ask(&prompt, message.role.into()))?;
            messages.push(LabelledMessage { role: message.role, counts });
        }
        let conversation = ask(&conversation_prompt(&dialogue), LabelSubject::Conversation)?;
        Ok(ConversationLabels { judge: self.judge.clone(), episode, messages, conversation })
    }
}

/// What a task of each domain hangs on, in a reader's words.
const CRITICAL: [(&str, &[&str]); 3] = [
    ("telecom", &["phone number"]),
    ("retail", &["order id", "user id", "e-mail address", "name and zip code"]),
    ("airline", &["user id", "reservation id"]),
];

/// The messages of an episode that have words, as they were meant and as they arrived.
pub(super) fn transcript(record: &EpisodeRecord) -> Vec<DialogueMessage> {
    let message = |event: &Event| match event {
        Event::User { text, said, .. } => {
            let said = said.clone().unwrap_or_else(|| text.clone());
            Some(DialogueMessage { role: MessageRole::User, said, heard: text.clone() })
        }
        // What stands beside calls nobody hears.
        Event::Reply { aside: true, .. } => None,
        Event::Reply { text, .. } => {
            Some(DialogueMessage { role: MessageRole::Agent, said: text.clone(), heard: text.clone() })
        }
        Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
    };
    record.trace.events.iter().filter_map(message).collect()
}

/// Where the labels of an episode belong; nothing for a record of another suite.
pub fn judged_episode(record: &EpisodeRecord) -> Option<JudgedEpisode> {
    let level = |factor: &str| record.factors.get(factor).map(str::to_owned);
    Some(JudgedEpisode {
        agent: record.agent.clone(),
        domain: level(DOMAIN)?,
        exposure: level(EXPOSURE)?,
        modality: modality(&record.factors)?,
        task: format!("{} {}", record.task(), level(PERSONA)?),
        roles: transcript(record).iter().map(|message| message.role).collect(),
    })
}

pub(super) fn critical_fields(domain: &str) -> &'static [&'static str] {
    CRITICAL.iter().find(|(known, _)| *known == domain).map_or(&[], |(_, fields)| fields)
}
