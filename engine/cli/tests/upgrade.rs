//! Runs of an older format are turned into ones that this version reads, and nothing of them is lost.

use crate::support::{cases, code, copy, err, out, probity, records, scratch, sr, tells, text};

#[test]
fn a_run_of_format_1_is_upgraded_and_replays() {
    let folder = scratch("upgrade");
    let run = folder.join("run");
    copy(&cases("format1"), &run);
    let path = run.to_str().unwrap();
    tells(probity(&["replay", path]), 2, err, &["probity upgrade"]);
    let before = records(&run);
    assert_eq!(code(&probity(&["upgrade", path])), 0);
    let after = records(&run);
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before["scores"]["success"]["sr"]["status"], sr(after));
        assert_eq!(before["scores"]["discipline"]["findings"], after["scores"]["found"][2]["findings"]);
        assert_eq!(before["trace"]["final_state"], after["trace"]["final_state"]);
        assert_eq!(before["trace"]["header"]["variant"], after["trace"]["header"]["levels"]["variant"]);
    }
    for command in [&["replay", path][..], &["report", path], &["show", path], &["upgrade", path]] {
        assert_eq!(code(&probity(command)), 0, "{command:?}");
    }
    assert_eq!(records(&folder.join("run.old")), before);
}

#[test]
fn a_reply_that_was_changed_is_not_upgraded() {
    let run = scratch("upgrade-changed").join("run");
    copy(&cases("format1"), &run);
    let changed = text(&run, "episodes.jsonl").replacen("Understood.", "All is done.", 1);
    std::fs::write(run.join("episodes.jsonl"), &changed).unwrap();
    let refused = probity(&["upgrade", run.to_str().unwrap()]);
    let told = err(&refused);
    assert!(code(&refused) != 0 && told.contains("its digest is not that of its trace"), "{told}");
    assert_eq!(text(&run, "episodes.jsonl"), changed);
}

#[test]
fn a_line_that_was_cut_off_is_told() {
    let run = scratch("upgrade-torn").join("run");
    copy(&cases("format1"), &run);
    let whole = text(&run, "episodes.jsonl");
    std::fs::write(run.join("episodes.jsonl"), whole.trim_end()).unwrap();
    let upgraded = probity(&["upgrade", run.to_str().unwrap()]);
    assert!(out(&upgraded).contains("the last line was cut off and is left out"));
    assert_eq!(records(&run).len() + 1, whole.lines().count());
}
