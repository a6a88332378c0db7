//! Calls: is the function there, what does it return, and what does a closure get.

use std::sync::Arc;

use rhai::{Expr, FnCallExpr, Position, Stmt, StmtBlock};

use super::chain::literal;
use super::types::{Closure, Type};
use super::walk::Walker;
use super::world::{FunctionId, is_word};
use crate::model::suggest;

/// What other languages call their chance.
const CHANCE: [&str; 9] =
    ["rand", "random", "rand_int", "randint", "rand_float", "rand_bool", "randrange", "choice", "uuid"];

/// Closures within closures deeper than this are not read.
const MAX_CLOSURES: usize = 8;

impl Walker<'_> {
    /// The block that Rhai makes of a closure with captured variables.
    pub(super) fn captured(&mut self, block: &StmtBlock) -> Option<Type> {
        let [Stmt::Share(_), Stmt::Expr(curry)] = block.statements() else { return None };
        let Expr::FnCall(curry, _) = &**curry else { return None };
        let (pointer, captured) = curry.args.split_first()?;
        let Type::Closure(closure) = self.raw(pointer) else { return None };
        let captured = captured.iter().map(|variable| {
            let holds = self.raw(variable);
            let key = match variable {
                Expr::Variable(name, _, _) => self.key_of(&name.1),
                _ => None,
            };
            (holds, key)
        });
        let captured = captured.collect();
        Some(Type::Closure(Arc::new(Closure { name: closure.name.clone(), captured })))
    }

    /// Reads a closure that is called with `arguments`; what it returns.
    pub(super) fn closure(&mut self, closure: &Closure, arguments: &[Type]) -> Type {
        let Some(function) =
            self.world.closure(&self.library, &closure.name).or_else(|| self.own_closure(&closure.name))
        else {
            return Type::Any;
        };
        if self.depth >= MAX_CLOSURES {
            return Type::Any;
        }
        self.depth += 1;
        let outer = std::mem::take(&mut self.scope);
        let returned = std::mem::replace(&mut self.returned, Type::Nothing);
        let captured = closure.captured.iter().cloned();
        let own = arguments.iter().map(|holds| (holds.clone(), None));
        let rest = std::iter::repeat((Type::Any, None));
        for (name, (holds, key)) in function.parameters.iter().zip(captured.chain(own).chain(rest)) {
            self.bind(name, holds, key);
        }
        let last = self.body(&function);
        self.close(0);
        self.scope = outer;
        self.depth -= 1;
        std::mem::replace(&mut self.returned, returned).join(last)
    }

    /// What a call's arguments are worth; closures are read with what the receiver's list holds.
    pub(super) fn arguments(&mut self, receiver: &Type, name: &str, args: &[Expr]) -> Vec<Type> {
        let mut values = Vec::new();
        for arg in args {
            let value = self.raw(arg);
            let Type::Closure(closure) = &value else {
                values.push(value);
                continue;
            };
            let item = receiver.element();
            let given = match name {
                "reduce" | "reduce_rev" => vec![Type::Any, item.clone(), Type::Any],
                "sort" | "sort_by" | "order" | "order_by" | "dedup" => vec![item.clone(), item.clone()],
                "for_each" => vec![Type::Any],
                _ => vec![item.clone(), Type::Any],
            };
            let this = std::mem::replace(&mut self.this, item);
            let returned = self.closure(closure, &given);
            self.this = this;
            values.push(Type::list(returned));
        }
        values
    }

    /// A call in the style of a function, or an operator.
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Position) -> Type {
        if !call.namespace.is_empty() {
            return self.library_call(call, at);
        }
        let first = match call.args.first() {
            Some(first) => self.value(first),
            None => Type::Any,
        };
        let rest = call.args.get(1..).unwrap_or_default();
        let mut arguments = self.arguments(&first, &call.name, rest);
        if !call.args.is_empty() {
            arguments.insert(0, first.clone());
        }
        if call.is_operator_call() || call.name == "contains" {
            self.comparison(call, &arguments, at);
            return self.operator(call, &first, &arguments);
        }
        if let Some(id) = self.world.function(&self.library, &call.name, call.args.len()) {
            return self.script_call(id, &arguments);
        }
        match call.name.as_str() {
            "fail" => self.fail(call, at),
            "Fn" => self.pointer(call, at),
            _ => {}
        }
        if !self.world.has_native(&call.name, call.args.len()) {
            self.unknown_function(call, false, at);
            return Type::Any;
        }
        if super::access::is_mutation(&first, &call.name) && matches!(first, Type::Table(_)) {
            self.summary.writes.push(at);
        }
        self.method_value(&first, &call.name, rest, arguments.get(1..).unwrap_or_default())
    }

    fn operator(&mut self, call: &FnCallExpr, first: &Type, arguments: &[Type]) -> Type {
        match (call.name.as_str(), first) {
            ("contains", Type::Closed(..)) => {
                let rest = call.args.get(1..).unwrap_or_default();
                self.method_value(first, "contains", rest, arguments)
            }
            ("+", Type::List(_)) => arguments.iter().cloned().fold(Type::Nothing, Type::join),
            _ => Type::Any,
        }
    }

    fn script_call(&mut self, id: FunctionId, arguments: &[Type]) -> Type {
        let plain = |value: &Type| if matches!(value, Type::Closure(_)) { Type::Any } else { value.clone() };
        let arguments: Vec<Type> = arguments.iter().map(plain).collect();
        self.facts.called(&id, &arguments);
        let returns = self.facts.returns.get(&id).cloned().unwrap_or(Type::Nothing);
        self.summary.calls.insert(id);
        returns
    }

    fn library_call(&mut self, call: &FnCallExpr, at: Position) -> Type {
        let library: Vec<&str> = call.namespace.path.iter().map(|part| part.name.as_str()).collect();
        let library = library.join("::");
        let arguments = self.arguments(&Type::Any, "", &call.args);
        if let Some(id) = self.world.function(&library, &call.name, call.args.len()) {
            return self.script_call(id, &arguments);
        }
        let in_library = self.world.written().filter(|(id, _)| id.0 == library);
        let known: Vec<(String, usize)> = in_library.map(|(id, _)| (id.1.clone(), id.2)).collect();
        let name = format!("{library}::{}", call.name);
        let (message, help) = wrong_call(&name, &call.name, call.args.len(), &known);
        self.report.error(at, "unknown_function", message, help);
        Type::Any
    }

    /// A method must be there; on a handle it must be one of the handle's own.
    pub(super) fn check_method(&mut self, receiver: &Type, call: &FnCallExpr, at: Position) {
        if let Some(id) = self.world.function(&self.library, &call.name, call.args.len()) {
            self.summary.calls.insert(id);
            return;
        }
        let handle = match receiver {
            Type::Db => "db",
            Type::Table(_) => "collection",
            Type::Row(_) => "entity",
            Type::Nothing | Type::Any | Type::List(_) | Type::Closed(..) | Type::Copy(_) | Type::Closure(_) => {
                if !self.world.has_native(&call.name, call.args.len() + 1) {
                    self.unknown_function(call, true, at);
                }
                return;
            }
        };
        if self.world.has_method(handle, &call.name, call.args.len() + 1) {
            return;
        }
        let names = self.world.method_names(handle);
        let message = if names.contains(call.name.as_str()) {
            format!("`{}` of {} is not called with {}", call.name, called(handle), count(call.args.len()))
        } else {
            format!("{} has no method `{}`", called(handle), call.name)
        };
        let help = match (handle, self.world.has_native(&call.name, call.args.len() + 1)) {
            ("collection", true) => format!("`.values()` gives its entities as a list: `.values().{}(..)`", call.name),
            _ => suggest::help(&call.name, names.iter().copied()),
        };
        self.report.error(at, "unknown_function", message, help);
    }

    fn unknown_function(&mut self, call: &FnCallExpr, is_method: bool, at: Position) {
        let own = self.world.written().filter(|(id, _)| id.0 == self.library).map(|(id, _)| (id.1.clone(), id.2));
        let natives = self.world.natives.iter().filter(|(name, _)| is_word(name));
        let natives = natives.flat_map(|(name, counts)| counts.iter().map(|count| (name.clone(), *count)));
        let known: Vec<(String, usize)> = own.chain(natives).collect();
        let shown = if is_method { format!(".{}", call.name) } else { call.name.to_string() };
        let (message, help) = wrong_call(&shown, &call.name, call.args.len(), &known);
        self.report.error(at, "unknown_function", message, help);
    }

    fn fail(&mut self, call: &FnCallExpr, at: Position) {
        match call.args.first().and_then(literal) {
            Some(code) => self.summary.fails.push((code.to_owned(), at)),
            None => self.summary.fails_with_any = true,
        }
    }

    /// `Fn("name")`: whatever has that name may be called.
    fn pointer(&mut self, call: &FnCallExpr, at: Position) {
        let Some(name) = call.args.first().and_then(literal) else {
            let help = "write `Fn(\"name\")`, or a closure".to_owned();
            self.report.error(at, "computed_function", "`Fn` needs the name of a function in quotes".to_owned(), help);
            return;
        };
        self.named(name, at);
    }

    /// A function that is named rather than called.
    pub(super) fn named(&mut self, name: &str, at: Position) {
        let named = self.world.written().filter(|(id, _)| id.0 == self.library && id.1 == name);
        let named: Vec<FunctionId> = named.map(|(id, _)| id.clone()).collect();
        if named.is_empty() && !self.world.natives.contains_key(name) {
            let help = "write it, or use another".to_owned();
            self.report.error(at, "unknown_function", format!("there is no function `{name}`"), help);
        } else if named.is_empty() {
            // What a closure names is counted; a function of Rhai's own names nothing.
            let message = format!("`{name}` is no function of the script");
            self.report.error(at, "native_function", message, format!("write a closure that calls `{name}`"));
        }
        self.summary.calls.extend(named);
    }
}

fn called(handle: &str) -> &'static str {
    match handle {
        "db" => "`db`",
        "collection" => "a collection",
        _ => "an entity",
    }
}

fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{arguments} arguments"),
    }
}

/// What to say about a call that fits no function; `known` has names and numbers of parameters.
fn wrong_call(shown: &str, name: &str, arguments: usize, known: &[(String, usize)]) -> (String, String) {
    let is_method = shown.starts_with('.');
    let counts = known.iter().filter(|(known, _)| known == name);
    let counts: std::collections::BTreeSet<usize> =
        counts.filter_map(|(_, count)| count.checked_sub(usize::from(is_method))).collect();
    if counts.is_empty() {
        let message = format!("there is no function `{shown}` with {}", count(arguments));
        if CHANCE.contains(&name) {
            let help = "only `populate` has chance, by its `rng`: `rng.range(1, 6)`; a tool does the same each time";
            return (message, help.to_owned());
        }
        let near = suggest::nearest(name, known.iter().map(|(name, _)| name.as_str()));
        let help = near.map_or_else(|| "write it, or use another".to_owned(), |near| format!("did you mean `{near}`?"));
        return (message, help);
    }
    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
    let message = format!("`{shown}` is not called with {}", count(arguments));
    (message, format!("it takes {}", counts.join(" or ")))
}
