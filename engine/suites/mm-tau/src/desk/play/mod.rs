//! Playing a desk task: who talks, and what the agent is told.

mod desk_brief;
mod desk_caller;
mod desk_play;
mod desk_player;

pub use desk_caller::desk_hears;
pub use desk_play::DeskPlay;
