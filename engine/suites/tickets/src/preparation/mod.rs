//! Recorded tickets made ready: personal data masked, turns put in order (`cirrusbench.md` f).

mod mask;
mod turns;

pub use mask::mask;
pub use turns::{Recorded, Role, Turn, Turns};
