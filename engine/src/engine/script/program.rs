//! A compiled environment script: one call runs a tool's preconditions and body in the sandbox.

use std::collections::BTreeMap;
use std::sync::Once;

use rhai::module_resolvers::DummyModuleResolver;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{AST, Dynamic, Engine, EvalAltResult, Module, ParseError, Position, Scope};
use serde_json::Value;

use super::convert::{to_json, to_rhai_map};
use super::fuel;
use super::handles::{self, Db};
use super::lint::{self, Trees};
use super::natives::{self, Failure, Refused, Rng};
use super::sources::{Source, Sources};
use super::unit::{self, Routine, Unit};
use super::words;
use crate::engine::state::{Fields, Shape};
use crate::engine::transaction::{Access, Transaction};
use crate::model::diagnostic::Problem;
use crate::model::stream::Stream;

/// What the compiler needs to know of a tool.
pub struct Body<'a> {
    /// The tool's name, and its function's.
    pub name: &'a str,
    /// The preconditions' expressions, in order.
    pub preconditions: Vec<&'a str>,
    /// Whether the body may write.
    pub writes: bool,
}

/// How a call of a script ended.
#[derive(Debug)]
pub enum Outcome {
    /// The body returned this.
    Returned(Value),
    /// The precondition at this position does not hold.
    Refused(usize),
    /// The body called `fail(code, message)`.
    Failed {
        /// The business code.
        code: String,
        /// One line for the agent.
        message: String,
    },
    /// It used more than it may; the text says what.
    Limit(String),
    /// It stopped with an error of its own.
    Fault(String),
}

/// An environment's scripts, compiled and ready; shared by all its episodes.
pub struct Program {
    engine: Engine,
    ast: AST,
    steps: BTreeMap<String, Routine<2>>,
    trees: Trees,
}

/// A read-only expression over `db` and `args`, compiled.
#[derive(Clone)]
pub struct Expression(Routine<2>);

/// The variables of a call.
const CALL: [&str; 2] = ["db", "args"];
const LIMIT_TEXT: usize = 1 << 20;
const LIMIT_ITEMS: usize = 100_000;

impl Program {
    /// Compiles scripts and preconditions; every problem is reported.
    ///
    /// # Errors
    /// Problems placed in the scripts, or at `/tools/<i>/preconditions/<j>/expr`.
    pub fn compile(
        sources: &Sources,
        shape: &Shape,
        fields: &std::collections::BTreeSet<String>,
        bodies: &[Body],
    ) -> Result<Program, Vec<Problem>> {
        let mut engine = sandbox();
        handles::register(&mut engine, shape, fields);
        natives::register(&mut engine);
        register_internals(&mut engine);
        let mut problems = add_libraries(&mut engine, sources);
        let main = compile_source(&engine, &sources.main).map_err(|problem| problems.push(problem)).ok();
        for (i, body) in bodies.iter().enumerate() {
            for (j, expression) in body.preconditions.iter().enumerate() {
                let pointer = format!("/tools/{i}/preconditions/{j}/expr");
                problems.extend(parse_expression(&engine, expression).err().map(|p| p.below(&pointer)));
            }
        }
        let (Some(main), true) = (main, problems.is_empty()) else { return Err(problems) };
        let trees = Trees::parse(&mut engine, sources);
        let steps = compile_steps(&engine, &main, bodies)
            .map_err(|error| vec![Problem::error("/tools", "bad_script", error.to_string())])?;
        Ok(Program { ast: main, steps, trees, engine })
    }

    /// Compiles a read-only expression over `db` and `args`.
    ///
    /// # Errors
    /// A problem placed at the root pointer; place it with [`Problem::below`].
    pub fn expression(&self, text: &str) -> Result<Expression, Problem> {
        self.parse(text)?;
        let ast = unit::compile(&self.engine, CALL, &format!("(\n{text}\n)"));
        let ast = ast.map_err(|e| Problem::error("", "bad_script", e.to_string()))?;
        let unit = Unit::new(&self.ast.merge(&ast));
        Ok(Expression(unit.routine(CALL, &ast)))
    }

    /// The syntax tree of an expression over `db` and `args`.
    ///
    /// # Errors
    /// A problem placed at the root pointer.
    pub(super) fn parse(&self, text: &str) -> Result<AST, Problem> {
        parse_expression(&self.engine, text)
    }

    /// Whether an expression holds in a state for some arguments.
    ///
    /// # Errors
    /// A line for the author when it stops, writes or is no truth value.
    pub fn holds(&self, expression: &Expression, db: Transaction, arguments: &Fields) -> Result<bool, String> {
        let db = Db::new(db);
        let arguments = Dynamic::from_map(to_rhai_map(arguments));
        fuel::start(fuel::TOOL_CALL);
        let called = self.call(&expression.0, &db, [Dynamic::from(db.clone()), arguments]);
        let value = called.map_err(|error| describe(&error))?;
        if let Some(refused) = db.lock().refused() {
            return Err(refused.to_owned());
        }
        value.as_bool().map_err(|kind| format!("a predicate must be true or false, not a {kind}"))
    }

    /// Runs a tool: preconditions read only, then the body. Returns what it printed as well.
    ///
    /// The transaction is handed back with the journal; the caller commits or drops it.
    pub fn run(&self, tool: &str, transaction: Transaction, arguments: &Fields) -> (Outcome, Db, Vec<String>) {
        let db = Db::new(transaction);
        fuel::start(fuel::TOOL_CALL);
        let arguments = [Dynamic::from(db.clone()), Dynamic::from_map(to_rhai_map(arguments))];
        let called = match self.steps.get(tool) {
            Some(step) => self.call(step, &db, arguments),
            None => Ok(Dynamic::UNIT),
        };
        let outcome = match called {
            Ok(value) => match value.read_lock::<Refused>().map(|refused| refused.0) {
                Some(index) => Outcome::Refused(index),
                None => {
                    to_json(&value).map_or_else(|what| Outcome::Fault(format!("the result: {what}")), Outcome::Returned)
                }
            },
            Err(error) => classify(&error),
        };
        let outcome = if fuel::is_spent() { Outcome::Limit("too many operations".to_owned()) } else { outcome };
        (outcome, db, fuel::prints())
    }

    /// Runs an event's function `(db)`.
    ///
    /// # Errors
    /// A line for the author.
    pub fn run_event(&self, function: &str, transaction: Transaction) -> Result<Db, String> {
        let db = Db::new(transaction);
        fuel::start(fuel::TOOL_CALL);
        let called = self.call_function(function, ["db"], &db, [Dynamic::from(db.clone())]);
        called.map(|_| db).map_err(|error| describe(&error))
    }

    /// Runs the function `(db, rng, size)` that fills the initial state.
    ///
    /// # Errors
    /// A line for the author.
    pub fn populate(
        &self,
        function: &str,
        transaction: Transaction,
        stream: Stream,
        size: &Fields,
    ) -> Result<Db, String> {
        let db = Db::new(transaction);
        fuel::start(fuel::POPULATE);
        let size = Dynamic::from_map(to_rhai_map(size));
        let arguments = [Dynamic::from(db.clone()), Dynamic::from(Rng::new(stream)), size];
        let called = self.call_function(function, ["db", "rng", "size"], &db, arguments);
        if fuel::is_spent() {
            return Err(format!("`{function}` uses too many operations"));
        }
        called.map(|_| db).map_err(|error| describe(&error))
    }

    /// Whether the script has a function of this name and number of parameters.
    pub fn has_function(&self, name: &str, parameters: usize) -> bool {
        self.ast.iter_functions().any(|function| function.name == name && function.params.len() == parameters)
    }

    /// What the lint needs: the engine with all that is registered, and the script's own functions.
    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The syntax trees of the scripts.
    pub(super) fn trees(&self) -> &Trees {
        &self.trees
    }

    fn call<const N: usize>(&self, routine: &Routine<N>, db: &Db, values: [Dynamic; N]) -> Called {
        routine.call(&self.engine, Dynamic::from(db.clone()), values)
    }

    /// Calls a function by name, which has to be looked up.
    fn call_function<const N: usize>(
        &self,
        function: &str,
        variables: [&'static str; N],
        db: &Db,
        values: [Dynamic; N],
    ) -> Called {
        let call = unit::compile(&self.engine, variables, &format!("{function}({})", variables.join(", ")))?;
        self.call(&Unit::new(&self.ast).routine(variables, &call), db, values)
    }
}

type Called = Result<Dynamic, Box<EvalAltResult>>;

/// The steps of the tools by name. They see each other's functions, so that they can share what was looked up.
fn compile_steps(engine: &Engine, main: &AST, bodies: &[Body]) -> Result<BTreeMap<String, Routine<2>>, ParseError> {
    let mut all = main.clone();
    let mut steps = BTreeMap::new();
    for body in bodies {
        let step = unit::compile(engine, CALL, &step(body))?;
        all = all.merge(&step);
        steps.insert(body.name.to_owned(), step);
    }
    let unit = Unit::new(&all);
    Ok(steps.into_iter().map(|(name, step)| (name, unit.routine(CALL, &step))).collect())
}

/// What runs a tool: its preconditions in order, then its body. One call into Rhai is three times
/// cheaper than one for each precondition.
fn step(body: &Body) -> String {
    let mut text = String::new();
    for (index, expression) in body.preconditions.iter().enumerate() {
        text.push_str(&format!("if !(\n{expression}\n) {{ return __refuse({index}); }}\n"));
    }
    if body.writes {
        text.push_str("__write(db);\n");
    }
    text + body.name + "(db, args)"
}

fn register_internals(engine: &mut Engine) {
    engine.register_fn("__refuse", |index: i64| Refused(usize::try_from(index).unwrap_or(usize::MAX)));
    engine.register_fn("__write", |db: Db| db.lock().set_access(Access::Write));
}

/// An engine with chosen packages and every limit set: Rhai's own defaults differ by build profile.
fn sandbox() -> Engine {
    static SEED: Once = Once::new();
    // A host that embeds the library may have set a seed already; any fixed one will do.
    SEED.call_once(|| {
        let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    });
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicFnPackage::new().register_into_engine(&mut engine);
    engine.set_module_resolver(DummyModuleResolver::new());
    engine.disable_symbol("eval").disable_symbol("import").disable_symbol("export");
    engine.set_strict_variables(true).set_fail_on_invalid_map_property(true);
    engine.set_max_strings_interned(0);
    engine.set_max_call_levels(32).set_max_expr_depths(64, 64).set_max_operations(0);
    engine.set_max_variables(256).set_max_functions(512).set_max_modules(32);
    engine.set_max_string_size(LIMIT_TEXT).set_max_array_size(LIMIT_ITEMS).set_max_map_size(LIMIT_ITEMS);
    engine.on_progress(|_| (!fuel::burn(1)).then_some(Dynamic::UNIT));
    engine.on_print(fuel::print).on_debug(|text, _, _| fuel::print(text));
    engine
}

fn add_libraries(engine: &mut Engine, sources: &Sources) -> Vec<Problem> {
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

fn compile_source(engine: &Engine, source: &Source) -> Result<AST, Problem> {
    let mut ast = engine.compile(&source.text).map_err(|error| {
        let place = line_column(error.position());
        let message = lint::plain(&error.err_type().to_string());
        Problem::script(&source.file, place, "bad_script", message).help(words::help(&source.text, &error))
    })?;
    ast.set_source(source.file.as_str());
    Ok(ast)
}

fn parse_expression(engine: &Engine, text: &str) -> Result<AST, Problem> {
    let mut scope = Scope::new();
    scope.push("db", Dynamic::UNIT).push("args", Dynamic::UNIT);
    engine.compile_expression_with_scope(&scope, text).map_err(|error| {
        let message = format!("`{text}` is not an expression: {}", lint::plain(&error.err_type().to_string()));
        let help = words::reserved(text, &error);
        let help = help.unwrap_or_else(|| "write one Rhai expression over `db` and `args`".to_owned());
        Problem::error("", "bad_expression", message).help(help)
    })
}

/// A position as line and column from 1; 0 when there is none.
pub(super) fn line_column(position: Position) -> (usize, usize) {
    (position.line().unwrap_or(0), position.position().unwrap_or(0))
}

fn describe(error: &EvalAltResult) -> String {
    let text = lint::plain(&error.to_string());
    match error.unwrap_inner() {
        EvalAltResult::ErrorDataRace(..) => {
            format!("{text}; the closure uses what its own chain starts from: put the list into a `let` first")
        }
        _ => text,
    }
}

fn classify(error: &EvalAltResult) -> Outcome {
    match error.unwrap_inner() {
        EvalAltResult::ErrorRuntime(value, _) => match value.read_lock::<Failure>() {
            Some(failure) => Outcome::Failed { code: failure.code.clone(), message: failure.message.clone() },
            None => Outcome::Fault(describe(error)),
        },
        EvalAltResult::ErrorTooManyOperations(_)
        | EvalAltResult::ErrorTerminated(..)
        | EvalAltResult::ErrorStackOverflow(_)
        | EvalAltResult::ErrorTooManyVariables(_)
        | EvalAltResult::ErrorDataTooLarge(..) => Outcome::Limit(describe(error)),
        _ => Outcome::Fault(describe(error)),
    }
}
