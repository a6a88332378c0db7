//! MM-tau-p2: conformance vectors of its measures, held against ours.

mod judged;
pub(crate) mod kind;
mod paper;
mod proposed;

#[cfg(test)]
mod tests;
