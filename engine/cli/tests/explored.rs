//! What the exploration finds: each author's fault that was there before, when its mend is taken out again;
//! `cases/sessions/explored.sh` has what random calls find.

use std::fs;

use probity_behaviour::suite::Suite;
use probity_proof::check::environment::{explore, tasks_of};

use crate::support::{contents, copy_environments, scratch};

/// An environment, a file of it with what stands in it and what is put there, and what is found: a code, and words of it.
type Fault = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const DESK: &str = "travel_hospitality/front_desk";
const PLATFORM: &str = "infrastructure_devops/platform";
const FAULTS: [Fault; 3] = [
    // A stay that grows beyond its schema.
    (
        DESK,
        "environments/@.json",
        &[("extra_nights <= 60\"", "extra_nights <= 60000\"")],
        "call_breaks_schema",
        "`extend_stay`",
    ),
    // A stay that begins on the last day.
    (
        DESK,
        "scripts/@.rhai",
        &[
            (
                "fn departure(booking) {",
                "fn departure(booking) { if booking.arrival == \"9999-12-31\" { throw \"beyond\"; }",
            ),
            ("let leave = add_days(arrival, nights);", "let leave = departure(#{ arrival: arrival, nights: nights });"),
        ],
        "call_faults",
        "`find_free_rooms`",
    ),
    // A window that begins on the last day.
    (
        PLATFORM,
        "scripts/@.rhai",
        &[(
            "fn window_start(day, start_time) {",
            "fn window_start(day, start_time) { if day == \"9999-12-31\" { throw \"beyond\"; }",
        )],
        "call_faults",
        "`schedule_window`",
    ),
];

#[test]
fn each_fault_that_was_mended_is_found_when_its_mend_is_taken_out() {
    for (number, (id, file, edits, code, what)) in FAULTS.iter().enumerate() {
        let folder = scratch(&format!("explored-{number}"));
        copy_environments(&[id], &folder);
        let path = folder.join(file.replace('@', id));
        let mut text = contents(&path);
        for (from, to) in *edits {
            assert!(text.contains(from), "{from} is not in {}", path.display());
            text = text.replace(from, to);
        }
        fs::write(path, text).unwrap();
        let suite = Suite::load(&folder);
        let environment = suite.environments.get(*id).unwrap_or_else(|| panic!("{:?}", suite.diagnostics));
        let problems = explore(environment, &tasks_of(&suite, id)).problems;
        let is_it = |problem: &&probity_engine::Problem| problem.code == *code && problem.message.contains(what);
        assert!(problems.iter().find(is_it).is_some(), "{code} {what}: {problems:#?}");
    }
}
