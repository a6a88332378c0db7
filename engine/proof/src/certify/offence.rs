//! Slips in a dialogue that tool discipline finds: calls before the user's word for them, replies that tell
//! nothing, prose that carries nothing over, and calls that nobody asked for.

use std::collections::BTreeMap;

use serde_json::Value;

use super::alphabet::{Alphabet, PROSE};
use super::goal::Goal;
use super::kill::MAX_TRIES;
use probity_behaviour::episode::plan::{Plan, PlanAgent, PlannedCall};
use probity_behaviour::episode::play::play_scripted;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::discipline;
use probity_behaviour::score::replayed::Replayed;
use probity_bench::{Event, Rollout, Trace};
use probity_engine::{Actor, Offence, State, ToolCall};

/// What an agent says that tells nothing.
const NOTHING: &str = "One moment.";
/// Most calls of a tool that are tried after the oracle's last one, each in an episode of its own, where a rule
/// names the tool.
const EXTRA_OF_NAMED: usize = 6;
const EXTRA_OF_ANY: usize = 2;

/// What discipline found: code and tool, each with the first slip that shows it.
#[derive(Default)]
pub struct Offences(BTreeMap<(String, String), String>);

impl Offences {
    pub fn slip(&self, offence: &Offence) -> Option<&String> {
        let is_meant = |(code, tool): &(String, String)| {
            code == offence.finding.code() && offence.tool.as_ref().is_none_or(|wanted| wanted == tool)
        };
        self.0.iter().find(|(key, _)| is_meant(key)).map(|(_, slip)| slip)
    }

    fn note(&mut self, goal: &Goal, variant: Variant, slip: &str, plan: Plan) {
        let Some(played) = played(goal, variant, plan) else { return };
        let Some(replayed) = Replayed::of(goal.task, &played) else { return };
        for finding in discipline::score(&replayed, &[]).findings {
            if let Some(tool) = finding.step.and_then(|step| tool_of(&played.trace, step)) {
                let slip = || format!("{variant}: {slip}");
                self.0.entry((finding.code, tool.to_owned())).or_insert_with(slip);
            }
        }
    }
}

fn tool_of(trace: &Trace, number: u32) -> Option<&str> {
    trace.events.iter().find_map(|event| match event {
        Event::Step(step) if step.step == number => Some(step.tool.as_str()),
        Event::Step(_)
        | Event::User { .. }
        | Event::Reply { .. }
        | Event::Finding(_)
        | Event::Note(_)
        | Event::End { .. } => None,
    })
}

/// Plays the slips of the users whose oracle plays the goal's outcome, to see which of the wanted offences they
/// show; `last` is the state after its last call.
pub fn offences(goal: &Goal, alphabet: &mut Alphabet, last: &State, wanted: &[&Offence]) -> Offences {
    let mut found = Offences::default();
    if wanted.is_empty() {
        return found;
    }
    for (at, (variant, _)) in goal.players().enumerate() {
        let Some(plan) = Plan::of_oracle(goal.task, variant) else { continue };
        found.note(goal, variant, "every call already after the first turn", at_once(&plan));
        found.note(goal, variant, "the replies tell nothing", silent(&plan));
        found.note(goal, variant, "what is written carries nothing over", blank_prose(goal, &plan));
        if at > 0 {
            continue;
        }
        for call in extra_calls(goal, alphabet, last, wanted) {
            let slip = format!("after the last call, {} {}", call.tool, call.arguments);
            found.note(goal, variant, &slip, with_call(&plan, &call));
        }
    }
    found
}

fn played(goal: &Goal, variant: Variant, plan: Plan) -> Option<Rollout> {
    play_scripted(goal.task, variant, 0, &mut PlanAgent::new(plan))
}

/// All calls after the user's first turn: nobody waits for a yes, a name or a wish.
fn at_once(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let all = plan.turns.iter_mut().flat_map(|turn| std::mem::take(&mut turn.messages)).collect();
    plan.turns.iter_mut().take(1).for_each(|first| first.messages = Vec::clone(&all));
    plan
}

fn silent(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    plan.turns.iter_mut().for_each(|turn| turn.reply = NOTHING.to_owned());
    plan
}

/// The plan with other words wherever prose is written.
fn blank_prose(goal: &Goal, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for call in plan.turns.iter_mut().flat_map(|turn| turn.messages.iter_mut().flatten()) {
        let prose = goal.task.environment().tool(&call.tool).map(|tool| tool.free_text.as_slice()).unwrap_or_default();
        for (_, text) in call.arguments.iter_mut().filter(|(name, _)| prose.contains(name)) {
            *text = Value::from(PROSE);
        }
    }
    plan
}

fn with_call(plan: &Plan, call: &ToolCall) -> Plan {
    let mut plan = plan.clone();
    let arguments = call.arguments.as_object().cloned().unwrap_or_default();
    let call = PlannedCall { tool: call.tool.clone(), arguments, oracle: None };
    plan.turns.iter_mut().last().into_iter().for_each(|turn| turn.messages.push(vec![call.clone()]));
    plan
}

/// Calls that the environment carries out in a state, some of each tool.
fn extra_calls(goal: &Goal, alphabet: &mut Alphabet, state: &State, wanted: &[&Offence]) -> Vec<ToolCall> {
    let environment = goal.task.environment();
    let is_carried_out = |call: &&ToolCall| environment.step(state, call, Actor::Agent).result.is_ok();
    let most = |tool: &str| {
        let is_named = wanted.iter().any(|offence| offence.tool.as_deref() == Some(tool));
        let is_any = wanted.iter().any(|offence| offence.tool.is_none());
        if is_named { EXTRA_OF_NAMED } else { EXTRA_OF_ANY * usize::from(is_any) }
    };
    let letters = alphabet.letters(state);
    let extra = letters.iter().flat_map(|letters| {
        let calls = letters.calls.iter().step_by(letters.calls.len() / MAX_TRIES + 1);
        calls.filter(is_carried_out).take(most(&letters.tool)).cloned()
    });
    extra.collect()
}
