//! Reads scripts, and expressions over their state.

use std::sync::Arc;

use rhai::{AST, Stmt};

use super::facts::{CodeSource, Facts, Reporter, Summary};
use super::tools::Whole;
use super::trees::Trees;
use super::types::Type;
use super::walk::Walker;
use super::world::{Function, FunctionId, World, functions};
use crate::model::diagnostic::Problem;
use crate::model::environment_file::EnvironmentFile;
use crate::script::program::Program;
use crate::script::sources::Sources;

/// After so many rounds the lint takes what it knows for all there is to know.
pub(super) const MAX_ROUNDS: usize = 12;

/// Reads the scripts of one environment, and expressions over its state.
pub struct Linter {
    pub(super) world: World,
    pub(super) facts: Facts,
}

/// Problems of the scripts and preconditions; the linter is there for the expressions of constraints.
pub fn check(program: &Program, file: &EnvironmentFile, sources: &Sources) -> (Linter, Vec<Problem>) {
    let trees = Trees::of(program, sources);
    let world = World::new(&program.engine, &trees, file, sources);
    let mut linter = Linter { world, facts: Facts::default() };
    linter.seed(file);
    let preconditions = parse_preconditions(program, file);
    let mut report = Reporter { source: CodeSource::Script(String::new()), is_on: false, problems: Vec::new() };
    for _ in 0..MAX_ROUNDS {
        linter.facts.has_changed = false;
        linter.read_functions(&mut report);
        linter.read_preconditions(&preconditions, file, &mut report);
        if !linter.facts.has_changed {
            break;
        }
    }
    report.is_on = true;
    linter.read_functions(&mut report);
    let preconditions = linter.read_preconditions(&preconditions, file, &mut report);
    let mut problems = report.problems;
    problems.extend(top_level(&trees, sources));
    problems.extend(Whole { linter: &linter, file, sources, preconditions }.check());
    (linter, problems)
}

/// Tool, position, syntax tree and closures.
pub(super) type CompiledPrecondition = (usize, usize, AST, Closures);

pub(super) type Closures = Vec<(String, Arc<Function>)>;

pub(super) fn parse_preconditions(program: &Program, file: &EnvironmentFile) -> Vec<CompiledPrecondition> {
    let mut parsed = Vec::new();
    for (i, tool) in file.tools.iter().enumerate() {
        for (j, precondition) in tool.preconditions.iter().enumerate() {
            // What does not compile has been reported.
            let Ok(tree) = program.parse(&precondition.expr) else { continue };
            let closures = functions(&tree);
            parsed.push((i, j, tree, closures));
        }
    }
    parsed
}

impl Linter {
    fn seed(&mut self, file: &EnvironmentFile) {
        let id = |name: &str, parameters| (String::new(), name.to_owned(), parameters);
        for tool in &file.tools {
            let arguments = self.world.arguments(&tool.name);
            self.facts.called(&id(&tool.function(), 2), &[Type::Db, arguments]);
        }
        for function in file.events.iter().filter_map(|event| event.function.as_ref()) {
            self.facts.called(&id(function, 1), &[Type::Db]);
        }
        let counts = Type::Closed("count", self.world.counts.clone());
        self.facts.called(&id(&file.populate.function, 3), &[Type::Db, Type::Any, counts]);
    }

    fn read_functions(&mut self, report: &mut Reporter) {
        let functions: Vec<FunctionId> = self.world.written().map(|(id, _)| id.clone()).collect();
        for id in functions {
            let Some(function) = self.world.functions.get(&id).cloned() else { continue };
            report.source = CodeSource::Script(self.world.files.get(&id.0).cloned().unwrap_or_default());
            let summary = Walker::new(&self.world, &mut self.facts, report, &id.0).function(&id, &function);
            self.facts.summaries.insert(id, summary);
        }
    }

    fn read_preconditions(
        &mut self,
        preconditions: &[CompiledPrecondition],
        file: &EnvironmentFile,
        report: &mut Reporter,
    ) -> Vec<(usize, usize, Summary)> {
        let mut read = Vec::new();
        for (i, j, tree, closures) in preconditions {
            report.source = CodeSource::Expression(format!("/tools/{i}/preconditions/{j}/expr"));
            let arguments = file.tools.get(*i).map_or(Type::Any, |tool| self.world.arguments(&tool.name));
            let summary = Walker::new(&self.world, &mut self.facts, report, "").expression(tree, closures, arguments);
            read.push((*i, *j, summary));
        }
        read
    }

    /// Problems of an expression over `db` and the arguments of `tool`, placed at the root pointer.
    pub fn expression(&self, program: &Program, tool: &str, text: &str) -> Vec<Problem> {
        let Ok(tree) = program.parse(text) else { return Vec::new() };
        let mut facts = Facts { returns: self.facts.returns.clone(), ..Facts::default() };
        let mut report = Reporter { source: CodeSource::Expression(String::new()), is_on: true, problems: Vec::new() };
        let arguments = self.world.arguments(tool);
        let summary =
            Walker::new(&self.world, &mut facts, &mut report, "").expression(&tree, &functions(&tree), arguments);
        report.problems.extend(self.expression_writes(&summary));
        report.problems
    }

    /// An expression is read only: neither it nor what it calls may write.
    pub(super) fn expression_writes(&self, summary: &Summary) -> Option<Problem> {
        let writer = self
            .facts
            .reached(summary)
            .into_iter()
            .find(|id| self.facts.summaries.get(id).is_some_and(|summary| !summary.writes.is_empty()));
        let message = match (summary.writes.is_empty(), writer) {
            (false, _) => "an expression cannot write".to_owned(),
            (true, Some((_, name, _))) => format!("an expression cannot write, but `{name}` does"),
            (true, None) => return None,
        };
        Some(Problem::error("", "expression_writes", message).help("write in the body of a tool"))
    }
}

/// A script holds functions only: what stands outside of them never runs.
pub(super) fn top_level(trees: &Trees, sources: &Sources) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (library, tree) in trees.all() {
        let source = if library.is_empty() { Some(&sources.main) } else { sources.libraries.get(library) };
        let Some(source) = source else { continue };
        if let Some(statement) = tree.statements().iter().find(|statement| !matches!(statement, Stmt::Noop(_))) {
            let at = crate::script::error::line_column(statement.position());
            let message = "a statement outside of a function never runs";
            let help = "put it into a function; a constant is a function without parameters: `fn limit() { 5 }`";
            problems.push(Problem::script(&source.file, at, "top_level_statement", message).help(help));
        }
    }
    problems
}
