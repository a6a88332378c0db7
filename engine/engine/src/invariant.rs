//! Invariants: what an environment says of every state, asked by checks and never during a run.

use serde_json::Value;

use super::environment::Environment;
use super::script::outcome::Stopped;
use super::script::program::Expression;
use super::state::{Fields, State, entity_path};
use super::transaction::{Access, Transaction};
use crate::model::diagnostic::Problem;
use crate::model::environment_file::{InvariantFile, SlotKind, properties};
use crate::model::ids::is_identifier;
use crate::model::pointer::join;
use crate::model::suggest;

/// An invariant that does not hold in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenInvariant {
    /// The JSON Pointer of what says it in the environment's file.
    pub at: String,
    /// Its name; of a reference, the field.
    pub name: String,
    /// Its sentence, or why it cannot be told; of a reference, where it leads nowhere.
    pub what: String,
}

impl Environment {
    /// What does not hold in a state: references that lead nowhere, then invariants in the order of the file.
    pub fn broken_invariants(&self, state: &State) -> Vec<BrokenInvariant> {
        let references = self.file.state.iter().flat_map(|(part, slot)| {
            slot.refers.iter().filter_map(move |(field, to)| self.broken_reference(state, part, field, to))
        });
        let invariants = self.file.invariants.iter().zip(&self.invariants).enumerate();
        let broken = |(index, (file, holds)): (usize, (&InvariantFile, &Expression))| {
            let transaction = Transaction::new(state.clone(), Access::ReadOnly);
            let what = match self.program().holds(holds, transaction, &Fields::new()).map_err(Stopped::into_detail) {
                Ok(true) => return None,
                Ok(false) => file.sentence.clone(),
                Err(detail) => format!("it cannot be told: {detail}"),
            };
            Some(BrokenInvariant { at: format!("/invariants/{index}/holds"), name: file.name.clone(), what })
        };
        references.chain(invariants.filter_map(broken)).collect()
    }

    /// The first entity of a part whose field names what is not there.
    fn broken_reference(&self, state: &State, part: &str, field: &str, to: &str) -> Option<BrokenInvariant> {
        let (from, target) = (self.shape.index(part)?, self.shape.index(to)?);
        let (key, lost) = state.entities(from).find_map(|(key, fields)| {
            let keys = fields.get(field).map_or(&[][..], |value| match value {
                Value::Array(items) => items.as_slice(),
                _ => std::slice::from_ref(value),
            });
            let lost = keys.iter().filter_map(Value::as_str).find(|to| state.get(target, to).is_none())?;
            Some((key, lost))
        })?;
        let path = self.shape.slots.get(from).map(|shape| entity_path(shape, key)).unwrap_or_default();
        let what = format!("{path}/{field} is `{lost}`, which is not in `{to}`");
        let at = join(["state", part, "refers", field]);
        Some(BrokenInvariant { at, name: format!("{part}.{field}"), what })
    }

    /// What is wrong with references: fields and collections that are not there.
    pub(super) fn check_references(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (part, slot) in &self.file.state {
            let fields = properties(&slot.item);
            for (field, to) in &slot.refers {
                let at = join(["state", part, "refers", field]);
                if !fields.contains_key(field) {
                    let help = suggest::help(field, fields.keys().map(String::as_str));
                    let message = format!("`{part}` has no field `{field}`");
                    problems.push(Problem::error(&at, "unknown_field", message).help(help));
                }
                if self.file.state.get(to).is_none_or(|slot| slot.kind == SlotKind::Record) {
                    let help = suggest::help(to, self.file.state.keys().map(String::as_str));
                    problems.push(
                        Problem::error(&at, "unknown_collection", format!("there is no collection `{to}`")).help(help),
                    );
                }
            }
        }
        problems
    }

    /// Compiles the invariants; what is wrong with them.
    pub(super) fn compile_invariants(&self) -> (Vec<Expression>, Vec<Problem>) {
        let (mut compiled, mut problems) = (Vec::new(), Vec::new());
        for (i, invariant) in self.file.invariants.iter().enumerate() {
            let at = format!("/invariants/{i}");
            let name = &invariant.name;
            if !is_identifier(name) {
                let problem = Problem::error(format!("{at}/name"), "bad_name", format!("`{name}` is not a name"));
                problems.push(problem.help("lower-case letters, digits and `_`, 64 at most"));
            }
            if self.file.invariants.iter().take(i).any(|known| known.name == *name) {
                let message = format!("there are two invariants `{name}`");
                problems.push(Problem::error(format!("{at}/name"), "duplicate_id", message).help("rename one"));
            }
            let wrong = self.wrong_expression("", &invariant.holds);
            match wrong.map_or_else(|| self.program().expression(&invariant.holds), Err) {
                Ok(expression) => compiled.push(expression),
                Err(problem) => problems.push(problem.below(&format!("{at}/holds"))),
            }
        }
        (compiled, problems)
    }
}
