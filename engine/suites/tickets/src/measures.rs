//! The numbers of tickets and checkpoints as readings, and the groups they are told by: what has no value says why, so that
//! each mean is over what it is meant to be over.

use crate::judge::Verdict;
use crate::resolution::{Figures, Marks};
use probity_bench::Reading;

/// Numbers of checkpoints.
pub const CHECKPOINTS: [&str; 5] = ["1", "2", "3", "4", "5+"];
/// Ranges of input tokens; *over 16,000* is read strictly.
pub const TOKENS: [&str; 3] = ["<8000", "8000-16000", ">16000"];

pub fn checkpoints_level(count: usize) -> &'static str {
    CHECKPOINTS.get(count.clamp(1, CHECKPOINTS.len()) - 1).copied().unwrap_or("5+")
}

pub fn tokens_level(tokens: u64) -> &'static str {
    match tokens {
        0..8000 => "<8000",
        8000..=16000 => "8000-16000",
        _ => ">16000",
    }
}

pub fn tools_level(has_tool: bool) -> &'static str {
    if has_tool { "with_tool" } else { "without_tool" }
}

/// Why there is nothing to count jumps or tokens over.
const NOTHING_COVERED: &str = "no checkpoint was covered";
const NO_TOKENS: &str = "the output tokens of some message are not known";

/// The readings of a ticket, by the metric whose mean they enter.
pub fn of_figures(figures: &Figures) -> Vec<(&'static str, Reading)> {
    let has_covered = figures.covered > 0;
    let of_covered = |value: f64| Reading::new(has_covered.then_some(value), NOTHING_COVERED);
    let tokens = |value: Option<f64>| Reading::new(value, if has_covered { NO_TOKENS } else { NOTHING_COVERED });
    let lj = figures.lj as f64;
    vec![
        ("sr_pass1", Reading::new(Some(f64::from(u8::from(figures.pass_at_1))), "")),
        ("sr_pass2", Reading::new(figures.pass_at_2.map(|is| f64::from(u8::from(is))), "one attempt was allowed")),
        ("atpr", Reading::new(Some(figures.tpr), "")),
        ("alj", of_covered(lj)),
        ("anei", of_covered(figures.nei)),
        ("amtl", tokens(figures.mtl)),
        ("alj_all", Reading::new(Some(lj), "")),
        ("anei_all", Reading::new(Some(figures.nei), "")),
        ("amtl_per_response", tokens(figures.mtl_per_response)),
        ("amtl_alg1", tokens(figures.mtl_alg1)),
    ]
}

pub fn of_response(marks: &Marks, tokens: Option<u64>) -> Vec<(&'static str, Reading)> {
    let is = |value: bool| Some(f64::from(u8::from(value)));
    let rr = match marks.rr {
        Verdict::Yes => is(true),
        Verdict::No => is(false),
        Verdict::Error => None,
    };
    const NO_TOOL: &str = "no tool was needed";
    vec![
        ("rr", Reading::new(rr, "the judge gave no verdict")),
        ("tia", Reading::new(is(marks.coverage.tia), "")),
        ("tsa", Reading::new(marks.coverage.tsa.and_then(is), NO_TOOL)),
        ("tev", Reading::new(marks.coverage.tev.and_then(is), NO_TOOL)),
        ("stl", Reading::new(tokens.map(|tokens| tokens as f64), NO_TOKENS)),
    ]
}
