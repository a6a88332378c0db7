//! A user with a phone: a state machine that understands an agent by [`understand`], uses the phone one call at a time,
//! and answers in the words of a persona. Nothing is random: wordings follow from the task and the persona.

mod device_user;
mod speech;

pub use device_user::DeviceUser;
pub use speech::{Parting, Temper, UserHears, UserMove, UserSpeech};
