//! The report that MM-tau-p2's program makes of a judge's counts.
//!
//! Nothing here is observed: every count is what a judge said. The formulas are kept as they are run, faults included,
//! so that numbers of the same judge stay comparable; only the strings that stood for undefined numbers are gone.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::ratio::{MeasureRefusal, Quotient, Ratio};

/// A judge's counts over voice conversations. Other keys of a judge's file, such as its prose, are not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct JudgedCounts {
    /// Mean of the judge's number for critical fields over the judged messages of both parties.
    pub critical_field_accuracy: f64,
    /// Messages after which the agent should have asked back.
    pub clarification_required: u64,
    pub clarification_asked: u64,
    /// Messages in which it asked back and should have.
    pub clarification_true_positives: u64,
    pub confirmation_required: u64,
    pub confirmation_asked: u64,
    /// Messages in which it asked for one that was due.
    pub confirmation_true_positives: u64,
    pub message_necessity: u64,
    pub error_committed: u64,
    pub error_identified: u64,
    /// In effect the turns of the recoveries, since the recovery turn count divides it.
    pub error_recovered: u64,
    pub user_effort: u64,
    /// Agent messages shown to the message judge.
    pub total_agent_messages: u64,
    /// User messages shown to the message judge.
    pub total_user_messages: u64,
    pub agent_msg_counts: u64,
    pub tasks_identified: u64,
    pub tasks_succeeded: u64,
    pub tasks_with_agent_understanding_errors: u64,
    pub tasks_with_agent_understanding_errors_succeeded: u64,
}

/// The three counts of the text conversations that the report needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct JudgedText {
    pub agent_msg_counts: u64,
    pub tasks_identified: u64,
    pub tasks_succeeded: u64,
}

/// How what was asked agrees with what was required. Three are differences of counts that nothing keeps consistent, so
/// they can be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfusionCounts {
    /// Asked and required.
    pub true_positives: u64,
    /// Asked and not required.
    pub false_positives: i64,
    /// Required and not asked.
    pub false_negatives: i64,
    /// Agent messages with neither.
    pub true_negatives: i64,
}

impl ConfusionCounts {
    fn of(asked: u64, required: u64, both: u64, messages: u64) -> ConfusionCounts {
        let [asked, required, met, messages] = [asked, required, both, messages].map(signed);
        ConfusionCounts {
            true_positives: both,
            false_positives: asked.saturating_sub(met),
            false_negatives: required.saturating_sub(met),
            true_negatives: messages.saturating_add(met).saturating_sub(asked).saturating_sub(required),
        }
    }
}

type JudgedRatio = (&'static str, fn(&JudgedCounts) -> (u64, u64));

/// The ratios of the report, by the names under which the peer prints them: what is counted, and over what.
const JUDGED_RATIOS: [JudgedRatio; 9] = [
    ("ARGA Score", |of| (of.tasks_with_agent_understanding_errors_succeeded, of.tasks_with_agent_understanding_errors)),
    ("Turn Efficiency", |of| (of.message_necessity, of.total_agent_messages)),
    ("User Effort Score", |of| (of.user_effort, of.total_user_messages)),
    ("Error Recovery Rate", |of| (of.error_identified, of.error_committed)),
    ("Recovery Turn Count", |of| (of.error_recovered, of.error_identified)),
    ("Clarification Precision", |of| (of.clarification_true_positives, of.clarification_asked)),
    ("Clarification Recall", |of| (of.clarification_true_positives, of.clarification_required)),
    ("Safety Precision", |of| (of.confirmation_true_positives, of.confirmation_asked)),
    ("Safety Recall", |of| (of.confirmation_true_positives, of.confirmation_required)),
];

/// The report of a judge's counts; each ratio keeps what it divides.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedReport {
    /// Critical field accuracy, as given.
    pub critical_field_accuracy: f64,
    /// By the names under which the peer prints them.
    pub ratios: BTreeMap<&'static str, Ratio>,
    /// pass^1 of voice over pass^1 of text, not capped.
    pub modality_robustness: Quotient,
    /// Agent messages of voice over those of text, less 1.
    pub turn_overhead: f64,
    /// Clarifications asked for against those needed.
    pub clarification: ConfusionCounts,
    /// Confirmations asked for against those due.
    pub safety: ConfusionCounts,
    /// pass@1 of voice.
    pub voice_pass_at_1: f64,
    /// pass^1 of voice.
    pub voice_pass_pow_1: f64,
    /// pass^1 of text.
    pub text_pass_pow_1: f64,
}

impl JudgedReport {
    /// The report of the counts of voice conversations against those of text conversations.
    /// An error: when either side has no task, when more voice tasks succeeded than there are, or when the text side
    /// has no agent message.
    pub fn of(voice: &JudgedCounts, text: &JudgedText) -> Result<JudgedReport, MeasureRefusal> {
        let voice_pass_pow_1 = pass1(voice.tasks_identified, voice.tasks_succeeded)?;
        let text_pass_pow_1 = pass1(text.tasks_identified, text.tasks_succeeded)?;
        let (clarified, confirmed) = (voice.clarification_true_positives, voice.confirmation_true_positives);
        let (asked, needed) = (voice.clarification_asked, voice.clarification_required);
        let (sought, due) = (voice.confirmation_asked, voice.confirmation_required);
        let messages = voice.total_agent_messages;
        let ratio = |(name, parts): JudgedRatio| {
            let (part, whole) = parts(voice);
            (name, Ratio::new(part, whole))
        };
        Ok(JudgedReport {
            critical_field_accuracy: voice.critical_field_accuracy,
            ratios: JUDGED_RATIOS.into_iter().map(ratio).collect(),
            modality_robustness: Quotient { dividend: voice_pass_pow_1, divisor: text_pass_pow_1 },
            turn_overhead: turn_overhead(voice.agent_msg_counts, text.agent_msg_counts)?,
            clarification: ConfusionCounts::of(asked, needed, clarified, messages),
            safety: ConfusionCounts::of(sought, due, confirmed, messages),
            voice_pass_at_1: match (voice.tasks_succeeded, voice.tasks_identified) {
                (successes, trials) if successes > trials => {
                    return Err(MeasureRefusal::TooManySuccesses { successes, trials });
                }
                _ => voice_pass_pow_1,
            },
            voice_pass_pow_1,
            text_pass_pow_1,
        })
    }
}

/// Tasks that succeeded among those in which the agent misunderstood; without such a task the ratio has no value.
/// An error: when the judge saw no task at all.
pub fn arga(tasks: u64, with_errors: u64, with_errors_succeeded: u64) -> Result<Ratio, MeasureRefusal> {
    if tasks == 0 {
        return Err(MeasureRefusal::NoTasks);
    }
    Ok(Ratio::new(with_errors_succeeded, with_errors))
}

/// The agent messages that voice takes beyond text, as a share of those of text.
/// An error: when the text run has no agent message.
pub fn turn_overhead(voice_messages: u64, text_messages: u64) -> Result<f64, MeasureRefusal> {
    let times = Ratio::new(voice_messages, text_messages).value().ok_or(MeasureRefusal::NoTextMessages)?;
    Ok(times - 1.0)
}

/// pass^1 as MM-tau-p2's own program prints it: above 1 where the judge counted more successes than tasks.
/// An error: when there is no task.
fn pass1(tasks: u64, successes: u64) -> Result<f64, MeasureRefusal> {
    Ratio::new(successes, tasks).value().ok_or(MeasureRefusal::NoTasks)
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
