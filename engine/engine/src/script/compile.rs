//! Scripts and expressions compiled, within their size.

use rhai::{AST, Dynamic, Engine, Module, Scope};

use super::error::{line_column, plain};
use super::sources::{Source, Sources};
use super::{fuel, words, written};
use crate::load::syntax::MERGE;
use crate::model::diagnostic::Problem;

/// The longest script, in bytes: to compile and to lint one takes time for each statement.
const MAX_SCRIPT: usize = 128 << 10;
/// Most names in a row, with commas between them.
const MAX_NAMES: usize = 256;
/// The longest expression, in bytes.
const MAX_EXPRESSION: usize = 4 << 10;

/// Compiles the libraries and makes them known to an engine; what is wrong with them.
pub(super) fn add_libraries(engine: &mut Engine, sources: &Sources) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, source) in &sources.libraries {
        let module = compile_source(engine, source).and_then(|ast| {
            fuel::start(fuel::TOOL_CALL);
            Module::eval_ast_as_new(Scope::new(), &ast, engine).map_err(|error| {
                Problem::script(&source.file, line_column(error.position()), "bad_script", error.to_string())
            })
        });
        match module {
            Ok(module) => drop(engine.register_static_module(name.as_str(), module.into())),
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

/// Compiles a script.
///
/// # Errors
/// The first problem, placed in it.
pub(super) fn compile_source(engine: &Engine, source: &Source) -> Result<AST, Problem> {
    if let Some(place) = source.lone_return() {
        let message = "a carriage return without a line feed";
        let help = "end lines with a line feed, with or without a carriage return before it";
        return Err(Problem::script(&source.file, place, "bad_script", message).help(help));
    }
    if source.text.len() > MAX_SCRIPT {
        let message = format!("the script has {} bytes; it may have {MAX_SCRIPT}", source.text.len());
        let help = "move data into `populate`'s loops, or functions into a library of scripts/lib/";
        return Err(Problem::script(&source.file, (1, 1), "script_too_large", message).help(help));
    }
    if let Some(at) = many_names(&source.text) {
        let line = source.text.get(..at).unwrap_or_default().lines().count().max(1);
        let message = format!("more than {MAX_NAMES} names in a row");
        let help = "a function takes a map instead of so many parameters";
        return Err(Problem::script(&source.file, (line, 1), "too_many_names", message).help(help));
    }
    let mut ast = engine.compile(&source.text).map_err(|error| {
        if let Some(line) = words::merge_marker(&source.text, error.position()) {
            return Problem::script(&source.file, (line, 1), "bad_script", "a line that a merge has left").help(MERGE);
        }
        let place = line_column(error.position());
        let message = plain(&error.err_type().to_string());
        Problem::script(&source.file, place, "bad_script", message).help(words::help(&source.text, &error))
    })?;
    if let Some(problem) = written::refused(&ast, &source.file) {
        return Err(problem);
    }
    ast.set_source(source.file.as_str());
    Ok(ast)
}

/// Where more names with commas between them stand than may: a parameter is held against all before it.
fn many_names(text: &str) -> Option<usize> {
    let (mut names, mut is_name) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            ',' if is_name => (names, is_name) = (names + 1, false),
            _ if c.is_alphanumeric() || c == '_' => is_name = true,
            _ if c.is_whitespace() => {}
            _ => (names, is_name) = (0, false),
        }
        if names > MAX_NAMES {
            return Some(at);
        }
    }
    None
}

/// Parses an expression over `db` and `args`.
///
/// # Errors
/// A problem placed at the root pointer.
pub(super) fn parse_expression(engine: &Engine, text: &str) -> Result<AST, Problem> {
    if text.len() > MAX_EXPRESSION {
        let message = format!("the expression has {} bytes; it may have {MAX_EXPRESSION}", text.len());
        return Err(Problem::error("", "expression_too_long", message).help("make it a function of the script"));
    }
    let mut scope = Scope::new();
    scope.push("db", Dynamic::UNIT).push("args", Dynamic::UNIT);
    let ast = engine.compile_expression_with_scope(&scope, text).map_err(|error| {
        let message = format!("`{text}` is not an expression: {}", plain(&error.err_type().to_string()));
        let help = words::foreign(text, &error);
        let help = help.unwrap_or_else(|| "write one Rhai expression over `db` and `args`".to_owned());
        Problem::error("", "bad_expression", message).help(help)
    })?;
    written::refused_in_expression(&ast).map_or(Ok(ast), Err)
}
