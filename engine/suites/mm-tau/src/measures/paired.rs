//! Voice conversations beside text conversations of the same tasks (pass^k, ARGA, MRS, TO).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::composite::{CompositeTerms, CompositeWeights, lenient, strict};
use super::ratio::{Quotient, Ratio};
use super::trace_counts::{Metrics, TraceCounts, trace_metrics};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoiceConversation {
    /// The task; several conversations of one task are its trials.
    pub task: String,
    /// Whether it passed, by the engine's outcome.
    pub pass: bool,
    pub counts: TraceCounts,
    /// Agent messages of the oracle, where they are known.
    pub optimal: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextConversation {
    /// The task; several conversations of one task are its trials.
    pub task: String,
    /// Whether it passed, by the engine's outcome.
    pub pass: bool,
    pub counts: TextCounts,
}

/// What a text conversation is compared by; whatever else was counted in it is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct TextCounts {
    pub agent_messages: u64,
}

/// What voice and text conversations come to together.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedReport {
    pub counts: TraceCounts,
    /// The metrics of the summed counts of the voice conversations, and beside them: ARGA, the share of those with a
    /// misheard mention that passed; MRS, pass^1 of voice over pass^1 of text, and TO, the agent messages of voice beyond
    /// those of text over those of text, both over the tasks of both sides and not capped; pass^1 of all tasks of each
    /// side; the composite.
    pub metrics: Metrics,
    pub paired_tasks: u64,
}

/// The report of voice conversations beside text conversations. Only tasks of both sides enter the robustness score and
/// the turn overhead; only conversations whose optimum is known enter the turn efficiency.
pub fn pair(voice: &[VoiceConversation], text: &[TextConversation], weights: CompositeWeights) -> PairedReport {
    let counts = TraceCounts::sum(voice.iter().map(|one| &one.counts));
    let spoken = Side(voice.iter().map(|one| Trial::new(&one.task, one.pass, one.counts.agent_messages)).collect());
    let written = Side(text.iter().map(|one| Trial::new(&one.task, one.pass, one.counts.agent_messages)).collect());
    let shared: BTreeSet<&str> = spoken.tasks().intersection(&written.tasks()).copied().collect();
    let (spoken_shared, written_shared) = (spoken.among(&shared), written.among(&shared));
    let messages = Ratio::new(spoken_shared.messages(), written_shared.messages());
    let passes = spoken_shared.pass1().zip(written_shared.pass1());
    let misheard: Vec<_> = voice.iter().filter(|one| one.counts.asr_mismatches > 0).collect();
    let mut metrics = trace_metrics(&counts, turns(voice));
    metrics.extend([
        ("ARGA", share(misheard.iter().map(|one| one.pass))),
        ("MRS", passes.and_then(|(dividend, divisor)| Quotient { dividend, divisor }.value())),
        ("TO", messages.value().map(|times| times - 1.0)),
        ("pass1_voice", spoken.pass1()),
        ("pass1_text", written.pass1()),
    ]);
    let terms = terms(&metrics);
    metrics.insert("mm_tap", strict(&terms, weights).ok().flatten());
    metrics.insert("mm_tap_lenient", lenient(&terms, weights).ok().flatten());
    PairedReport { counts, metrics, paired_tasks: shared.len() as u64 }
}

/// The terms of the composite: the voice pass^1, and the user effort as a rate.
fn terms(metrics: &Metrics) -> CompositeTerms {
    let of = |name: &str| metrics.get(name).copied().flatten();
    CompositeTerms {
        critical_field_accuracy: of("CFA"),
        pass1: of("pass1_voice"),
        modality_robustness: of("MRS"),
        asr_robust_goal_achievement: of("ARGA"),
        error_recovery: of("ERR"),
        turn_efficiency: of("TE"),
        user_effort: of("UES_rate"),
        turn_overhead: of("TO"),
        irreversible_action_safety: of("IAS"),
    }
}

#[derive(Clone, Copy)]
struct Trial<'c> {
    task: &'c str,
    pass: bool,
    messages: u64,
}

impl<'c> Trial<'c> {
    fn new(task: &'c str, pass: bool, messages: u64) -> Trial<'c> {
        Trial { task, pass, messages }
    }
}

struct Side<'c>(Vec<Trial<'c>>);

impl<'c> Side<'c> {
    fn tasks(&self) -> BTreeSet<&'c str> {
        self.0.iter().map(|trial| trial.task).collect()
    }

    fn among(&self, tasks: &BTreeSet<&str>) -> Side<'c> {
        Side(self.0.iter().filter(|trial| tasks.contains(trial.task)).copied().collect())
    }

    fn messages(&self) -> u64 {
        self.0.iter().map(|trial| trial.messages).fold(0, u64::saturating_add)
    }

    /// The mean over tasks of the share of its trials that passed.
    fn pass1(&self) -> Option<f64> {
        let mut trials: BTreeMap<&str, Ratio> = BTreeMap::new();
        for trial in &self.0 {
            let passed = trials.entry(trial.task).or_insert(Ratio::new(0, 0));
            *passed = Ratio::new(passed.part + u64::from(trial.pass), passed.whole + 1);
        }
        let sum: f64 = trials.values().filter_map(|passed| passed.value()).sum();
        Quotient { dividend: sum, divisor: trials.len() as f64 }.value()
    }
}

/// The optimal over the actual agent messages, of the conversations whose optimum is known.
fn turns(voice: &[VoiceConversation]) -> Option<Ratio> {
    voice
        .iter()
        .filter_map(|one| Some(Ratio::new(one.optimal?, one.counts.agent_messages)))
        .reduce(|sum, one| Ratio::new(sum.part.saturating_add(one.part), sum.whole.saturating_add(one.whole)))
}

fn share(passes: impl Iterator<Item = bool>) -> Option<f64> {
    let all = passes.fold(Ratio::new(0, 0), |sum, pass| Ratio::new(sum.part + u64::from(pass), sum.whole + 1));
    all.value()
}
