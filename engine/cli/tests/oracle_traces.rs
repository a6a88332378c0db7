//! Oracle traces of every task under every behaviour, as text a person can review, in `snapshots/`.

use probity_behaviour::check::check_dialogues;
use probity_behaviour::check::dialogue::explain;
use probity_behaviour::episode::oracle;
use probity_behaviour::episode::play::{Setting, play};
use probity_behaviour::episode::user::ScriptedUser;
use probity_bench::{Limits, render::render};

use crate::support::suite;

/// The table of `check --explain`, for a task of one turn and one of several.
#[test]
fn where_everything_can_be_known_from() {
    let suite = suite();
    let (_, sheets) = check_dialogues(suite);
    for id in ["finance/bank/plumber", "travel_hospitality/front_desk/booked_twice"] {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../../snapshots/explain");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(id.replace('/', "__"), explain::text(id, &sheets[id])));
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
            let mut agent = oracle::agent(task, *variant).unwrap();
            let setting = Setting { task, variant: *variant, seed: 0, limits: Limits::default(), user: "scripted" };
            let trace = play(setting, &mut agent, &mut ScriptedUser::new(behaviour.turns.clone()));
            text.push_str(&format!("== {variant}\n{}\n", render(&trace)));
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../../snapshots/oracle");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}
