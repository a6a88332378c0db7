//! Turns: each is answered by something, and by the question that it answers itself.

use std::collections::BTreeSet;

use super::said_once::ProblemsByVariant;
use super::scene::{Scene, Stage};
use crate::check::full_marks::play_plan;
use probity_behaviour::episode::plan::Plan;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::clarification;
use probity_behaviour::score::replayed::Replayed;
use probity_behaviour::task::{Behaviour, Task};
use probity_engine::Problem;
use probity_prose::token::whole_words;

pub fn check(stage: &Stage) -> Vec<Problem> {
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
