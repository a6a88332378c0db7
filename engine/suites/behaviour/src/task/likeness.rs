//! Where an argument first differs from the one that is wanted, as the tool compares it: element by element of lists,
//! field by field of objects.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::assertion::{in_place, plainly};
use super::reference::calls_referred_to;
use probity_engine::within::within;
use probity_engine::{Compare, Tool, canonical, field_path, number::is_same};

/// The first place where two values differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference<'a> {
    /// The path to it, from the parameter on: `lines[1].quantity`.
    pub at: String,
    pub what: Apart<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Apart<'a> {
    Other {
        given: &'a Value,
        wanted: &'a Value,
    },
    /// Nothing stands in the place of this.
    Missing(&'a Value),
    /// Nothing like this is wanted.
    Extra(&'a Value),
    /// The same elements in another order.
    Order,
}

impl Difference<'_> {
    /// `` `lines[1].quantity` `2` in place of `3` ``.
    pub fn text(&self) -> String {
        let at = &self.at;
        match self.what {
            Apart::Other { given, wanted } => format!("`{at}` {}", in_place(given, wanted)),
            Apart::Missing(wanted) => format!("no `{at}`, where {} is wanted", plainly(wanted)),
            Apart::Extra(given) => format!("`{at}` {}, which is not wanted", plainly(given)),
            Apart::Order => format!("`{at}` in another order"),
        }
    }
}

/// The first difference of two values of a parameter, as a tool compares them; nothing where they are alike.
pub fn difference<'a>(tool: &Tool, parameter: &str, wanted: &'a Value, given: &'a Value) -> Option<Difference<'a>> {
    Rules { tool: Some(tool), is_open: false }.apart(parameter, wanted, given)
}

/// Whether a value may be what an oracle gives: what the oracle takes from an earlier observation may be anything.
pub fn may_be(tool: &Tool, parameter: &str, wanted: &Value, given: &Value) -> bool {
    Rules { tool: Some(tool), is_open: true }.apart(parameter, wanted, given).is_none()
}

/// How much of an oracle's argument is taken from earlier observations: the calls of whose it is.
pub fn taken_from(wanted: &Value) -> BTreeSet<usize> {
    let mut calls = BTreeSet::new();
    calls_referred_to(wanted, &mut calls);
    calls
}

/// The first difference of two values that are compared as they are.
pub fn plain_difference<'a>(at: &str, wanted: &'a Value, given: &'a Value) -> Option<Difference<'a>> {
    Rules { tool: None, is_open: false }.apart(at, wanted, given)
}

/// How values are compared, by their paths.
#[derive(Clone, Copy)]
struct Rules<'t> {
    tool: Option<&'t Tool>,
    /// Whether what is taken from an earlier observation may be anything.
    is_open: bool,
}

impl Rules<'_> {
    fn compare(self, path: &str) -> Option<Compare> {
        let compare = &self.tool.filter(|tool| !tool.compare.is_empty())?.compare;
        compare.get(path).or_else(|| compare.get(&*field_path::without_places(path))).copied()
    }

    fn is_prose(self, path: &str) -> bool {
        let prose = self.tool.map(|tool| tool.free_text.as_slice()).unwrap_or_default();
        let plain = || field_path::without_places(path);
        !prose.is_empty() && prose.iter().any(|prose| prose == path || *prose == plain())
    }

    fn apart<'a>(self, at: &str, wanted: &'a Value, given: &'a Value) -> Option<Difference<'a>> {
        let other = || Some(Difference { at: at.to_owned(), what: Apart::Other { given, wanted } });
        if self.is_prose(at) {
            return if given.as_str().is_some_and(|text| !text.trim().is_empty()) { None } else { other() };
        }
        if self.is_open && wanted.is_string() && !taken_from(wanted).is_empty() {
            return None;
        }
        match (wanted, given) {
            (Value::Array(wanted), Value::Array(given)) => self.apart_in_list(at, wanted, given),
            (Value::Object(wanted), Value::Object(given)) => self.apart_in_object(at, wanted, given),
            _ if is_like(self.compare(at), wanted, given) => None,
            _ => other(),
        }
    }

    fn apart_in_object<'a>(
        self,
        at: &str,
        wanted: &'a Map<String, Value>,
        given: &'a Map<String, Value>,
    ) -> Option<Difference<'a>> {
        let below = |name: &str| format!("{at}.{name}");
        let mut own = wanted.iter().filter_map(|(name, value)| match given.get(name) {
            Some(given) => self.apart(&below(name), value, given),
            None => Some(Difference { at: below(name), what: Apart::Missing(value) }),
        });
        let mut more = given.iter().filter(|(name, _)| !wanted.contains_key(*name));
        own.next()
            .or_else(|| more.next().map(|(name, value)| Difference { at: below(name), what: Apart::Extra(value) }))
    }

    /// Elements that are alike are paired, wherever they stand; of the others the nearest are told beside each other.
    fn apart_in_list<'a>(self, at: &str, wanted: &'a [Value], given: &'a [Value]) -> Option<Difference<'a>> {
        let below = |place: usize| format!("{at}[{place}]");
        let is_set = self.compare(at) == Some(Compare::Set);
        let mut free: Vec<usize> = (0..given.len()).collect();
        let mut left: Vec<(usize, &Value)> = Vec::new();
        let mut is_in_order = true;
        let mut places: Vec<(usize, &Value)> = wanted.iter().enumerate().collect();
        if self.is_open {
            // What suits one element alone is not taken by one that anything suits.
            places.sort_by_key(|(_, value)| scalars(value).filter(|v| !taken_from(v).is_empty()).count());
        }
        for (place, value) in places {
            let is_it =
                |at: &usize| given.get(*at).is_some_and(|given| self.apart(&below(*at), value, given).is_none());
            // What stands in its own place is taken first, so that a list is only out of order where it has to be.
            let own = free.iter().position(|at| *at == place).filter(|_| is_it(&place));
            match own.or_else(|| free.iter().position(is_it)) {
                Some(found) => is_in_order &= free.remove(found) == place,
                None => left.push((place, value)),
            }
        }
        let Some((place, value)) = left.first().copied() else {
            let extra =
                free.first().and_then(|at| Some(Difference { at: below(*at), what: Apart::Extra(given.get(*at)?) }));
            let order = || (!is_in_order && !is_set).then(|| Difference { at: at.to_owned(), what: Apart::Order });
            return extra.or_else(order);
        };
        let common = |at: &usize| given.get(*at).map_or(0, |given| shared(value, given));
        let own = free.iter().find(|at| !is_set && free.len() == left.len() && **at == place);
        match own.or_else(|| free.iter().max_by_key(|at| (common(at), std::cmp::Reverse(**at)))) {
            Some(near) => given.get(*near).and_then(|given| self.apart(&below(*near), value, given)),
            None => Some(Difference { at: below(place), what: Apart::Missing(value) }),
        }
    }
}

/// How many fields two objects have in common.
fn shared(one: &Value, other: &Value) -> usize {
    let fields = one.as_object().zip(other.as_object());
    fields.map_or(0, |(one, other)| one.iter().filter(|(name, value)| other.get(*name) == Some(value)).count())
}

fn is_like(compare: Option<Compare>, wanted: &Value, given: &Value) -> bool {
    let (Some(compare), Some(wanted_text), Some(given_text)) = (compare, wanted.as_str(), given.as_str()) else {
        return is_same(wanted, given);
    };
    compare.normal(wanted_text) == compare.normal(given_text)
}

/// All scalars within a value; those of a list or an object in turn.
pub fn scalars(value: &Value) -> impl Iterator<Item = &Value> {
    within(value).filter(|part| !part.is_array() && !part.is_object())
}

/// [`scalars`] in canonical form.
pub fn canonical_scalars(value: &Value) -> impl Iterator<Item = String> {
    scalars(value).map(canonical::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;
    use serde_json::json;

    const SHOP: &str = include_str!("../../../../cli/tests/cases/base/environments/shop/counter.json");
    const SCRIPT: &str = include_str!("../../../../cli/tests/cases/base/scripts/shop/counter.rhai");
    const LIBRARY: &str = include_str!("../../../../cli/tests/cases/base/scripts/lib/goods.rhai");

    /// Looks at the first tool of a shop, once it is changed.
    fn with_tool<T>(change: impl FnOnce(&mut Value), look: impl FnOnce(&Tool) -> T) -> T {
        let mut shop: Value = serde_json::from_str(SHOP).unwrap();
        change(&mut shop["tools"][0]);
        let files = [
            ("environments/shop/counter.json", shop.to_string()),
            ("scripts/shop/counter.rhai", SCRIPT.to_owned()),
            ("scripts/lib/goods.rhai", LIBRARY.to_owned()),
        ];
        let suite = Suite::from_files(files.map(|(path, text)| (path.to_owned(), text)).into(), Vec::new());
        look(suite.environments["shop/counter"].tool("find_orders").unwrap())
    }

    /// What is told of two orders by a shop whose tool compares like this.
    fn told(compare: &Value, wanted: &Value, given: &Value) -> Option<String> {
        let line = json!({"type": "object", "additionalProperties": false, "required": ["sku"],
            "properties": {"sku": {"type": "string"}, "quantity": {"type": "integer", "default": 1}}});
        let address = json!({"type": "object", "additionalProperties": false,
            "properties": {"street": {"type": "string"}, "note": {"type": "string"}}});
        let change = |tool: &mut Value| {
            tool["parameters"]["properties"]["lines"] = json!({"type": "array", "items": line});
            tool["parameters"]["properties"]["address"] = address;
            tool["compare"] = compare.clone();
            tool["free_text"] = json!(["address.note"]);
        };
        with_tool(change, |tool| {
            let complete = |value: &Value| tool.complete(value.as_object().unwrap()).unwrap();
            let (wanted, given) = (complete(wanted), complete(given));
            wanted.iter().find_map(|(name, value)| Some(difference(tool, name, value, &given[name])?.text()))
        })
    }

    fn lines(lines: &[(&str, i64)]) -> Value {
        json!({"lines": lines.iter().map(|(sku, quantity)| json!({"sku": sku, "quantity": quantity})).collect::<Vec<_>>()})
    }

    #[test]
    fn numbers_compare_by_value() {
        for (wanted, given) in [(json!(10.0), json!(10)), (json!([{"a": 2}]), json!([{"a": 2.0}]))] {
            assert_eq!(plain_difference("n", &wanted, &given), None, "{wanted}");
            assert!(is_like(Some(Compare::Date), &wanted, &given), "{wanted}");
        }
        assert!(!is_like(None, &json!(10.5), &json!(10)) && !is_like(None, &json!("10"), &json!(10)));
    }

    #[test]
    fn order_counts_in_a_list_and_not_in_a_set() {
        let (wanted, other) = (lines(&[("b", 1), ("a", 2)]), lines(&[("a", 2), ("b", 1)]));
        assert_eq!(told(&json!({}), &wanted, &other).unwrap(), "`lines` in another order");
        assert_eq!(told(&json!({"lines": "set"}), &wanted, &other), None);
        assert_eq!(
            told(&json!({"lines": "set", "lines[].sku": "casefold"}), &wanted, &lines(&[("A", 2), ("B", 1)])),
            None
        );
        assert_eq!(told(&json!({}), &wanted, &json!({"lines": [{"sku": "b"}, {"sku": "a", "quantity": 2}]})), None);
    }

    #[test]
    fn the_first_element_that_differs_is_told_with_its_path() {
        let wanted = lines(&[("a", 1), ("b", 3)]);
        for (given, text) in [
            (lines(&[("a", 1), ("b", 2)]), "`lines[1].quantity` `2` in place of `3`"),
            (lines(&[("b", 3)]), "no `lines[0]`, where `{\"quantity\":1,\"sku\":\"a\"}` is wanted"),
            (
                lines(&[("a", 1), ("b", 3), ("b", 3)]),
                "`lines[2]` `{\"quantity\":3,\"sku\":\"b\"}`, which is not wanted",
            ),
            (lines(&[("a", 1), ("c", 3)]), "`lines[1].sku` `c` in place of `b`"),
            (json!({"lines": []}), "no `lines[0]`, where `{\"quantity\":1,\"sku\":\"a\"}` is wanted"),
        ] {
            assert_eq!(told(&json!({"lines": "set"}), &wanted, &given).unwrap(), text);
            assert_eq!(told(&json!({}), &wanted, &given).unwrap(), text);
        }
    }

    #[test]
    fn of_what_an_oracle_takes_from_observations_the_rest_is_compared() {
        let line = json!({"type": "object", "additionalProperties": false,
            "properties": {"sku": {"type": "string"}, "n": {"type": "integer"}}});
        let change = |tool: &mut Value| {
            tool["parameters"]["properties"]["lines"] = json!({"type": "array", "items": line});
            tool["compare"] = json!({"lines": "set"});
        };
        with_tool(change, |tool| {
            let wanted = json!([{"sku": "$1.sku", "n": 2}, {"sku": "b", "n": 2}]);
            let may = |given: Value| may_be(tool, "lines", &wanted, &given);
            assert!(may(json!([{"sku": "b", "n": 2}, {"sku": "x", "n": 2}])));
            assert!(!may(json!([{"sku": "b", "n": 2}, {"sku": "x", "n": 3}])));
            assert!(!may(json!([{"sku": "c", "n": 2}, {"sku": "x", "n": 2}])));
            assert!(!may(json!([{"sku": "b", "n": 2}, {"sku": "x", "n": 2}, {"sku": "y", "n": 2}])));
        });
    }

    /// So that two ways to write one set give the script one list.
    #[test]
    fn a_set_stands_in_the_order_of_what_counts_of_its_elements() {
        let line = json!({"type": "object", "additionalProperties": false, "properties": {"sku": {"type": "string"}}});
        let change = |tool: &mut Value| {
            tool["parameters"]["properties"]["lines"] = json!({"type": "array", "items": line});
            tool["compare"] = json!({"lines": "set", "lines[].sku": "casefold"});
        };
        with_tool(change, |tool| {
            let in_order = |lines: Value| tool.complete(lines.as_object().unwrap()).unwrap()["lines"].clone();
            let found = in_order(json!({"lines": [{"sku": "B"}, {"sku": "a"}]}));
            assert_eq!(found, json!([{"sku": "a"}, {"sku": "B"}]));
            assert_eq!(in_order(json!({"lines": [{"sku": "A"}, {"sku": "b"}]})), json!([{"sku": "A"}, {"sku": "b"}]));
        });
    }

    #[test]
    fn fields_of_objects_have_rules_of_their_own() {
        let address = |street: &str, note: &str| json!({"address": {"street": street, "note": note}});
        let (wanted, other) = (address("Feldweg 12", "ring twice"), address("feldweg  12", "two rings"));
        assert_eq!(told(&json!({"address.street": "casefold"}), &wanted, &other), None);
        assert!(told(&json!({}), &wanted, &other).unwrap().starts_with("`address.street` `feldweg  12` in place"));
        let blank = address("Feldweg 12", " ");
        assert!(told(&json!({}), &wanted, &blank).unwrap().starts_with("`address.note`"));
        let none = json!({"address": {"street": "Feldweg 12"}});
        assert_eq!(told(&json!({}), &wanted, &none).unwrap(), "no `address.note`, where `ring twice` is wanted");
    }
}
