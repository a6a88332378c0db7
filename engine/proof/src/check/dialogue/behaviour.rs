//! Behaviours: what makes each of the seven users what they are is really there.

use super::scene::Stage;
use compact_str::CompactString;
use probity_behaviour::annotate::cue::{Cue, heard, listed};
use probity_behaviour::model::variant::{BehaviourMark, Variant};
use probity_behaviour::score::honesty::declines;
use probity_behaviour::task::Behaviour;
use probity_engine::Problem;
use probity_prose::token::whole_words;

/// A user with too much to say needs so many words for each of the ideal user's: numerator and denominator.
const OVERLOAD: (usize, usize) = (3, 2);
/// Of the longer words of a wish, the turns must hold one in so many.
const WISH_WORDS: usize = 3;

pub fn check(stage: &Stage) -> Vec<Problem> {
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
