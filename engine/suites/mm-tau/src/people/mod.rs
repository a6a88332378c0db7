//! The people of the telecom suite: a device user with tools of their own, and service agents of different care who
//! talk with them. Deterministic, no I/O, no language model; words alone pass between the two.
//!
//! [`understand`] tells what an agent's message asks for. The user answers by it, and a scorer may read the same acts.

pub(crate) mod agent;
pub(crate) mod phrasebook;
pub(crate) mod understanding;
mod user;

pub use agent::{ServiceAgent, ServiceManner};
pub use understanding::{
    AppPermission, AskedField, ConsentTopic, DeviceLook, DeviceStep, DeviceSwitch, NetworkMode, PhoneApp, SpokenAct,
    SwitchPosition, Understanding, understand,
};
pub(crate) use user::Parting;
pub use user::{DeviceUser, Temper, UserHears, UserMove, UserSpeech};
