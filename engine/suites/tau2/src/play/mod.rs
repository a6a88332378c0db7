//! Playing a task: the world of both sides, who uses it, what the agent is told, and when it is over.

mod brief;
mod calls_in_words;
mod first_person;
mod limited_user;
mod model_user;
mod protocol;
mod reader;
mod recorded_user;
mod tau2_world;

pub use brief::brief;
pub use calls_in_words::as_words;
pub use limited_user::LimitedUser;
pub use model_user::ModelUser;
pub use protocol::{Ending, Mode, TRANSFER, was_transferred};
pub use reader::Reader;
pub use recorded_user::RecordedUser;
pub use tau2_world::{Fidelity, Tau2World};
