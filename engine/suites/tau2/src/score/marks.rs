//! The components of tau2-bench's reward (docs/TAU2.md, "Verdicts").

use super::ends::Ends;
use super::gold_matches::gold_matches;
use super::told::contains;
use crate::model::{Component, TaskFile};
use probity_bench::{Reading, Trace};
use probity_engine::{Actor, Environment, State, ToolCall};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Met,
    Missed,
    /// The task asks for nothing of the kind: in a product it is 1.
    Nothing,
    /// Nobody here can tell.
    NeedsJudge,
}

impl Mark {
    fn of(is_met: bool) -> Mark {
        if is_met { Mark::Met } else { Mark::Missed }
    }

    pub fn reading(self) -> Reading {
        match self {
            Mark::Met => Reading::new(Some(1.0), ""),
            Mark::Missed => Reading::new(Some(0.0), ""),
            Mark::Nothing => Reading::new(None, "the task asks for nothing of the kind"),
            Mark::NeedsJudge => Reading::new(None, NEEDS_JUDGE),
        }
    }
}

const NEEDS_JUDGE: &str = "the sentences that must be true of the dialogue need a judge";

pub struct Marks {
    of: [(Component, Mark); 5],
}

impl Marks {
    pub fn of(environment: &Environment, task: &TaskFile, ends: &Ends, trace: &Trace) -> Marks {
        let has = |is_asked: bool, is_met: bool| if is_asked { Mark::of(is_met) } else { Mark::Nothing };
        let env = unmet(environment, task, &ends.reached).is_empty();
        let action = gold_matches(&task.gold, trace).into_iter().all(|is_made| is_made);
        let communicate = task.communicate.iter().all(|needle| contains(trace, needle));
        let nl = if task.nl_assertions.is_empty() { Mark::Nothing } else { Mark::NeedsJudge };
        Marks {
            of: [
                (Component::Db, Mark::of(ends.reached.sum() == ends.gold.sum())),
                (Component::EnvAssertion, has(!task.assertions.is_empty(), env)),
                (Component::Action, has(!task.gold.is_empty(), action)),
                (Component::Communicate, has(!task.communicate.is_empty(), communicate)),
                (Component::NlAssertion, nl),
            ],
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Component, Mark)> {
        self.of.iter().copied()
    }

    /// The product of those that a task names. One 0 decides it, whatever a judge would say.
    pub fn reward(&self, basis: &[Component]) -> Reading {
        let named = || self.iter().filter(|(component, _)| basis.contains(component)).map(|(_, mark)| mark);
        if named().any(|mark| mark == Mark::Missed) {
            return Mark::Missed.reading();
        }
        if named().any(|mark| mark == Mark::NeedsJudge) { Mark::NeedsJudge.reading() } else { Mark::Met.reading() }
    }
}

/// The assertions of a task that do not hold in a state, in words.
pub fn unmet(environment: &Environment, task: &TaskFile, state: &State) -> Vec<String> {
    let is_unmet = |call: &ToolCall, side: Actor, expected: bool| {
        let actor = environment.tool(&call.tool).map_or(side, |tool| tool.actor);
        let asked = environment.step(state, call, actor).result;
        !asked.is_ok_and(|applied| applied.observation == Value::Bool(expected))
    };
    let all = task.assertions.iter().filter(|asserted| is_unmet(&asserted.call(), asserted.side, asserted.expected));
    all.map(|asserted| format!("`{}` is to be {}", asserted.call().tool, asserted.expected)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(db: Mark, nl: Mark) -> Marks {
        let rest = Mark::Nothing;
        Marks {
            of: [
                (Component::Db, db),
                (Component::EnvAssertion, rest),
                (Component::Action, Mark::Missed),
                (Component::Communicate, rest),
                (Component::NlAssertion, nl),
            ],
        }
    }

    #[test]
    fn one_nought_decides_and_a_judge_is_never_guessed() {
        let basis = [Component::Db, Component::NlAssertion];
        let reward = |db, nl| marks(db, nl).reward(&basis).value();
        assert_eq!(reward(Mark::Met, Mark::Nothing), Some(1.0));
        assert_eq!(reward(Mark::Missed, Mark::NeedsJudge), Some(0.0));
        assert_eq!(reward(Mark::Met, Mark::NeedsJudge), None);
        assert_eq!(marks(Mark::Missed, Mark::NeedsJudge).reward(&[]).value(), Some(1.0), "a product of nothing");
        assert_eq!(marks(Mark::Met, Mark::Met).reward(&[Component::Action]).value(), Some(0.0));
    }
}
