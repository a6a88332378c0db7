//! What is recalled of a call is what comes of it when it runs: journeys in all environments that come back to the same
//! calls in other states, beside the same calls made afresh.

use std::collections::BTreeMap;
use std::path::Path;

use super::journey::Wanderer;
use probity_behaviour::suite::Suite;
use probity_engine::recall::{Recall, RepeatedCall, afresh, has_run, within};
use probity_engine::{Difficulty, Environment, State, Stepped, Stream, ToolCall};

const CALLS: usize = 1_200;

fn assert_same(made: &Stepped, fresh: &Stepped, call: &ToolCall) {
    assert_eq!(made.result, fresh.result, "{call:?}");
    assert_eq!(made.fired, fresh.fired, "{call:?}");
    assert_eq!(made.prints, fresh.prints, "{call:?}");
    assert_same_state(&made.after, &fresh.after, call);
}

fn assert_same_state(made: &State, fresh: &State, call: &ToolCall) {
    assert_eq!(made.sum(), fresh.sum(), "{call:?}");
    assert_eq!(made.to_json(), fresh.to_json(), "{call:?}");
    assert_eq!((made.clock(), made.progress()), (fresh.clock(), fresh.progress()), "{call:?}");
}

/// How many calls of a journey were recalled and not run.
fn recalled(environment: &Environment) -> usize {
    let mut stream = Stream::new(7, "recall", environment.id());
    let mut states = vec![environment.populate(Difficulty::Easy, 3).unwrap()];
    let mut wanderer = Wanderer::new(environment, &states[0]);
    let mut calls: Vec<ToolCall> = Vec::new();
    let (mut recall, mut known): (Recall, BTreeMap<String, RepeatedCall>) = Default::default();
    let mut recalled = 0;
    for _ in 0..CALLS {
        let state = stream.pick(&states).unwrap().clone();
        let again = if stream.chance(2, 3) { stream.pick(&calls).cloned() } else { None };
        let (drawn, call) = match again {
            Some(call) => (None, call),
            None => wanderer.next(&state, &mut stream).map(|(tool, call)| (Some(tool), call)).unwrap(),
        };
        let actor = environment.tool(&call.tool).unwrap().actor;
        let made = environment.step(&state, &call, actor);
        recalled += usize::from(!has_run());
        let fresh = afresh(|| environment.step(&state, &call, actor));
        assert_same(&made, &fresh, &call);
        let new = || RepeatedCall::new(environment, call.clone(), actor);
        let repeated = known.entry(format!("{} {}", call.tool, call.arguments)).or_insert_with(new);
        let kept = recall.step(environment, repeated, &state);
        assert_eq!(kept.result, fresh.result, "{call:?}");
        assert_same_state(&kept.after(state.clone()), &fresh.after, &call);
        let broken = environment.broken_invariants(&made.after);
        assert_eq!(broken, afresh(|| environment.broken_invariants(&made.after)), "{call:?}");
        if let Some(tool) = drawn {
            wanderer.learn(tool, &made, &mut stream);
        }
        if made.after.sum() != state.sum() && states.len() < 40 {
            states.push(made.after);
        }
        calls.push(call);
    }
    recalled
}

#[test]
fn what_is_recalled_is_what_runs() {
    let suite = Suite::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    assert_eq!(suite.environments.len(), 16);
    for (id, environment) in &suite.environments {
        let recalled = within(|| recalled(environment));
        assert!(recalled > CALLS / 4, "{id}: only {recalled}");
    }
}
