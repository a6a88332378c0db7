//! An audited dialogue as an episode, for pages and tables.

use std::collections::{BTreeMap, BTreeSet};

use probity_bench::{EndReason, EpisodeRecord, Header, Levels, Limits, Options, Step, StepOutcome, Trace};
use probity_engine::{Actor, Delta, Hash, Rejection, RejectionKind};
use probity_logs::{Arguments, Call, CallResult, Dialogue, Event};
use serde_json::Value;

use crate::audited::{Audited, place};
use crate::card::{CARD, FORM};
use crate::nature::Nature;
use crate::outcome::refusal;

/// The dialogue as an episode: its file is its agent, its id its task. `trial` tells dialogues of one id apart.
pub fn record(dialogue: &Dialogue, audited: Audited, trial: u32) -> EpisodeRecord {
    let form = serde_json::to_value(dialogue.source.form).unwrap_or_default();
    let levels: Levels = form.as_str().map(|form| (FORM, form)).into_iter().collect();
    let nothing = Hash::of_bytes(b"");
    let header = Header {
        format: probity_bench::trace::FORMAT,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        benchmark: CARD.name.to_owned(),
        environment: format!("{}:{}", dialogue.source.file, dialogue.source.line),
        environment_hash: nothing,
        scripts: BTreeMap::new(),
        task: dialogue.id.clone(),
        task_hash: nothing,
        levels: Levels::default(),
        seed: 0,
        limits: Limits::default(),
        options: Options::default(),
        user: String::new(),
        prompt: Hash::of_bytes(dialogue.brief.as_bytes()),
    };
    let trace = Trace { header, events: events(dialogue, &audited.tools), final_state: nothing };
    EpisodeRecord::new(&dialogue.source.file, trial, levels, trace, audited.scores)
}

fn events(dialogue: &Dialogue, tools: &BTreeMap<String, Nature>) -> Vec<probity_bench::Event> {
    let (mut turn, mut step) = (0, 0);
    let mut events = Vec::new();
    let calling: BTreeSet<usize> = dialogue.events.iter().filter_map(message_of_call).collect();
    for event in &dialogue.events {
        events.push(match event {
            Event::User { text, .. } => {
                turn += 1;
                probity_bench::Event::user(turn, text.as_str())
            }
            Event::Agent { message, text } => {
                let aside = calling.contains(message);
                probity_bench::Event::Reply { message: place(*message), text: text.clone(), aside }
            }
            Event::Told { text, .. } => {
                let context = probity_bench::Context { text: text.clone(), answer: None };
                probity_bench::Event::Note(probity_bench::Note::Context(context))
            }
            Event::Call(call) => {
                step += 1;
                probity_bench::Event::Step(made(call, step, Actor::Agent, tools))
            }
            Event::UserCall(call) => {
                step += 1;
                probity_bench::Event::Step(made(call, step, Actor::User, tools))
            }
        });
    }
    events.push(probity_bench::Event::End { reason: EndReason::Completed, detail: None });
    events
}

fn message_of_call(event: &Event) -> Option<usize> {
    match event {
        Event::Call(call) => Some(call.message),
        Event::User { .. } | Event::Agent { .. } | Event::Told { .. } | Event::UserCall(_) => None,
    }
}

fn made(call: &Call, step: u32, actor: Actor, tools: &BTreeMap<String, Nature>) -> Step {
    let observation = match &call.result {
        CallResult::Ok { observation } => observation.clone(),
        CallResult::Error { .. } | CallResult::Missing => Value::Null,
    };
    let outcome = match refusal(call, tools.get(&call.tool).is_some_and(|nature| nature.changes)) {
        Some(reason) => StepOutcome::Rejected { rejection: Rejection::new(RejectionKind::ToolFailed, reason) },
        None => StepOutcome::Ok { observation, delta: Delta::default() },
    };
    Step {
        step,
        message: place(call.message),
        actor,
        tool: call.tool.clone(),
        arguments: match &call.arguments {
            Arguments::Named(map) => Value::Object(map.clone()),
            Arguments::Raw(text) => Value::from(text.as_str()),
        },
        outcome,
        state_hash: String::new(),
        fired: Vec::new(),
        prints: Vec::new(),
    }
}
