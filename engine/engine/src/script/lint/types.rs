//! What the lint knows of a value: a handle to the state, a copy of a part of it, the arguments.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Dynamic, FnPtr};
use serde_json::Value;

/// Lists of lists deeper than this are taken for anything.
const MAX_DEPTH: usize = 4;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// Nothing has been seen yet, or `()`.
    Nothing,
    Any,
    Db,
    Table(String),
    /// An entity of one of these collections, or a record.
    Row(BTreeSet<String>),
    List(Box<Type>),
    /// A map whose keys are known: the arguments of a tool, the counts of `populate`.
    Closed(&'static str, BTreeSet<String>),
    /// A copy of a part of an entity, with its schema.
    Copy(Arc<Value>),
    Closure(Arc<Closure>),
}

/// A closure: the name of its function and what it captures.
#[derive(Debug, PartialEq)]
pub(super) struct Closure {
    pub(super) name: String,
    /// The captured variables, in order: what they hold and where they were declared.
    pub(super) captured: Vec<(Type, Option<DeclarationSite>)>,
}

/// Where a variable was declared: library (empty for the main script), line, column.
pub(super) type DeclarationSite = (String, usize, usize);

impl Type {
    /// What Rhai made of a constant: a closure, or anything.
    pub(super) fn of_constant(constant: &Dynamic) -> Type {
        match constant.read_lock::<FnPtr>() {
            Some(pointer) => {
                Type::Closure(Arc::new(Closure { name: pointer.fn_name().to_owned(), captured: Vec::new() }))
            }
            None => Type::Any,
        }
    }

    pub(super) fn row(slot: &str) -> Type {
        Type::Row(BTreeSet::from([slot.to_owned()]))
    }

    /// A part of a copy; without a schema it is open.
    pub(super) fn part(schema: Option<&Value>) -> Type {
        Type::Copy(Arc::new(schema.cloned().unwrap_or(Value::Bool(true))))
    }

    pub(super) fn list(of: Type) -> Type {
        if of.depth() >= MAX_DEPTH { Type::Any } else { Type::List(Box::new(of)) }
    }

    fn depth(&self) -> usize {
        match self {
            Type::List(of) => 1 + of.depth(),
            Type::Nothing
            | Type::Any
            | Type::Db
            | Type::Table(_)
            | Type::Row(_)
            | Type::Closed(..)
            | Type::Copy(_)
            | Type::Closure(_) => 0,
        }
    }

    pub(super) fn join(self, other: Type) -> Type {
        match (self, other) {
            (Type::Nothing, known) | (known, Type::Nothing) => known,
            (Type::Row(one), Type::Row(two)) => Type::Row(&one | &two),
            (Type::List(one), Type::List(two)) => Type::list(one.join(*two)),
            (Type::Closed(what, one), Type::Closed(other, two)) if what == other => Type::Closed(what, &one | &two),
            (one, two) if one == two => one,
            _ => Type::Any,
        }
    }

    pub(super) fn element(&self) -> Type {
        match self {
            Type::List(of) => (**of).clone(),
            Type::Copy(schema) => Type::part(schema.get("items")),
            Type::Nothing
            | Type::Any
            | Type::Db
            | Type::Table(_)
            | Type::Row(_)
            | Type::Closed(..)
            | Type::Closure(_) => Type::Any,
        }
    }

    /// Whether this reaches into the state: what is written through it is kept.
    pub(super) fn is_handle(&self) -> bool {
        match self {
            Type::Db | Type::Table(_) | Type::Row(_) => true,
            Type::Nothing | Type::Any | Type::List(_) | Type::Closed(..) | Type::Copy(_) | Type::Closure(_) => false,
        }
    }

    /// Whether this is a copy of a map or list out of the state: what is written into it is lost.
    pub(super) fn is_copied_container(&self) -> bool {
        match self {
            Type::Copy(schema) => {
                let kind = schema.get("type").and_then(Value::as_str);
                matches!(kind, Some("object" | "array")) || schema.get("properties").is_some()
            }
            Type::Nothing
            | Type::Any
            | Type::Db
            | Type::Table(_)
            | Type::Row(_)
            | Type::List(_)
            | Type::Closed(..)
            | Type::Closure(_) => false,
        }
    }
}

/// The fields that a schema allows; `None` when it allows others, or says it in a way not looked into.
pub(super) fn closed_fields(schema: &Value) -> Option<&serde_json::Map<String, Value>> {
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    let elsewhere = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties", "if"];
    let is_plain = elsewhere.iter().all(|keyword| schema.get(keyword).is_none());
    schema.get("properties").and_then(Value::as_object).filter(|_| is_closed && is_plain)
}
