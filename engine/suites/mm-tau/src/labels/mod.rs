//! Labels of a judge, a model's or a supplied one, and the block of numbers that rests on them alone (docs/MM_TAU.md,
//! "Judges").
//!
//! A judge labels a conversation message by message, knowing only what came before each, and once as a whole. What it
//! says is hostile input: it is whole numbers of known names or no label at all, never a zero in the place of one.
//! Nothing here touches the measures that follow from a trace.

mod agreement;
mod conversation_prompt;
mod count_fault;
mod counts;
mod dialogue;
mod judged_column;
mod judged_row;
mod judged_sums;
mod label_file;
mod label_problem;
mod label_set;
mod labelled;
mod message_prompt;
mod metric;
mod node;
mod prompt;
mod quotation;
mod reply;
#[cfg(test)]
mod sample;
mod transcript;

pub use agreement::{LabelAgreement, agreements};
pub use conversation_prompt::conversation_prompt;
pub use count_fault::CountFault;
pub use counts::LabelCounts;
pub use dialogue::DialogueMessage;
pub use judged_column::{JudgedColumn, judged_block};
pub use judged_row::JudgedRow;
pub use label_problem::LabelProblem;
pub use label_set::{JudgedEpisode, LabelConflict, LabelSet};
pub use labelled::{ConversationLabels, LabelledMessage};
pub use message_prompt::message_prompt;
pub use metric::{LabelMetric, LabelSubject};
pub use prompt::{JudgePrompt, LABEL_WORDING, fixed_words};
pub use reply::{ReplyRefusal, read_conversation, read_message};
pub use transcript::{critical_fields, judged_episode, transcript};
