//! The variables in reach: what they hold, and whether anybody looks at it.

use rhai::Position;

use super::types::{DeclarationSite, Type};
use super::walk::Walker;
use crate::script::error::line_column;

pub(super) struct Variable {
    name: String,
    holds: Type,
    /// Where it was declared; what it holds is then kept over all its assignments.
    key: Option<DeclarationSite>,
    declared_at: Position,
    is_let: bool,
    is_used: bool,
    is_read: bool,
    is_used_whole: bool,
    assigned_into: Option<Position>,
    pushed_into: Option<Position>,
}

impl Walker<'_> {
    pub(super) fn bind(&mut self, name: &str, holds: Type, key: Option<DeclarationSite>) {
        self.push(name, holds, key, Position::NONE, false);
    }

    fn push(&mut self, name: &str, holds: Type, key: Option<DeclarationSite>, declared_at: Position, is_let: bool) {
        self.scope.push(Variable {
            name: name.to_owned(),
            holds,
            key,
            declared_at,
            is_let,
            is_used: false,
            is_read: false,
            is_used_whole: false,
            assigned_into: None,
            pushed_into: None,
        });
    }

    /// Puts a variable into reach that is declared at a place of the code.
    pub(super) fn declare(&mut self, name: &str, at: Position, holds: Type, is_let: bool) {
        let (line, column) = line_column(at);
        let key = (self.library.clone(), line, column);
        self.facts.assigned(&key, holds);
        let holds = self.facts.variables.get(&key).cloned().unwrap_or(Type::Any);
        self.push(name, holds, Some(key), at, is_let);
    }

    pub(super) fn variable(&mut self, name: &str) -> Option<&mut Variable> {
        self.scope.iter_mut().rev().find(|variable| variable.name == name)
    }

    /// What a variable is worth as a whole.
    pub(super) fn read(&mut self, name: &str) -> Type {
        let Some(variable) = self.variable(name) else { return Type::Any };
        (variable.is_used, variable.is_read, variable.is_used_whole) = (true, true, true);
        variable.holds.clone()
    }

    /// What stands in a variable, without a look at it.
    pub(super) fn holds(&mut self, name: &str) -> Option<Type> {
        self.variable(name).map(|variable| variable.holds.clone())
    }

    /// Puts a value into a variable. What parameters hold is not kept from round to round.
    pub(super) fn assign(&mut self, name: &str, value: Type) {
        let Some(variable) = self.variable(name) else { return };
        match variable.key.clone() {
            Some(key) => self.facts.assigned(&key, value),
            None => variable.holds = variable.holds.clone().join(value),
        }
    }

    pub(super) fn key_of(&mut self, name: &str) -> Option<DeclarationSite> {
        self.variable(name)?.key.clone()
    }

    /// Ends the reach of all variables but the first `keep`.
    pub(super) fn close(&mut self, keep: usize) {
        for variable in self.scope.split_off(keep.min(self.scope.len())) {
            let name = &variable.name;
            if variable.is_let && !variable.is_used && !name.starts_with('_') {
                let help = "remove it, or start its name with `_`".to_owned();
                self.report.warning(variable.declared_at, "unused_variable", format!("`{name}` is never read"), help);
            }
            let pushed = variable.pushed_into.filter(|_| !variable.is_read);
            let lost = variable.assigned_into.or(pushed).filter(|_| !variable.is_used_whole);
            if let Some(at) = lost.filter(|_| variable.holds.is_copied_container()) {
                let message = format!("`{name}` is a copy of a part of the state, so this write is lost");
                let help =
                    format!("write through the entity (`row.field.x = ..`), or put `{name}` back into its field");
                self.report.error(at, "lost_write", message, help);
            }
        }
    }

    /// Notes that a variable is the root of a chain, and what the chain does.
    pub(super) fn note_use(&mut self, name: Option<&str>, write: Option<Position>, mutated: Option<Position>) {
        if let Some(variable) = name.and_then(|name| self.variable(name)) {
            variable.is_used = true;
            match (write, mutated) {
                (Some(at), _) => drop(variable.assigned_into.get_or_insert(at)),
                (None, Some(at)) => drop(variable.pushed_into.get_or_insert(at)),
                (None, None) => variable.is_read = true,
            }
        }
    }

    /// A list that something is pushed into holds that from then on.
    pub(super) fn note_push(&mut self, name: Option<&str>, list: &Type, method: &str, item: Option<&Type>) {
        let key = name.and_then(|name| self.variable(name)).and_then(|variable| variable.key.clone());
        if let (Some(key), Type::List(_), "push" | "insert", Some(item)) = (key, list, method, item) {
            self.facts.assigned(&key, Type::list(item.clone()));
        }
    }
}
