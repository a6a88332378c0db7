//! Two runs side by side: what changed, how sure that is, and whether a gate lets the new one through.

pub mod changed;
pub mod comparison;
pub mod difference;
pub mod evidence;
pub mod gate;
pub mod left_out;
pub mod loss;
pub mod lost;
pub mod noise;
pub mod pair;
pub mod rules;
pub mod write;
