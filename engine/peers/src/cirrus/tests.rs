//! The vectors that are at hand; a machine without them says so.

use std::path::Path;

use crate::conform::Family;
use crate::conform::case::Case;
use crate::conform::examiner::Examiner;
use crate::conform::tally::Tally;

#[test]
fn the_vectors_at_hand_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/cirrus/dev.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else { return eprintln!("skipped: {} is not here", path.display()) };
    let mut tally = Tally::default();
    for (index, line) in text.lines().enumerate() {
        let case = Case::parse("dev.jsonl", index + 1, serde_json::from_str(line).unwrap()).unwrap();
        assert_eq!(case.input_fault(Family::Cirrus), None, "{}", case.id);
        tally.add(&case, Examiner::Scorers(Family::Cirrus).examine(&case));
    }
    let failed: Vec<String> =
        tally.failures.iter().map(|f| format!("{} {} {}", f.case.kind, f.case.id, f.reason)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(tally.total().passed > 400 && tally.skipped["peer_result"] > 0);
}
