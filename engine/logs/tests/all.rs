//! Tests of readers on files: the same dialogues in every form, the traps of each form, and hostile bytes.

mod forms;
mod hostile;
mod same;
mod support;
