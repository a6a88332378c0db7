//! Bindings: names for the keys of exactly one entity each of the initial state.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::reference::bind_plain;
use crate::model::task_file::Binding;
use probity_engine::{Fields, Problem, SlotKind, State, field_path, pointer, suggest};

/// Finds the keys that all bindings stand for; bindings may use one another.
pub fn resolve(bindings: &BTreeMap<String, Binding>, state: &State) -> (BTreeMap<String, String>, Vec<Problem>) {
    let mut found = BTreeMap::new();
    let mut problems = Vec::new();
    let mut waiting: Vec<(&String, &Binding)> = bindings.iter().collect();
    loop {
        let before = waiting.len();
        waiting.retain(|(name, binding)| {
            let mut fields = binding.fields.clone();
            let mut unbound = Vec::new();
            bind_plain(&mut fields, &found, &mut unbound);
            if !unbound.is_empty() {
                return true;
            }
            match find_one(binding, &fields, state) {
                Ok(key) => drop(found.insert((*name).clone(), key)),
                Err(problem) => problems.push(problem.below(&pointer::join(["bindings", name]))),
            }
            false
        });
        if waiting.is_empty() || waiting.len() == before {
            break;
        }
    }
    let stuck = if problems.is_empty() { waiting } else { Vec::new() };
    for (name, _) in stuck {
        let message = format!("`{name}` uses a binding that is not there, or uses itself in a circle");
        let at = pointer::join(["bindings", name]);
        problems.push(Problem::error(at, "unbound", message).help("bind the other name to an entity first"));
    }
    for name in bindings.keys().filter(|name| !name.strip_prefix('$').is_some_and(probity_engine::ids::is_identifier)) {
        let at = pointer::join(["bindings", name]);
        let message = format!("`{name}` is not a name for a binding");
        problems.push(Problem::error(at, "bad_name", message).help("write `$` and a lower-case identifier"));
    }
    (found, problems)
}

fn find_one(binding: &Binding, fields: &Map<String, Value>, state: &State) -> Result<String, Problem> {
    let collections = || state.shape().slots.iter().filter(|slot| slot.kind == SlotKind::Collection);
    let is_one = collections().any(|slot| slot.name == binding.collection);
    let Some(slot) = state.shape().index(&binding.collection).filter(|_| is_one) else {
        let names = collections().map(|slot| slot.name.as_str());
        let help = suggest::help(&binding.collection, names);
        let message = format!("there is no collection `{}`", binding.collection);
        return Err(Problem::error("/collection", "unknown_collection", message).help(help));
    };
    let matching: Vec<&str> =
        state.entities(slot).filter(|(_, entity)| has_fields(entity, fields)).map(|(key, _)| key.as_ref()).collect();
    match matching.as_slice() {
        [one] => Ok((*one).to_owned()),
        [] => {
            let message = format!("no entity of `{}` has these fields", binding.collection);
            Err(Problem::error("/where", "binding_not_found", message)
                .help("patch one into the initial state, or mend the fields"))
        }
        many => {
            let some = many.iter().take(4).copied().collect::<Vec<_>>().join(", ");
            let message = format!("{} entities of `{}` have these fields: {some}", many.len(), binding.collection);
            Err(Problem::error("/where", "binding_not_unique", message).help("add a field that only one of them has"))
        }
    }
}

/// Whether an entity has these fields; `lines[].sku` is a field of one of its lines, the same one for all fields of lines.
pub fn has_fields(entity: &Fields, fields: &Map<String, Value>) -> bool {
    field_path::stand_in(entity, fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_of_lines_are_those_of_one_line() {
        let entity = json!({"lines": [{"sku": "A", "n": 1}, {"sku": "B", "n": 2}]});
        let has = |fields: Value| has_fields(entity.as_object().unwrap(), fields.as_object().unwrap());
        assert!(has(json!({"lines[].sku": "A", "lines[].n": 1})) && has(json!({})));
        assert!(!has(json!({"lines[].sku": "A", "lines[].n": 2})));
    }
}
