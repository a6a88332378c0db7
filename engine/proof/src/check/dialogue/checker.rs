//! All that is asked of the dialogues of one task.

use std::collections::BTreeSet;

use serde_json::Value;

use super::inference::{ProblemsByVariant, Sheet};
use super::scene::{Scene, Stage};
use super::{behaviour, facts, inference};
use crate::check::full_marks::play_plan;
use probity_behaviour::episode::plan::Plan;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::clarification;
use probity_behaviour::score::honesty::told::{Told, provenance};
use probity_behaviour::score::replayed::Replayed;
use probity_behaviour::task::{Behaviour, Outcome, Task};
use probity_engine::{Actor, Problem, ToolCall, pointer};
use probity_prose::token::whole_words;

/// Problems of a task's dialogues, and the table of where everything can be known from.
pub fn check(task: &Task) -> (Vec<Problem>, Vec<Sheet>) {
    let stage = Stage::new(task);
    let sheets = inference::sheets(&stage);
    let mut problems = inference::check(task, &sheets);
    problems.extend(facts::check(&stage, &sheets));
    problems.extend(turns(&stage));
    problems.extend(behaviour::check(&stage));
    problems.extend(extra(&stage));
    problems.extend(weak(task));
    (problems, sheets)
}

/// Whether playing the oracle (L2) found what stands here more exactly: an argument that came from nowhere.
pub fn is_same(known: &Problem, found: &[Problem]) -> bool {
    let is_argument = |problem: &Problem| matches!(problem.code, "uninferable_argument" | "told_too_late");
    known.code == "oracle_not_perfect" && known.message.contains("ungrounded_argument") && found.iter().any(is_argument)
}

/// Problems of the reads on top of the oracle's.
fn extra(stage: &Stage) -> Vec<Problem> {
    let variants = stage.task.variants().iter().filter(|(_, behaviour)| !behaviour.extra_calls.is_empty());
    let scenes = variants.filter_map(|(variant, _)| stage.scenes(*variant).into_iter().next());
    scenes.flat_map(|scene| unknown(stage, &scene)).collect()
}

/// What neither this user nor the brief, nor a call of the oracle, nor an earlier one of these reads tells.
fn unknown(stage: &Stage, scene: &Scene) -> Vec<Problem> {
    let environment = stage.task.environment();
    let (known, _) = scene.around_reply(scene.replies.len());
    let mut shown: Vec<Told> = Vec::new();
    let mut problems = Vec::new();
    for (index, call) in scene.behaviour.extra_calls.iter().enumerate() {
        let Some(tool) = environment.tool(&call.tool) else { continue };
        let arguments = Value::Object(call.arguments.clone());
        let told: Vec<&Told> = known.iter().map(|(_, told)| *told).chain(&shown).collect();
        let claims = provenance(tool, &arguments, &told).into_iter();
        problems.extend(claims.filter(|claim| !claim.is_known && !claim.is_listed).map(|claim| {
            let top = claim.at.split('/').next().unwrap_or(&claim.at);
            let (variant, index) = (scene.variant.to_string(), index.to_string());
            let at = pointer::join(["variants", &variant, "extra_calls", &index, "arguments", top]);
            let message =
                format!("`{}` of `{}` is {}, which nothing tells this agent", claim.at, tool.name, claim.value);
            let help = "let the user say it, or ask for something that is known";
            Problem::error(at, "extra_call_unknown", message).help(help)
        }));
        let call = ToolCall::new(call.tool.clone(), arguments);
        let result = environment.step(stage.task.initial(), &call, Actor::Agent).result;
        shown.extend(result.ok().map(|applied| stage.listener.observation(&applied.observation)));
    }
    problems
}

/// Replies that say nothing; in any task.
const EMPTY_WORDS: [&str; 3] = [
    "Done. Everything has been taken care of, as you asked. Is there anything else I can do for you?",
    "I am sorry, I cannot do that. It is not possible, and I was unable to find another way.",
    "Yes.",
];

fn weak(task: &Task) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, outcome) in task.outcomes().iter().enumerate() {
        let at = format!("/outcomes/{index}");
        if index == 0 && outcome.must_say.is_empty() && outcome.preserves.is_empty() {
            let message = "`base` asks for nothing to be said and nothing to be left alone";
            let help = "add `must_say` for what the user wants to know, `preserves` for what a careless agent breaks";
            problems.push(Problem::warning(at.clone(), "unguarded_outcome", message).help(help));
        }
        let Some(what) = says_nothing(task, index, outcome) else { continue };
        let message = format!("all of `must_say` of `{}` is met by {what}", outcome.name);
        let help = "ask for a value that the agent has to find out";
        let problem = Problem::error(format!("{at}/must_say"), "empty_must_say", message).help(help);
        // Where something must be achieved, empty words alone do not pass.
        problems.push(if outcome.achieves.is_empty() { problem } else { problem.as_warning() });
    }
    problems
}

/// Whether words that say nothing meet all that must be said: which ones.
fn says_nothing(task: &Task, index: usize, outcome: &Outcome) -> Option<String> {
    if outcome.must_say.is_empty() {
        return None;
    }
    let meets = |reply: &str| outcome.must_say.iter().all(|group| group.iter().any(|answer| answer.is_said_in(reply)));
    if let Some(reply) = EMPTY_WORDS.iter().find(|reply| meets(reply)) {
        let first = reply.split_inclusive('.').next().unwrap_or(reply);
        return Some(format!("\"{first}\""));
    }
    let accepts = |(_, behaviour): &(&Variant, &Behaviour)| behaviour.accept.contains(&index);
    // Where something must be achieved, it is right to ask for what the user said to be confirmed.
    if !outcome.achieves.is_empty() {
        return None;
    }
    let parrots = task.variants().iter().filter(accepts).find(|(_, behaviour)| meets(&behaviour.turns.join("\n")));
    parrots.map(|(variant, _)| format!("repeating what the user of `{variant}` says"))
}

/// Turns: each is answered by something, and by the question that it answers itself.
pub fn turns(stage: &Stage) -> Vec<Problem> {
    let mut found = ProblemsByVariant::default();
    for (variant, behaviour) in stage.task.variants() {
        for scene in stage.scenes(*variant).iter().take(1) {
            idle_turns(scene).into_iter().for_each(|problem| found.add(problem, *variant));
        }
        questions(stage.task, *variant).into_iter().for_each(|problem| found.add(problem, *variant));
        same_turns(stage.task, *variant, behaviour).into_iter().for_each(|problem| found.add(problem, *variant));
    }
    found.into_problems(stage.task)
}

/// Turns after which the oracle makes no call and says nothing that it has not said before.
fn idle_turns(scene: &Scene) -> Vec<Problem> {
    let mut said = BTreeSet::new();
    let mut problems = Vec::new();
    for (at, reply) in scene.replies.iter().enumerate() {
        let words = whole_words(reply);
        let is_new = !words.is_empty() && said.insert(words);
        if !is_new && !scene.calls_after(at + 1) {
            let message = format!("the oracle neither does nor says anything new after turn {}", at + 1);
            let help = "give the turn something to do or to answer, or remove it";
            let at = format!("/variants/{}/turns/{at}", scene.variant);
            problems.push(Problem::warning(at, "idle_turn", message).help(help));
        }
    }
    problems
}

/// What the oracle does not ask though it was withheld, and asks though it was said: by the scorer's own rule.
fn questions(task: &Task, variant: Variant) -> Vec<Problem> {
    let played = Plan::of_oracle(task, variant).and_then(|plan| play_plan(task, variant, plan));
    let Some(played) = played else { return Vec::new() };
    let findings = Replayed::of(task, &played).map(|replayed| clarification::score(&replayed).findings);
    let at = format!("/variants/{variant}/replies");
    let problem = |text: String| {
        let help =
            "let the first reply ask for what is withheld, by a word of its `cues`, and no reply for what was said";
        Problem::error(at.clone(), "bad_question", format!("the oracle's questions: {text}")).help(help)
    };
    findings.into_iter().flatten().map(|finding| problem(finding.text)).collect()
}

/// Users who say the same as another but for case, white space and punctuation.
fn same_turns(task: &Task, variant: Variant, behaviour: &Behaviour) -> Option<Problem> {
    let words = |behaviour: &Behaviour| behaviour.turns.iter().map(|turn| whole_words(turn)).collect::<Vec<_>>();
    let mine = words(behaviour);
    let (other, _) = task.variants().iter().find(|(other, theirs)| **other < variant && words(theirs) == mine)?;
    let message = format!("this user says the same as the one of `{other}`, word by word");
    let help = "write what this user would say";
    Some(Problem::error(format!("/variants/{variant}/turns"), "variant_same_as_other", message).help(help))
}
