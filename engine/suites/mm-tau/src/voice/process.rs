//! Runs the commands of the plug for real. No clock is read and none reaches a result: a command ends in time or not.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::plug::{Launch, LaunchFault, LaunchJob};

/// How much of the end of standard error is kept.
const ERROR_BYTES: usize = 4 << 10;
/// How often an exit is looked for once the output has ended.
const EXIT_POLL: Duration = Duration::from_millis(5);
/// How long the last words on standard error may take to arrive.
const ERROR_WAIT: Duration = Duration::from_millis(200);

/// Runs each command in a shell (`sh -c`) and a process group of its own, which is killed when time or output is
/// exceeded. A grandchild that leaves the group (`setsid`) is out of reach, and what a command leaves running
/// after it ended well is not looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shell;

impl Launch for Shell {
    fn launch(&self, job: &LaunchJob<'_>) -> Result<Vec<u8>, LaunchFault> {
        let mut running = Running::start(job)?;
        let Ok(output) = running.output.recv_timeout(job.time) else {
            return Err(LaunchFault::TimedOut);
        };
        if output.len() > job.output_bytes {
            return Err(LaunchFault::TooMuchOutput);
        }
        match running.exit(job.time) {
            None => Err(LaunchFault::TimedOut),
            Some(status) if status.success() => Ok(output),
            Some(status) => Err(LaunchFault::Failed { status: how(status), said: running.last_error() }),
        }
    }
}

/// A started command, killed when dropped unless it has ended.
struct Running {
    child: Child,
    output: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
    has_ended: bool,
}

impl Running {
    fn start(job: &LaunchJob<'_>) -> Result<Running, LaunchFault> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(job.command);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn().map_err(|error| not_started(&error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (told, output) = channel();
        let (complained, errors) = channel();
        let running = Running { child, output, errors, has_ended: false };
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(LaunchFault::NotStarted("a pipe is missing".to_owned()));
        };
        let (input, limit) = (job.input.to_vec(), job.output_bytes as u64);
        // Each pipe has its own thread: a command may answer before it has read everything, or never read.
        thread(move || {
            let _ = stdin.write_all(&input);
        })?;
        thread(move || {
            let mut output = Vec::new();
            let _ = stdout.take(limit.saturating_add(1)).read_to_end(&mut output);
            let _ = told.send(output);
        })?;
        thread(move || {
            let _ = complained.send(last_bytes(stderr));
        })?;
        Ok(running)
    }

    /// How it ended, or `None` when it closed its output and lives on for as long again as it may run.
    fn exit(&mut self, time: Duration) -> Option<ExitStatus> {
        let polls = time.as_millis() / EXIT_POLL.as_millis();
        for _ in 0..=polls {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.has_ended = true;
                return Some(status);
            }
            std::thread::sleep(EXIT_POLL);
        }
        None
    }

    fn last_error(&self) -> String {
        let bytes = self.errors.recv_timeout(ERROR_WAIT).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).replace(|c: char| c.is_control() && c != '\n', " ");
        text.trim().lines().next_back().unwrap_or_default().trim().to_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        // The child is not yet waited for, so its number, which names the group, cannot belong to another.
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn kill_group(group: u32) {
    let group = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Elsewhere the command alone is killed.
#[cfg(not(unix))]
fn kill_group(_group: u32) {}

fn thread(work: impl FnOnce() + Send + 'static) -> Result<(), LaunchFault> {
    let thread = std::thread::Builder::new().name("speech tool".to_owned()).spawn(work);
    thread.map(drop).map_err(|error| not_started(&error))
}

fn not_started(error: &std::io::Error) -> LaunchFault {
    LaunchFault::NotStarted(error.to_string())
}

/// Reads a stream to its end and keeps the last bytes.
fn last_bytes(mut stream: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; ERROR_BYTES];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        kept.drain(..kept.len().saturating_sub(ERROR_BYTES));
    }
    kept
}

fn how(status: ExitStatus) -> String {
    match status.code() {
        Some(127) => "it exited with status 127: there is no such command".to_owned(),
        Some(code) => format!("it exited with status {code}"),
        None => "it was killed".to_owned(),
    }
}
