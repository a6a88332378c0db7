//! Reads the body of a function, statement by statement, with what each variable holds.

use std::sync::Arc;

use rhai::{AST, Expr, FlowControl, Ident, OpAssignment, Position, Stmt, StmtBlock};

use super::access::is_mutation;
use super::chain::{Link, flatten};
use super::facts::{Facts, Reporter, Summary};
use super::scope::Variable;
use super::types::Type;
use super::world::{Function, FunctionId, World};

pub(super) struct Walker<'a> {
    pub(super) world: &'a World,
    pub(super) facts: &'a mut Facts,
    pub(super) report: &'a mut Reporter,
    /// The library the code belongs to; empty for the main script.
    pub(super) library: String,
    pub(super) summary: Summary,
    /// What `this` is.
    pub(super) this: Type,
    pub(super) scope: Vec<Variable>,
    pub(super) returned: Type,
    pub(super) depth: usize,
    /// The closures of the expression that is being read, if it is no function.
    pub(super) closures: &'a [(String, Arc<Function>)],
}

impl<'a> Walker<'a> {
    pub(super) fn new(world: &'a World, facts: &'a mut Facts, report: &'a mut Reporter, library: &str) -> Self {
        Walker {
            world,
            facts,
            report,
            library: library.to_owned(),
            summary: Summary::default(),
            this: Type::Any,
            scope: Vec::new(),
            returned: Type::Nothing,
            depth: 0,
            closures: &[],
        }
    }

    /// Reads a function's body; what it returns is noted.
    pub(super) fn function(mut self, id: &FunctionId, function: &Function) -> Summary {
        let known = self.facts.parameters.get(id).cloned().unwrap_or_default();
        for (index, name) in function.parameters.iter().enumerate() {
            let holds = match known.get(index) {
                None | Some(Type::Nothing) if name == "db" => Type::Db,
                None | Some(Type::Nothing) => Type::Any,
                Some(holds) => holds.clone(),
            };
            self.bind(name, holds, None);
        }
        let last = self.body(function);
        let returned = std::mem::replace(&mut self.returned, Type::Nothing).join(last);
        self.close(0);
        self.facts.returned(id, returned);
        self.summary
    }

    pub(super) fn body(&mut self, function: &Function) -> Type {
        self.statements(&function.body)
    }

    pub(super) fn own_closure(&self, name: &str) -> Option<Arc<Function>> {
        self.closures.iter().find(|(own, _)| own == name).map(|(_, closure)| Arc::clone(closure))
    }

    /// Reads an expression over `db` and `args`.
    pub(super) fn expression(
        mut self,
        tree: &'a AST,
        closures: &'a [(String, Arc<Function>)],
        arguments: Type,
    ) -> Summary {
        self.closures = closures;
        self.bind("db", Type::Db, None);
        self.bind("args", arguments, None);
        for statement in tree.statements() {
            self.statement(statement);
        }
        self.summary
    }

    pub(super) fn block(&mut self, block: &StmtBlock) -> Type {
        self.statements(block.statements())
    }

    fn statements(&mut self, statements: &[Stmt]) -> Type {
        let keep = self.scope.len();
        let mut last = Type::Nothing;
        for statement in statements {
            last = self.statement(statement);
        }
        self.close(keep);
        last
    }

    fn statement(&mut self, statement: &Stmt) -> Type {
        match statement {
            Stmt::If(flow, _) => {
                self.value(&flow.expr);
                let then = self.block(&flow.body);
                then.join(self.block(&flow.branch))
            }
            Stmt::Switch(parts, _) => {
                self.value(&parts.0);
                let mut value = Type::Nothing;
                for case in &parts.1.expressions {
                    self.value(&case.lhs);
                    value = value.join(self.value(&case.rhs));
                }
                value
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.value(&flow.expr);
                self.block(&flow.body);
                Type::Any
            }
            Stmt::For(parts, _) => {
                self.for_loop(parts);
                Type::Nothing
            }
            Stmt::Var(parts, ..) => {
                let holds = self.value(&parts.1);
                self.declare(&parts.0.name, parts.0.pos, holds, true);
                Type::Nothing
            }
            Stmt::Assignment(parts) => {
                self.assignment(&parts.0, &parts.1.lhs, &parts.1.rhs);
                Type::Nothing
            }
            Stmt::TryCatch(flow, _) => {
                self.try_catch(flow);
                Type::Nothing
            }
            Stmt::FnCall(call, at) => self.call(call, *at),
            Stmt::Block(block) => self.block(block),
            Stmt::Expr(expression) => self.value(expression),
            Stmt::BreakLoop(Some(value), ..) => self.value(value),
            Stmt::Return(Some(value), flags, _) => {
                let value = self.value(value);
                if !flags.contains(rhai::ASTFlags::BREAK) {
                    let before = std::mem::replace(&mut self.returned, Type::Nothing);
                    self.returned = before.join(value);
                }
                Type::Nothing
            }
            _ => Type::Nothing,
        }
    }

    fn for_loop(&mut self, parts: &(Ident, Option<Ident>, FlowControl)) {
        let list = self.value(&parts.2.expr);
        let keep = self.scope.len();
        self.declare(&parts.0.name, parts.0.pos, list.element(), false);
        if let Some(counter) = &parts.1 {
            self.declare(&counter.name, counter.pos, Type::Any, false);
        }
        self.block(&parts.2.body);
        self.close(keep);
    }

    fn try_catch(&mut self, flow: &FlowControl) {
        self.block(&flow.body);
        let keep = self.scope.len();
        if let Expr::Variable(name, _, at) = &flow.expr {
            self.declare(&name.1, *at, Type::Any, false);
        }
        self.block(&flow.branch);
        self.close(keep);
    }

    fn assignment(&mut self, operator: &OpAssignment, target: &Expr, value: &Expr) {
        let holds = self.value(value);
        if let Expr::Variable(name, _, _) = target {
            let keeps_type = operator.is_op_assignment();
            if !keeps_type {
                self.assign(&name.1, holds);
            }
            return;
        }
        self.chain(target, Some((operator.position(), value)));
    }

    /// What an expression is worth; a closure that nobody takes is read with anything as its arguments.
    pub(super) fn value(&mut self, expression: &Expr) -> Type {
        let value = self.raw(expression);
        if let Type::Closure(closure) = &value {
            self.closure(closure, &[]);
        }
        value
    }

    /// The same, but a closure is handed out unread.
    pub(super) fn raw(&mut self, expression: &Expr) -> Type {
        match expression {
            Expr::DynamicConstant(constant, at) => {
                let value = Type::of_constant(constant);
                // Rhai makes a constant of `Fn("name")` in an expression; closures have no name of their own.
                if let Type::Closure(closure) = &value
                    && !closure.name.contains('$')
                {
                    self.named(&closure.name, *at);
                }
                value
            }
            Expr::InterpolatedString(parts, _) => self.all(parts, Type::Any),
            Expr::Array(items, _) => {
                let of = items.iter().fold(Type::Nothing, |of, item| of.join(self.value(item)));
                Type::list(of)
            }
            Expr::Map(map, _) => self.all(map.0.iter().map(|(_, value)| value), Type::Any),
            Expr::Variable(name, _, _) => self.read(&name.1),
            Expr::ThisPtr(_) => self.this.clone(),
            Expr::Stmt(block) => self.captured(block).unwrap_or_else(|| self.block(block)),
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::And(parts, _) | Expr::Or(parts, _) => self.all(parts.iter(), Type::Any),
            Expr::Coalesce(parts, _) => parts.iter().fold(Type::Nothing, |value, part| value.join(self.value(part))),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expression, None),
            Expr::Unit(_) => Type::Nothing,
            _ => Type::Any,
        }
    }

    fn all<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>, value: Type) -> Type {
        parts.into_iter().for_each(|part| drop(self.value(part)));
        value
    }

    /// Follows a chain; `write` is the place of the assignment and its value when the last link is the target.
    pub(super) fn chain(&mut self, chain: &Expr, write: Option<(Position, &Expr)>) -> Type {
        let (root, links) = flatten(chain);
        let name = match root {
            Expr::Variable(variable, _, _) => Some(variable.1.to_string()),
            _ => None,
        };
        let held = name.as_deref().and_then(|name| self.holds(name));
        let mut here = held.unwrap_or_else(|| self.value(root));
        let (mut through_state, mut mutated) = (false, None);
        for (index, link) in links.iter().enumerate() {
            through_state |= here.is_handle();
            let is_target = write.is_some() && index + 1 == links.len();
            here = match link {
                Link::Property(name, at) => self.property(&here, name, *at, is_target),
                Link::Index(by) => self.index(&here, by, is_target),
                Link::Method(call, at) => {
                    let (value, arguments) = self.method(&here, call, *at);
                    if is_mutation(&here, &call.name) {
                        self.note_push(name.as_deref().filter(|_| index == 0), &here, &call.name, arguments.last());
                        match through_state {
                            true => self.summary.writes.push(*at),
                            false => mutated = Some(*at),
                        }
                    }
                    // What a method returns is no part of the state, unless it is a handle again.
                    through_state = false;
                    value
                }
            };
        }
        if let Some((at, value)) = write.filter(|_| through_state) {
            self.summary.writes.push(at);
            self.check_entity(&here, value);
        }
        self.note_use(name.as_deref(), write.map(|(at, _)| at), mutated);
        here
    }
}
