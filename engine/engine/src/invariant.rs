//! Invariants: what an environment says of every state, asked by checks and never during a run.

use serde_json::Value;

use super::environment::Environment;
use super::script::outcome::Stopped;
use super::script::program::Expression;
use super::state::{Fields, State, entity_path};
use crate::model::diagnostic::Problem;
use crate::model::environment_file::{InvariantFile, SlotKind, StructureFile, properties};
use crate::model::ids::{Difficulty, is_identifier};
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
            let what = self.untrue(holds, state, &file.sentence)?;
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

    /// What a populated state of a size does not offer that its environment promises.
    pub fn missing_structure(&self, state: &State, size: Difficulty) -> Vec<BrokenInvariant> {
        let promised = self.file.populate.structure.iter().zip(&self.structure).enumerate();
        let of_size = promised.filter(|(_, (file, _))| file.sizes.is_empty() || file.sizes.contains(&size));
        let missing = |(index, (file, holds)): (usize, (&StructureFile, &Expression))| {
            let what = self.untrue(holds, state, &file.sentence)?;
            let at = format!("/populate/structure/{index}/holds");
            Some(BrokenInvariant { at, name: file.name.clone(), what })
        };
        of_size.filter_map(missing).collect()
    }

    /// The sentence of an expression that is not true of a state, or why that cannot be told.
    fn untrue(&self, holds: &Expression, state: &State, sentence: &str) -> Option<String> {
        match self.holds(holds, state, &Fields::new()).map_err(Stopped::into_detail) {
            Ok(true) => None,
            Ok(false) => Some(sentence.to_owned()),
            Err(detail) => Some(format!("it cannot be told: {detail}")),
        }
    }

    /// Compiles the invariants and what populated states promise; what is wrong with them.
    pub(super) fn compile_sentences(&self) -> (Vec<Expression>, Vec<Expression>, Vec<Problem>) {
        let mut problems = Vec::new();
        let invariants = self.file.invariants.iter().map(|one| (one.name.as_str(), one.holds.as_str()));
        let invariants = self.compile_all("/invariants", "invariants", &invariants.collect::<Vec<_>>(), &mut problems);
        let promised = self.file.populate.structure.iter().map(|one| (one.name.as_str(), one.holds.as_str()));
        let at = "/populate/structure";
        let promised = self.compile_all(at, "structures", &promised.collect::<Vec<_>>(), &mut problems);
        (invariants, promised, problems)
    }

    /// Compiles expressions over `db` by their names.
    fn compile_all(
        &self,
        list: &str,
        kind: &str,
        named: &[(&str, &str)],
        problems: &mut Vec<Problem>,
    ) -> Vec<Expression> {
        let mut compiled = Vec::new();
        for (i, (name, holds)) in named.iter().enumerate() {
            let at = format!("{list}/{i}");
            if !is_identifier(name) {
                let problem = Problem::error(format!("{at}/name"), "bad_name", format!("`{name}` is not a name"));
                problems.push(problem.help("lower-case letters, digits and `_`, 64 at most"));
            }
            if named.iter().take(i).any(|(known, _)| known == name) {
                let message = format!("there are two {kind} `{name}`");
                problems.push(Problem::error(format!("{at}/name"), "duplicate_id", message).help("rename one"));
            }
            let wrong = self.wrong_expression("", holds);
            match wrong.map_or_else(|| self.program.expression(holds), Err) {
                Ok(expression) => compiled.push(expression),
                Err(problem) => problems.push(problem.below(&format!("{at}/holds"))),
            }
        }
        compiled
    }
}
