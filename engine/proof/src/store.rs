//! What checks found, kept between them by what it depends on.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use probity_behaviour::task::Task;
use probity_engine::Environment;

/// Keeps findings from one check to the next.
pub trait Store: Sync {
    fn find(&self, key: &Value) -> Option<Value>;
    /// Keeps something under a key; what cannot be kept is found out again.
    fn keep(&self, key: &Value, found: &Value);
}

pub struct NoStore;

impl Store for NoStore {
    fn find(&self, _: &Value) -> Option<Value> {
        None
    }

    fn keep(&self, _: &Value, _: &Value) {}
}

/// What a check called `check` of an environment with some tasks depends on.
pub fn key(check: &str, environment: &Environment, tasks: &[&Task]) -> Value {
    let tasks: Vec<_> = tasks.iter().map(|task| (task.id(), task.hash())).collect();
    let (id, scripts) = (environment.id(), environment.script_hashes());
    json!({"check": check, "id": id, "environment": environment.hash(), "scripts": scripts, "tasks": tasks})
}

/// What is kept under a key, or else what `find` finds, which is kept where it says that nothing is wrong: what is
/// wrong is told at its place, and looked for each time.
pub fn kept<T: Serialize + DeserializeOwned>(store: &dyn Store, key: &Value, find: impl FnOnce() -> (T, bool)) -> T {
    if let Some(known) = store.find(key).and_then(|known| serde_json::from_value(known).ok()) {
        return known;
    }
    let (found, is_clean) = find();
    if let (true, Ok(value)) = (is_clean, serde_json::to_value(&found)) {
        store.keep(key, &value);
    }
    found
}

/// Problems, where there are any; that there are none is kept.
pub fn problems<T>(store: &dyn Store, key: &Value, find: impl FnOnce() -> Vec<T>) -> Vec<T> {
    let mut found = Vec::new();
    kept(store, key, || {
        found = find();
        ((), found.is_empty())
    });
    found
}
