//! Lists and objects with one part another.

use serde_json::{Map, Value};

pub fn without(list: &[Value], at: usize) -> Vec<Value> {
    list.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, item)| item.clone()).collect()
}

pub fn with_one(list: &[Value], at: usize, value: &Value) -> Vec<Value> {
    list.iter().enumerate().map(|(place, item)| if place == at { value } else { item }).cloned().collect()
}

pub fn with_more(list: &[Value], value: &Value) -> Vec<Value> {
    list.iter().chain([value]).cloned().collect()
}

pub fn with(fields: &Map<String, Value>, name: &str, value: &Value) -> Map<String, Value> {
    let mut fields = fields.clone();
    fields.insert(name.to_owned(), value.clone());
    fields
}

pub fn left_out(fields: &Map<String, Value>, name: &str) -> Map<String, Value> {
    let mut fields = fields.clone();
    fields.remove(name);
    fields
}
