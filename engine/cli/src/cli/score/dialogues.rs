//! `probity score --dialogues`: agents' logs from elsewhere, held against labels where there are some.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::Global;
use crate::cli::dialogues::{ON_OTHER_TASKS, Scorers, open};
use crate::cli::exit::Exit;
use crate::cli::from_log::read_map;
use crate::cli::output::count;
use crate::cli::stopped::Stopped;
use probity_behaviour::dialogue::agreement::{DialogueFindings, LabelAgreement, agreement};
use probity_behaviour::dialogue::file::Dialogue;
use probity_behaviour::score::episode::Scores;
use probity_bench::{Finding, Measure, Verdict};

type Scored = (Dialogue, Result<Scores, String>);

pub(super) fn score_all(global: &Global, path: &Path, map: Option<&Path>) -> Result<Exit, Stopped> {
    let map = map.map(read_map).transpose()?.unwrap_or_default();
    let held = open(global, path, &map)?;
    let mut scorers = Scorers::default();
    let scored: Vec<Scored> = held
        .into_iter()
        .map(|(dialogue, replayed)| (dialogue, replayed.and_then(|replayed| scorers.score(&replayed))))
        .collect();
    let labelled = scored.iter().any(|(dialogue, _)| dialogue.labels.is_some());
    let said =
        scored.iter().filter_map(|(dialogue, scores)| Some((dialogue, DialogueFindings::of(scores.as_ref().ok()?))));
    let agreement = labelled.then(|| agreement(said));
    let episodes = || scored.iter().map(episode).collect::<Vec<_>>();
    global.tell(|| json!({"episodes": episodes(), "agreement": agreement}), || table(&scored, agreement.as_ref()));
    Ok(Exit::Clean)
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::NotScored { .. } => "not_scored",
    }
}

fn episode((dialogue, scores): &Scored) -> Value {
    let scores = match scores {
        Ok(scores) => scores,
        Err(reason) => {
            let nothing = json!({"value": null});
            return json!({"id": dialogue.id, "sr": "not_scored", "reason": reason, "honesty": nothing, "honest": null,
                "discipline": nothing, "findings": []});
        }
    };
    let lists = [
        ("success", &scores.success.parts.findings),
        ("honesty", &scores.honesty.findings),
        ("support", &scores.honesty.unsupported),
        ("discipline", &scores.discipline.findings),
        ("clarification", &scores.clarification.findings),
    ];
    let findings: Vec<Value> =
        lists.iter().flat_map(|(scorer, found)| found.iter().map(|one| finding(scorer, one))).collect();
    let is_honest = scores.honesty.value.map(|_| scores.honesty.findings.is_empty());
    let mut episode = json!({"id": dialogue.id, "sr": word(&scores.success.sr),
        "honesty": {"value": scores.honesty.value}, "honest": is_honest,
        "support": {"value": scores.honesty.support},
        "discipline": {"value": scores.discipline.value}, "findings": findings});
    if let Verdict::NotScored { reason } = &scores.success.sr {
        episode["reason"] = json!(reason);
    }
    episode
}

/// A finding with its verdict: what speaks against a claim, or that nothing known speaks for it.
pub(in crate::cli) fn finding(scorer: &str, finding: &Finding) -> Value {
    let span = finding.evidence.as_ref();
    let verdict = match scorer {
        "honesty" => Some("contradicted"),
        "support" => Some("unsupported"),
        _ => None,
    };
    let mut value = json!({"scorer": scorer, "code": finding.code, "verdict": verdict, "message": finding.message,
        "step": finding.step, "start": span.map(|span| span.start), "end": span.map(|span| span.end), "text": finding.text});
    if let Some(shown) = &finding.shown {
        value["shown"] = json!(shown);
    }
    value
}

fn table(scored: &[Scored], agreement: Option<&LabelAgreement>) -> String {
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let width = scored.iter().map(|(dialogue, _)| dialogue.id.chars().count()).max().unwrap_or(0).max(8) + 2;
    let mut text =
        format!("{:<width$}{:<12}{:>8}{:>12}{:>10}\n", "dialogue", "SR", "honesty", "discipline", "findings");
    for (dialogue, scores) in scored {
        let id = &dialogue.id;
        match scores {
            Ok(scores) => {
                let sr = word(&scores.success.sr);
                let (honesty, discipline) = (shown(scores.honesty.value), shown(scores.discipline.value));
                let findings = scores.findings().count();
                let why = match &scores.success.sr {
                    Verdict::NotScored { reason } => format!("  not scored: {reason}"),
                    Verdict::Pass | Verdict::Fail => String::new(),
                };
                text.push_str(&format!("{id:<width$}{sr:<12}{honesty:>8}{discipline:>12}{findings:>10}{why}\n"));
            }
            Err(reason) => text.push_str(&format!("{id:<width$}not scored: {reason}\n")),
        }
    }
    let is_unscored = |scores: &Scores| matches!(scores.success.sr, Verdict::NotScored { .. });
    let lost = scored.iter().filter(|(_, scores)| scores.as_ref().map_or(true, is_unscored)).count();
    text.push_str(&format!("{}, {lost} not scored\n", count(scored.len(), "dialogue")));
    if scored.iter().any(|(_, scores)| scores.is_err()) {
        text.push_str(ON_OTHER_TASKS);
    }
    text.push_str(&agreement.map(readers).unwrap_or_default());
    text
}

fn readers(agreement: &LabelAgreement) -> String {
    let of = |measure: &Measure| match measure.value() {
        Some(value) => format!("{value:.2} ({} of {})", measure.numerator, measure.denominator),
        None => "- (0)".to_owned(),
    };
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let mut text = format!("\nheld against the labels of {}\n", count(agreement.dialogues, "dialogue"));
    let mut row = |name: &str, value: String| text.push_str(&format!("  {name:<44}{value}\n"));
    row("findings about replies on an untruth", of(&agreement.precision));
    for (code, measure) in &agreement.precision_by_code {
        row(&format!("  {code}"), of(measure));
    }
    row("untruths heard", of(&agreement.recall));
    for (kind, measure) in &agreement.recall_by_kind {
        row(&format!("  {}", kind.name()), of(measure));
    }
    row("dialogues without an untruth, flagged", of(&agreement.blameless_flagged));
    row("job done without an untruth, SR passes", of(&agreement.blameless_success));
    row("honesty orders as readers do (AUC)", number(agreement.honesty_auc));
    row("discipline orders as readers do (AUC)", number(agreement.discipline_auc));
    row("mean discipline of impeccable dialogues", number(agreement.impeccable_discipline));
    row("certain tool faults found", of(&agreement.tool_faults));
    row("major tool faults found", of(&agreement.major_tool_faults));
    for (code, measure) in &agreement.precision_by_step_code {
        row(&format!("  {code} at a fault"), of(measure));
    }
    for (pair, n) in &agreement.sr_and_job {
        row(&format!("SR/job {pair}"), n.to_string());
    }
    text
}
