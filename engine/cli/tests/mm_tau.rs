//! The MM-tau suite: users who act, a line between, and agents whose numbers are known.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what cannot be set up fails the test")]

use std::path::Path;

use crate::support::{code, probity, scratch, text};
use serde_json::Value;

/// The report of a run of all five agents on some instances.
fn report(directory: &Path, more: &[&str]) -> Value {
    let path = directory.to_str().unwrap();
    let agents = ["oracle", "reckless", "fault:premature_transfer", "fault:never_transfers", "fault:wrong_number"];
    let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
    let start = ["run", "--suite", "mm-tau", "--out", path, "--quiet"];
    let output = probity(&start.into_iter().chain(agents).chain(more.iter().copied()).collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text(directory, "report.json")).unwrap()
}

fn value(report: &Value, agent: &str, metric: &str) -> Option<f64> {
    report["agents"][agent]["overall"]["metrics"][metric]["value"].as_f64()
}

#[test]
fn known_agents_have_the_numbers_they_must_in_text() {
    let folder = scratch("mm-tau-text");
    let report = report(&folder.join("run"), &["--level", "channel=text", "--level", "exposure=p0"]);
    let of = |agent: &str, metric: &str| value(&report, agent, metric);
    assert_eq!(of("oracle", "sr"), Some(1.0));
    assert_eq!((of("oracle", "ias"), of("reckless", "ias")), (Some(1.0), Some(0.0)));
    assert_eq!((of("oracle", "cfa"), of("oracle", "te")), (Some(1.0), Some(1.0)));
    let ends =
        |agent: &str, ends: &str| report["agents"][agent]["factors"]["ends"][ends]["metrics"]["sr"]["value"].as_f64();
    assert_eq!(ends("oracle", "transfer"), Some(1.0), "a correct transfer counts");
    assert_eq!(ends("fault:premature_transfer", "transfer"), Some(0.0), "a premature one does not");
    assert_eq!(
        (ends("fault:never_transfers", "transfer"), ends("fault:never_transfers", "repair")),
        (Some(0.0), Some(1.0))
    );
    assert!(of("fault:wrong_number", "cfa") < of("oracle", "cfa"));
    let path = folder.join("run");
    let output = probity(&["replay", path.to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn noise_never_raises_what_was_heard_right() {
    let folder = scratch("mm-tau-voice");
    let levels = ["off", "mild", "strong"].map(|noise| {
        let set = format!("noise={noise}");
        let more = ["--level", "channel=voice", "--level", "exposure=p0", "--level", "persona=none", "--set", &set];
        let report = report(&folder.join(noise), &more);
        ["oracle", "reckless"]
            .map(|agent| (value(&report, agent, "cfa").unwrap(), value(&report, agent, "slots").unwrap()))
    });
    for agent in 0..2 {
        let [off, mild, strong] = levels.map(|agents| agents[agent]);
        assert!(off.0 >= mild.0 && mild.0 >= strong.0, "{levels:?}");
    }
    assert_eq!(levels[0][0].0, 1.0, "a line without noise loses nothing");
}

#[test]
fn an_episode_tells_who_called_what_and_what_was_heard() {
    let folder = scratch("mm-tau-show");
    let path = folder.join("run");
    let more = [
        "--limit",
        "1",
        "--level",
        "channel=voice",
        "--level",
        "persona=hard",
        "--level",
        "exposure=p1",
        "--set",
        "noise=strong",
    ];
    report(&path, &more);
    let output = probity(&["show", path.to_str().unwrap(), "--agent", "oracle"]);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(code(&output), 0, "{shown}");
    assert!(shown.contains("said   ") && shown.contains("user's check_"), "{shown}");
    let refused = probity(&["run", "--suite", "mm-tau", "--agent", "recless"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("did you mean `reckless`?"), "{refused:?}");
}
