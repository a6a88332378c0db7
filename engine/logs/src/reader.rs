//! Reads a log: finds its form, and gives one dialogue after another.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Serialize;

use crate::dialogue::Dialogue;
use crate::document::is_message;
use crate::form::Form;
use crate::gather::{Gather, Out};
use crate::input::{Input, MAX_WHOLE, open};
use crate::sniff::{looks, sniff};
use crate::unread::{Fault, Unit, Unread};

/// How many units are looked at to find the form of a log.
const MAX_LOOKED_AT: usize = 64;

/// The form of a log, and what it was known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The form.
    pub form: Form,
    /// What it was known by: `it has messages with a role`.
    pub ground: &'static str,
}

/// A log that is being read: its dialogues, and in between what could not be read.
///
/// Lines are read as they come. Forms whose dialogues are spread over lines (spans, runs, observations, sessions) keep
/// up to [`MAX_WHOLE`](crate::MAX_WHOLE) bytes of them, and so does JSON that is not written line by line.
pub struct Reader<'a> {
    /// Nothing where it could not be opened.
    input: Option<Input<'a>>,
    found: Option<Found>,
    gather: Option<Box<dyn Gather>>,
    /// Those of dialogues in other forms than the first.
    others: BTreeMap<Form, Box<dyn Gather>>,
    is_named: bool,
    waiting: Vec<Unit>,
    held: usize,
    out: Out,
    is_over: bool,
}

impl<'a> Reader<'a> {
    /// Reads what comes of `input`, under the name by which problems speak of it; in this form, or in the one that it
    /// is found to have.
    pub fn new(file: &str, input: impl Read + 'a, form: Option<Form>) -> Reader<'a> {
        let mut out = Out::new(file);
        let input = open(input).map_err(|fault| out.fault(fault)).ok();
        let is_over = input.is_none();
        let mut reader = Reader {
            input,
            found: None,
            gather: None,
            others: BTreeMap::new(),
            is_named: form.is_some(),
            waiting: Vec::new(),
            held: 0,
            out,
            is_over,
        };
        if let Some(form) = form {
            reader.set(Found { form, ground: "it was named" });
        }
        reader
    }

    /// The form, once it is known: at the latest when the first dialogue was given. Later ones may have another, which
    /// each says of itself.
    pub fn found(&self) -> Option<Found> {
        self.found
    }

    fn set(&mut self, found: Found) {
        self.found = Some(found);
        self.out.set_form(found.form);
        self.gather = Some(found.form.gather());
    }

    fn step(&mut self) {
        let next = match &mut self.input {
            Some(Input::Whole(document)) => document.next(),
            Some(Input::Lines(lines)) => lines.next(),
            Some(Input::Archive(archive)) => archive.next(),
            None => None,
        };
        match next {
            Some(Ok(unit)) => self.take(unit),
            Some(Err(fault)) => self.out.fault(fault),
            None => self.end(),
        }
    }

    fn take(&mut self, unit: Unit) {
        if self.gather.is_none() {
            match sniff(&unit) {
                Some(found) => {
                    self.set(found);
                    std::mem::take(&mut self.waiting).into_iter().for_each(|unit| self.give(unit));
                }
                None if self.waiting.len() < MAX_LOOKED_AT => return self.waiting.push(unit),
                None => {
                    let first = self.waiting.first().cloned().unwrap_or(unit);
                    return self.unknown(&first);
                }
            }
        }
        self.give(unit);
    }

    fn give(&mut self, unit: Unit) {
        let Some(found) = self.found else { return };
        let other = self.other(found.form, &unit);
        let form = other.unwrap_or(found.form);
        let gather = match other {
            Some(form) => Some(self.others.entry(form).or_insert_with(|| form.gather())),
            None => self.gather.as_mut(),
        };
        let Some(gather) = gather else { return };
        let is_each = form.is_each() && !is_message(&unit.value);
        self.held = if is_each { self.held } else { self.held.saturating_add(unit.size) };
        if self.held as u64 > MAX_WHOLE {
            let what = format!("more than {} MiB belong together in this form", MAX_WHOLE >> 20);
            let fault = unit.place.fault("", what, "write the log out in several files; what stands before was read");
            self.out.fault(fault);
            return self.end();
        }
        self.out.set_form(form);
        gather.take(unit, &mut self.out);
        self.out.set_form(found.form);
    }

    /// The form of a dialogue that stands among dialogues of another.
    fn other(&self, form: Form, unit: &Unit) -> Option<Form> {
        if self.is_named || !form.is_each() || is_message(&unit.value) {
            return None;
        }
        let other = sniff(unit)?.form;
        // Words alone are the same in these.
        let is_same = other == Form::Chat && matches!(form, Form::Anthropic | Form::Responses);
        (other != form && !is_same).then_some(other)
    }

    fn unknown(&mut self, unit: &Unit) {
        let what = format!("this is no log in a form that is known: {}", looks(&unit.value));
        let help = "name its form if it has one (docs/FORMATS.md, section \"Logs of agents\"), or write chat messages";
        self.out.fault(unit.place.fault("", what, help));
        self.waiting.clear();
        self.is_over = true;
    }

    fn end(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        if let Some(gather) = &mut self.gather {
            gather.finish(&mut self.out);
            for (form, mut other) in std::mem::take(&mut self.others) {
                self.out.set_form(form);
                other.finish(&mut self.out);
            }
        } else if let Some(unit) = self.waiting.first().cloned() {
            self.unknown(&unit);
        }
        if !self.out.has_told {
            let what = if self.found.is_some() { "it holds nothing in this form" } else { "it holds nothing" };
            self.out.fault(Fault::file(what, "give a log with at least one dialogue, or name another form"));
        }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Dialogue, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(ready) = self.out.ready.pop_front() {
                return Some(ready);
            }
            if self.is_over {
                return None;
            }
            self.step();
        }
    }
}
