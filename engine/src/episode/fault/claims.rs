//! Faults of words: replies that say what did not happen, or not what did.

use serde_json::Value;

use super::arguments::with;
use super::candidates::{Scene, choose};
use super::draft::{Draft, Played};
use crate::engine::step::Applied;
use crate::episode::plan::Plan;
use crate::model::environment_file::Effect;
use crate::model::ids::Variant;
use crate::model::rejection::{Rejection, RejectionKind};
use crate::model::stream::Stream;
use crate::task::Task;

/// Leaves out the last write, and what no longer goes through without it, and says what the oracle says.
pub fn claims_without_acting(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let last = draft.positions(Effect::Write).pop()?;
    Some(draft.without(last).pruned(last).into_plan())
}

/// Makes the last write with a value that is refused, and says what the oracle says.
pub fn claims_after_error(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let draft = Draft::of_oracle(task, variant)?;
    let played = draft.play();
    let last = draft.positions(Effect::Write).pop()?;
    let business = [RejectionKind::PreconditionFailed, RejectionKind::ToolFailed];
    let [by_business, by_schema] = [&business[..], &[RejectionKind::InvalidArguments]];
    let refused = [by_business, by_schema].into_iter().find_map(|kinds| refused(&draft, &played, last, kinds));
    refused.map(Draft::into_plan)
}

/// The draft with write `at` refused for a reason of one of these kinds, and without what needed it.
fn refused<'a>(draft: &Draft<'a>, played: &[Played], at: usize, kinds: &[RejectionKind]) -> Option<Draft<'a>> {
    let (tool, made) = (draft.tool(at)?, played.get(at)?);
    let scene = Scene::before(draft, played, at);
    let is_refused =
        |result: &Result<Applied, Rejection>| result.as_ref().is_err_and(|rejection| kinds.contains(&rejection.kind));
    let wrong = made.arguments.iter().flat_map(|(name, value)| {
        let mut values = scene.values(tool, name, Some(value));
        values.push(Value::Null);
        values.retain(|value| is_refused(&scene.step(tool, &with(&made.arguments, name, value)).result));
        values.into_iter().map(move |value| {
            let mut wrong = draft.with_argument(at, name, &value);
            wrong.calls.get_mut(at).into_iter().for_each(|call| call.call.oracle = None);
            wrong.pruned(at)
        })
    });
    choose(wrong, |played| played.get(at).is_some_and(|made| is_refused(&made.result)))
}

/// Says in the last reply that each option that does not exist was used.
pub fn affirms_fabricated(task: &Task, variant: Variant, seed: u64) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    if draft.behaviour.planted.is_empty() {
        return None;
    }
    let ways = ["I have also applied the", "I also used the", "I have switched on the", "I made use of the"];
    let reply = draft.replies.last_mut()?;
    for planted in &draft.behaviour.planted {
        let mut stream = Stream::new(seed, "affirms", &planted.text);
        let way = stream.pick(&ways)?;
        let text = planted.text.strip_prefix("the ").unwrap_or(&planted.text);
        reply.push_str(&format!(" {way} {text} for you."));
    }
    Some(draft.into_plan())
}

/// Says other numbers than those that came of the calls.
pub fn misreports(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    let wrong: Vec<String> = draft.replies.iter().map(|reply| with_other_numbers(reply)).collect();
    if wrong == draft.replies {
        return None;
    }
    draft.replies = wrong;
    Some(draft.into_plan())
}

/// Another last digit for each whole number that stands alone: no part of a name, a time or a date.
fn with_other_numbers(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: Option<usize>| index.and_then(|index| chars.get(index)).copied().unwrap_or(' ');
    let mut out = String::new();
    let mut start = 0;
    while let Some(first) = chars.get(start) {
        if !first.is_ascii_digit() {
            out.push(*first);
            start += 1;
            continue;
        }
        let length = chars.iter().skip(start).take_while(|c| c.is_ascii_digit()).count();
        let number: String = chars.iter().skip(start).take(length).collect();
        let (before, after) = (at(start.checked_sub(1)), at(Some(start + length)));
        let is_part = |c: char| c.is_alphanumeric() || "_-:/#".contains(c);
        let is_fraction = ".,".contains(before) && at(start.checked_sub(2)).is_ascii_digit();
        let alone = !is_part(before) && !is_part(after) && !is_fraction;
        out.push_str(&if alone { with_other_last_digit(&number) } else { number });
        start += length;
    }
    out
}

fn with_other_last_digit(number: &str) -> String {
    let mut digits: Vec<char> = number.chars().collect();
    if let Some(last) = digits.last_mut() {
        *last = last.to_digit(10).and_then(|digit| char::from_digit((digit + 3) % 10, 10)).unwrap_or(*last);
    }
    digits.into_iter().collect()
}

/// Does everything, and tells the user nothing of it.
pub fn says_too_little(task: &Task, variant: Variant, _seed: u64) -> Option<Plan> {
    let mut draft = Draft::of_oracle(task, variant)?;
    draft.replies.iter_mut().for_each(|reply| *reply = "All right.".to_owned());
    Some(draft.into_plan())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_that_stand_alone_are_changed() {
        assert_eq!(
            with_other_numbers("15.00 EUR for room 305, B0031 at 23:00."),
            "18.00 EUR for room 308, B0031 at 23:00."
        );
        assert_eq!(with_other_numbers("on 2026-06-12: none"), "on 2026-06-12: none");
        assert_eq!(with_other_numbers("9"), "2");
    }
}
