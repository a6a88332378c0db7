//! References: `$booking` names an entity of the initial state, `$2.charge_id` a field of what oracle call 2 returned;
//! and how a task binds its entities.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::model::task_file::Binding;
use probity_engine::within::texts;
use probity_engine::{Fields, Problem, SlotKind, State, field_path, pointer, suggest};

/// What a text that starts with `$` stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// `$name`.
    Binding(&'a str),
    /// `$2.a.0.b`: a path into the observation of an oracle call, counted from 1.
    Observation(usize, Vec<&'a str>),
    /// `$$text` is the plain text `$text`.
    Escaped(&'a str),
}

impl<'a> Reference<'a> {
    /// Reads a text; `None` when it is plain.
    pub fn parse(text: &'a str) -> Option<Reference<'a>> {
        let rest = text.strip_prefix('$')?;
        if rest.starts_with('$') {
            return Some(Reference::Escaped(rest));
        }
        let mut parts = rest.split('.');
        match parts.next().and_then(|first| first.parse::<usize>().ok()) {
            Some(call) if call > 0 => Some(Reference::Observation(call, parts.collect())),
            Some(_) | None => Some(Reference::Binding(text)),
        }
    }
}

/// What the oracle's calls returned, by position; `None` for calls that were not made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observations<'a>(pub &'a [Option<&'a Value>]);

impl Observations<'_> {
    fn find(&self, call: usize, path: &[&str]) -> Option<&Value> {
        let observation = (*self.0.get(call.checked_sub(1)?)?)?;
        path.iter().try_fold(observation, |value, part| match value {
            Value::Object(map) => map.get(*part),
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        })
    }

    /// The value with all references to observations filled in; `None` when one has nothing to refer to.
    pub fn fill(&self, value: &Value) -> Option<Value> {
        match value {
            Value::String(text) => match Reference::parse(text) {
                Some(Reference::Observation(call, path)) => self.find(call, &path).cloned(),
                Some(Reference::Escaped(plain)) => Some(Value::from(plain)),
                Some(Reference::Binding(_)) | None => Some(value.clone()),
            },
            Value::Array(items) => items.iter().map(|item| self.fill(item)).collect::<Option<_>>().map(Value::Array),
            Value::Object(map) => self.fill_map(map).map(Value::Object),
            Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.clone()),
        }
    }

    /// [`Observations::fill`] for an object's fields.
    pub fn fill_map(&self, map: &Map<String, Value>) -> Option<Map<String, Value>> {
        map.iter().map(|(key, value)| Some((key.clone(), self.fill(value)?))).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dangling {
    /// Where it stands, below the arguments.
    pub at: String,
    pub reference: String,
    /// The call that it refers to, from 1.
    pub call: usize,
    /// The part of it that is not there, and what is there instead.
    pub part: String,
    /// The fields, or positions, to choose from.
    pub known: Vec<String>,
}

impl Observations<'_> {
    /// The references of an object's fields that lead nowhere.
    pub fn dangling(&self, map: &Map<String, Value>, at: &str) -> Vec<Dangling> {
        let below = map.iter().map(|(key, value)| (format!("{at}/{}", probity_engine::pointer::escape(key)), value));
        below.flat_map(|(at, value)| self.dangling_in(value, &at)).collect()
    }

    fn dangling_in(&self, value: &Value, at: &str) -> Vec<Dangling> {
        match value {
            Value::String(text) => self.dangling_reference(text, at).into_iter().collect(),
            Value::Array(items) => {
                items.iter().enumerate().flat_map(|(i, item)| self.dangling_in(item, &format!("{at}/{i}"))).collect()
            }
            Value::Object(map) => self.dangling(map, at),
            Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
        }
    }

    fn dangling_reference(&self, text: &str, at: &str) -> Option<Dangling> {
        let Reference::Observation(call, path) = Reference::parse(text)? else { return None };
        let missing = (0..=path.len()).find(|end| self.find(call, path.get(..*end).unwrap_or_default()).is_none())?;
        let (reached, rest) = path.split_at_checked(missing.checked_sub(1)?)?;
        let known = match self.find(call, reached)? {
            Value::Object(map) => map.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|i| i.to_string()).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        let part = rest.first().copied().unwrap_or_default().to_owned();
        Some(Dangling { at: at.to_owned(), reference: text.to_owned(), call, part, known })
    }
}

/// Puts the keys that bindings stand for in their places, and notes names that are not bound as `(pointer, name)`.
pub struct Binder<'a> {
    bindings: &'a BTreeMap<String, String>,
    pub unbound: Vec<(String, String)>,
}

impl<'a> Binder<'a> {
    pub fn new(bindings: &'a BTreeMap<String, String>) -> Self {
        Binder { bindings, unbound: Vec::new() }
    }

    /// What is left can still be filled with observations, so `$$` stays, and keys that start with `$` get a second one.
    pub fn bind(&mut self, value: &mut Value, at: &str) {
        match value {
            Value::String(text) => {
                if let Some(Reference::Binding(name)) = Reference::parse(text) {
                    match self.bindings.get(name) {
                        Some(key) if key.starts_with('$') => *text = format!("${key}"),
                        Some(key) => *text = key.clone(),
                        None => self.unbound.push((at.to_owned(), name.to_owned())),
                    }
                }
            }
            Value::Array(items) => {
                items.iter_mut().enumerate().for_each(|(i, item)| self.bind(item, &format!("{at}/{i}")));
            }
            Value::Object(map) => self.bind_map(map, at),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub fn bind_map(&mut self, map: &mut Map<String, Value>, at: &str) {
        for (key, value) in map {
            self.bind(value, &format!("{at}/{}", pointer::escape(key)));
        }
    }

    /// Binds where no call has been made: all text is plain afterwards, and references to calls are not bound.
    pub fn bind_plain(&mut self, map: &mut Map<String, Value>) {
        self.bind_map(map, "");
        for (key, value) in map {
            let mut referred = BTreeSet::new();
            calls_referred_to(value, &mut referred);
            match Observations::default().fill(value) {
                Some(plain) => *value = plain,
                None => {
                    let at = format!("/{}", pointer::escape(key));
                    self.unbound.extend(referred.iter().map(|call| (at.clone(), format!("${call}"))));
                }
            }
        }
    }

    pub fn problems(&self) -> impl Iterator<Item = Problem> {
        self.unbound.iter().map(|(at, name)| unbound(at, name, self.bindings))
    }
}

/// The oracle calls (from 1) whose observations a value refers to.
pub fn calls_referred_to(value: &Value, calls: &mut BTreeSet<usize>) {
    calls.extend(texts(value).filter_map(|text| match Reference::parse(text)? {
        Reference::Observation(call, _) => Some(call),
        Reference::Binding(_) | Reference::Escaped(_) => None,
    }));
}

pub(super) fn not_bound(name: &str) -> String {
    format!("`{name}` is not bound")
}

/// A `$name` that nothing is bound to.
pub(super) fn unbound(at: &str, name: &str, bindings: &BTreeMap<String, String>) -> Problem {
    let help = suggest::help(name, bindings.keys().map(String::as_str));
    Problem::error(at, "unbound", not_bound(name)).help(help)
}

/// Finds the keys that all bindings stand for; bindings may use one another.
pub fn resolve(bindings: &BTreeMap<String, Binding>, state: &State) -> (BTreeMap<String, String>, Vec<Problem>) {
    let mut found = BTreeMap::new();
    let mut problems = Vec::new();
    let mut waiting: Vec<(&String, &Binding)> = bindings.iter().collect();
    loop {
        let before = waiting.len();
        waiting.retain(|(name, binding)| {
            let mut fields = binding.fields.clone();
            let mut binder = Binder::new(&found);
            binder.bind_plain(&mut fields);
            if !binder.unbound.is_empty() {
                return true;
            }
            match find_one(binding, &fields, state) {
                Ok(key) => drop(found.insert((*name).clone(), key)),
                Err(problem) => problems.push(problem.below(&pointer::join(["bindings", name]))),
            }
            false
        });
        if waiting.is_empty() || waiting.len() == before {
            break;
        }
    }
    let stuck = if problems.is_empty() { waiting } else { Vec::new() };
    for (name, _) in stuck {
        let message = format!("`{name}` uses a binding that is not there, or uses itself in a circle");
        let at = pointer::join(["bindings", name]);
        problems.push(Problem::error(at, "unbound", message).help("bind the other name to an entity first"));
    }
    for name in bindings.keys().filter(|name| !name.strip_prefix('$').is_some_and(probity_engine::ids::is_identifier)) {
        let at = pointer::join(["bindings", name]);
        let message = format!("`{name}` is not a name for a binding");
        problems.push(Problem::error(at, "bad_name", message).help("write `$` and a lower-case identifier"));
    }
    (found, problems)
}

fn find_one(binding: &Binding, fields: &Map<String, Value>, state: &State) -> Result<String, Problem> {
    let collections = || state.shape().slots.iter().filter(|slot| slot.kind == SlotKind::Collection);
    let is_one = collections().any(|slot| slot.name == binding.collection);
    let Some(slot) = state.shape().index(&binding.collection).filter(|_| is_one) else {
        let names = collections().map(|slot| slot.name.as_str());
        let help = suggest::help(&binding.collection, names);
        let message = format!("there is no collection `{}`", binding.collection);
        return Err(Problem::error("/collection", "unknown_collection", message).help(help));
    };
    let matching: Vec<&str> =
        state.entities(slot).filter(|(_, entity)| has_fields(entity, fields)).map(|(key, _)| key.as_ref()).collect();
    match matching.as_slice() {
        [one] => Ok((*one).to_owned()),
        [] => {
            let message = format!("no entity of `{}` has these fields", binding.collection);
            Err(Problem::error("/where", "binding_not_found", message)
                .help("patch one into the initial state, or mend the fields"))
        }
        many => {
            let some = many.iter().take(4).copied().collect::<Vec<_>>().join(", ");
            let message = format!("{} entities of `{}` have these fields: {some}", many.len(), binding.collection);
            Err(Problem::error("/where", "binding_not_unique", message).help("add a field that only one of them has"))
        }
    }
}

/// Whether an entity has these fields; `lines[].sku` is a field of one of its lines, the same one for all fields of lines.
pub fn has_fields(entity: &Fields, fields: &Map<String, Value>) -> bool {
    field_path::stand_in(entity, fields)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_are_told_apart() {
        assert_eq!(Reference::parse("plain"), None);
        assert_eq!(Reference::parse("$booking"), Some(Reference::Binding("$booking")));
        assert_eq!(Reference::parse("$2.a.0"), Some(Reference::Observation(2, vec!["a", "0"])));
        assert_eq!(Reference::parse("$$5"), Some(Reference::Escaped("$5")));
    }

    #[test]
    fn dollars_of_keys_and_texts_are_plain_in_the_end() {
        let bindings = BTreeMap::from([("$five".to_owned(), "$5".to_owned())]);
        let given = json!({"a": "$five", "b": "$$7 mug"}).as_object().unwrap().clone();
        let wanted = json!({"a": "$5", "b": "$7 mug"});
        let (mut bound, mut plain, mut binder) = (given.clone(), given, Binder::new(&bindings));
        binder.bind_map(&mut bound, "");
        assert_eq!(Observations::default().fill_map(&bound), wanted.as_object().cloned());
        binder.bind_plain(&mut plain);
        assert_eq!(Value::Object(plain), wanted);
        assert!(binder.unbound.is_empty());
        let mut early = json!({"a": ["$2.x"]}).as_object().unwrap().clone();
        binder.bind_plain(&mut early);
        assert_eq!(binder.unbound, [("/a".to_owned(), "$2".to_owned())]);
    }

    #[test]
    fn a_reference_that_leads_nowhere_is_named_with_what_is_there() {
        let first = json!({"rooms": [{"id": "101"}], "n": 1});
        let observations = [Some(&first)];
        let dangling = |value: Value| {
            let map = json!({"a": value}).as_object().unwrap().clone();
            let found = Observations(&observations).dangling(&map, "/arguments");
            found.into_iter().map(|d| (d.at, d.reference, d.part, d.known)).collect::<Vec<_>>()
        };
        let named = |at: &str, reference: &str, part: &str, known: &[&str]| {
            let known: Vec<String> = known.iter().map(|known| (*known).to_owned()).collect();
            vec![(at.to_owned(), reference.to_owned(), part.to_owned(), known)]
        };
        assert_eq!(dangling(json!("$1.room")), named("/arguments/a", "$1.room", "room", &["n", "rooms"]));
        assert_eq!(dangling(json!(["$1.rooms.1.id"])), named("/arguments/a/0", "$1.rooms.1.id", "1", &["0"]));
        assert_eq!(dangling(json!({"b": "$1.n.x"})), named("/arguments/a/b", "$1.n.x", "x", &[]));
        assert_eq!(dangling(json!(["$1.rooms.0.id", "plain", "$$1"])), Vec::new());
    }

    #[test]
    fn observations_fill_in() {
        let first = json!({"rooms": [{"id": "101"}]});
        let observations = [Some(&first), None];
        let fill = |value| Observations(&observations).fill(&value);
        assert_eq!(fill(json!({"room": "$1.rooms.0.id", "n": 1})), Some(json!({"room": "101", "n": 1})));
        assert_eq!(fill(json!("$2.id")), None);
        assert_eq!(fill(json!("$1.rooms.1")), None);
        assert_eq!(fill(json!("$$1")), Some(json!("$1")));
    }

    #[test]
    fn fields_of_lines_are_those_of_one_line() {
        let entity = json!({"lines": [{"sku": "A", "n": 1}, {"sku": "B", "n": 2}]});
        let has = |fields: Value| has_fields(entity.as_object().unwrap(), fields.as_object().unwrap());
        assert!(has(json!({"lines[].sku": "A", "lines[].n": 1})) && has(json!({})));
        assert!(!has(json!({"lines[].sku": "A", "lines[].n": 2})));
    }
}
