//! Predicates over the environment's state, as data: they can be evaluated, and shown as an expression.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use probity_engine::number::is_same;

/// What can be asked of a state. Paths are JSON Pointers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// The value at the path is this one.
    Is(String, Value),
    /// The value at the path is another one, or there is none.
    IsNot(String, Value),
    /// The value at the path is not null.
    NotNull(String),
    /// The number at the path is this or more.
    AtLeast(String, f64),
    /// The date at the path (`YYYY-MM-DD`) is earlier than this one; false where there is none.
    Before(String, String),
    Absent(String),
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
}

impl Predicate {
    pub fn holds(&self, state: &Value) -> bool {
        match self {
            Predicate::Is(path, wanted) => state.pointer(path).is_some_and(|value| is_same(value, wanted)),
            Predicate::IsNot(path, other) => !state.pointer(path).is_some_and(|value| is_same(value, other)),
            Predicate::NotNull(path) => !state.pointer(path).is_some_and(Value::is_null),
            Predicate::AtLeast(path, least) => {
                state.pointer(path).and_then(Value::as_f64).is_some_and(|number| number >= *least)
            }
            Predicate::Before(path, date) => {
                state.pointer(path).and_then(Value::as_str).is_some_and(|found| found < date.as_str())
            }
            Predicate::Absent(path) => state.pointer(path).is_none(),
            Predicate::All(parts) => parts.iter().all(|part| part.holds(state)),
            Predicate::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }
}

/// As an expression over `db`, in the language in which environments write their preconditions.
impl fmt::Display for Predicate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Predicate::Is(path, Value::Bool(true)) | Predicate::IsNot(path, Value::Bool(false)) => field(out, path),
            Predicate::Is(path, Value::Bool(false)) | Predicate::IsNot(path, Value::Bool(true)) => {
                out.write_str("!")?;
                field(out, path)
            }
            Predicate::Is(path, literal) => comparison(out, path, "==", literal),
            Predicate::IsNot(path, literal) => comparison(out, path, "!=", literal),
            Predicate::NotNull(path) => comparison(out, path, "!=", "()"),
            Predicate::AtLeast(path, least) => comparison(out, path, ">=", format!("{least:?}")),
            Predicate::Before(path, date) => comparison(out, path, "<", format!("{date:?}")),
            Predicate::Absent(path) => absence(out, path),
            Predicate::All(parts) => joined(out, parts, " && "),
            Predicate::Any(parts) => joined(out, parts, " || "),
        }
    }
}

impl Serialize for Predicate {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

/// A pointer as an access: fields after a point, keys of collections (which begin with a capital) in brackets.
fn field(out: &mut fmt::Formatter<'_>, path: &str) -> fmt::Result {
    out.write_str("db")?;
    for segment in path.split('/').skip(1) {
        match segment.starts_with(|first: char| first.is_ascii_lowercase()) {
            true => write!(out, ".{segment}")?,
            false => write!(out, "[{segment:?}]")?,
        }
    }
    Ok(())
}

fn absence(out: &mut fmt::Formatter<'_>, path: &str) -> fmt::Result {
    let (collection, key) = path.rsplit_once('/').unwrap_or(("", path));
    out.write_str("!")?;
    field(out, collection)?;
    write!(out, ".has({key:?})")
}

fn comparison(out: &mut fmt::Formatter<'_>, path: &str, operator: &str, with: impl fmt::Display) -> fmt::Result {
    field(out, path)?;
    write!(out, " {operator} {with}")
}

fn joined(out: &mut fmt::Formatter<'_>, parts: &[Predicate], operator: &str) -> fmt::Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.write_str(operator)?;
        }
        match part {
            Predicate::All(_) | Predicate::Any(_) => write!(out, "({part})")?,
            Predicate::Is(..)
            | Predicate::IsNot(..)
            | Predicate::NotNull(_)
            | Predicate::AtLeast(..)
            | Predicate::Before(..)
            | Predicate::Absent(_) => write!(out, "{part}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn predicate(text: &str) -> Predicate {
        serde_json::from_str(text).unwrap()
    }

    fn either() -> Predicate {
        predicate(
            r#"{"any": [{"before": ["/lines/L1/end", "2025-02-25"]}, {"all": [{"is": ["/sim", "locked"]}, {"is": ["/on", false]}]}]}"#,
        )
    }

    #[test]
    fn is_evaluated() {
        let state = |end: Value, on: bool| json!({"lines": {"L1": {"end": end}}, "sim": "locked", "on": on});
        assert!(either().holds(&state(json!("2025-01-31"), true)));
        assert!(either().holds(&state(json!("2026-01-31"), false)));
        assert!(!either().holds(&state(json!("2025-02-25"), true)));
        assert!(!either().holds(&state(Value::Null, true)));
        assert!(!predicate(r#"{"is": ["/nowhere", null]}"#).holds(&json!({})));
        assert!(predicate(r#"{"not_null": "/nowhere"}"#).holds(&json!({})));
        assert!(predicate(r#"{"at_least": ["/gb", 2.0]}"#).holds(&json!({"gb": 2})));
        assert!(!predicate(r#"{"at_least": ["/gb", 2.0]}"#).holds(&json!({"gb": 1.9})));
    }

    #[test]
    fn is_shown_as_an_expression() {
        assert_eq!(either().to_string(), r#"db.lines["L1"].end < "2025-02-25" || (db.sim == "locked" && !db.on)"#);
        assert_eq!(predicate(r#"{"not_null": "/a/b"}"#).to_string(), "db.a.b != ()");
        assert_eq!(predicate(r#"{"absent": "/bills/B1"}"#).to_string(), r#"!db.bills.has("B1")"#);
        assert_eq!(predicate(r#"{"at_least": ["/a", 2.0]}"#).to_string(), "db.a >= 2.0");
    }
}
