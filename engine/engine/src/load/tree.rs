//! A JSON value with its places, objects in the order in which they are written: what is reformatted and expanded.

use serde_json::Value;

/// A line and a column, both from 1; columns count characters.
pub type Spot = (usize, usize);

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Where it starts.
    pub at: Spot,
    /// For an object or array: where its closing bracket is.
    pub end: Spot,
    /// Where its key starts, in an object.
    pub key: Option<Spot>,
    /// What it is.
    pub data: Data,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Null, a truth value, a number or a text.
    Scalar(Value),
    /// A list.
    Array(Vec<Tree>),
    /// Fields in the order of the text.
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// A value that is written nowhere itself: all of it stands at one place.
    pub fn at(at: Spot, value: Value) -> Tree {
        let data = match value {
            Value::Array(items) => Data::Array(items.into_iter().map(|item| Tree::at(at, item)).collect()),
            Value::Object(fields) => {
                Data::Object(fields.into_iter().map(|(key, field)| (key, Tree::at(at, field))).collect())
            }
            scalar @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => Data::Scalar(scalar),
        };
        Tree { at, end: at, key: None, data }
    }

    /// The value alone.
    pub fn value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::Array(items) => items.iter().map(Tree::value).collect(),
            Data::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), field.value())).collect(),
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar(Value::String(text)) => Some(text),
            Data::Scalar(_) | Data::Array(_) | Data::Object(_) => None,
        }
    }

    /// The fields, if it is an object.
    pub fn fields(&self) -> Option<&[(String, Tree)]> {
        match &self.data {
            Data::Object(fields) => Some(fields),
            Data::Scalar(_) | Data::Array(_) => None,
        }
    }

    /// The fields, to be changed.
    pub fn fields_mut(&mut self) -> Option<&mut Vec<(String, Tree)>> {
        match &mut self.data {
            Data::Object(fields) => Some(fields),
            Data::Scalar(_) | Data::Array(_) => None,
        }
    }

    /// The items, if it is a list.
    pub fn items(&self) -> Option<&[Tree]> {
        match &self.data {
            Data::Array(items) => Some(items),
            Data::Scalar(_) | Data::Object(_) => None,
        }
    }

    /// The items, to be changed.
    pub fn items_mut(&mut self) -> Option<&mut Vec<Tree>> {
        match &mut self.data {
            Data::Array(items) => Some(items),
            Data::Scalar(_) | Data::Object(_) => None,
        }
    }

    /// A field of an object.
    pub fn get(&self, key: &str) -> Option<&Tree> {
        self.fields()?.iter().find(|(name, _)| name == key).map(|(_, field)| field)
    }

    /// A field of an object, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Tree> {
        self.fields_mut()?.iter_mut().find(|(name, _)| name == key).map(|(_, field)| field)
    }

    /// A field of an object by its name, an item of a list by its place from 0.
    pub(super) fn child(&self, segment: &str) -> Option<&Tree> {
        match &self.data {
            Data::Scalar(_) => None,
            Data::Array(items) => items.get(segment.parse::<usize>().ok()?),
            Data::Object(_) => self.get(segment),
        }
    }

    /// Whether an object has a field.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// About how many bytes it takes to write it out.
    pub fn weight(&self) -> usize {
        match &self.data {
            Data::Scalar(Value::String(text)) => text.len() + 2,
            Data::Scalar(_) => 4,
            Data::Array(items) => items.iter().map(Tree::weight).sum::<usize>() + 2,
            Data::Object(fields) => fields.iter().map(|(key, field)| key.len() + 4 + field.weight()).sum::<usize>() + 2,
        }
    }

    /// Takes a field out of an object.
    pub fn remove(&mut self, key: &str) -> Option<Tree> {
        let fields = self.fields_mut()?;
        let at = fields.iter().position(|(name, _)| name == key)?;
        Some(fields.remove(at).1)
    }

    /// Puts a field behind the others of an object.
    pub fn push(&mut self, key: &str, field: Tree) {
        if let Some(fields) = self.fields_mut() {
            fields.push((key.to_owned(), field));
        }
    }

    /// The same place with something else in it.
    pub fn with(&self, data: Data) -> Tree {
        Tree { data, ..self.clone() }
    }

    /// A value that is written nowhere itself but stands for this one.
    pub fn instead(&self, value: Value) -> Tree {
        Tree { key: self.key, ..Tree::at(self.at, value) }
    }
}
