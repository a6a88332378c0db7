//! What of a play a user can know: the entities that its calls name, by what tells them apart, and the values they give.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use probity_behaviour::model::task_file::{Binding, Fact, OracleCallFile};
use probity_engine::ids::{free_name, identifier_of};
use probity_engine::{Constraints, SlotShape, State};
use probity_prose::noun::singular;

/// Names for the entities of a play, and facts.
#[derive(Default)]
pub struct Known {
    pub bindings: BTreeMap<String, Binding>,
    pub facts: BTreeMap<String, Fact>,
    /// What must have been looked at before a call that names what it showed.
    pub constraints: Constraints,
    /// The names by collection and key.
    names: BTreeMap<(String, String), String>,
}

impl Known {
    /// What some calls name: keys become names (`$order`) or what an earlier call returned (`$1.orderId`).
    pub fn of(initial: &State, oracle: &mut [OracleCallFile], observations: &[Value]) -> Known {
        let mut known = Known::default();
        let tools: Vec<String> = oracle.iter().map(|call| call.tool.clone()).collect();
        let mut edges: Vec<Value> = Vec::new();
        for (index, call) in oracle.iter_mut().enumerate() {
            let seen = observations.get(..index).unwrap_or_default();
            for (parameter, value) in call.arguments.iter_mut() {
                for (at, path) in known.put(initial, seen, parameter, parameter, value) {
                    let Some(before) = tools.get(at) else { continue };
                    let edge = json!({"before": before, "after": call.tool, "seen": path});
                    if !edges.contains(&edge) {
                        edges.push(edge);
                    }
                }
            }
        }
        known.constraints = serde_json::from_value(json!({"precedence": edges})).unwrap_or_default();
        known
    }

    /// Puts names and paths in place of what a value holds, and keeps its facts; which earlier calls showed entities
    /// that it names, and where it names them.
    fn put(
        &mut self,
        initial: &State,
        seen: &[Value],
        name: &str,
        path: &str,
        value: &mut Value,
    ) -> Vec<(usize, String)> {
        match value {
            Value::String(text) => match (self.name(initial, name, text), returned(seen, text)) {
                (Some(named), shown) => {
                    *value = named.into();
                    return shown.into_iter().map(|(at, _)| (at, path.to_owned())).collect();
                }
                (None, Some((_, shown))) => *value = shown.into(),
                (None, None) => self.fact(name, value),
            },
            Value::Number(_) => self.fact(name, value),
            Value::Array(items) => {
                let path = format!("{path}[]");
                return items.iter_mut().flat_map(|item| self.put(initial, seen, name, &path, item)).collect();
            }
            Value::Object(map) => {
                let below = map.iter_mut();
                return below
                    .flat_map(|(name, own)| self.put(initial, seen, name, &format!("{path}.{name}"), own))
                    .collect();
            }
            Value::Null | Value::Bool(_) => {}
        }
        Vec::new()
    }

    /// A path with the name of its entity in place of the key.
    pub fn named(&self, path: &str) -> String {
        let mut parts = path.splitn(4, '/').skip(1);
        let (Some(part), Some(key)) = (parts.next(), parts.next()) else { return path.to_owned() };
        match self.names.get(&(part.to_owned(), key.to_owned())) {
            Some(name) => parts.fold(format!("/{part}/{name}"), |path, rest| format!("{path}/{rest}")),
            None => path.to_owned(),
        }
    }

    fn fact(&mut self, name: &str, value: &Value) {
        let name = identifier_of(name);
        if !name.is_empty() && !self.facts.values().any(|fact| fact.value == *value) {
            let fact = Fact { value: value.clone(), also: Vec::new(), cues: Vec::new() };
            self.facts.insert(free_name(&name, |name| !self.facts.contains_key(name)), fact);
        }
    }

    /// The name of the entity with this key, where something tells it from the others.
    fn name(&mut self, initial: &State, parameter: &str, key: &str) -> Option<String> {
        let slots: Vec<&SlotShape> = initial.shape().slots.iter().collect();
        let has = |at: &usize| initial.entities(*at).any(|(own, _)| own == key);
        let is_called = |at: &usize| slots.get(*at).is_some_and(|slot| slot.key.as_deref() == Some(parameter));
        let at = (0..slots.len()).filter(has).max_by_key(is_called)?;
        let part = slots.get(at)?.name.clone();
        let place = (part.clone(), key.to_owned());
        if let Some(name) = self.names.get(&place) {
            return Some(name.clone());
        }
        let fields = telling(initial, at, key)?;
        for (field, value) in &fields {
            self.fact(field, value);
        }
        let name = free_name(&format!("${}", singular(&part)), |name| !self.bindings.contains_key(name));
        self.bindings.insert(name.clone(), Binding { collection: part, fields });
        self.names.insert(place, name.clone());
        Some(name)
    }
}

/// One field, or two, that no other entity of the collection has so; texts that a user can say come first.
fn telling(initial: &State, slot: usize, key: &str) -> Option<Map<String, Value>> {
    let is_key =
        |text: &str| (0..initial.shape().slots.len()).any(|at| initial.entities(at).any(|(own, _)| own == text));
    let own = initial.entities(slot).find(|(known, _)| *known == key)?.1;
    let is_said = |value: &Value| match value {
        Value::String(text) => !text.is_empty() && !is_key(text),
        Value::Number(_) => true,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    };
    let fields: Vec<(&String, &Value)> = own.iter().filter(|(_, value)| is_said(value)).collect();
    let is_one = |wanted: &[(&String, &Value)]| {
        let fits = |fields: &Map<String, Value>| wanted.iter().all(|(name, value)| fields.get(*name) == Some(value));
        initial.entities(slot).filter(|(_, fields)| fits(fields)).count() == 1
    };
    let alone = fields.iter().map(|field| vec![*field]);
    let pairs =
        fields.iter().enumerate().flat_map(|(at, one)| fields.iter().skip(at + 1).map(move |two| vec![*one, *two]));
    let mut all: Vec<Vec<(&String, &Value)>> = alone.chain(pairs).collect();
    all.sort_by_key(|wanted| (wanted.iter().filter(|(_, value)| !value.is_string()).count(), wanted.len()));
    let found = all.into_iter().find(|wanted| is_one(wanted))?;
    Some(found.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Which earlier call returned a text, and where: `$1.order.orderId`.
fn returned(observations: &[Value], text: &str) -> Option<(usize, String)> {
    fn within(value: &Value, text: &str, path: &str) -> Option<String> {
        match value {
            Value::String(own) => (own == text).then(|| path.to_owned()),
            Value::Object(map) => map.iter().find_map(|(name, below)| within(below, text, &format!("{path}.{name}"))),
            Value::Array(items) => {
                items.iter().enumerate().find_map(|(at, below)| within(below, text, &format!("{path}.{at}")))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => None,
        }
    }
    observations.iter().enumerate().find_map(|(at, seen)| Some((at, within(seen, text, &format!("${}", at + 1))?)))
}
