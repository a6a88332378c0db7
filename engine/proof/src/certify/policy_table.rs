//! The table of an environment's rules: what each is bound to, and the slips that violate it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::certificate::RuleRow;
use probity_behaviour::suite::Suite;
use probity_engine::{Diagnostic, PolicyEntry, Problem};

pub type Violations<'a> = BTreeMap<&'a str, &'a [RuleRow]>;

/// One line of the table: a rule with one thing that it is bound to, or with the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleLine {
    pub environment: String,
    /// The rule's name; its words when it has none.
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
    /// Of how many tasks a slip violates it.
    pub violated_in: usize,
    /// Of how many tasks slips were tried.
    pub tasks: usize,
    /// One of these slips, behind its task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slip: Option<String>,
}

pub fn table(suite: &Suite, violations: &Violations) -> Vec<RuleLine> {
    let mut lines = Vec::new();
    for (id, environment) in &suite.environments {
        let tried = tried(suite, id, violations);
        for entry in &environment.file().policy {
            lines.extend(lines_of(id, entry, &tried));
        }
    }
    lines
}

fn tried<'a>(suite: &Suite, environment: &str, violations: &Violations<'a>) -> Violations<'a> {
    let is_of = |id: &&str| suite.tasks.get(*id).is_some_and(|loaded| loaded.task.environment().id() == environment);
    violations.iter().filter(|(id, _)| is_of(id)).map(|(id, rows)| (*id, *rows)).collect()
}

fn lines_of(environment: &str, entry: &PolicyEntry, tried: &Violations) -> Vec<RuleLine> {
    let line = |rule: &str, bound_to: Option<String>, unscored: Option<String>| RuleLine {
        environment: environment.to_owned(),
        rule: rule.to_owned(),
        bound_to,
        unscored,
        violated_in: 0,
        tasks: tried.len(),
        slip: None,
    };
    let Some(rule) = entry.rule() else { return vec![line(entry.text(), None, None)] };
    if rule.bound_to.is_empty() {
        return vec![line(&rule.id, None, rule.unscored.clone())];
    }
    let bound = rule.bound_to.iter().map(|binding| {
        let check = binding.to_string();
        let slips = slips(&rule.id, &check, tried);
        let slip = slips.first().cloned();
        RuleLine { violated_in: slips.len(), slip, ..line(&rule.id, Some(check), None) }
    });
    bound.collect()
}

/// A slip of each task in which what a rule is bound to is violated.
fn slips(rule: &str, check: &str, tried: &Violations) -> Vec<String> {
    let of_task = |(task, rows): (&&str, &&[RuleRow])| {
        let row = rows.iter().find(|row| row.rule == rule && row.check == check)?;
        Some(format!("{}: {}", task.rsplit('/').next().unwrap_or_default(), row.slip))
    };
    tried.iter().filter_map(of_task).collect()
}

pub fn text(lines: &[RuleLine]) -> String {
    let mut out = String::new();
    let (mut environment, mut rule) = ("", "");
    for line in lines {
        if line.environment != environment {
            let _ = writeln!(out, "policy of {}", line.environment);
            (environment, rule) = (&line.environment, "");
        }
        if line.rule != rule {
            let _ = writeln!(out, "  {}", line.rule);
            rule = &line.rule;
        }
        let _ = match (&line.bound_to, &line.unscored) {
            (Some(check), _) => writeln!(out, "    {}/{}  {check}", line.violated_in, line.tasks),
            (None, Some(why)) => writeln!(out, "    unscored: {why}"),
            (None, None) => writeln!(out, "    UNBOUND"),
        };
    }
    out
}

/// What rules are bound to and no slip in any task violates, once slips were tried in all tasks of an environment.
pub fn never_violated(suite: &Suite, violations: &Violations) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, environment) in &suite.environments {
        let all = suite.tasks_of(id).count();
        let tried = tried(suite, id, violations);
        if all == 0 || tried.len() < all || !suite.is_whole(id) {
            continue;
        }
        let rules = environment.file().policy.iter().enumerate();
        let rules = rules.filter_map(|(at, entry)| Some((at, entry.rule()?)));
        let bindings = rules.flat_map(|(at, rule)| rule.bound_to.iter().enumerate().map(move |b| (at, rule, b)));
        let idle = bindings.filter(|(_, rule, (_, binding))| slips(&rule.id, &binding.to_string(), &tried).is_empty());
        let problems = idle.map(|(at, rule, (place, binding))| {
            let message = format!("no slip tried in any task violates `{}` through this: {binding}", rule.id);
            let help = "write a task in which a careless agent would break it, bind the rule to something else, or \
                        say why it is `unscored`";
            Problem::error(format!("/policy/{at}/bound_to/{place}"), "rule_never_violated", message).help(help)
        });
        found.extend(suite.files.get(id).map(|file| file.diagnose(problems)).unwrap_or_default());
    }
    found
}
