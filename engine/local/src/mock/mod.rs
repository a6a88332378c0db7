//! A scripted provider on this machine: it answers as the oracle would, or as a judge, and misbehaves as it is told.
//!
//! The ways in which real servers were seen to go wrong are its modes, so that a client, ours or
//! another's, can be tried against each without a network, a key or a model.

mod answer;
mod grader;
pub mod mode;
pub mod server;
pub mod speaker;
