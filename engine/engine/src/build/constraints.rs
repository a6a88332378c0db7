//! Static checks of constraints: tools and arguments exist, predicates compile.

use std::collections::BTreeSet;

use crate::environment::Environment;
use crate::model::constraints::Constraints;
use crate::model::diagnostic::Problem;
use crate::model::field_path;
use crate::model::ids::is_identifier;
use crate::model::pattern::CallPattern;
use crate::model::suggest;

pub(super) fn check(environment: &Environment, constraints: &Constraints, prefix: &str) -> Vec<Problem> {
    let mut problems = check_ids(constraints, prefix);
    for (i, edge) in constraints.precedence.iter().enumerate() {
        let at = |below: &str| format!("{prefix}/precedence/{i}{below}");
        problems.extend(check_pattern(environment, &edge.before, &at("/before")));
        problems.extend(check_pattern(environment, &edge.after, &at("/after")));
        for (before, after) in &edge.bind {
            problems.extend(check_argument(environment, &edge.before.tool, before, &at("/bind")));
            problems.extend(check_argument(environment, &edge.after.tool, after, &at("/bind")));
        }
        if let Some(seen) = &edge.seen {
            problems.extend(check_argument(environment, &edge.after.tool, seen, &at("/seen")));
        }
    }
    for (i, exclusion) in constraints.exclusions.iter().enumerate() {
        for (j, member) in exclusion.calls.iter().enumerate() {
            problems.extend(check_pattern(environment, member, &format!("{prefix}/exclusions/{i}/calls/{j}")));
            for (k, argument) in exclusion.bind.iter().enumerate() {
                let at = format!("{prefix}/exclusions/{i}/bind/{k}");
                problems.extend(check_argument(environment, &member.tool, argument, &at));
            }
        }
    }
    problems
}

fn check_ids(constraints: &Constraints, prefix: &str) -> Vec<Problem> {
    let edges = constraints.precedence.iter().enumerate().map(|(i, edge)| ("precedence", i, &edge.id));
    let exclusions = constraints.exclusions.iter().enumerate().map(|(i, set)| ("exclusions", i, &set.id));
    let mut known = BTreeSet::new();
    let mut problems = Vec::new();
    for (list, i, id) in edges.chain(exclusions) {
        let Some(id) = id else { continue };
        let at = format!("{prefix}/{list}/{i}/id");
        if !is_identifier(id) {
            let message = format!("`{id}` is not a lower-case identifier");
            problems.push(Problem::error(at, "bad_id", message).help("for example `look_first`"));
        } else if !known.insert(id) {
            let message = format!("there are two constraints `{id}`");
            problems.push(Problem::error(at, "duplicate_id", message).help("rename one"));
        }
    }
    problems
}

fn check_pattern(environment: &Environment, pattern: &CallPattern, at: &str) -> Option<Problem> {
    environment.pattern(pattern).err().map(|problem| problem.below(at))
}

fn check_argument(environment: &Environment, tool: &str, argument: &str, at: &str) -> Option<Problem> {
    let parameters = &environment.tool(tool)?.parameters;
    let known = field_path::known(parameters);
    if known.iter().any(|(path, _)| path == argument) {
        return None;
    }
    let is_offered = |path: &str| !field_path::leads_within(path) || field_path::leads_within(argument);
    let paths = known.iter().map(|(path, _)| path.as_str()).filter(|path| is_offered(path));
    let help = suggest::help(argument, paths);
    Some(Problem::error(at, "unknown_parameter", format!("`{tool}` has no parameter `{argument}`")).help(help))
}
