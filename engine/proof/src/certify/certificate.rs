//! The certificate of a task: what was proved of each accepted outcome, as plain data and as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::minimality::{Minimality, Omissions};
use super::order::Orders;
use probity_behaviour::model::variant::Variant;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    pub task: String,
    /// One part for each accepted outcome and each way in which users accept it.
    pub parts: Vec<OutcomeProof>,
    /// What keeps the task from being certified; a certificate is clean when this is empty.
    pub problems: Vec<CertificationFailure>,
    /// Environment-wide edges, by position, that some mutant violates.
    pub edges_violated: Vec<usize>,
    /// Environment-wide edges, by position, that reject an order against which nothing else speaks, each with what
    /// is wrong with the words that it names in `told`.
    pub edges_unreasoned: BTreeMap<usize, String>,
    /// Environment-wide exclusions, by position, that some mutant violates.
    pub exclusions_violated: Vec<usize>,
    /// Of environment-wide exclusions, by position, that nothing violates: how often the second call of a pair was
    /// refused, by code.
    pub exclusions_refused: BTreeMap<usize, BTreeMap<String, usize>>,
    /// Calls that the environment forbids, by position, that some mutant makes.
    pub forbidden_made: Vec<usize>,
    /// What the rules of the policy are bound to, as far as some slip violates it.
    pub rules: Vec<RuleRow>,
}

/// Something that a rule of the policy is bound to, with a slip that violates it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleRow {
    pub rule: String,
    pub check: String,
    pub slip: String,
}

/// Something that keeps a task from being certified, at its place in the task file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificationFailure {
    /// JSON Pointer into the task file.
    pub pointer: String,
    pub code: String,
    pub message: String,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeProof {
    pub outcome: String,
    pub variants: Vec<Variant>,
    /// The oracle's calls, with their values filled in.
    pub calls: Vec<String>,
    /// What each group of `must_say` needs, in order.
    pub needs: Vec<NeedRow>,
    pub omissions: Omissions,
    pub orders: Orders,
    pub minimality: Minimality,
    pub checks: Vec<CheckRow>,
    pub mutants: Vec<TallyRow>,
    pub survivors: Vec<SurvivorRow>,
}

/// What a group of `must_say` needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeedRow {
    pub phrase: String,
    /// `told`, `seen`, `derived`, `words` or `unknown`.
    pub known: String,
    /// The oracle's calls, from 1, whose observations tell it.
    pub calls: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckRow {
    pub check: String,
    pub killed_by: Option<String>,
    pub is_alone: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TallyRow {
    pub family: String,
    pub made: usize,
    pub killed: usize,
    /// Mutants that solve the outcome and end in the oracle's state: other ways to the same end.
    pub same: usize,
    /// Mutants that solve the outcome and end in another state.
    pub survived: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurvivorRow {
    pub mutant: String,
    pub remedy: String,
}

impl CertificationFailure {
    /// Whether an oracle does not run or does not solve its outcome, so that nothing is proved by it.
    pub fn is_of_oracle(&self) -> bool {
        matches!(self.code.as_str(), "oracle_fails" | "oracle_does_not_solve")
    }
}

impl Certificate {
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}

pub fn text(certificate: &Certificate) -> String {
    let mut out = String::new();
    let verdict = if certificate.is_clean() { "certified" } else { "not certified" };
    let _ = writeln!(out, "{}: {verdict}", certificate.task);
    for part in &certificate.parts {
        write_part(&mut out, part);
    }
    if !certificate.rules.is_empty() {
        let _ = writeln!(out, "\n  rules of the policy, and a slip that violates each");
        for row in &certificate.rules {
            let _ = writeln!(out, "    {}: {}\n        {}", row.rule, row.check, row.slip);
        }
    }
    if !certificate.problems.is_empty() {
        let _ = writeln!(out, "\n  problems");
        for fault in &certificate.problems {
            let _ = writeln!(out, "    {} {}: {}", fault.pointer, fault.code, fault.message);
        }
    }
    out
}

fn write_part(out: &mut String, part: &OutcomeProof) {
    let variants: Vec<String> = part.variants.iter().map(ToString::to_string).collect();
    let _ = writeln!(out, "\n  {} ({})", part.outcome, variants.join(", "));
    for (at, call) in part.calls.iter().enumerate() {
        let _ = writeln!(out, "    {}. {call}", at + 1);
    }
    for need in &part.needs {
        let calls: Vec<String> = need.calls.iter().map(ToString::to_string).collect();
        let known = match need.known.as_str() {
            "told" => "the user or the brief tells it".to_owned(),
            "seen" => format!("shown by call {}", calls.join(", ")),
            "derived" => "follows from what was shown".to_owned(),
            "words" => "in the agent's own words".to_owned(),
            _ => "nothing tells it".to_owned(),
        };
        let _ = writeln!(out, "    says \"{}\": {known}", need.phrase);
    }
    write_proofs(out, part);
    let _ = writeln!(out, "    checks, and a slip that each catches (* alone)");
    for row in &part.checks {
        let mark = if row.is_alone { "*" } else { " " };
        let killed = row.killed_by.as_deref().unwrap_or("NO SLIP TRIED VIOLATES IT");
        let _ = writeln!(out, "     {mark} {}\n         {killed}", row.check);
    }
    let _ = writeln!(out, "    mutants              made  caught  same end  not caught");
    for row in &part.mutants {
        let _ = writeln!(
            out,
            "      {:<19}{:>4}{:>8}{:>10}{:>12}",
            row.family, row.made, row.killed, row.same, row.survived
        );
    }
    for row in &part.survivors {
        let _ = writeln!(out, "      not caught: {}\n        {}", row.mutant, row.remedy);
    }
}

fn write_proofs(out: &mut String, part: &OutcomeProof) {
    let omissions = &part.omissions;
    let how = if omissions.is_exhaustive { "all" } else { "single, double and sampled" };
    let result = match omissions.solving.first() {
        None => "none solves it".to_owned(),
        Some(calls) => {
            let calls: Vec<String> = calls.iter().map(|call| (call + 1).to_string()).collect();
            format!("SOLVED BY {}", if calls.is_empty() { "NOTHING".to_owned() } else { calls.join(", ") })
        }
    };
    let _ = writeln!(out, "    omissions: {} ({how}), {result}", omissions.tried);
    let orders = &part.orders;
    let count = match orders.is_exhaustive {
        true => orders.permitted.to_string(),
        false => format!("at least {}, not all tried", orders.permitted),
    };
    let result = match (&orders.failing, orders.is_exhaustive) {
        (Some(_), _) => "NOT EACH SOLVES IT",
        (None, true) => "each solves it",
        (None, false) => "each tried solves it",
    };
    let _ = writeln!(out, "    orders permitted: {count}, {result}");
    let minimality = match &part.minimality {
        Minimality::Proved { nodes, within } if within.is_empty() => format!("proved, {nodes} positions"),
        Minimality::Proved { nodes, within } => {
            let each = within.iter().flat_map(|(tool, tried)| {
                tried.iter().map(move |(name, count)| format!("{count} values of `{name}` of {tool}"))
            });
            format!("proved within {}, {nodes} positions", each.collect::<Vec<_>>().join(" and "))
        }
        Minimality::Refuted { calls } => format!("REFUTED by {} calls", calls.len()),
        Minimality::Undecided { depth, nodes, calls, cut } if cut.is_empty() => {
            format!("undecided at depth {depth} after {nodes} positions and {calls} calls")
        }
        Minimality::Undecided { nodes, cut, .. } => {
            let cut: Vec<&str> = cut.iter().map(String::as_str).collect();
            format!("undecided after {nodes} positions: not all calls of {} can be tried", cut.join(", "))
        }
    };
    let _ = writeln!(out, "    minimal: {minimality}");
}
