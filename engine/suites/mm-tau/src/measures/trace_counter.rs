//! One pass over the events of a conversation.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{AgentAct, Consent, NeedOpened, NeedSubject, SlotCall, TraceEvent, UserSpoke};
use super::field::{Modality, TraceTask, canonical, is_heard};
use super::trace_counts::{Errors, FieldError, TraceCounts};

pub struct TraceCounter<'t> {
    task: &'t TraceTask,
    modality: Modality,
    counts: TraceCounts,
    errors: Errors,
    needs: Needs,
    consents: Consents,
    /// Fields with the values that the user gave for them.
    given: BTreeSet<(String, String)>,
    /// Whether the latest value of a critical field in a call was the true one.
    latest: BTreeMap<String, bool>,
}

pub fn count<'e>(
    task: &TraceTask,
    modality: Modality,
    events: impl IntoIterator<Item = &'e TraceEvent>,
) -> TraceCounts {
    let mut counter = TraceCounter::new(task, modality);
    for event in events {
        counter.observe(event);
    }
    counter.counts()
}

impl<'t> TraceCounter<'t> {
    /// A conversation of which nothing has happened yet.
    pub fn new(task: &'t TraceTask, modality: Modality) -> TraceCounter<'t> {
        TraceCounter {
            task,
            modality,
            counts: TraceCounts::default(),
            errors: Errors::default(),
            needs: Needs::default(),
            consents: Consents::default(),
            given: BTreeSet::new(),
            latest: BTreeMap::new(),
        }
    }

    pub fn observe(&mut self, event: &TraceEvent) {
        match event {
            TraceEvent::User(spoke) => self.user(spoke),
            TraceEvent::Agent { acts, .. } => {
                self.counts.agent_messages += 1;
                acts.iter().for_each(|act| self.act(act));
            }
            TraceEvent::Tool(call) => self.call(call),
            TraceEvent::Reply { key, value } => self.consents.answer(key, *value),
            TraceEvent::Need(need) => self.needs.open(need),
            TraceEvent::NeedClosed { id } => self.needs.close(id),
        }
    }

    pub fn counts(&self) -> TraceCounts {
        let (clarify, confirm) = (self.needs.clarify, self.needs.confirm);
        TraceCounts {
            critical_correct: self.latest.values().filter(|is_right| **is_right).count() as u64,
            critical_total: self.task.critical.len() as u64,
            errors_total: self.errors.by_type.total(),
            errors_by_type: self.errors.by_type,
            errors_recovered: self.errors.recovered,
            recovery_turns: self.errors.turns,
            clar_asked: clarify.asked,
            clar_needed_asks: clarify.needed_asks,
            clar_required: clarify.required,
            clar_met: clarify.met,
            conf_asked: confirm.asked,
            conf_needed_asks: confirm.needed_asks,
            conf_required: confirm.required,
            conf_met: confirm.met,
            ..self.counts
        }
    }

    fn user(&mut self, spoke: &UserSpoke) {
        self.counts.user_messages += 1;
        let mut is_effort = spoke.spelled || !spoke.corrects.is_empty();
        for mention in &spoke.mentions {
            let critical = self.task.critical.get(&mention.field);
            let value = critical.map_or(mention.value.clone(), |field| canonical(field.kind, &mention.value));
            is_effort |= !self.given.insert((mention.field.clone(), value));
            let Some(field) = critical.filter(|_| self.modality == Modality::Voice) else { continue };
            if !is_heard(field.kind, &mention.value, spoke.heard.as_ref().unwrap_or(&spoke.said)) {
                self.counts.asr_mismatches += 1;
                self.errors.open_field(&mention.field, FieldError::Misheard, self.counts.agent_messages);
            }
        }
        self.counts.user_effort += u64::from(is_effort);
    }

    fn act(&mut self, act: &AgentAct) {
        match act {
            AgentAct::Clarify { field } => self.needs.ask_clarify(field.as_deref()),
            AgentAct::Confirm { key } => {
                self.needs.ask_confirm(key.as_deref());
                if let Some(key) = key {
                    self.consents.ask(key);
                }
            }
            AgentAct::Inform | AgentAct::TransferNotice => {}
        }
    }

    fn call(&mut self, call: &SlotCall) {
        let messages = self.counts.agent_messages;
        let has_wrong_slot = self.slots(call);
        if call.ok {
            self.errors.close_tool(&call.name, messages);
        } else if !has_wrong_slot {
            self.errors.open_tool(&call.name, messages);
        }
        if call.ok && call.irreversible {
            self.counts.irr += 1;
            let is_agreed = call.key.as_deref().is_some_and(|key| self.consents.take(key));
            self.counts.irr_conf += u64::from(is_agreed);
        }
    }

    /// Compares the critical arguments of a call, whether it succeeded or not, and tells whether any was wrong.
    fn slots(&mut self, call: &SlotCall) -> bool {
        let messages = self.counts.agent_messages;
        let mut has_wrong = false;
        for (argument, name) in &call.slots {
            let (Some(given), Some(field)) = (call.args.get(argument), self.task.critical.get(name)) else { continue };
            let is_right = field.kind.same(given, &field.value);
            self.counts.slots_total += 1;
            self.counts.slots_correct += u64::from(is_right);
            self.latest.insert(name.clone(), is_right);
            if is_right {
                self.errors.close_field(name, messages);
            } else {
                self.errors.open_field(name, FieldError::WrongSlot, messages);
            }
            has_wrong |= !is_right;
        }
        has_wrong
    }
}

#[derive(Clone, Copy, Default)]
struct Asking {
    required: u64,
    met: u64,
    asked: u64,
    needed_asks: u64,
}

#[derive(Default)]
struct Needs {
    open: Vec<OpenNeed>,
    clarify: Asking,
    confirm: Asking,
}

struct OpenNeed {
    need: NeedOpened,
    is_met: bool,
}

impl Needs {
    fn open(&mut self, need: &NeedOpened) {
        self.asking(&need.subject).required += 1;
        self.open.push(OpenNeed { need: need.clone(), is_met: false });
    }

    fn close(&mut self, id: &str) {
        self.open.retain(|open| open.need.id != id);
    }

    /// The agent asked, about this if about anything: every open need of that subject is met.
    fn ask_clarify(&mut self, field: Option<&str>) {
        self.clarify.asked += 1;
        if let Some(field) = field {
            self.ask(&NeedSubject::Clarify { field: field.to_owned() });
        }
    }

    /// The agent asked for a confirmation, of this call if of any.
    fn ask_confirm(&mut self, key: Option<&str>) {
        self.confirm.asked += 1;
        if let Some(key) = key {
            self.ask(&NeedSubject::Confirm { key: key.to_owned() });
        }
    }

    fn ask(&mut self, subject: &NeedSubject) {
        let (mut matching, mut newly_met) = (0_u64, 0_u64);
        for open in self.open.iter_mut().filter(|open| open.need.subject == *subject) {
            matching += 1;
            newly_met += u64::from(!std::mem::replace(&mut open.is_met, true));
        }
        let asking = self.asking(subject);
        asking.needed_asks += matching.min(1);
        asking.met += newly_met;
    }

    fn asking(&mut self, subject: &NeedSubject) -> &mut Asking {
        match subject {
            NeedSubject::Clarify { .. } => &mut self.clarify,
            NeedSubject::Confirm { .. } => &mut self.confirm,
        }
    }
}

/// Requests for confirmation and their answers so far, by the key of the call.
#[derive(Default)]
struct Consents {
    /// Whether there is a yes to the latest request; only keys that were asked about.
    asked: BTreeMap<String, bool>,
}

impl Consents {
    /// The agent asks, which makes an earlier yes void.
    fn ask(&mut self, key: &str) {
        self.asked.insert(key.to_owned(), false);
    }

    /// The user answers; nothing that was not asked is agreed to, and a later no takes a yes back.
    fn answer(&mut self, key: &str, consent: Consent) {
        if let Some(agreed) = self.asked.get_mut(key) {
            *agreed = consent == Consent::Yes;
        }
    }

    /// Uses up the yes to a call, if there is one.
    fn take(&mut self, key: &str) -> bool {
        self.asked.get_mut(key).is_some_and(std::mem::take)
    }
}
