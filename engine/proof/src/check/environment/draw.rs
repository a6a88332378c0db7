//! Which calls are tried: all combinations where they are few, else seeded draws that learn from what
//! earlier calls of the tool came to; and arguments that a schema refuses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::domain::{Around, Domain};
use super::vocabulary::{Nearness, nearness};
use probity_behaviour::values::{left_out, required, with};
use probity_engine::{Fields, Schema, State, Stream, Tool};

/// Arguments remembered for each way in which calls of a tool have ended.
const REMEMBERED: usize = 6;

/// How the ends of successful calls start.
pub const OK: &str = "ok ";

struct DrawnParameter {
    name: String,
    schema: Value,
    check: Option<Schema>,
    is_required: bool,
}

pub struct Caller {
    parameters: Vec<DrawnParameter>,
    pub root: Value,
    /// Arguments by how their call ended, so that rare ends are as likely a start as common ones.
    remembered: BTreeMap<String, Vec<Fields>>,
}

/// The domains of a tool's parameters in one state.
pub struct Domains(Vec<Domain>);

impl Caller {
    pub fn new(tool: &Tool) -> Self {
        let required = required(&tool.parameters);
        let properties = probity_engine::environment_file::properties(&tool.parameters);
        let parameter = |(name, schema): (String, Value)| DrawnParameter {
            check: compiled(&tool.parameters, &schema),
            is_required: required.contains(&name.as_str()),
            name,
            schema,
        };
        Caller {
            parameters: properties.into_iter().map(parameter).collect(),
            root: tool.parameters.clone(),
            remembered: BTreeMap::new(),
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    pub fn takes(&self, name: &str, value: &Value) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name && parameter.takes(value))
    }

    pub fn domains(&self, around: &Around<'_>) -> Domains {
        let of = |p: &DrawnParameter| Domain::of(&p.name, &p.schema, p.check.as_ref(), around);
        Domains(self.parameters.iter().map(of).collect())
    }

    pub fn remember(&mut self, end: String, arguments: &Fields, stream: &mut Stream) {
        let known = self.remembered.entry(end).or_default();
        if known.contains(arguments) {
            return;
        }
        if known.len() < REMEMBERED {
            known.push(arguments.clone());
        } else if stream.chance(1, 4) {
            let place = usize::try_from(stream.below(REMEMBERED as u64)).unwrap_or(0);
            if let Some(old) = known.get_mut(place) {
                *old = arguments.clone();
            }
        }
    }

    /// Remembered arguments, a few of each end.
    pub fn known(&self) -> Vec<Fields> {
        self.remembered.values().flat_map(|known| known.iter().take(3)).cloned().collect()
    }

    pub fn successes(&self) -> Vec<Fields> {
        let ends = self.remembered.iter().filter(|(end, _)| end.starts_with(OK));
        ends.flat_map(|(_, known)| known.iter()).cloned().collect()
    }

    /// All combinations, when there are at most so many.
    pub fn all(&self, domains: &Domains, most: usize) -> Option<Vec<Fields>> {
        let choices =
            |(p, domain): (&DrawnParameter, &Domain)| domain.len() + usize::from(!p.is_required || domain.len() == 0);
        let count = self.parameters.iter().zip(&domains.0).map(choices).try_fold(1, usize::checked_mul)?;
        if count > most {
            return None;
        }
        let mut all = vec![Map::new()];
        for (parameter, domain) in self.parameters.iter().zip(&domains.0) {
            let mut longer = Vec::new();
            for arguments in &all {
                if !parameter.is_required || domain.len() == 0 {
                    longer.push(arguments.clone());
                }
                longer.extend(domain.all().map(|value| with(arguments, &parameter.name, value)));
            }
            all = longer;
        }
        Some(all)
    }

    /// Every value of every parameter once, the other arguments as they are.
    pub fn sweep(&self, domains: &Domains, arguments: &Fields) -> Vec<Fields> {
        let one = |(p, domain): (&DrawnParameter, &Domain)| -> Vec<Fields> {
            let mut found: Vec<Fields> = domain.all().map(|value| with(arguments, &p.name, value)).collect();
            if !p.is_required {
                found.push(left_out(arguments, &p.name));
            }
            found
        };
        self.parameters.iter().zip(&domains.0).flat_map(one).collect()
    }

    /// Drawn arguments: new ones, those of one entity, or remembered ones with one value changed.
    pub fn draw(&self, domains: &Domains, state: &State, stream: &mut Stream) -> Fields {
        match stream.below(3) {
            0 => self.independent(domains, stream),
            1 => self.of_an_entity(domains, state, stream),
            _ => self.mutated(domains, stream),
        }
    }

    /// Arguments of a call that succeeded, with one value at the edge of what its schema allows.
    pub fn at_an_edge(&self, domains: &Domains, stream: &mut Stream) -> Option<Fields> {
        let arguments = stream.pick(&self.successes())?.clone();
        let choices: Vec<(&DrawnParameter, &Domain)> = self.parameters.iter().zip(&domains.0).collect();
        let (parameter, domain) = stream.pick(&choices)?;
        let value = stream.pick(&domain.edges)?;
        Some(with(&arguments, &parameter.name, value))
    }

    pub fn any_parameter(&self, stream: &mut Stream) -> Option<usize> {
        usize::try_from(stream.below(self.parameters.len() as u64)).ok().filter(|_| !self.parameters.is_empty())
    }

    /// Arguments with the value of the parameter at a position changed, to one of its domain or of a like-named field
    /// somewhere in the state.
    pub fn varied(
        &self,
        position: usize,
        (domains, arguments): (&Domains, &Fields),
        state: &State,
        stream: &mut Stream,
    ) -> Fields {
        let (Some(parameter), Some(domain)) = (self.parameters.get(position), domains.0.get(position)) else {
            return arguments.clone();
        };
        let there = if stream.chance(1, 2) { None } else { entity(state, stream) };
        let there = there.and_then(|fields| parameter.found_in(fields)).cloned();
        there
            .or_else(|| pick(domain, stream))
            .map_or(arguments.clone(), |value| with(arguments, &parameter.name, &value))
    }

    fn independent(&self, domains: &Domains, stream: &mut Stream) -> Fields {
        let mut arguments = Map::new();
        for (parameter, domain) in self.parameters.iter().zip(&domains.0) {
            if parameter.is_required || stream.chance(1, 2) {
                arguments.extend(pick(domain, stream).map(|value| (parameter.name.clone(), value)));
            }
        }
        arguments
    }

    /// What belongs together often stands in one entity.
    fn of_an_entity(&self, domains: &Domains, state: &State, stream: &mut Stream) -> Fields {
        let mut arguments = self.independent(domains, stream);
        let Some(fields) = entity(state, stream) else { return arguments };
        for parameter in &self.parameters {
            let value = parameter.found_in(fields);
            arguments.extend(value.map(|value| (parameter.name.clone(), value.clone())));
        }
        arguments
    }

    fn mutated(&self, domains: &Domains, stream: &mut Stream) -> Fields {
        let ends: Vec<&Vec<Fields>> = self.remembered.values().collect();
        let Some(arguments) = stream.pick(&ends).and_then(|known| stream.pick(known)) else {
            return self.independent(domains, stream);
        };
        let mut arguments = arguments.clone();
        let choices: Vec<(&DrawnParameter, &Domain)> = self.parameters.iter().zip(&domains.0).collect();
        for _ in 0..=stream.below(2) {
            let Some((parameter, domain)) = stream.pick(&choices) else { continue };
            if !parameter.is_required && stream.chance(1, 3) {
                arguments.remove(&parameter.name);
            } else if let Some(value) = pick(domain, stream) {
                arguments.insert(parameter.name.clone(), value);
            }
        }
        arguments
    }
}

impl DrawnParameter {
    fn takes(&self, value: &Value) -> bool {
        self.check.as_ref().is_none_or(|check| check.is_valid(value))
    }

    /// The value of a like-named field that it takes.
    fn found_in<'a>(&self, fields: &'a Fields) -> Option<&'a Value> {
        let like = |field: &str| nearness(&self.name, field).is_some_and(|near| near >= Nearness::Ending);
        fields.iter().find(|(field, value)| like(field) && self.takes(value)).map(|(_, value)| value)
    }
}

/// Any entity of a state, each part of it with the same chance.
fn entity<'a>(state: &'a State, stream: &mut Stream) -> Option<&'a Fields> {
    let slots: Vec<usize> = (0..state.shape().slots.len()).filter(|slot| state.len(*slot) > 0).collect();
    let slot = stream.pick(&slots)?;
    let index = usize::try_from(stream.below(state.len(*slot) as u64)).unwrap_or(0);
    state.entities(*slot).nth(index).map(|(_, fields)| fields)
}

/// The schema of one parameter, compiled with the definitions it may refer to.
fn compiled(root: &Value, schema: &Value) -> Option<Schema> {
    let mut schema = schema.clone();
    if let (Some(map), Some(definitions)) = (schema.as_object_mut(), root.get("$defs")) {
        map.insert("$defs".to_owned(), definitions.clone());
    }
    Schema::compile(&schema).ok()
}

/// Two of three times a value that fits, where there is one.
fn pick(domain: &Domain, stream: &mut Stream) -> Option<Value> {
    let fits = stream.chance(2, 3);
    let (first, second) = match fits {
        true => (&domain.usual, &domain.edges),
        false => (&domain.edges, &domain.usual),
    };
    stream.pick(first).or_else(|| second.first()).cloned()
}

const UNKNOWN: &str = "not_a_parameter";

/// Variations of arguments, most of which the tool's schema refuses: a required one missing, one of
/// another type, one out of range, and one that is not there.
pub fn variations(tool: &Tool, valid: &Fields) -> Vec<Fields> {
    let none = Map::new();
    let properties = tool.parameters.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let mut found: Vec<Fields> = required(&tool.parameters).into_iter().map(|name| left_out(valid, name)).collect();
    for (name, schema) in properties {
        found.extend(wrong_values(schema).iter().map(|value| with(valid, name, value)));
    }
    found.push(with(valid, UNKNOWN, &json!(1)));
    found
}

/// Values of another type, and values beyond each bound.
fn wrong_values(schema: &Value) -> Vec<Value> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
    let length = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let mut values = vec![json!(null), json!({}), json!([[]])];
    values.push(if schema.get("type") == Some(&json!("string")) { json!(7) } else { json!("x y") });
    values.extend(bound("minimum").map(|least| json!(least.saturating_sub(1))));
    values.extend(bound("maximum").map(|most| json!(most.saturating_add(1))));
    values.extend(length("minLength").and_then(|least| Some(json!("x".repeat(least.checked_sub(1)?)))));
    values.extend(length("maxLength").map(|most| json!("x".repeat(most.min(4000) + 1))));
    if schema.get("type") == Some(&json!("integer")) {
        values.push(json!(1.5));
    }
    if schema.get("format").is_some() || schema.get("pattern").is_some() || schema.get("enum").is_some() {
        values.push(json!("no such thing"));
    }
    values
}
