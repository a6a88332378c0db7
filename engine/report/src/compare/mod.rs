//! Two runs side by side: what changed, how sure that is, and whether a gate lets the new one through.

pub(crate) mod apart;
pub(crate) mod changed;
pub(crate) mod check;
mod check_instances;
pub(crate) mod comparison;
pub(crate) mod detection;
pub(crate) mod difference;
pub(crate) mod gate;
pub(crate) mod noise;
mod outlook;
pub(crate) mod pair;
pub mod rates;
pub(crate) mod rules;
pub mod write;
