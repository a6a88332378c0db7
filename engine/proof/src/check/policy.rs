//! Every rule of a policy says what enforces or scores it, and that is there.

use std::collections::{BTreeMap, BTreeSet};

use probity_behaviour::suite::Suite;
use probity_behaviour::task::Task;
use probity_engine::{
    Binding, CallPattern, Check, Constraints, Diagnostic, Effect, Environment, Offence, OffenceKind, PolicyEntry,
    Problem, Refusal, Rule, ids::is_identifier, suggest,
};

/// The tasks of an environment by the last part of their ids; of one with errors nothing is known.
type Tasks<'a> = BTreeMap<&'a str, Option<&'a Task>>;

pub fn check(suite: &Suite) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, environment) in &suite.environments {
        let tasks = tasks_of(suite, id);
        let problems = problems(environment, &tasks);
        found.extend(suite.files.get(id).map(|file| file.diagnose(problems)).unwrap_or_default());
    }
    found
}

fn tasks_of<'a>(suite: &'a Suite, environment: &'a str) -> Tasks<'a> {
    let whole = suite.tasks_of(environment).map(|loaded| loaded.task.as_ref());
    let prefix = format!("tasks/{environment}/");
    let left_out = suite.left_out.iter().filter_map(|left| left.path.strip_prefix(&prefix)?.strip_suffix(".json"));
    let mut tasks: Tasks = left_out.map(|name| (name, None)).collect();
    tasks.extend(whole.map(|task| (task.id().rsplit('/').next().unwrap_or_default(), Some(task))));
    tasks
}

fn problems(environment: &Environment, tasks: &Tasks) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut ids = BTreeSet::new();
    for (i, entry) in environment.file().policy.iter().enumerate() {
        let at = format!("/policy/{i}");
        let PolicyEntry::Rule(rule) = entry else {
            problems.push(unbound(at, "nothing says what enforces or scores this rule"));
            continue;
        };
        problems.extend(check_head(rule, &at, &mut ids));
        for (j, binding) in rule.bound_to.iter().enumerate() {
            let place = PlacedBinding { environment, tasks, at: format!("{at}/bound_to/{j}"), binding };
            problems.extend(place.problems());
        }
    }
    problems
}

fn unbound(at: String, message: &str) -> Problem {
    let help = "give it `id`, `rule` and `bound_to`, or in the place of `bound_to` say in `unscored` why nothing does";
    Problem::error(at, "policy_unbound", message).help(help)
}

fn check_head<'a>(rule: &'a Rule, at: &str, ids: &mut BTreeSet<&'a str>) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !is_identifier(&rule.id) {
        let message = format!("`{}` is not a lower-case identifier", rule.id);
        problems.push(Problem::error(format!("{at}/id"), "bad_id", message).help("for example `ask_first`"));
    } else if !ids.insert(&rule.id) {
        let message = format!("there are two rules `{}`", rule.id);
        problems.push(Problem::error(format!("{at}/id"), "duplicate_id", message).help("rename one"));
    }
    match (rule.bound_to.is_empty(), rule.unscored.as_deref().map(str::trim)) {
        (true, None) => problems.push(unbound(at.to_owned(), "nothing says what enforces or scores this rule")),
        (_, Some("")) => problems.push(unbound(format!("{at}/unscored"), "nothing says why this rule is not scored")),
        (false, Some(_)) => {
            let message = "a rule that is bound to something is scored";
            let help = "leave out `unscored` or `bound_to`";
            problems.push(Problem::error(format!("{at}/unscored"), "bound_and_unscored", message).help(help));
        }
        (true, Some(_)) | (false, None) => {}
    }
    problems
}

struct PlacedBinding<'a> {
    environment: &'a Environment,
    tasks: &'a Tasks<'a>,
    at: String,
    binding: &'a Binding,
}

impl PlacedBinding<'_> {
    fn problems(&self) -> Vec<Problem> {
        let Some(check) = self.binding.check() else {
            return vec![self.bad(
                "",
                "this names nothing, or more than one thing",
                "give one of `precondition`, `constraint`, `forbidden`, `hold`, `must_say` and `discipline`",
            )];
        };
        let mut problems: Vec<Problem> = self.unknown_tasks().collect();
        problems.extend(match check {
            Check::Precondition(refusal) => self.no_tasks().or_else(|| self.refusal(refusal)),
            Check::Constraint(id) => self.constraint(id),
            Check::Forbidden(pattern) => self.forbidden(pattern),
            Check::Hold(pattern) => self.hold(pattern),
            Check::MustSay(answer) => self.must_say(answer),
            Check::Discipline(offence) => self.no_tasks().or_else(|| self.offence(offence)),
        });
        problems
    }

    fn bad(&self, below: &str, message: &str, help: &str) -> Problem {
        Problem::error(format!("{}{below}", self.at), "bad_binding", message).help(help)
    }

    fn unknown(&self, below: &str, message: String, help: String) -> Option<Problem> {
        Some(Problem::error(format!("{}{below}", self.at), "unknown_check", message).help(help))
    }

    fn unknown_tasks(&self) -> impl Iterator<Item = Problem> {
        let unknown = self.binding.tasks.iter().enumerate().filter(|(_, name)| !self.tasks.contains_key(name.as_str()));
        unknown.map(|(i, name)| {
            let help = suggest::help(name, self.tasks.keys().copied());
            let message = format!("this environment has no task `{name}`");
            Problem::error(format!("{}/tasks/{i}", self.at), "unknown_task", message).help(help)
        })
    }

    fn no_tasks(&self) -> Option<Problem> {
        let help = "leave out `tasks`: it holds in all of them";
        (!self.binding.tasks.is_empty()).then(|| self.bad("/tasks", "this holds in every task", help))
    }

    fn named(&self) -> impl Iterator<Item = (&str, &Task)> {
        self.binding.tasks.iter().filter_map(|name| Some((name.as_str(), (*self.tasks.get(name.as_str())?)?)))
    }

    /// What the first of the named tasks without something lacks; there must be such tasks.
    fn in_tasks(&self, below: &str, what: &str, known: impl Fn(&Task) -> Vec<String>) -> Option<Problem> {
        if self.binding.tasks.is_empty() {
            return Some(self.bad("", "this says nothing of the tasks in which it holds", "name them in `tasks`"));
        }
        let (name, known) = self
            .named()
            .map(|(name, task)| (name, known(task)))
            .find(|(_, known)| !known.iter().any(|text| text == what))?;
        let help = suggest::help(what, known.iter().map(String::as_str));
        self.unknown(below, format!("the task `{name}` has no `{what}` there"), help)
    }

    fn tool(&self, below: &str, name: &str) -> Option<Problem> {
        let tools = self.environment.tools().iter().map(|tool| tool.name.as_str());
        let help = suggest::help(name, tools);
        let message = format!("there is no tool `{name}`");
        let is_unknown = self.environment.tool(name).is_none();
        is_unknown.then(|| Problem::error(format!("{}{below}", self.at), "unknown_tool", message).help(help))
    }

    fn refusal(&self, refusal: &Refusal) -> Option<Problem> {
        if let Some(problem) = self.tool("/precondition/tool", &refusal.tool) {
            return Some(problem);
        }
        let tool = self.environment.file().tools.iter().find(|tool| tool.name == refusal.tool)?;
        let mut codes =
            tool.preconditions.iter().map(|p| p.code.as_str()).chain(tool.errors.iter().map(String::as_str));
        if codes.clone().any(|code| code == refusal.code) {
            return None;
        }
        let help = suggest::help(&refusal.code, &mut codes);
        self.unknown("/precondition/code", format!("`{}` never refuses `{}`", tool.name, refusal.code), help)
    }

    fn constraint(&self, id: &str) -> Option<Problem> {
        if !self.binding.tasks.is_empty() {
            return self.in_tasks("/constraint", id, |task| names(&task.file().constraints));
        }
        let known = names(&self.environment.file().constraints);
        let help = suggest::help(id, known.iter().map(String::as_str));
        let message = format!("no constraint of this environment has the id `{id}`");
        if known.iter().any(|name| name == id) { None } else { self.unknown("/constraint", message, help) }
    }

    fn forbidden(&self, pattern: &CallPattern) -> Option<Problem> {
        let texts = |patterns: &[CallPattern]| patterns.iter().map(ToString::to_string).collect::<Vec<_>>();
        let pattern = pattern.to_string();
        if !self.binding.tasks.is_empty() {
            let outcomes = |task: &Task| task.file().outcomes.iter().flat_map(|o| texts(&o.forbidden)).collect();
            return self.in_tasks("/forbidden", &pattern, outcomes);
        }
        let known = texts(&self.environment.file().forbidden);
        let help = suggest::help(&pattern, known.iter().map(String::as_str));
        let message = format!("this environment does not forbid `{pattern}`");
        if known.contains(&pattern) { None } else { self.unknown("/forbidden", message, help) }
    }

    fn hold(&self, pattern: &CallPattern) -> Option<Problem> {
        let held = |task: &Task| {
            let users = task.file().variants.values();
            users.flat_map(|user| &user.contradicts).flat_map(|c| &c.holds).map(ToString::to_string).collect()
        };
        self.in_tasks("/hold", &pattern.to_string(), held)
    }

    fn must_say(&self, answer: &str) -> Option<Problem> {
        let answers =
            |task: &Task| task.file().outcomes.iter().flat_map(|o| o.must_say.iter().flatten().cloned()).collect();
        self.in_tasks("/must_say", answer, answers)
    }

    fn offence(&self, offence: &Offence) -> Option<Problem> {
        let below = "/discipline/tool";
        let name = offence.tool.as_deref();
        if let Some(problem) = name.and_then(|name| self.tool(below, name)) {
            return Some(problem);
        }
        let tool = name.and_then(|name| self.environment.tool(name));
        let conduct = &self.environment.file().conduct;
        let (is_found, help) = match offence.finding {
            OffenceKind::NoConsent => (
                tool.is_some_and(|tool| tool.confirm || tool.irreversible),
                "name a tool with `confirm` or `irreversible`",
            ),
            OffenceKind::UninformedConsent => (
                conduct.warnings.iter().any(|warning| Some(warning.before.tool.as_str()) == name),
                "name a tool that `conduct.warnings` speaks of",
            ),
            OffenceKind::Overwritten => (
                conduct.overwrites.iter().any(|rule| Some(rule.tool.as_str()) == name),
                "name a tool that `conduct.overwrites` speaks of",
            ),
            OffenceKind::UnrequestedWrite => {
                (tool.is_some_and(|tool| tool.effect == Effect::Write), "name a tool that writes")
            }
            OffenceKind::OthersData | OffenceKind::PersonUnknown => {
                (conduct.people.is_some(), "say in `conduct.people` whose records are whose")
            }
        };
        let message = format!("discipline cannot find `{}` here", offence.finding.code());
        if is_found { None } else { self.unknown("/discipline", message, help.to_owned()) }
    }
}

fn names(constraints: &Constraints) -> Vec<String> {
    let edges = constraints.precedence.iter().filter_map(|edge| edge.id.clone());
    edges.chain(constraints.exclusions.iter().filter_map(|set| set.id.clone())).collect()
}
