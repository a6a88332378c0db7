//! An environment and its script made of a source, with the list of what was guessed.

use std::collections::{BTreeMap, BTreeSet};

use probity_engine::ids::{identifier_of, is_identifier};
use probity_engine::words::{is_reserved, natives};
use serde_json::Value;

use crate::role::{Part, Role, is_required};
use crate::script::{Filter, filter, state_of};
use crate::source::{MAX_BYTES, Note, OuterTool, Refused, Source, too_large};
use crate::world::{ACTIONS, Collection, Shape, name, parameters, world};
use crate::{environment, script};

/// Files of an environment, what of them is guessed, and what the source had otherwise.
#[derive(Clone, Debug)]
pub struct Draft {
    pub id: String,
    /// The text of `environments/<id>.json`.
    pub environment: String,
    /// The text of `scripts/<id>.rhai`.
    pub script: String,
    pub tools: usize,
    pub collections: Vec<String>,
    /// What is for the author to decide, the most telling first.
    pub guesses: Vec<Guess>,
    pub notes: Vec<Note>,
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
    /// What stands beside it in the file.
    pub grounds: Vec<String>,
}

impl Tool {
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
        let called = identifier_of(parameter);
        let is_named =
            |(part, other): &(&String, &Collection)| *part != ACTIONS && called == format!("{}_id", other.one);
        // What is made is not there yet.
        let is_own = |part: &String| self.part.role == Role::Create && *part == name(&self.part.one);
        let other = world.iter().find(is_named).filter(|(part, _)| !is_own(part))?;
        // Who filters a list by what is not there gets an empty one.
        (!matches!(self.part.role, Role::List | Role::Look) && crate::role::is_key(schema)).then_some(other)
    }
}

/// Functions that a script of ours has beside those of its tools.
const OWN: [&str; 2] = ["populate", "speaks_of"];

/// Makes an environment of a source; `id` is `domain/name`.
///
/// # Errors
/// It is more than an environment holds.
pub fn draft(id: &str, mut source: Source) -> Result<Draft, Refused> {
    let seen = std::mem::take(&mut source.seen);
    let mut guesses = seen.fill(&mut source);
    let parts: Vec<(OuterTool, Part)> = source.tools.iter().map(|tool| (tool.clone(), Part::of(tool))).collect();
    let (world, shapes) = world(&parts);
    let (first, begun) = seen.first_state(&parts, &shapes, &world);
    guesses.extend(begun);
    let mut taken = natives();
    taken.extend(OWN.map(str::to_owned));
    let tools: Vec<Tool> = parts
        .into_iter()
        .zip(shapes.into_iter().chain(std::iter::repeat(Shape::Other)))
        .map(|((outer, part), shape)| tool(outer, part, shape, &world, &mut taken, &mut guesses))
        .collect();
    guesses.sort_by_key(|guess| std::cmp::Reverse(guess.doubt));
    let (environment, script) =
        (environment::environment(id, &source, &tools, &world), script::script(id, &tools, &world, &first));
    if environment.len().max(script.len()) > MAX_BYTES {
        return Err(too_large("its tools"));
    }
    Ok(Draft {
        id: id.to_owned(),
        environment,
        script,
        tools: tools.len(),
        collections: world.keys().cloned().collect(),
        guesses,
        notes: source.notes,
    })
}

fn tool(
    outer: OuterTool,
    part: Part,
    shape: Shape,
    world: &BTreeMap<String, Collection>,
    taken: &mut BTreeSet<String>,
    guesses: &mut Vec<Guess>,
) -> Tool {
    let alone = identifier_of(&outer.name);
    let function = function(&alone, taken);
    let mut grounds = Vec::new();
    let mut guess = |says: String, ground: &str, decide: &str, doubt: u8| {
        grounds.push(format!("{says}: {ground}"));
        guesses.push(Guess {
            tool: outer.name.clone(),
            says,
            ground: ground.to_owned(),
            decide: decide.to_owned(),
            doubt,
        });
    };
    match part.reads() {
        true => guess("reads".to_owned(), &part.ground, "give it `changes` where it changes something", part.doubt),
        false => guess(
            "changes".to_owned(),
            &part.ground,
            "take `changes` and `claims` away where it only reads",
            part.doubt,
        ),
    }
    let collection = world.get(&name(&part.one));
    for (says, ground, decide, doubt) in left(&outer, &part, &shape, collection) {
        guess(says, ground, decide, doubt);
    }
    let says_destroys = outer.hints.destructive == Some(true);
    let is_irreversible = !part.reads() && (says_destroys || part.role == Role::Delete);
    if is_irreversible {
        let ground = if says_destroys { "`destructiveHint` is true" } else { "it deletes" };
        let decide = "take `irreversible` away where a call can be taken back; tasks then need no yes to it";
        guess("cannot be taken back".to_owned(), ground, decide, 2);
    }
    let can_exist = part.role == Role::Create
        && collection.is_some_and(|own| {
            is_required(&outer, &own.key) && parameters(&outer).iter().any(|(name, _)| **name == own.key)
        });
    let is_named_apart = function != alone;
    Tool { part, shape, is_named_apart, function, is_irreversible, can_exist, grounds, outer }
}

/// What a body leaves undone, with the ground, what to do, and how much it wants a look.
fn left(
    outer: &OuterTool,
    part: &Part,
    shape: &Shape,
    collection: Option<&Collection>,
) -> Vec<(String, &'static str, &'static str, u8)> {
    let of_body = match (part.role, collection) {
        (Role::Look, _) | (Role::List | Role::Get, None) => {
            let ground = "no collection holds what it shows";
            Some(("shows nothing yet".to_owned(), ground, "write its body, and `returns` where it has none", 2))
        }
        (Role::Act, _) => {
            let ground = "no collection holds what it changes";
            Some(("is only written down in `actions`".to_owned(), ground, "write its body and `changes`", 2))
        }
        (Role::Update, Some(collection)) if parameters(outer).len() < 2 => {
            let says = match state_of(&part.verb, collection) {
                Some((field, state)) => format!("sets `{field}` to `{state}`"),
                None => "changes nothing yet".to_owned(),
            };
            Some((says, "it takes nothing but the id", "write what it changes into its body", 1))
        }
        (_, Some(_)) if *shape == Shape::Other && outer.output.is_some() && part.role != Role::Delete => {
            let ground = "its output schema names no such entity";
            Some(("returns next to nothing".to_owned(), ground, "write what its body returns", 1))
        }
        _ => None,
    };
    let lists = collection.filter(|_| part.role == Role::List);
    let is_other = |name: &str, schema: &Value| {
        lists.is_some_and(|collection| matches!(filter(name, schema, collection), Filter::Other))
    };
    let others = parameters(outer).into_iter().filter(|(name, schema)| is_other(name, schema));
    let passed = others.map(|(name, _)| {
        let ground = "the field of this name has values of another type";
        (format!("passes over `{name}`"), ground, "write into its body what it asks for", 1)
    });
    of_body.into_iter().chain(passed).collect()
}

/// A name for a function that no other has and no script keeps.
fn function(alone: &str, taken: &mut BTreeSet<String>) -> String {
    let is_free = |name: &str| is_identifier(name) && !is_reserved(name) && !taken.contains(name);
    let base: String = if alone.is_empty() { "tool".to_owned() } else { alone.chars().take(56).collect() };
    let others = (2_u32..).map(|number| format!("{base}_{number}"));
    let mut candidates = [alone.to_owned(), format!("do_{base}")].into_iter().chain(others);
    let found = candidates.find(|name| is_free(name)).unwrap_or(base);
    taken.insert(found.clone());
    found
}
