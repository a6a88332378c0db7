//! The process of an agent: its pipes, each with a thread of its own so that none can hold up a run, and its end; the
//! wish to stop, as workers and agents hear it, and the processes that must not outlive it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::folder::OwnFolder;
use super::quarters::Quarters;
use probity_engine::plain::plain_lines;

/// Longest line an agent may answer with, in bytes.
const MAX_LINE: u64 = 1 << 20;
/// How much of an agent's standard error is kept.
const MAX_ERRORS: usize = 4 << 10;
const MAX_ERROR_LINES: usize = 20;
/// The status of a shell that finds no such command.
const NOT_FOUND: i32 = 127;
/// How it is said that a process cannot be started, and that it is gone.
pub(crate) const UNSTARTABLE: &str = "cannot start";
pub(crate) const EXITED: &str = "it exited";
pub(crate) const KILLED: &str = "it was killed";
/// How long a process that says nothing more has to exit.
const EXIT_WAIT: Duration = Duration::from_secs(5);
const EXIT_POLL: Duration = Duration::from_millis(5);
/// How long a wait lasts before the wish to stop is looked at again.
const POLL: Duration = Duration::from_millis(50);
/// What an agent gets to end by itself, and its last words to arrive.
const GRACE: Duration = Duration::from_millis(200);

#[derive(Clone, Copy)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "a process is waited for in real time; no result knows how long")]
    pub(super) fn after(time: Duration) -> Self {
        Deadline(Instant::now().checked_add(time))
    }

    #[expect(clippy::disallowed_methods, reason = "a process is waited for in real time; no result knows how long")]
    fn left(self) -> Duration {
        self.0.map_or(POLL, |end| end.saturating_duration_since(Instant::now()))
    }
}

/// Why a wait ended without what was waited for.
pub(super) enum Waited {
    Late,
    Interrupted,
    Gone,
}

/// A shell with an agent, its process group, and the threads at its pipes.
pub(super) struct Process {
    child: Child,
    interrupt: Arc<Interrupt>,
    input: Sender<Vec<u8>>,
    written: Receiver<std::io::Result<()>>,
    lines: Receiver<Result<OutputLine, String>>,
    errors: Arc<Mutex<Vec<u8>>>,
    errors_end: Receiver<()>,
    _folder: Arc<OwnFolder>,
}

pub(super) struct OutputLine {
    pub text: Vec<u8>,
    /// Whether it had said more by then.
    pub is_followed: bool,
}

impl Process {
    /// Starts `command` in a shell, a process group and a folder of its own.
    pub(super) fn spawn(command: &str, quarters: &Quarters, interrupt: Arc<Interrupt>) -> std::io::Result<Process> {
        let folder = Arc::new(quarters.own_folder()?);
        let mut shell = quarters.command(command, folder.path());
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn()?;
        interrupt.watch(child.id(), &folder);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(std::io::Error::other("a pipe is missing"));
        };
        let (input, told) = channel();
        let (done, written) = channel();
        let (answer, lines) = sync_channel(1);
        let (alive, errors_end) = channel();
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&errors);
        let process = Process { child, interrupt, input, written, lines, errors, errors_end, _folder: folder };
        thread(move || write_lines(stdin, &told, &done))?;
        thread(move || read_lines(stdout, &answer))?;
        thread(move || keep_last(stderr, &kept, alive))?;
        Ok(process)
    }

    /// Writes a line; at most one is on its way.
    pub(super) fn write(&self, line: Vec<u8>, deadline: Deadline) -> Result<std::io::Result<()>, Waited> {
        self.input.send(line).map_err(|_| Waited::Gone)?;
        self.wait(&self.written, deadline)
    }

    /// The next line it answers, or what is wrong with it.
    pub(super) fn read(&self, deadline: Deadline) -> Result<Result<OutputLine, String>, Waited> {
        self.wait(&self.lines, deadline)
    }

    /// Whether a line is there that nobody has asked for.
    pub(super) fn has_spoken(&self) -> bool {
        matches!(self.lines.try_recv(), Ok(Ok(_)))
    }

    fn wait<T>(&self, receiver: &Receiver<T>, deadline: Deadline) -> Result<T, Waited> {
        loop {
            if self.interrupt.is_set() {
                return Err(Waited::Interrupted);
            }
            let left = deadline.left();
            match receiver.recv_timeout(left.min(POLL)) {
                Ok(value) => return Ok(value),
                Err(RecvTimeoutError::Disconnected) => return Err(Waited::Gone),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Waited::Late),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Tells it that the dialogue is over, without waiting for the line to be read, and gives it a moment to exit.
    pub(super) fn part(&self, line: Vec<u8>) {
        let deadline = Deadline::after(GRACE);
        let is_told = self.input.send(line).is_ok();
        while is_told && !deadline.left().is_zero() && self.read(deadline).is_ok() {}
    }

    /// Why nothing more comes from it: how it exited, as far as it says so within a moment.
    pub(super) fn how_it_ended(&mut self) -> String {
        let deadline = Deadline::after(EXIT_WAIT);
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if !deadline.left().is_zero() => std::thread::sleep(EXIT_POLL),
                Ok(status) => break status,
                Err(_) => break None,
            }
        };
        match status.map(|status| status.code()) {
            Some(Some(NOT_FOUND)) => format!("{EXITED} with status {NOT_FOUND}: there is no such command"),
            Some(Some(status)) => format!("{EXITED} with status {status}"),
            Some(None) => KILLED.to_owned(),
            None => "it closed its output".to_owned(),
        }
    }

    /// Kills its process group and waits for the shell. A child that left the group (`setsid`) is out of reach.
    pub(super) fn stop(&mut self) {
        self.interrupt.kill(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The end of what it wrote to standard error; complete once it was stopped.
    pub(super) fn last_errors(&self) -> Option<String> {
        // A child that left the group may keep the pipe open; then what has come so far must do.
        let _ = self.errors_end.recv_timeout(GRACE);
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = plain_lines(&String::from_utf8_lossy(tail(&kept)));
        let lines: Vec<&str> = text.trim().lines().collect();
        let last = lines.get(lines.len().saturating_sub(MAX_ERROR_LINES)..).unwrap_or_default().join("\n");
        (!last.is_empty()).then_some(last)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

fn thread(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name("exec agent".to_owned()).spawn(work).map(|_| ())
}

/// Writes what it is told and says when each line is through.
fn write_lines(mut input: ChildStdin, told: &Receiver<Vec<u8>>, done: &Sender<std::io::Result<()>>) {
    for line in told {
        let written = input.write_all(&line).and_then(|()| input.flush());
        if done.send(written).is_err() {
            return;
        }
    }
}

/// Hands over line by line; the channel holds one, so a flood waits in the pipe.
fn read_lines(output: ChildStdout, sender: &SyncSender<Result<OutputLine, String>>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) => return,
            Ok(_) if line.len() as u64 > MAX_LINE => Err(format!("a line longer than {MAX_LINE} bytes")),
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => {
                let is_followed = !reader.buffer().iter().all(u8::is_ascii_whitespace);
                Ok(OutputLine { text: line, is_followed })
            }
            Err(error) => Err(format!("cannot read from it: {error}")),
        };
        let is_over = message.is_err();
        if sender.send(message).is_err() || is_over {
            return;
        }
    }
}

/// Keeps the last bytes of a stream; `_alive` is dropped at its end.
fn keep_last(mut stream: impl Read, kept: &Mutex<Vec<u8>>, _alive: Sender<()>) {
    let mut buffer = [0; MAX_ERRORS];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        *kept = tail(&kept).to_vec();
    }
}

fn tail(bytes: &[u8]) -> &[u8] {
    bytes.get(bytes.len().saturating_sub(MAX_ERRORS)..).unwrap_or_default()
}

/// Set once from outside; everything that plays or waits looks at it.
#[derive(Debug, Default)]
pub struct Interrupt {
    is_set: AtomicBool,
    /// The processes' groups, with the folder of each.
    groups: Mutex<BTreeMap<u32, Arc<OwnFolder>>>,
}

impl Interrupt {
    /// Asks everything to stop; true when it had been asked before.
    pub fn set(&self) -> bool {
        self.is_set.swap(true, Ordering::Relaxed)
    }

    /// Whether everything is asked to stop.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Kills the process groups of all agents that are running, and takes their folders away.
    pub fn kill_agents(&self) {
        for (group, folder) in self.groups().iter() {
            kill_group(*group);
            folder.remove();
        }
    }

    /// A process group that has to be killed when the program ends early.
    pub(super) fn watch(&self, group: u32, folder: &Arc<OwnFolder>) {
        self.groups().insert(group, Arc::clone(folder));
    }

    /// Kills a watched group. Its leader must not have been waited for yet: only then is the number still its own.
    pub(super) fn kill(&self, group: u32) {
        if self.groups().remove(&group).is_some() {
            kill_group(group);
        }
    }

    fn groups(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<OwnFolder>>> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn kill_group(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
        // The group is gone already when all of it has exited.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_group: u32) {}
