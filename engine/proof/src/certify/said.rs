//! Slips in what is said: an answer that is not given, and one that is given before anything tells it.

use super::candidate::{Item, Items};
use super::goal::Goal;
use super::need::NeedKind;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::told::Listener;
use probity_behaviour::task::Behaviour;
use probity_behaviour::task::oracle::OracleRun;
use probity_prose::Answer;

/// Replies left blank, and the groups of `must_say` that are no longer met.
pub struct Blank {
    pub text: String,
    pub unmet: Items,
}

/// The oracle's replies with each left blank in turn; and for a group that no single one leaves unmet, all that
/// say it.
pub fn blanks(goal: &Goal) -> Vec<Blank> {
    let user = goal.variants.first().and_then(|variant| goal.task.behaviour(*variant));
    let replies = user.map(|user| replies(goal, user)).unwrap_or_default();
    let mut blanks: Vec<Blank> = (0..replies.len()).map(|at| blank(goal, replies, &[at])).collect();
    for (at, group) in goal.outcome.must_say.iter().enumerate() {
        let is_unmet = |blank: &Blank| blank.unmet.contains(&Item::MustSay(at));
        let saying: Vec<usize> = saying(group, replies).collect();
        if !saying.is_empty() && !blanks.iter().any(is_unmet) {
            blanks.push(blank(goal, replies, &saying));
        }
    }
    blanks
}

fn blank(goal: &Goal, replies: &[String], blank: &[usize]) -> Blank {
    let groups = goal.outcome.must_say.iter().enumerate();
    let unmet = |group: &[Answer]| saying(group, replies).all(|reply| blank.contains(&reply));
    let unmet = groups.filter(|(_, group)| unmet(group)).map(|(at, _)| Item::MustSay(at)).collect();
    let numbers: Vec<String> = blank.iter().map(|reply| (reply + 1).to_string()).collect();
    let text = match numbers.as_slice() {
        [one] => format!("reply {one} is blank"),
        several => format!("replies {} are blank", several.join(", ")),
    };
    Blank { text, unmet }
}

fn saying(group: &[Answer], replies: &[String]) -> impl Iterator<Item = usize> {
    let meets = |reply: &String| group.iter().any(|answer| answer.is_said_in(reply));
    replies.iter().enumerate().filter(move |(_, reply)| meets(reply)).map(|(at, _)| at)
}

fn replies<'a>(goal: &'a Goal, user: &'a Behaviour) -> &'a [String] {
    if goal.is_played_by(user) { &user.replies } else { &goal.outcome.replies }
}

/// A group that a reply meets by chance: its value is shown, and only by a call after that reply.
pub struct Chance {
    /// The group of `must_say`, by position.
    pub group: usize,
    pub variant: Variant,
    /// The reply, by position.
    pub reply: usize,
    /// The call that shows the value first, by position.
    pub call: usize,
}

pub fn met_by_chance(goal: &Goal, run: &OracleRun) -> Vec<Chance> {
    let listener = Listener::new(goal.task);
    let shown: Vec<_> = run.calls.iter().map(|(_, applied)| listener.observation(&applied.observation)).collect();
    let mut found = Vec::new();
    let groups = goal.outcome.must_say.iter().zip(&goal.needs).enumerate();
    for (at, (group, need)) in groups.filter(|(_, (_, need))| need.kind == NeedKind::Seen && !need.is_told) {
        let tells = shown.iter().position(|told| need.ways.iter().any(|way| way.occurs_in(told)));
        let Some(call) = tells.filter(|_| need.has_value()) else { continue };
        let early = goal.variants.iter().find_map(|variant| Some((*variant, early(goal, *variant, group, call)?)));
        found.extend(early.map(|(variant, reply)| Chance { group: at, variant, reply, call }));
    }
    found
}

/// The first reply, by position, that meets a group before a call is made.
fn early(goal: &Goal, variant: Variant, group: &[Answer], call: usize) -> Option<usize> {
    let user = goal.task.behaviour(variant)?;
    let turn = match goal.is_played_by(user) {
        true => *user.segments.get(call)?,
        false => goal.outcome.oracle.get(call)?.segment,
    };
    saying(group, replies(goal, user)).find(|reply| u32::try_from(*reply).is_ok_and(|reply| reply + 1 < turn))
}
