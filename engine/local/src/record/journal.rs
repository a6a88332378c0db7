//! The record: a line for each request with what came of it, written at once and never changed. What a request repeats
//! of an earlier one is not written again, so that the record grows as the dialogues do. What passed and is not in it
//! is counted.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead as _, BufReader, Error, ErrorKind, Read as _, Result};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use super::asked::Asked;
use probity_bench::{Appender, Masks};
use probity_engine::{Hash, Held, canonical};

/// The version of the lines.
const FORMAT: u64 = 1;
/// Histories that are remembered; then they are written whole again.
const MAX_KNOWN: usize = 1 << 20;
/// The longest first line by which a record is known.
const MAX_FIRST: u64 = 256 << 20;

pub struct Journal {
    session: String,
    next: AtomicU64,
    /// Keeps other recorders away for as long as it is held.
    _lock: Held,
    tape: Mutex<Tape>,
}

struct Tape {
    file: Appender,
    /// In which request each history stands, by its hash.
    histories: BTreeMap<Hash, u64>,
    /// In which one each brief and list of tools does.
    beside: BTreeMap<(&'static str, Hash), u64>,
}

/// The place of a request among all, and when it came.
#[derive(Clone, Debug)]
pub struct Came {
    number: u64,
    at: String,
}

impl Journal {
    /// Goes on with a record, or begins one; not with another file, nor with one that is being written.
    pub fn open(path: &Path) -> Result<Journal> {
        let lock = match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let file = File::open(path)?;
                let mut first = Vec::new();
                BufReader::new(&file).take(MAX_FIRST).read_until(b'\n', &mut first)?;
                if !first.is_empty() && !is_record(&first) {
                    return Err(Error::other("it is there already, and is no record"));
                }
                file
            }
            begun => begun?,
        };
        let lock = Held::of(lock).map_err(|error| match error {
            TryLockError::WouldBlock => Error::other("another recording writes it"),
            TryLockError::Error(error) => error,
        })?;
        let (histories, beside) = (BTreeMap::new(), BTreeMap::new());
        let tape = Mutex::new(Tape { file: Appender::open(path)?, histories, beside });
        Ok(Journal { session: now(), next: AtomicU64::new(1), _lock: lock, tape })
    }

    /// A request has come.
    pub fn came(&self) -> Came {
        Came { number: self.next.fetch_add(1, Ordering::SeqCst), at: now() }
    }

    /// Writes what was asked and what came of it, without the keys that it came with: the messages of the answer and its
    /// id, or why there is none.
    /// An error: why it is not written.
    pub fn write(
        &self,
        came: &Came,
        masks: &Masks,
        asked: &Asked,
        outcome: std::result::Result<(Vec<Value>, Option<String>), String>,
    ) -> std::result::Result<(), String> {
        let histories = if asked.after.is_none() { histories(asked) } else { Vec::new() };
        let lead = (!asked.lead.is_empty()).then(|| Value::from(asked.lead.clone()));
        let beside = [("lead", lead.as_ref()), ("system", asked.system.as_ref()), ("tools", asked.tools.as_ref())];
        let beside = beside.into_iter().filter_map(|(key, value)| value.map(|value| ((key, Hash::of(value)), value)));
        let beside: Vec<((&str, Hash), &Value)> = beside.collect();
        // What others wrote meanwhile may be written twice: nobody waits while keys are looked for.
        let (known, told) = self.tape().known(&histories, &beside);
        let (answer, id, why) = match outcome {
            Ok((answer, id)) => (Some(answer), id, None),
            Err(why) => (None, None, Some(why)),
        };
        let names = [&asked.after, &asked.conversation, &id];
        if !names.into_iter().flatten().all(|name| masks.is_free(name)) {
            return Err("a key stands in the name of an answer".to_owned());
        }
        let mut line = json!({
            "recorded": FORMAT, "session": self.session, "exchange": came.number, "start": came.at,
            "form": asked.form, "after": asked.after, "conversation": asked.conversation, "id": id,
            "model": asked.model.as_ref().map(|model| masks.text(model)),
            "unanswered": why.map(|why| masks.text(&why)),
            "from": known.map(|(_, from)| from), "kept": known.map(|(kept, _)| kept),
        });
        let Some(map) = line.as_object_mut() else { return Ok(()) };
        map.retain(|_, value| !value.is_null());
        let own = asked.turns.iter().skip(known.map_or(0, |(kept, _)| kept));
        let mut said = Map::from_iter([("turns".to_owned(), own.cloned().collect())]);
        said.extend(answer.map(|answer| ("answer".to_owned(), answer.into())));
        let mut same = Map::new();
        for ((name, value), told) in beside.iter().zip(told) {
            match told {
                Some(number) => drop(same.insert(name.0.to_owned(), number.into())),
                None => drop(said.insert(name.0.to_owned(), (*value).clone())),
            }
        }
        if let Value::Object(said) = masks.value(&said.into())? {
            map.extend(said);
        }
        if !same.is_empty() {
            map.insert("same".to_owned(), same.into());
        }
        let mut tape = self.tape();
        tape.file.push(&line).map_err(|error| format!("the record cannot be written: {error}"))?;
        if tape.histories.len() + tape.beside.len() > MAX_KNOWN {
            tape.histories.clear();
            tape.beside.clear();
        }
        for hash in histories {
            tape.histories.entry(hash).or_insert(came.number);
        }
        for (name, _) in beside {
            tape.beside.entry(name).or_insert(came.number);
        }
        Ok(())
    }

    fn tape(&self) -> MutexGuard<'_, Tape> {
        self.tape.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tape {
    /// How much of a history stands in which request, and in which each of the things beside it does.
    fn known(
        &self,
        histories: &[Hash],
        beside: &[((&'static str, Hash), &Value)],
    ) -> (Option<(usize, u64)>, Vec<Option<u64>>) {
        let histories = histories.iter().enumerate().rev();
        let known = histories.filter_map(|(at, hash)| Some((at + 1, *self.histories.get(hash)?))).next();
        (known, beside.iter().map(|(name, _)| self.beside.get(name).copied()).collect())
    }
}

/// Whether a file that begins so is a record: with a line of one, or with one that was torn when it was written.
fn is_record(first: &[u8]) -> bool {
    match serde_json::from_slice::<Value>(first) {
        Ok(line) => line.get("recorded").is_some(),
        Err(_) => first.starts_with(b"{") && !first.ends_with(b"\n"),
    }
}

/// The hash of each history that a request tells: of its first turn, its first two, and so on.
fn histories(asked: &Asked) -> Vec<Hash> {
    let mut hash = Hash::of_text(asked.form.name);
    let next = |turn: &Value| {
        hash = Hash::of_text(&format!("{hash}\n{}", canonical::to_string(turn)));
        hash
    };
    asked.turns.iter().map(next).collect()
}

/// When a session began, or a request came: a record tells of real time.
fn now() -> String {
    jiff::Timestamp::now().to_string()
}

/// Reasons that are told apart.
const MAX_REASONS: usize = 32;
/// Characters of a reason.
const LONGEST: usize = 160;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests that were passed on.
    pub requests: u64,
    pub recorded: u64,
    /// Requests of which it is not known yet what comes of them.
    pub open: u64,
    /// Of those recorded, the ones that were not answered.
    pub unanswered: u64,
    /// Why others are not in the record, with how many.
    pub missing: BTreeMap<String, u64>,
}

impl Counts {
    pub fn miss(&mut self, why: &str) {
        self.miss_times(why, 1);
    }

    /// What was open to the last is not in the record.
    pub fn give_up(&mut self) {
        let open = std::mem::take(&mut self.open);
        if open > 0 {
            self.miss_times("the recording ended while they were open", open);
        }
    }

    fn miss_times(&mut self, why: &str, times: u64) {
        let why: String = why.chars().take(LONGEST).collect();
        let is_known = self.missing.contains_key(&why) || self.missing.len() < MAX_REASONS;
        *self.missing.entry(if is_known { why } else { "for other reasons".to_owned() }).or_default() += times;
    }

    pub fn json(&self) -> Value {
        json!({"requests": self.requests, "recorded": self.recorded, "unanswered": self.unanswered, "not_recorded": self.missing})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_bench::Form;

    fn asked(turns: &[&str]) -> Asked {
        let turns: Vec<Value> = turns.iter().map(|text| json!({"role": "user", "content": text})).collect();
        Asked::of(Form::default(), None, json!({"messages": turns, "tools": [{"name": "look"}]})).unwrap()
    }

    fn masks(key: &str) -> Masks {
        Masks::of([("x-api-key", key.as_bytes())].into_iter(), "").ok().unwrap()
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("probity-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_key_of_one_request_changes_no_field_and_no_other_request() {
        let folder = folder("keys");
        let path = folder.join("record.jsonl");
        let journal = Journal::open(&path).unwrap();
        let answer = |text: &str| Ok((vec![json!({"role": "assistant", "content": text})], None));
        for key in ["assistant recorded exchange", "assistant", "recorded", "exchange", "hello-there"] {
            journal.write(&journal.came(), &masks(key), &asked(&["hello-there"]), answer("hello-there")).unwrap();
        }
        journal.write(&journal.came(), &Masks::default(), &asked(&["c"]), answer("hello-there exchange")).unwrap();
        let named = Asked { conversation: Some("hello-there".to_owned()), ..asked(&["d"]) };
        assert!(journal.write(&journal.came(), &masks("hello-there"), &named, answer("x")).is_err());
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 6);
        for (number, line) in lines.iter().enumerate() {
            assert_eq!((&line["recorded"], &line["exchange"]), (&json!(1), &json!(number + 1)), "{line}");
            let said = ["hello-there", "hello-there", "hello-there", "hello-there", "[key]", "hello-there exchange"];
            assert_eq!(line["answer"], json!([{"role": "assistant", "content": said[number]}]));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_record_has_one_writer_and_may_begin_with_a_torn_line() {
        let folder = folder("writers");
        let path = folder.join("record.jsonl");
        let first = Journal::open(&path).unwrap();
        assert!(Journal::open(&path).err().unwrap().to_string().contains("another recording writes it"));
        drop(first);
        std::fs::write(&path, "{\"answer\":[{\"ro").unwrap();
        let journal = Journal::open(&path).unwrap();
        journal.write(&journal.came(), &Masks::default(), &asked(&["a"]), Err("HTTP 500".to_owned())).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.lines().count() == 1 && serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        drop(journal);
        for other in ["{\"name\": \"mine\"}", "{\n  \"name\": 1\n}", "notes"] {
            std::fs::write(&path, other).unwrap();
            assert!(Journal::open(&path).is_err(), "{other}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_was_written_is_not_written_again_and_a_torn_line_goes() {
        let folder = folder("journal");
        let path = folder.join("record.jsonl");
        let answer = |text: &str| Ok((vec![json!({"role": "assistant", "content": text})], None));
        let lines = || -> Vec<Value> {
            let text = std::fs::read_to_string(&path).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let journal = Journal::open(&path).unwrap();
        let none = Masks::default();
        let masks = masks("sk-1234567890abcdef");
        journal.write(&journal.came(), &masks, &asked(&["a"]), answer("sk-1234567890abcdef")).unwrap();
        journal.write(&journal.came(), &none, &asked(&["a", "b"]), Err("HTTP 500".to_owned())).unwrap();
        journal.write(&journal.came(), &none, &asked(&["b"]), answer("x")).unwrap();
        let found = lines();
        assert_eq!(found[0]["answer"][0]["content"], "[key]");
        assert_eq!(
            (&found[1]["from"], &found[1]["kept"], &found[1]["same"]["tools"]),
            (&json!(1), &json!(1), &json!(1))
        );
        assert_eq!((found[1]["turns"].as_array().unwrap().len(), found[2].get("from")), (1, None));
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{{\"recorded\": 1, \"tur")).unwrap();
        let again = Journal::open(&path).unwrap();
        again.write(&again.came(), &none, &asked(&["a"]), answer("y")).unwrap();
        let found = lines();
        assert_eq!((found.len(), &found[3]["exchange"], found[3].get("from")), (4, &json!(1), None));
        assert!(found[3]["session"] != found[0]["session"]);
        std::fs::write(&path, "my notes").unwrap();
        assert!(Journal::open(&path).err().unwrap().to_string().contains("is no record"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
