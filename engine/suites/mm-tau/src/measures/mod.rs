//! The measures of MM-tau-p2: pure functions from counts, texts, states and traces to numbers.
//!
//! Three blocks, never mixed: what the paper prints (`paper`, `composite`, `table5`, `schedule`), what its program
//! computes from the counts of a judge (`judged`, `judged_totals`, `spread`), and what follows from a trace without any
//! judge (`trace_counts`, `trace_metrics`, `escalation`, `paired`). An undefined number is `None`; an impossible input
//! is a [`MeasureRefusal`].

mod canonical;
mod composite;
mod consent;
mod errors;
mod escalation;
mod event;
mod field;
mod heard;
mod judged;
mod judged_totals;
mod needs;
mod number_words;
mod paired;
mod paper;
mod pass;
mod predicate;
mod ratio;
mod refusal;
mod schedule;
mod spread;
mod table5;
mod trace_counter;
mod trace_counts;
mod trace_metrics;
mod word_errors;

pub use canonical::canonical;
pub use composite::{CompositeTerms, CompositeWeights, implied_pass1, lenient, strict};
pub use errors::ErrorCounts;
pub use escalation::{EscalationRule, EscalationStep, EscalationVerdict, TRANSFER_TOOL, escalation};
pub use event::{ActSource, AgentAct, Consent, FieldMention, NeedOpened, NeedSubject, SlotCall, TraceEvent, UserSpoke};
pub use field::{CriticalField, FieldKind, Modality, TraceTask};
pub use heard::is_heard;
pub use judged::{ConfusionCounts, JudgedCounts, JudgedReport, JudgedText, arga, turn_overhead};
pub use judged_totals::{JudgedConversation, JudgedTotals, consolidate};
pub use paired::{PairedMetrics, PairedReport, TextConversation, TextCounts, VoiceConversation, pair};
pub use paper::{PaperCounts, PaperMetrics};
pub use pass::{pass_at_k, pass_hat_k, pass_pow_k};
pub use predicate::StatePredicate;
pub use ratio::{Quotient, Ratio};
pub use refusal::MeasureRefusal;
pub use schedule::{ContextRefresh, ContextSchedule, MessageRole};
pub use spread::Spread;
pub use table5::{SafetySource, Table2Column};
pub use trace_counter::{TraceCounter, count};
pub use trace_counts::TraceCounts;
pub use trace_metrics::TraceMetrics;
pub use word_errors::WordErrors;
