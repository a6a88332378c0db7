//! What stands behind a property, an index or a method, and whether it is there at all.

use std::collections::BTreeSet;

use rhai::{Expr, FnCallExpr, Position};
use serde_json::Value;

use super::chain::literal;
use super::types::{Type, closed_fields};
use super::walk::Walker;
use crate::model::environment_file::SlotKind;
use crate::model::suggest;

/// Methods that change a list or map where it stands.
const MUTATORS: [&str; 20] = [
    "push",
    "insert",
    "append",
    "remove",
    "pop",
    "shift",
    "clear",
    "truncate",
    "chop",
    "reverse",
    "sort",
    "sort_by",
    "dedup",
    "drain",
    "retain",
    "set",
    "mixin",
    "merge",
    "fill_with",
    "pad",
];

/// Methods of a list that hand out a list of the same things.
const SAME_LIST: [&str; 13] = [
    "filter",
    "extract",
    "drain",
    "retain",
    "split",
    "order",
    "order_by",
    "sorted",
    "dedup",
    "reverse",
    "sort",
    "splice",
    "order_desc",
];

/// Methods of a list that hand out one of the things in it.
const ONE_OF_LIST: [&str; 7] = ["get", "find", "pop", "shift", "remove", "first", "last"];

pub(super) fn is_mutation(receiver: &Type, method: &str) -> bool {
    match receiver {
        Type::Table(_) => matches!(method, "insert" | "remove"),
        Type::Copy(_) | Type::List(_) => MUTATORS.contains(&method),
        Type::Nothing | Type::Any | Type::Db | Type::Row(_) | Type::Closed(..) | Type::Closure(_) => false,
    }
}

impl Walker<'_> {
    pub(super) fn property(&mut self, receiver: &Type, name: &str, at: Position, is_target: bool) -> Type {
        match receiver {
            Type::Db => self.part(name, at),
            Type::Table(slot) => Type::row(slot),
            Type::Row(slots) => self.field(slots, name, at),
            Type::Closed(what, names) => {
                if !names.contains(name) && !is_target {
                    self.unknown_key(what, names, name, at);
                }
                Type::Any
            }
            Type::Copy(schema) => self.below(schema, name, at),
            Type::Nothing | Type::Any | Type::List(_) | Type::Closure(_) => {
                if !is_target && !self.world.keys.contains(name) {
                    let message = format!("no schema and no map of the scripts has a field `{name}`");
                    let help = suggest::nearest(name, self.world.keys.iter().map(String::as_str));
                    let help = help.map_or_else(
                        || "is it spelt as where it was written?".to_owned(),
                        |near| format!("did you mean `{near}`?"),
                    );
                    self.report.error(at, "unknown_field", message, help);
                }
                Type::Any
            }
        }
    }

    fn part(&mut self, name: &str, at: Position) -> Type {
        match self.world.slots.get(name) {
            Some((SlotKind::Collection, _)) => Type::Table(name.to_owned()),
            Some((SlotKind::Record, _)) => Type::row(name),
            None => {
                let help = suggest::help(name, self.world.slots.keys().map(String::as_str));
                let message = format!("there is no collection or record `{name}`");
                self.report.error(at, "unknown_collection", message, help);
                Type::Any
            }
        }
    }

    fn field(&mut self, slots: &BTreeSet<String>, name: &str, at: Position) -> Type {
        let world = self.world;
        let Some(fields) = world.fields(slots) else { return Type::Any };
        match fields.get(name) {
            Some(schema) => Type::part(Some(schema)),
            None => {
                let slots: Vec<String> = slots.iter().map(|slot| format!("`{slot}`")).collect();
                let message = format!("{} has no field `{name}`", slots.join(" or "));
                let help = suggest::help(name, fields.keys().copied());
                self.report.error(at, "unknown_field", message, help);
                Type::Any
            }
        }
    }

    /// A field of a map within an entity.
    fn below(&mut self, schema: &Value, name: &str, at: Position) -> Type {
        if let Some(fields) = closed_fields(schema) {
            match fields.get(name) {
                Some(field) => return Type::part(Some(field)),
                None => {
                    let help = suggest::help(name, fields.keys().map(String::as_str));
                    self.report.error(at, "unknown_field", format!("the map has no field `{name}`"), help);
                }
            }
        }
        Type::part(schema.get("properties").and_then(|fields| fields.get(name)))
    }

    fn unknown_key(&mut self, what: &str, names: &BTreeSet<String>, name: &str, at: Position) {
        let help = suggest::help(name, names.iter().map(String::as_str));
        self.report.error(at, "unknown_parameter", format!("there is no {what} `{name}`"), help);
    }

    pub(super) fn index(&mut self, receiver: &Type, by: &Expr, is_target: bool) -> Type {
        self.value(by);
        match (receiver, literal(by)) {
            (Type::Db | Type::Row(_) | Type::Closed(..), Some(name)) => {
                self.property(receiver, name, by.position(), is_target)
            }
            (Type::Table(slot), _) => Type::row(slot),
            (Type::List(_), _) => receiver.element(),
            (Type::Copy(schema), Some(name)) if closed_fields(schema).is_some() => {
                self.below(schema, name, by.position())
            }
            (Type::Copy(_), None) => receiver.element(),
            (Type::Copy(schema), Some(_)) => Type::part(schema.get("additionalProperties")),
            (Type::Db | Type::Row(_) | Type::Closed(..) | Type::Nothing | Type::Any | Type::Closure(_), _) => Type::Any,
        }
    }

    /// What a method hands out, and what its arguments are.
    pub(super) fn method(&mut self, receiver: &Type, call: &FnCallExpr, at: Position) -> (Type, Vec<Type>) {
        self.check_method(receiver, call, at);
        let arguments = self.arguments(receiver, call.name.as_str(), &call.args);
        (self.method_value(receiver, &call.name, &call.args, &arguments), arguments)
    }

    /// What a method (or native function called on `receiver`) hands out.
    pub(super) fn method_value(&mut self, receiver: &Type, name: &str, args: &[Expr], arguments: &[Type]) -> Type {
        let first = args.first().and_then(|arg| literal(arg).map(|text| (text, arg.position())));
        match receiver {
            Type::Table(slot) => self.table_method(slot, name, args, first),
            Type::Row(slots) => match (name, first) {
                ("get", Some((field, at))) => self.field(slots, field, at),
                ("has" | "part", Some((field, at))) => {
                    self.field(slots, field, at);
                    Type::Any
                }
                _ => Type::Any,
            },
            Type::Closed(what, names) => {
                let unknown = first.filter(|(key, _)| !names.contains(*key));
                if let (Some((key, at)), "get" | "contains" | "remove") = (unknown, name) {
                    self.unknown_key(what, names, key, at);
                }
                Type::Any
            }
            Type::List(_) | Type::Copy(_) => match name {
                "map" => arguments.first().cloned().unwrap_or(Type::Any),
                name if SAME_LIST.contains(&name) => Type::list(receiver.element()),
                name if ONE_OF_LIST.contains(&name) => receiver.element(),
                _ => Type::Any,
            },
            Type::Any => match name {
                "pick" => arguments.first().map_or(Type::Any, Type::element),
                "shuffle" => Type::list(arguments.first().map_or(Type::Any, Type::element)),
                _ => Type::Any,
            },
            Type::Nothing | Type::Db | Type::Closure(_) => Type::Any,
        }
    }

    fn table_method(&mut self, slot: &str, name: &str, args: &[Expr], first: Option<(&str, Position)>) -> Type {
        match name {
            "get" => Type::row(slot),
            "where" | "where_text" | "find" | "count" | "sum" => {
                // Of `address.zip` the schema's own field is the first.
                if let Some((field, at)) = first.map(|(path, at)| (path.split('.').next().unwrap_or(path), at)) {
                    self.field(&BTreeSet::from([slot.to_owned()]), field, at);
                }
                match name {
                    "find" => Type::row(slot),
                    "count" | "sum" => Type::Any,
                    _ => Type::list(Type::row(slot)),
                }
            }
            "values" => Type::list(Type::row(slot)),
            "insert" => {
                args.get(1).into_iter().for_each(|entity| self.check_entity(&Type::row(slot), entity));
                Type::Nothing
            }
            _ => Type::Any,
        }
    }

    /// An entity that is written as a literal has no other fields than its schema.
    pub(super) fn check_entity(&mut self, target: &Type, value: &Expr) {
        if let (Type::Row(slots), Expr::Map(map, _)) = (target, value) {
            for (key, _) in &map.0 {
                self.field(slots, &key.name, key.pos);
            }
        }
    }
}
