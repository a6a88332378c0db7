//! A tool as a draft has it: what of the world it is about, and which entities its parameters name.

use std::collections::BTreeMap;

use probity_engine::ids::identifier_of;
use serde_json::Value;

use crate::role::{Part, Role, is_key};
use crate::source::OuterTool;
use crate::world::{Collection, Shape, name, named_by, parameters};

/// A tool with all that follows from it.
pub(crate) struct Tool {
    pub outer: OuterTool,
    pub part: Part,
    pub shape: Shape,
    pub function: String,
    /// Whether the function is not what the name alone gives.
    pub is_named_apart: bool,
    pub is_irreversible: bool,
    /// Whether a key is given that may be taken.
    pub can_exist: bool,
    /// What an entity has as it is made, beside what is given.
    pub begins_with: Vec<(String, Value)>,
    /// What stands beside it in the file.
    pub grounds: Vec<String>,
}

/// A parameter that names an entity.
pub(crate) struct Reference<'w> {
    pub parameter: String,
    pub part: &'w String,
    pub collection: &'w Collection,
    /// What is answered where there is no such entity.
    pub code: String,
    /// Whether another parameter of the tool names one of this collection already.
    pub is_further: bool,
}

/// Most characters of a parameter in a code, so that there is room for `_not_found` behind it.
const MAX_CODE: usize = 48;

impl Tool {
    /// The parameters that name entities, each with a code of its own.
    pub fn references<'w>(&self, world: &'w BTreeMap<String, Collection>) -> Vec<Reference<'w>> {
        let mut found: Vec<Reference<'w>> = Vec::new();
        let all = parameters(&self.outer);
        let is_own = |parameter: &String| self.part.id.as_ref() == Some(parameter);
        // The tool's own entity comes first.
        let (own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(parameter, _)| is_own(parameter));
        for (parameter, schema) in own.into_iter().chain(others) {
            let Some((part, collection)) = self.named(parameter, schema, world) else { continue };
            let called: String = identifier_of(parameter).chars().take(MAX_CODE).collect();
            let mut codes = [&collection.one, &called].into_iter().map(|what| format!("{what}_not_found"));
            let is_free = |code: &String| found.iter().all(|known| known.code != *code);
            let Some(code) = codes.find(is_free) else { continue };
            let is_further = found.iter().any(|known| known.part == part);
            found.push(Reference { parameter: parameter.clone(), part, collection, code, is_further });
        }
        found
    }

    /// The collection whose entities a parameter names.
    pub fn named<'w>(
        &self,
        parameter: &str,
        schema: &Value,
        world: &'w BTreeMap<String, Collection>,
    ) -> Option<(&'w String, &'w Collection)> {
        let is_id = self.part.id.as_deref() == Some(parameter) && self.part.role != Role::Create;
        if is_id && self.part.role != Role::List {
            return world.get_key_value(&name(&self.part.one));
        }
        let (part, other, _) = named_by(&identifier_of(parameter), world)?;
        // What is made is not there yet.
        let other = (self.part.role != Role::Create || *part != name(&self.part.one)).then_some((part, other))?;
        // Who filters a list by what is not there gets an empty one.
        (!matches!(self.part.role, Role::List | Role::Look) && is_key(schema)).then_some(other)
    }
}
