//! What the heuristic agent knows of a tool: the card that every agent is shown.

use std::collections::BTreeSet;

use serde_json::Value;

use super::words::{stem, words};
use crate::values::schema::required;
use probity_prose::token::name_words;

const READ_VERBS: [&str; 12] =
    ["get", "list", "find", "search", "check", "show", "look", "lookup", "read", "view", "fetch", "quote"];

pub struct ToolCard {
    pub name: String,
    /// Whether its name says that it only reads.
    pub is_read: bool,
    /// Its parameters, required ones first.
    pub parameters: Vec<Parameter>,
    verb: String,
    nouns: Vec<String>,
    described: BTreeSet<String>,
}

pub struct Parameter {
    pub name: String,
    pub is_required: bool,
    pub schema: Value,
}

impl ToolCard {
    /// Reads a tool in the form model providers take.
    pub fn read(function: &Value) -> Option<ToolCard> {
        let function = function.get("function")?;
        let name = function.get("name")?.as_str()?.to_owned();
        let schema = function.get("parameters")?;
        let required = required(schema);
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut parameters: Vec<Parameter> = properties
            .into_iter()
            .flatten()
            .map(|(name, schema)| Parameter {
                name: name.clone(),
                is_required: required.contains(&name.as_str()),
                schema: schema.clone(),
            })
            .collect();
        parameters.sort_by_key(|parameter| !parameter.is_required);
        let mut parts = name_words(&name).into_iter().map(|word| stem(&word));
        let verb = parts.next().unwrap_or_default();
        let is_read = READ_VERBS.iter().any(|read| stem(read) == verb);
        let nouns = parts.collect();
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        let described = words(description).into_iter().filter(|word| word.len() > 3).map(stem).collect();
        Some(ToolCard { name, is_read, parameters, verb, nouns, described })
    }

    /// How much a text asks for this tool: its verb counts most, then its nouns, then its description.
    pub fn relevance(&self, text: &str) -> usize {
        let said: BTreeSet<String> = words(text).into_iter().map(stem).collect();
        let nouns = self.nouns.iter().filter(|noun| said.contains(*noun)).count();
        let described = self.described.intersection(&said).count();
        match (self.is_read, said.contains(&self.verb)) {
            (true, _) => nouns + described / 2,
            (false, true) => 4 + nouns + described / 2,
            (false, false) if described >= 3 => nouns + described / 2,
            (false, false) => 0,
        }
    }

    /// How likely a parameter of another tool can be learnt from this one.
    pub fn speaks_of(&self, parameter: &str) -> usize {
        let parts: Vec<String> =
            name_words(parameter).iter().filter(|part| *part != "id").map(|part| stem(part)).collect();
        2 * self.nouns.iter().filter(|noun| parts.contains(noun)).count()
    }
}
