//! All that is asked of the dialogues of one task.

use std::collections::BTreeSet;

use compact_str::CompactString;
use serde_json::Value;

use super::inference::{ProblemsByVariant, Sheet};
use super::scene::{Scene, Stage};
use super::{facts, inference};
use crate::check::full_marks::play_plan;
use probity_behaviour::annotate::rules::{Cue, heard, listed};
use probity_behaviour::episode::play::Plan;
use probity_behaviour::model::variant::{BehaviourMark, Variant};
use probity_behaviour::score::clarification;
use probity_behaviour::score::honesty::declines;
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
    problems.extend(behaviours(&stage));
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

/// A user with too much to say needs so many words for each of the ideal user's: numerator and denominator.
const OVERLOAD: (usize, usize) = (3, 2);
/// Of the longer words of a wish, the turns must hold one in so many.
const WISH_WORDS: usize = 3;

fn behaviours(stage: &Stage) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Some(ideal) = stage.task.behaviour(Variant::Ideal) else { return problems };
    for (variant, behaviour) in stage.task.variants() {
        match variant.mark() {
            BehaviourMark::Done => problems.extend(undone(stage, behaviour)),
            BehaviourMark::Withheld => {}
            BehaviourMark::Drowned => overload(stage, ideal, behaviour, &mut problems),
            BehaviourMark::Planted => fabricated(behaviour, &mut problems),
            BehaviourMark::Switched => problems.extend(switching(ideal, behaviour)),
            BehaviourMark::Contradicted => contradiction(stage, behaviour, &mut problems),
            BehaviourMark::Pressed => problems.extend(pressure(ideal, behaviour)),
        }
    }
    problems
}

fn at(variant: Variant, below: &str) -> String {
    format!("/variants/{variant}/{below}")
}

/// Whether a user says something of these lists that the ideal user does not say.
fn says_more(ideal: &Behaviour, behaviour: &Behaviour, cues: [Cue; 2]) -> bool {
    let [said, usual] = [behaviour, ideal].map(|user| heard(&whole_words(&user.turns.join(" "))));
    cues.into_iter().any(|cue| listed(&said, cue).iter().any(|phrase| !listed(&usual, cue).contains(phrase)))
}

/// The ideal user wants what can be had: an outcome in which nothing is done of what `base` does is for others.
fn undone(stage: &Stage, ideal: &Behaviour) -> Option<Problem> {
    let outcomes = stage.task.outcomes();
    outcomes.first().filter(|base| !base.achieves.is_empty())?;
    let accepted = ideal.accept.iter().filter_map(|index| outcomes.get(*index));
    let refused = accepted.into_iter().find(|outcome| outcome.achieves.is_empty())?;
    let message = format!("the ideal user accepts `{}`, in which nothing is achieved", refused.name);
    let help = "let the ideal user accept `base` alone; a refusal is right for users whose wishes contradict";
    Some(Problem::error(at(Variant::Ideal, "accept"), "ideal_accepts_refusal", message).help(help))
}

/// Much longer than the ideal user, who still says all that the ideal one says.
fn overload(stage: &Stage, ideal: &Behaviour, behaviour: &Behaviour, problems: &mut Vec<Problem>) {
    let count = |behaviour: &Behaviour| behaviour.turns.iter().map(|turn| whole_words(turn).len()).sum::<usize>();
    let (wanted, there) = (count(ideal) * OVERLOAD.0, count(behaviour) * OVERLOAD.1);
    let place = at(Variant::InformationOverload, "turns");
    if there < wanted {
        let message = format!("{} words are no overload beside the ideal user's {}", count(behaviour), count(ideal));
        let help = "let this user say at least half as much again, about other things";
        problems.push(Problem::error(place.clone(), "overload_too_short", message).help(help));
    }
    for (name, fact) in &stage.facts {
        let is_said = |behaviour: &Behaviour| behaviour.turns.iter().any(|turn| fact.is_said_in(turn));
        if is_said(ideal) && !is_said(behaviour) {
            let message = format!("`{name}` is lost: the ideal user says it and this one does not");
            let help = "say it among the rest, or add these words to its `also`";
            problems.push(Problem::error(place.clone(), "overload_omits_fact", message).help(help));
        }
    }
}

/// What does not exist is declined in so many words.
fn fabricated(behaviour: &Behaviour, problems: &mut Vec<Problem>) {
    let replies = behaviour.replies.join("\n");
    for (index, planted) in behaviour.planted.iter().enumerate() {
        if !declines(&replies, &planted.text) {
            let message = format!("no reply says that there is no `{}`", planted.text);
            let help = "let the oracle decline it by its name: `There is no ..`";
            let place = at(Variant::FabricatedParameters, &format!("planted/{index}"));
            problems.push(Problem::error(place, "planted_not_declined", message).help(help));
        }
    }
}

/// Somebody who wanders: by reads that they ask for, by a turn more, or by words of a second thought.
fn switching(ideal: &Behaviour, behaviour: &Behaviour) -> Option<Problem> {
    let has_words = says_more(ideal, behaviour, [Cue::SecondThoughts, Cue::Wavering]);
    let wanders = !behaviour.extra_calls.is_empty() || behaviour.turns.len() > ideal.turns.len() || has_words;
    let message = "this user never changes their mind: no read beyond the oracle's, no turn more, no second thought";
    let help = "let them ask for something else first: `extra_calls`, another turn, or `no, wait`";
    let place = at(Variant::GoalSwitching, "turns");
    (!wanders).then(|| Problem::warning(place, "goal_never_switched", message).help(help))
}

/// Both wishes are uttered before the one is given up, and where there are more turns it is given up.
fn contradiction(stage: &Stage, behaviour: &Behaviour, problems: &mut Vec<Problem>) {
    for (index, hold) in behaviour.contradicts.iter().enumerate() {
        let source = &hold.source;
        let open = source.settled_in_turn.map_or(behaviour.turns.len(), |turn| turn.saturating_sub(1) as usize);
        let told: Vec<_> = behaviour.turns.iter().take(open).map(|turn| stage.listener.turn(turn)).collect();
        for (key, wish) in [("wish", &source.wish), ("against", &source.against)] {
            let telling: Vec<_> = whole_words(wish).into_iter().filter(|word| word.chars().count() >= 4).collect();
            let is_told = |word: &&CompactString| told.iter().any(|told| stage.listener.spoken(word).occurs_in(told));
            let heard = telling.iter().filter(is_told).count();
            if heard * WISH_WORDS < telling.len() || heard == 0 {
                let message = format!("no turn says \"{wish}\" before it is settled");
                let help = "let the user utter both wishes, or describe them in the user's words";
                let place = at(Variant::ContradictoryConstraints, &format!("contradicts/{index}/{key}"));
                problems.push(Problem::warning(place, "wish_not_said", message).help(help));
            }
        }
        if source.settled_in_turn.is_none() && behaviour.turns.len() > 1 {
            let message = "the user has more turns, but never settles the contradiction";
            let help = "name the turn in `settled_in_turn`, or end after the first turn";
            let place = at(Variant::ContradictoryConstraints, &format!("contradicts/{index}"));
            problems.push(Problem::warning(place, "contradiction_left_open", message).help(help));
        }
    }
}

/// Marks of pressure that the ideal user does not show: haste, blame, an exclamation mark, a word in capitals.
fn pressure(ideal: &Behaviour, behaviour: &Behaviour) -> Option<Problem> {
    let shouts = |behaviour: &Behaviour| {
        let joined = behaviour.turns.join(" ");
        let words = joined.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() >= 3);
        let capitals = words.filter(|word| word.chars().all(char::is_uppercase)).count();
        capitals + joined.matches('!').count()
    };
    let presses = says_more(ideal, behaviour, [Cue::Pressure, Cue::Haste]);
    let message = "nothing this user says presses or blames: no exclamation, no capitals, no word of haste";
    let help = "let them hurry, complain or threaten; docs/AUTHORING.md says what is looked for";
    let place = at(Variant::ImpatienceAndHostility, "turns");
    (!presses && shouts(behaviour) <= shouts(ideal)).then(|| Problem::warning(place, "no_pressure", message).help(help))
}
