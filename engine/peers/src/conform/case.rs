//! One vector, an input and what the reference said to it, and the benchmarks whose vectors are known.

use serde_json::{Value, json};

use crate::cirrus;
use crate::mmtau;
use crate::rut;
use probity_engine::number::is_same_number;
use probity_engine::{Diagnostic, suggest};

#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub id: String,
    pub kind: String,
    /// Whether its answer hangs on an oddity of the reference.
    pub is_quirk: bool,
    pub input: Value,
    pub expected: Value,
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub case: Case,
    /// What our scorer said; nothing for an unknown kind.
    pub actual: Option<Value>,
    pub reason: String,
}

impl Case {
    /// Reads a line of a vector file.
    /// An error: everything that is missing or has another type.
    pub fn parse(file: &str, line: usize, mut value: Value) -> Result<Case, Vec<Diagnostic>> {
        let problem = |message: String| {
            let help = "a vector is an object with `id`, `kind`, `tags`, `input` and `expected`";
            Diagnostic { line, column: 1, ..Diagnostic::file(file, "bad_vector", message).help(help) }
        };
        let Some(fields) = value.as_object_mut() else {
            return Err(vec![problem("a vector is an object".to_owned())]);
        };
        let mut problems = Vec::new();
        let mut text = |name: &str| {
            let text = fields.get(name).and_then(Value::as_str).map(str::to_owned);
            if text.is_none() {
                problems.push(problem(format!("`{name}` is not a text")));
            }
            text.unwrap_or_default()
        };
        let (id, kind) = (text("id"), text("kind"));
        let mut taken = |name: &str| {
            let value = fields.remove(name);
            if value.is_none() {
                problems.push(problem(format!("`{name}` is missing")));
            }
            value.unwrap_or_default()
        };
        let (input, expected) = (taken("input"), taken("expected"));
        if fields.get("tags").is_some_and(|tags| !tags.as_array().is_some_and(|tags| tags.iter().all(Value::is_string)))
        {
            problems.push(problem("`tags` is not a list of texts".to_owned()));
        }
        let tags = fields.get("tags").and_then(Value::as_array).into_iter().flatten();
        let is_quirk = tags.filter_map(Value::as_str).any(|tag| tag.starts_with("quirk:"));
        match problems.is_empty() {
            true => Ok(Case { id, kind, is_quirk, input, expected }),
            false => Err(problems),
        }
    }

    /// What the input lacks to be asked about, if anything; nothing is asked of an unknown kind.
    pub(crate) fn input_fault(&self, family: Family) -> Option<String> {
        family.input_fault(&self.kind, &self.input)
    }

    /// Holds our answer against the reference's.
    /// An error: the answers differ, or nobody knows what is asked.
    pub fn check(&self, family: Family) -> Result<(), Box<Failure>> {
        let actual = family.answer(&self.kind, &self.input);
        let reason = match &actual {
            None if family.kinds().contains(&self.kind.as_str()) => {
                format!("the input is no question of the kind `{}`", self.kind)
            }
            None => {
                let hint = suggest::help(&self.kind, family.kinds());
                format!("unknown kind `{}`; {hint}", self.kind)
            }
            Some(actual) => match first_difference(&family.comparable(&self.expected), actual, family.tolerance()) {
                None => return Ok(()),
                Some(path) => format!("differs at `{path}`"),
            },
        };
        Err(Box::new(Failure { case: self.clone(), actual, reason }))
    }
}

impl Failure {
    pub fn to_value(&self) -> Value {
        let Case { id, kind, expected, .. } = &self.case;
        json!({"id": id, "kind": kind, "why": self.reason, "expected": expected, "actual": self.actual})
    }
}

/// Where two answers differ first: objects by key, lists in order, numbers by more than a tolerance.
fn first_difference(expected: &Value, actual: &Value, tolerance: f64) -> Option<String> {
    let mut path = Vec::new();
    differs(expected, actual, tolerance, &mut path)
        .then(|| probity_engine::pointer::join(path.iter().map(String::as_str)))
}

fn differs(expected: &Value, actual: &Value, tolerance: f64, path: &mut Vec<String>) -> bool {
    let mut below = |key: String, expected: Option<&Value>, actual: Option<&Value>| {
        path.push(key);
        let differs = match (expected, actual) {
            (Some(expected), Some(actual)) => differs(expected, actual, tolerance, path),
            (None, _) | (_, None) => true,
        };
        if !differs {
            path.pop();
        }
        differs
    };
    match (expected, actual) {
        (Value::Number(a), Value::Number(b)) => {
            let distance = a.as_f64().zip(b.as_f64()).map_or(f64::INFINITY, |(a, b)| (a - b).abs());
            !(is_same_number(a, b) || (tolerance > 0.0 && distance <= tolerance))
        }
        (Value::Array(a), Value::Array(b)) => {
            (0..a.len().max(b.len())).any(|index| below(index.to_string(), a.get(index), b.get(index)))
        }
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().any(|key| below(key.clone(), a.get(key), b.get(key)))
        }
        _ => expected != actual,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Rut,
    Cirrus,
    MmTau,
}

impl Family {
    pub fn kinds(self) -> Vec<&'static str> {
        match self {
            Family::Rut => rut::kind::kinds(),
            Family::Cirrus => cirrus::kind::kinds(),
            Family::MmTau => mmtau::kind::kinds(),
        }
    }

    /// What an input lacks to be a question of this kind, if anything.
    pub(crate) fn input_fault(self, kind: &str, input: &Value) -> Option<String> {
        match self {
            Family::Rut => rut::kind::input_fault(kind, input),
            Family::Cirrus => cirrus::kind::input_fault(kind, input),
            Family::MmTau => None,
        }
    }

    /// How far apart numbers may be that are the same: means depend on the order of their sums.
    pub(crate) fn tolerance(self) -> f64 {
        match self {
            Family::Rut => 0.0,
            Family::Cirrus | Family::MmTau => 1e-9,
        }
    }

    /// The kinds that only tell what the other program does.
    pub fn information(self) -> &'static [&'static str] {
        match self {
            Family::Rut => &[],
            Family::Cirrus => &cirrus::kind::INFORMATION,
            Family::MmTau => &mmtau::kind::SKIPPED_KINDS,
        }
    }

    /// What our scorer answers to the input of a vector; `None` for a kind it does not know.
    pub fn answer(self, kind: &str, input: &Value) -> Option<Value> {
        match self {
            Family::Rut => rut::kind::answer(kind, input),
            Family::Cirrus => cirrus::kind::answer(kind, input),
            Family::MmTau => mmtau::kind::answer(kind, input),
        }
    }

    /// An answer as it is compared: of what must be refused, MM-tau's vectors name what its program raised, which
    /// nobody else has to.
    pub(super) fn comparable(self, expected: &Value) -> Value {
        match (self, expected.get("error")) {
            (Family::MmTau, Some(_)) => mmtau::kind::refused(),
            (Family::Rut | Family::Cirrus | Family::MmTau, _) => expected.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_by_value_and_types_count() {
        assert_eq!(first_difference(&json!({"a": [1, 2.0]}), &json!({"a": [1.0, 2]}), 0.0), None);
        assert_eq!(first_difference(&json!({"a": [1]}), &json!({"a": [true]}), 0.0), Some("/a/0".to_owned()));
        assert_eq!(first_difference(&json!({"a": [1]}), &json!({"a": []}), 0.0), Some("/a/0".to_owned()));
        assert_eq!(first_difference(&json!({"a": null}), &json!({}), 0.0), Some("/a".to_owned()));
        assert_eq!(first_difference(&json!(0.1), &json!(0.1 + 1e-12), 0.0), Some(String::new()));
        assert_eq!(first_difference(&json!(0.1), &json!(0.1 + 1e-12), 1e-9), None);
    }

    #[test]
    fn an_unknown_kind_fails_with_a_hint() {
        let line = json!({"id": "x", "kind": "complection", "input": {}, "expected": {}});
        let failure = Case::parse("v.jsonl", 1, line).unwrap().check(Family::Rut).unwrap_err();
        assert_eq!(failure.reason, "unknown kind `complection`; did you mean `completion`?");
        assert_eq!(failure.to_value()["actual"], Value::Null);
    }
}
