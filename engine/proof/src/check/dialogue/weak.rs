//! Weak outcomes: those that ask for nothing a careless agent would miss.

use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::{Behaviour, Outcome, Task};
use probity_engine::Problem;

/// Replies that say nothing; in any task.
const EMPTY_WORDS: [&str; 3] = [
    "Done. Everything has been taken care of, as you asked. Is there anything else I can do for you?",
    "I am sorry, I cannot do that. It is not possible, and I was unable to find another way.",
    "Yes.",
];

pub fn check(task: &Task) -> Vec<Problem> {
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
