//! A dialogue while it is being read: what forms tell, and nothing that they could get wrong.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::call::{Answered, Called};
use crate::dialogue::{Arguments, Call, CallResult, Dialogue, Event, FORMAT, Source, Tool};
use crate::form::Form;
use crate::pairing::{Owner, Pairing, Side};
use crate::remark::Remark;
use crate::time::time;
use crate::tools::tools;
use crate::unread::{Fault, Place};
use crate::words::Words;
use probity_wire::thoughts::without_thoughts;

/// A dialogue that is not whole yet.
pub(crate) struct Draft {
    pub id: Option<String>,
    /// How the user was made to behave.
    pub variant: Option<String>,
    pub place: Place,
    /// The JSON Pointer of the list of messages, for problems with one of them.
    pub list: String,
    brief: Vec<String>,
    tools: Vec<Tool>,
    /// Texts of the brief and names of tools, which are not taken twice.
    known: BTreeSet<String>,
    start: Option<String>,
    events: Vec<Event>,
    pairing: Pairing,
    /// Results that belong to no call; they are left out.
    loose: Vec<CallResult>,
    remarks: BTreeMap<Remark, u32>,
    faults: Vec<Fault>,
}

/// Whose words they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    System,
    User,
    Agent,
}

impl Draft {
    pub(crate) fn new(place: Place) -> Draft {
        Draft {
            id: None,
            variant: None,
            place,
            list: String::new(),
            brief: Vec::new(),
            tools: Vec::new(),
            known: BTreeSet::new(),
            start: None,
            events: Vec::new(),
            pairing: Pairing::default(),
            loose: Vec::new(),
            remarks: BTreeMap::new(),
            faults: Vec::new(),
        }
    }

    /// Tools that the agent was told of; those that it knows already are the same.
    pub(crate) fn tools(&mut self, value: &Value) {
        for tool in tools(value) {
            if self.known.insert(format!("tool {}", tool.name)) {
                self.tools.push(tool);
            }
        }
    }

    /// When it began, unless that is known.
    pub(crate) fn start(&mut self, value: Option<&Value>) {
        if self.start.is_none() {
            self.start = value.and_then(time);
        }
    }

    /// What the agent was told before anybody spoke.
    pub(crate) fn brief(&mut self, content: &Value) {
        let words = self.words(content);
        // Some logs have the same words beside the messages and among them.
        if !words.trim().is_empty() && self.known.insert(format!("brief {words}")) {
            self.brief.push(words);
        }
    }

    /// Somebody speaks; nothing happens where there are no words.
    pub(crate) fn say(&mut self, speaker: Speaker, message: usize, content: &Value) {
        let text = match speaker {
            Speaker::System if self.events.is_empty() => return self.brief(content),
            Speaker::Agent => {
                let (text, thoughts) = without_thoughts(&self.words(content));
                self.remark_times(Remark::Thought, thoughts);
                text
            }
            Speaker::System | Speaker::User => self.words(content),
        };
        if text.trim().is_empty() {
            return;
        }
        self.events.push(match speaker {
            Speaker::System => Event::Told { message, text },
            Speaker::User => Event::User { message, text },
            Speaker::Agent => Event::Agent { message, text },
        });
        if speaker == Speaker::User {
            self.pairing.turn();
        }
    }

    fn words(&mut self, content: &Value) -> String {
        let words = Words::of(content);
        self.remark_times(Remark::Placeholder, words.placeholders);
        self.remark_times(Remark::Thought, words.thoughts);
        words.text
    }

    /// Somebody calls a tool.
    pub(crate) fn call(&mut self, side: Side, message: usize, call: Called) {
        let Called { id, tool, arguments } = call;
        if matches!(arguments, Arguments::Raw(_)) {
            self.remark(Remark::RawArguments);
        }
        if self.pairing.call(side, self.events.len(), id.as_deref(), &tool) {
            self.remark(Remark::RepeatedId);
        }
        let call = Call { message, id, tool, arguments, result: CallResult::Missing, result_message: None };
        self.events.push(match side {
            Side::Agent => Event::Call(call),
            Side::User => Event::UserCall(call),
        });
    }

    /// A call is answered.
    pub(crate) fn result(&mut self, side: Side, message: usize, answer: Answered) {
        self.remark_times(Remark::Placeholder, answer.placeholders);
        match self.pairing.result(side, answer.id.as_deref(), answer.tool.as_deref()) {
            Owner::Call(at) => {
                if let Some(Event::Call(call) | Event::UserCall(call)) = self.events.get_mut(at) {
                    call.result = answer.result;
                    call.result_message = (call.message != message).then_some(message);
                }
            }
            Owner::Again => self.remark(Remark::ResultAgain),
            Owner::Nobody => {
                self.remark(Remark::ResultWithoutCall);
                self.loose.push(answer.result);
            }
        }
    }

    /// Calls of the agent, to be mended by what a log says of them elsewhere.
    pub(crate) fn calls(&mut self) -> impl Iterator<Item = &mut Call> {
        self.events.iter_mut().filter_map(|event| match event {
            Event::Call(call) => Some(call),
            Event::User { .. } | Event::Agent { .. } | Event::Told { .. } | Event::UserCall(_) => None,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether an agent takes part.
    pub(crate) fn has_agent(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Agent { .. } | Event::Call(_)))
    }

    /// What was said, called and returned, each as a text that is the same for all that mean the same: who sends it back
    /// may write it otherwise, and ids are anybody's.
    pub(crate) fn meanings(&self) -> Vec<String> {
        let result = |result: &CallResult| format!("result {}", serde_json::to_string(result).unwrap_or_default());
        let mut meanings: Vec<String> = self.brief.iter().map(|brief| format!("told {}", brief.trim())).collect();
        for event in &self.events {
            meanings.push(match event {
                Event::User { text, .. } => format!("user {}", text.trim()),
                Event::Agent { text, .. } => format!("agent {}", text.trim()),
                Event::Told { text, .. } => format!("told {}", text.trim()),
                Event::Call(call) | Event::UserCall(call) => {
                    let arguments = serde_json::to_string(&call.arguments).unwrap_or_default();
                    format!("call {} {arguments}", call.tool)
                }
            });
            if let Event::Call(call) | Event::UserCall(call) = event
                && call.result != CallResult::Missing
            {
                meanings.push(result(&call.result));
            }
        }
        meanings.extend(self.loose.iter().map(result));
        meanings
    }

    pub(crate) fn remark(&mut self, remark: Remark) {
        self.remark_times(remark, 1);
    }

    pub(crate) fn remark_times(&mut self, remark: Remark, times: u32) {
        if times > 0 {
            let count = self.remarks.entry(remark).or_default();
            *count = count.saturating_add(times);
        }
    }

    /// A message that cannot be read.
    pub(crate) fn unread(&mut self, message: usize, what: impl Into<String>, help: impl Into<String>) {
        let fault = self.place.fault(&format!("{}/{message}", self.list), what, help);
        self.faults.push(fault);
    }

    /// Something of the dialogue that cannot be read.
    pub(crate) fn unread_at(&mut self, pointer: &str, what: impl Into<String>, help: impl Into<String>) {
        self.faults.push(self.place.fault(pointer, what, help));
    }

    /// The dialogue, if an agent takes part, with what of it could not be read.
    pub(crate) fn finish(mut self, file: &str, form: Form, index: usize) -> (Option<Dialogue>, Vec<Fault>) {
        let is_missing = |event: &&Event| match event {
            Event::Call(call) | Event::UserCall(call) => call.result == CallResult::Missing,
            Event::User { .. } | Event::Agent { .. } | Event::Told { .. } => false,
        };
        let missing = self.events.iter().filter(is_missing).count();
        self.remark_times(Remark::CallWithoutResult, u32::try_from(missing).unwrap_or(u32::MAX));
        let has_agent = self.has_agent();
        let id = self.id.unwrap_or_else(|| format!("#{}", index + 1));
        if !has_agent {
            let what = format!("nothing in dialogue `{id}` is the agent's: it neither speaks nor calls a tool");
            let help = "look whether the log was written with contents, and whether the agent's messages are in it";
            let mut faults = self.faults;
            // What kept all of it from being read is told already.
            if faults.is_empty() || !self.events.is_empty() {
                faults.push(self.place.fault("", what, help));
            }
            return (None, faults);
        }
        let source = Source { file: file.to_owned(), form, line: self.place.line, index };
        let dialogue = Dialogue {
            format: FORMAT,
            id,
            source,
            brief: self.brief.join("\n\n"),
            tools: self.tools,
            variant: self.variant,
            start: self.start,
            events: self.events,
            remarks: self.remarks,
        };
        (Some(dialogue), self.faults)
    }
}
