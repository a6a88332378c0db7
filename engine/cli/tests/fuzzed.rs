//! Inputs that fuzzing has found, each a way of its own through the readers, run again as tests (docs/FUZZING.md).

#[path = "support/fuzz/mod.rs"]
mod fuzz;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Fewer inputs than this are not what fuzzing has kept: something is lost.
const LEAST: usize = 20;

fn run_all(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/fuzz").join(name);
    let mut inputs: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    assert!(inputs.len() >= LEAST, "{name}: {} inputs", inputs.len());
    let fails = |input: &PathBuf| {
        let bytes = fs::read(input).unwrap();
        catch_unwind(|| target(&bytes)).is_err()
    };
    inputs.retain(fails);
    assert!(inputs.is_empty(), "{inputs:#?}");
}

#[test]
fn files_of_any_content_are_read() {
    run_all("loader", fuzz::loader::run);
}

#[test]
fn answers_of_any_content_are_read() {
    run_all("provider", fuzz::provider::run);
}

#[test]
fn scripts_of_any_content_are_held() {
    run_all("script", fuzz::script::run);
}

#[test]
fn traces_of_any_content_are_read() {
    run_all("trace", fuzz::trace::run);
}
