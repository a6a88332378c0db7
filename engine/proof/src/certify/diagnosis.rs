//! What the certificates of a suite come to: their faults, each at its place, and what no slip in any task of an
//! environment violates.

use std::collections::{BTreeMap, BTreeSet};

use super::certificate::{Certificate, CertificationFailure};
use super::rules::{self, Violations};
use super::{environment_wide, fault};
use probity_behaviour::suite::{LoadedTask, Suite};
use probity_engine::{Diagnostic, Problem};

/// The faults of certificates, and what only all tasks of an environment together show.
pub fn diagnostics(suite: &Suite, certificates: &[Certificate]) -> Vec<Diagnostic> {
    let mut found = of_tasks(suite, certificates);
    found.extend(idle_constraints(suite, certificates));
    found.extend(rules::never_violated(suite, &violations(certificates)));
    found.sort();
    found.dedup();
    found
}

/// The faults of certificates as diagnostics, each at its place in the task's file.
pub fn of_tasks(suite: &Suite, certificates: &[Certificate]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for certificate in certificates {
        let Some(loaded) = suite.tasks.get(&certificate.task) else { continue };
        found.extend(loaded.file.diagnose(certificate.problems.iter().map(|fault| {
            Problem::error(fault.pointer.clone(), code(&fault.code), fault.message.clone()).help(fault.help.clone())
        })));
    }
    found.sort();
    found.dedup();
    found
}

/// What the slips of certificates violate. Of an oracle that goes wrong nothing was tried.
pub fn violations(certificates: &[Certificate]) -> Violations<'_> {
    let is_tried = |certificate: &&Certificate| !certificate.problems.iter().any(CertificationFailure::is_of_oracle);
    let tried = certificates.iter().filter(is_tried);
    tried.map(|certificate| (certificate.task.as_str(), certificate.rules.as_slice())).collect()
}

/// The codes of faults; a certificate out of a cache holds them as text.
const CODES: [&str; 13] = [
    "oracle_fails",
    "oracle_does_not_solve",
    "empty_trace_solves",
    "call_not_needed",
    "order_matters",
    "order_not_needed",
    "shorter_solution",
    "minimality_not_proved",
    "never_violated",
    "mutant_survives",
    "edge_without_reason",
    "phrase_needs_nothing",
    "met_by_chance",
];

fn code(text: &str) -> &'static str {
    CODES.into_iter().find(|code| *code == text).unwrap_or("unknown_fault")
}

/// Constraints of an environment that no mutant of any of its tasks violates, once all its tasks are certified.
fn idle_constraints(suite: &Suite, certificates: &[Certificate]) -> Vec<Diagnostic> {
    let by_task: BTreeMap<&str, &Certificate> = certificates.iter().map(|c| (c.task.as_str(), c)).collect();
    let mut found = Vec::new();
    for id in suite.environments.keys() {
        let tasks: Vec<&LoadedTask> = suite.tasks_of(id).collect();
        let certified: Vec<&&Certificate> = tasks.iter().filter_map(|loaded| by_task.get(loaded.task.id())).collect();
        let is_all = certified.len() == tasks.len() && suite.is_whole(id);
        let Some(first) = tasks.first().filter(|_| is_all) else { continue };
        // An oracle that goes wrong is the one thing to mend: its slips were not tried.
        if certified.iter().any(|certificate| certificate.problems.iter().any(CertificationFailure::is_of_oracle)) {
            continue;
        }
        let (edges, exclusions) = environment_wide(&first.task);
        let of = |list: fn(&Certificate) -> &Vec<usize>| -> BTreeSet<usize> {
            certified.iter().flat_map(|certificate| list(certificate).iter().copied()).collect()
        };
        let (hit_edges, hit_exclusions) = (of(|c| &c.edges_violated), of(|c| &c.exclusions_violated));
        let made = of(|c| &c.forbidden_made);
        let forbidden = first.task.environment().file().forbidden.len();
        let idle_forbidden = (0..forbidden).filter(|at| !made.contains(at)).map(|at| format!("/forbidden/{at}"));
        let idle_edges =
            (0..edges).filter(|at| !hit_edges.contains(at)).map(|at| format!("/constraints/precedence/{at}"));
        let idle_exclusions =
            (0..exclusions).filter(|at| !hit_exclusions.contains(at)).map(|at| format!("/constraints/exclusions/{at}"));
        let refused = refusals(&certified);
        let problems = idle_edges.chain(idle_exclusions).chain(idle_forbidden).map(|at| {
            let message = "no slip tried in any task violates this constraint".to_owned();
            let help = "remove it, or write a task in which a careless agent would break it";
            match refused.get(&at) {
                Some(codes) => {
                    let message = format!("{message}: every second call was refused as {codes}");
                    let help = "a precondition does this constraint's work: remove the one or the other";
                    Problem::error(at, "constraint_never_violated", message).help(help)
                }
                None => Problem::error(at, "constraint_never_violated", message).help(help),
            }
        });
        let unreasoned: BTreeMap<&usize, &String> = certified.iter().flat_map(|c| &c.edges_unreasoned).collect();
        let unreasoned = unreasoned.into_iter().map(|(at, remark)| {
            let message = format!("only this edge speaks against the other order{remark}");
            Problem::error(format!("/constraints/precedence/{at}"), "edge_without_reason", message).help(fault::REASON)
        });
        let problems = problems.chain(unreasoned);
        found.extend(suite.files.get(id).map(|file| file.diagnose(problems)).unwrap_or_default());
    }
    found
}

/// By the place of an exclusion: the codes by which the second call of a pair was refused, the commonest first.
fn refusals(certified: &[&&Certificate]) -> BTreeMap<String, String> {
    let mut all: BTreeMap<usize, BTreeMap<&String, usize>> = BTreeMap::new();
    for (index, codes) in certified.iter().flat_map(|certificate| &certificate.exclusions_refused) {
        let known = all.entry(*index).or_default();
        codes.iter().for_each(|(code, times)| *known.entry(code).or_default() += times);
    }
    let text = |codes: BTreeMap<&String, usize>| {
        let mut codes: Vec<(&String, usize)> = codes.into_iter().collect();
        codes.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        codes.iter().map(|(code, times)| format!("`{code}` ({times})")).collect::<Vec<_>>().join(", ")
    };
    all.into_iter().map(|(index, codes)| (format!("/constraints/exclusions/{index}"), text(codes))).collect()
}
