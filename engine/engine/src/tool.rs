//! A tool: its schemas, what it may touch, and what the business refuses.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::schema::Schema;
use super::state::Fields;
use crate::model::environment_file::{Actor, ChangeKind, Compare, Effect, ToolFile};
use crate::model::{canonical, field_path};
use crate::script::fold;

/// A checked tool.
pub struct Tool {
    /// The name the agent calls.
    pub name: String,
    /// The name of the Rhai function that is its body.
    pub function: String,
    /// What it does, for the agent.
    pub description: String,
    /// Whether it only reads.
    pub effect: Effect,
    /// What a write may touch.
    pub effects: Vec<AllowedEffect>,
    /// The arguments' schema as JSON, with references to entities resolved.
    pub parameters: Value,
    /// The arguments' schema, compiled.
    pub arguments: Schema,
    /// The observation's schema, compiled.
    pub returns: Schema,
    /// Codes and messages of its preconditions, in order.
    pub preconditions: Vec<Precondition>,
    /// Codes its body may fail with.
    pub errors: Vec<String>,
    /// Whether a call cannot be taken back.
    pub irreversible: bool,
    /// Whether the policy asks for the user's yes.
    pub confirm: bool,
    /// Who may call it.
    pub actor: Actor,
    /// Parameters, or paths into them, that hold prose.
    pub free_text: Vec<String>,
    /// Parameters, or paths into them, compared otherwise than by equality.
    pub compare: BTreeMap<String, Compare>,
    /// Past participles by which an agent claims to have done this.
    pub claims: Vec<String>,
    /// Words by which people speak of what it shows.
    pub topics: Vec<String>,
    /// Words for those whom it tells.
    pub informs: Vec<String>,
    /// Units of fields of arguments and observations by their names, as schemas give them: `EUR cents`.
    pub units: BTreeMap<String, String>,
    has_defaults: bool,
    /// Paths of the lists whose order does not count, the innermost first.
    sets: Vec<String>,
}

/// A precondition's code and its line for the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    /// The code.
    pub code: String,
    /// The line.
    pub message: String,
}

/// What one call may do to one part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedEffect {
    /// The part of the state.
    pub slot: usize,
    /// The kinds of change.
    pub kinds: Vec<ChangeKind>,
    /// At most so many entities.
    pub max_rows: u32,
}

impl Tool {
    pub(super) fn new(file: &ToolFile, schemas: ToolSchemas, effects: Vec<AllowedEffect>) -> Self {
        let precondition = |p: &crate::model::environment_file::PreconditionFile| Precondition {
            code: p.code.clone(),
            message: p.message.clone(),
        };
        let has_defaults = super::schema::has_defaults(&schemas.parameters);
        let sets = file.compare.iter().filter(|(_, compare)| **compare == Compare::Set).map(|(path, _)| path.clone());
        let mut sets: Vec<String> = sets.collect();
        sets.sort_by_key(|path| std::cmp::Reverse(path.matches("[]").count()));
        Tool {
            name: file.name.clone(),
            function: file.function().into_owned(),
            description: file.description.clone(),
            effect: file.effect,
            effects,
            parameters: schemas.parameters,
            arguments: schemas.arguments,
            returns: schemas.returns,
            preconditions: file.preconditions.iter().map(precondition).collect(),
            errors: file.errors.clone(),
            irreversible: file.irreversible,
            confirm: file.confirm,
            actor: file.actor,
            free_text: file.free_text.clone(),
            compare: file.compare.clone(),
            claims: file.claims.clone(),
            topics: file.topics.clone(),
            informs: file.informs.clone(),
            units: schemas.units,
            has_defaults,
            sets,
        }
    }

    /// The arguments with the schema's defaults filled in, numbers in their one form and sets in one order.
    ///
    /// # Errors
    /// The JSON Pointer of an integer beyond 2^53 - 1.
    pub fn complete(&self, arguments: &Fields) -> Result<Fields, String> {
        self.completed(arguments).map(Cow::into_owned)
    }

    /// [`Tool::complete`] without a copy where there is nothing to complete.
    ///
    /// # Errors
    /// As [`Tool::complete`].
    pub fn completed<'a>(&self, arguments: &'a Fields) -> Result<Cow<'a, Fields>, String> {
        if !self.has_defaults && self.sets.is_empty() && arguments.values().all(crate::model::number::is_normal) {
            return Ok(Cow::Borrowed(arguments));
        }
        let mut arguments = arguments.clone();
        crate::model::number::normalise_map(&mut arguments)?;
        super::schema::fill_defaults(&self.parameters, &mut arguments);
        for path in &self.sets {
            field_path::change(&mut arguments, path, &mut |value| {
                let items = value.as_array_mut().into_iter();
                items.for_each(|items| items.sort_by_cached_key(|item| self.place_in_set(path, item)));
            });
        }
        Ok(Cow::Owned(arguments))
    }

    /// Where an element stands in a set: by what of it counts, then by what it is.
    fn place_in_set(&self, path: &str, item: &Value) -> (String, String) {
        let mut counting = Map::from_iter([(String::new(), item.clone())]);
        for (below, compare) in &self.compare {
            if let Some(below) = below.strip_prefix(path).and_then(|rest| rest.strip_prefix(field_path::EACH)) {
                field_path::change(&mut counting, below, &mut |value| {
                    if let Value::String(text) = value {
                        *text = compare.normal(text);
                    }
                });
            }
        }
        let place = counting.get("").map(canonical::to_string).unwrap_or_default();
        (place, canonical::to_string(item))
    }

    /// The tool in the form model providers take: `{"type": "function", "function": {..}}`.
    pub fn to_function(&self) -> Value {
        let mut function = Map::new();
        function.insert("name".to_owned(), Value::from(self.name.as_str()));
        function.insert("description".to_owned(), Value::from(self.description.as_str()));
        function.insert("parameters".to_owned(), self.parameters.clone());
        serde_json::json!({"type": "function", "function": function})
    }
}

impl Compare {
    /// What of a text counts.
    pub fn normal(self, text: &str) -> String {
        match self {
            Compare::Casefold => fold(text),
            Compare::Date => text.get(..10).unwrap_or(text).to_owned(),
            Compare::Phone => text.chars().filter(char::is_ascii_digit).collect(),
            Compare::Set => text.to_owned(),
        }
    }
}

pub(super) struct ToolSchemas {
    pub(super) parameters: Value,
    pub(super) arguments: Schema,
    pub(super) returns: Schema,
    pub(super) units: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_of_a_text_is_told_by_its_compare() {
        let normal: Vec<String> = ["+43 1", "431", "4-3 1"].map(|text| Compare::Phone.normal(text)).to_vec();
        assert_eq!(normal, ["431", "431", "431"]);
        assert_eq!(Compare::Casefold.normal(" Feldweg  12"), Compare::Casefold.normal("feldweg 12"));
        assert_eq!(Compare::Date.normal("2026-02-03T10:00:00Z"), "2026-02-03");
    }
}
