//! The values tried for one parameter: those that fit, and those at the edges of what its schema allows.

use serde_json::{Map, Value, json};

use super::vocabulary::{Nearness, Vocabulary};
use probity_behaviour::values::{element_name, required, types};
use probity_engine::Schema;

/// Values tried for one parameter at most: those that fit, and those at the edges.
const DOMAIN: usize = 48;
/// The largest integer that every reader of JSON keeps.
const LARGEST: i64 = 9_007_199_254_740_991;
/// Days from today that rules often turn on.
const DAYS: [i32; 16] = [0, 1, -1, 2, 3, 7, -7, 14, 30, -30, 60, -60, -61, 90, 365, -400];
/// Days at the ends of what a date can be, and one that most years do not have.
const EXTREMES: [&str; 4] = ["9999-12-31", "0001-01-01", "2028-02-29", "0000-01-01"];
const TIMES: [&str; 2] = ["T00:00:00Z", "T12:30:00Z"];
/// Times in forms that RFC 3339 allows and few expect.
const ODD_TIMES: [&str; 4] = ["T09:00:00.0000000001Z", "T23:30:00.5-02:00", "T23:59:60Z", "t09:00:00z"];
/// Texts of forms that patterns often ask for.
const FORMS: [&str; 10] =
    ["00:00", "12:00", "23:45", "a@b.example", "+49 30 1234567", "A1", "ab-12", "AB12CD", "1.2.3", "https://a.example"];
const NOBODY: &str = "none-0";
/// How deep objects and lists within arguments are filled.
const DEPTH: usize = 3;

#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// Values that stand for something: listed ones, ids, values of like-named fields and facts.
    pub usual: Vec<Value>,
    /// Boundaries, neighbours of known numbers and days, and what nothing has.
    pub edges: Vec<Value>,
}

pub struct Around<'a> {
    pub state: &'a Vocabulary,
    /// Facts of the tasks and earlier observations.
    pub known: &'a Vocabulary,
    /// The virtual clock, in seconds after 1970.
    pub clock: i64,
    /// The schema of all arguments, in which references lead around.
    pub root: &'a Value,
}

impl Domain {
    pub fn len(&self) -> usize {
        self.usual.len() + self.edges.len()
    }

    /// All values, those that fit first.
    pub fn all(&self) -> impl Iterator<Item = &Value> + Clone {
        self.usual.iter().chain(&self.edges)
    }

    /// The values for a parameter; `check` is its compiled schema.
    pub fn of(name: &str, schema: &Value, check: Option<&Schema>, around: &Around<'_>) -> Domain {
        let raw = raw(name, schema, around, 0);
        let fits = |value: &Value| check.is_none_or(|check| check.is_valid(value));
        let mut domain = Domain::default();
        for value in raw.usual {
            if domain.usual.len() < DOMAIN / 2 && fits(&value) && !domain.usual.contains(&value) {
                domain.usual.push(value);
            }
        }
        for value in raw.edges {
            let is_new = !domain.edges.contains(&value) && !domain.usual.contains(&value);
            if domain.len() < DOMAIN && is_new && fits(&value) {
                domain.edges.push(value);
            }
        }
        domain
    }
}

fn raw(name: &str, schema: &Value, around: &Around<'_>, depth: usize) -> Domain {
    let schema = followed(schema, around.root);
    let mut domain = Domain::default();
    let Some(keywords) = schema.as_object() else { return domain };
    domain.usual.extend(keywords.get("const").cloned());
    for list in ["enum", "examples"] {
        domain.usual.extend(keywords.get(list).and_then(Value::as_array).into_iter().flatten().cloned());
    }
    domain.usual.extend(keywords.get("default").cloned());
    if keywords.contains_key("const") || keywords.contains_key("enum") {
        return domain;
    }
    for branch in ["anyOf", "oneOf", "allOf"] {
        for schema in keywords.get(branch).and_then(Value::as_array).into_iter().flatten() {
            let more = raw(name, schema, around, depth + 1);
            domain.usual.extend(more.usual);
            domain.edges.extend(more.edges);
        }
    }
    let linked = |nearness| {
        let mut values = around.state.near(name, nearness);
        values.extend(around.known.near(name, nearness));
        values
    };
    domain.usual.extend(linked(Nearness::Ending));
    for kind in types(schema) {
        match kind {
            "boolean" => domain.usual.extend([json!(true), json!(false)]),
            "integer" | "number" => domain.edges.extend(numbers(keywords, &linked(Nearness::LastWord))),
            "string" => texts(keywords, around, &mut domain),
            "null" => domain.edges.push(Value::Null),
            "array" if depth < DEPTH => lists(name, keywords, around, depth, &mut domain),
            "object" if depth < DEPTH => objects(schema, around, depth, &mut domain),
            _ => {}
        }
    }
    domain
}

fn followed<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    reference.and_then(|text| root.pointer(text.strip_prefix('#')?)).unwrap_or(schema)
}

fn numbers(keywords: &Map<String, Value>, near: &[Value]) -> Vec<Value> {
    let bound = |name: &str| keywords.get(name).and_then(Value::as_i64);
    let least = bound("minimum").or_else(|| Some(bound("exclusiveMinimum")? + 1));
    let most = bound("maximum").or_else(|| Some(bound("exclusiveMaximum")? - 1));
    let mut found = vec![least.unwrap_or(0), most.unwrap_or(LARGEST)];
    found.extend(least.map(|least| least.saturating_add(1)));
    found.extend(most.map(|most| most.saturating_sub(1)));
    if least.is_none() {
        found.extend([-1, 1]);
    }
    for known in near.iter().filter_map(Value::as_i64) {
        found.extend([known.saturating_add(1), known, known.saturating_sub(1)]);
    }
    found.extend([1, 2, 10, 1000, 1_000_000]);
    found.into_iter().map(Value::from).collect()
}

fn texts(keywords: &Map<String, Value>, around: &Around<'_>, domain: &mut Domain) {
    let format = keywords.get("format").and_then(Value::as_str);
    if let Some("date" | "date-time") = format {
        domain.edges.extend(days(around, format == Some("date-time")));
        return;
    }
    let length = |name: &str| keywords.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    let (least, most) = (length("minLength").unwrap_or(0), length("maxLength"));
    domain.edges.push(Value::from(NOBODY));
    domain.edges.push(Value::from("x".repeat(least)));
    domain.edges.extend(most.map(|most| Value::from("x".repeat(most.min(4000)))));
    if keywords.contains_key("pattern") || format.is_some() {
        domain.edges.extend(FORMS.map(Value::from));
        domain.edges.extend((1..=20).map(|n| Value::from("7".repeat(n))));
        domain.edges.extend((1..=12).map(|n| Value::from("K".repeat(n))));
        domain.usual.extend(around.state.texts().chain(around.known.texts()).map(Value::from));
    } else {
        domain.edges.push(Value::from("Zoë O'Hara 急須"));
        domain.edges.push(Value::from("7".repeat(12)));
        domain.edges.push(Value::from(" "));
    }
}

/// Days around the clock and around those of the state.
fn days(around: &Around<'_>, with_time: bool) -> Vec<Value> {
    let Ok(now) = jiff::Timestamp::from_second(around.clock) else { return Vec::new() };
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let mut found: Vec<jiff::civil::Date> = Vec::new();
    let mut add = |day: jiff::civil::Date, by: i32| {
        found.extend(day.checked_add(jiff::Span::new().days(by)).ok());
    };
    DAYS.iter().take(6).for_each(|by| add(today, *by));
    let known = around.state.texts().chain(around.known.texts());
    let known = known.filter_map(|text| text.get(..10).unwrap_or(text).parse::<jiff::civil::Date>().ok());
    for day in known.take(DOMAIN / 3) {
        [0, 1, -1].into_iter().for_each(|by| add(day, by));
    }
    DAYS.iter().skip(6).for_each(|by| add(today, *by));
    // Behind today and its neighbours, before all that may fill the domain.
    let extremes = EXTREMES.iter().filter_map(|day| day.parse().ok());
    found.splice(found.len().min(6)..found.len().min(6), extremes.collect::<Vec<_>>());
    let at = |times: &[&str], day: jiff::civil::Date| -> Vec<Value> {
        times.iter().map(|time| Value::from(format!("{day}{time}"))).collect()
    };
    match with_time {
        // Odd ones first, before all that may fill the domain.
        true => at(&ODD_TIMES, today).into_iter().chain(found.into_iter().flat_map(|day| at(&TIMES, day))).collect(),
        false => found.into_iter().map(|day| Value::from(day.to_string())).collect(),
    }
}

fn lists(name: &str, keywords: &Map<String, Value>, around: &Around<'_>, depth: usize, domain: &mut Domain) {
    let length = |bound: &str| keywords.get(bound).and_then(Value::as_u64);
    let least = length("minItems").unwrap_or(0);
    let items = keywords.get("items").unwrap_or(&Value::Null);
    let inner = raw(element_name(name), items, around, depth + 1);
    let mut values = inner.usual.clone();
    values.extend(inner.edges);
    domain.edges.push(json!([]));
    for size in [1, 2, least.min(20), length("maxItems").unwrap_or(3).min(20)] {
        let size = usize::try_from(size).unwrap_or(1);
        domain.edges.push(values.iter().cycle().take(size).cloned().collect());
        domain.edges.push(values.iter().take(1).cycle().take(size).cloned().collect());
    }
    domain.usual.extend(values.into_iter().take(DOMAIN / 4).map(|value| json!([value])));
}

fn objects(schema: &Value, around: &Around<'_>, depth: usize, domain: &mut Domain) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        domain.edges.push(json!({}));
        return;
    };
    let inner: Vec<(&String, Domain)> =
        properties.iter().map(|(name, schema)| (name, raw(name, schema, around, depth + 1))).collect();
    // One object after the other, each with the next value of every property.
    for index in 0..DOMAIN / 4 {
        let value = |values: &Domain| values.all().cycle().nth(index).cloned();
        let whole = inner.iter().filter_map(|(name, values)| Some(((*name).clone(), value(values)?)));
        domain.usual.push(Value::Object(whole.collect()));
    }
    let required = required(schema);
    let least = inner.iter().filter(|(name, _)| required.contains(&name.as_str()));
    let least = least.filter_map(|(name, values)| Some(((*name).clone(), values.all().next()?.clone())));
    domain.edges.push(Value::Object(least.collect()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(name: &str, schema: &Value) -> Domain {
        let mut state = Vocabulary::default();
        state.add("rooms", &json!([{"room_id": "101", "price_cents": 900, "arrival": "2026-06-11"}]));
        let known = Vocabulary::default();
        let around = Around { state: &state, known: &known, clock: 0, root: schema };
        Domain::of(name, schema, Some(&Schema::compile(schema).unwrap()), &around)
    }

    #[test]
    fn a_closed_list_is_tried_whole_and_nothing_else() {
        let domain = domain("kind", &json!({"enum": ["a", "b"]}));
        assert_eq!((domain.usual, domain.edges), (vec![json!("a"), json!("b")], vec![]));
    }

    #[test]
    fn numbers_stay_within_their_bounds_and_near_to_what_is_known() {
        let domain = domain("fee_cents", &json!({"type": "integer", "minimum": 2, "maximum": 901}));
        for wanted in [2, 3, 899, 900, 901] {
            assert!(domain.edges.contains(&json!(wanted)), "{wanted}: {:?}", domain.edges);
        }
        assert!(domain.all().all(|value| (2..=901).contains(&value.as_i64().unwrap())));
    }

    #[test]
    fn ids_and_days_come_from_the_state_with_some_that_nothing_has() {
        let ids = domain("new_room_id", &json!({"type": "string"}));
        assert_eq!(ids.usual, [json!("101")]);
        assert!(ids.edges.contains(&json!(NOBODY)));
        let days = domain("day", &json!({"type": "string", "format": "date"}));
        for extreme in EXTREMES {
            assert!(days.edges.contains(&json!(extreme)), "{extreme}");
        }
        assert!(days.edges.contains(&json!("1970-01-01")) && days.edges.contains(&json!("2026-06-10")));
    }

    #[test]
    fn times_are_tried_in_all_their_forms() {
        let times = domain("at", &json!({"type": "string", "format": "date-time"}));
        for wanted in
            ["1970-01-01T09:00:00.0000000001Z", "1970-01-01T23:59:60Z", "1970-01-01t09:00:00z", "9999-12-31T00:00:00Z"]
        {
            assert!(times.edges.contains(&json!(wanted)), "{wanted}: {:?}", times.edges);
        }
    }

    #[test]
    fn texts_of_a_pattern_are_found_among_common_forms() {
        assert!(domain("start_time", &json!({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"})).len() >= 3);
        assert!(domain("number", &json!({"type": "string", "pattern": "^[0-9]{12}$"})).len() == 1);
    }

    #[test]
    fn lists_and_objects_are_filled() {
        let line = json!({"type": "object", "additionalProperties": false, "required": ["room_id"],
            "properties": {"room_id": {"type": "string"}, "count": {"type": "integer", "minimum": 1}}});
        let lists = domain("lines", &json!({"type": "array", "minItems": 1, "items": line}));
        assert!(lists.all().any(|list| list[0]["room_id"] == "101" && list[0].get("count").is_some()));
        assert!(!lists.all().any(|list| list == &json!([])));
    }
}
