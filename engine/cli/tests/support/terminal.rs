//! A program at a terminal, typed at.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{code, out, skipped};

/// Runs a command in a pseudo-terminal and types each text once the one before it is answered by its word.
const TERMINAL: &str = r#"
import os, pty, select, sys, time
keys = sys.argv[1].encode().decode("unicode_escape").encode("latin-1").split(b"\0")
keys = keys if len(keys) > 1 else []
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[2], sys.argv[2:])
import fcntl, struct, termios
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
seen, new, deadline = b"", b"", time.time() + 60
while time.time() < deadline:
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if ready:
        try:
            read = os.read(terminal, 65536)
        except OSError:
            break
        if not read:
            break
        seen, new = seen + read, new + read
    elif keys and keys[0] in new:
        new = b""
        os.write(terminal, keys[1])
        keys = keys[2:]
sys.stdout.buffer.write(seen)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) if not keys else 99)
"#;

/// What a terminal shows while keys are typed: each after a text has appeared. Nothing where there is no python3.
pub fn at_a_terminal(
    program: &str,
    at: &Path,
    arguments: &[&str],
    pager: &str,
    keys: &[(&str, &str)],
) -> Option<(String, i32)> {
    let typed: Vec<String> = keys.iter().map(|(after, keys)| format!("{after}\\x00{keys}")).collect();
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, &typed.join("\\x00"), program]).args(arguments);
    match command.env("PAGER", pager).current_dir(at).stdin(Stdio::null()).output() {
        Ok(output) => Some((out(&output), code(&output))),
        Err(error) => {
            skipped(format_args!("no terminal without python3: {error}"));
            None
        }
    }
}
