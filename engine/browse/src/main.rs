//! The `probity-browse` command: a run in the terminal.

mod app;
mod program;
#[cfg(test)]
#[path = "../../suites/behaviour/tests/sample/mod.rs"]
#[expect(dead_code, reason = "whole runs are for the tests of reports")]
mod sample;
mod terminal;
mod view;

fn main() -> std::process::ExitCode {
    program::main().into()
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
