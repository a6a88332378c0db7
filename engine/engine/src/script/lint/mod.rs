//! What compiling does not catch: found by walking the script's syntax tree.
//!
//! The walk follows what variables hold (a collection, an entity, the arguments), through calls and
//! closures, until nothing new is learnt; then it reports. What it does not know it lets pass.

mod access;
mod call;
mod chain;
mod facts;
mod linter;
mod literal;
mod scope;
mod tools;
mod trees;
mod types;
mod walk;
mod world;

#[cfg(test)]
mod tests;

pub use linter::{Linter, check};
pub use trees::Trees;
