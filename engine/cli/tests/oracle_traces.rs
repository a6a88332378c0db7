//! Oracle traces of every task under every behaviour, as text a person can review, in `snapshots/`.

use crate::support::{sampled_suite, snapshots, suite};
use probity_behaviour::episode::play::{self, Setting, play};
use probity_behaviour::episode::user::ScriptedUser;
use probity_bench::{Limits, render::render};
use probity_proof::check::dialogue::inference;
use probity_proof::check::sheets;

/// The table of `check --explain`, for a task of one turn and one of several.
#[test]
fn where_everything_can_be_known_from() {
    let sheets = sheets(sampled_suite());
    for id in ["finance/bank/plumber", "travel_hospitality/front_desk/booked_twice"] {
        snapshots("explain").bind(|| insta::assert_snapshot!(id.replace('/', "__"), inference::text(id, &sheets[id])));
    }
}

#[test]
fn oracle_traces() {
    let suite = suite();
    assert!(!suite.tasks.is_empty(), "{:?}", suite.diagnostics);
    for (id, loaded) in &suite.tasks {
        let task = &loaded.task;
        let mut text = String::new();
        for (variant, behaviour) in task.variants() {
            let mut agent = play::agent(task, *variant).unwrap();
            let setting = Setting { task, variant: *variant, seed: 0, limits: Limits::default(), user: "scripted" };
            let trace = play(setting, &mut agent, ScriptedUser::new(behaviour.turns.clone()));
            text.push_str(&format!("== {variant}\n{}\n", render(&trace)));
        }
        snapshots("oracle").bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}
