//! The `probity-peers` command.

mod program;

fn main() -> std::process::ExitCode {
    program::main().into()
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
