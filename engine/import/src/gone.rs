//! What an author's functions still name although the source has it no longer.

use std::collections::{BTreeMap, BTreeSet};

use probity_engine::comment;
use probity_engine::ids::identifier_of;
use serde_json::{Map, Value};

use crate::again::Texts;
use crate::functions::{parts, skipped};

/// A name in a function of the author's whose parameter or field went with another import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The line in the script, from 1.
    pub line: usize,
    pub name: String,
    /// What had it: tool `moveHire`, collection `hires`.
    pub of: String,
    /// What came there at the same time.
    pub new: Vec<String>,
}

type Names = BTreeSet<String>;

/// What the functions of the script `after` an import, those as the source has them aside, name that stood in the
/// environment `before` it and stands there no longer.
pub fn gone(before: &Texts, after: &Texts, source: &Texts) -> Vec<Gone> {
    let read = |texts: &Texts| serde_json::from_str(&comment::blank(&texts.environment).0).unwrap_or(Value::Null);
    let (old, new): (Value, Value) = (read(before), read(after));
    let (tools, fields) = (named(&old, "tools"), named(&old, "state"));
    let tools_now = named(&new, "tools");
    let of_tools: BTreeMap<String, String> =
        tools_now.iter().map(|(name, tool)| (function(name, tool), name.clone())).collect();
    let as_source: Vec<&str> = parts(&source.script).into_iter().map(|part| part.text).collect();
    let mut lost: Vec<(String, Option<&String>, Names, Names)> = Vec::new();
    for (name, tool) in &tools_now {
        let known = tools.get(name).map(|tool| taken(tool)).unwrap_or_default();
        lost.push((format!("tool `{name}`"), Some(name), known, taken(tool)));
    }
    for (name, collection) in named(&new, "state") {
        let known = fields.get(name.as_str()).map(|own| held(own)).unwrap_or_default();
        lost.push((format!("collection `{name}`"), None, known, held(collection)));
    }
    let held_now: Names = named(&new, "state").into_values().flat_map(held).collect();
    let mut found: Vec<Gone> = Vec::new();
    let mut line = 1;
    for part in parts(&after.script) {
        if let Some(function) = part.name.as_ref().filter(|_| !as_source.contains(&part.text)) {
            let own = of_tools.get(function);
            let words = words(part.text);
            for (of, tool, before, now) in &lost {
                if tool.is_some() && own.is_some() && *tool != own {
                    continue;
                }
                // A parameter may be called as a field is that is still there.
                let is_meant = |word: &Word| {
                    let is_own = tool.is_some_and(|tool| !own_parameters(&tools, tool).contains(&word.name));
                    tool.is_none() || is_own || word.is_argument || !held_now.contains(&word.name)
                };
                let is_lost = |word: &&Word| before.contains(&word.name) && !now.contains(&word.name) && is_meant(word);
                for word in words.iter().filter(is_lost) {
                    let line = line + word.line;
                    if !found.iter().any(|known| known.line == line && known.name == word.name) {
                        let new = now.difference(before).cloned().collect();
                        found.push(Gone { line, name: word.name.clone(), of: of.clone(), new });
                    }
                }
            }
        }
        line += part.text.matches('\n').count();
    }
    found
}

fn named<'v>(environment: &'v Value, part: &str) -> BTreeMap<String, &'v Value> {
    match environment.get(part) {
        Some(Value::Object(all)) => all.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Some(Value::Array(all)) => {
            all.iter().filter_map(|tool| Some((tool.get("name")?.as_str()?.to_owned(), tool))).collect()
        }
        _ => BTreeMap::new(),
    }
}

fn function(name: &str, tool: &Value) -> String {
    tool.get("function").and_then(Value::as_str).map_or_else(|| identifier_of(name), str::to_owned)
}

/// The names of a tool's parameters themselves.
fn own_parameters(tools: &BTreeMap<String, &Value>, tool: &str) -> Names {
    let all = tools.get(tool).and_then(|tool| tool.get("parameters")?.as_object()).into_iter();
    let all = all.map(|all| all.get("properties").and_then(Value::as_object).unwrap_or(all));
    all.flat_map(Map::keys).map(|name| name.strip_suffix('?').unwrap_or(name).to_owned()).collect()
}

/// The names of a tool's parameters, at any depth.
fn taken(tool: &Value) -> Names {
    let mut found = Names::new();
    match tool.get("parameters") {
        Some(Value::Object(all)) if all.contains_key("properties") => below(all, &mut found),
        Some(Value::Object(all)) => fields(all, &mut found),
        _ => {}
    }
    found
}

/// The names of a collection's fields, at any depth.
fn held(collection: &Value) -> Names {
    let mut found = Names::new();
    if let Some(all) = collection.as_object() {
        below(all, &mut found);
    }
    found
}

fn fields(all: &Map<String, Value>, found: &mut Names) {
    for (name, schema) in all {
        found.insert(name.strip_suffix('?').unwrap_or(name).to_owned());
        schema.as_object().into_iter().for_each(|schema| below(schema, found));
    }
}

/// The names of the fields in a schema; authored files nest no deeper than their reader lets them.
fn below(schema: &Map<String, Value>, found: &mut Names) {
    for (key, value) in schema {
        match (key.as_str(), value) {
            ("enum" | "const" | "default" | "examples", _) => {}
            ("properties" | "fields", Value::Object(all)) => fields(all, found),
            (_, Value::Object(all)) => below(all, found),
            (_, Value::Array(all)) => all.iter().filter_map(Value::as_object).for_each(|own| below(own, found)),
            _ => {}
        }
    }
}

/// A name in a function: a word behind a dot, or a text in quotation marks.
struct Word {
    /// From 0.
    line: usize,
    name: String,
    /// Whether it is asked of the arguments themselves.
    is_argument: bool,
}

fn words(function: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 0);
    while let Some(next) = function.get(at..).and_then(|rest| rest.chars().next()) {
        let (above, rest) = function.split_at_checked(at).unwrap_or_default();
        let above = above.trim_end_matches('[').trim_end();
        let (end, name) = match (skipped(function, at), rest.strip_prefix('.')) {
            (Some(end), _) => {
                let own = function.get(at..end).unwrap_or_default();
                (end, own.strip_prefix('"').and_then(|own| own.strip_suffix('"')))
            }
            (None, Some(behind)) => {
                let length = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
                (at + 1 + length, behind.get(..length))
            }
            (None, None) => (at + next.len_utf8(), None),
        };
        if let Some(name) = name.filter(|name| !name.is_empty()).map(str::to_owned) {
            let behind = function.get(end..).unwrap_or_default().trim_start();
            found.push(Word { line, name, is_argument: above.ends_with("args") || behind.starts_with("in args") });
        }
        line += function.get(at..end).unwrap_or_default().matches('\n').count();
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(parameters: &str, fields: &str, script: &str) -> Texts {
        let environment = format!(
            r#"{{"state": {{"hires": {{"key": "hireId", "fields": {{"hireId": "string", {fields}}}}}}},
            "tools": [{{"name": "addHire", "parameters": {parameters}}}, {{"name": "getHire", "parameters": {{"hireId": "string"}}}}]}}"#
        );
        Texts { environment, script: script.to_owned() }
    }

    #[test]
    fn what_an_authors_function_names_and_the_source_has_no_longer_is_found_at_its_line() {
        let lines = |name: &str| {
            format!(
                r#"{{"lines?": {{"type": "array", "items": {{"properties": {{"{name}": {{"type": "integer"}}}}}}}}}}"#
            )
        };
        let script = "fn add_hire(db, args) {\n    // replicates\n    for line in args.lines { line.replicates + line[\"replicates\"].day }\n}\n\
                      fn get_hire(db, args) {\n    \"replicates\".len() + db.hires[args.hireId].day\n}\n";
        let before = texts(&lines("replicates"), "\"day?\": \"date\"", script);
        let after = texts(&lines("repeats"), "\"date?\": \"date\"", script);
        let source =
            Texts { script: script.replace("replicates", "repeats").replace(".day", ".date"), ..after.clone() };
        let told: Vec<(usize, String, String, Vec<String>)> =
            gone(&before, &after, &source).into_iter().map(|own| (own.line, own.name, own.of, own.new)).collect();
        let own =
            |line: usize, name: &str, of: &str, new: &str| (line, name.to_owned(), of.to_owned(), vec![new.to_owned()]);
        let wanted = [
            own(3, "replicates", "tool `addHire`", "repeats"),
            own(3, "day", "collection `hires`", "date"),
            own(6, "day", "collection `hires`", "date"),
        ];
        assert_eq!(told, wanted);
        assert_eq!(gone(&before, &after, &after), [], "what is as the source has it is the source's");
        assert_eq!(gone(&before, &before, &source), []);
    }
}
