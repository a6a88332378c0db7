//! Two sets of logs side by side.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use probity_report::compare::rates::Rate;
use probity_report::{Check, GateVerdict, Outcome};
use serde_json::{Value, json};

use super::document;
use super::summary::Summary;
use super::text::unused;
use crate::cli::output::count;

pub struct Sides {
    pub base: Summary,
    pub new: Summary,
    pub names: [String; 2],
}

impl Sides {
    pub fn title(&self) -> String {
        let [base, new] = &self.names;
        format!("{base} -> {new}")
    }

    /// Contradicted claims and findings of discipline, a dialogue.
    pub fn rates(&self, seed: u64) -> Vec<Rate> {
        let rate = |name, of: fn(&Summary) -> &Vec<f64>| Rate::of(name, of(&self.base), of(&self.new), seed);
        vec![rate("contradicted", |side| &side.contradicted), rate("discipline", |side| &side.discipline)]
    }
}

fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "holds",
        Outcome::Fail => "FAILS",
        Outcome::Undecided => "UNDECIDED",
        Outcome::NotScored => "no number",
        Outcome::NotMeasured => "NOT MEASURED",
    }
}

fn headline(checks: &[Check]) -> &'static str {
    let is_all = |outcome| checks.iter().all(|check: &Check| check.outcome == outcome);
    match checks.iter().any(|check| check.outcome.closes()) {
        true => "gate closed",
        false if is_all(Outcome::NotScored) => "gate open: there is nothing to compare",
        false => "gate open",
    }
}

pub fn text(sides: &Sides, rates: &[Rate], checks: &[Check]) -> String {
    let [base, new] = &sides.names;
    let mut text = format!("{}\n", headline(checks));
    let side = |name: &str, summary: &Summary| format!("{name}: {}", count(summary.dialogues, "dialogue"));
    let _ = writeln!(text, "base {}; new {}", side(base, &sides.base), side(new, &sides.new));
    for (name, side) in [("base", &sides.base), ("new", &sides.new)] {
        let mut said = String::new();
        unused(side, &mut said);
        said.lines().filter(|line| !line.is_empty()).for_each(|line| text.push_str(&format!("  {name}: {line}\n")));
    }
    for check in checks {
        let _ = writeln!(text, "  {:<10} {}: {}", sign(check.outcome), check.name, check.text);
    }
    let detectable = rates.iter().filter_map(|rate| Some(format!("{} {:.3}", rate.name, rate.detectable?)));
    let _ = writeln!(text, "  a rise found four times out of five: {}", detectable.collect::<Vec<_>>().join(", "));
    text.push_str("\nfindings, base and new\n");
    for (code, base, new) in codes(sides) {
        let _ = writeln!(text, "  {code:<22}{base:>6}{new:>6}");
    }
    let unread = [&sides.base, &sides.new].map(|side| side.unread_count);
    if unread != [0, 0] {
        let [base, new] = unread;
        let _ = writeln!(text, "\nnot read: {base} of the base, {new} of the new logs; audit each alone to see where");
    }
    text
}

fn codes(sides: &Sides) -> Vec<(&String, usize, usize)> {
    let names: BTreeSet<&String> = sides.base.by_code.keys().chain(sides.new.by_code.keys()).collect();
    let of = |side: &Summary, code: &String| side.by_code.get(code).copied().unwrap_or(0);
    names.into_iter().map(|code| (code, of(&sides.base, code), of(&sides.new, code))).collect()
}

pub fn markdown(sides: &Sides, rates: &[Rate], checks: &[Check]) -> String {
    let mut text = format!("### {}: {}\n\n| check | | |\n|---|---|---|\n", escaped(&sides.title()), headline(checks));
    for check in checks {
        let _ = writeln!(text, "| {} | {} | {} |", escaped(&check.name), sign(check.outcome), escaped(&check.text));
    }
    text.push_str("\n| finding | base | new |\n|---|---:|---:|\n");
    for (code, base, new) in codes(sides) {
        let _ = writeln!(text, "| {code} | {base} | {new} |");
    }
    let floor = rates.iter().filter_map(|rate| Some(format!("{} {:.3}", rate.name, rate.noise_floor?)));
    let _ = writeln!(text, "\nNoise floor: {}.", floor.collect::<Vec<_>>().join(", "));
    text
}

/// Names of files may hold anything.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ['\\'].into_iter().filter(move |_| "|<>`*_[]".contains(c)).chain([c])).collect()
}

pub fn document(sides: &Sides, rates: &[Rate], checks: &[Check]) -> Value {
    json!({
        "base": document::summary(&sides.base),
        "new": document::summary(&sides.new),
        "rates": rates,
        "gate": GateVerdict::of_checks(checks.to_vec()),
    })
}
