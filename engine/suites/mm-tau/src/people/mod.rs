//! The people of the telecom suite: a device user with tools of their own, and service agents of different care who
//! talk with them. Deterministic, no I/O, no language model; words alone pass between the two.
//!
//! [`understand`] tells what an agent's message asks for. The user answers by it, and a scorer may read the same acts.

mod device_user;
pub(crate) mod manner;
pub(crate) mod phrasebook;
mod plan;
mod service_agent;
mod speech;
pub(crate) mod understanding;

pub use device_user::DeviceUser;
pub use manner::ServiceManner;
pub use service_agent::ServiceAgent;
pub(crate) use speech::Parting;
pub use speech::{Temper, UserHears, UserMove, UserSpeech};
pub use understanding::{
    AppPermission, AskedField, ConsentTopic, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SpokenAct,
    SwitchPosition, Understanding, understand,
};
