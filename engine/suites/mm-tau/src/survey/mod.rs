//! What the paper prints of all of an agent's episodes: voice beside text, over exposure and persona (`mm-tau-p2.md`
//! c.3, c.5, f.3).

mod conversation;
mod group;
mod noise_floor;
mod paired_survey;
mod rows;
mod sheets;

pub use paired_survey::PairedSurvey;
