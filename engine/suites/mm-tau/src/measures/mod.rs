//! The measures of MM-tau-p2: pure functions from counts, texts, states and traces to numbers.
//!
//! Three blocks, never mixed: what the paper defines (`composite`, `schedule`), what its program computes from the counts
//! of a judge (`judged`), and what follows from a trace without any judge (`trace_counts`, `verdict`,
//! `paired`). An undefined number is `None`; an impossible input is a [`MeasureRefusal`]. What nothing but
//! conformance vectors asks for is `probity-peers`'.

mod composite;
mod event;
mod field;
mod judged;
mod paired;
mod ratio;
mod schedule;
mod trace_counter;
mod trace_counts;
mod verdict;
mod word_errors;

pub use composite::{CompositeTerms, CompositeWeights, implied_pass1, lenient, strict};
pub use event::{ActSource, AgentAct, Consent, FieldMention, NeedOpened, NeedSubject, SlotCall, TraceEvent, UserSpoke};
pub use field::{CriticalField, FieldKind, Modality, TraceTask, canonical, is_heard};
pub use judged::{ConfusionCounts, JudgedCounts, JudgedReport, JudgedText, arga, turn_overhead};
pub use paired::{PairedReport, TextConversation, TextCounts, VoiceConversation, pair};
pub use ratio::{MeasureRefusal, Quotient, Ratio, Spread};
pub use schedule::{ContextRefresh, ContextSchedule, MessageRole};
pub use trace_counter::{TraceCounter, count};
pub use trace_counts::{CountedRatio, ErrorCounts, Metrics, RATIOS, TraceCounts, trace_metrics};
pub use verdict::EscalationVerdict;
pub use word_errors::{WordErrors, distance};
