//! The peer's verdicts beside ours, with the reason for every difference, and the totals.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::reason::Reason;
use super::{Finding, Reading, clean};
use crate::rut::completion::{self, Completion};
use crate::rut::efficiency::Efficiency;
use crate::rut::peer::{PeerFiles, text};
use crate::rut::relaxed::{self, FailureMode, Relaxed};

#[derive(Clone, Debug, Serialize)]
pub struct PeerVerdict {
    /// Every check; the peer calls it semantic, and strict too.
    pub semantic: bool,
    /// The end state alone; the headline of the peer's report.
    pub relaxed: bool,
    /// Least turns over turns taken.
    pub efficiency: f64,
    /// Efficiency of a semantic success, else 0.
    pub task_score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureMode>,
    pub failures: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Row {
    pub sample_id: String,
    /// The peer's verdict; nothing when the peer skips the sample, or we cannot compute it.
    pub peer: Option<PeerVerdict>,
    /// `pass`, `fail` or `not_scored`.
    pub ours: &'static str,
    /// Why ours fails, or what keeps it from being scored.
    pub findings: Vec<Finding>,
    /// Why ours is not the peer's semantic verdict.
    pub against_semantic: BTreeSet<Reason>,
    /// Why ours is not the peer's relaxed verdict.
    pub against_relaxed: BTreeSet<Reason>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Rate {
    pub passed: usize,
    pub n: usize,
}

impl Rate {
    #[expect(clippy::cast_precision_loss, reason = "samples are far fewer than 2^53")]
    pub fn value(self) -> Option<f64> {
        (self.n > 0).then(|| self.passed as f64 / self.n as f64)
    }
}

#[derive(Debug, Serialize)]
pub struct Audit {
    /// In the order of the samples.
    pub samples: Vec<Row>,
    pub peer_relaxed: Rate,
    pub peer_semantic: Rate,
    pub ours: Rate,
    /// Samples that we do not score, by reason.
    pub not_scored: BTreeMap<&'static str, usize>,
    /// Samples on which ours differs from the semantic verdict, by reason.
    pub differs_from_semantic: BTreeMap<&'static str, usize>,
    /// Samples on which ours differs from the relaxed verdict, by reason.
    pub differs_from_relaxed: BTreeMap<&'static str, usize>,
}

impl Audit {
    pub fn of(files: &PeerFiles) -> Self {
        let samples: Vec<Row> = files.samples.iter().map(|sample| row(sample, files)).collect();
        let mut audit = Audit {
            peer_relaxed: rate(samples.iter().filter_map(|row| row.peer.as_ref()).map(|peer| peer.relaxed)),
            peer_semantic: rate(samples.iter().filter_map(|row| row.peer.as_ref()).map(|peer| peer.semantic)),
            ours: rate(samples.iter().filter(|row| row.ours != "not_scored").map(|row| row.ours == "pass")),
            not_scored: BTreeMap::new(),
            differs_from_semantic: BTreeMap::new(),
            differs_from_relaxed: BTreeMap::new(),
            samples,
        };
        for row in &audit.samples {
            if row.ours == "not_scored" {
                row.findings.iter().for_each(|found| *audit.not_scored.entry(found.code.code()).or_default() += 1);
            }
            for (reasons, counts) in [
                (&row.against_semantic, &mut audit.differs_from_semantic),
                (&row.against_relaxed, &mut audit.differs_from_relaxed),
            ] {
                reasons.iter().for_each(|reason| *counts.entry(reason.code()).or_default() += 1);
            }
        }
        audit
    }
}

fn rate(verdicts: impl Iterator<Item = bool>) -> Rate {
    verdicts.fold(Rate::default(), |rate, passed| Rate { passed: rate.passed + usize::from(passed), n: rate.n + 1 })
}

fn row(sample: &Value, files: &PeerFiles) -> Row {
    let runtime = files.items.get(&text(sample, "task_id"));
    let run = files.runs.get(&text(sample, "sample_id"));
    match (runtime, run) {
        (Some(_), Some(_)) if files.is_inexact(sample) => unjudged(sample, Reason::WideInteger),
        (Some(runtime), Some(run)) => {
            let mut sample = sample.clone();
            if let Some(fields) = sample.as_object_mut() {
                fields.insert("runtime".to_owned(), runtime.clone());
            }
            judged(&sample, run)
        }
        (None, _) => unjudged(sample, Reason::MissingRuntime),
        (Some(_), None) => unjudged(sample, Reason::NoRun),
    }
}

fn unjudged(sample: &Value, reason: Reason) -> Row {
    Row {
        sample_id: text(sample, "sample_id"),
        peer: None,
        ours: "not_scored",
        findings: vec![Finding { code: reason, about: String::new() }],
        against_semantic: BTreeSet::new(),
        against_relaxed: BTreeSet::new(),
    }
}

pub(crate) fn peer_verdict(sample: &Value, run: &Value) -> PeerVerdict {
    let completion = Completion::of(sample, run);
    let relaxed = Relaxed::of(&completion.to_value());
    let efficiency = Efficiency::of(sample, run, completion.passed);
    let failure = (!completion.passed)
        .then(|| relaxed::of(&serde_json::to_value(&relaxed).unwrap_or_default(), run.get("actual_tool_trace")));
    PeerVerdict {
        semantic: completion.passed,
        relaxed: relaxed.relaxed_success,
        efficiency: efficiency.efficiency,
        task_score: efficiency.task_score,
        failure,
        failures: completion.hard_failures,
    }
}

fn judged(sample: &Value, run: &Value) -> Row {
    let peer = peer_verdict(sample, run);
    let reading = Reading::of(sample, run);
    let ours = match reading.passes() {
        None => "not_scored",
        Some(true) => "pass",
        Some(false) => "fail",
    };
    let is_of_end_state = |label: &&String| !completion::DIALOGUE_CHECKS.contains(&label.as_str());
    let end_state: Vec<String> = peer.failures.iter().filter(is_of_end_state).cloned().collect();
    let unscored = reading.not_scored.map(|code| Finding { code, about: String::new() });
    let against = |theirs: bool, failures: &[String]| match reading.passes() {
        Some(ours) if ours == theirs => BTreeSet::new(),
        None => reading.not_scored.into_iter().collect(),
        Some(false) => reading.findings.iter().map(|finding| finding.code).collect(),
        Some(true) => forgiven(sample, run, &reading, failures),
    };
    Row {
        sample_id: text(sample, "sample_id"),
        ours,
        against_semantic: against(peer.semantic, &peer.failures),
        against_relaxed: against(peer.relaxed, &end_state),
        findings: reading.findings.iter().cloned().chain(unscored).collect(),
        peer: Some(peer),
    }
}

/// Why a run passes that the peer fails: what goes away with the helpers, and what each remaining check asks too much.
fn forgiven(sample: &Value, run: &Value, reading: &Reading, failures: &[String]) -> BTreeSet<Reason> {
    let mut reasons = BTreeSet::new();
    let cleaned = Completion::of(&clean::sample(sample).value, &clean::run(run).value);
    let has = |reason: Reason| reading.forgiven.contains(&reason);
    for label in failures {
        if !cleaned.hard_failures.contains(label) {
            let wrong = [Reason::FirstCallPollution, Reason::WriteClass].into_iter().filter(|reason| has(*reason));
            reasons.extend(wrong);
            continue;
        }
        reasons.insert(match label.as_str() {
            completion::MISSING_NAMES => Reason::OrderedNames,
            completion::ASSERTIONS | completion::HARD_ASSERTIONS | completion::STATE_DIFF => {
                if has(Reason::GeneratedId) { Reason::GeneratedId } else { Reason::AmbiguousDiff }
            }
            _ if has(Reason::RequiredDefault) => Reason::RequiredDefault,
            _ => Reason::GreedyAssignment,
        });
    }
    reasons
}
