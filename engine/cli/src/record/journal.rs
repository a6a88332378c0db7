//! The record: a line for each request with what came of it, written at once and never changed. What a request repeats
//! of an earlier one is not written again, so that the record grows as the dialogues do.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Error, ErrorKind, Read as _, Result};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use super::asked::Asked;
use probity_bench::{Appender, Masks};
use probity_engine::{Hash, canonical};

/// The version of the lines.
const FORMAT: u64 = 1;
/// Histories that are remembered; then they are written whole again.
const MAX_KNOWN: usize = 1 << 20;
/// The longest first line by which a record is known.
const MAX_FIRST: u64 = 256 << 20;

pub struct Journal {
    session: String,
    next: AtomicU64,
    pages: Mutex<Pages>,
}

struct Pages {
    file: Appender,
    masks: Masks,
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
    /// Goes on with a record, or begins one; not with another file.
    pub fn open(path: &Path) -> Result<Journal> {
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let mut first = Vec::new();
                BufReader::new(File::open(path)?).take(MAX_FIRST).read_until(b'\n', &mut first)?;
                let is_record =
                    serde_json::from_slice::<Value>(&first).is_ok_and(|line| line.get("recorded").is_some());
                if !first.is_empty() && !is_record {
                    return Err(Error::other("it is there already, and is no record"));
                }
            }
            begun => drop(begun?),
        }
        let (masks, histories, beside) = (Masks::default(), BTreeMap::new(), BTreeMap::new());
        let pages = Mutex::new(Pages { file: Appender::open(path)?, masks, histories, beside });
        Ok(Journal { session: now(), next: AtomicU64::new(1), pages })
    }

    /// A request has come.
    pub fn came(&self) -> Came {
        Came { number: self.next.fetch_add(1, Ordering::SeqCst), at: now() }
    }

    /// Learns the keys of a request, which no line will hold.
    pub fn learn(&self, headers: &[(String, Vec<u8>)], query: &str) -> std::result::Result<(), &'static str> {
        let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_slice()));
        self.pages().masks.learn(headers, query)
    }

    /// A text without the keys.
    pub fn masked(&self, text: &str) -> String {
        self.pages().masks.text(text)
    }

    /// Writes what was asked and what came of it: the messages of the answer and its id, or why there is none.
    /// An error: why it is not written.
    pub fn write(
        &self,
        came: &Came,
        asked: &Asked,
        outcome: std::result::Result<(Vec<Value>, Option<String>), String>,
    ) -> std::result::Result<(), String> {
        let mut pages = self.pages();
        let pages = &mut *pages;
        let histories = histories(asked);
        let mut line = json!({
            "recorded": FORMAT, "session": self.session, "exchange": came.number, "start": came.at,
            "form": asked.form, "model": asked.model, "after": asked.after, "conversation": asked.conversation,
        });
        let Some(map) = line.as_object_mut() else { return Ok(()) };
        map.retain(|_, value| !value.is_null());
        let known =
            histories.iter().enumerate().rev().find_map(|(at, hash)| Some((at + 1, *pages.histories.get(hash)?)));
        let known = known.filter(|_| asked.after.is_none());
        if let Some((kept, from)) = known {
            map.extend([("from".to_owned(), from.into()), ("kept".to_owned(), kept.into())]);
        }
        let own = asked.turns.iter().skip(known.map_or(0, |(kept, _)| kept));
        map.insert("turns".to_owned(), own.cloned().collect());
        let lead = (!asked.lead.is_empty()).then(|| Value::from(asked.lead.clone()));
        let mut beside = Vec::new();
        let mut same = Map::new();
        for (key, value) in [("lead", lead), ("system", asked.system.clone()), ("tools", asked.tools.clone())] {
            let Some(value) = value else { continue };
            let name = (key, Hash::of(&value));
            match pages.beside.get(&name) {
                Some(number) => drop(same.insert(key.to_owned(), (*number).into())),
                None => {
                    map.insert(key.to_owned(), value);
                    beside.push((name, came.number));
                }
            }
        }
        if !same.is_empty() {
            map.insert("same".to_owned(), same.into());
        }
        match outcome {
            Ok((answer, id)) => {
                map.insert("answer".to_owned(), answer.into());
                map.extend(id.map(|id| ("id".to_owned(), id.into())));
            }
            Err(why) => drop(map.insert("unanswered".to_owned(), why.into())),
        }
        let masked = pages.masks.value(&line)?;
        pages.file.push(&masked).map_err(|error| format!("the record cannot be written: {error}"))?;
        if pages.histories.len() + pages.beside.len() > MAX_KNOWN {
            pages.histories.clear();
            pages.beside.clear();
        }
        for hash in histories {
            pages.histories.entry(hash).or_insert(came.number);
        }
        pages.beside.extend(beside);
        Ok(())
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The hash of each history that a request tells: of its first turn, its first two, and so on. None where it does not
/// begin at the beginning.
fn histories(asked: &Asked) -> Vec<Hash> {
    let mut hash = Hash::of_text(asked.form.name());
    let next = |turn: &Value| {
        hash = Hash::of_text(&format!("{hash}\n{}", canonical::to_string(turn)));
        hash
    };
    let turns = if asked.after.is_none() { asked.turns.as_slice() } else { &[] };
    turns.iter().map(next).collect()
}

/// When a session began, or a request came: a record tells of real time.
fn now() -> String {
    jiff::Timestamp::now().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_bench::Form;

    fn asked(turns: &[&str]) -> Asked {
        let turns: Vec<Value> = turns.iter().map(|text| json!({"role": "user", "content": text})).collect();
        Asked::of(Form::default(), None, json!({"messages": turns, "tools": [{"name": "look"}]})).unwrap()
    }

    #[test]
    fn what_was_written_is_not_written_again_and_a_torn_line_goes() {
        let folder = std::env::temp_dir().join(format!("probity-journal-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("record.jsonl");
        let answer = |text: &str| Ok((vec![json!({"role": "assistant", "content": text})], None));
        let lines = || -> Vec<Value> {
            let text = std::fs::read_to_string(&path).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let journal = Journal::open(&path).unwrap();
        journal.learn(&[("x-api-key".to_owned(), b"sk-1234567890abcdef".to_vec())], "").unwrap();
        journal.write(&journal.came(), &asked(&["a"]), answer("sk-1234567890abcdef")).unwrap();
        journal.write(&journal.came(), &asked(&["a", "b"]), Err("HTTP 500".to_owned())).unwrap();
        journal.write(&journal.came(), &asked(&["b"]), answer("x")).unwrap();
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
        again.write(&again.came(), &asked(&["a"]), answer("y")).unwrap();
        let found = lines();
        assert_eq!((found.len(), &found[3]["exchange"], found[3].get("from")), (4, &json!(1), None));
        assert!(found[3]["session"] != found[0]["session"]);
        std::fs::write(&path, "my notes").unwrap();
        assert!(Journal::open(&path).err().unwrap().to_string().contains("is no record"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
