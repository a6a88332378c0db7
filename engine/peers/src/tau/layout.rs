//! How values are laid out in writing: the order of their fields, and which numbers have a point. Both are told by the
//! environment's schemas as they are written.

use std::collections::BTreeMap;

use serde_json::Value;

use probity_engine::{Data, ShortFormErrors, Tree, comment, position, short};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Layout {
    /// A number with a point, whole or not.
    Float,
    Plain,
    List(Box<Layout>),
    /// An object with known fields in this order.
    Fields(Vec<(String, Layout)>),
    /// An object with any keys.
    Map(Box<Layout>),
    /// An entity of a part of the state: fields that are not there are null.
    Entity(String),
    /// One of these, by its fields.
    OneOf(Vec<Layout>),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Layouts {
    /// Of the entities of each part.
    pub(super) parts: BTreeMap<String, Layout>,
    /// Of what each tool returns.
    pub(super) results: BTreeMap<String, Layout>,
}

impl Layouts {
    /// The layouts that an environment's file tells.
    /// An error, a line: the file cannot be read.
    pub(super) fn of(path: &str, text: &str) -> Result<Layouts, String> {
        let (blanked, _) = comment::blank(text);
        let first = |found: Vec<probity_engine::Diagnostic>| found.first().map(ToString::to_string).unwrap_or_default();
        let mut tree = position::tree(path, &blanked).map_err(first)?;
        short::environment(path, &mut tree, &mut ShortFormErrors::of(path));
        let mut layouts = Layouts::default();
        for (name, part) in tree.get("state").and_then(Tree::fields).into_iter().flatten() {
            if let Some(item) = part.get("item") {
                layouts.parts.insert(name.clone(), layout(item));
            }
        }
        for tool in tree.get("tools").and_then(Tree::items).into_iter().flatten() {
            if let (Some(name), Some(returns)) = (tool.get("name").and_then(Tree::text), tool.get("returns")) {
                layouts.results.insert(name.to_owned(), layout(returns));
            }
        }
        Ok(layouts)
    }
}

fn layout(schema: &Tree) -> Layout {
    if let Some(part) = schema.get("$ref").and_then(Tree::text).and_then(part_of_reference) {
        return Layout::Entity(part.to_owned());
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(schemas) = schema.get(choice).and_then(Tree::items) {
            return Layout::OneOf(schemas.iter().map(layout).collect());
        }
    }
    let is_of = |wanted: &str| match schema.get("type").map(|kind| &kind.data) {
        Some(Data::Scalar(Value::String(kind))) => kind == wanted,
        Some(Data::Array(kinds)) => kinds.iter().any(|kind| kind.text() == Some(wanted)),
        Some(Data::Scalar(_) | Data::Object(_)) | None => false,
    };
    if let Some(fields) = schema.get("properties").and_then(Tree::fields) {
        return Layout::Fields(fields.iter().map(|(name, field)| (name.clone(), layout(field))).collect());
    }
    match (schema.get("additionalProperties"), schema.get("items")) {
        (Some(values), _) if values.fields().is_some() => Layout::Map(Box::new(layout(values))),
        (_, Some(items)) => Layout::List(Box::new(layout(items))),
        _ if is_of("number") => Layout::Float,
        _ => Layout::Plain,
    }
}

fn part_of_reference(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/state/")?.strip_suffix("/item")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_the_order_of_the_file() {
        let text = r#"{"state": {"jars": {"key": "id", "fields": {"id": "string", "weight": "number", "age": "integer"}}},
            "tools": [{"name": "get_jar", "parameters": {"id": "ref jars"}, "returns": "jars"},
                {"name": "weigh", "parameters": {}, "returns": {"fields": {"total": "number", "all": "list of jars"}}}]}"#;
        let layouts = Layouts::of("environments/a/b.json", text).unwrap();
        let fields = [("id", Layout::Plain), ("weight", Layout::Float), ("age", Layout::Plain)];
        let jar = Layout::Fields(fields.map(|(name, layout)| (name.to_owned(), layout)).to_vec());
        assert_eq!(layouts.parts["jars"], jar);
        assert_eq!(layouts.results["get_jar"], Layout::Entity("jars".to_owned()));
        let all = Layout::List(Box::new(Layout::Entity("jars".to_owned())));
        let total = [("total".to_owned(), Layout::Float), ("all".to_owned(), all)];
        assert_eq!(layouts.results["weigh"], Layout::Fields(total.to_vec()));
    }
}
