//! Playing a task: what lies between the sides, the world they share, what the agent is told.

mod brief;
mod channel;
mod joint_world;

pub use brief::brief;
pub use channel::{CHANNEL, Channel};
pub use joint_world::JointWorld;
