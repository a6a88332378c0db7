//! Labels of a judge, a model's or a supplied one, and the block of numbers that rests on them alone (docs/MM_TAU.md,
//! "Judges").
//!
//! A judge labels a conversation message by message, knowing only what came before each, and once as a whole. What it
//! says is hostile input: it is whole numbers of known names or no label at all, never a zero in the place of one.
//! Nothing here touches the measures that follow from a trace.

mod agreement;
mod counts;
mod judged_block;
mod label_set;
mod labelling;
mod prompt;
#[cfg(test)]
mod sample;

pub use agreement::{LabelAgreement, agreements};
pub use counts::{LabelCounts, LabelSubject};
pub use judged_block::{JudgedColumn, JudgedRow, judged_block};
pub use label_set::{ConversationLabels, JudgedEpisode, LabelSet, LabelledMessage};
pub use labelling::judged_episode;
pub use prompt::{DialogueMessage, JudgePrompt, conversation_prompt, message_prompt};
