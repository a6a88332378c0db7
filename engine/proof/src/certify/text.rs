//! A certificate as text, for people and for review.

use std::fmt::Write as _;

use super::certificate::{Certificate, OutcomeProof};
use super::minimality::Minimality;

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
