//! Oracle traces of every task under every behaviour, as text a person can review, in `snapshots/`.

use std::path::Path;

use probity::episode::oracle;
use probity::episode::play::{Setting, play};
use probity::episode::user::ScriptedUser;
use probity::load::suite::Suite;
use probity::trace::Limits;
use probity::trace::render::render;

#[test]
fn oracle_traces() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let suite = Suite::load(&root);
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
        settings.set_snapshot_path("../../snapshots/oracle");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(id.replace('/', "__"), text));
    }
}
