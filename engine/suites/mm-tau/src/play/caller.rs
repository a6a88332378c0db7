//! The user of an episode: the person of the task, at the end of the channel.

use crate::inference::Profiler;
use crate::people::{DeviceUser, UserHears, UserMove, UserSpeech};
use crate::telecom::{Persona, TelecomTask};
use probity_bench::{Event, User, UserFault, Utterance, reply_in};
use probity_engine::{Actor, ToolCall};
use serde_json::Value;

use super::Channel;

/// Who calls, and what lies between.
pub struct Caller<'t> {
    user: DeviceUser,
    task: &'t TelecomTask,
    conversation: String,
    channel: Channel<'t>,
    /// What makes profiles of the user, where the agent is told such.
    profiler: Option<Profiler>,
    turn: u64,
    next: Option<UserMove>,
}

impl<'t> Caller<'t> {
    pub fn new(task: &'t TelecomTask, persona: Persona, channel: Channel<'t>) -> Caller<'t> {
        let conversation = task.id_with(persona);
        let user = DeviceUser::new(task, persona);
        Caller { user, task, conversation, channel, profiler: None, turn: 0, next: None }
    }

    /// The caller, of whom the agent is told what the call shows.
    #[must_use]
    pub fn profiled(self) -> Caller<'t> {
        Caller { profiler: Some(Profiler::default()), ..self }
    }

    fn utterance(&mut self, speech: &UserSpeech) -> Result<Utterance, UserFault> {
        self.turn += 1;
        let heard = self.channel.heard(&self.conversation, self.turn, &speech.text).map_err(UserFault)?;
        let said = (heard != speech.text).then(|| speech.text.clone());
        Ok(Utterance { said, ..Utterance::scripted(heard) })
    }
}

/// What a user hears of what happened since they last spoke.
pub fn heard<'e>(since: &'e [Event], transfer: &str) -> UserHears<'e> {
    if let Some(Event::Step(step)) = since.last()
        && step.actor == Actor::User
    {
        return UserHears::Shown(step.observation().and_then(Value::as_str).unwrap_or_default());
    }
    let is_handed_over = |event: &Event| match event {
        Event::Step(step) => step.actor == Actor::Agent && step.tool == transfer && step.is_ok(),
        Event::User { .. } | Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => false,
    };
    match since {
        [] => UserHears::Beginning,
        _ if since.iter().any(is_handed_over) => UserHears::Transferred,
        _ => UserHears::Agent(reply_in(since).unwrap_or_default()),
    }
}

impl User for Caller<'_> {
    fn act(&mut self, since: &[Event]) -> Option<ToolCall> {
        match self.user.next(&heard(since, self.task.escalation().tool)) {
            UserMove::Act { tool, arguments } => Some(ToolCall::new(tool, Value::Object(arguments))),
            words => {
                self.next = Some(words);
                None
            }
        }
    }

    fn speak(&mut self, _since: &[Event]) -> Result<Option<Utterance>, UserFault> {
        match self.next.take() {
            Some(UserMove::Say(speech)) => self.utterance(&speech).map(Some),
            // Who would use the phone for ever goes as well.
            other => {
                self.next = other;
                Ok(None)
            }
        }
    }

    fn question(&mut self, events: &[Event]) -> Option<String> {
        self.profiler.as_mut()?.question(events)
    }

    fn context(&mut self, answer: Option<&str>) -> Option<String> {
        Some(self.profiler.as_ref()?.context(answer))
    }

    fn farewell(&self, _since: &[Event]) -> Option<Utterance> {
        match &self.next {
            Some(UserMove::Leave { farewell, .. }) => Some(Utterance::scripted(farewell.text.clone())),
            Some(UserMove::Act { .. } | UserMove::Say(_)) | None => None,
        }
    }
}
