//! An audit as JSON.

use probity_audit::Audited;
use probity_logs::Dialogue;
use serde_json::{Value, json};

use super::summary::Summary;
use crate::cli::score::finding;

/// A dialogue, as `score --dialogues --json` has episodes.
pub fn episode(dialogue: &Dialogue, audited: &Audited) -> Value {
    let (honesty, discipline) = (audited.found("honesty"), audited.found("discipline"));
    let lists = [("honesty", honesty), ("support", &audited.scores.reading_list), ("discipline", discipline)];
    let findings: Vec<Value> =
        lists.iter().flat_map(|(scorer, found)| found.iter().map(|one| finding(scorer, one))).collect();
    let value = |metric: &str| json!({"value": audited.scores.value(metric)});
    json!({
        "id": dialogue.id,
        "source": dialogue.source,
        "sr": "not_scored",
        "honesty": value("honesty"),
        "honest": audited.scores.value("honesty").map(|_| honesty.is_empty()),
        "support": value("support"),
        "discipline": value("discipline"),
        "claims": audited.counts,
        "not_judged": audited.lacks,
        "findings": findings,
    })
}

/// What comes of all.
pub fn summary(summary: &Summary) -> Value {
    let forms: Vec<Value> = summary.files.iter().map(|(file, found)| json!({"file": file, "found": found})).collect();
    json!({
        "files": forms,
        "dialogues": summary.dialogues,
        "claims": summary.counts,
        "dialogues_with_contradicted_claims": summary.dishonest,
        "dialogues_with_discipline_findings": summary.undisciplined,
        "findings": summary.by_code,
        "reading_list": summary.listed,
        "tools": summary.tools,
        "unused": summary.unused,
        "overruled_tools": summary.names.overruled(),
        "not_judged": summary.lacks,
        "remarks": summary.remarks,
        "unread": {"count": summary.unread_count, "first": summary.unread},
    })
}
