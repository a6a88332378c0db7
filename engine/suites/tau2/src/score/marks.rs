//! The components of tau2-bench's reward (docs/TAU2.md, "Verdicts").

use serde_json::{Map, Value};

use super::own_verdict::contains;
use crate::model::{Component, GoldCall, TaskFile};
use crate::play::Mode;
use probity_bench::{Reading, Trace, kit::acting};
use probity_engine::{Actor, Environment, Session, State, ToolCall, number::is_same};

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

pub struct Ends {
    /// After the episode's calls.
    pub reached: State,
    /// After the gold calls; what is refused there counts as not done.
    pub gold: State,
    pub is_gold_idle: bool,
}

impl Ends {
    /// The ends of a trace and of the gold calls, both from the task's beginning.
    ///
    /// tau2-bench brings both sides together after each call of the episode, but not between gold calls; here it is
    /// part of every call. No task of it is graded by the databases of a world in which that makes a difference.
    pub fn of(environment: &Environment, mode: Mode, task: &TaskFile, beginning: &State, trace: &Trace) -> Ends {
        let (mut reached, is_alone) = (Session::new(environment, beginning.clone()), mode == Mode::Solo);
        let mut gold = reached.clone();
        for step in trace.steps().filter(|step| !environment.is_read(&step.tool)) {
            reached.call(&step.call(), acting(environment, is_alone, &step.tool, step.actor));
        }
        for call in &task.gold {
            gold.call(&call.call(), call.side);
        }
        let is_gold_idle = gold.state().sum() == beginning.sum();
        Ends { reached: reached.into_state(), gold: gold.into_state(), is_gold_idle }
    }
}

/// For each gold call whether some call of the episode matches it. Who called, order and number do not count.
pub(crate) fn gold_matches(gold: &[GoldCall], trace: &Trace) -> Vec<bool> {
    gold.iter().map(|call| trace.steps().any(|step| is_match(call, &step.tool, &step.arguments))).collect()
}

fn is_match(gold: &GoldCall, tool: &str, arguments: &Value) -> bool {
    if gold.tool != tool {
        return false;
    }
    let none = Map::new();
    let made = arguments.as_object().unwrap_or(&none);
    let agrees = |name: &String| match (gold.arguments.get(name), made.get(name)) {
        (Some(wanted), Some(given)) => is_same(wanted, given),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    match &gold.compared {
        Some(compared) => compared.iter().all(agrees),
        None => made.keys().all(agrees),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::Actor;
    use serde_json::json;

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

    fn gold(arguments: &Value, compared: Option<&[&str]>) -> GoldCall {
        let compared = compared.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let arguments = arguments.as_object().unwrap().clone();
        GoldCall { side: Actor::Agent, tool: "pick".to_owned(), arguments, compared }
    }

    #[test]
    fn the_calls_own_arguments_are_compared_where_nothing_is_said() {
        let wanted = gold(&json!({"jar": "a", "n": 2}), None);
        assert!(is_match(&wanted, "pick", &json!({"jar": "a", "n": 2.0})));
        assert!(is_match(&wanted, "pick", &json!({"jar": "a"})), "what the call does not have is not compared");
        assert!(is_match(&wanted, "pick", &json!({})), "so that a call without arguments is like any other");
        assert!(!is_match(&wanted, "pick", &json!({"jar": "a", "why": 1})));
        assert!(!is_match(&wanted, "put", &json!({"jar": "a", "n": 2})));
    }

    #[test]
    fn named_arguments_alone_are_compared() {
        assert!(is_match(&gold(&json!({"jar": "a"}), Some(&[])), "pick", &json!({"jar": "b"})));
        let jar = gold(&json!({"jar": "a", "n": 2}), Some(&["jar"]));
        assert!(is_match(&jar, "pick", &json!({"jar": "a", "n": 7})));
        assert!(!is_match(&jar, "pick", &json!({"n": 2})));
    }
}
