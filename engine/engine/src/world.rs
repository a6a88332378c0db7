//! Environments of tests, written as authors write them.

use std::collections::BTreeMap;

use crate::environment::Environment;
use crate::load::authored;
use crate::model::diagnostic::Problem;
use crate::script::sources::{Source, Sources};

/// What comes of an environment with its script and a library `tea`.
pub fn built(file: &str, script: &str, tea: &str) -> Result<(Environment, Vec<Problem>), Vec<Problem>> {
    let (file, _) = authored::environment("environments/test/world.json", file).unwrap();
    let source = |file: &str, text: &str| Source { file: file.to_owned(), text: text.to_owned() };
    let libraries = BTreeMap::from([("tea".to_owned(), source("tea", tea))]);
    Environment::build(file, Sources { main: source("main", script), libraries })
}
