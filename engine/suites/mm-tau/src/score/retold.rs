//! An episode told again from its trace: the calls with the states they found, and the events that the measures count.

use std::collections::BTreeSet;

use serde_json::Value;

use super::played_task::{CriticalFields, Person, PlayedTask, key};
use crate::measures::{
    ActSource, AgentAct, FieldKind, FieldMention, NeedOpened, NeedSubject, SlotCall, TraceEvent, TraceTask, canonical,
    is_heard,
};
use crate::people::{UserMove, UserSpeech};
use crate::telecom::Persona;
use probity_bench::{Event, Note, Step, Trace};
use probity_engine::{Actor, Environment, State, ToolCall, within::within};

/// A call that was carried out, in the state that it found.
pub struct StagedCall {
    pub call: ToolCall,
    pub state: State,
}

pub struct Retold {
    pub events: Vec<TraceEvent>,
    pub calls: Vec<StagedCall>,
    /// The rules that the agent's calls broke.
    pub broken: Vec<String>,
    /// Whether the user was not refused what has to be refused.
    pub is_unrefused: bool,
    pub last: State,
}

/// Tells an episode again; nothing where its user is not the task's.
pub fn retold(task: &dyn PlayedTask, persona: Persona, beginning: State, trace: &Trace) -> Option<Retold> {
    let fields = task.fields();
    let retold =
        Retold { events: Vec::new(), calls: Vec::new(), broken: Vec::new(), is_unrefused: false, last: beginning };
    let mut teller = Teller {
        task,
        critical: fields.task(),
        told: fields.told_by_user(),
        fields,
        person: task.person(persona),
        retold,
        open: BTreeSet::new(),
        values: ValueNeeds::default(),
        is_identified: false,
        shown: String::new(),
        unread: None,
    };
    teller.open_confirmations(trace);
    let mut since = 0;
    for (at, event) in trace.events.iter().enumerate() {
        let before = trace.events.get(since..at).unwrap_or_default();
        match event {
            Event::Step(step) => {
                if step.actor == Actor::User {
                    let UserMove::Act { tool, .. } = teller.person.next_move(before) else { return None };
                    (tool == step.tool).then_some(())?;
                }
                teller.step(step);
            }
            // What stands beside calls nobody hears before the reply.
            Event::Reply { aside: true, .. } => {}
            Event::Reply { text, .. } => teller.reply(text),
            Event::User { text, said, .. } => {
                let moved = teller.person.next_move(before);
                let (UserMove::Say(speech) | UserMove::Leave(speech)) = moved else { return None };
                (speech.text == *said.as_ref().unwrap_or(text)).then_some(())?;
                teller.hear(&speech, text);
                since = at + 1;
            }
            // What the agent was told belongs to what the user said before it.
            Event::Note(Note::Context(_)) => since = at + 1,
            Event::Finding(_) | Event::Note(_) | Event::End { .. } => {}
        }
    }
    teller.retold.is_unrefused = teller.person.is_unrefused();
    Some(teller.retold)
}

struct Teller<'t> {
    task: &'t dyn PlayedTask,
    fields: CriticalFields,
    /// The fields that count, and those of them that the user has to tell.
    critical: TraceTask,
    told: TraceTask,
    person: Box<dyn Person>,
    retold: Retold,
    /// Confirmations that are needed, by their ids.
    open: BTreeSet<String>,
    values: ValueNeeds,
    is_identified: bool,
    /// What tools have shown, in letters and digits alone.
    shown: String,
    /// The place of a message that the user has still to make something of.
    unread: Option<usize>,
}

impl Teller<'_> {
    /// What has consequences has to be confirmed before it is done: what an agent that knows all asks leave for, and
    /// what was done.
    fn open_confirmations(&mut self, trace: &Trace) {
        let done = trace.steps().filter(|step| step.actor == Actor::Agent && step.is_ok()).map(Step::call);
        let environment = self.task.environment();
        for call in self.task.asks_leave_for().into_iter().chain(done) {
            let key = key(environment, &call);
            let id = format!("confirm {key}");
            if self.fields.call(environment, &call, true).irreversible && self.open.insert(id.clone()) {
                let subject = NeedSubject::Confirm { key };
                self.retold.events.push(TraceEvent::Need(NeedOpened { id, subject }));
            }
        }
    }

    fn step(&mut self, step: &Step) {
        let (call, environment) = (step.call(), self.task.environment());
        let mut slot_call = self.fields.call(environment, &call, step.is_ok());
        if self.task.forgives_looks() {
            self.forgive_look(&mut slot_call);
            step.observation().into_iter().for_each(|shown| texts(shown, &mut self.shown));
        }
        let after = environment.step(&self.retold.last, &call, step.actor).after;
        let before = std::mem::replace(&mut self.retold.last, after);
        if step.is_ok() && step.actor == Actor::Agent {
            self.retold.broken.extend(forbidden(environment, &before, &call));
            self.is_identified |= self.task.identifies(step);
            if slot_call.irreversible && !self.is_identified {
                self.retold.broken.push(unidentified(&call.tool));
            }
        }
        if step.is_ok() {
            self.retold.calls.push(StagedCall { call, state: before });
        }
        let right = slot_call.slots.iter().filter(|(argument, field)| self.is_right(&slot_call, argument, field));
        let right: Vec<&String> = right.map(|(_, field)| field).collect();
        let met: Vec<TraceEvent> = right.into_iter().filter_map(|field| self.values.close(field)).collect();
        let confirmed = slot_call.key.clone().filter(|_| step.is_ok()).map(|key| format!("confirm {key}"));
        self.retold.events.push(TraceEvent::Tool(slot_call));
        self.retold.events.extend(met);
        if let Some(id) = confirmed.filter(|id| self.open.remove(id)) {
            self.retold.events.push(TraceEvent::NeedClosed { id });
        }
    }

    /// Whether an argument has the value of its field.
    fn is_right(&self, call: &SlotCall, argument: &str, field: &str) -> bool {
        let both = call.args.get(argument).zip(self.critical.critical.get(field));
        both.is_some_and(|(given, wanted)| wanted.kind.same(given, &wanted.value))
    }

    /// Who looks at what the records have named has taken nothing wrong.
    fn forgive_look(&self, call: &mut SlotCall) {
        if call.irreversible {
            return;
        }
        let is_named = |argument: &String| {
            let given = call.args.get(argument).map(|given| canonical(FieldKind::Id, given));
            given.is_some_and(|given| self.shown.contains(&format!(" {given} ")))
        };
        let is_taken = |(argument, field): &(&String, &String)| self.is_right(call, argument, field);
        let kept = call.slots.iter().filter(|slot| is_taken(slot) || !is_named(slot.0));
        call.slots = kept.map(|(argument, field)| (argument.clone(), field.clone())).collect();
    }

    fn reply(&mut self, text: &str) {
        let place = self.retold.events.len();
        self.retold.events.push(TraceEvent::Agent { acts: Vec::new(), acts_source: None, text: text.to_owned() });
        match self.person.reads(text) {
            Some(acts) => self.read(place, acts),
            None => self.unread = Some(place),
        }
    }

    /// What the message at a place did, as the user read it.
    fn read(&mut self, place: usize, read: Vec<AgentAct>) {
        let (before, after) = self.values.asked_in(&read, &self.told);
        if let Some(TraceEvent::Agent { acts, acts_source, .. }) = self.retold.events.get_mut(place) {
            (*acts, *acts_source) = (read, Some(ActSource::User));
        }
        self.retold.events.splice(place + 1..place + 1, after);
        self.retold.events.splice(place..place, before);
    }

    /// What the user says, and what the agent heard of it.
    fn hear(&mut self, speech: &UserSpeech, heard: &str) {
        if let Some(place) = self.unread.take() {
            self.read(place, self.person.acts());
        }
        self.retold.events.push(TraceEvent::User(speech.spoke(Some(heard.to_owned()))));
        self.retold.events.extend(self.values.heard(&self.told, &speech.mentions, heard));
        self.task.told_in(heard).into_iter().for_each(|field| self.values.settle(field));
        self.is_identified |= self.task.is_identified_by(heard);
        let replies = speech.replies.iter().cloned().map(|(key, value)| TraceEvent::Reply { key, value });
        self.retold.events.extend(replies);
    }
}

/// All texts and keys in what a tool shows, each between blanks.
fn texts(value: &Value, found: &mut String) {
    let mut add = |text: &str| found.push_str(&format!(" {} ", canonical(FieldKind::Id, text)));
    within(value).for_each(|part| match part {
        Value::String(text) => add(text),
        Value::Object(map) => map.keys().for_each(|key| add(key)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
    });
}

/// The patterns of a world that forbid a call in the state before it: `resume_line where owes(db, args.customer_id)`.
fn forbidden(environment: &Environment, before: &State, call: &ToolCall) -> Vec<String> {
    let arguments = environment.complete(call).unwrap_or_default();
    let all = environment.file().forbidden.iter().filter(|source| source.tool == call.tool);
    let is_met = |source: &&probity_engine::CallPattern| {
        let pattern = environment.pattern(source).ok();
        pattern.is_some_and(|pattern| environment.matches(&pattern, before, &call.tool, &arguments).unwrap_or(false))
    };
    all.filter(is_met).map(ToString::to_string).collect()
}

/// What is broken by a call of consequence to a tool while nobody knows for whom it is made.
fn unidentified(tool: &str) -> String {
    format!("`{tool}` before it is known who asks")
}

/// The values that an agent has cause to ask for: those that nobody has told yet once the user has first spoken, and
/// those that were told and misheard. Of values that are not critical there is a cause once they are asked for: the first
/// time, while nobody told them.
#[derive(Default)]
struct ValueNeeds {
    has_begun: bool,
    /// Fields whose need is open.
    open: Vec<String>,
    /// Fields that are not critical and were told, or asked for to no avail.
    settled: BTreeSet<String>,
}

impl ValueNeeds {
    /// What begins and ends when the user mentions values, and this of it is heard; `task` has the critical fields that
    /// the user tells.
    fn heard(&mut self, task: &TraceTask, mentions: &[FieldMention], heard: &str) -> Vec<TraceEvent> {
        let is_told = |field: &String| mentions.iter().any(|mention| mention.field == *field);
        let untold = task.critical.keys().filter(|field| !self.has_begun && !is_told(field));
        let untold: Vec<String> = untold.cloned().collect();
        self.has_begun = true;
        let mut events = Vec::new();
        for mention in mentions {
            let Some(field) = task.critical.get(&mention.field) else { continue };
            events.extend(self.close(&mention.field));
            if !is_heard(field.kind, &mention.value, heard) {
                events.extend(self.open(mention.field.clone()));
            }
        }
        events.extend(untold.into_iter().flat_map(|field| self.open(field)).collect::<Vec<_>>());
        events
    }

    /// A field that is not critical was told: to ask for it has no cause any more.
    fn settle(&mut self, field: &str) {
        self.settled.insert(field.to_owned());
    }

    /// What stands before and after a message that asks for fields which are not critical, where it has cause.
    fn asked_in(&mut self, acts: &[AgentAct], task: &TraceTask) -> (Vec<TraceEvent>, Vec<TraceEvent>) {
        let fields = acts.iter().filter_map(|act| match act {
            AgentAct::Clarify { field: Some(field) } => Some(field),
            AgentAct::Clarify { field: None }
            | AgentAct::Confirm { .. }
            | AgentAct::Inform
            | AgentAct::TransferNotice => None,
        });
        let with_cause = fields.filter(|field| !task.critical.contains_key(*field));
        let with_cause = with_cause.filter(|field| self.settled.insert((*field).clone()));
        let around = |field: &String| {
            let (id, subject) = (format!("clarify {field}"), NeedSubject::Clarify { field: field.clone() });
            (TraceEvent::Need(NeedOpened { id: id.clone(), subject }), TraceEvent::NeedClosed { id })
        };
        with_cause.map(around).unzip()
    }

    fn close(&mut self, field: &str) -> Option<TraceEvent> {
        let at = self.open.iter().position(|open| open == field)?;
        let id = format!("clarify {}", self.open.swap_remove(at));
        Some(TraceEvent::NeedClosed { id })
    }

    fn open(&mut self, field: String) -> Option<TraceEvent> {
        if self.open.contains(&field) {
            return None;
        }
        self.open.push(field.clone());
        let id = format!("clarify {field}");
        Some(TraceEvent::Need(NeedOpened { id, subject: NeedSubject::Clarify { field } }))
    }
}
