//! An environment in short.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::kind::Kinds;
use super::reference::{Reference, collection};
use super::tool::{Keys, Shared};
use super::{ShortFormErrors, binding, derive, derive_head, id_of_path, respell};
use crate::load::tree::{Data, Spot, Tree};
use crate::model::suggest;

/// Writes an environment out.
pub fn environment(file: &str, tree: &mut Tree, refused: &mut ShortFormErrors) {
    if tree.fields().is_none() {
        return;
    }
    respell(tree, &["preconditions"], refused);
    derive_head(tree, id_of_path(file, "environments"));
    for (_, part) in tree.get_mut("state").and_then(Tree::fields_mut).into_iter().flatten() {
        respell(part, &["fields", "not_found", "shown_by"], refused);
    }
    if let Some(policy) = tree.get_mut("policy") {
        binding::rules(policy, refused);
    }
    let mut keys = keys(tree);
    let collections: Vec<String> = keys.keys().cloned().collect();
    let parts: Vec<String> = names(tree.get("state")).into_iter().map(str::to_owned).collect();
    if let Some(state) = tree.get_mut("state") {
        let kinds = Kinds { parts: &[], collections: &collections };
        state.fields_mut().into_iter().flatten().for_each(|(_, part)| slot(part, &kinds, refused));
    }
    let preconditions = shared_preconditions(tree, refused);
    let kinds = Kinds { parts: &parts, collections: &collections };
    let mut shared =
        Shared { kinds, keys: &keys, preconditions: &preconditions, named: BTreeSet::new(), written_out: 0 };
    let mut references = Vec::new();
    for tool in tree.get_mut("tools").and_then(Tree::items_mut).into_iter().flatten() {
        let found = shared.tool(tool, refused);
        let name = tool.get("name").and_then(Tree::text).unwrap_or_default().to_owned();
        references.extend(found.into_iter().map(|reference| (name.clone(), reference)));
    }
    for (code, unused) in preconditions.iter().filter(|(code, _)| !shared.named.contains(*code)) {
        let message = format!("no tool names the precondition `{code}`");
        refused.error(
            unused.at,
            "unused_precondition",
            message,
            "name its code in a tool's `preconditions`, or remove it",
        );
    }
    check_shown_by(tree, &mut keys, refused);
    edges(tree, &keys, &references);
    if let Some(populate) = tree.get_mut("populate").filter(|populate| populate.has("sizes")) {
        derive(populate, "function", "populate");
    }
}

fn names(tree: Option<&Tree>) -> Vec<&str> {
    tree.and_then(Tree::fields).unwrap_or_default().iter().map(|(name, _)| name.as_str()).collect()
}

/// What the collections say of their keys; taken out, since the long form says it where it is used.
fn keys(tree: &mut Tree) -> BTreeMap<String, Keys> {
    let mut keys = BTreeMap::new();
    for (name, part) in tree.get_mut("state").and_then(Tree::fields_mut).into_iter().flatten() {
        if !part.has("key") {
            continue;
        }
        let mut take = |key: &str| {
            let (text, at) = part.get(key).and_then(|found| Some((found.text()?.to_owned(), found.at)))?;
            part.remove(key);
            Some((text, at))
        };
        let (one, not_found, shown_by) = (take("one"), take("not_found"), take("shown_by"));
        let text = |found: Option<(String, Spot)>| found.map(|(text, _)| text);
        keys.insert(name.clone(), Keys { one: text(one), not_found: text(not_found), shown_by });
    }
    keys
}

/// `{"key", "fields"}` is a collection of closed objects, `{"fields"}` a record.
fn slot(part: &mut Tree, kinds: &Kinds, refused: &mut ShortFormErrors) {
    if part.has("item") {
        return;
    }
    if !part.has("fields") && !part.has("kind") && part.fields().is_some() {
        refused.error(part.at, "missing_key", "missing key `fields`".to_owned(), "add it to this object");
        derive(part, "fields", json!({}));
    }
    let Some(fields) = part.remove("fields") else { return };
    let kind = if part.has("key") { "collection" } else { "record" };
    derive(part, "kind", kind);
    let refers: Vec<(String, Tree)> = linked(&fields).collect();
    if !refers.is_empty() {
        derive(part, "refers", json!({}));
        for (field, to) in refers {
            let own = part.get_mut("refers").filter(|own| own.fields().is_some() && !own.has(&field));
            own.into_iter().for_each(|own| own.push(&field, to.clone()));
        }
    }
    let item = Tree { key: fields.key, ..Tree::at(fields.at, Value::Null) };
    part.push("item", item.with(Data::Object(kinds.entity(fields, refused))));
}

/// Fields of an entity that are `ref COLLECTION`, or a list of them, each with the collection.
fn linked(fields: &Tree) -> impl Iterator<Item = (String, Tree)> {
    fields.fields().unwrap_or_default().iter().filter_map(|(name, kind)| {
        let kind = kind.get("is").unwrap_or(kind);
        let text = kind.text()?.trim();
        let (to, _) = collection(text.strip_prefix("list of ").unwrap_or(text).trim())?;
        Some((name.strip_suffix('?').unwrap_or(name).to_owned(), Tree::at(kind.at, to.into())))
    })
}

/// Preconditions by code; taken out of the environment.
fn shared_preconditions(tree: &mut Tree, refused: &mut ShortFormErrors) -> BTreeMap<String, Tree> {
    let is_short = tree.get("preconditions").is_some_and(|shared| shared.fields().is_some());
    let Some(mut shared) = tree.remove("preconditions").filter(|_| is_short) else { return BTreeMap::new() };
    super::listed(&mut shared, "code", refused);
    let of = |item: &Tree| Some((item.get("code")?.text()?.to_owned(), item.clone()));
    shared.items().unwrap_or_default().iter().filter_map(of).collect()
}

/// The reads that show keys are tools; an edge from another is left out.
fn check_shown_by(tree: &Tree, keys: &mut BTreeMap<String, Keys>, refused: &mut ShortFormErrors) {
    let tools = tree.get("tools").and_then(Tree::items).unwrap_or_default();
    let named = tools.iter().filter_map(|tool| tool.get("name")).filter_map(|name| Some((name.text()?, name.at)));
    let mut known: Vec<&str> = Vec::new();
    // A tool that has another's name, which may be why one is not there. The build tells it, where it comes to that.
    let mut doubled = Vec::new();
    for (name, at) in named {
        match known.contains(&name) {
            true => doubled.push((name, at)),
            false => known.push(name),
        }
    }
    for keys in keys.values_mut() {
        let Some((tool, at)) = keys.shown_by.take_if(|(tool, _)| !known.contains(&tool.as_str())) else { continue };
        let help = suggest::help(&tool, known.iter().copied());
        refused.error(at, "unknown_tool", format!("there is no tool `{tool}`"), help);
        for (name, at) in doubled.drain(..) {
            refused.error(at, "duplicate_id", format!("there are two tools `{name}`"), "rename one");
        }
    }
}

/// The edges that references stand for, before those that are written: collection by collection, of each parameter the
/// tools in their order.
fn edges(tree: &mut Tree, keys: &BTreeMap<String, Keys>, references: &[(String, Reference)]) {
    let mut edges = Vec::new();
    let order: Vec<String> = names(tree.get("state")).into_iter().map(str::to_owned).collect();
    for collection in &order {
        let Some((shown_by, _)) = keys.get(collection).and_then(|keys| keys.shown_by.as_ref()) else { continue };
        let of = |(_, found): &&(String, Reference)| found.is_seen && found.collection == *collection;
        let mut parameters: Vec<&str> = Vec::new();
        for (_, found) in references.iter().filter(of) {
            if !parameters.contains(&found.path.as_str()) {
                parameters.push(&found.path);
            }
        }
        for path in parameters {
            let of = references.iter().filter(of).filter(|(_, found)| found.path == path);
            edges.extend(of.map(|(tool, found)| {
                // What is left out need not have been seen.
                let after = match found.is_required {
                    true => tool.clone(),
                    false => format!("{tool} where \"{}\" in args", found.parameter()),
                };
                Tree::at(found.at, json!({"before": shown_by, "after": after, "seen": path}))
            }));
        }
    }
    if edges.is_empty() {
        return;
    }
    derive(tree, "constraints", json!({}));
    let Some(constraints) = tree.get_mut("constraints") else { return };
    derive(constraints, "precedence", json!([]));
    if let Some(written) = constraints.get_mut("precedence").and_then(Tree::items_mut) {
        written.splice(0..0, edges);
    }
}
