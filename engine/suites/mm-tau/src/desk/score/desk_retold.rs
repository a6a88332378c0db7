//! An episode at a desk told again from its trace: the calls, the replies, and the events that the measures count.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::desk_fields::DeskFields;
use crate::desk::play::desk_hears;
use crate::desk::task::DeskTask;
use crate::desk::user::{DeskMove, DeskSpeech, DeskUser};
use crate::measures::{ActSource, FieldKind, NeedOpened, NeedSubject, SlotCall, TraceEvent, canonical, is_heard};
use crate::score::{ValueNeeds, forbidden, key, unidentified};
use crate::telecom::Persona;
use probity_bench::{Event, Step, Trace};
use probity_engine::{Actor, State, ToolCall};
use serde_json::Value;

pub struct DeskRetold {
    pub events: Vec<TraceEvent>,
    pub calls: Vec<ToolCall>,
    pub is_unrefused: bool,
    pub broken: Vec<String>,
    pub last: State,
}

/// Tells an episode again; nothing where its user is not the task's.
pub fn desk_retold(task: &Arc<DeskTask>, beginning: State, persona: Persona, trace: &Trace) -> Option<DeskRetold> {
    let mut teller = DeskTeller {
        fields: DeskFields::of(task),
        task,
        retold: DeskRetold {
            events: Vec::new(),
            calls: Vec::new(),
            is_unrefused: false,
            broken: Vec::new(),
            last: beginning,
        },
        open: BTreeSet::new(),
        values: ValueNeeds::default(),
        is_identified: false,
        shown: String::new(),
    };
    teller.open_confirmations(trace);
    let mut user = DeskUser::new(task, persona);
    let mut since = 0;
    // What a message does is known once the user has read it.
    let mut pending: Option<(usize, String)> = None;
    for (at, event) in trace.events.iter().enumerate() {
        match event {
            Event::Step(step) => teller.step(step),
            // What stands beside calls nobody hears before the reply.
            Event::Reply { aside: true, .. } => {}
            Event::Reply { text, .. } => {
                let place = teller.retold.events.len();
                teller.retold.events.push(TraceEvent::Agent {
                    acts: Vec::new(),
                    acts_source: None,
                    text: text.clone(),
                });
                pending = Some((place, text.clone()));
            }
            Event::User { text, said, .. } => {
                let before = trace.events.get(since..at).unwrap_or_default();
                let (DeskMove::Say(speech) | DeskMove::Leave(speech, _)) = user.next(&desk_hears(before, since == 0));
                (speech.speech.text == *said.as_ref().unwrap_or(text)).then_some(())?;
                teller.read(pending.take(), &user);
                teller.hear(&speech, text);
                since = at + 1;
            }
            Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    teller.retold.is_unrefused = user.has_unrefused();
    Some(teller.retold)
}

struct DeskTeller<'t> {
    fields: DeskFields<'t>,
    task: &'t DeskTask,
    retold: DeskRetold,
    /// Confirmations that are needed, by their ids.
    open: BTreeSet<String>,
    values: ValueNeeds,
    is_identified: bool,
    /// What tools have shown, in letters and digits alone.
    shown: String,
}

impl DeskTeller<'_> {
    /// What has consequences has to be confirmed before it is done: what an agent that knows all asks leave for, and
    /// what was done.
    fn open_confirmations(&mut self, trace: &Trace) {
        let done = trace.events.iter().filter_map(|event| match event {
            Event::Step(step) if step.is_ok() => Some(step.call()),
            _ => None,
        });
        let offered = self.task.wishes.iter().flatten().filter(|stage| stage.is_offered());
        let offered = offered.filter_map(|stage| stage.file.call.as_ref()).map(|call| call.made());
        for call in offered.chain(done).collect::<Vec<_>>() {
            if self.fields.call(&call, true).irreversible {
                let key = key(&self.task.environment, &call);
                self.open(format!("confirm {key}"), NeedSubject::Confirm { key });
            }
        }
    }

    fn open(&mut self, id: String, subject: NeedSubject) {
        if self.open.insert(id.clone()) {
            self.retold.events.push(TraceEvent::Need(NeedOpened { id, subject }));
        }
    }

    fn close(&mut self, id: String) {
        if self.open.remove(&id) {
            self.retold.events.push(TraceEvent::NeedClosed { id });
        }
    }

    fn step(&mut self, step: &Step) {
        let call = step.call();
        let mut slot_call = self.fields.call(&call, step.is_ok());
        self.forgive_looks(&mut slot_call);
        if let Some(observation) = step.observation() {
            texts(observation, &mut self.shown);
        }
        if step.is_ok() {
            self.retold.broken.extend(forbidden(&self.task.environment, &self.retold.last, &call));
            self.is_identified |= self.task.identifies(&call);
            if slot_call.irreversible && !self.is_identified {
                self.retold.broken.push(unidentified(&call.tool));
            }
        }
        self.retold.last = self.task.environment.step(&self.retold.last, &call, Actor::Agent).after;
        if step.is_ok() {
            self.retold.calls.push(call);
        }
        let task = self.fields.task();
        let right = slot_call.slots.iter().filter(|(argument, field)| {
            let both = slot_call.args.get(*argument).zip(task.critical.get(*field));
            both.is_some_and(|(given, wanted)| wanted.kind.same(given, &wanted.value))
        });
        let met: Vec<TraceEvent> = right.filter_map(|(_, field)| self.values.close(field)).collect();
        let confirmed = slot_call.key.clone().filter(|_| step.is_ok()).map(|key| format!("confirm {key}"));
        self.retold.events.push(TraceEvent::Tool(slot_call));
        self.retold.events.extend(met);
        confirmed.into_iter().for_each(|id| self.close(id));
    }

    /// Who looks at what the records have named has taken nothing wrong.
    fn forgive_looks(&self, call: &mut SlotCall) {
        if call.irreversible {
            return;
        }
        let task = self.fields.task();
        let args = &call.args;
        call.slots.retain(|argument, field| {
            let Some((given, wanted)) = args.get(argument).zip(task.critical.get(field)) else { return true };
            let is_right = wanted.kind.same(given, &wanted.value);
            is_right || !self.shown.contains(&format!(" {} ", canonical(FieldKind::Id, given)))
        });
    }

    /// What the last message did, as the user read it.
    fn read(&mut self, pending: Option<(usize, String)>, user: &DeskUser) {
        let Some((place, text)) = pending else { return };
        let acts = user.acts();
        let (before, after) = self.values.asked_in(&acts, &self.fields.task());
        let event = TraceEvent::Agent { acts, acts_source: Some(ActSource::User), text };
        self.retold.events.splice(place..=place, before.into_iter().chain([event]).chain(after));
    }

    /// What the user says, and what the agent heard of it.
    fn hear(&mut self, said: &DeskSpeech, heard: &str) {
        self.retold.events.push(TraceEvent::User(said.speech.spoke(Some(heard.to_owned()))));
        self.retold.events.extend(self.values.heard(&self.fields.task(), &said.speech.mentions, heard));
        let told = self.task.facts.iter().filter(|fact| is_heard(fact.kind, &fact.value, heard));
        told.for_each(|fact| self.values.settle(&fact.name));
        self.is_identified |= self.task.is_identified_by(heard);
        let replies = said.replies.iter().cloned().map(|(key, value)| TraceEvent::Reply { key, value });
        self.retold.events.extend(replies);
    }
}

/// All texts and keys in what a tool shows, each between blanks.
fn texts(value: &Value, found: &mut String) {
    let mut add = |text: &str| found.push_str(&format!(" {} ", canonical(FieldKind::Id, text)));
    match value {
        Value::String(text) => add(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(map) => {
            map.keys().for_each(|key| add(key));
            map.values().for_each(|item| texts(item, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
