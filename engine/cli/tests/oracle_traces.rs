//! Oracle traces of every task under every behaviour, as text a person can review, in `snapshots/`.

use probity_behaviour::episode::play::{self, play_scripted};
use probity_bench::render::render;
use probity_proof::check::dialogue::inference;
use probity_proof::check::sheets;

use crate::support::{sampled_suite, snapshots, suite};

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
        for variant in task.variants().keys() {
            let mut agent = play::agent(task, *variant).unwrap();
            let trace = play_scripted(task, *variant, 0, &mut agent).unwrap().trace;
            text.push_str(&format!("== {variant}\n{}\n", render(&trace)));
        }
        snapshots("oracle").bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}
