//! A turn that takes for granted what was told says so in its words; its task should say what that is.

use std::sync::LazyLock;

use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::presumption::Premise;
use probity_behaviour::task::{Behaviour, Task};
use probity_engine::Problem;
use probity_prose::Vocabulary;
use probity_prose::token::whole_words;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PresumingCue {
    Told,
}

static CUES: LazyLock<Vocabulary<PresumingCue>> = LazyLock::new(|| Vocabulary::of("presuming"));

/// Turns of a behaviour that speak of what was told, and of which it is not known what that is.
pub(super) fn check(task: &Task, variant: Variant, behaviour: &Behaviour, problems: &mut Vec<Problem>) {
    let premises = behaviour.premises(task, variant);
    for (number, turn) in (1..).zip(&behaviour.turns).skip(1) {
        // That a fact was asked for says nothing of what was told.
        let is_told = |(turn, premise): &(u32, Premise)| *turn == number && !matches!(premise, Premise::Asked(_));
        let is_named = behaviour.presumes.contains_key(&number) || premises.iter().any(is_told);
        let words = whole_words(turn);
        let heard = CUES.heard(&words);
        let Some(phrase) = heard.iter().next().map(|mention| mention.phrase).filter(|_| !is_named) else { continue };
        let message = format!("turn {number} says \"{phrase}\" and does not name what must have been told before");
        let help = format!(
            "`\"presumes\": {{\"{number}\": [\"15.00 EUR\"]}}` names an answer that an agent has told by then; `[]` if it needs none"
        );
        let at = format!("/variants/{variant}/turns/{}", number - 1);
        problems.push(Problem::warning(at, "presumption_unnamed", message).help(help));
    }
}
