//! Cassettes: all traffic with a provider, kept so that a run can be played again without it.
//!
//! One JSON object a line: the unit, the number of the request within it, the hash of what was asked, and the
//! answer or why there was none. No request is kept, and of an answer's headers only those that say whose fault it is; a
//! key that is said back is blotted out before.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::transport::{Broken, Outgoing, Reply, Transport};
use probity_engine::{Hash, write_whole};

/// The version of the cassette format this build writes and reads.
pub const FORMAT: u32 = 1;

/// The largest cassette that is played, in bytes.
pub const MAX_BYTES: u64 = 4 << 30;

/// One request and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Version of the format.
    pub format: u32,
    /// The dialogue it belongs to.
    pub unit: String,
    /// How many requests of the unit came before.
    pub number: u64,
    /// SHA-256 of the body that was sent, and of the model where that stands in the path.
    pub request: Hash,
    /// The answer, or why there was none.
    pub answer: Answer,
}

/// An answer, or why there was none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// What came back.
    Reply(Reply),
    /// What kept it from coming.
    Broken(Broken),
}

/// The entries of a cassette, by unit and number.
pub type Entries = BTreeMap<(String, u64), Entry>;

/// Reads a cassette; of entries with one place the last counts, and a torn last line is left out.
///
/// # Errors
/// The line, from 1, that cannot be read.
pub fn read(text: &str) -> Result<Entries, String> {
    let mut entries = Entries::new();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        match serde_json::from_str::<Entry>(line) {
            Ok(entry) if entry.format == FORMAT => drop(entries.insert((entry.unit.clone(), entry.number), entry)),
            Ok(entry) => {
                return Err(format!(
                    "line {}: format {} is not known; this build reads {FORMAT}",
                    at + 1,
                    entry.format
                ));
            }
            Err(_) if !line.ends_with('\n') => {}
            Err(_) if line.trim().is_empty() => {}
            Err(error) => return Err(format!("line {}: {error}", at + 1)),
        }
    }
    Ok(entries)
}

fn line(entry: &Entry) -> std::io::Result<String> {
    Ok(serde_json::to_string(entry)? + "\n")
}

/// Answers from a cassette; nothing is sent.
pub struct Player(Entries);

impl Player {
    /// A player of these entries.
    pub fn new(entries: Entries) -> Self {
        Player(entries)
    }
}

impl Transport for Player {
    fn send(&self, request: Outgoing) -> Result<Reply, Broken> {
        let place = (request.unit.to_owned(), request.number);
        let missing = |what: &str| {
            let number = request.number + 1;
            Broken::NotRecorded(format!("the cassette {what} request {number} of `{}`: record it again", request.unit))
        };
        let entry = self.0.get(&place).ok_or_else(|| missing("does not hold"))?;
        if entry.request != request.hash() {
            return Err(missing("was recorded with another prompt, task, model or option, see"));
        }
        match &entry.answer {
            Answer::Reply(reply) => Ok(reply.clone()),
            Answer::Broken(broken) => Err(broken.clone()),
        }
    }

    fn is_live(&self) -> bool {
        false
    }
}

/// Keeps all traffic that goes through it.
pub struct Recorder {
    inner: Box<dyn Transport>,
    path: PathBuf,
    tape: Mutex<Tape>,
}

/// The file, opened when there is something to keep.
#[derive(Default)]
struct Tape {
    file: Option<File>,
    failure: Option<String>,
}

impl Tape {
    fn keep(&mut self, path: &Path, entry: &Entry) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            closed => closed.insert(open(path)?),
        };
        file.write_all(line(entry)?.as_bytes())
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    // Written anew, so that a torn line is not followed by others.
    match path.exists() {
        true => in_order(path)?,
        false => std::fs::write(path, "")?,
    }
    OpenOptions::new().append(true).open(path)
}

impl Recorder {
    /// A recorder that goes on with the cassette at `path`, or starts it.
    pub fn new(path: PathBuf, inner: Box<dyn Transport>) -> Self {
        Recorder { inner, path, tape: Mutex::new(Tape::default()) }
    }

    fn keep(&self, entry: &Entry) {
        let mut tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = tape.keep(&self.path, entry) {
            tape.failure.get_or_insert_with(|| error.to_string());
        }
    }

    /// Puts the cassette into the order of its units, so that it does not depend on who was faster.
    ///
    /// # Errors
    /// Some of it could not be written.
    pub fn finish(&self) -> Result<(), String> {
        let tape = self.tape.lock().unwrap_or_else(PoisonError::into_inner);
        match &tape.failure {
            Some(failure) => Err(failure.clone()),
            None if tape.file.is_none() => Ok(()),
            None => in_order(&self.path).map_err(|error| error.to_string()),
        }
    }
}

/// Writes a cassette with these entries, in the order of its units.
///
/// # Errors
/// One has no JSON form, or cannot be written.
pub fn write(entries: &Entries, out: &mut impl Write) -> std::io::Result<()> {
    entries.values().try_for_each(|entry| out.write_all(line(entry)?.as_bytes()))
}

/// Writes a cassette again in the order of its units.
fn in_order(path: &Path) -> std::io::Result<()> {
    let entries = read(&std::fs::read_to_string(path)?).map_err(std::io::Error::other)?;
    write_whole(path, |file| write(&entries, file))
}

impl Transport for std::sync::Arc<Recorder> {
    fn send(&self, request: Outgoing) -> Result<Reply, Broken> {
        let answer = self.inner.send(request);
        let kept = match &answer {
            Ok(reply) => Answer::Reply(reply.clone()),
            Err(Broken::Interrupted) => return answer,
            Err(broken) => Answer::Broken(broken.clone()),
        };
        self.keep(&Entry {
            format: FORMAT,
            unit: request.unit.to_owned(),
            number: request.number,
            request: request.hash(),
            answer: kept,
        });
        answer
    }

    fn is_live(&self) -> bool {
        self.inner.is_live()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn echo(request: Outgoing) -> Result<Reply, Broken> {
        match request.body {
            "fail" => Err(Broken::Timeout(1)),
            body => Ok(Reply { status: 200, body: body.to_owned(), ..Reply::default() }),
        }
    }

    fn ask<'a>(unit: &'a str, number: u64, body: &'a str) -> Outgoing<'a> {
        Outgoing { unit, number, model: None, body }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("probity-cassette-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_was_recorded_is_played() {
        let path = folder("played").join("cassette.jsonl");
        let recorder = Arc::new(Recorder::new(path.clone(), Box::new(echo)));
        recorder.send(ask("b", 0, "two")).unwrap();
        recorder.send(ask("a", 0, "one")).unwrap();
        recorder.send(ask("a", 1, "fail")).unwrap_err();
        recorder.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().next().unwrap().contains(r#""unit":"a""#), "{text}");
        let player = Player::new(read(&text).unwrap());
        assert_eq!(player.send(ask("b", 0, "two")).unwrap().body, "two");
        assert_eq!(player.send(ask("a", 1, "fail")), Err(Broken::Timeout(1)));
        let other = player.send(ask("a", 0, "uno")).unwrap_err().to_string();
        assert!(other.contains("another prompt") && other.contains("request 1 of `a`"), "{other}");
        let none = player.send(ask("c", 0, "one")).unwrap_err().to_string();
        assert!(none.contains("does not hold"), "{none}");
    }

    #[test]
    fn a_torn_cassette_goes_on() {
        let path = folder("torn").join("cassette.jsonl");
        let recorder = Arc::new(Recorder::new(path.clone(), Box::new(echo)));
        recorder.send(ask("a", 0, "one")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}{}", &text[..20])).unwrap();
        let again = Arc::new(Recorder::new(path.clone(), Box::new(echo)));
        again.send(ask("a", 1, "two")).unwrap();
        again.finish().unwrap();
        assert_eq!(read(&std::fs::read_to_string(&path).unwrap()).unwrap().len(), 2);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        assert!(read("{}\n").unwrap_err().starts_with("line 1: missing field"));
        assert!(read("\n{\"x\": 1}\n").unwrap_err().starts_with("line 2: unknown field"));
    }
}
