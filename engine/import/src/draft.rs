//! An environment and its script made of a source, with the list of what was guessed.

use std::collections::{BTreeMap, BTreeSet};

use probity_engine::ids::{identifier_of, is_identifier};
use probity_engine::load::environment::Scripts;
use probity_engine::words::{is_reserved, natives};
use serde_json::Value;

use crate::again::Texts;
use crate::fault::fault;
use crate::lost::lost;
use crate::role::{Part, Role, VOCABULARY, is_required};
use crate::seen::Seen;
use crate::source::{MAX_BYTES, Note, OuterTool, Refused, Source, too_large};
use crate::tool::Tool;
use crate::undecided::{Guess, left, names};
use crate::world::{ACTIONS, Asked, Begun, Collection, Shape, begun, name, parameters, world};
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

/// Makes an environment of a source and of what its tools were seen to do; `id` is `domain/name`.
///
/// # Errors
/// It is more than an environment holds.
pub fn draft(id: &str, mut source: Source, seen: &Seen) -> Result<Draft, Refused> {
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
            let made = source.and_then(|source| draft("shop/desk", source, &Seen::default()));
            prop_assert!(made.is_ok(), "{:#}\n{:?}", json!(tools), made.err());
        }
    }
}
