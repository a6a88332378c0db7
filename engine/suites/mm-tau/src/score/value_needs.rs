//! When an agent has cause to ask for a value (CP and CR).

use std::collections::BTreeSet;

use crate::measures::{AgentAct, FieldMention, NeedOpened, NeedSubject, TraceEvent, TraceTask, is_heard};

/// The values that an agent has cause to ask for: those that nobody has told yet once the user has first spoken, and
/// those that were told and misheard. Of values that are not critical there is a cause once they are asked for: the first
/// time, while nobody told them.
#[derive(Default)]
pub struct ValueNeeds {
    has_begun: bool,
    /// Fields whose need is open.
    open: Vec<String>,
    /// Fields that are not critical and were told, or asked for to no avail.
    settled: BTreeSet<String>,
}

impl ValueNeeds {
    /// What begins and ends when the user mentions values, and this of it is heard; `task` has the critical fields that
    /// the user tells.
    pub fn heard(&mut self, task: &TraceTask, mentions: &[FieldMention], heard: &str) -> Vec<TraceEvent> {
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
    pub fn settle(&mut self, field: &str) {
        self.settled.insert(field.to_owned());
    }

    /// What stands before and after a message that asks for fields which are not critical, where it has cause.
    pub fn asked_in(&mut self, acts: &[AgentAct], task: &TraceTask) -> (Vec<TraceEvent>, Vec<TraceEvent>) {
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

    pub fn close(&mut self, field: &str) -> Option<TraceEvent> {
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
