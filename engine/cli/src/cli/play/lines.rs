//! Where a player's lines come from: an editor on a terminal, plain lines elsewhere.

use std::cell::RefCell;
use std::io::{BufRead, IsTerminal, Read};
use std::rc::Rc;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::{Hint, Hinter};
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use probity_local::play::command::MAX_LINE;
use probity_local::play::complete::{complete, remark};
use probity_local::play::session::Session;

pub(super) enum LineInput {
    Line(String),
    /// A line that is no text, or too long to be read.
    Unfit(String),
    /// Ctrl-C: the line is dropped.
    Dropped,
    End,
}

pub(super) enum Lines<'a> {
    Typed(Box<Editor<Tab<'a>, MemHistory>>),
    Piped,
}

impl<'a> Lines<'a> {
    /// Lines from standard input; `session` is what they complete.
    pub fn open(session: Option<Rc<RefCell<Session<'a>>>>) -> Lines<'a> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Lines::Piped;
        }
        let config = Config::builder().completion_type(CompletionType::List).build();
        match Editor::with_history(config, MemHistory::new()) {
            Ok(mut editor) => {
                editor.set_helper(Some(Tab { session }));
                Lines::Typed(Box::new(editor))
            }
            Err(_) => Lines::Piped,
        }
    }

    pub(crate) fn is_typed(&self) -> bool {
        matches!(self, Lines::Typed(_))
    }

    pub fn next(&mut self, prompt: &str) -> LineInput {
        match self {
            Lines::Piped => piped(&mut std::io::stdin().lock()),
            Lines::Typed(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    // What cannot be remembered can still be done.
                    let _ = editor.add_history_entry(line.as_str());
                    LineInput::Line(line)
                }
                Err(ReadlineError::Interrupted) => LineInput::Dropped,
                Err(_) => LineInput::End,
            },
        }
    }
}

/// A line within limits; what is beyond them is skipped.
fn piped(reader: &mut impl BufRead) -> LineInput {
    let mut line = Vec::new();
    let read = reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
    match read {
        Ok(0) | Err(_) => return LineInput::End,
        Ok(_) if line.len() > MAX_LINE && !line.ends_with(b"\n") => {
            let _ = reader.skip_until(b'\n');
            return LineInput::Unfit(format!("a line longer than {MAX_LINE} bytes"));
        }
        Ok(_) => {}
    }
    match String::from_utf8(line) {
        Ok(line) => LineInput::Line(line),
        Err(_) => LineInput::Unfit("a line that is not UTF-8".to_owned()),
    }
}

pub(super) struct Tab<'a> {
    session: Option<Rc<RefCell<Session<'a>>>>,
}

impl Completer for Tab<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or_default();
        let session = self.session.as_ref().and_then(|session| session.try_borrow().ok());
        let found = session.map(|session| complete(&session, typed)).unwrap_or_default();
        Ok((found.start, found.candidates))
    }
}

/// A remark behind the line, which no key takes over.
pub(super) struct Remark(&'static str);

impl Hint for Remark {
    fn display(&self) -> &str {
        self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for Tab<'_> {
    type Hint = Remark;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<Remark> {
        let session = self.session.as_ref()?.try_borrow().ok()?;
        remark(&session, line).filter(|_| at == line.len()).map(Remark)
    }
}
impl Highlighter for Tab<'_> {}
impl Validator for Tab<'_> {}
impl Helper for Tab<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_and_lines_of_bytes_are_skipped_whole() {
        let mut input = vec![b'x'; MAX_LINE + 10];
        input.extend(b"\n\xff\nlast");
        let mut reader = input.as_slice();
        assert!(matches!(piped(&mut reader), LineInput::Unfit(what) if what.contains("longer")));
        assert!(matches!(piped(&mut reader), LineInput::Unfit(what) if what.contains("UTF-8")));
        assert!(matches!(piped(&mut reader), LineInput::Line(line) if line == "last"));
        assert!(matches!(piped(&mut reader), LineInput::End));
    }
}
