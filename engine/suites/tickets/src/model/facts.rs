//! What replies are searched for: read when it is first looked for, since a ticket is opened more often than judged.

use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use super::ticket_file::FactFile;
use probity_prose::{Answer, Calendar, Reply};

/// What every good reply to a checkpoint conveys: one of each group.
#[derive(Clone, Debug)]
pub struct Facts {
    pub written: Vec<Vec<String>>,
    recorded: String,
    read: OnceLock<Vec<Vec<Result<Fact, Unread>>>>,
}

#[derive(Clone, Debug)]
pub struct Fact {
    pub answer: Answer,
    /// Whether the recorded reply asks for it and does not say it.
    pub is_asked: bool,
    /// Whether the recorded reply orders or asks it of the customer: *Please send me the server ID*.
    pub is_requested: bool,
}

/// Why a text cannot be looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    Todo,
    Pattern(String),
}

/// Something that must have been said.
#[derive(Clone, Debug)]
pub struct Said {
    written: String,
    read: OnceLock<Result<Answer, Unread>>,
}

impl Facts {
    pub fn new(written: &[FactFile], recorded: &str) -> Facts {
        let texts = |group: &FactFile| match group {
            FactFile::One(text) => vec![text.clone()],
            FactFile::Any(texts) => texts.clone(),
        };
        Facts { written: written.iter().map(texts).collect(), recorded: recorded.to_owned(), read: OnceLock::new() }
    }

    /// The groups as they are looked for; what cannot be read says why, and is found in no reply.
    pub fn read(&self) -> &[Vec<Result<Fact, Unread>>] {
        self.read.get_or_init(|| {
            let reply = Reply::read(&self.recorded, &Calendar::at(0));
            let fact = |text: &String| Ok(Fact::new(answer(text)?, &self.recorded, &reply));
            self.written.iter().map(|group| group.iter().map(fact).collect()).collect()
        })
    }
}

impl Fact {
    fn new(answer: Answer, reply: &str, recorded: &Reply) -> Fact {
        static REQUEST: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"(?i)\?\s*$|\b(?:please|send|tell|give|let me know|i need|write)\b").ok());
        let is_request = |sentence: &str| REQUEST.as_ref().is_some_and(|request| request.is_match(sentence));
        let is_asked = answer.is_in(reply) && answer.said_by(recorded).is_none();
        let sentences = reply.split_inclusive(['.', '!', '?', '\n']);
        let is_requested = sentences.into_iter().any(|sentence| is_request(sentence) && answer.is_in(sentence));
        Fact { answer, is_asked, is_requested }
    }
}

impl Said {
    pub fn new(written: &str) -> Said {
        Said { written: written.to_owned(), read: OnceLock::new() }
    }

    pub fn read(&self) -> Result<&Answer, &Unread> {
        self.read.get_or_init(|| answer(&self.written)).as_ref()
    }
}

fn answer(text: &str) -> Result<Answer, Unread> {
    match text.starts_with("TODO: ") {
        true => Err(Unread::Todo),
        false => Answer::parse(text, Calendar::at(0))
            .map_err(|why| Unread::Pattern(format!("`{text}` cannot be looked for: {why}"))),
    }
}
