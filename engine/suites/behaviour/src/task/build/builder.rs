//! The checks of a task file, in their order.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::model::task_file::TaskFile;
use crate::model::variant::Variant;
use crate::task::reference::{not_bound, unbound};
use crate::task::{Task, reference};
use probity_engine::ids::split_task_id;
use probity_engine::{
    CallPattern, ConstraintGraph, Environment, Hash, MAX_SAFE_INTEGER, Pattern, Place, Problem, Severity, State,
};

pub const FORMAT: u32 = 1;

/// The code of a problem that `probity check --update` can settle: the pinned hash is another.
pub const STATE_DRIFT: &str = "state_drift";

impl Task {
    /// Checks a file against its environment.
    ///
    /// The task is there when it can be played: no problem is an error, but for a drifted hash.
    pub fn build(mut file: TaskFile, environment: Arc<Environment>) -> (Option<Task>, Vec<Problem>) {
        let mut problems = Vec::new();
        check_head(&file, &environment, &mut problems);
        let Some(initial) = initial_state(&file, &environment, &mut problems) else { return (None, problems) };
        let (bindings, found) = reference::resolve(&file.bindings, &initial);
        problems.extend(found);
        fill_all(&mut file, &bindings, &mut problems);
        let found = environment.check_constraints(&file.constraints, "/constraints");
        let constraints_hold = found.is_empty();
        problems.extend(found);
        let mut checker =
            TaskChecker { file: &file, environment: &environment, initial: &initial, bindings: &bindings, problems };
        let (outcomes, variants) = (checker.outcomes(), checker.variants());
        let mut problems = checker.problems;
        // A binding that finds nothing has been reported where it stands.
        let declared: Vec<String> = file.bindings.keys().map(|name| not_bound(name)).collect();
        problems.retain(|problem| problem.code != "unbound" || !declared.contains(&problem.message));
        if !constraints_hold {
            return (None, problems);
        }
        let (graph, patterns) = match build_graph(&file, &environment) {
            Ok((graph, patterns, warnings)) => {
                problems.extend(warnings);
                (graph, patterns)
            }
            Err(found) => {
                problems.extend(found);
                return (None, problems);
            }
        };
        if problems.iter().any(|p| p.severity == Severity::Error && p.code != STATE_DRIFT) {
            return (None, problems);
        }
        let graph = Arc::new(graph);
        let task = Task {
            file,
            environment,
            initial,
            bindings,
            outcomes,
            graph,
            patterns,
            variants,
            voices: OnceLock::new(),
            tool_words: OnceLock::new(),
            written: OnceLock::new(),
            warnings: OnceLock::new(),
            served: OnceLock::new(),
            hash: OnceLock::new(),
            brief: OnceLock::new(),
        };
        (Some(task), problems)
    }

    /// The hash of the initial state that a file asks for, if there is one, whatever else is wrong with the file.
    pub fn initial_hash(file: &TaskFile, environment: &Environment) -> Option<Hash> {
        initial_state(file, environment, &mut Vec::new()).map(|state| state.hash())
    }
}

pub(super) fn check_head(file: &TaskFile, environment: &Environment, problems: &mut Vec<Problem>) {
    if file.format != FORMAT {
        let message = format!("format {} is not known", file.format);
        problems.push(Problem::error("/format", "unknown_version", message).help(format!("write {FORMAT}")));
    }
    if split_task_id(&file.id).is_none_or(|(parent, _)| parent != file.environment) {
        let message = format!("`{}` is not the environment's id, `/` and a lower-case identifier", file.id);
        let help = format!("for example `{}/my_task`", environment.id());
        problems.push(Problem::error("/id", "bad_id", message).help(help));
    }
    let others = Variant::ALL.iter().filter(|variant| **variant != Variant::Ideal);
    let missing = others.filter(|variant| !file.variants.contains_key(variant));
    let missing: Vec<String> = missing.map(|variant| format!("`{variant}`")).collect();
    if !missing.is_empty() {
        let (noun, are) = if missing.len() == 1 { ("variant", "is") } else { ("variants", "are") };
        let message = format!("the {noun} {} {are} missing", missing.join(", "));
        let help = "write what such a user says; the task is not played under a behaviour that is missing";
        let problem = Problem::warning("", "missing_variant", message).help(help);
        problems.push(Problem { place: Place::Key("/variants".to_owned()), ..problem });
    }
    if !file.variants.contains_key(&Variant::Ideal) {
        let message = "without `ideal` there is nothing to compare the other variants with";
        problems.push(Problem::error("/variants", "missing_ideal", message).help("write the ideal user's turns first"));
    }
}

pub(super) fn initial_state(file: &TaskFile, environment: &Environment, problems: &mut Vec<Problem>) -> Option<State> {
    let wanted = &file.initial_state;
    if wanted.seed > MAX_SAFE_INTEGER.unsigned_abs() {
        let message = "a seed is at most 2^53 - 1";
        problems.push(Problem::error("/initial_state/seed", "bad_seed", message).help("choose a smaller number"));
        return None;
    }
    let populated = environment.populate(wanted.size, wanted.seed).map_err(|what| {
        let message = format!("the initial state cannot be made: {what}");
        problems.push(
            Problem::error("/initial_state", "populate_failed", message).help("mend the script's populate function"),
        );
    });
    let patched = environment.patch(&populated.ok()?, &wanted.patch).map_err(|found| {
        problems.extend(found.into_iter().map(|problem| problem.below("/initial_state/patch")));
    });
    let state = patched.ok()?;
    let hash = state.hash().to_string();
    if hash != wanted.hash {
        let (message, help) = match wanted.hash.is_empty() {
            true => ("the hash of the initial state is missing", "`probity check --update` writes it".to_owned()),
            false => (
                "the initial state is not the one this task was written for",
                format!("look at what changed; if it is right, `probity check --update` writes {hash}"),
            ),
        };
        problems.push(Problem::error("/initial_state/hash", STATE_DRIFT, message).help(help));
    }
    Some(state)
}

pub(super) type Graph = (ConstraintGraph, Vec<Pattern>, Vec<Problem>);

pub(super) fn build_graph(file: &TaskFile, environment: &Environment) -> Result<Graph, Vec<Problem>> {
    let (shared, _) = ConstraintGraph::build(&[("/constraints", &environment.file().constraints)]);
    let (graph, problems) = shared.extend("/constraints", &file.constraints);
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return Err(problems);
    }
    let patterns = graph.patterns().iter().map(|pattern| environment.pattern(pattern)).collect::<Result<Vec<_>, _>>();
    match patterns {
        Ok(patterns) => Ok((graph, patterns, problems)),
        Err(problem) => Err(vec![problem.below("/constraints")]),
    }
}

/// Puts keys for the bindings in all call patterns of a task.
fn fill_all(file: &mut TaskFile, bindings: &BTreeMap<String, String>, problems: &mut Vec<Problem>) {
    let mut fill = |pattern: &mut CallPattern, at: String| {
        let Some(predicate) = pattern.predicate.as_mut().filter(|predicate| predicate.contains('$')) else { return };
        let (filled, unknown) = fill(predicate, bindings);
        problems.extend(unknown.iter().map(|name| unbound(&at, name, bindings)));
        *predicate = filled;
    };
    for (i, edge) in file.constraints.precedence.iter_mut().enumerate() {
        fill(&mut edge.before, format!("/constraints/precedence/{i}/before"));
        fill(&mut edge.after, format!("/constraints/precedence/{i}/after"));
    }
    for (i, exclusion) in file.constraints.exclusions.iter_mut().enumerate() {
        for (j, call) in exclusion.calls.iter_mut().enumerate() {
            fill(call, format!("/constraints/exclusions/{i}/calls/{j}"));
        }
    }
    for (i, outcome) in file.outcomes.iter_mut().enumerate() {
        for (j, call) in outcome.forbidden.iter_mut().enumerate() {
            fill(call, format!("/outcomes/{i}/forbidden/{j}"));
        }
    }
    for (name, variant) in &mut file.variants {
        for (turn, calls) in &mut variant.consents {
            for (j, call) in calls.iter_mut().enumerate() {
                fill(call, format!("/variants/{name}/consents/{turn}/{j}"));
            }
        }
        for (i, contradiction) in variant.contradicts.iter_mut().enumerate() {
            for (j, call) in contradiction.holds.iter_mut().enumerate() {
                fill(call, format!("/variants/{name}/contradicts/{i}/holds/{j}"));
            }
        }
    }
}

/// A predicate with keys as texts in the place of bindings, and the names that are bound to nothing. What stands in a
/// text of the predicate is left.
fn fill(predicate: &str, bindings: &BTreeMap<String, String>) -> (String, Vec<String>) {
    let (mut filled, mut unknown) = (String::new(), Vec::new());
    let (mut quote, mut rest) = (None, predicate);
    while let Some(next) = rest.chars().next() {
        let name = rest.strip_prefix('$').filter(|_| quote.is_none()).map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            rest.split_at_checked(end).map_or("", |(name, _)| name)
        });
        let taken = match name {
            Some(name) if !name.is_empty() => {
                let name = format!("${name}");
                match bindings.get(&name) {
                    Some(key) => filled.push_str(&serde_json::Value::from(key.as_str()).to_string()),
                    None => unknown.push(name.clone()),
                }
                name.len()
            }
            Some(_) | None => {
                let escaped = if next == '\\' && quote.is_some() { rest.chars().nth(1) } else { None };
                quote = match (quote, next) {
                    (None, '"' | '`' | '\'') => Some(next),
                    (Some(open), _) if open == next => None,
                    (quote, _) => quote,
                };
                let taken = next.len_utf8() + escaped.map_or(0, char::len_utf8);
                filled.push_str(rest.get(..taken).unwrap_or_default());
                taken
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    if unknown.is_empty() { (filled, unknown) } else { ("true".to_owned(), unknown) }
}

/// Checks the parts of a task, and notes what is wrong with them.
pub(super) struct TaskChecker<'a> {
    pub(super) file: &'a TaskFile,
    pub(super) environment: &'a Environment,
    pub(super) initial: &'a State,
    pub(super) bindings: &'a BTreeMap<String, String>,
    pub(super) problems: Vec<Problem>,
}

impl TaskChecker<'_> {
    pub(super) fn error(
        &mut self,
        at: impl Into<String>,
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::error(at, code, message).help(help));
    }

    pub(super) fn pattern(&mut self, source: &CallPattern, at: String) -> Option<Pattern> {
        self.environment.pattern(source).map_err(|problem| self.problems.push(problem.below(&at))).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_for_bindings_but_not_in_texts() {
        let bindings = BTreeMap::from([("$june".to_owned(), "B\"61".to_owned())]);
        for (predicate, filled) in [
            ("args.id == $june", "args.id == \"B\\\"61\""),
            ("$june in [$june]", "\"B\\\"61\" in [\"B\\\"61\"]"),
            ("args.id == \"$june\" && `$june` != '$'", "args.id == \"$june\" && `$june` != '$'"),
            (r#"args.id != "a\"$june" || $june == 1"#, r#"args.id != "a\"$june" || "B\"61" == 1"#),
        ] {
            assert_eq!(fill(predicate, &bindings), (filled.to_owned(), Vec::new()), "{predicate}");
        }
        assert_eq!(fill("args.id == $jun", &bindings).1, ["$jun"]);
    }
}
