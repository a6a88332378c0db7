//! Mutants: oracle traces with one slip each, to see that every check of a task can fail.

use serde_json::{Map, Value};

use super::alphabet::Alphabet;
use super::candidate::Candidate;
use super::goal::Goal;
use super::parts::MAX_PART;
use probity_behaviour::values::{left_out, with, with_more, with_one, without};
use probity_bench::named;
use probity_engine::{Compare, Tool, ToolCall, environment_file::properties};

const MAX_VALUES: usize = 8;
/// How the slip of a list is told whose elements have changed places.
pub const ANOTHER_ORDER: &str = "in another order";
/// Most slips in one argument that holds a list or an object.
const MAX_SLIPS: usize = 96;

named! {
    pub enum Family {
        Dropped = "dropped call",
        /// Two calls have changed places.
        Swapped = "swapped calls",
        Duplicated = "duplicated call",
        WrongValue = "wrong value",
        /// An argument names the entity next to the right one.
        Neighbour = "neighbouring entity",
        /// An element of a list is left out, or stands there on top, or in another place.
        Element = "list element",
        /// A call more, before the first or after the last.
        Collateral = "collateral call",
        /// A reply is blank.
        Unsaid = "blank reply",
    }
}

#[derive(Clone, Debug)]
pub struct Mutant {
    pub family: Family,
    pub text: String,
    /// How many calls of the oracle stand unchanged at its start.
    pub kept: usize,
    /// The calls after those.
    pub rest: Vec<ToolCall>,
}

/// The mutants of an oracle trace that need no other calls than its own.
pub fn mutants(goal: &Goal, alphabet: &Alphabet, calls: &[ToolCall]) -> Vec<Mutant> {
    let mut all = Vec::new();
    for at in 0..calls.len() {
        all.extend(dropped(calls, at));
        all.extend((at + 1..calls.len()).map(|other| swapped(calls, at, other)));
        all.extend(duplicated(calls, at));
        all.extend(changed(goal, alphabet, calls, at));
    }
    all
}

fn tail(calls: &[ToolCall], from: usize) -> Vec<ToolCall> {
    calls.get(from..).unwrap_or_default().to_vec()
}

fn dropped(calls: &[ToolCall], at: usize) -> Option<Mutant> {
    let text = format!("without call {}, {}", at + 1, calls.get(at)?.tool);
    Some(Mutant { family: Family::Dropped, text, kept: at, rest: tail(calls, at + 1) })
}

fn swapped(calls: &[ToolCall], at: usize, other: usize) -> Mutant {
    let mut rest = tail(calls, at);
    rest.swap(0, other - at);
    let text = format!("calls {} and {} change places", at + 1, other + 1);
    Mutant { family: Family::Swapped, text, kept: at, rest }
}

fn duplicated(calls: &[ToolCall], at: usize) -> Option<Mutant> {
    let call = calls.get(at)?;
    let text = format!("call {}, {}, is made twice", at + 1, call.tool);
    Some(Mutant { family: Family::Duplicated, text, kept: at + 1, rest: tail(calls, at) })
}

/// The call at a place with each argument in turn another.
fn changed(goal: &Goal, alphabet: &Alphabet, calls: &[ToolCall], at: usize) -> Vec<Mutant> {
    let Some(call) = calls.get(at) else { return Vec::new() };
    let Some((tool, arguments)) = goal.task.environment().tool(&call.tool).zip(call.arguments.as_object()) else {
        return Vec::new();
    };
    let argument = Argument { goal, alphabet, tool };
    let slips = properties(&tool.parameters).into_iter().flat_map(|(name, schema)| {
        let slips = argument.slips(&name, &name, &schema, arguments.get(&name));
        let is_whole = !arguments.get(&name).is_some_and(has_parts);
        let of_parts = slips.into_iter().map(move |slip| (name.clone(), slip));
        let slipped =
            |(name, slip): (String, Slip)| (slip.family, slip.text, Value::Object(with(arguments, &name, &slip.value)));
        let slips = of_parts.map(slipped);
        // What the schema refuses of a part is no slip that anything else need notice.
        slips.filter(|(.., other)| is_whole || tool.arguments.is_valid(other)).take(MAX_SLIPS).collect::<Vec<_>>()
    });
    slips
        .map(|(family, slip, other)| {
            let mut rest = tail(calls, at);
            rest.iter_mut().take(1).for_each(|first| *first = ToolCall::new(call.tool.clone(), other.clone()));
            Mutant { family, text: format!("call {}, {}, {slip}", at + 1, call.tool), kept: at, rest }
        })
        .collect()
}

fn has_parts(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// The calls of an oracle with slips in the lists and objects among their arguments.
pub fn with_slips_in_parts(goal: &Goal, alphabet: &Alphabet, calls: &[ToolCall], tool: &str) -> Vec<ToolCall> {
    let is_it = |call: &ToolCall| {
        call.tool == tool && call.arguments.as_object().is_some_and(|map| map.values().any(has_parts))
    };
    let places = calls.iter().enumerate().filter(|(_, call)| is_it(call)).map(|(at, _)| at);
    places
        .flat_map(|at| changed(goal, alphabet, calls, at))
        .filter_map(|mutant| mutant.rest.into_iter().next())
        .collect()
}

/// A slip in an argument or a part of one.
struct Slip {
    family: Family,
    text: String,
    /// The argument, or the part of it, with the slip.
    value: Value,
}

/// An argument of a call of the oracle, or a part of one.
#[derive(Clone, Copy)]
struct Argument<'a> {
    goal: &'a Goal<'a>,
    alphabet: &'a Alphabet<'a>,
    tool: &'a Tool,
}

impl Argument<'_> {
    /// The slips in what stands at a place, `lines[1].quantity`, by the path that the tool has for it,
    /// `lines[].quantity`.
    fn slips(self, at: &str, path: &str, schema: &Value, now: Option<&Value>) -> Vec<Slip> {
        match now {
            Some(Value::Array(items)) => self.slips_in_list(at, path, schema, items),
            Some(Value::Object(fields)) => self.slips_in_object(at, path, schema, fields),
            _ => {
                let was = now.map_or_else(|| "nothing".to_owned(), Value::to_string);
                let slip = |(family, value): (Family, Value)| Slip {
                    family,
                    text: format!("with {at} {value} instead of {was}"),
                    value,
                };
                self.others(path, schema, now).into_iter().map(slip).collect()
            }
        }
    }

    /// One element left out, one too many, two in each other's place, and the slips in each.
    fn slips_in_list(self, at: &str, path: &str, schema: &Value, items: &[Value]) -> Vec<Slip> {
        let element =
            |text: String, list: Vec<Value>| Slip { family: Family::Element, text, value: Value::Array(list) };
        let mut slips: Vec<Slip> =
            (0..items.len()).map(|place| element(format!("without {at}[{place}]"), without(items, place))).collect();
        let of = schema.get("items").cloned().unwrap_or_default();
        let (path_within, initial) = (format!("{path}[]"), self.goal.task.initial());
        let known = self.alphabet.values_of(self.tool, &path_within, &of, initial, MAX_PART).values;
        let new = known.iter().find(|value| !items.contains(value));
        for more in new.into_iter().chain(items.first()) {
            slips.push(element(format!("with one more in {at}, {more}"), with_more(items, more)));
        }
        let unlike = items.windows(2).position(|pair| matches!(pair, [one, other] if one != other));
        if let Some(place) = unlike.filter(|_| self.tool.compare.get(path) != Some(&Compare::Set)) {
            let mut list = items.to_vec();
            list.swap(place, place + 1);
            slips.push(element(format!("with {at} {ANOTHER_ORDER}"), list));
        }
        for (place, item) in items.iter().enumerate() {
            for slip in self.slips(&format!("{at}[{place}]"), &path_within, &of, Some(item)) {
                slips.push(Slip { value: Value::Array(with_one(items, place, &slip.value)), ..slip });
            }
        }
        slips
    }

    fn slips_in_object(self, at: &str, path: &str, schema: &Value, fields: &Map<String, Value>) -> Vec<Slip> {
        let mut slips = Vec::new();
        for (name, of) in properties(schema) {
            if fields.contains_key(&name) {
                let (text, rest) = (format!("without {at}.{name}"), left_out(fields, &name));
                slips.push(Slip { family: Family::WrongValue, text, value: Value::Object(rest) });
            }
            for slip in self.slips(&format!("{at}.{name}"), &format!("{path}.{name}"), &of, fields.get(&name)) {
                slips.push(Slip { value: Value::Object(with(fields, &name, &slip.value)), ..slip });
            }
        }
        slips
    }

    /// Other values of an argument: the keys next to it, or what else the task speaks of.
    fn others(self, path: &str, schema: &Value, now: Option<&Value>) -> Vec<(Family, Value)> {
        if self.tool.free_text.iter().any(|text| text == path) {
            return Vec::new();
        }
        let initial = self.goal.task.initial();
        if let (Some(keys), Some(key)) = (self.alphabet.keys_at(self.tool, path, initial), now.and_then(Value::as_str))
        {
            let place = keys.iter().position(|other| other == key);
            let next = place.and_then(|place| keys.get(place + 1));
            let last = place.and_then(|place| keys.get(place.checked_sub(1)?));
            let first = keys.iter().find(|_| place.is_none());
            let beside = [next, last, first].into_iter().flatten();
            return beside.map(|key| (Family::Neighbour, Value::from(key.as_str()))).collect();
        }
        let others =
            self.alphabet.values(self.tool, path, schema, initial).into_iter().filter(|value| Some(value) != now);
        let nearby = now.and_then(Value::as_i64).into_iter().flat_map(|n| [n.saturating_add(1), n.saturating_sub(1)]);
        let all = nearby.map(Value::from).chain(others);
        all.take(MAX_VALUES).map(|value| (Family::WrongValue, value)).collect()
    }
}

/// The position after a mutant, given those after each start of the oracle trace, and the calls refused.
pub fn play(goal: &Goal, starts: &[Candidate], mutant: &Mutant) -> Option<(Candidate, usize)> {
    Some(starts.get(mutant.kept)?.after_all(goal, &mutant.rest))
}

#[cfg(test)]
mod tests {
    use super::super::certificate::Certificate;
    use super::super::certify;
    use probity_behaviour::suite::Suite;
    use serde_json::{Value, json};

    const ENVIRONMENT: &str =
        include_str!("../../../cli/tests/cases/certified/lists_and_objects/environments/shop/parcels.json");
    const SCRIPT: &str = include_str!("../../../cli/tests/cases/certified/lists_and_objects/scripts/shop/parcels.rhai");
    const TASK: &str =
        include_str!("../../../cli/tests/cases/certified/lists_and_objects/tasks/shop/parcels/cups_and_a_pot.json");

    fn certified(change: impl FnOnce(&mut Value, &mut Value)) -> Certificate {
        let mut environment: Value = serde_json::from_str(ENVIRONMENT).unwrap();
        let mut task: Value = serde_json::from_str(TASK).unwrap();
        change(&mut environment, &mut task);
        let files = [
            ("environments/shop/parcels.json", environment.to_string()),
            ("scripts/shop/parcels.rhai", SCRIPT.to_owned()),
            ("tasks/shop/parcels/cups_and_a_pot.json", task.to_string()),
        ];
        let suite = Suite::from_files(files.map(|(path, text)| (path.to_owned(), text)).into(), Vec::new());
        let task = suite.tasks.values().next();
        certify(&task.unwrap_or_else(|| panic!("{:?}", suite.diagnostics)).task).0
    }

    fn row(certificate: &Certificate, family: &str) -> (usize, usize, usize, usize) {
        let row = certificate.parts[0].mutants.iter().find(|row| row.family == family).unwrap();
        (row.made, row.killed, row.same, row.survived)
    }

    #[test]
    fn slips_in_a_list_and_an_object_are_all_caught() {
        let certificate = certified(|_, _| {});
        assert_eq!(certificate.problems, []);
        let (made, killed, same, survived) = row(&certificate, "list element");
        assert!((made, same, survived) == (4, 0, 0) && killed == made, "{:?}", certificate.parts[0].mutants);
        let within = serde_json::to_value(&certificate.parts[0].minimality).unwrap();
        assert!(
            within["result"] == "proved" && within["within"]["send_parcel"]["lines"].as_u64() > Some(8),
            "{within}"
        );
    }

    /// Order is a slip only where it counts; and then something must notice it.
    #[test]
    fn another_order_is_a_slip_where_it_is_no_set() {
        let certificate = certified(|environment, _| {
            environment["tools"][1]["compare"].as_object_mut().unwrap().remove("lines").unwrap();
        });
        assert_eq!(row(&certificate, "list element").0, 5);
        assert!(
            certificate.problems.iter().any(|problem| problem.code == "mutant_survives"
                && problem.message.contains("with lines in another order")
                && problem.help.contains("`set`")),
            "{:?}",
            certificate.problems
        );
    }

    #[test]
    fn a_slip_in_a_field_that_nothing_asserts_is_told_by_its_path() {
        let certificate = certified(|_, task| {
            task["outcomes"]["base"]["achieves"][2]["matching"] = json!({"customer": "Ada Moss"});
        });
        assert!(
            certificate
                .problems
                .iter()
                .any(|problem| problem.code == "mutant_survives" && problem.message.contains("with address.city")),
            "{:?}",
            certificate.problems
        );
    }
}
