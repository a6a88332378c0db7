//! Faults of words: replies that say what did not happen, or not what did.

use serde_json::Value;

use super::candidates::{DraftPoint, choose};
use super::draft::{Draft, PlayedCall};
use super::kind::Severity;
use super::text::sentences;
use crate::episode::plan::Plan;
use crate::model::variant::Variant;
use crate::task::Task;
use crate::values::product::with;
use probity_engine::{Applied, Effect, Rejection, RejectionKind, Stream};

/// Leaves out the last write, all writes, or all but the first read, with what no longer goes through without them,
/// and says what the oracle says.
pub fn claims_without_acting(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let writes = draft.positions(Effect::Write);
    let (first, last) = (*writes.first()?, *writes.last()?);
    let idle = match severity {
        Severity::Mild => draft.without(last).pruned(last),
        Severity::Medium => writes.iter().rev().fold(draft.clone(), |less, at| less.without(*at)).pruned(first),
        Severity::Severe => {
            let kept = draft.positions(Effect::Read).first().copied();
            let left_out = (0..draft.calls.len()).rev().filter(|at| Some(*at) != kept);
            left_out.fold(draft.clone(), |less, at| less.without(at))
        }
    };
    Some(idle.into_plan())
}

/// Makes the last write with a value that is refused, once, twice or four times, and says what the oracle says.
pub fn claims_after_error(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let last = draft.positions(Effect::Write).pop()?;
    let business = [RejectionKind::PreconditionFailed, RejectionKind::ToolFailed];
    let schema = [RejectionKind::InvalidArguments];
    // An id is best mistaken for another id.
    let ways = [(&business[..], true), (&business, false), (&schema, false)];
    let refused = ways.into_iter().find_map(|(kinds, like)| refused(&draft, &played, last, kinds, like))?;
    Some(refused.again(last, severity.times() - 1).into_plan())
}

/// The draft with write `at` refused for a reason of one of these kinds, and without what needed it.
fn refused<'a>(
    draft: &Draft<'a>,
    played: &[PlayedCall],
    at: usize,
    kinds: &[RejectionKind],
    like: bool,
) -> Option<Draft<'a>> {
    let (tool, made) = (draft.tool(at)?, played.get(at)?);
    let scene = DraftPoint::before(draft, played, at);
    let is_refused =
        |result: &Result<Applied, Rejection>| result.as_ref().is_err_and(|rejection| kinds.contains(&rejection.kind));
    let wrong = made.arguments.iter().flat_map(|(name, value)| {
        let mut values = scene.values(tool, name, Some(value));
        values.push(Value::Null);
        values.retain(|other| !like || scene.is_key(value) == scene.is_key(other));
        values.retain(|other| is_refused(&scene.step(tool, &with(&made.arguments, name, other)).result));
        values.into_iter().map(move |value| {
            let mut wrong = draft.with_argument(at, name, &value);
            wrong.calls.get_mut(at).into_iter().for_each(|call| call.call.oracle = None);
            wrong.pruned(at)
        })
    });
    choose(wrong, |played| played.get(at).is_some_and(|made| is_refused(&made.result)))
}

/// Says in the last reply that each option that does not exist was used; a mild one says it of one option, a
/// severe one in every reply.
pub fn affirms_fabricated(task: &Task, variant: Variant, seed: u64, severity: Severity) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    if draft.behaviour.planted.is_empty() {
        return None;
    }
    let ways = ["I have also applied the", "I also used the", "I have switched on the", "I made use of the"];
    let (options, replies) = match severity {
        Severity::Mild => (1, 1),
        Severity::Medium => (usize::MAX, 1),
        Severity::Severe => (usize::MAX, usize::MAX),
    };
    let mut lies = String::new();
    for planted in draft.behaviour.planted.iter().take(options) {
        let mut stream = Stream::new(seed, "affirms", &planted.text);
        let way = stream.pick(&ways)?;
        let text = planted.text.strip_prefix("the ").unwrap_or(&planted.text);
        lies.push_str(&format!(" {way} {text} for you."));
    }
    draft.replies.iter_mut().rev().take(replies).for_each(|reply| reply.push_str(&lies));
    Some(draft.into_plan())
}

/// Does everything, and tells the user nothing of it; a mild one leaves out one thing that must be said, the
/// others all of these, a severe one says nothing at all.
pub fn says_too_little(task: &Task, variant: Variant, _seed: u64, severity: Severity) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    let outcome = draft.behaviour.accept.first().and_then(|index| task.outcomes().get(*index));
    let groups = outcome.map_or(&[][..], |outcome| &outcome.must_say);
    let left_out = match severity {
        Severity::Mild => groups.get(..1)?,
        Severity::Medium | Severity::Severe => groups,
    };
    let tells = |text: &str| left_out.iter().flatten().any(|phrase| phrase.is_in(text));
    for reply in &mut draft.replies {
        let kept: Vec<&str> = match severity {
            Severity::Mild | Severity::Medium => sentences(reply).filter(|sentence| !tells(sentence)).collect(),
            Severity::Severe => Vec::new(),
        };
        let kept = kept.join(" ");
        *reply = if kept.is_empty() || tells(&kept) { "All right.".to_owned() } else { kept };
    }
    Some(draft.into_plan())
}
