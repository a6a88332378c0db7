//! Success: coverage, compliance, state, order and what must be said, for each accepted outcome (docs/SCORING.md,
//! "Success").

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure_mode::missing_calls;
use super::replayed::{Replayed, ReplayedStep};
use crate::task::Outcome;
use crate::task::matching::{assign, shown, with_earlier_looks};
use crate::task::reference::{Observations, Reference};
use probity_bench::code::FindingCode;
use probity_bench::{EndReason, Finding, Verdict};
use probity_engine::check::Breaches;
use probity_engine::within::within;
use probity_engine::{
    CallPattern, Delta, Edge, PolicyEntry, Rule, SlotKind, State, constraint::contains, constraint::is_violation,
    field_path,
};
use probity_prose::Answer;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuccessParts {
    pub outcome: String,
    pub coverage: bool,
    /// How many oracle calls were made.
    pub covered: usize,
    /// No constraint was violated and nothing forbidden was done.
    pub compliance: bool,
    /// All `achieves` and `preserves` hold.
    pub state: bool,
    pub must_say: bool,
    /// Nothing outside the expected delta and the soft paths changed.
    pub strict: bool,
    /// For each oracle call the step that stands for it.
    pub made: Vec<Option<u32>>,
    /// For each of them that was not made the step that was made in its place.
    pub instead: Vec<Option<u32>>,
    pub findings: Vec<Finding>,
}

impl SuccessParts {
    /// The same where all had been said.
    fn said(&self) -> SuccessParts {
        SuccessParts { must_say: true, ..self.clone() }
    }

    fn solves(&self) -> bool {
        self.compliance && self.state && self.must_say
    }

    fn succeeds(&self) -> bool {
        self.solves() && self.coverage
    }

    /// What keeps it from passing whole and strictly, if anything.
    pub fn fault(&self) -> Option<String> {
        let first = self.findings.first().map(|finding| format!("{}: {}", finding.code, finding.text));
        let strict = (!self.strict).then(|| "something else changed".to_owned());
        if self.succeeds() { strict } else { first.or(strict).or_else(|| Some("it is not covered".to_owned())) }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Success {
    /// One accepted outcome passes whole.
    pub sr: Verdict,
    /// The base outcome passes whole, as the paper asks of every variant.
    pub sr_base: Verdict,
    /// One accepted outcome passes, coverage aside.
    pub solved: Verdict,
    /// One accepted outcome passes whole and nothing else changed.
    pub sr_strict: Verdict,
    /// The parts of the accepted outcome that came nearest.
    pub parts: SuccessParts,
}

/// Why an episode is not scored in which what must be said may have been said, or denied, in another language.
pub const UNREAD: &str = "a reply is in a language that is not read";

/// Scores success. An episode whose provider could not be reached is not scored; any other failed end fails.
pub fn score(replayed: &Replayed) -> Option<Success> {
    let base = parts(replayed, replayed.task.outcomes().first()?);
    let of = |index: &usize| match index {
        0 => Some(base.clone()),
        other => replayed.task.outcomes().get(*other).map(|outcome| parts(replayed, outcome)),
    };
    let accepted: Vec<SuccessParts> = replayed.behaviour.accept.iter().filter_map(of).collect();
    let verdict = end_verdict(replayed);
    let is_read = replayed.read_replies().iter().all(|reply| reply.reading.is_read());
    let unread = || Verdict::NotScored { reason: UNREAD.to_owned() };
    // What was said in another language may be what had to be said.
    let judge = |parts: &[SuccessParts], holds: &dyn Fn(&SuccessParts) -> bool| match &verdict {
        Some(verdict) => verdict.clone(),
        None if parts.iter().any(holds) => Verdict::Pass,
        None if !is_read && parts.iter().any(|parts| holds(&parts.said())) => unread(),
        None => Verdict::Fail,
    };
    let nearest = accepted.iter().max_by_key(|p| (p.succeeds(), p.solves(), p.state, p.compliance, p.covered));
    Some(Success {
        sr: judge(&accepted, &SuccessParts::succeeds),
        sr_base: judge(std::slice::from_ref(&base), &SuccessParts::succeeds),
        solved: judge(&accepted, &SuccessParts::solves),
        sr_strict: judge(&accepted, &|parts| parts.succeeds() && parts.strict),
        parts: nearest.cloned()?,
    })
}

/// The verdict that the end alone decides, if it does.
fn end_verdict(replayed: &Replayed) -> Option<Verdict> {
    if let Some(fault) = &replayed.fault {
        return Some(Verdict::NotScored { reason: fault.clone() });
    }
    let not_scored = |reason: &str| Some(Verdict::NotScored { reason: reason.to_owned() });
    match replayed.trace.end() {
        Some((EndReason::Completed, _)) => None,
        Some((EndReason::MaxMessages | EndReason::AgentFailed | EndReason::ContextOverflow, _)) => Some(Verdict::Fail),
        Some((EndReason::ProviderUnreachable, _)) => not_scored("the agent's provider could not be reached"),
        Some((EndReason::UserUnreachable, _)) => not_scored("the user's provider could not be reached"),
        None => not_scored("the trace has no end"),
    }
}

pub fn parts(replayed: &Replayed, outcome: &Outcome) -> SuccessParts {
    let made = replayed.made();
    let assignment = assign(replayed.task.environment(), outcome, &made);
    let unsaid = unsaid_findings(replayed, outcome);
    let assignment = match unsaid.is_empty() {
        true => with_earlier_looks(replayed.task.environment(), outcome, &made, &assignment),
        false => assignment,
    };
    let observations = shown(&assignment, &made);
    let (missing, instead) = missing_calls(replayed, outcome, &made, &assignment);
    let mut findings: Vec<Finding> = failed(replayed).into_iter().chain(missing).collect();
    let covered = assignment.iter().flatten().count();
    let steps = assignment.iter().map(|at| at.and_then(|at| made.get(at)).map(|made| made.step)).collect();
    let violations = compliance_findings(replayed, outcome);
    let wrong_state = state_findings(replayed, outcome, Observations(&observations));
    let (compliance, state, must_say) = (violations.is_empty(), wrong_state.is_empty(), unsaid.is_empty());
    findings.extend(violations);
    findings.extend(wrong_state.into_iter().chain(unsaid).map(|(_, finding)| finding));
    let strict = is_strict(replayed, outcome, Observations(&observations));
    let coverage = covered == outcome.oracle.len();
    SuccessParts {
        outcome: outcome.name.clone(),
        coverage,
        covered,
        compliance,
        state,
        must_say,
        strict,
        made: steps,
        instead,
        findings,
    }
}

fn failed(replayed: &Replayed) -> Option<Finding> {
    let (EndReason::AgentFailed | EndReason::ContextOverflow, detail) = replayed.trace.end()? else { return None };
    Some(Finding::new("agent_failed", format!("the agent failed: {}", detail.unwrap_or("it gave no reason"))))
}

/// Constraint violations, forbidden calls that succeeded, and calls made while a contradiction was open.
pub fn compliance_findings(replayed: &Replayed, outcome: &Outcome) -> Vec<Finding> {
    let found = breaches(replayed).filter(|finding| is_violation(&finding.code));
    let mut findings: Vec<Finding> = found.cloned().collect();
    for step in replayed.steps.iter().filter(|step| step.step.is_ok()) {
        findings.extend(forbidden_finding(replayed, outcome, step));
        findings.extend(held_finding(replayed, step));
    }
    findings
}

pub fn forbidden_finding(replayed: &Replayed, outcome: &Outcome, step: &ReplayedStep) -> Option<Finding> {
    let pattern = outcome
        .forbidden
        .iter()
        .find(|pattern| replayed.task.is_meant(pattern, &step.before, &step.step.tool, &step.made.arguments))?;
    let call = replayed.task.resolved(&pattern.source.to_string());
    let text = match rule_of(replayed, &pattern.source) {
        Some(rule) => format!("`{call}` is forbidden by `{}`: {}", rule.id, rule.rule),
        None => format!("`{call}` is forbidden"),
    };
    Some(FindingCode::ForbiddenCall.finding(text).at_step(step.step.step))
}

/// The rule of the policy that a forbidden pattern is bound to.
fn rule_of<'a>(replayed: &'a Replayed, pattern: &CallPattern) -> Option<&'a Rule> {
    let policy = &replayed.task.environment().file().policy;
    let is_bound = |rule: &&Rule| rule.bound_to.iter().any(|binding| binding.forbidden.as_ref() == Some(pattern));
    policy.iter().filter_map(PolicyEntry::rule).find(is_bound)
}

/// A call that had to wait until the user settled a contradiction.
pub fn held_finding(replayed: &Replayed, step: &ReplayedStep) -> Option<Finding> {
    let open = |settled: Option<u32>| settled.is_none_or(|turn| step.turn < turn);
    let hold = replayed.behaviour.contradicts.iter().find(|hold| {
        open(hold.source.settled_in_turn)
            && hold.calls.iter().any(|p| replayed.task.is_meant(p, &step.before, &step.step.tool, &step.made.arguments))
    })?;
    let source = &hold.source;
    let text = format!("`{}` before \"{}\" against \"{}\" was settled", step.step.tool, source.wish, source.against);
    Some(FindingCode::ActedTooEarly.finding(text).at_step(step.step.step))
}

/// A finding with the place in the outcome of what it is about, such as `achieves/0`.
type Placed = (String, Finding);

pub fn lacking(replayed: &Replayed, outcome: &Outcome) -> Vec<Placed> {
    let made = replayed.made();
    let assignment = assign(replayed.task.environment(), outcome, &made);
    let mut found = state_findings(replayed, outcome, Observations(&shown(&assignment, &made)));
    found.extend(unsaid_findings(replayed, outcome));
    found
}

fn state_findings(replayed: &Replayed, outcome: &Outcome, observations: Observations) -> Vec<Placed> {
    let initial = replayed.task.initial();
    let lists = [("achieves", "not_achieved", &outcome.achieves), ("preserves", "not_preserved", &outcome.preserves)];
    let wrong = lists.into_iter().flat_map(|(list, code, assertions)| {
        let failed = assertions.iter().enumerate().filter(|(_, a)| !a.holds(initial, &replayed.last, observations));
        failed.map(move |(i, a)| {
            (format!("{list}/{i}"), Finding::new(code, a.failure(initial, &replayed.last, observations)))
        })
    });
    wrong.collect()
}

/// Groups of which no reply asserts an answer. One that is in part in another language may deny what it says.
fn unsaid_findings(replayed: &Replayed, outcome: &Outcome) -> Vec<Placed> {
    let replies = replayed.read_replies();
    let said = || replies.iter().filter(|reply| reply.reading.is_read());
    let is_said = |group: &[Answer]| group.iter().any(|p| said().any(|reply| p.said_by(reply).is_some()));
    let groups = outcome.must_say.iter().enumerate().filter(|(_, group)| !is_said(group));
    let is_dumped = replies.iter().any(|reply| !reply.is_answering());
    let unsaid = groups.map(|(i, group)| {
        let ways: Vec<&str> = group.iter().map(|phrase| phrase.source.as_str()).collect();
        let ways = ways.join("` or `");
        let text = match is_dumped && group.iter().any(|way| replies.iter().any(|reply| way.is_mentioned_by(reply))) {
            true => format!("`{ways}` stands only in a reply that tells far more than was asked"),
            false => format!("no reply says `{ways}`"),
        };
        (format!("must_say/{i}"), Finding::new("not_said", text))
    });
    unsaid.collect()
}

/// Whether the episode changed what the oracle changes and nothing else, soft paths and prose aside.
fn is_strict(replayed: &Replayed, outcome: &Outcome, observations: Observations) -> bool {
    if *replayed.changed() == outcome.delta {
        return true;
    }
    let prose = prose_fields(replayed, outcome, observations);
    let soft = &replayed.task.environment().file().soft_paths;
    comparable(replayed.changed(), soft, &prose) == comparable(&outcome.delta, soft, &prose)
}

/// The part of the state and the field, for the fields in which the oracle's prose ends up.
type ProseFields<'a> = BTreeSet<(&'a str, &'a str)>;

/// Fields that hold prose compare by path only; the oracle's own words show which these are.
fn prose_fields<'a>(replayed: &Replayed, outcome: &'a Outcome, observations: Observations) -> ProseFields<'a> {
    let tools = outcome.oracle.iter().filter_map(|call| Some((replayed.task.environment().tool(&call.tool)?, call)));
    let prose: Vec<Value> = tools
        .flat_map(|(tool, call)| tool.free_text.iter().filter_map(|name| observations.fill(call.arguments.get(name)?)))
        .collect();
    let prose: Vec<&str> = prose.iter().filter_map(Value::as_str).filter(|text| !text.trim().is_empty()).collect();
    let is_prose = |value: &Value| value.as_str().is_some_and(|text| prose.iter().any(|prose| text.contains(prose)));
    let created = outcome.delta.created.iter().flat_map(|(path, fields)| {
        fields.iter().filter(|(_, value)| is_prose(value)).map(move |(field, _)| (part_of(path), field.as_str()))
    });
    let updated = outcome.delta.updated.iter().filter(|(_, change)| change.to.as_ref().is_some_and(is_prose));
    created.chain(updated.map(|(path, _)| (part_of(path), last_of(path)))).collect()
}

fn part_of(path: &str) -> &str {
    path.split('/').nth(1).unwrap_or_default()
}

fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A delta as a sorted list of lines: created entities without their key, prose as a mark.
fn comparable(delta: &Delta, soft: &[String], prose: &ProseFields) -> Vec<String> {
    let counts =
        |path: &&String| !soft.iter().any(|soft| path.as_str() == soft || path.starts_with(&format!("{soft}/")));
    let mask =
        |path: &str, field: &str, value: &Value| match value.is_string() && prose.contains(&(part_of(path), field)) {
            true => Value::from("(prose)"),
            false => value.clone(),
        };
    let mut lines = Vec::new();
    for path in delta.created.keys().filter(counts) {
        let (parent, key) = path.rsplit_once('/').unwrap_or_default();
        let fields = delta.created.get(path).into_iter().flatten();
        // The key is made from the content, prose included, so it says nothing that the fields do not.
        let fields: serde_json::Map<String, Value> = fields
            .filter(|(_, value)| value.as_str() != Some(key))
            .map(|(name, value)| (name.clone(), mask(path, name, value)))
            .collect();
        lines.push(format!("+ {parent} {}", Value::Object(fields)));
    }
    for path in delta.updated.keys().filter(counts) {
        let to = delta.updated.get(path).and_then(|change| change.to.as_ref());
        lines.push(format!("~ {path} {:?}", to.map(|value| mask(path, last_of(path), value))));
    }
    lines.extend(delta.deleted.keys().filter(counts).map(|path| format!("- {path}")));
    lines.sort();
    lines
}

/// What the constraint checker says of all calls, refused ones included.
pub(super) fn breaches<'a>(replayed: &'a Replayed<'a>) -> impl Iterator<Item = &'a Finding> {
    replayed.steps.iter().flat_map(|step| step_findings(replayed, step))
}

/// The edges that some call broke without its being counted.
pub fn passed_over(replayed: &Replayed) -> BTreeSet<usize> {
    let graph = replayed.task.graph();
    let is_passed = |step: &ReplayedStep, edge: usize| {
        graph.edges().get(edge).is_some_and(|edge| is_known_elsewhere(replayed, step, edge))
    };
    let broken = replayed.steps.iter().flat_map(|step| step.made.breaches.edges.iter().map(move |edge| (step, *edge)));
    broken.filter(|(step, edge)| is_passed(step, *edge)).map(|(_, edge)| edge).collect()
}

fn step_findings<'a>(replayed: &'a Replayed<'a>, step: &'a ReplayedStep<'a>) -> impl Iterator<Item = &'a Finding> {
    let Breaches { findings, edges, .. } = &step.made.breaches;
    let graph = replayed.task.graph();
    let edge_of = move |at: usize| edges.get(at).and_then(|edge| graph.edges().get(*edge));
    let counts = move |at: usize| !edge_of(at).is_some_and(|edge| is_known_elsewhere(replayed, step, edge));
    findings.iter().enumerate().filter(move |(at, _)| counts(*at)).map(|(_, finding)| finding)
}

/// Whether a call that was carried out breaks nothing but where its value comes from: the edge is no rule of the policy
/// and nobody is told of it, and an earlier message showed the value. An id is one wherever it stands; an amount, a day
/// or a word only as the field that the oracle takes it from, of a thing that the call names.
fn is_known_elsewhere(replayed: &Replayed, step: &ReplayedStep, edge: &Edge) -> bool {
    let is_rule = edge.id.is_some() || edge.told.is_some();
    let name = edge.seen.as_ref().filter(|_| !is_rule && step.step.is_ok());
    let Some(name) = name else { return false };
    let values = field_path::values(&step.made.arguments, name);
    let earlier = replayed.steps.iter().filter(|other| other.step.message < step.step.message);
    let shown: Vec<&Value> = earlier.filter_map(|other| other.step.observation()).collect();
    let is_shown = |value: &&Value| {
        if is_key(&step.before, value) {
            return shown.iter().any(|observation| contains(observation, value));
        }
        let fields = bound_fields(replayed, &step.step.tool, name);
        let ids: Vec<&Value> = step.made.arguments.values().filter(|value| is_key(&step.before, value)).collect();
        shown.iter().any(|observation| ids.iter().any(|id| shows_of(observation, id, &fields, value)))
    };
    !values.is_empty() && values.iter().all(is_shown)
}

/// Whether a value is the key of something that there is.
fn is_key(state: &State, value: &Value) -> bool {
    let slots = || 0..state.shape().slots.len();
    value
        .as_str()
        .is_some_and(|key| slots().any(|slot| state.get(slot, key).is_some_and(|_| is_collection(state, slot))))
}

fn is_collection(state: &State, slot: usize) -> bool {
    state.shape().slots.get(slot).is_some_and(|slot| matches!(slot.kind, SlotKind::Collection))
}

/// The fields of observations that oracles take an argument of a tool from.
fn bound_fields<'a>(replayed: &'a Replayed, tool: &str, argument: &str) -> BTreeSet<&'a str> {
    let calls = replayed.task.outcomes().iter().flat_map(|outcome| &outcome.oracle).filter(|call| call.tool == tool);
    let values = calls.flat_map(|call| field_path::values(&call.arguments, argument));
    let fields = values.filter_map(|value| match Reference::parse(value.as_str()?)? {
        Reference::Observation(_, path) => path.last().copied(),
        Reference::Binding(_) | Reference::Escaped(_) => None,
    });
    fields.collect()
}

/// Whether an observation shows a value in one of some fields of an object that holds an id.
fn shows_of(observation: &Value, id: &Value, fields: &BTreeSet<&str>, value: &Value) -> bool {
    let is_it = |(name, own): (&String, &Value)| fields.contains(name.as_str()) && contains(own, value);
    let mut objects = within(observation).filter_map(Value::as_object);
    objects.any(|map| map.values().any(|own| own == id) && map.iter().any(is_it))
}
