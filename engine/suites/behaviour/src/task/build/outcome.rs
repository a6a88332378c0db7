//! Static checks of outcomes: oracle, assertions, forbidden calls, phrases.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::builder::TaskChecker;
use crate::model::assertion::Assertion;
use crate::model::task_file::{CallFile, OracleCallFile, OutcomeFile};
use crate::task::assertion::CheckedAssertion;
use crate::task::reference::{Binder, Reference, calls_referred_to};
use crate::task::text::no_phrase;
use crate::task::{OracleCall, Outcome};
use probity_engine::environment_file::properties;
use probity_engine::{Actor, Effect, Environment, Pattern, Problem, SlotKind, Tool, pointer, suggest, without_echoes};
use probity_prose::{Answer, Calendar};

impl<'a> TaskChecker<'a> {
    pub(super) fn outcomes(&mut self) -> Vec<Outcome> {
        if self.file.outcomes.first().is_none_or(|first| first.name != "base") {
            let message = "the first outcome must be called `base`";
            self.error("/outcomes/0/name", "no_base", message, "it is the one the paper's SR is about");
        }
        let mut names = BTreeSet::new();
        let mut outcomes = Vec::new();
        for (i, outcome) in self.file.outcomes.iter().enumerate() {
            let at = format!("/outcomes/{i}");
            if !names.insert(&outcome.name) {
                let message = format!("there are two outcomes `{}`", outcome.name);
                self.error(format!("{at}/name"), "duplicate_id", message, "rename one");
            }
            outcomes.push(self.outcome(outcome, &at));
        }
        outcomes
    }

    fn outcome(&mut self, file: &OutcomeFile, at: &str) -> Outcome {
        if file.budget as usize != file.oracle.len() {
            let message = format!("the budget is {}, the oracle has {} calls", file.budget, file.oracle.len());
            self.error(format!("{at}/budget"), "wrong_budget", message, "the two are equal: every oracle call counts");
        }
        if file.achieves.is_empty() && file.must_say.is_empty() {
            let message = format!("`{}` asks for nothing: doing nothing would pass", file.name);
            self.error(at, "vacuous_outcome", message, "add `achieves`, `must_say` or both");
        }
        let oracle = file.oracle.iter().enumerate().map(|(i, call)| self.check_call(call, i, file, at)).collect();
        let achieves = self.check_assertions(&file.achieves, &format!("{at}/achieves"), file);
        let preserves = self.check_assertions(&file.preserves, &format!("{at}/preserves"), file);
        let forbidden = file.forbidden.iter().enumerate();
        let mut forbidden: Vec<Pattern> =
            forbidden.filter_map(|(i, p)| self.pattern(p, format!("{at}/forbidden/{i}"))).collect();
        // The environment's come last: its own file answers for them.
        forbidden.extend(self.environment.file().forbidden.iter().filter_map(|p| self.environment.pattern(p).ok()));
        let must_say = self.check_answers(&file.must_say, &format!("{at}/must_say"));
        Outcome {
            name: file.name.clone(),
            oracle,
            delta: file.delta.clone(),
            achieves,
            preserves,
            forbidden,
            must_say,
            replies: file.replies.clone(),
        }
    }

    fn check_assertions(&mut self, assertions: &[Assertion], at: &str, outcome: &OutcomeFile) -> Vec<CheckedAssertion> {
        let mut checked = Vec::new();
        for (i, assertion) in assertions.iter().enumerate() {
            let at = format!("{at}/{i}");
            match CheckedAssertion::build(assertion, self.bindings, self.initial) {
                Ok(assertion) => checked.push(assertion),
                Err(found) => self.problems.extend(found.into_iter().map(|p| p.below(&at))),
            }
            self.problems.extend(unknown_field(assertion, self.environment).map(|p| p.below(&at)));
            self.problems.extend(matching(assertion, self.environment).into_iter().map(|p| p.below(&at)));
            let mut referred = BTreeSet::new();
            let path = assertion.path().into_iter().flat_map(|path| path.split('/')).map(Value::from);
            let values = path.chain(assertion.values().cloned());
            values.for_each(|value| calls_referred_to(&value, &mut referred));
            self.check_referred(&referred, outcome.oracle.len(), &at);
        }
        checked
    }

    fn check_referred(&mut self, referred: &BTreeSet<usize>, calls_before: usize, at: &str) {
        for call in referred.iter().filter(|call| **call > calls_before) {
            let message = format!("`${call}` refers to an oracle call that is not made before");
            let help = format!("calls count from 1; {calls_before} are made by then");
            self.error(at, "dangling_reference", message, help);
        }
    }

    fn check_answers(&mut self, groups: &[Vec<String>], at: &str) -> Vec<Vec<Answer>> {
        let calendar = Calendar::at(self.initial.clock());
        let mut checked = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            if group.is_empty() {
                let message = "an empty group can never be said";
                self.error(format!("{at}/{i}"), "empty_group", message, "list the ways to say it, or remove the group");
            }
            let mut answers = Vec::new();
            for (j, phrase) in group.iter().enumerate() {
                match Answer::parse(phrase, calendar) {
                    Ok(answer) => answers.push(answer),
                    Err(what) => self.problems.push(no_phrase(format!("{at}/{i}/{j}"), phrase, &what)),
                }
            }
            checked.push(answers);
        }
        checked
    }

    fn check_call(&mut self, file: &OracleCallFile, index: usize, outcome: &OutcomeFile, at: &str) -> OracleCall {
        let at = format!("{at}/oracle/{index}");
        let call = CallFile { tool: file.tool.clone(), arguments: file.arguments.clone() };
        let (arguments, tool) = self.check_one(&call, index, &at);
        let earlier = outcome.oracle.iter().take(index).map(|call| call.segment).max().unwrap_or(1);
        if file.segment < earlier {
            let message = format!("segment {} comes after segment {earlier}", file.segment);
            self.error(
                format!("{at}/segment"),
                "segments_out_of_order",
                message,
                "the oracle's calls are in the order they are made",
            );
        }
        if !file.equivalents.is_empty() && tool.is_some_and(|tool| tool.effect == Effect::Write) {
            let message = format!("`{}` writes; only a read has equivalents", file.tool);
            self.error(
                format!("{at}/equivalents"),
                "write_equivalent",
                message,
                "describe the other way as an outcome of its own",
            );
        }
        let mut equivalents = Vec::new();
        for (i, equivalent) in file.equivalents.iter().enumerate() {
            let at = format!("{at}/equivalents/{i}");
            let (arguments, other) = self.check_one(equivalent, index, &at);
            let is_read = tool.is_some_and(|tool| tool.effect == Effect::Read);
            if is_read && other.is_some_and(|other| other.effect == Effect::Write) {
                let message = format!("`{}` writes; a read is only equivalent to reads", equivalent.tool);
                let help = "describe the other way as an outcome of its own";
                self.error(at, "write_equivalent", message, help);
            }
            equivalents.push(CallFile { tool: equivalent.tool.clone(), arguments });
        }
        let after = self.check_after(&file.after, index, &at);
        OracleCall { tool: file.tool.clone(), arguments, segment: file.segment, after, equivalents }
    }

    /// The positions of the calls that must come before the call at `index`.
    fn check_after(&mut self, after: &[u32], index: usize, at: &str) -> Vec<usize> {
        let mut positions = Vec::new();
        for (i, number) in after.iter().enumerate() {
            match (*number as usize).checked_sub(1).filter(|position| *position < index) {
                Some(position) => positions.push(position),
                None => {
                    let message = format!("there is no oracle call {number} before call {}", index + 1);
                    let help = "name earlier calls by their number, from 1";
                    self.error(format!("{at}/after/{i}"), "bad_after", message, help);
                }
            }
        }
        positions
    }

    /// Checks a call's tool, bindings, references and (when it has no references) arguments.
    pub(super) fn check_one(
        &mut self,
        call: &CallFile,
        calls_before: usize,
        at: &str,
    ) -> (Map<String, Value>, Option<&'a Tool>) {
        let mut arguments = call.arguments.clone();
        let mut binder = Binder::new(self.bindings);
        binder.bind_map(&mut arguments, "/arguments");
        self.problems.extend(binder.problems().map(|problem| problem.below(at)));
        let mut referred = BTreeSet::new();
        arguments.values().for_each(|value| calls_referred_to(value, &mut referred));
        self.check_referred(&referred, calls_before, at);
        let Some(tool) = self.environment.tool(&call.tool).filter(|tool| tool.actor == Actor::Agent) else {
            let help = suggest::help(&call.tool, self.environment.tools().iter().map(|tool| tool.name.as_str()));
            let message = format!("there is no tool `{}` for the agent", call.tool);
            self.error(format!("{at}/tool"), "unknown_tool", message, help);
            return (arguments, None);
        };
        if referred.is_empty() && binder.unbound.is_empty() {
            let mut complete = tool.complete(&arguments).unwrap_or_else(|_| arguments.clone());
            for violation in without_echoes(tool.arguments.violations_in(&mut complete)) {
                let problem =
                    Problem { code: "invalid_arguments", ..violation.into_problem() }.below("/arguments").below(at);
                let help = problem.help.clone().unwrap_or_else(|| format!("see the parameters of `{}`", tool.name));
                self.problems.push(problem.help(help));
            }
        }
        (arguments, Some(tool))
    }
}

/// A path to a field that the entities of its collection cannot have: nothing is ever there.
fn unknown_field(assertion: &Assertion, environment: &Environment) -> Option<Problem> {
    let path = pointer::split(assertion.path()?)?;
    let slot = environment.file().state.get(path.first()?)?;
    let field = path.get(match slot.kind {
        SlotKind::Collection => 2,
        SlotKind::Record => 1,
    })?;
    let known = properties(&slot.item);
    if known.contains_key(field) {
        return None;
    }
    let message = format!("the entities of `{}` have no field `{field}`", path.first()?);
    Some(Problem::error("/path", "unknown_field", message).help(suggest::help(field, known.keys().map(String::as_str))))
}

/// Fields that new entities do not have, and values that a field never has.
fn matching(assertion: &Assertion, environment: &Environment) -> Vec<Problem> {
    let Assertion::New { new, matching, .. } = assertion else { return Vec::new() };
    let Some(slot) = environment.file().state.get(new) else { return Vec::new() };
    let known = properties(&slot.item);
    let mut problems = Vec::new();
    for (field, value) in matching {
        let at = format!("/matching/{}", pointer::escape(field));
        match known.get(field) {
            None => {
                let message = format!("the entities of `{new}` have no field `{field}`");
                let help = suggest::help(field, known.keys().map(String::as_str));
                problems.push(Problem::error(at, "unknown_field", message).help(help));
            }
            Some(schema) if !may_be(schema, value) => problems.push(wrong_type(at, new, field, value)),
            Some(_) => {}
        }
    }
    problems
}

fn wrong_type(at: String, new: &str, field: &str, value: &Value) -> Problem {
    let message = format!("`{field}` of `{new}` is never {}: `matching` asks for equal values", kind(value));
    let help = match value.get("matches") {
        Some(_) => format!(
            "count it here, and match its text by its path, with the call that makes it: \
             `{{\"path\": \"/{new}/$2.KEY/{field}\", \"matches\": \"..\"}}`"
        ),
        None => "write the value as the schema of the state has it".to_owned(),
    };
    Problem::error(at, "wrong_type", message).help(help)
}

/// Whether a schema that says its type lets a value of this kind through; references are known only when played.
fn may_be(schema: &Value, value: &Value) -> bool {
    if value.as_str().is_some_and(|text| Reference::parse(text).is_some()) {
        return true;
    }
    match schema.get("type") {
        Some(Value::String(name)) => is_of(value, name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(|name| is_of(value, name)),
        Some(_) | None => schema.get("enum").and_then(Value::as_array).is_none_or(|listed| listed.contains(value)),
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => kind(value).ends_with(other),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
