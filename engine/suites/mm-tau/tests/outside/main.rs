//! The suite from outside: measures against naive second forms, tasks against the files of tau2-bench.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

use probity_bench::{Agent, Instance, Limits, Options, Services, Setting, Trace};

#[path = "../../../../cli/tests/support/outside.rs"]
mod beside;

mod commands;
mod composite;
mod compositions;
mod desk;
mod hostile;
mod inference;
mod misled;
mod peer;
mod recordings;
mod schedule;
mod trace;
mod vectors;
mod words;

/// An episode, with some options.
fn play(at: &Instance, agent: &mut dyn Agent, options: &Options) -> Trace {
    let services = Services { user_client: None, line: None, user_unit: "" };
    benchmark().play(at, &setting(options), agent, &services).unwrap().trace
}

fn setting(options: &Options) -> Setting<'_> {
    Setting { seed: 7, limits: Limits::default(), user: "caller", options, next: None }
}

/// The suite of the repository, read once.
fn benchmark() -> &'static dyn probity_bench::Benchmark {
    static LOADED: std::sync::LazyLock<probity_bench::Loaded> = std::sync::LazyLock::new(|| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        probity_mm_tau::REGISTERED.load(&root)
    });
    assert!(LOADED.diagnostics.is_empty(), "{:#?}", LOADED.diagnostics);
    LOADED.benchmark.as_ref()
}
