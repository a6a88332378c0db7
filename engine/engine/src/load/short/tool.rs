//! A tool in short: parameters by name and type, changes in a word or two, preconditions by their codes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::reference::{Reference, references, singular};
use super::{ShortFormErrors, derive, kind::Kinds, respell};
use crate::load::tree::{Data, Spot, Tree};
use crate::model::environment_file::PreconditionFile;
use crate::model::{field_path, suggest};

#[derive(Default)]
pub(super) struct Keys {
    /// The name of one entity.
    pub(super) one: Option<String>,
    /// What the agent is told when there is none with the key.
    pub(super) not_found: Option<String>,
    /// The read that shows the keys.
    pub(super) shown_by: Option<(String, Spot)>,
}

pub(super) struct Shared<'a> {
    pub(super) kinds: Kinds<'a>,
    /// The collections, by name.
    pub(super) keys: &'a BTreeMap<String, Keys>,
    /// Preconditions that several tools name, by code.
    pub(super) preconditions: &'a BTreeMap<String, Tree>,
    pub(super) named: std::collections::BTreeSet<String>,
    /// How many bytes the preconditions have that were written out so far.
    pub(super) written_out: usize,
}

/// Most bytes of shared preconditions that are written out, at all the tools that name them together.
const MAX_WRITTEN_OUT: usize = 8 << 20;

impl Shared<'_> {
    pub(super) fn tool(&mut self, tool: &mut Tree, refused: &mut ShortFormErrors) -> Vec<Reference> {
        respell(tool, &["changes"], refused);
        derive_effect(tool, refused);
        let mut found = Vec::new();
        if let Some(parameters) = tool.get_mut("parameters").filter(|parameters| is_short(parameters)) {
            found = references(parameters);
            found.retain(|reference| self.keys.contains_key(&reference.collection));
            let fields = parameters.with(parameters.data.clone());
            parameters.data = Data::Object(self.kinds.parameters(fields, refused));
        }
        if let Some(returns) = tool.get_mut("returns") {
            self.kinds.schema(returns, refused);
        }
        self.preconditions(tool, &found, refused);
        found
    }

    /// The preconditions with those of references: where the list names their code, else before all others. One that
    /// the author writes out under the same code stands for it.
    fn preconditions(&mut self, tool: &mut Tree, references: &[Reference], refused: &mut ShortFormErrors) {
        let own: Vec<Tree> = tool.get("preconditions").and_then(Tree::items).unwrap_or_default().to_vec();
        let is_list = tool.get("preconditions").is_none_or(|list| list.items().is_some());
        if !is_list || (references.is_empty() && own.iter().all(|item| item.text().is_none())) {
            return;
        }
        let of_references: Vec<(String, Tree)> = references.iter().map(|found| self.not_found(found)).collect();
        let is_own = |code: &str| {
            let of = |item: &Tree| item.text().or_else(|| item.get("code")?.text()).map(str::to_owned);
            own.iter().any(|item| of(item).as_deref() == Some(code))
        };
        let first = of_references.iter().filter(|(code, _)| !is_own(code)).map(|(_, found)| found.clone());
        let mut list: Vec<Tree> = first.collect();
        for item in &own {
            let Some(code) = item.text() else {
                list.push(item.clone());
                continue;
            };
            let mut named: Vec<Tree> =
                of_references.iter().filter(|(of, _)| of == code).map(|(_, found)| found.clone()).collect();
            if let (true, Some(shared)) = (named.is_empty(), self.preconditions.get(code)) {
                self.named.insert(code.to_owned());
                self.written_out = self.written_out.saturating_add(shared.weight());
                if self.written_out > MAX_WRITTEN_OUT {
                    let message =
                        format!("shared preconditions are more than {MAX_WRITTEN_OUT} bytes when written out");
                    refused.error(item.at, "text_too_long", message, "name fewer of them, or make them shorter");
                    return;
                }
                named.push(shared.clone());
            }
            if named.is_empty() {
                let known = of_references.iter().map(|(code, _)| code).chain(self.preconditions.keys());
                let help = suggest::help(code, known.map(String::as_str));
                let message = format!("no precondition of the environment or of a `ref` has the code `{code}`");
                refused.error(item.at, "unknown_precondition", message, help);
            }
            list.extend(named);
        }
        let at = tool.at;
        match tool.get_mut("preconditions") {
            Some(found) => found.data = Data::Array(list),
            None => tool.push("preconditions", Tree { data: Data::Array(list), ..Tree::at(at, Value::Null) }),
        }
    }

    /// The precondition that a reference stands for, and its code.
    fn not_found(&self, reference: &Reference) -> (String, Tree) {
        let Reference { path, collection, is_required, at, .. } = reference;
        let keys = self.keys.get(collection);
        let one = keys.and_then(|keys| keys.one.clone()).unwrap_or_else(|| singular(collection));
        let code = format!("{one}_not_found");
        let expr = match (field_path::leads_within(path), is_required) {
            (true, _) => PreconditionFile::has_each(collection, path),
            (false, true) => format!("db.{collection}.has(args.{path})"),
            (false, false) => format!("!(\"{path}\" in args) || db.{collection}.has(args.{path})"),
        };
        let message = keys.and_then(|keys| keys.not_found.clone());
        let message = message.unwrap_or_else(|| format!("there is no {} with this id", one.replace('_', " ")));
        let value = json!({"code": code, "expr": expr, "message": message});
        (code, Tree::at(*at, value))
    }
}

/// Parameters by name and type, not a JSON Schema. Which it is, `"type": "string"` alone does not say; it is taken for
/// a schema, and a parameter of this name has its type as `{"is": "string"}`.
fn is_short(parameters: &Tree) -> bool {
    let types = ["object", "array", "string", "integer", "number", "boolean", "null"];
    let is_object = parameters.get("type").and_then(Tree::text).is_some_and(|name| types.contains(&name));
    let is_schema = ["properties", "additionalProperties", "$ref", "anyOf", "allOf", "oneOf"];
    parameters.fields().is_some() && !is_object && !is_schema.iter().any(|keyword| parameters.has(keyword))
}

/// `"changes": {"bookings": "update"}` is what a write may touch; a tool that says of no change is a read.
fn derive_effect(tool: &mut Tree, refused: &mut ShortFormErrors) {
    if !tool.has("effects")
        && let Some(changes) = tool.get("changes").filter(|changes| changes.fields().is_some()).cloned()
    {
        tool.remove("changes");
        let effects = changes.fields().unwrap_or_default().iter();
        let effects = effects.flat_map(|(collection, change)| effects_on(collection, change, refused)).collect();
        derive(tool, "effect", "write");
        tool.push("effects", changes.with(Data::Array(effects)));
    }
    let effect = if tool.has("effects") { "write" } else { "read" };
    derive(tool, "effect", effect);
}

/// `create update 2`: these kinds of change, to at most two entities; without a number, to one. `update, create` is one
/// of each.
fn effects_on(collection: &str, change: &Tree, refused: &mut ShortFormErrors) -> Vec<Tree> {
    let at = change.key.unwrap_or(change.at);
    let mut effects = Vec::new();
    for part in change.text().unwrap_or_default().split(',') {
        let (mut kinds, mut rows, mut is_fit) = (Vec::new(), 1, true);
        for word in part.split_whitespace() {
            match (word, word.parse::<u32>()) {
                ("create" | "update" | "delete", _) => kinds.push(word),
                (_, Ok(most)) => rows = most,
                (..) => {
                    bad_change(change.at, word, refused);
                    is_fit = false;
                }
            }
        }
        if kinds.is_empty() && is_fit {
            bad_change(change.at, part.trim(), refused);
        }
        effects.push(Tree::at(at, json!({"collection": collection, "kinds": kinds, "max_rows": rows})));
    }
    effects
}

fn bad_change(at: Spot, word: &str, refused: &mut ShortFormErrors) {
    let help = "write `create`, `update` or `delete`, and how many entities if more than one";
    let message = match word.bytes().all(|digit| digit.is_ascii_digit()) && !word.is_empty() {
        true => format!("`{word}` is more entities than a call may change"),
        false => format!("`{word}` is no kind of change"),
    };
    refused.error(at, "unknown_value", message, help);
}
