//! MM-tau-p2: conformance vectors of its measures (`mm-tau-p2.md`), held against ours.

mod judged;
pub mod kind;
mod paper;
mod proposed;

#[cfg(test)]
mod tests;
