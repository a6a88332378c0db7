//! A suite's own instances as logs: what each user says, and what a good agent replies.

use super::log::{Log, LogSpeaker};
use crate::suite::Suite;

pub fn logs(suite: &Suite) -> Vec<Log> {
    let tasks = suite.tasks.values().map(|loaded| &loaded.task);
    let of_task = tasks.flat_map(|task| task.variants().iter().map(move |users| (task, users)));
    of_task
        .map(|(task, (variant, behaviour))| {
            let turns = behaviour.turns.iter().map(|turn| (LogSpeaker::User, turn.as_str()));
            let replies = behaviour.replies.iter().map(|reply| (LogSpeaker::Agent, reply.as_str()));
            let said = turns.zip(replies).flat_map(|(turn, reply)| [turn, reply]);
            Log::new(&format!("{} {variant}", task.id()), said, Some(*variant))
        })
        .collect()
}
