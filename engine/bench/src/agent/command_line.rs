//! A shell command that is written where the caller is and started elsewhere: words that name files of the caller are
//! written out, and everything else is left to the shell.

use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// Words after which the name of a program still comes.
const BEFORE_PROGRAM: [&str; 17] = [
    "exec", "env", "command", "nice", "nohup", "time", "if", "then", "else", "elif", "while", "until", "do", "!", "{",
    "trap", "&&",
];

/// A command with the caller's files written out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    pub text: String,
    /// The files and folders that its words name.
    pub named: Vec<PathBuf>,
}

impl CommandLine {
    /// Reads a command that was written in the folder `caller`; programs without a path are those of `search`.
    pub(super) fn of(command: &str, caller: &Path, search: &OsStr) -> CommandLine {
        let mut line = CommandLine { text: String::new(), named: Vec::new() };
        let mut end = 0;
        for word in words(command) {
            let Some(literal) = word.literal.as_deref().filter(|_| !word.is_output) else { continue };
            let (option, name) = match literal.split_once('=') {
                Some((option, value)) if !caller.join(literal).exists() => (format!("{option}="), value),
                Some(_) | None => (String::new(), literal),
            };
            if word.is_program && option.is_empty() && !name.contains('/') {
                line.named.extend(find_program(name, search));
                continue;
            }
            let path = plain_path(&caller.join(name));
            if !word.means(name, &path) {
                continue;
            }
            if let Some(written) = path.to_str().filter(|_| Path::new(name).is_relative()) {
                line.text.push_str(command.get(end..word.range.start).unwrap_or_default());
                line.text.push_str(&format!("{option}{}", quoted(written)));
                end = word.range.end;
            }
            line.named.push(path);
        }
        line.text.push_str(command.get(end..).unwrap_or_default());
        line
    }
}

/// Where a program is that is called without a path.
pub(super) fn find_program(name: &str, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|folder| folder.join(name)).find(|path| path.is_absolute() && path.is_file())
}

fn plain_path(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

struct Word {
    range: Range<usize>,
    /// What the shell makes of it; nothing where only the shell knows.
    literal: Option<String>,
    is_program: bool,
    is_output: bool,
    place: Place,
}

/// Where a word stands, as far as that says whether it is a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is the first after a program that is no option: a script, or the name of a command.
    First,
    /// Only a folder or a file can stand there: after `cd`, or `<`.
    Path,
    /// The name of a module stands there: after `-m`.
    Module,
    Any,
}

impl Word {
    /// Whether it means the file or folder of this path, and not something else that happens to be called so.
    fn means(&self, name: &str, path: &Path) -> bool {
        match self.place {
            _ if name.is_empty() || !path.exists() => false,
            Place::Module => false,
            Place::Path => true,
            Place::First | Place::Any if name.contains('/') => true,
            Place::First => path.is_file(),
            Place::Any => path.is_file() && path.extension().is_some(),
        }
    }
}

/// The words of a command, as far as they can be told without being a shell.
fn words(command: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut is_program, mut is_output) = (true, false);
    let mut place = Place::Any;
    let mut rest = command;
    while let Some(c) = rest.chars().next() {
        let start = command.len() - rest.len();
        match c {
            '\n' | ';' | '&' | '|' | '(' | ')' => (is_program, is_output, place) = (true, false, Place::Any),
            '<' => (is_output, place) = (false, Place::Path),
            '>' => is_output = true,
            '#' => {
                rest = rest.get(rest.find('\n').unwrap_or(rest.len())..).unwrap_or_default();
                continue;
            }
            _ if c.is_whitespace() => {}
            _ => {
                let (length, literal) = word(rest);
                rest = rest.get(length..).unwrap_or_default();
                let keeps = literal.as_deref().is_some_and(|word| {
                    let is_assignment = word.split_once('=').is_some_and(|(name, _)| !name.contains(['/', '-']));
                    BEFORE_PROGRAM.contains(&word) || is_assignment
                });
                let next = match literal.as_deref() {
                    _ if keeps => place,
                    Some("cd") if is_program => Place::Path,
                    Some("-m") => Place::Module,
                    Some(word) if place == Place::First && word.starts_with('-') => Place::First,
                    Some(_) | None if is_program && !is_output => Place::First,
                    Some(_) | None => Place::Any,
                };
                let is_option = place == Place::First && next == Place::First;
                let own = if is_option { Place::Any } else { place };
                words.push(Word { range: start..start + length, literal, is_program, is_output, place: own });
                (is_program, place) = (is_program && (keeps || is_output), next);
                is_output = false;
                continue;
            }
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    words
}

/// The length of the word that a text starts with, and what the shell makes of it.
fn word(text: &str) -> (usize, Option<String>) {
    let (mut literal, mut is_known) = (String::new(), !text.starts_with('~'));
    let mut quote = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => literal.push(c),
            (None, '\'' | '"') => quote = Some(c),
            (None, c) if c.is_whitespace() || ";&|()<>".contains(c) => return (at, Some(literal).filter(|_| is_known)),
            (None, '\\') => match chars.next() {
                // A path is known with a blank in it; before any other character a backslash keeps a word as it is.
                Some((_, ' ')) => literal.push(' '),
                Some(_) | None => is_known = false,
            },
            (_, '\\') => {
                is_known = false;
                chars.next();
            }
            (_, '$' | '`') | (None, '*' | '?' | '[') => is_known = false,
            (_, c) => literal.push(c),
        }
    }
    (text.len(), Some(literal).filter(|_| is_known && quote.is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Reader, hold};

    fn folder() -> PathBuf {
        std::env::temp_dir().join(format!("probity-words-{}", std::process::id()))
    }

    /// The command as it is written out in the folder, which is `DIR`.
    fn written(command: &str) -> String {
        let folder = folder();
        CommandLine::of(command, &folder, OsStr::new("")).text.replace(folder.to_str().unwrap(), "DIR")
    }

    #[test]
    fn words_that_name_files_of_the_caller_are_written_out() {
        for name in ["it's here/bin", "agent", "a b"] {
            std::fs::create_dir_all(folder().join(name)).unwrap();
        }
        for file in ["agent.py", "it's here/a b.py", "it's here/bin/run", "test", "a b/c.py"] {
            std::fs::write(folder().join(file), "").unwrap();
        }
        let same: Reader = |command| match written(command) {
            same if same == command => "same".to_owned(),
            other => other,
        };
        hold(include_str!("command_line_cases.txt"), &[("written", written as Reader), ("same", same)]);
        let named = CommandLine::of("sh agent.py", &folder(), OsStr::new("relative:/nowhere:/bin:/usr/bin")).named;
        assert_eq!(named, [PathBuf::from("/bin/sh"), folder().join("agent.py")]);
        std::fs::remove_dir_all(folder()).unwrap();
    }
}
