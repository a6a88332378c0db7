//! Compiled functions and what Rhai remembers between calls of them.
//!
//! `Engine::call_fn` looks up every function anew in each call, which costs more than the calls
//! themselves; here one memory of look-ups serves many calls (docs/adr/0006).

use std::sync::{Arc, Mutex, PoisonError};

use rhai::{
    AST, Caches, Dynamic, Engine, EvalAltResult, GlobalRuntimeState, ImmutableString, Module, ParseError, Scope,
    Shared, Stmt,
};

/// What came of a call into Rhai.
pub type Called = Result<Dynamic, Box<EvalAltResult>>;

/// Functions that see each other. Shared by all threads; each call takes a memory of its own.
#[derive(Debug)]
pub struct Unit {
    functions: Shared<Module>,
    /// The script that they stand in.
    file: Option<ImmutableString>,
    memories: Mutex<Vec<Caches>>,
}

/// Statements over some variables that may call the functions of a unit.
#[derive(Clone, Debug)]
pub struct Routine<const N: usize> {
    unit: Arc<Unit>,
    variables: [&'static str; N],
    statements: Arc<[Stmt]>,
    /// The script that they stand in themselves; none for an expression.
    file: Option<ImmutableString>,
}

/// Compiles statements over `variables`.
///
/// # Errors
/// What the compiler says.
pub fn compile<const N: usize>(engine: &Engine, variables: [&'static str; N], text: &str) -> Result<AST, ParseError> {
    let mut scope = Scope::new();
    scope.extend(variables.map(|name| (name, Dynamic::UNIT)));
    engine.compile_with_scope(&scope, text)
}

impl Unit {
    /// The functions of a syntax tree.
    pub fn new(ast: &AST) -> Arc<Self> {
        let (functions, file) = (Arc::clone(ast.shared_lib()), ast.source().map(ImmutableString::from));
        Arc::new(Unit { functions, file, memories: Mutex::default() })
    }

    /// The statements of `ast`, which was compiled over the same variables.
    pub fn routine<const N: usize>(self: &Arc<Self>, variables: [&'static str; N], ast: &AST) -> Routine<N> {
        Routine { unit: Arc::clone(self), variables, statements: ast.statements().into(), file: None }
    }

    /// [`Unit::routine`] of statements that stand where they do in the script.
    pub fn body<const N: usize>(self: &Arc<Self>, variables: [&'static str; N], ast: &AST) -> Routine<N> {
        Routine { file: self.file.clone(), ..self.routine(variables, ast) }
    }

    fn take_memory(&self) -> Caches {
        self.memories.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, memory: Caches) {
        self.memories.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}

impl<const N: usize> Routine<N> {
    /// Runs it with these values; `tag` is what native functions find as the call's tag.
    ///
    /// # Errors
    /// What stopped the script.
    pub fn call(&self, engine: &Engine, tag: Dynamic, values: [Dynamic; N]) -> Called {
        Evaluation::new(&self.unit, engine, tag).call(self, values)
    }

    /// The functions it may call.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }
}

/// Routines of one unit that run one after the other; a call of each costs far less than one alone.
pub struct Evaluation<'a> {
    unit: &'a Unit,
    engine: &'a Engine,
    global: GlobalRuntimeState,
    memory: Option<Caches>,
}

impl<'a> Evaluation<'a> {
    /// `tag` is what native functions find as the call's tag.
    pub fn new(unit: &'a Unit, engine: &'a Engine, tag: Dynamic) -> Self {
        let mut global = engine.new_global_runtime_state();
        global.lib.push(Arc::clone(&unit.functions));
        global.source = unit.file.clone();
        global.tag = tag;
        Evaluation { unit, engine, global, memory: Some(unit.take_memory()) }
    }

    /// Runs a routine of the unit with these values.
    ///
    /// # Errors
    /// What stopped the script.
    pub fn call<const N: usize>(&mut self, routine: &Routine<N>, values: [Dynamic; N]) -> Called {
        let mut scope = Scope::new();
        scope.extend(routine.variables.into_iter().zip(values));
        let mut memory = self.memory.take().unwrap_or_default();
        #[expect(deprecated, reason = "the only public way to keep look-ups from call to call")]
        let called = self.engine.eval_statements_raw(&mut self.global, &mut memory, &mut scope, &routine.statements);
        // After an error the memory may hold look-ups of scopes that were left; it is not worth keeping.
        let (value, memory) = match called {
            Ok(value) => (Ok(value), Some(memory)),
            Err(error) => (Err(innermost(error, routine.file.as_deref())), None),
        };
        self.memory = memory;
        value
    }
}

impl Drop for Evaluation<'_> {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.take() {
            self.unit.give_back(memory);
        }
    }
}

/// The error itself and the script that it stands in: which function of ours called which is of no use to an author.
fn innermost(mut error: Box<EvalAltResult>, file: Option<&str>) -> Box<EvalAltResult> {
    let mut script = file.unwrap_or_default().to_owned();
    loop {
        match *error {
            EvalAltResult::ErrorInFunctionCall(_, own, inner, _) => {
                script = if own.is_empty() { script } else { own };
                error = inner;
            }
            inner if script.is_empty() => return inner.into(),
            inner => {
                let (name, at) = (String::new(), inner.position());
                return EvalAltResult::ErrorInFunctionCall(name, script, inner.into(), at).into();
            }
        }
    }
}
