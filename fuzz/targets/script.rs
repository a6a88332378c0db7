#![no_main]

#[path = "../../engine/cli/tests/support/fuzz/mod.rs"]
mod fuzz;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::script::run(data));
