//! Which rules of the policy the slips in a task violate, each through what the rule is bound to, and the table of an
//! environment's rules.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::alphabet::Alphabet;
use super::candidate::{Candidate, Item};
use super::certificate::RuleRow;
use super::goal::Goal;
use super::kill::{Kills, MAX_TRIES, told};
use super::mutant::with_slips_in_parts;
use super::offence::{Offences, offences, too_early};
use super::slip::on_other_days;
use super::{environment_wide, own_forbidden};
use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_behaviour::task::oracle::OracleRun;
use probity_engine::{
    Actor, Binding, CallPattern, Check, Diagnostic, Offence, PolicyEntry, Problem, Refusal, RejectionKind, Rule,
    ToolCall,
};

/// Adds the bindings that slips in a goal's traces violate, beside those that are known.
pub fn note(goal: &Goal, run: &OracleRun, kills: &Kills, alphabet: &mut Alphabet, rows: &mut Vec<RuleRow>) {
    let rules: Vec<&Rule> = goal.task.environment().file().policy.iter().filter_map(PolicyEntry::rule).collect();
    if rules.is_empty() {
        return;
    }
    let starts = Candidate::walk(goal, run.calls.iter().map(|(call, _)| call));
    let bindings = rules.iter().flat_map(|rule| &rule.bound_to);
    let wanted: Vec<&Offence> = bindings.filter_map(|binding| binding.discipline.as_ref()).collect();
    let offences = offences(goal, alphabet, &run.last, &wanted);
    let mut search = RuleSearch { goal, run, kills, alphabet, starts, offences };
    for rule in rules {
        for binding in &rule.bound_to {
            let check = binding.to_string();
            if rows.iter().any(|row| row.rule == rule.id && row.check == check) {
                continue;
            }
            let slip = search.slip(binding);
            rows.extend(slip.map(|slip| RuleRow { rule: rule.id.clone(), check, slip }));
        }
    }
}

struct RuleSearch<'a, 'b> {
    goal: &'a Goal<'a>,
    run: &'a OracleRun,
    kills: &'a Kills,
    alphabet: &'a mut Alphabet<'b>,
    /// The positions after each start of the oracle trace.
    starts: Vec<Candidate>,
    offences: Offences,
}

impl RuleSearch<'_, '_> {
    fn slip(&mut self, binding: &Binding) -> Option<String> {
        let name = self.goal.task.id().rsplit('/').next().unwrap_or_default();
        if !binding.tasks.is_empty() && !binding.tasks.iter().any(|task| task == name) {
            return None;
        }
        let is_own = !binding.tasks.is_empty();
        match binding.check()? {
            Check::Precondition(refusal) => self.refused(refusal),
            Check::Constraint(id) => self.killed(constraint(self.goal.task, id, is_own)?),
            Check::Forbidden(pattern) => self.killed(forbidden(self.goal, pattern, is_own)?),
            Check::Hold(pattern) => self.held(pattern),
            Check::MustSay(answer) => {
                let groups = &self.goal.task.file().outcomes.get(self.goal.index)?.must_say;
                self.killed(Item::MustSay(groups.iter().position(|group| group.iter().any(|text| text == answer))?))
            }
            Check::Discipline(offence) => self.offences.slip(offence).cloned(),
        }
    }

    fn killed(&self, item: Item) -> Option<String> {
        self.kills.by.get(&item).map(|kill| kill.mutant.clone())
    }

    /// A held call that was made, whenever the user settles it.
    fn held(&self, pattern: &CallPattern) -> Option<String> {
        let at = self.goal.held.iter().position(|held| held.source == *pattern);
        let never_settled = at.and_then(|at| self.killed(Item::Held(at)));
        never_settled.or_else(|| too_early(self.goal, self.run, pattern))
    }

    /// A call somewhere beside the oracle's that the environment refuses by this code.
    fn refused(&mut self, refusal: &Refusal) -> Option<String> {
        let environment = self.goal.task.environment();
        let own = self.run.calls.iter().map(|(call, _)| call).filter(|call| call.tool == refusal.tool);
        let mut shifted: Vec<ToolCall> = own.flat_map(on_other_days).collect();
        shifted.extend(with_slips_in_parts(self.goal, self.alphabet, &self.run.tool_calls(), &refusal.tool));
        for (place, start) in self.starts.iter().enumerate().rev() {
            let letters = self.alphabet.letters(start.state());
            let calls: Vec<&ToolCall> =
                letters.iter().filter(|letters| letters.tool == refusal.tool).flat_map(|l| &l.calls).collect();
            let is_refused = |call: &&ToolCall| {
                let rejection = environment.step(start.state(), call, Actor::Agent).result.err();
                let is_business = |kind| matches!(kind, RejectionKind::PreconditionFailed | RejectionKind::ToolFailed);
                rejection.is_some_and(|rejection| is_business(rejection.kind) && rejection.code == refusal.code)
            };
            // Where there are more than can be tried, those tried are spread over all.
            let stride = calls.len() / MAX_TRIES + 1;
            if let Some(call) = calls.into_iter().step_by(stride).chain(&shifted).find(is_refused) {
                return Some(told(place, self.run.calls.len(), std::slice::from_ref(call)));
            }
        }
        None
    }
}

/// The edge or exclusion of this name, among the task's own or the environment's.
fn constraint(task: &Task, id: &str, is_own: bool) -> Option<Item> {
    let (constraints, (edges, exclusions)) = match is_own {
        true => (&task.file().constraints, environment_wide(task)),
        false => (&task.environment().file().constraints, (0, 0)),
    };
    let is_named = |name: &Option<String>| name.as_deref() == Some(id);
    let edge = constraints.precedence.iter().position(|edge| is_named(&edge.id));
    let exclusion = constraints.exclusions.iter().position(|set| is_named(&set.id));
    edge.map(|at| Item::Edge(edges + at)).or_else(|| exclusion.map(|at| Item::Exclusion(exclusions + at)))
}

/// The forbidden call of this pattern, among the outcome's own or the environment's.
fn forbidden(goal: &Goal, pattern: &CallPattern, is_own: bool) -> Option<Item> {
    let own = own_forbidden(goal);
    let mut all = goal.outcome.forbidden.iter().enumerate();
    all.find(|(at, known)| known.source == *pattern && is_own == (*at < own)).map(|(at, _)| Item::Forbidden(at))
}

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::rules_violated;
    use super::super::shop::Shop;
    use super::*;
    use crate::store::NoStore;

    /// Of a policy bound to what can and what cannot be violated, the table counts the one and reports the other.
    #[test]
    fn the_table_counts_what_slips_violate() {
        let mut shop = Shop::new();
        shop.environment["forbidden"] = json!(["set_quantity where args.quantity > 3"]);
        shop.environment["policy"] = json!([
            "Words alone.",
            {"id": "few", "rule": "Few.", "bound_to": [{"forbidden": "set_quantity where args.quantity > 3"},
                {"precondition": {"tool": "set_quantity", "code": "not_enough_stock"}}]},
            {"id": "known", "rule": "Known.", "bound_to": [{"precondition": {"tool": "get_item", "code": "item_not_found"}}]},
            {"id": "yes", "rule": "Yes.", "bound_to": [{"discipline": {"finding": "no_consent", "tool": "cancel_order"}}]},
            {"id": "say", "rule": "Say.", "bound_to": [{"must_say": "three", "tasks": ["more_teapots"]},
                {"must_say": "three", "tasks": ["other"]}]},
            {"id": "kind", "rule": "Kind.", "unscored": "manners"}
        ]);
        let suite = shop.suite();
        let rows: Vec<_> =
            suite.tasks.iter().map(|(id, loaded)| (id.as_str(), rules_violated(&loaded.task, &NoStore))).collect();
        let violations: Violations = rows.iter().map(|(id, rows)| (*id, rows.as_slice())).collect();
        let expected = "\
policy of shop/counter
  Words alone.
    UNBOUND
  few
    1/1  forbids set_quantity where args.quantity > 3
    1/1  set_quantity refuses not_enough_stock
  known
    0/1  get_item refuses item_not_found
  yes
    1/1  no_consent by cancel_order
  say
    1/1  says \"three\" in more_teapots
    0/1  says \"three\" in other
  kind
    unscored: manners
";
        assert_eq!(text(&table(&suite, &violations)), expected);
        assert_eq!(never_violated(&suite, &violations).len(), 2);
        assert_eq!(never_violated(&suite, &Violations::new()).len(), 0);
    }
}
