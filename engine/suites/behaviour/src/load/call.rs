//! Calls in short: `{"move_booking": {"booking_id": "$booking"}, "segment": 2}`, and what may be left out or added.

use serde_json::Value;

use probity_engine::{Data, ShortFormErrors, Tree, short::respell, suggest};

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
