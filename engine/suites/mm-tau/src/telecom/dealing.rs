//! The peer's dealing of personas: in turn over the list of all compositions of an intent, so that a task has one only.

use super::composition::compositions;
use super::intent::Intent;
use super::persona::Persona;
use super::task::TelecomTask;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DealtTask {
    pub task: TelecomTask,
    pub persona: Persona,
}

impl DealtTask {
    pub fn id(&self) -> String {
        self.task.id_with(self.persona)
    }
}

/// All tasks of an intent with their personas, in the peer's order. Those that its files leave out are counted too, as
/// they were when the personas were dealt.
pub(super) fn dealt(intent: Intent) -> impl Iterator<Item = DealtTask> {
    let personas = Persona::ALL.iter().copied().cycle();
    compositions(intent).into_iter().zip(personas).map(|(task, persona)| DealtTask { task, persona })
}

/// The persona that the peer gave a task. Makes all tasks of the intent: for many use
/// [`dealt_tasks`](super::dealt_tasks).
pub fn dealt_persona(task: &TelecomTask) -> Option<Persona> {
    dealt(task.intent()).find(|dealt| dealt.task == *task).map(|dealt| dealt.persona)
}
