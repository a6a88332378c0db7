//! Values that stand in tables: arguments of calls and what predicates compare with.

use serde::Serialize;
use serde_json::Value;

/// A constant of JSON. Whole numbers and decimals are told apart, since `2` and `2.0` leave different bills.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Literal {
    Null,
    Bool(bool),
    /// A number without a point.
    Integer(i64),
    /// A number with a point.
    Decimal(f64),
    Text(&'static str),
}

impl Literal {
    /// Whether a value of the state is this one; numbers are equal by amount, however they are written.
    pub fn is(self, value: &Value) -> bool {
        match self {
            Literal::Decimal(number) => value.as_f64() == Some(number),
            Literal::Integer(_) => value.as_f64() == Value::from(self).as_f64(),
            Literal::Null | Literal::Bool(_) | Literal::Text(_) => *value == Value::from(self),
        }
    }
}

impl From<Literal> for Value {
    fn from(literal: Literal) -> Value {
        match literal {
            Literal::Null => Value::Null,
            Literal::Bool(value) => Value::from(value),
            Literal::Integer(value) => Value::from(value),
            Literal::Decimal(value) => Value::from(value),
            Literal::Text(value) => Value::from(value),
        }
    }
}
