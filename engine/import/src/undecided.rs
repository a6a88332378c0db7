//! What a draft leaves for its author to decide about one tool: which entities it names, and what its body leaves undone.

use std::collections::BTreeMap;

use serde_json::Value;

use super::role::{Part, Role, VOCABULARY, is_required};
use super::script::{self, Filter, filter, state_set};
use super::source::OuterTool;
use super::tool::Tool;
use super::world::{ACTIONS, Collection, Shape, name, named_by, parameters};
use probity_engine::ids::identifier_of;

/// What is guessed of the parameters that name entities, or seem to.
pub(crate) fn names(tool: &Tool, world: &BTreeMap<String, Collection>) -> Vec<Undecided> {
    let mut found = Vec::new();
    let references = tool.references(world);
    for reference in references.iter().filter(|reference| reference.is_further) {
        let says = format!("`{}` names another of `{}`", reference.parameter, reference.part);
        let ground = "two of its parameters are called after the same key";
        found.push((says, ground, "take its precondition away where both are the same one", 1));
    }
    for (parameter, schema) in parameters(&tool.outer) {
        let called = identifier_of(parameter);
        let is_checked = references.iter().any(|reference| reference.parameter == *parameter);
        let is_several = |other: &Collection| {
            let ids = format!("{}_ids", other.one);
            called == ids || called.ends_with(&format!("_{ids}"))
        };
        let key = named_by(&called, world).filter(|(.., is_behind)| *is_behind).map(|(part, ..)| part);
        let several = || world.iter().find(|(part, other)| *part != ACTIONS && is_several(other)).map(|(part, _)| part);
        let is_batch = tool.part.batch.as_ref() == Some(parameter);
        match (key.or_else(several), is_checked) {
            (Some(part), true) if key.is_some() => {
                let says = format!("`{parameter}` names one of `{part}`");
                let decide = "take its reference or its precondition away where it names something else";
                found.push((says, "its last words are those of their key", decide, 1));
            }
            (Some(part), false) if !is_batch => {
                let says = format!("takes any `{parameter}`, whether or not `{part}` has it");
                found.push((says, "its name alone does not make it a key", "write `ref` or a precondition for it", 1));
            }
            _ => {}
        }
        let filters = matches!(tool.part.role, Role::List | Role::Look) && crate::role::is_key(schema);
        if let (true, Some((part, _, false))) = (filters && !is_checked, named_by(&called, world)) {
            let says = format!("takes any `{parameter}`, whether or not `{part}` has it");
            let ground = "who filters a list by what is not there gets an empty one";
            found.push((says, ground, "write `ref` where an unknown one is refused", 1));
        }
        let own = name(&tool.part.one);
        for (below, called) in nested(parameter, schema, 0) {
            let part = named_by(&called, world).map(|(part, ..)| part).filter(|part| !is_batch || **part != own);
            if let Some(part) = part {
                let says = format!("takes any `{below}`, whether or not `{part}` has it");
                found.push((says, "what stands within a parameter is no reference", "write a precondition for it", 1));
            }
        }
    }
    if tool.part.is_by_other {
        let says =
            format!("is about `{}`, known by `{}`", name(&tool.part.one), tool.part.id.as_deref().unwrap_or_default());
        let ground = "it is their key, and no other tool is about what the name says";
        let decide = "write a collection and a body of its own where it is not";
        found.push((says, ground, decide, 1));
    }
    if let (Some(id), true) = (&tool.part.id, world.contains_key(&name(&tool.part.one))) {
        let called = identifier_of(id);
        if called.ends_with("_id") && !VOCABULARY.ids(&tool.part.one).contains(&called) {
            let says = format!("knows each of `{}` by `{id}`", name(&tool.part.one));
            found.push((says, "it is the only id that it takes", "name the collection whose key it is", 1));
        }
    }
    found
}

/// The fields within a parameter, as `moves[].accessionId`, and what each is called.
fn nested(at: &str, schema: &Value, depth: usize) -> Vec<(String, String)> {
    const MAX_DEPTH: usize = 6;
    let mut found = Vec::new();
    if depth < MAX_DEPTH {
        for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let at = format!("{at}.{name}");
            found.extend(nested(&at, below, depth + 1));
            found.extend(crate::role::is_key(below).then(|| (at, identifier_of(name))));
        }
        if let Some(items) = schema.get("items") {
            found.extend(nested(&format!("{at}[]"), items, depth + 1));
        }
    }
    found
}

/// What is said, with the ground, what to do, and how much it wants a look.
pub(crate) type Undecided = (String, &'static str, &'static str, u8);

/// What a body leaves undone, with the ground, what to do, and how much it wants a look.
pub(crate) fn left(outer: &OuterTool, part: &Part, shape: &Shape, collection: Option<&Collection>) -> Vec<Undecided> {
    let of_body = match (part.role, collection) {
        (Role::Look, _) | (Role::List | Role::Get, None) => {
            let ground = "no collection holds what it shows";
            Some(("shows nothing yet".to_owned(), ground, "write its body, and `returns` where it has none", 2))
        }
        (Role::Act, _) => {
            let ground = "no collection holds what it changes";
            Some(("is only written down in `actions`".to_owned(), ground, "write its body and `changes`", 2))
        }
        (Role::Update, Some(collection)) => {
            let (alone, verb) = ("it takes nothing but the id", "its verb says how the entity then stands");
            let is_alone = parameters(outer).len() < 2;
            let decide = "write what it changes into its body";
            match state_set(outer, part, collection) {
                Some((field, state)) => {
                    let ground = if is_alone { alone } else { verb };
                    Some((format!("sets `{field}` to `{state}`"), ground, decide, 1))
                }
                None if is_alone => Some(("changes nothing yet".to_owned(), alone, decide, 1)),
                None => unneeded(outer, part),
            }
        }
        _ => None,
    };
    let is_little = *shape == Shape::Other && outer.output.is_some() && part.role != Role::Delete;
    let little = (collection.is_some() && of_body.is_none() && is_little).then(|| {
        let ground = "its output schema names no such entity";
        ("returns next to nothing".to_owned(), ground, "write what its body returns", 1)
    });
    let passed = parameters(outer).into_iter().filter_map(|(name, schema)| {
        let ground = passed_over(name, schema, part, collection?)?;
        Some((format!("passes over `{name}`"), ground, "write into its body what it asks for", 1))
    });
    let every = parameters(outer).into_iter().filter(|_| part.role == Role::List).filter_map(|(name, schema)| {
        let says = format!("asks for all where `{name}` is `{}`", script::every(name, schema, collection?)?);
        Some((says, "it is called so, and none has it", "change its filter where it is none that asks for all", 1))
    });
    let prose = parameters(outer).into_iter().filter(|(name, schema)| !part.reads() && is_prose(outer, name, schema));
    let prose = prose.map(|(name, _)| {
        let ground = "an agent who gives it does another call than an oracle without it";
        let decide = "name it in `free_text` and give it a `default`: then any text, or none, is right";
        (format!("`{name}` may be left out"), ground, decide, 1)
    });
    of_body.into_iter().chain(little).chain(passed).chain(every).chain(prose).collect()
}

/// What a change does not do where only its entity is named, and its verb is none that changes what it is given.
fn unneeded(outer: &OuterTool, part: &Part) -> Option<Undecided> {
    let given: Vec<String> = parameters(outer)
        .into_iter()
        .filter(|(name, _)| part.id.as_ref() != Some(*name))
        .map(|(name, _)| name.clone())
        .collect();
    let is_unneeded = !given.iter().any(|name| is_required(outer, name)) && !VOCABULARY.edits.contains(&part.verb);
    let says = format!("changes nothing where no `{}` is given", given.join("`, `"));
    let decide = "write what it changes into its body";
    is_unneeded.then_some((says, "all but the id may be left out", decide, 1))
}

/// Whether a parameter holds words of the one who calls, may be left out and has no value that stands for none.
fn is_prose(outer: &OuterTool, name: &str, schema: &Value) -> bool {
    let called = identifier_of(name);
    let is_called = called.rsplit('_').next().is_some_and(|last| VOCABULARY.prose.iter().any(|word| word == last));
    let is_text = crate::sample::kind(schema) == Some("string");
    let is_any = ["enum", "const", "format", "pattern", "default"].iter().all(|key| schema.get(key).is_none());
    is_called && is_text && is_any && !is_required(outer, name)
}

/// Why a body makes nothing of a parameter, where it does not.
fn passed_over(parameter: &str, schema: &Value, part: &Part, collection: &Collection) -> Option<&'static str> {
    let is_meant = [&part.id, &part.batch].into_iter().flatten().any(|meant| meant == parameter);
    match part.role {
        Role::List => match filter(parameter, schema, collection) {
            Filter::Other => Some("the field of this name has values of another type"),
            Filter::Unknown => Some("no field has this name"),
            Filter::Page => Some("the list is given whole, whatever part of it is asked for"),
            Filter::Most | Filter::Words | Filter::Holds(_) => None,
        },
        Role::Get | Role::Delete if !is_meant => Some("the entity is known by another parameter"),
        Role::Get | Role::Delete | Role::Create | Role::Update | Role::Look | Role::Act => None,
    }
}

/// Something that the source does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    pub tool: String,
    pub says: String,
    pub ground: String,
    /// What to change where it is wrong.
    pub decide: String,
    /// How much it wants a look, from 0.
    pub doubt: u8,
}

impl Guess {
    /// What stands beside the tool or the collection as long as it is not decided.
    pub fn comment(&self) -> String {
        format!("{}: {}", self.says, self.ground).replace(['\n', '\r'], " ")
    }
}
