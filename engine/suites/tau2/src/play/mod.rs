//! Playing a task: the world of both sides, who uses it, what the agent is told, and when it is over.

mod model_user;
mod protocol;
mod reader;
mod tau2_world;

pub use model_user::{ModelUser, RecordedUser};
pub use protocol::{Ending, LimitedUser, Mode, TRANSFER, was_transferred};
pub use reader::{Reader, as_words};
pub use tau2_world::{Fidelity, Tau2World, brief};
