//! Every scorer gives the oracle full marks under every behaviour; what is wrong is told at the call, the reply,
//! the assertion or the answer that it is about.

use probity_behaviour::episode::play::{Plan, PlanAgent, play_scripted};
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::episode::{Scorer, Scores};
use probity_behaviour::score::honesty::Grounds;
use probity_behaviour::score::replayed::Replayed;
use probity_behaviour::score::success;
use probity_behaviour::task::{Behaviour, Task};
use probity_bench::{Event, Finding, Rollout, Verdict};
use probity_engine::Problem;

/// Plays the oracle agent under every behaviour and asks every scorer for full marks; one whose delta `has_drifted` is
/// not told once more that something else changed.
pub(super) fn check(task: &Task, grounds: &Grounds, has_drifted: bool, problems: &mut Vec<Problem>) {
    let scorer = Scorer::of_suite(task, grounds);
    let mut found: Vec<(Problem, usize)> = Vec::new();
    for (variant, behaviour) in task.variants() {
        let at = format!("/variants/{variant}");
        check_others(task, *variant, behaviour, &at, problems);
        let played = Plan::of_oracle(task, *variant).and_then(|plan| play_plan(task, *variant, plan));
        let scored = played.and_then(|played| scorer.score(&played).map(|scores| (played, scores)));
        let Some((played, scores)) = scored else {
            let message = "the oracle cannot be played in this variant";
            problems.push(Problem::error(at, "oracle_fails", message).help("give each call a turn that is there"));
            continue;
        };
        let episode = Episode { task, variant: *variant, behaviour, played: &played, has_drifted };
        // An outcome may be an explained refusal without a call: then there is nothing to ground.
        let first = behaviour.accept.first().and_then(|index| task.outcomes().get(*index));
        let has_calls = first.is_some_and(|outcome| !outcome.oracle.is_empty());
        let bare = if has_calls { bare_turns(&scores, &behaviour.replies, &at) } else { Vec::new() };
        for problem in episode.faults(&scores).into_iter().chain(bare) {
            match found.iter_mut().find(|(known, _)| known.message == problem.message) {
                Some((_, times)) => *times += 1,
                None => found.push((problem, 1)),
            }
        }
    }
    problems.extend(found.into_iter().map(|(problem, times)| said_once(problem, times)));
}

/// What is the same under several behaviours stands at the first of them.
fn said_once(problem: Problem, times: usize) -> Problem {
    match times {
        1 => problem,
        _ => Problem { message: format!("{} (under {times} behaviours)", problem.message), ..problem },
    }
}

/// Plays a plan before the scripted user of a variant.
pub(super) fn play_plan(task: &Task, variant: Variant, plan: Plan) -> Option<Rollout> {
    play_scripted(task, variant, 0, &mut PlanAgent::new(plan))
}

/// Accepted outcomes after the first: their own oracles must pass by them.
fn check_others(task: &Task, variant: Variant, behaviour: &Behaviour, at: &str, problems: &mut Vec<Problem>) {
    for outcome in behaviour.accept.iter().skip(1).filter_map(|index| task.outcomes().get(*index)) {
        let played = Plan::of_outcome(task, variant, outcome).and_then(|plan| play_plan(task, variant, plan));
        let parts = played.as_ref().and_then(|played| Some(success::parts(&Replayed::of(task, played)?, outcome)));
        let Some(fault) = parts.map_or(Some(String::new()), |parts| parts.fault()) else { continue };
        let message = format!("the oracle of `{}` does not pass by its own outcome: {fault}", outcome.name);
        let help = "mend the outcome, or do not accept it here";
        problems.push(Problem::error(format!("{at}/accept"), "oracle_not_perfect", message).help(help));
    }
}

/// The oracle's episode under a behaviour.
struct Episode<'a> {
    task: &'a Task,
    variant: Variant,
    behaviour: &'a Behaviour,
    played: &'a Rollout,
    has_drifted: bool,
}

impl Episode<'_> {
    fn faults(&self, scores: &Scores) -> Vec<Problem> {
        let mut faults = Vec::new();
        let verdicts =
            [("sr", &scores.success.sr), ("solved", &scores.success.solved), ("sr_strict", &scores.success.sr_strict)];
        let is_new = |name: &str| !self.has_drifted || name != "sr_strict";
        let failed = verdicts.iter().filter(|(name, verdict)| **verdict != Verdict::Pass && is_new(name));
        let failed: Vec<String> = failed.map(|(name, _)| format!("`{name}`")).collect();
        let first = scores.success.parts.findings.first();
        if !failed.is_empty() {
            let why = first.map(|f| format!(": {}: {}", f.code, f.text)).unwrap_or_default();
            faults.push(self.fault(first, format!("the oracle does not pass {}{why}", failed.join(", "))));
        }
        let others = scores.success.parts.findings.iter().skip(1);
        let honesty = scores.honesty.findings.iter().chain(&scores.honesty.unknown);
        let findings = others.chain(&scores.discipline.findings).chain(honesty);
        let findings = findings.filter(|finding| first.is_none_or(|first| first.text != finding.text));
        faults.extend(findings.map(|finding| {
            let what = format!("the oracle has a finding: {}: {}", finding.code, finding.text);
            self.fault(Some(finding), what)
        }));
        faults
    }

    fn fault(&self, finding: Option<&Finding>, message: String) -> Problem {
        let at = finding.and_then(|finding| self.place(finding)).unwrap_or(format!("/variants/{}", self.variant));
        let help = finding.and_then(|finding| self.consent(finding)).unwrap_or_else(|| {
            format!("`probity show {} --variant {}` shows the episode; mend the task", self.task.id(), self.variant)
        });
        Problem::error(at, "oracle_not_perfect", message).help(help)
    }

    /// Where in the task's file stands what a finding is about.
    fn place(&self, finding: &Finding) -> Option<String> {
        let index = *self.behaviour.accept.first()?;
        let outcome = self.task.outcomes().get(index)?;
        if let Some(step) = finding.step {
            // The oracle makes its calls one by one.
            let call = usize::try_from(step).ok()?.checked_sub(1).filter(|call| *call < outcome.oracle.len())?;
            return Some(format!("/outcomes/{index}/oracle/{call}"));
        }
        if let Some(message) = finding.message {
            let turn = self.replies().position(|reply| reply == message)?;
            let is_own = self.task.file().variants.get(&self.variant).is_some_and(|user| !user.replies.is_empty());
            return Some(match is_own {
                true => format!("/variants/{}/replies/{turn}", self.variant),
                false => format!("/outcomes/{index}/replies/{turn}"),
            });
        }
        let replayed = Replayed::of(self.task, self.played)?;
        let (below, _) = success::lacking(&replayed, outcome).into_iter().find(|(_, found)| found == finding)?;
        Some(format!("/outcomes/{index}/{below}"))
    }

    fn replies(&self) -> impl Iterator<Item = u32> {
        self.played.trace.events.iter().filter_map(|event| match event {
            Event::Reply { message, aside: false, .. } => Some(*message),
            Event::Reply { .. }
            | Event::User { .. }
            | Event::Step(_)
            | Event::Finding(_)
            | Event::Note(_)
            | Event::End { .. } => None,
        })
    }

    /// What to do about a call without the user's yes.
    fn consent(&self, finding: &Finding) -> Option<String> {
        let step = finding.step.filter(|_| finding.code == "no_consent")?;
        let mut now = 1;
        let tool = self.played.trace.events.iter().find_map(|event| match event {
            Event::User { turn, .. } => {
                now = *turn;
                None
            }
            Event::Step(made) if made.step == step => Some(made.tool.as_str()),
            Event::Step(_) | Event::Reply { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
        })?;
        Some(format!(
            "where the user says yes, list it under `consents`: `{{\"{now}\": [\"{tool}\"]}}` is a yes in turn {now}"
        ))
    }
}

/// Turns in which the oracle makes no claim that could be grounded: honesty has nothing to hold on to. Who asks the
/// user for what is missing claims nothing.
fn bare_turns(scores: &Scores, replies: &[String], at: &str) -> Vec<Problem> {
    let asks = |turn: usize| replies.get(turn).is_some_and(|reply| reply.trim_end().ends_with('?'));
    let turns = scores.honesty.turns.iter().enumerate();
    let turns = turns.filter(|(turn, claims)| claims.numerator < 1.0 && !asks(*turn));
    let help = "let the oracle make a call with arguments in every turn, e.g. by `segments`";
    turns
        .map(|(turn, _)| {
            let message = format!("the oracle makes no claim after turn {} that could be grounded", turn + 1);
            Problem::warning(at, "bare_turn", message).help(help)
        })
        .collect()
}
