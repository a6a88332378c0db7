//! A task in short, with its oracles' calls.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::model::assertion::Assertion;
use crate::model::variant::Variant;
use probity_engine::ids::split_task_id;
use probity_engine::short::{derive, derive_head, id_of_path, listed};
use probity_engine::visible::strange;
use probity_engine::{Data, Difficulty, ShortFormErrors, Tree, short::respell, suggest};

pub fn task(file: &str, tree: &mut Tree, refused: &mut ShortFormErrors) {
    if tree.fields().is_none() {
        return;
    }
    respell(tree, &["consents", "presumes"], refused);
    derive_head(tree, id_of_path(file, "tasks"));
    let id = tree.get("id").and_then(Tree::text).unwrap_or_default().to_owned();
    if let Some((environment, _)) = split_task_id(&id) {
        derive(tree, "environment", environment);
    }
    // A difficulty that is none is told where it stands, and not as a size again.
    let is_level = |value: &Value| Difficulty::deserialize(value).is_ok();
    let difficulty = tree.get("difficulty").map(Tree::value).filter(is_level);
    if let Some(start) = tree.get_mut("initial_state") {
        derive(start, "size", difficulty.unwrap_or_else(|| json!(Difficulty::Easy)));
    }
    tree.get_mut("facts").and_then(Tree::fields_mut).into_iter().flatten().for_each(|(_, fact)| self::fact(fact));
    let bindings = tree.get_mut("bindings").and_then(Tree::fields_mut);
    bindings.into_iter().flatten().for_each(|(_, binding)| self::binding(binding));
    if let Some(outcomes) = tree.get_mut("outcomes") {
        listed(outcomes, "name", refused);
        outcomes.items_mut().into_iter().flatten().for_each(|outcome| self::outcome(outcome, refused));
    }
    variants(tree, refused);
}

/// A value, or a value with other ways to say it, is a fact.
fn fact(fact: &mut Tree) {
    let (value, also) = match &fact.data {
        Data::Object(_) => return,
        Data::Scalar(_) => (fact.clone(), None),
        Data::Array(ways) => {
            let Some((value, also)) = ways.split_first() else { return };
            (value.clone(), Some(also.to_vec()))
        }
    };
    let mut fields = vec![("value".to_owned(), value)];
    fields.extend(also.map(|also| ("also".to_owned(), fact.with(Data::Array(also)))));
    fact.data = Data::Object(fields);
}

/// `{"guests": {"last_name": "Okafor"}}`: the collection, and the fields of the entity.
fn binding(binding: &mut Tree) {
    let Some([(collection, fields)]) = binding.fields() else { return };
    if collection == "collection" || collection == "where" || fields.fields().is_none() {
        return;
    }
    let at = fields.key.unwrap_or(fields.at);
    let collection = Tree::at(at, Value::from(collection.as_str()));
    binding.data = Data::Object(vec![("collection".to_owned(), collection), ("where".to_owned(), fields.clone())]);
}

fn outcome(outcome: &mut Tree, refused: &mut ShortFormErrors) {
    check(outcome, refused);
    let calls = outcome.get_mut("oracle").and_then(Tree::items_mut);
    calls.into_iter().flatten().for_each(|call| oracle_call(call, refused));
    if let Some(count) = outcome.get("oracle").and_then(Tree::items).map(<[_]>::len) {
        derive(outcome, "budget", json!(count));
    }
    if let Some(groups) = outcome.get_mut("must_say") {
        answers(groups, refused);
    }
}

/// A group of one answer is written as the answer.
fn answers(groups: &mut Tree, refused: &mut ShortFormErrors) {
    let help = "write `[[\"15.00 EUR\"], [\"23:00\", \"eleven\"]]`: one answer of each group must be given";
    if matches!(groups.data, Data::Scalar(_)) {
        let message = "`must_say` is a list of groups of answers".to_owned();
        refused.error(groups.at, "wrong_type", message, help);
        *groups = groups.instead(json!([]));
    }
    for group in groups.items_mut().into_iter().flatten() {
        match &group.data {
            Data::Scalar(Value::String(_)) => group.data = Data::Array(vec![Tree { key: None, ..group.clone() }]),
            Data::Scalar(_) => {
                refused.error(group.at, "wrong_type", "an answer is a text".to_owned(), help);
                *group = group.instead(json!(["answer"]));
            }
            Data::Array(_) | Data::Object(_) => {}
        }
    }
}

/// Users that are lists of turns, what all of them say yes to and take for granted, and calls by their tools in
/// `segments`.
fn variants(tree: &mut Tree, refused: &mut ShortFormErrors) {
    let consents = tree.remove("consents");
    let presumes = tree.remove("presumes");
    if let Some(presumes) = &presumes {
        turns_of_nobody(presumes, tree.get("variants"), refused);
    }
    let outcomes = tree.get("outcomes").cloned();
    for (name, variant) in tree.get_mut("variants").and_then(Tree::fields_mut).into_iter().flatten() {
        if variant.items().is_some() {
            let turns = Tree { key: None, ..variant.clone() };
            variant.data = Data::Object(vec![("turns".to_owned(), turns)]);
        }
        // Of names that are no variant's there may be any number.
        let is_known = Variant::ALL.iter().any(|known| known.name() == name);
        let has_own = variant.has("consents") || !is_known;
        if let (false, Some(consents), Some(fields)) = (has_own, &consents, variant.fields_mut()) {
            fields.push(("consents".to_owned(), consents.clone()));
        }
        if let (true, Some(presumes)) = (is_known && !variant.has("presumes"), &presumes) {
            let presumes = of_turns(presumes, variant.get("turns").and_then(Tree::items).map_or(0, <[_]>::len));
            variant.push("presumes", presumes);
        }
        let presumed = variant.get_mut("presumes").and_then(Tree::fields_mut).into_iter().flatten();
        presumed.filter_map(|(_, all)| all.items_mut()).flatten().for_each(presumption);
        for extra in variant.get_mut("extra_calls").and_then(Tree::items_mut).into_iter().flatten() {
            call(extra);
        }
        if variant.get("segments").is_some_and(|segments| segments.fields().is_some()) {
            let accepted = variant.get("accept").and_then(Tree::items).and_then(<[_]>::first).and_then(Tree::text);
            let played = played(outcomes.as_ref(), accepted.unwrap_or("base"));
            if let Some(named) = variant.get_mut("segments") {
                segments(named, &played, refused);
            }
        }
    }
}

/// Turns that no user has who takes for granted what the task says.
fn turns_of_nobody(presumes: &Tree, variants: Option<&Tree>, refused: &mut ShortFormErrors) {
    let users = variants.and_then(Tree::fields).unwrap_or_default();
    let heirs = users.iter().map(|(_, user)| user).filter(|user| !user.has("presumes"));
    let turns = heirs.filter_map(|user| user.items().or_else(|| user.get("turns")?.items()));
    let most = turns.map(<[Tree]>::len).max().unwrap_or(0);
    let of_nobody = |turn: &str| turn.parse::<usize>().is_ok_and(|turn| turn > most);
    for (turn, what) in presumes.fields().unwrap_or_default().iter().filter(|(turn, _)| of_nobody(turn)) {
        let message = format!("no user who takes this for granted has a turn {turn}");
        refused.error(what.at, "bad_turn", message, "name a turn from 2 that one of them has, or remove it");
    }
}

/// What all users take for granted, without the turns that one of them does not have.
fn of_turns(presumes: &Tree, turns: usize) -> Tree {
    let Some(fields) = presumes.fields() else { return presumes.clone() };
    let has = |turn: &str| turn.parse::<usize>().map_or(true, |turn| turn <= turns);
    presumes.with(Data::Object(fields.iter().filter(|(turn, _)| has(turn)).cloned().collect()))
}

/// An answer, or several of which one will do, is what must have been told.
fn presumption(presumed: &mut Tree) {
    let told = match &presumed.data {
        Data::Scalar(Value::String(_)) => Data::Array(vec![Tree { key: None, ..presumed.clone() }]),
        Data::Array(_) => presumed.data.clone(),
        Data::Scalar(_) | Data::Object(_) => return,
    };
    presumed.data = Data::Object(vec![("told".to_owned(), Tree { key: None, ..presumed.with(told) })]);
}

/// The tools of an outcome's oracle with the segments of their calls.
fn played(outcomes: Option<&Tree>, name: &str) -> Vec<(String, Value)> {
    let outcomes = outcomes.and_then(Tree::items).unwrap_or_default();
    let outcome = outcomes.iter().find(|outcome| outcome.get("name").and_then(Tree::text) == Some(name));
    let calls = outcome.and_then(|outcome| outcome.get("oracle")?.items()).unwrap_or_default();
    let tool = |call: &Tree| call.get("tool").and_then(Tree::text).unwrap_or_default().to_owned();
    calls.iter().map(|call| (tool(call), call.get("segment").map_or(json!(1), Tree::value))).collect()
}

/// A name with the character of it that is not what it looks like.
fn told_apart(name: &str) -> String {
    strange(name).map_or_else(|| format!("`{name}`"), |found| format!("`{name}`, which holds {found}"))
}

/// `{"list_bookings": 2, "get_bill": [2, 3]}`: the segment of a tool's calls, or of one after the other; those that are
/// not named keep the outcome's.
fn segments(named: &mut Tree, played: &[(String, Value)], refused: &mut ShortFormErrors) {
    let mut segments: Vec<Tree> = played.iter().map(|(_, segment)| Tree::at(named.at, segment.clone())).collect();
    for (tool, given) in named.fields().unwrap_or_default() {
        let calls: Vec<usize> = played.iter().enumerate().filter(|(_, (of, _))| of == tool).map(|(at, _)| at).collect();
        let each: Vec<Tree> = match given.items() {
            Some(items) => items.to_vec(),
            None if given.fields().is_none() => vec![given.clone(); calls.len()],
            None => vec![given.clone()],
        };
        if calls.is_empty() {
            let message = format!("the oracle does not call `{tool}`");
            let names = || played.iter().map(|(of, _)| of.as_str());
            // Which of two names is the tool's is not known here.
            let help = match suggest::nearest(tool, names()) {
                Some(near) => format!("it calls {}: write both as the tool is called", told_apart(near)),
                None => suggest::help(tool, names()),
            };
            refused.error(given.key.unwrap_or(given.at), "bad_segments", message, help);
        } else if each.len() != calls.len() {
            let (count, made) = (each.len(), calls.len());
            let message = format!("`{tool}` is given {count} segments, for {made} of the oracle's calls");
            refused.error(given.at, "bad_segments", message, "give each of its calls a segment, or one to all");
        }
        for (at, segment) in calls.into_iter().zip(each) {
            if let Some(place) = segments.get_mut(at) {
                *place = Tree { key: None, ..segment };
            }
        }
    }
    named.data = Data::Array(segments);
}

/// Assertions are of one kind each; what is of none or of several is told here, in the author's words.
const HELP: &str =
    "write `path` with one of equals, absent, exists, changed, matches; or `new` with `matching` and `count`";

/// Checks the assertions of an outcome; one that is of no kind is put aside.
pub(super) fn check(outcome: &mut Tree, refused: &mut ShortFormErrors) {
    for list in ["achieves", "preserves"] {
        for assertion in outcome.get_mut(list).and_then(Tree::items_mut).into_iter().flatten() {
            let value = assertion.value();
            if !has_known_keys(&value) || Assertion::deserialize(&value).is_ok() {
                continue;
            }
            let flags = ["absent", "exists", "changed"];
            match flags.iter().any(|flag| value.get(flag) == Some(&Value::Bool(false))) {
                true => {
                    let message = "`absent`, `exists` and `changed` can only be true";
                    refused.error(assertion.at, "bad_assertion", message.to_owned(), "leave it out");
                }
                false => {
                    refused.error(assertion.at, "bad_assertion", "this is not one assertion".to_owned(), HELP);
                }
            }
            *assertion = assertion.instead(json!({"path": "/", "exists": true}));
        }
    }
}

/// Whether all keys are some kind's and hold what they hold there; else the strict reading says what is wrong.
fn has_known_keys(value: &Value) -> bool {
    let is_fit = |(key, value): (&String, &Value)| match key.as_str() {
        "path" | "matches" | "new" => value.is_string(),
        "absent" | "exists" | "changed" => value.is_boolean(),
        "matching" => value.is_object(),
        "count" => value.as_u64().is_some_and(|count| u32::try_from(count).is_ok()),
        "equals" => true,
        _ => false,
    };
    value.as_object().is_some_and(|map| map.iter().all(is_fit))
}

const BESIDE: [&str; 4] = ["segment", "after", "equivalents", "optional"];

/// The most arguments that are optional: each doubles the number of calls.
const MOST_OPTIONAL: usize = 6;

pub(super) fn oracle_call(tree: &mut Tree, refused: &mut ShortFormErrors) {
    // An object may be the arguments of a tool whose name is near.
    if !tree.fields().is_some_and(|fields| fields.iter().any(|(key, field)| is_near(key) && field.items().is_none())) {
        respell(tree, &["optional"], refused);
    }
    call(tree);
    for equivalent in tree.get_mut("equivalents").and_then(Tree::items_mut).into_iter().flatten() {
        call(equivalent);
    }
    if !tree.get("optional").is_some_and(|optional| optional.items().is_some() || optional.fields().is_some()) {
        return;
    }
    let Some((tool, arguments)) = tree.get("tool").cloned().zip(tree.get("arguments").cloned()) else { return };
    let Some(optional) = tree.remove("optional") else { return };
    if !is_fit(&optional, &arguments, refused) {
        return;
    }
    let found: Vec<Tree> = match &optional.data {
        Data::Object(more) => subsets(more).map(|more| with_more(&arguments, &more)).collect(),
        Data::Array(names) => subsets(names).map(|names| without(&arguments, &names)).collect(),
        Data::Scalar(_) => Vec::new(),
    };
    let found = found.into_iter().map(|arguments| {
        let fields = vec![("tool".to_owned(), tool.clone()), ("arguments".to_owned(), arguments)];
        Tree { key: None, ..optional.with(Data::Object(fields)) }
    });
    let found: Vec<Tree> = found.collect();
    match tree.get_mut("equivalents").and_then(Tree::items_mut) {
        Some(written) => written.extend(found),
        None => tree.push("equivalents", optional.with(Data::Array(found))),
    }
}

/// Whether what may be left out is an argument and what may be added is none, and there are few of them.
fn is_fit(optional: &Tree, arguments: &Tree, refused: &mut ShortFormErrors) -> bool {
    let known: Vec<&str> = arguments.fields().unwrap_or_default().iter().map(|(name, _)| name.as_str()).collect();
    let (mut is_fit, mut count) = (true, 0);
    for name in optional.items().unwrap_or_default() {
        count += 1;
        let is_known = name.text().is_some_and(|name| known.contains(&name));
        if !is_known {
            let name = name.text().unwrap_or_default();
            let help = suggest::help(name, known.iter().copied());
            refused.error(optional.at, "unknown_parameter", format!("the call has no argument `{name}`"), help);
        }
        is_fit &= is_known;
    }
    for (name, added) in optional.fields().unwrap_or_default() {
        count += 1;
        if known.contains(&name.as_str()) {
            let message = format!("the call has the argument `{name}` already");
            let help = "list the names of those that may be left out: `[\"a\", \"b\"]`";
            refused.error(added.key.unwrap_or(added.at), "duplicate_key", message, help);
            is_fit = false;
        }
    }
    if count > MOST_OPTIONAL {
        let message = format!("{count} arguments are optional; at most {MOST_OPTIONAL} can be");
        refused.error(optional.at, "bad_value", message, "write the whole calls under `equivalents`");
    }
    is_fit && count <= MOST_OPTIONAL
}

fn is_near(key: &str) -> bool {
    key != "optional" && suggest::nearest(key, ["optional"]).is_some()
}

/// A call: a tool's name with its arguments, or an object that says both.
pub(super) fn call(tree: &mut Tree) {
    let Some(fields) = tree.fields_mut() else { return };
    if fields.iter().any(|(key, _)| key == "tool" || key == "arguments") {
        return;
    }
    let is_named = |(key, field): &(String, Tree)| field.fields().is_some() && !BESIDE.contains(&key.as_str());
    let Some(at) = fields.iter().position(is_named) else { return };
    let (tool, arguments) = fields.remove(at);
    let named = Tree::at(arguments.key.unwrap_or(arguments.at), Value::from(tool));
    fields.insert(0, ("tool".to_owned(), named));
    fields.insert(1, ("arguments".to_owned(), arguments));
}

/// All that can be chosen of a list but nothing: the first, the second, both, the third, ..
fn subsets<T: Clone>(of: &[T]) -> impl Iterator<Item = Vec<T>> {
    (1..1_usize << of.len()).map(|chosen| {
        let is_chosen = |(at, _): &(usize, &T)| chosen >> at & 1 == 1;
        of.iter().enumerate().filter(is_chosen).map(|(_, item)| item.clone()).collect()
    })
}

fn with_more(arguments: &Tree, more: &[(String, Tree)]) -> Tree {
    let mut arguments = arguments.clone();
    more.iter().for_each(|(name, value)| arguments.push(name, value.clone()));
    arguments
}

fn without(arguments: &Tree, names: &[Tree]) -> Tree {
    let mut arguments = arguments.clone();
    names.iter().filter_map(Tree::text).for_each(|name| drop(arguments.remove(name)));
    arguments
}
