//! A dialogue as a trace: its calls are made again on its task, and must give what it says they gave.

use std::sync::Arc;

use serde_json::Value;

use super::file::{Dialogue, DialogueCall};
use super::stand_in::StandIns;
use crate::episode::play::{Setting, header};
use crate::task::Task;
use crate::task::position::Position;
use probity_bench::{Event, Limits, Rollout, Step, Trace};
use probity_engine::{Actor, State, ToolCall, constraint::contains};

/// A dialogue as it is played on a task.
/// An error: why it is none of this task: the task has no such variant, or a call gives something else than was
/// recorded.
pub fn played(task: &Task, dialogue: &Dialogue) -> Result<Rollout, String> {
    if task.behaviour(dialogue.variant).is_none() {
        return Err(format!("the task has no variant `{}`", dialogue.variant));
    }
    let mut position = Position::start(task);
    let (mut events, mut moves) = (Vec::new(), Vec::new());
    let (mut turn, mut stand_ins) = (0, StandIns::default());
    for event in &dialogue.events {
        if let Some(text) = &event.user {
            turn += u32::from(!event.extra || turn == 0);
            let (text, said) = (stand_ins.words(text), None);
            events.push(Event::User { turn, text, said, extra: event.extra, afresh: false, rephrased: None });
        }
        let Some(message) = event.message else { continue };
        if let Some(text) = &event.text {
            events.push(Event::Reply { message, text: stand_ins.words(text), aside: !event.calls.is_empty() });
        }
        for call in &event.calls {
            let made = ToolCall::new(call.tool.clone(), stand_ins.fill(&call.arguments));
            let before = position.state().clone();
            let (step, made) = position.step(task, made, Actor::Agent, message);
            difference(call, &step, &before, &mut stand_ins).map_or(Ok(()), Err)?;
            events.push(Event::Step(step));
            events.extend(made.breaches.findings.iter().cloned().map(Event::Finding));
            moves.push(Arc::new(made));
        }
    }
    events.push(Event::End { reason: dialogue.end, detail: None });
    let setting = Setting { task, variant: dialogue.variant, seed: 0, limits: Limits::default(), user: &dialogue.user };
    let trace = Trace { header: header(setting), events, final_state: position.state().hash() };
    Ok(Rollout { moves, ..Rollout::from(trace) })
}

/// How what a call gives differs from what was recorded, if it does, but for ids and times that the call made. Of a
/// refusal only the code counts, where one was recorded: its words may have changed since.
fn difference(call: &DialogueCall, step: &Step, before: &State, stand_ins: &mut StandIns) -> Option<String> {
    let at = format!("step {}, `{}`", step.step, step.tool);
    match (&call.observation, &call.error, step.rejection()) {
        (Some(recorded), _, None) if Some(recorded) != step.observation() => {
            let known = [before.to_json(), step.arguments.clone()];
            let is_made = |value: &str| !known.iter().any(|known| contains(known, &Value::from(value)));
            let found = stand_ins.learn(recorded, step.observation()?, &is_made).err()?;
            Some(format!("{at}: gives another observation than was recorded, at {found}"))
        }
        (Some(_), _, Some(rejection)) => Some(format!("{at}: is refused ({}), but was carried out", rejection.code)),
        (None, Some(_), None) => Some(format!("{at}: is carried out, but was refused")),
        (None, Some(error), Some(rejection)) => code(error)
            .filter(|recorded| *recorded != rejection.code)
            .map(|recorded| format!("{at}: is refused with `{}`, but was with `{recorded}`", rejection.code)),
        (Some(_), _, None) | (None, None, _) => None,
    }
}

/// The code of a recorded refusal: as the agent saw it, as a trace has it, or bare.
fn code(error: &Value) -> Option<&str> {
    let at = |pointer: &str| error.pointer(pointer).and_then(Value::as_str);
    at("/rejection/code").or_else(|| at("/error/code")).or_else(|| at("/code"))
}
