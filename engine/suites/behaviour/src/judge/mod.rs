//! Judges: language models and people who grade finished episodes, and how far they agree.
//!
//! A judge reads what the scorers read (the task, a card of the environment, the trace) and gives one grade on each
//! of three scales. What it says is hostile input: it is one typed object or no judgement at all, never a zero and
//! never a number bent into range.

pub mod calibrate;
pub mod execute;
pub mod grades;
pub mod judgement;
pub mod labelled;
pub mod labels;
pub mod prompt;
pub mod question;
pub mod sentences;
pub mod table;
