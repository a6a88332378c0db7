//! The checks of an environment file, in their order.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::{conduct, constraints, state, tools};
use crate::environment::{Environment, optional_pattern};
use crate::events::Event;
use crate::model::diagnostic::{Problem, Severity};
use crate::model::environment_file::{Effect, EnvironmentFile};
use crate::model::ids::{Difficulty, split_environment_id};
use crate::model::{pointer, suggest};
use crate::recall;
use crate::schema::moment;
use crate::script::program::{Body, Program};
use crate::script::sources::Sources;
use crate::script::{fuel, lint};

/// The version of the environment format this build reads.
pub const FORMAT: u32 = 1;

/// The largest count of a size: more entities could not be written with the operations of a `populate`.
const MAX_COUNT: u64 = fuel::POPULATE / fuel::WRITE;

/// Scripts are read against the declared state and tools. While those are in doubt, most of what
/// is found in the scripts would only follow from it.
pub(super) const UNSETTLED: [&str; 4] = ["bad_name", "duplicate_id", "no_tools", "not_an_object"];

impl Environment {
    /// Checks a file and its scripts and compiles them; warnings come with the environment.
    ///
    /// # Errors
    /// All problems, warnings included, when at least one is an error.
    pub fn build(file: EnvironmentFile, sources: Sources) -> Result<(Environment, Vec<Problem>), Vec<Problem>> {
        let mut problems = Vec::new();
        let clock = check_head(&file, &mut problems);
        let (shape, items) = state::check(&file, &mut problems);
        if file.state.is_empty() {
            return Err(problems);
        }
        let tools = tools::check(&file, &shape, &mut problems);
        check_soft_paths(&file, &shape, &mut problems);
        let fields = state::field_names(&file);
        let bodies: Vec<Body> =
            file.tools.iter().filter(|tool| tools::is_function(&tool.function())).map(body).collect();
        let program = match Program::compile(&sources, &shape, &fields, &bodies) {
            Ok(program) => program,
            Err(script_problems) => {
                problems.extend(script_problems);
                return Err(problems);
            }
        };
        check_populate(&file, &program, &mut problems);
        if problems.iter().any(|problem| UNSETTLED.contains(&problem.code)) {
            return Err(problems);
        }
        let (linter, found) = lint::check(&program, &file, &sources);
        problems.extend(found);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(problems);
        }
        let shape = Arc::new(shape);
        let mut environment = Environment {
            file,
            script_hashes: sources.hashes(),
            sources,
            clock,
            shape,
            items,
            tool_places: tools.iter().enumerate().map(|(place, tool)| (tool.name.clone(), place)).collect(),
            tools,
            events: Vec::new(),
            warnings: Vec::new(),
            invariants: Vec::new(),
            structure: Vec::new(),
            program,
            linter,
            hash: OnceLock::new(),
            number: recall::number(),
        };
        environment.events = check_events(&environment, &mut problems);
        problems.extend(constraints::check(&environment, &environment.file.constraints, "/constraints"));
        problems.extend(forbidden(&environment));
        let (warnings, found) = conduct::check(&environment);
        environment.warnings = warnings;
        problems.extend(found);
        let (invariants, structure, found) = environment.compile_sentences();
        (environment.invariants, environment.structure) = (invariants, structure);
        problems.extend(found);
        problems.extend(environment.check_references());
        match problems.iter().any(|problem| problem.severity == Severity::Error) {
            true => Err(problems),
            false => Ok((environment, problems)),
        }
    }

    /// Problems of constraints that a task adds: unknown tools and arguments, predicates that do not compile.
    pub fn check_constraints(
        &self,
        constraints: &crate::model::constraints::Constraints,
        prefix: &str,
    ) -> Vec<Problem> {
        constraints::check(self, constraints, prefix)
    }
}

pub(super) fn body(tool: &crate::model::environment_file::ToolFile) -> Body<'_> {
    Body {
        name: tool.function(),
        preconditions: tool.preconditions.iter().map(|p| p.expr.as_str()).collect(),
        writes: tool.effect == Effect::Write,
    }
}

pub(super) fn check_head(file: &EnvironmentFile, problems: &mut Vec<Problem>) -> i64 {
    if file.format != FORMAT {
        let message = format!("format {} is not known", file.format);
        problems.push(Problem::error("/format", "unknown_version", message).help(format!("write {FORMAT}")));
    }
    if split_environment_id(&file.id).is_none() {
        let message = format!("`{}` is not `domain/name` in lower-case identifiers", file.id);
        problems.push(Problem::error("/id", "bad_id", message).help("for example `travel/front_desk`"));
    }
    match file.clock.parse::<jiff::Timestamp>() {
        Ok(_) if moment::has_offset(&file.clock) => {
            let message = format!("`{}` has an offset; clocks here are in UTC", file.clock);
            let help = "write the same moment in UTC, with `Z` behind it";
            problems.push(Problem::error("/clock", "bad_clock", message).help(help));
            0
        }
        Ok(clock) => clock.as_second(),
        Err(_) => {
            let message = format!("`{}` is not a time", file.clock);
            problems
                .push(Problem::error("/clock", "bad_clock", message).help("write RFC 3339, e.g. 2026-06-11T09:00:00Z"));
            0
        }
    }
}

pub(super) fn check_soft_paths(file: &EnvironmentFile, shape: &crate::state::Shape, problems: &mut Vec<Problem>) {
    for (i, path) in file.soft_paths.iter().enumerate() {
        let first = pointer::split(path).and_then(|segments| segments.into_iter().next());
        if first.as_ref().and_then(|name| shape.index(name)).is_none() {
            let names = shape.slots.iter().map(|slot| slot.name.as_str());
            let help = suggest::help(first.as_deref().unwrap_or_default(), names);
            let message = format!("`{path}` does not start with a collection or record");
            problems.push(Problem::error(format!("/soft_paths/{i}"), "unknown_path", message).help(help));
        }
    }
}

pub(super) fn check_populate(file: &EnvironmentFile, program: &Program, problems: &mut Vec<Problem>) {
    let function = &file.populate.function;
    if !program.has_function(function, 3) {
        let message = format!("the script has no function `{function}(db, rng, size)`");
        let help = "add it to the script; it fills the initial state";
        problems.push(Problem::error("/populate/function", "missing_function", message).help(help));
    }
    for (size, counts) in &file.populate.sizes {
        for (name, count) in counts.iter().filter(|(_, count)| u64::from(**count) > MAX_COUNT) {
            let at = pointer::join(["populate", "sizes", size.name(), name]);
            let message = format!("{count} is more than a populate may write, {MAX_COUNT}");
            problems.push(Problem::error(at, "count_too_large", message).help("hard states have about 150 entities"));
        }
    }
    for size in Difficulty::ALL {
        if !file.populate.sizes.contains_key(&size) {
            let message = format!("there are no counts for `{size}`");
            let help = "give counts for easy (about 10 entities), medium (40) and hard (150)";
            problems.push(Problem::error("/populate/sizes", "missing_size", message).help(help));
        }
    }
}

pub(super) fn forbidden(environment: &Environment) -> impl Iterator<Item = Problem> {
    let patterns = environment.file.forbidden.iter().enumerate();
    patterns.filter_map(|(i, p)| Some(environment.pattern(p).err()?.below(&format!("/forbidden/{i}"))))
}

pub(super) fn check_events(environment: &Environment, problems: &mut Vec<Problem>) -> Vec<Event> {
    let mut events = Vec::new();
    let mut ids = BTreeSet::new();
    for (i, file) in environment.file.events.iter().enumerate() {
        let at = |below: &str| format!("/events/{i}{below}");
        if !ids.insert(&file.id) {
            let message = format!("there are two events `{}`", file.id);
            problems.push(Problem::error(at("/id"), "duplicate_id", message).help("rename one"));
        }
        if let Some(function) = file.function.as_ref().filter(|f| !environment.program.has_function(f, 1)) {
            let message = format!("the script has no function `{function}(db)`");
            problems.push(Problem::error(at("/function"), "missing_function", message).help("add it to the script"));
        }
        let armed_by = optional_pattern(environment, file.armed_by.as_ref());
        let fires_before = optional_pattern(environment, file.fires_before.as_ref());
        match (armed_by, fires_before) {
            (Ok(armed_by), Ok(fires_before)) => events.push(Event { file: file.clone(), armed_by, fires_before }),
            (armed_by, fires_before) => {
                problems.extend(armed_by.err().map(|p| p.below(&at("/armed_by"))));
                problems.extend(fires_before.err().map(|p| p.below(&at("/fires_before"))));
            }
        }
    }
    events
}
