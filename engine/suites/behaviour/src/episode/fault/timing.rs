//! Faults of timing: acting too early, too late, or not to the end.

use serde_json::Value;

use super::calls::unasked;
use super::draft::{Draft, DraftCall, PlayedCall};
use super::severity::Severity;
use crate::episode::play::PlannedCall;
use crate::model::task_file::Fact;
use crate::task::Outcome;
use crate::task::reference::Observations;
use probity_engine::{Actor, Tool};
use probity_prose::token::name_words;

/// Makes a call that needs the user's yes in the turn before the yes, with all that comes before it; where
/// there is no such turn, makes one more that the user never agreed to, and that spoils nothing.
pub fn no_consent<'a>(draft: &Draft<'a>, _seed: u64, _severity: Severity) -> Option<Draft<'a>> {
    let hastened = too_early(draft);
    hastened.or_else(|| never_agreed(draft))
}

fn too_early<'a>(draft: &Draft<'a>) -> Option<Draft<'a>> {
    // Elsewhere acting early would be another defect on top.
    if !draft.behaviour.contradicts.is_empty() || !draft.behaviour.withheld.is_empty() {
        return None;
    }
    let (end, turn) = draft.play().iter().enumerate().find_map(|(at, made)| {
        draft.tool(at).filter(|tool| needs_yes(tool))?;
        let yes = yes_to(draft, made)?;
        Some((at + 1, usize::try_from(yes.checked_sub(2)?).ok()?))
    })?;
    Some(draft.hastened(end, turn))
}

fn never_agreed<'a>(draft: &Draft<'a>) -> Option<Draft<'a>> {
    let tools = draft.task.environment().tools().iter().filter(|tool| needs_yes(tool) && tool.actor == Actor::Agent);
    tools.into_iter().find_map(|tool| {
        unasked(draft, tool, |played| {
            let last = played.last();
            last.is_some_and(|made| yes_to(draft, made).is_none() && !is_held(draft, made)) && is_right(draft, played)
        })
    })
}

fn needs_yes(tool: &Tool) -> bool {
    tool.confirm || tool.irreversible
}

fn is_held(draft: &Draft, made: &PlayedCall) -> bool {
    let held = draft.behaviour.contradicts.iter().flat_map(|hold| &hold.calls);
    held.into_iter().any(|p| draft.task.is_meant(p, &made.before, &made.call.tool, &made.arguments))
}

/// Whether the state at the end is still what the oracle's outcome asks for; further calls come last.
fn is_right(draft: &Draft, played: &[PlayedCall]) -> bool {
    let outcome = draft.behaviour.accept.first().and_then(|index| draft.task.outcomes().get(*index));
    let returned: Vec<Option<&Value>> =
        played.iter().map(|made| made.result.as_ref().ok().map(|applied| &applied.observation)).collect();
    let Some((outcome, last)) = outcome.zip(played.last()) else { return false };
    let mut assertions = outcome.achieves.iter().chain(&outcome.preserves);
    assertions.all(|assertion| assertion.holds(draft.task.initial(), &last.after, Observations(&returned)))
}

/// The first turn, from 1, in which the user says yes to a call.
fn yes_to(draft: &Draft, made: &PlayedCall) -> Option<u32> {
    let consents = draft.behaviour.consents.iter();
    let meant = consents.filter(|(_, p)| draft.task.is_meant(p, &made.before, &made.call.tool, &made.arguments));
    meant.map(|(turn, _)| *turn).min()
}

/// Acts while two wishes of the user stand against each other.
pub fn acts_before_settled<'a>(draft: &Draft<'a>, _seed: u64, _severity: Severity) -> Option<Draft<'a>> {
    draft.behaviour.contradicts.iter().enumerate().find_map(|(index, hold)| match hold.source.settled_in_turn {
        Some(settled) => {
            let end = last_held(draft, index)? + 1;
            let turn = usize::try_from(settled.checked_sub(2)?).ok()?;
            Some(draft.hastened(end, turn))
        }
        None => {
            let wrong = draft_of(draft, draft.task.outcomes().first()?);
            last_held(&wrong, index)?;
            Some(wrong)
        }
    })
}

/// The position of the last call that a contradiction holds back.
fn last_held(draft: &Draft, contradiction: usize) -> Option<usize> {
    let hold = draft.behaviour.contradicts.get(contradiction)?;
    let is_held = |made: &PlayedCall| {
        hold.calls.iter().any(|p| draft.task.is_meant(p, &made.before, &made.call.tool, &made.arguments))
    };
    draft.play().iter().rposition(is_held)
}

/// Another outcome's calls and last words, as fast as they can be had, in the variant of a draft.
fn draft_of<'a>(draft: &Draft<'a>, outcome: &Outcome) -> Draft<'a> {
    let calls = outcome.oracle.iter().enumerate().map(|(index, call)| DraftCall {
        turn: 0,
        call: PlannedCall { tool: call.tool.clone(), arguments: call.arguments.clone(), oracle: Some(index) },
    });
    let mut replies = draft.replies.clone();
    let last = outcome.replies.last().cloned().unwrap_or_default();
    replies.iter_mut().for_each(|reply| reply.clone_from(&last));
    Draft::new(draft.task, (draft.variant, draft.behaviour), calls.collect(), replies)
}

/// Asks for something that the user has just said, and does nothing in that turn.
pub fn over_asks<'a>(draft: &Draft<'a>, _seed: u64, _severity: Severity) -> Option<Draft<'a>> {
    let mut draft = draft.clone();
    let first = draft.behaviour.turns.first()?.to_lowercase();
    let facts = &draft.task.file().facts;
    let is_given = |(name, fact): &(&String, &Fact)| {
        let value = match &fact.value {
            Value::String(text) => text.clone(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                fact.value.to_string()
            }
        };
        let said = std::iter::once(&value).chain(&fact.also).any(|words| first.contains(&words.to_lowercase()));
        said && !draft.behaviour.withheld.contains(*name)
    };
    let given: Vec<_> = facts.iter().filter(is_given).collect();
    let (name, fact) = given.iter().find(|(_, fact)| !fact.cues.is_empty()).or_else(|| given.first())?;
    let name = name_words(name).join(" ");
    let cue = fact.cues.first().cloned().unwrap_or_else(|| format!("your {name}"));
    *draft.replies.first_mut()? =
        format!("Before I start I need one thing from you, the {name}. Could you tell me {cue}?");
    if draft.replies.len() == 1 {
        draft.calls.clear();
    }
    draft.calls.iter_mut().for_each(|call| call.turn = call.turn.max(1));
    Some(draft)
}

/// Stops after half of the calls and says no more than that; a mild one leaves out the last call, a severe one
/// makes the first only.
pub fn stops_early<'a>(draft: &Draft<'a>, _seed: u64, severity: Severity) -> Option<Draft<'a>> {
    let mut draft = draft.clone();
    let made = match severity {
        Severity::Mild => draft.calls.len().checked_sub(1)?,
        Severity::Medium => draft.calls.len() / 2,
        Severity::Severe => 1,
    };
    let stop = draft.calls.get(made).filter(|_| made > 0)?.turn;
    draft.calls.truncate(made);
    draft.replies.iter_mut().skip(stop).for_each(|reply| *reply = "That is all I did.".to_owned());
    Some(draft)
}
