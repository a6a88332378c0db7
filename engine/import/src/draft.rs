//! An environment and its script made of a source, with the list of what was guessed.

use std::collections::{BTreeMap, BTreeSet};

use probity_engine::ids::{identifier_of, is_identifier};
use probity_engine::load::environment::Scripts;
use probity_engine::words::{is_reserved, natives};
use serde_json::Value;

use crate::again::Texts;
use crate::fault::fault;
use crate::lost::lost;
use crate::role::{Part, Role, is_required};
use crate::script::{Filter, filter, state_set};
use crate::source::{MAX_BYTES, Note, OuterTool, Refused, Source, too_large};
use crate::vocabulary::VOCABULARY;
use crate::world::{ACTIONS, Asked, Begun, Collection, Shape, begun, name, named_by, parameters, world};
use crate::{environment, script};

/// Files of an environment, what of them is guessed, and what the source had otherwise.
#[derive(Clone, Debug)]
pub struct Draft {
    pub id: String,
    pub texts: Texts,
    pub tools: usize,
    /// Whether logs fill a first state.
    pub has_logs: bool,
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

impl Guess {
    /// What stands beside the tool or the collection as long as it is not decided.
    pub fn comment(&self) -> String {
        format!("{}: {}", self.says, self.ground).replace(['\n', '\r'], " ")
    }
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
        (!matches!(self.part.role, Role::List | Role::Look) && crate::role::is_key(schema)).then_some(other)
    }
}

/// Functions that a script of ours has beside those of its tools.
const OWN: [&str; 2] = ["populate", "speaks_of"];

/// Asks for the parameters without which nothing says what is meant, where a source lets them be left out.
fn needed(tool: &mut OuterTool, part: &Part) -> Vec<Guess> {
    let names_one = !matches!(part.role, Role::Create | Role::List | Role::Look);
    let names: Vec<String> = part.id.clone().filter(|_| names_one).into_iter().chain(part.batch.clone()).collect();
    let left: Vec<String> = names.into_iter().filter(|name| !is_required(tool, name)).collect();
    if left.is_empty() {
        return Vec::new();
    }
    let required = tool.input.entry("required").or_insert_with(|| Value::Array(Vec::new()));
    if let Some(required) = required.as_array_mut() {
        required.extend(left.iter().cloned().map(Value::from));
    }
    let guess = |name: String| Guess {
        tool: tool.name.clone(),
        says: format!("`{name}` has to be given"),
        ground: format!("without it nothing says which {} is meant", part.one.replace('_', " ")),
        decide: "make it optional, and say in the script what is done without it".to_owned(),
        doubt: 1,
    };
    left.into_iter().map(guess).collect()
}

/// What is made in collections that no tool shows, beside others that some tool does.
fn unshown(parts: &[(OuterTool, Part)], world: &BTreeMap<String, Collection>) -> Vec<Guess> {
    let makes = |part: &Part| part.role == Role::Create;
    let shown: BTreeSet<String> = parts.iter().filter(|(_, own)| !makes(own)).map(|(_, own)| name(&own.one)).collect();
    let is_other = |part: &&String| *part != ACTIONS && shown.contains(*part);
    let others: Vec<&String> = world.keys().filter(is_other).collect();
    let lone = parts.iter().filter(|(_, own)| makes(own) && !others.is_empty() && !shown.contains(&name(&own.one)));
    let guess = |(outer, part): &(OuterTool, Part)| Guess {
        tool: outer.name.clone(),
        says: format!("makes one of `{}`", name(&part.one)),
        ground: "it is called so, and no tool shows one".to_owned(),
        decide: "let its body make what another tool shows, if it is that, and take the collection away".to_owned(),
        doubt: 2,
    };
    lone.map(guess).collect()
}

/// Makes an environment of a source; `id` is `domain/name`.
///
/// # Errors
/// It is more than an environment holds.
pub fn draft(id: &str, mut source: Source) -> Result<Draft, Refused> {
    let seen = std::mem::take(&mut source.seen);
    let mut guesses = seen.fill(&mut source);
    let mut parts: Vec<(OuterTool, Part)> = source.tools.iter().map(|tool| (tool.clone(), Part::of(tool))).collect();
    settle_parts(&mut parts);
    parts.iter_mut().for_each(|(tool, part)| guesses.extend(needed(tool, part)));
    let (world, shapes) = world(&parts);
    let (first, begun) = seen.first_state(&parts, &shapes, &world);
    guesses.extend(begun);
    guesses.extend(unshown(&parts, &world));
    let before = guesses.clone();
    let mut taken = natives();
    taken.extend(OWN.map(str::to_owned));
    let mut tools: Vec<Tool> = parts
        .into_iter()
        .zip(shapes.into_iter().chain(std::iter::repeat(Shape::Other)))
        .map(|((outer, part), shape)| tool(outer, part, shape, &world, &mut taken, &mut guesses))
        .collect();
    for guess in &before {
        let own = tools.iter_mut().filter(|tool| tool.outer.name == guess.tool);
        own.for_each(|tool| tool.grounds.push(guess.comment()));
    }
    for tool in &tools {
        let note = |text| Note { tool: tool.outer.name.clone(), at: String::new(), text };
        source.notes.extend(lost(tool, &world).into_iter().map(note));
    }
    guesses.sort_by_key(|guess| std::cmp::Reverse(guess.doubt));
    let (environment, script) =
        (environment::environment(id, &source, &tools, &world, &before), script::script(id, &tools, &world, &first));
    if environment.len().max(script.len()) > MAX_BYTES {
        return Err(too_large("its tools"));
    }
    let texts = Texts { environment, script };
    loads(id, &texts)?;
    Ok(Draft {
        id: id.to_owned(),
        texts,
        tools: tools.len(),
        has_logs: !first.is_empty(),
        collections: world.keys().cloned().collect(),
        guesses,
        notes: source.notes,
    })
}

/// What is about an entity that another collection's id names is about that one: `updateOrderAddress` by `orderId` changes
/// an order, `getBenchClimate` by `benchId` shows a bench. By `targetBenchId` nothing is known but where something goes.
fn settle_parts(parts: &mut [(OuterTool, Part)]) {
    let known: BTreeMap<String, usize> =
        parts.iter().filter(|(_, part)| part.role != Role::Act).fold(BTreeMap::new(), |mut counts, (_, part)| {
            *counts.entry(part.one.clone()).or_default() += 1;
            counts
        });
    let is_of_one = |part: &&mut (OuterTool, Part)| {
        matches!(part.1.role, Role::Get | Role::Update | Role::Delete) && known.get(&part.1.one) == Some(&1)
    };
    for (_, part) in parts.iter_mut().filter(is_of_one) {
        let called = part.id.as_deref().map(identifier_of).unwrap_or_default();
        if VOCABULARY.ids(&part.one).contains(&called) {
            continue;
        }
        let others = || known.keys().filter(|one| !one.is_empty() && **one != part.one);
        let whole = others().find(|one| called == format!("{one}_id")).cloned();
        let is_beside = others().any(|one| called.ends_with(&format!("_{one}_id")));
        match whole {
            Some(one) if part.role != Role::Delete => (part.one, part.is_by_other) = (one, true),
            None if is_beside => {
                part.id = None;
                part.role = if part.reads() { Role::Look } else { Role::Act };
            }
            Some(_) | None => {}
        }
    }
}

/// # Errors
/// The files are more than what reads them takes.
fn loads(id: &str, texts: &Texts) -> Result<(), Refused> {
    let help = "take fewer tools with `--only`, or mend the source there";
    match fault(id, texts, &Scripts::new()) {
        Some(why) => Err(Refused::new(format!("what is made of it would not load: {why}"), help)),
        None => Ok(()),
    }
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
    let outer_name = outer.name.clone();
    let mut guess = |says: String, ground: &str, decide: &str, doubt: u8| {
        let (ground, decide) = (ground.to_owned(), decide.to_owned());
        let guess = Guess { tool: outer_name.clone(), says, ground, decide, doubt };
        grounds.push(guess.comment());
        guesses.push(guess);
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
    let mut begins_with = Vec::new();
    for of_field in collection.map(|own| begun(&outer, &part, &shape, own)).unwrap_or_default() {
        if let Some((says, ground, decide)) = set_at_first(&of_field) {
            guess(says, &ground, decide, 1);
        }
        begins_with.extend(of_field.value.map(|value| (of_field.field.clone(), value)));
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
    let mut made = Tool {
        part,
        shape,
        is_named_apart,
        function,
        is_irreversible,
        can_exist,
        begins_with,
        grounds: Vec::new(),
        outer,
    };
    for (says, ground, decide, doubt) in names(&made, world) {
        guess(says, ground, decide, doubt);
    }
    made.grounds = grounds;
    made
}

/// What is guessed of a field that what is made has, or not, because a list asks for it.
fn set_at_first(Begun { field, value, asked }: &Begun<'_>) -> Option<(String, String, &'static str)> {
    let Asked { by, value: wanted } = (*asked)?;
    Some(match value {
        Some(value) => {
            let ground = format!("`{by}` asks for that unless told otherwise");
            (format!("sets `{field}` to {value}"), ground, "write what it sets into its body")
        }
        None => {
            let ground = format!("`{by}` asks for {wanted} unless told otherwise, and nothing says what this one sets");
            (format!("leaves `{field}` out"), ground, "set it in its body; what lacks it is listed")
        }
    })
}

/// What is guessed of the parameters that name entities, or seem to.
fn names(tool: &Tool, world: &BTreeMap<String, Collection>) -> Vec<Undecided> {
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
type Undecided = (String, &'static str, &'static str, u8);

/// What a body leaves undone, with the ground, what to do, and how much it wants a look.
fn left(outer: &OuterTool, part: &Part, shape: &Shape, collection: Option<&Collection>) -> Vec<Undecided> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use serde_json::json;

    use super::*;
    use crate::{Only, mcp};

    fn made(tools: &Value) -> Draft {
        draft("shop/desk", mcp(&json!({"tools": tools}).to_string(), &Only::default()).unwrap()).unwrap()
    }

    fn tool(name: &str, properties: Value) -> Value {
        json!({"name": name, "inputSchema": {"properties": properties, "required": ["shipmentId"]}})
    }

    #[test]
    fn what_is_made_of_each_kind_of_parameter_is_told() {
        let (id, text) = (json!({"type": "string"}), json!({"type": "string"}));
        let status = json!({"type": "object", "properties": {"shipmentId": id, "status": {"type": "string", "enum": ["open", "cancelled"]}}});
        let mut get = tool("getShipment", json!({"shipmentId": id}));
        get["outputSchema"] = status;
        let lists = json!({"status": text, "sort": text, "customerIds": {"type": "array", "items": id}, "page": {"type": "integer"}});
        let made = made(&json!([
            get,
            tool("listShipments", lists),
            tool("cancelShipment", json!({"shipmentId": id, "reason": text})),
            tool("updateShipmentAddress", json!({"shipmentId": id, "street": text})),
            tool(
                "addLines",
                json!({"shipmentId": id, "lines": {"type": "array", "items": {"properties": {"sku": text,
                    "seller": {"type": "object", "properties": {"customerId": id}}}}}})
            ),
            json!({"name": "getCustomerLevel", "inputSchema": {"properties": {"customerId": id}, "required": ["customerId"]}}),
            json!({"name": "packCrates", "inputSchema": {"properties": {"intoShipmentId": id}, "required": ["intoShipmentId"]}}),
            tool("getCustomer", json!({"customerId": id, "depth": {"type": "integer"}})),
            tool("moveShipment", json!({"shipmentId": id, "toCustomerId": id})),
            tool("mergeShipment", json!({"shipmentId": id, "shipment_id": id})),
        ]));
        let says: Vec<String> = made.guesses.iter().map(|guess| format!("{} {}", guess.tool, guess.says)).collect();
        for wanted in [
            "listShipments passes over `sort`",
            "listShipments passes over `customerIds`",
            "listShipments passes over `page`",
            "listShipments takes any `customerIds`, whether or not `customers` has it",
            "cancelShipment sets `status` to `cancelled`",
            "getCustomer passes over `depth`",
            "moveShipment `toCustomerId` names one of `customers`",
            "addLines takes any `lines[].seller.customerId`, whether or not `customers` has it",
            "getCustomerLevel is about `customers`, known by `customerId`",
            "packCrates is only written down in `actions`",
            "packCrates `intoShipmentId` names one of `shipments`",
            "mergeShipment `shipmentId` names another of `shipments`",
        ] {
            assert!(says.iter().any(|said| said == wanted), "{wanted}: {says:#?}");
        }
        assert_eq!(made.collections, ["actions", "customers", "lines", "shipments"]);
        for wanted in ["it.status = \"cancelled\";", "it.shipmentId = args.shipmentId;", "it.street = args.street;"] {
            assert!(made.texts.script.contains(wanted), "{wanted}: {}", made.texts.script);
        }
        assert!(made.texts.environment.contains("\"code\": \"shipment_id_not_found\""), "{}", made.texts.environment);
    }

    #[test]
    fn a_default_that_says_nothing_asks_for_nothing_and_what_lacks_the_field_is_listed() {
        let text = json!({"type": "string"});
        let open = json!({"type": "string", "enum": ["open", "closed"]});
        let given = |schema: &Value, default: Value| {
            let mut schema = schema.clone();
            schema["default"] = default;
            schema
        };
        let fields = json!({"lampId": text, "room": text, "shade": text, "state": open});
        let nullable = json!({"type": ["string", "null"]});
        let lists = json!({"name": "listLamps", "inputSchema": {"properties": {"room": given(&nullable, json!(null)),
            "shade": given(&text, json!("")), "state": given(&open, json!("open")), "limit": given(&json!({"type": "integer"}), json!(0))}},
            "outputSchema": {"type": "array", "items": {"properties": fields}}});
        let makes = |name: &str, shown: Value| {
            json!({"name": name, "inputSchema": {"properties": {"room": given(&nullable, json!(null))}},
                "outputSchema": {"properties": shown}})
        };
        let made = made(&json!([
            lists,
            makes("addLamp", json!({"lampId": text, "state": open})),
            makes("makeLamp", json!({"lampId": text})),
        ]));
        for wanted in [
            "if \"room\" in args && args.room != () { found",
            "if \"shade\" in args && args.shade != \"\" { found",
            "it.get(\"state\", \"open\") == args.state",
            "if \"limit\" in args && args.limit != 0 { if",
            "if \"room\" in args && args.room != () { it.room = args.room; }",
        ] {
            assert!(made.texts.script.contains(wanted), "{wanted}: {}", made.texts.script);
        }
        assert_eq!(made.texts.script.matches("it.state = \"open\";").count(), 1, "{}", made.texts.script);
        let says: Vec<String> = made.guesses.iter().map(|guess| format!("{} {}", guess.tool, guess.says)).collect();
        for wanted in ["addLamp sets `state` to \"open\"", "makeLamp leaves `state` out"] {
            assert!(says.iter().any(|said| said == wanted), "{wanted}: {says:#?}");
        }
    }

    #[test]
    fn what_only_the_author_knows_is_listed() {
        let text = json!({"type": "string"});
        let status = |more: &[&str]| json!({"type": "string", "enum": ([&["stored", "spent"], more].concat())});
        let fields = json!({"sampleId": text, "clientId": text, "status": status(&[]), "shelf": {"type": "integer", "minimum": 1, "maximum": 40}});
        let made = made(&json!([
            {"name": "listSamples", "inputSchema": {"properties": {"clientId": text, "status": status(&["any"])}},
                "outputSchema": {"type": "array", "items": {"properties": fields}}},
            {"name": "getClient", "inputSchema": {"properties": {"clientId": text}, "required": ["clientId"]}},
            {"name": "orderAnalyses", "inputSchema": {"properties": {"sampleId": text}, "required": ["sampleId"]}},
            {"name": "moveSample", "inputSchema": {"properties": {"sampleId": text, "shelf": {"type": "integer", "minimum": 1, "maximum": 40}, "reason": text},
                "required": ["sampleId"]}},
        ]));
        let says: Vec<String> = made.guesses.iter().map(|guess| format!("{} {}", guess.tool, guess.says)).collect();
        for wanted in [
            "listSamples takes any `clientId`, whether or not `clients` has it",
            "listSamples asks for all where `status` is `any`",
            "orderAnalyses makes one of `analyses`",
            "moveSample changes nothing where no `reason`, `shelf` is given",
            "moveSample `reason` may be left out",
        ] {
            assert!(says.iter().any(|said| said == wanted), "{wanted}: {says:#?}");
        }
        for wanted in ["if \"status\" in args && args.status != \"any\" { found", "it.shelf = 1 + rng.below(40);"] {
            assert!(made.texts.script.contains(wanted), "{wanted}: {}", made.texts.script);
        }
        assert!(
            made.texts.environment.contains("// makes one of `analyses`: it is called so"),
            "{}",
            made.texts.environment
        );
    }

    #[test]
    fn what_would_not_load_is_refused_with_words() {
        let all: serde_json::Map<String, Value> = (0..20_000).map(|i| (format!("p{i}"), json!({}))).collect();
        let list = json!({"tools": [{"name": "makeLamp", "inputSchema": {"properties": all}}]}).to_string();
        let refused = draft("shop/desk", mcp(&list, &Only::default()).unwrap()).unwrap_err();
        assert!(refused.message.starts_with("what is made of it would not load: "), "{refused:?}");
    }

    /// Tools as people call them, over a few nouns, with and without a schema of what they return.
    fn tools() -> impl Strategy<Value = Value> {
        let verbs = prop::sample::select(vec!["add", "create", "update", "cancel", "delete", "get", "list", "merge"]);
        let nouns = prop::sample::select(vec!["Order", "Orders", "OrderLine", "Invoice", "invoices", "Seats", ""]);
        let key = prop_oneof![
            Just(json!({"type": "string"})),
            Just(json!({"type": "integer"})),
            Just(json!({"type": ["string", "null"]}))
        ];
        let names =
            prop::sample::select(vec!["orderId", "order_id", "id", "invoiceId", "status", "seatIds", "fn", "a-b"]);
        let parts = prop::collection::vec((names, key), 0..4);
        let fields = parts.prop_map(|all| -> Value {
            Value::Object(all.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect())
        });
        let batch = prop::sample::select(vec!["orders", "invoices", "seats", "order_lines"]);
        let output = prop::sample::select(vec!["none", "one", "list", "within", "several"]);
        (verbs, nouns, fields.clone(), fields, prop::option::of(batch), output, any::<bool>()).prop_map(
            |(verb, noun, given, shown, batch, output, is_required)| {
                let mut given = given;
                let object = json!({"type": "object", "properties": shown});
                if let Some(batch) = batch {
                    given[batch] = json!({"type": "array", "items": object});
                }
                let required: Vec<String> = given.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
                let required = if is_required { required } else { Vec::new() };
                let mut tool = json!({"name": format!("{verb}{noun}"), "inputSchema": {"type": "object", "properties": given, "required": required}});
                match output {
                    "one" => tool["outputSchema"] = object,
                    "list" => tool["outputSchema"] = json!({"type": "array", "items": object}),
                    "within" => tool["outputSchema"] = json!({"type": "object", "properties": {"it": object}}),
                    "several" => tool["outputSchema"] = json!({"type": "object", "properties": {"all": {"type": "array", "items": object}}}),
                    _ => {}
                }
                tool
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(47), ..ProptestConfig::with_cases(40) })]

        #[test]
        fn what_is_made_of_any_tools_loads(tools in prop::collection::vec(tools(), 3..6)) {
            let source = mcp(&json!({"tools": tools}).to_string(), &Only::default());
            let made = source.and_then(|source| draft("shop/desk", source));
            prop_assert!(made.is_ok(), "{:#}\n{:?}", json!(tools), made.err());
        }
    }
}
