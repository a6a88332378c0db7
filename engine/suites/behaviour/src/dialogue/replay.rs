//! A dialogue as a trace: its calls are made again on its task, and must give what it says they gave. Ids that a world
//! made up stand for its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::file::{Dialogue, DialogueCall};
use crate::episode::play::{Setting, header};
use crate::model::variant::Variant;
use crate::task::Task;
use crate::task::oracle::Position;
use probity_bench::{Event, Limits, Rollout, Step, Trace};
use probity_engine::pointer::join;
use probity_engine::within::with_texts;
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

/// Most values of one dialogue that stand for others.
const MAX_PAIRS: usize = 1_000;

/// What stands for what, learnt call by call.
#[derive(Default)]
pub(super) struct StandIns(BTreeMap<String, String>);

impl StandIns {
    /// Learns from an observation what stands for what. `is_made` says whether a value of the replay is one that the call
    /// made.
    /// An error: the first path at which the observations differ otherwise, with both values.
    pub(super) fn learn(
        &mut self,
        recorded: &Value,
        given: &Value,
        is_made: &impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        self.compare("", recorded, given, is_made)
    }

    fn compare(
        &mut self,
        at: &str,
        recorded: &Value,
        given: &Value,
        is_made: &impl Fn(&str) -> bool,
    ) -> Result<(), String> {
        let differ =
            || format!("{}: the log has {recorded}, the task gives {given}", if at.is_empty() { "/" } else { at });
        match (recorded, given) {
            (Value::Object(one), Value::Object(other)) => {
                let keys = |map: &Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
                if keys(one) != keys(other) {
                    return Err(differ());
                }
                one.iter()
                    .zip(other.values())
                    .try_for_each(|((key, one), other)| self.compare(&below(at, key), one, other, is_made))
            }
            (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
                let items = one.iter().zip(other).enumerate();
                items.into_iter().try_for_each(|(index, (one, other))| {
                    self.compare(&below(at, &index.to_string()), one, other, is_made)
                })
            }
            (Value::String(one), Value::String(other)) if one != other => {
                let is_known = self.0.get(one) == Some(other);
                let is_new = !self.0.contains_key(one) && !self.0.values().any(|value| value == other);
                if is_known
                    || (is_new
                        && self.0.len() < MAX_PAIRS
                        && is_generated(one)
                        && is_generated(other)
                        && is_made(other))
                {
                    self.0.insert(one.clone(), other.clone());
                    return Ok(());
                }
                Err(differ())
            }
            _ if recorded == given => Ok(()),
            _ => Err(differ()),
        }
    }

    /// Arguments with what stands here for their values.
    pub(super) fn fill(&self, value: &Value) -> Value {
        with_texts(value, &mut |text| Value::from(self.0.get(text).map_or(text, String::as_str)))
    }

    /// Words with what stands here for the values in them, as whole words.
    pub(super) fn words(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (recorded, given)| replaced(&text, recorded, given))
    }
}

fn below(at: &str, key: &str) -> String {
    format!("{at}{}", join([key]))
}

/// An id or a time: it has a digit, and is one word.
fn is_generated(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_whitespace)
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(from) {
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_whole = !is_word(before.chars().next_back()) && !is_word(after.chars().next());
        made.push_str(before);
        made.push_str(if is_whole { to } else { from });
        rest = after;
    }
    made.push_str(rest);
    made
}

/// The task and the behaviour whose user begins as this one did; of several the one of whose turns most were said, in
/// their order. Nothing where no user begins so.
pub fn held_on<'t>(tasks: &BTreeMap<String, &'t Task>, said: &[&str]) -> Option<(&'t str, Variant)> {
    let ways = tasks.values().flat_map(|task| task.variants().keys().map(move |variant| (*task, *variant)));
    let met = ways.filter_map(|(task, variant)| Some((turns_said(task, variant, said)?, task, variant)));
    // Of equals the first.
    let best = met.fold(None, |best: Option<(usize, &Task, Variant)>, next| match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    });
    best.map(|(_, task, variant)| (task.id(), variant))
}

/// How many turns of a task's user were said, in their order; nothing where the first words are others.
pub fn turns_said(task: &Task, variant: Variant, said: &[&str]) -> Option<usize> {
    let turns = &task.behaviour(variant)?.turns;
    let is_same = |one: &str, other: &str| one.split_whitespace().eq(other.split_whitespace());
    if !is_same(turns.first()?, said.first()?) {
        return None;
    }
    let mut rest = said.iter();
    Some(turns.iter().take_while(|turn| rest.any(|said| is_same(turn, said))).count())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn made_ids_stand_for_each_other_and_nothing_else_does() {
        let mut stand_ins = StandIns::default();
        let is_made = |value: &str| value.starts_with("B-");
        let learnt =
            |stand_ins: &mut StandIns, recorded: Value, given: Value| stand_ins.learn(&recorded, &given, &is_made);
        let recorded = json!({"booking_id": "9f3c-77", "room": "12", "total": 80});
        assert_eq!(
            learnt(&mut stand_ins, recorded, json!({"booking_id": "B-1001", "room": "12", "total": 80})),
            Ok(())
        );
        assert_eq!(stand_ins.fill(&json!({"id": "9f3c-77", "n": [1]})), json!({"id": "B-1001", "n": [1]}));
        assert_eq!(stand_ins.words("Booked: 9f3c-77, not 9f3c-771."), "Booked: B-1001, not 9f3c-771.");
        let wrong = learnt(&mut stand_ins, json!({"a": [{"total": 81}]}), json!({"a": [{"total": 80}]}));
        assert_eq!(wrong, Err("/a/0/total: the log has 81, the task gives 80".to_owned()));
        assert!(learnt(&mut stand_ins, json!("9f3c-77"), json!("B-1002")).is_err(), "one value has one meaning");
        assert!(learnt(&mut stand_ins, json!("2026-05-01"), json!("2026-05-02")).is_err(), "it was not made here");
        assert!(learnt(&mut stand_ins, json!({"a": 1}), json!({"b": 1})).is_err());
    }
}
