//! Built-in agents of a desk. They know the task, whose calls are their plan, but have the user's values only from what
//! they hear.

mod desk_agent;
mod dictation;
mod talk;

pub use desk_agent::DeskAgent;
