//! A dialogue as its user knows it, wherever it was logged.

use crate::model::variant::Variant;
use crate::suite::Suite;

/// A dialogue as its user knows it: what they said and what they were answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// Its name, unique among those that are labelled together.
    pub id: String,
    /// What the user said, with what the agent answered before the user spoke again.
    pub turns: Vec<LogTurn>,
    /// How the user was made to behave, where that is known.
    pub planted: Option<Variant>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogTurn {
    pub text: String,
    pub reply: String,
}

impl Log {
    /// A log of what parties said in order; what an agent said before any user is no answer to one.
    pub fn new<'t>(id: &str, said: impl IntoIterator<Item = (LogSpeaker, &'t str)>, planted: Option<Variant>) -> Log {
        let mut turns: Vec<LogTurn> = Vec::new();
        for (speaker, text) in said {
            match (speaker, turns.last_mut()) {
                (LogSpeaker::User, _) => turns.push(LogTurn { text: text.to_owned(), reply: String::new() }),
                (LogSpeaker::Agent, Some(turn)) if turn.reply.is_empty() => turn.reply = text.to_owned(),
                (LogSpeaker::Agent, Some(turn)) => turn.reply.push_str(&format!("\n{text}")),
                (LogSpeaker::Agent, None) => {}
            }
        }
        Log { id: id.to_owned(), turns, planted }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSpeaker {
    User,
    Agent,
}

/// A suite's own instances as logs: what each user says, and what a good agent replies.
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
