//! What the paper prints of all of an agent's episodes: voice beside text, over exposure and persona
//! (docs/MM_TAU.md, "Tables of the paper").

mod conversation;
mod group;
mod rows;
mod sheets;

pub use sheets::PairedSurvey;
