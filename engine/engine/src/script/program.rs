//! A compiled environment script: one call runs a tool's preconditions and body in the sandbox.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{AST, Dynamic, Engine, ParseError, Position};
use serde_json::Value;

use super::compile::{add_libraries, compile_source, parse_expression};
use super::convert::{to_json, to_rhai_map};
use super::fuel;
use super::handles::{self, Db};
use super::natives::{self, Rng};
use super::outcome::{Outcome, Stopped, classify, finished, spent};
use super::sandbox::sandbox;
use super::sources::Sources;
use super::unit::{self, Called, Evaluation, Routine, Unit};
use crate::model::diagnostic::Problem;
use crate::model::stream::Stream;
use crate::recall;
use crate::state::{Fields, Shape};
use crate::transaction::{Access, Transaction};

/// What the compiler needs to know of a tool.
pub struct Body<'a> {
    /// The name of the tool's function.
    pub name: Cow<'a, str>,
    /// The preconditions' expressions, in order.
    pub preconditions: Vec<&'a str>,
    /// Whether the body may write.
    pub writes: bool,
}

/// A tool's preconditions and its body. They run apart, so that nothing a precondition says can write.
struct Step {
    /// Gives the position of the first precondition that does not hold.
    preconditions: Option<Routine<2>>,
    body: Routine<2>,
    writes: bool,
}

/// An environment's scripts, compiled and ready; shared by all its episodes.
pub struct Program {
    /// With all that is registered.
    pub(super) engine: Engine,
    /// The syntax tree of the script.
    pub(super) ast: AST,
    functions: Arc<Unit>,
    steps: BTreeMap<String, Step>,
}

/// A read-only expression over `db` and `args`, compiled.
#[derive(Clone)]
pub struct Expression {
    routine: Routine<2>,
    /// Tells it from all others of the process; copies have the same.
    pub(crate) number: u64,
}

const CALL: [&str; 2] = ["db", "args"];

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
        let mut problems = add_libraries(&mut engine, sources);
        let main = compile_source(&engine, &sources.main).map_err(|problem| problems.push(problem)).ok();
        for (i, body) in bodies.iter().enumerate() {
            for (j, expression) in body.preconditions.iter().enumerate() {
                let pointer = format!("/tools/{i}/preconditions/{j}/expr");
                problems.extend(parse_expression(&engine, expression).err().map(|p| p.below(&pointer)));
            }
        }
        let (Some(main), true) = (main, problems.is_empty()) else { return Err(problems) };
        let steps = compile_steps(&engine, &main, &sources.main.text, bodies)
            .map_err(|error| vec![Problem::error("/tools", "bad_script", error.to_string())])?;
        Ok(Program { functions: Unit::new(&main), ast: main, steps, engine })
    }

    /// Compiles a read-only expression over `db` and `args`.
    ///
    /// # Errors
    /// A problem placed at the root pointer; place it with [`Problem::below`].
    pub fn expression(&self, text: &str) -> Result<Expression, Problem> {
        self.parse(text)?;
        let ast = unit::compile(&self.engine, CALL, &format!("(\n{text}\n)"));
        let ast = ast.map_err(|e| Problem::error("", "bad_script", e.to_string()))?;
        // What an expression defines itself stands beside the script's functions; most define nothing.
        let unit = match ast.has_functions() {
            true => Unit::new(&with_functions(&self.ast, &ast)),
            false => Arc::clone(&self.functions),
        };
        Ok(Expression { routine: unit.routine(CALL, &ast), number: recall::number() })
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
    /// It stops, writes or is no truth value.
    pub fn holds(&self, expression: &Expression, db: Transaction, arguments: &Fields) -> Result<bool, Stopped> {
        let db = Db::new(db);
        fuel::start(fuel::TOOL_CALL);
        let arguments = Dynamic::from_map(to_rhai_map(arguments));
        let value = finished(self.call(&expression.routine, &db, [Dynamic::from(db.clone()), arguments]))?;
        if let Some(refused) = db.lock().refused() {
            return Err(Stopped::Fault(refused.to_owned()));
        }
        value.as_bool().map_err(|kind| {
            Stopped::Fault(format!("a predicate must be true or false, and this comes to {}", kind_in_words(kind)))
        })
    }

    /// What an expression comes to in a state for some arguments, where that has a JSON form.
    pub fn value(&self, text: &str, db: Transaction, arguments: &Fields) -> Option<Value> {
        let expression = self.expression(text).ok()?;
        let db = Db::new(db);
        fuel::start(fuel::TOOL_CALL);
        let arguments = Dynamic::from_map(to_rhai_map(arguments));
        to_json(&finished(self.call(&expression.routine, &db, [Dynamic::from(db.clone()), arguments])).ok()?).ok()
    }

    /// Runs a tool: preconditions read only, then the body. Returns what it printed as well.
    ///
    /// The transaction is handed back with the journal; the caller commits or drops it.
    pub fn run(&self, tool: &str, transaction: Transaction, arguments: &Fields) -> (Outcome, Transaction, Vec<String>) {
        let db = Db::new(transaction);
        fuel::start(fuel::TOOL_CALL);
        let outcome = match self.steps.get(tool) {
            Some(step) => self.run_step(step, &db, Dynamic::from_map(to_rhai_map(arguments))),
            None => Outcome::Returned(Value::Null),
        };
        (outcome, db.into_transaction(), fuel::prints())
    }

    fn run_step(&self, step: &Step, db: &Db, arguments: Dynamic) -> Outcome {
        let mut evaluation = Evaluation::new(step.body.unit(), &self.engine, Dynamic::from(db.clone()));
        if let Some(preconditions) = &step.preconditions {
            // The body gets the arguments as they came, whatever a precondition does to its own.
            let refused = evaluation.call(preconditions, [Dynamic::from(db.clone()), arguments.clone()]);
            match classify(refused) {
                Ok(refused) => {
                    if let Some(index) = refused.as_int().ok().and_then(|index| usize::try_from(index).ok()) {
                        return Outcome::Refused(index);
                    }
                }
                Err(outcome) => return outcome,
            }
        }
        if step.writes {
            db.lock().set_access(Access::Write);
        }
        let returned = evaluation.call(&step.body, [Dynamic::from(db.clone()), arguments]);
        let returned = match classify(returned) {
            Ok(value) => to_json(&value).map_err(|what| Outcome::Fault(format!("the result: {what}"))),
            Err(outcome) => Err(outcome),
        };
        match returned {
            // What is handed out counts as well.
            _ if fuel::is_spent() => spent(),
            Ok(observation) => Outcome::Returned(observation),
            Err(outcome) => outcome,
        }
    }

    /// Runs an event's function `(db)`.
    ///
    /// # Errors
    /// It did not come to its end.
    pub fn run_event(&self, function: &str, transaction: Transaction) -> Result<Db, Stopped> {
        let db = Db::new(transaction);
        fuel::start(fuel::TOOL_CALL);
        finished(self.call_function(function, ["db"], &db, [Dynamic::from(db.clone())])).map(|_| db)
    }

    /// Runs the function `(db, rng, size)` that fills the initial state.
    ///
    /// # Errors
    /// It did not come to its end.
    pub fn populate(
        &self,
        function: &str,
        transaction: Transaction,
        stream: Stream,
        size: &Fields,
    ) -> Result<Db, Stopped> {
        let db = Db::new(transaction);
        fuel::start(fuel::POPULATE);
        let size = Dynamic::from_map(to_rhai_map(size));
        let arguments = [Dynamic::from(db.clone()), Dynamic::from(Rng::new(stream)), size];
        finished(self.call_function(function, ["db", "rng", "size"], &db, arguments)).map(|_| db)
    }

    /// Whether the script has a function of this name and number of parameters.
    pub fn has_function(&self, name: &str, parameters: usize) -> bool {
        self.ast.iter_functions().any(|function| function.name == name && function.params.len() == parameters)
    }

    /// Whether an expression may call what is written in a script: then an error may stand there.
    pub fn may_call_functions(&self, expression: &str) -> bool {
        expression.contains("::")
            || self.ast.iter_functions().any(|function| expression.contains(&format!("{}(", function.name)))
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
        self.call(&self.functions.routine(variables, &call), db, values)
    }
}

/// The steps of the tools by name. They see each other's functions, so that they can share what was looked up.
fn compile_steps(
    engine: &Engine,
    main: &AST,
    text: &str,
    bodies: &[Body],
) -> Result<BTreeMap<String, Step>, ParseError> {
    let mut all = main.clone();
    let mut parsed = Vec::new();
    for body in bodies {
        let preconditions = unit::compile(engine, CALL, &preconditions(body))?;
        let statements = body_text(main, text, &body.name).unwrap_or_else(|| format!("{}(db, args)", body.name));
        let call = unit::compile(engine, CALL, &statements)?;
        for own in [&preconditions, &call].into_iter().filter(|own| own.has_functions()) {
            all = with_functions(&all, own);
        }
        parsed.push((body, preconditions, call));
    }
    let unit = Unit::new(&all);
    let step = |(body, preconditions, call): (&Body, AST, AST)| {
        let preconditions = (!body.preconditions.is_empty()).then(|| unit.routine(CALL, &preconditions));
        (body.name.to_string(), Step { preconditions, body: unit.body(CALL, &call), writes: body.writes })
    };
    Ok(parsed.into_iter().map(step).collect())
}

/// A script with the functions of statements beside its own.
fn with_functions(script: &AST, own: &AST) -> AST {
    let mut all = script.merge(own);
    all.set_source(script.source().unwrap_or_default());
    all
}

/// The statements of a tool's function where they stand in the script, if it calls its parameters `db` and
/// `args` as preconditions do: they need no call, which would copy the arguments.
fn body_text(main: &AST, text: &str, tool: &str) -> Option<String> {
    let function = main.iter_fn_def().find(|function| function.name == tool && function.params.as_ref() == CALL)?;
    let place = |position: Position| Some((position.line()?, position.position()?));
    let (from, to) = (place(function.body.start_position())?, place(function.body.end_position())?);
    let mut kept = String::new();
    for (index, line) in text.split('\n').enumerate().take(to.0) {
        // Braces and all outside become blanks, so that errors are placed as they are in the script.
        let is_inside = |column: usize| (index + 1, column + 1) > from && (index + 1, column + 1) < to;
        kept.extend(line.chars().enumerate().map(|(column, c)| if is_inside(column) { c } else { ' ' }));
        kept.push('\n');
    }
    Some(kept)
}

/// A tool's preconditions in order, as one text: one call into Rhai is cheaper than one for each.
fn preconditions(body: &Body) -> String {
    let texts = body.preconditions.iter().enumerate();
    // `else` and not `!`, which would be one more call of a function.
    texts
        .map(|(index, expression)| format!("if (\n{expression}\n) {{ }} else {{ return {index}; }}\n"))
        .collect::<String>()
        + "()"
}

/// What a value of Rhai is, in an author's words.
fn kind_in_words(kind: &str) -> &str {
    match kind {
        "string" | "char" => "a text",
        "i64" => "a whole number",
        "f64" => "a number",
        "array" => "a list",
        "map" => "an object",
        "()" => "nothing",
        _ => "something else",
    }
}
