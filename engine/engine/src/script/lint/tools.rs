//! What only the whole shows: tools without a body, reads that write, codes that nobody declares.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Position;

use super::Linter;
use super::facts::Summary;
use super::world::FunctionId;
use crate::model::diagnostic::Problem;
use crate::model::environment_file::{Effect, EnvironmentFile, ToolFile};
use crate::model::suggest;
use crate::script::error::line_column;
use crate::script::sources::{Source, Sources};

pub(super) struct Whole<'a> {
    pub(super) linter: &'a Linter,
    pub(super) file: &'a EnvironmentFile,
    pub(super) sources: &'a Sources,
    /// What the preconditions do: tool, precondition, summary.
    pub(super) preconditions: Vec<(usize, usize, Summary)>,
}

impl Whole<'_> {
    pub(super) fn check(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let reached: Vec<BTreeSet<FunctionId>> = (0..self.file.tools.len()).map(|tool| self.reached(tool)).collect();
        self.check_bodies(&mut problems);
        self.check_orphans(&mut problems);
        self.check_reads(&mut problems);
        self.check_expressions(&mut problems);
        self.check_codes(&reached, &mut problems);
        self.check_names(&mut problems);
        problems
    }

    fn at(&self, library: &str, at: Position, code: &'static str, message: String) -> Problem {
        let file = self.linter.world.files.get(library).map_or("", String::as_str);
        Problem::script(file, line_column(at), code, message)
    }

    fn summary(&self, id: &FunctionId) -> Option<&Summary> {
        self.linter.facts.summaries.get(id)
    }

    /// The functions that a call of a tool can reach, its own among them.
    fn reached(&self, tool: usize) -> BTreeSet<FunctionId> {
        let body = self.file.tools.get(tool).map(body);
        let preconditions = self.preconditions.iter().filter(|(index, _, _)| *index == tool);
        let mut calls: BTreeSet<FunctionId> =
            preconditions.flat_map(|(_, _, summary)| summary.calls.iter().cloned()).collect();
        calls.extend(body);
        self.linter.facts.reached(&Summary { calls, ..Summary::default() })
    }

    fn check_bodies(&self, problems: &mut Vec<Problem>) {
        for (i, tool) in self.file.tools.iter().enumerate() {
            if self.linter.world.functions.contains_key(&body(tool)) {
                continue;
            }
            let message = format!("the script has no function `{}(db, args)`", tool.function());
            let same_name = self
                .linter
                .world
                .written()
                .find(|((library, name, _), _)| library.is_empty() && *name == tool.function());
            let help = match same_name {
                Some(((_, _, count), _)) => {
                    format!("there is one, but not with 2 parameters ({count}); a body takes `db` and `args`")
                }
                None => self.misspelt(tool).map_or_else(
                    || "write the tool's body, or say which it is with `\"function\": ..`".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                ),
            };
            problems.push(Problem::error(format!("/tools/{i}/name"), "missing_function", message).help(help));
        }
    }

    /// The function that is probably meant to be the body of a tool that has none.
    fn misspelt(&self, tool: &ToolFile) -> Option<&str> {
        let written = self.linter.world.written();
        let bodies = written.filter(|((library, _, count), _)| library.is_empty() && *count == 2);
        suggest::nearest(&tool.function(), bodies.map(|((_, name, _), _)| name.as_str()))
    }

    fn check_orphans(&self, problems: &mut Vec<Problem>) {
        let mut called: BTreeSet<&FunctionId> =
            self.linter.facts.summaries.values().flat_map(|summary| &summary.calls).collect();
        called.extend(self.preconditions.iter().flat_map(|(_, _, summary)| &summary.calls));
        let tools: BTreeSet<FunctionId> = self.file.tools.iter().map(body).collect();
        // A function that is named as the body of a tool without one has been reported there.
        let bare = self.file.tools.iter().filter(|tool| !self.linter.world.functions.contains_key(&body(tool)));
        let named: BTreeSet<&str> = bare.filter_map(|tool| self.misspelt(tool)).collect();
        for (id, function) in self.linter.world.written() {
            let is_body = id.0.is_empty() && function.parameters == ["db", "args"];
            let is_named = named.contains(id.1.as_str());
            if is_body && !is_named && !tools.contains(id) && !called.contains(id) && !function.is_private {
                let at = definition(&self.sources.main, &id.1);
                let message = format!("`{}(db, args)` looks like a tool's body, but there is no such tool", id.1);
                let help = suggest::nearest(&id.1, self.file.tools.iter().map(|tool| tool.name.as_str()));
                let help = help.map_or_else(
                    || "declare the tool, or remove the function".to_owned(),
                    |near| format!("did you mean the tool `{near}`?"),
                );
                let problem = Problem::script(&self.sources.main.file, at, "orphan_function", message);
                problems.push(problem.help(help).as_warning());
            }
        }
    }

    /// A precondition that writes is reported as an expression.
    fn check_reads(&self, problems: &mut Vec<Problem>) {
        for tool in self.file.tools.iter().filter(|tool| tool.effect == Effect::Read) {
            let own = body(tool);
            let calls = BTreeSet::from([own.clone()]);
            for id in self.linter.facts.reached(&Summary { calls, ..Summary::default() }) {
                for at in self.summary(&id).into_iter().flat_map(|summary| &summary.writes) {
                    let message = match id == own {
                        true => format!("`{}` only reads, but writes here", tool.name),
                        false => format!("`{}` only reads, but calls `{}`, which writes here", tool.name, id.1),
                    };
                    let help = "remove the write, or make the tool a write with `effects`";
                    problems.push(self.at(&id.0, *at, "read_tool_writes", message).help(help));
                }
            }
        }
    }

    fn check_expressions(&self, problems: &mut Vec<Problem>) {
        for (tool, index, summary) in &self.preconditions {
            if let Some(problem) = self.linter.expression_writes(summary) {
                problems.push(problem.below(&format!("/tools/{tool}/preconditions/{index}/expr")));
            }
        }
    }

    /// A code that no tool declares which can get there; a code that no body can give.
    fn check_codes(&self, reached: &[BTreeSet<FunctionId>], problems: &mut Vec<Problem>) {
        let mut reaching: BTreeMap<&FunctionId, Vec<&ToolFile>> = BTreeMap::new();
        for (tool, ids) in self.file.tools.iter().zip(reached) {
            ids.iter().for_each(|id| reaching.entry(id).or_default().push(tool));
        }
        for (id, tools) in &reaching {
            for (code, at) in self.summary(id).into_iter().flat_map(|summary| &summary.fails) {
                if tools.iter().any(|tool| tool.errors.contains(code)) {
                    continue;
                }
                let names: Vec<String> = tools.iter().map(|tool| format!("`{}`", tool.name)).collect();
                let message = format!("`{code}` is not among the `errors` of {}", names.join(" or "));
                let declared = tools.iter().flat_map(|tool| &tool.errors).map(String::as_str);
                let near = suggest::nearest(code, declared);
                let help = near.map_or_else(
                    || "add it to the tool's `errors`".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                problems.push(self.at(&id.0, *at, "undeclared_error", message).help(help));
            }
        }
        for (i, (tool, ids)) in self.file.tools.iter().zip(reached).enumerate() {
            let summaries: Vec<&Summary> = ids.iter().filter_map(|id| self.summary(id)).collect();
            if summaries.is_empty() || summaries.iter().any(|summary| summary.fails_with_any) {
                continue;
            }
            for (j, code) in tool.errors.iter().enumerate() {
                if !summaries.iter().any(|summary| summary.fails.iter().any(|(given, _)| given == code)) {
                    let message = format!("`{}` never fails with `{code}`", tool.name);
                    let help = "remove it, or call `fail` with it in the body";
                    problems
                        .push(Problem::warning(format!("/tools/{i}/errors/{j}"), "unused_error", message).help(help));
                }
            }
        }
    }

    fn check_names(&self, problems: &mut Vec<Problem>) {
        for (id, function) in self.linter.world.written() {
            let source = if id.0.is_empty() { Some(&self.sources.main) } else { self.sources.libraries.get(&id.0) };
            let Some(source) = source else { continue };
            let at = definition(source, &id.1);
            if id.1.starts_with("__") {
                let message = format!("`{}` starts with `__`, which the engine keeps for itself", id.1);
                problems.push(Problem::script(&source.file, at, "reserved_name", message).help("rename it"));
            }
            // A library's functions are called by its name, so they hide nothing.
            if id.0.is_empty() && self.linter.world.has_native(&id.1, function.parameters.len()) {
                let message = format!("`{}` hides a function of the same name that is built in", id.1);
                problems.push(Problem::script(&source.file, at, "shadowed_builtin", message).help("rename it"));
            }
        }
    }
}

fn body(tool: &ToolFile) -> FunctionId {
    (String::new(), tool.function().into_owned(), 2)
}

fn definition(source: &Source, name: &str) -> (usize, usize) {
    for (index, line) in source.text.lines().enumerate() {
        let Some((before, after)) = line.split_once("fn ").map(|(before, after)| (before.len() + 3, after)) else {
            continue;
        };
        let indent = after.len() - after.trim_start().len();
        let rest = after.trim_start().strip_prefix(name);
        if rest.is_some_and(|rest| rest.trim_start().starts_with('(')) && !line.trim_start().starts_with("//") {
            let column = line.get(..before + indent).map_or(0, |text| text.chars().count()) + 1;
            return (index + 1, column);
        }
    }
    (0, 0)
}
