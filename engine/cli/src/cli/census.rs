//! `probity check --suite NAME` and `--stats`: what every suite has, whatever it plays.

use serde_json::json;

use super::exit::Exit;
use super::{Global, output};
use probity_bench::{Registered, census::Census};
use probity_report::census::text;

/// Loads a suite, tells all that is wrong with it, and what it holds if that is asked for.
pub(super) fn check(global: &Global, registered: &Registered, has_stats: bool, denies_warnings: bool) -> Exit {
    let loaded = registered.load(&global.root);
    let census = Census::of(loaded.benchmark.as_ref());
    let diagnostics = &loaded.diagnostics;
    match (global.json, has_stats) {
        (true, true) => output::json(&json!({"diagnostics": diagnostics, "stats": census})),
        (true, false) => {
            output::json(&json!({"tasks": census.tasks, "instances": census.instances, "diagnostics": diagnostics}))
        }
        (false, true) => output::print(&format!("{}\n{}", text(&census), output::diagnostics(diagnostics))),
        (false, false) => {
            let [tasks, instances] =
                [(census.tasks, "task"), (census.instances, "instance")].map(|(n, what)| output::count(n, what));
            output::print(&format!("{}checked {tasks}, {instances}\n", output::diagnostics(diagnostics)));
        }
    }
    match diagnostics.iter().any(|found| denies_warnings || found.is_error()) {
        true => Exit::BadInput,
        false => Exit::Clean,
    }
}
