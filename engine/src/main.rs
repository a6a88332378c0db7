//! The `probity` command.

fn main() -> std::process::ExitCode {
    probity::cli::main().into()
}
