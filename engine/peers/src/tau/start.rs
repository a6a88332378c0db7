//! The state that a world of tau2-bench begins with, as our environment of the same tools holds it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::domain::Domain;
use probity_engine::{Environment, Fields, State, foreign};

/// Where flights go there; a tool has them, no database does.
const AIRPORTS: &str = include_str!("airports.json");

/// The moment at which conversations about flights take place there.
const AIRLINE_CLOCK: i64 = 1_715_785_200;

/// The state before the first call, and the entities of each part in the order of the peer's lists.
pub(super) struct Start {
    pub(super) state: State,
    pub(super) listed: BTreeMap<String, Vec<String>>,
}

impl Start {
    /// Reads the peer's databases.
    /// An error, a line: a file cannot be read, or is not such a database.
    pub(super) fn read(domain: Domain, environment: &Environment, data: &Path) -> Result<Start, String> {
        let mut listed = BTreeMap::new();
        let mut parts = Fields::new();
        let agent = database(data, domain, "agent")?;
        for part in domain.agent_parts() {
            let entities = agent.get(*part).ok_or_else(|| format!("the {} database has no `{part}`", domain.name()))?;
            let (order, entities) = by_key(environment, part, entities)?;
            listed.insert((*part).to_owned(), order);
            parts.insert((*part).to_owned(), Value::Object(entities));
        }
        if !domain.user_parts().is_empty() {
            let user = database(data, domain, "user")?;
            let of_user = domain.user_parts().iter().filter_map(|part| user.get_key_value(*part));
            parts.extend(of_user.map(|(part, value)| (part.clone(), value.clone())));
        }
        add_own(domain, environment, &mut parts);
        let clock = if domain == Domain::Airline { AIRLINE_CLOCK } else { environment.clock() };
        let state = environment.state_of(&parts, clock)?;
        Ok(Start { state, listed })
    }
}

fn database(data: &Path, domain: Domain, side: &str) -> Result<Map<String, Value>, String> {
    let filled = data.join(format!("initial_{}_{side}.canonical.json", domain.name()));
    let own = data.join(domain.name()).join("db.json");
    // The peer's own file lacks what is null, which is filled in; of telephones it has none in JSON.
    let is_own = !filled.exists() && !domain.has_lists() && own.exists();
    let path = if is_own { own } else { filled };
    let text = foreign::read(&path).map_err(|problem| format!("{}: {}", path.display(), problem.message))?;
    let read: Result<Map<String, Value>, _> = serde_json::from_str(&text);
    read.map_err(|error| format!("{}: {error}", path.display()))
}

/// Entities by key, as our schema has them, with the keys in the peer's order.
fn by_key(environment: &Environment, part: &str, entities: &Value) -> Result<(Vec<String>, Fields), String> {
    let file = environment.file().state.get(part).ok_or_else(|| format!("{} has no `{part}`", environment.id()))?;
    let key = file.key.as_deref().unwrap_or_default();
    let entities: Vec<&Value> = match entities {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => return Err(format!("`{part}` holds no entities")),
    };
    let (mut order, mut all) = (Vec::new(), Fields::new());
    for entity in entities {
        let name = entity.get(key).and_then(Value::as_str);
        let Some((name, fields)) = name.zip(entity.as_object()) else {
            return Err(format!("an entity of `{part}` has no `{key}`"));
        };
        order.push(name.to_owned());
        all.insert(name.to_owned(), Value::Object(fitted(&file.item, fields)));
    }
    Ok((order, all))
}

/// An entity without the nulls that stand for fields which are not there, and with those that must be.
fn fitted(item: &Value, fields: &Map<String, Value>) -> Fields {
    let required = item.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut fitted: Fields = required.map(|name| (name.to_owned(), Value::Null)).collect();
    let stays = |(name, value): &(&String, &Value)| !value.is_null() || fitted.contains_key(*name);
    let stay: Fields = fields.iter().filter(stays).map(|(name, value)| (name.clone(), value.clone())).collect();
    fitted.extend(stay);
    fitted
}

/// The parts that our worlds have beside the peer's.
fn add_own(domain: Domain, environment: &Environment, parts: &mut Fields) {
    let switches = environment.file().state.get("compat").and_then(|part| part.item.get("properties"));
    let switches = switches.and_then(Value::as_object).into_iter().flatten();
    parts.insert("compat".to_owned(), switches.map(|(name, _)| (name.clone(), Value::Bool(true))).collect());
    match domain {
        Domain::Retail => {}
        Domain::Airline => {
            let airports: Value = serde_json::from_str(AIRPORTS).unwrap_or_default();
            parts.insert("network".to_owned(), json!({"airports": airports}));
        }
        Domain::Telecom => {
            let vpn =
                json!({"server_address": "192.168.1.1", "protocol": "OpenVPN", "server_performance": "excellent"});
            parts.insert("vpn_service".to_owned(), vpn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_airports_are_there() {
        assert_eq!(serde_json::from_str::<Vec<Value>>(AIRPORTS).unwrap().len(), 20);
    }
}
