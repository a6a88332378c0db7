//! Slips in a dialogue: calls before the user agreed to them or before a contradiction was settled, and what else tool
//! discipline finds: replies that tell nothing, prose that carries nothing over, and calls that nobody asked for.

use std::collections::BTreeMap;

use serde_json::Value;

use super::alphabet::{Alphabet, PROSE};
use super::certificate::CheckRow;
use super::goal::Goal;
use super::kill::{Kill, MAX_TRIES};
use probity_behaviour::episode::play::{Plan, PlanAgent, PlannedCall, play_scripted};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::discipline;
use probity_behaviour::score::episode::Scorer;
use probity_behaviour::score::replayed::Replayed;
use probity_behaviour::task::oracle::OracleRun;
use probity_behaviour::task::{Behaviour, Task};
use probity_bench::{Rollout, Trace};
use probity_engine::{Actor, CallPattern, Offence, Pattern, State, ToolCall};

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
        let Some(played) = played(goal.task, variant, plan) else { return };
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
    trace.steps().find(|step| step.step == number).map(|step| step.tool.as_str())
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

fn played(task: &Task, variant: Variant, plan: Plan) -> Option<Rollout> {
    play_scripted(task, variant, 0, &mut PlanAgent::new(plan))
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

/// Something that lets calls wait for a turn of the user.
pub struct Wait<'a> {
    pub text: String,
    pub pointer: String,
    pub variant: Variant,
    turn: u32,
    calls: Vec<&'a Pattern>,
    /// The finding that must come of a call before.
    code: &'static str,
}

/// What lets calls wait in a variant, other than from its first turn.
fn waits(variant: Variant, behaviour: &Behaviour) -> Vec<Wait<'_>> {
    let consents = behaviour.consents.iter().map(|(turn, pattern)| Wait {
        text: format!("waits for a yes in turn {turn}: {}", pattern.source),
        pointer: format!("/variants/{variant}/consents/{turn}"),
        variant,
        turn: *turn,
        calls: vec![pattern],
        code: "no_consent",
    });
    let holds = behaviour.contradicts.iter().enumerate().filter_map(|(at, hold)| {
        let turn = hold.source.settled_in_turn?;
        Some(Wait {
            text: format!("waits until \"{}\" is settled in turn {turn}", hold.source.wish),
            pointer: format!("/variants/{variant}/contradicts/{at}"),
            variant,
            turn,
            calls: hold.calls.iter().collect(),
            code: "acted_too_early",
        })
    });
    consents.chain(holds).filter(|wait| wait.turn > 1).collect()
}

/// The slip that shows a wait: the oracle's first call that has to wait, made a turn too early.
/// Nothing when no call of the oracle waits, or when nobody notices.
fn slip(task: &Task, wait: &Wait, run: &OracleRun) -> Option<Kill> {
    let behaviour = task.behaviour(wait.variant)?;
    let outcome = task.oracle_outcome(wait.variant)?;
    let mut state = task.initial().clone();
    let waiting = run.calls.iter().position(|(call, _)| {
        let arguments = task.environment().complete(call).unwrap_or_default();
        let is_meant = wait.calls.iter().any(|pattern| task.is_meant(pattern, &state, &call.tool, &arguments));
        state = task.environment().step(&state, call, Actor::Agent).after;
        is_meant
    })?;
    let early = wait.turn - 1;
    let mut segments = behaviour.segments.clone();
    segments.iter_mut().take(waiting + 1).for_each(|segment| *segment = (*segment).min(early));
    let plan = Plan::of_calls(&outcome.oracle, &segments, behaviour.replies.clone())?;
    let scores = Scorer::new(task).score(&played(task, wait.variant, plan)?)?;
    let mut findings = scores.success.parts.findings.iter().chain(&scores.discipline.findings);
    let is_caught = findings.clone().any(|finding| finding.code == wait.code);
    let is_alone = findings.all(|finding| finding.code == wait.code);
    let call = outcome.oracle.get(waiting)?;
    let mutant = format!("call {}, {}, already in turn {early}", waiting + 1, call.tool);
    is_caught.then_some(Kill { mutant, is_alone })
}

/// The slip that shows that a call waits until a contradiction is settled.
pub fn too_early(goal: &Goal, run: &OracleRun, pattern: &CallPattern) -> Option<String> {
    let waits = goal.players().flat_map(|(variant, user)| waits(variant, user));
    let mut slips = waits.filter(|wait| wait.code == "acted_too_early").filter_map(|mut wait| {
        wait.calls.retain(|call| call.source == *pattern);
        slip(goal.task, &wait, run).map(|kill| format!("{}: {}", wait.variant, kill.mutant))
    });
    slips.next()
}

/// The checks of waiting of the users who accept an outcome first, each with its slip; what is the same for
/// several users is one. With the waits for which no call of the oracle can come too early.
pub fn waiting<'a>(goal: &Goal<'a>, run: &OracleRun) -> (Vec<CheckRow>, Vec<Wait<'a>>) {
    let (mut rows, mut idle): (Vec<CheckRow>, Vec<Wait>) = (Vec::new(), Vec::new());
    let waits = goal.players().flat_map(|(variant, user)| waits(variant, user));
    for wait in waits {
        let kill = slip(goal.task, &wait, run);
        let is_alone = kill.as_ref().is_some_and(|kill| kill.is_alone);
        let row = CheckRow { check: wait.text.clone(), killed_by: kill.map(|kill| kill.mutant), is_alone };
        if row.killed_by.is_none() {
            idle.push(wait);
        }
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    (rows, idle)
}
