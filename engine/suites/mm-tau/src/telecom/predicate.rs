//! Predicates over the environment's state, as data: they can be evaluated, and shown as an expression.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::literal::Literal;

/// What can be asked of a state. Paths are JSON Pointers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Predicate {
    /// The value at the path is this one.
    Is(&'static str, Literal),
    /// The value at the path is another one, or there is none.
    IsNot(&'static str, Literal),
    /// The number at the path is this or more.
    AtLeast(&'static str, f64),
    /// The date at the path (`YYYY-MM-DD`) is earlier than this one; false where there is none.
    Before(&'static str, &'static str),
    Absent(&'static str),
    All(&'static [Predicate]),
    Any(&'static [Predicate]),
}

impl Predicate {
    pub fn holds(&self, state: &Value) -> bool {
        match self {
            Predicate::Is(path, literal) => state.pointer(path).is_some_and(|value| literal.is(value)),
            Predicate::IsNot(path, literal) => !state.pointer(path).is_some_and(|value| literal.is(value)),
            Predicate::AtLeast(path, least) => {
                state.pointer(path).and_then(Value::as_f64).is_some_and(|number| number >= *least)
            }
            Predicate::Before(path, date) => {
                state.pointer(path).and_then(Value::as_str).is_some_and(|found| found < *date)
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
            Predicate::Is(path, Literal::Bool(true)) | Predicate::IsNot(path, Literal::Bool(false)) => field(out, path),
            Predicate::Is(path, Literal::Bool(false)) | Predicate::IsNot(path, Literal::Bool(true)) => {
                out.write_str("!")?;
                field(out, path)
            }
            Predicate::Is(path, literal) => comparison(out, path, "==", *literal),
            Predicate::IsNot(path, literal) => comparison(out, path, "!=", *literal),
            Predicate::AtLeast(path, least) => comparison(out, path, ">=", Literal::Decimal(*least)),
            Predicate::Before(path, date) => comparison(out, path, "<", Literal::Text(date)),
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

fn comparison(out: &mut fmt::Formatter<'_>, path: &str, operator: &str, literal: Literal) -> fmt::Result {
    field(out, path)?;
    match literal {
        Literal::Null => write!(out, " {operator} ()"),
        Literal::Bool(value) => write!(out, " {operator} {value}"),
        Literal::Integer(value) => write!(out, " {operator} {value}"),
        Literal::Decimal(value) => write!(out, " {operator} {value:?}"),
        Literal::Text(value) => write!(out, " {operator} {value:?}"),
    }
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

    const OVER: Predicate = Predicate::Before("/lines/L1/end", "2025-02-25");
    const LOCKED: Predicate = Predicate::Is("/sim", Literal::Text("locked"));
    const EITHER: Predicate =
        Predicate::Any(&[OVER, Predicate::All(&[LOCKED, Predicate::Is("/on", Literal::Bool(false))])]);

    #[test]
    fn is_evaluated() {
        let state = |end: Value, on: bool| json!({"lines": {"L1": {"end": end}}, "sim": "locked", "on": on});
        assert!(EITHER.holds(&state(json!("2025-01-31"), true)));
        assert!(EITHER.holds(&state(json!("2026-01-31"), false)));
        assert!(!EITHER.holds(&state(json!("2025-02-25"), true)));
        assert!(!EITHER.holds(&state(Value::Null, true)));
        assert!(!Predicate::Is("/nowhere", Literal::Null).holds(&json!({})));
        assert!(Predicate::IsNot("/nowhere", Literal::Null).holds(&json!({})));
        assert!(Predicate::AtLeast("/gb", 2.0).holds(&json!({"gb": 2})));
        assert!(!Predicate::AtLeast("/gb", 2.0).holds(&json!({"gb": 1.9})));
    }

    #[test]
    fn is_shown_as_an_expression() {
        assert_eq!(EITHER.to_string(), r#"db.lines["L1"].end < "2025-02-25" || (db.sim == "locked" && !db.on)"#);
        assert_eq!(Predicate::IsNot("/a/b", Literal::Null).to_string(), "db.a.b != ()");
        assert_eq!(Predicate::Absent("/bills/B1").to_string(), r#"!db.bills.has("B1")"#);
        assert_eq!(Predicate::AtLeast("/a", 2.0).to_string(), "db.a >= 2.0");
    }
}
