//! What the lint learns while it reads a script, and the problems it finds.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Position;

use super::types::{DeclarationSite, Type};
use super::world::FunctionId;
use crate::model::diagnostic::Problem;
use crate::script::error::line_column;

#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    pub(super) calls: BTreeSet<FunctionId>,
    pub(super) writes: Vec<Position>,
    /// The codes it gives to `fail`, and where.
    pub(super) fails: Vec<(String, Position)>,
    /// Whether it gives `fail` a code that is no literal.
    pub(super) fails_with_any: bool,
}

/// What is known of all functions; grows from round to round until nothing changes.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) parameters: BTreeMap<FunctionId, Vec<Type>>,
    pub(super) returns: BTreeMap<FunctionId, Type>,
    /// What variables hold, wherever they are assigned.
    pub(super) variables: BTreeMap<DeclarationSite, Type>,
    pub(super) summaries: BTreeMap<FunctionId, Summary>,
    pub(super) has_changed: bool,
}

impl Facts {
    pub(super) fn called(&mut self, function: &FunctionId, arguments: &[Type]) {
        let known = self.parameters.entry(function.clone()).or_insert_with(|| vec![Type::Nothing; arguments.len()]);
        for (known, new) in known.iter_mut().zip(arguments) {
            grow(known, new.clone(), &mut self.has_changed);
        }
    }

    pub(super) fn returned(&mut self, function: &FunctionId, value: Type) {
        let known = self.returns.entry(function.clone()).or_insert(Type::Nothing);
        grow(known, value, &mut self.has_changed);
    }

    pub(super) fn assigned(&mut self, variable: &DeclarationSite, value: Type) {
        let known = self.variables.entry(variable.clone()).or_insert(Type::Nothing);
        grow(known, value, &mut self.has_changed);
    }

    pub(super) fn reached(&self, from: &Summary) -> BTreeSet<FunctionId> {
        let mut reached = BTreeSet::new();
        let mut waiting: Vec<&FunctionId> = from.calls.iter().collect();
        while let Some(function) = waiting.pop() {
            if reached.insert(function.clone()) {
                waiting.extend(self.summaries.get(function).into_iter().flat_map(|summary| &summary.calls));
            }
        }
        reached
    }
}

fn grow(known: &mut Type, new: Type, has_changed: &mut bool) {
    let joined = known.clone().join(new);
    if joined != *known {
        *known = joined;
        *has_changed = true;
    }
}

#[derive(Clone)]
pub(super) enum CodeSource {
    Script(String),
    /// An expression in the environment's file: the pointer.
    Expression(String),
}

/// Collects problems; silent while facts are still growing.
pub(super) struct Reporter {
    pub(super) source: CodeSource,
    pub(super) is_on: bool,
    pub(super) problems: Vec<Problem>,
}

impl Reporter {
    pub(super) fn error(&mut self, at: Position, code: &'static str, message: String, help: String) {
        if self.is_on {
            let problem = match &self.source {
                CodeSource::Script(file) => Problem::script(file, line_column(at), code, message),
                CodeSource::Expression(pointer) => Problem::error(pointer.clone(), code, message),
            };
            self.push(problem.help(help));
        }
    }

    pub(super) fn warning(&mut self, at: Position, code: &'static str, message: String, help: String) {
        let before = self.problems.len();
        self.error(at, code, message, help);
        if let Some(last) = self.problems.get_mut(before) {
            *last = last.clone().as_warning();
        }
    }

    fn push(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}
