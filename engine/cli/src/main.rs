//! The `probity` command.

fn main() -> std::process::ExitCode {
    probity::cli::main().into()
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
