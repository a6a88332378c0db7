//! A walk through a dialogue with what is known at each point: what the agent says is held against that.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::argument::{self, ArgumentClaim, MAX_CLAIMS};
use crate::claim::{Claim, ClaimKind, Verdict};
use crate::desk::{Desk, SourceInput};
use crate::field;
use crate::ledger::{Call, Ledger};
use crate::list::{self, Listed};
use crate::reply::{Said, Told};
use crate::source::{Source, SourceKind};
use crate::statement::{self, Statement};
use crate::{look, rule, undone, value};
use probity_prose::{Certainty, Minutes, Reply, Value as ToldValue, token::words};

/// One thing that happened, as the agent saw it.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The user's words, and the values they stand for where these are known by a name.
    User { text: &'a str, values: Vec<(&'a str, &'a Value)> },
    /// A call of a message, with its result or why it was refused. The agent sees that after the message.
    Call { message: u32, tool: &'a str, arguments: &'a Value, result: Result<&'a Value, &'a str> },
    /// What the agent says to the user in a message.
    Reply { message: u32, text: &'a str },
}

/// What one reply claims.
#[derive(Debug, Default)]
pub struct ReplyClaims {
    /// How many values it tells that are known and were not told before.
    pub values: usize,
    /// How many deeds and looks it tells that nothing speaks against.
    pub actions: usize,
    /// How many values it tells that are not known, and that nothing speaks against.
    pub unsupported: usize,
    /// The claims that something speaks against, in their order.
    pub against: Vec<Claim>,
    /// The ids and times that it tells and that nothing makes known: a reply written beforehand has none.
    pub unknown: Vec<Claim>,
}

/// What a dialogue's replies claim.
#[derive(Debug, Default)]
pub struct Account {
    /// The contradicted claims in their order, then the reading list.
    pub claims: Vec<Claim>,
    /// How far what was said is borne out, from 0 to 1; nothing where nothing was stated.
    pub support: Option<f64>,
}

/// Reads a whole dialogue.
pub fn read(desk: &Desk, events: &[Event]) -> Account {
    let mut reading = Reading::new(desk);
    events.iter().for_each(|event| reading.take(event));
    reading.account()
}

/// A walk through a dialogue: what happens is told to it event by event.
pub struct Reading<'a> {
    pub(crate) ledger: Ledger<'a>,
    /// What the calls of a message returned: the agent sees it only after that message.
    unseen: Vec<Call>,
    statements: Vec<Statement>,
    claims: Vec<Claim>,
    weighed: Vec<Listed>,
    /// The values that replies told truly, as written.
    told: BTreeSet<String>,
}

impl<'a> Reading<'a> {
    pub fn new(desk: &'a Desk) -> Reading<'a> {
        Reading {
            ledger: Ledger::new(desk),
            unseen: Vec::new(),
            statements: Vec::new(),
            claims: Vec::new(),
            weighed: Vec::new(),
            told: BTreeSet::new(),
        }
    }

    /// The same at another time of the desk's day.
    #[must_use]
    pub fn seen_at(mut self, now: Minutes) -> Reading<'a> {
        self.ledger.knowledge.calendar.now = now;
        self
    }

    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::User { text, values } => self.hear(text, values),
            Event::Call { message, tool, arguments, result } => {
                self.call(*message, tool, arguments, *result);
            }
            Event::Reply { message, text } => {
                let calendar = self.ledger.desk.calendar;
                self.reply(*message, text, &Reply::read(text, &calendar));
            }
        }
    }

    /// What the user says, with the values that stand behind it.
    pub fn hear(&mut self, text: &str, values: &[(&str, &Value)]) {
        self.see(u32::MAX);
        let desk = self.ledger.desk;
        let written = values.iter().map(|(name, value)| format!("\n{name}: {value}"));
        let key = std::iter::once(text.to_owned()).chain(written).collect();
        let said = desk.source(SourceInput::Said(key), || {
            let mut source = Source::new(SourceKind::User);
            source.add_text(text, &desk.calendar);
            values.iter().for_each(|(name, value)| source.add_value(name, value, &desk.calendar));
            source
        });
        self.ledger.is_cut |= said.is_cut;
        self.ledger.heard.push(Arc::clone(&said));
        self.ledger.knowledge.add(said);
    }

    /// A call with its result, or why it was refused. Returns its arguments, each with whether it was known.
    pub fn call(
        &mut self,
        message: u32,
        tool: &str,
        arguments: &Value,
        result: Result<&Value, &str>,
    ) -> Vec<ArgumentClaim> {
        self.see(message);
        let (desk, knowledge) = (self.ledger.desk, &self.ledger.knowledge);
        let place = desk.tools.iter().position(|card| card.tool.name == tool);
        let card = place.and_then(|place| desk.tools.get(place));
        let is_read = card.is_some_and(|card| card.is_read);
        let schema = card.map(|card| &card.tool.parameters);
        let free_text = card.map_or(&[][..], |card| card.tool.free_text.as_slice());
        let mut claims = argument::claims(schema, free_text, arguments, knowledge);
        for claim in &mut claims {
            // Who looks at one day after the other makes none of them up.
            claim.is_known = claim.is_known || (is_read && knowledge.is_day_between(&claim.value));
        }
        let made_up: BTreeSet<&str> =
            claims.iter().filter(|claim| !claim.is_known).map(|claim| claim.value.as_str()).collect();
        let observed = || observed(result, is_read, &made_up, desk);
        let is_whole = is_read || claims.len() < MAX_CLAIMS;
        let shown = match result {
            // What was not read may be made up, and a write repeats it.
            _ if !is_whole => Arc::new(Source::new(SourceKind::Observation)),
            Ok(shown) if made_up.is_empty() => {
                let input = if is_read { SourceInput::Shown } else { SourceInput::Written };
                desk.source(input(shown.clone()), observed)
            }
            Ok(_) | Err(_) => Arc::new(observed()),
        };
        let asked = desk
            .source(SourceInput::Shown(arguments.clone()), || Source::shown(arguments, &desk.calendar, &desk.units));
        // What was looked for belongs together: an arrival and the nights.
        let is_ok = result.is_ok();
        let is_told = is_ok && is_read && made_up.is_empty();
        self.unseen.push(Call { card: place, is_read, is_ok, is_told, message, asked, shown });
        claims
    }

    /// What the agent says.
    pub fn reply(&mut self, message: u32, text: &str, reply: &Reply) -> ReplyClaims {
        self.see(message);
        let mut said = Said::read(message, text, reply);
        let stated = said.hold_against(&mut self.ledger.knowledge);
        // Without what the reply that is being read makes known itself.
        let Ledger { gathered, knowledge, calls, .. } = &mut self.ledger;
        gathered.extend(&knowledge.sources, calls);
        let mut found = value::claims(&said, &self.ledger);
        found.extend(rule::claims(&said, &self.ledger));
        let mut actions = 0;
        found.extend(undone::claims(&said, &self.ledger, &mut actions));
        found.extend(look::claims(&said, &self.ledger, &mut actions));
        found.extend(statement::claims(&said, &self.ledger, &mut self.statements));
        found.extend(statement::taken_back(&said));
        found.extend(field::flags(&said, &self.ledger));
        found.extend(field::free(&said, &self.ledger));
        self.ledger.answered = self.ledger.calls.len();
        // Words count once, under what begins first.
        found.sort_by_key(|claim| claim.span);
        found.dedup_by(|next, last| next.span.0 < last.span.1);
        // A true value that is told again is no second claim.
        let is_against =
            |told: &Told| found.iter().any(|claim| told.span.0 < claim.span.1 && claim.span.0 < told.span.1);
        let is_new = |told: &&Told| told.certainty == Certainty::Certain && told.is_known && !is_against(told);
        let values = said
            .told
            .iter()
            .filter(is_new)
            .filter(|told| self.told.insert(said.quote(told.span).to_lowercase()))
            .count();
        let is_open = |told: &&Told| told.certainty == Certainty::Certain && !told.is_known && !is_against(told);
        let unsupported = said.told.iter().filter(is_open).count();
        self.claims.extend(found.iter().cloned());
        self.weighed.extend(list::weigh(&said, &self.ledger));
        self.ledger.knowledge.add(stated);
        let unknown = said.told.iter().filter(|told| is_unknown(told, &said)).map(|told| Claim {
            verdict: Verdict::Unsupported,
            ..said.contradicted(ClaimKind::Value, told.span, "nothing that was told or shown makes it known")
        });
        ReplyClaims { values, actions, unsupported, unknown: unknown.collect(), against: found }
    }

    /// Whether something that was told, said or read is too long to be known whole: what nothing known has is then not
    /// held against the agent.
    pub fn is_cut(&self) -> bool {
        self.ledger.is_cut
    }

    /// What the replies so far claim, with the reading list.
    pub fn account(self) -> Account {
        let support = list::support(&self.weighed, &self.claims);
        let unsupported = list::listed(&self.weighed, &self.claims);
        let mut claims = self.claims;
        claims.extend(unsupported);
        Account { claims, support }
    }

    /// Makes known what the calls before a message returned.
    pub(crate) fn see(&mut self, message: u32) {
        for call in self.unseen.extract_if(.., |call| call.message < message) {
            self.ledger.knowledge.sources.extend(call.is_told.then(|| Arc::clone(&call.asked)));
            self.ledger.knowledge.sources.push(Arc::clone(&call.shown));
            // What an agent wrote itself and a change repeats excuses nothing.
            self.ledger.is_cut |= call.is_read && call.shown.is_cut;
            self.ledger.calls.push(call);
        }
    }
}

fn is_unknown(told: &Told, said: &Said) -> bool {
    let is_clock = || !told.value.times().is_empty() && said.word(told.tokens.0).contains(':');
    let is_certain = matches!(told.value, ToldValue::Id(_)) || is_clock();
    let is_plain = told.certainty == Certainty::Certain && !said.is_rough(told.tokens);
    is_certain && is_plain && !told.is_known && said.is_asserted(told.span.0)
}

/// What a call showed. A write and a refusal repeat what they were given, which makes nothing known.
fn observed(result: Result<&Value, &str>, is_read: bool, made_up: &BTreeSet<&str>, desk: &Desk) -> Source {
    let mut source = Source::of_call(&desk.units);
    match result {
        Ok(shown) if !is_read && !made_up.is_empty() => source.add_value("", &without(shown, made_up), &desk.calendar),
        Ok(shown) => source.add_value("", shown, &desk.calendar),
        Err(reason) if !made_up.iter().any(|value| says(reason, value)) => source.add_text(reason, &desk.calendar),
        Err(_) => {}
    }
    source
}

/// Whether a text says a value in whole words: `B0045` does not say 5.
fn says(text: &str, value: &str) -> bool {
    let (text, value) = (words(text), words(value));
    !value.is_empty() && text.windows(value.len()).any(|said| said == value)
}

fn without(value: &Value, made_up: &BTreeSet<&str>) -> Value {
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), without(value, made_up))).collect(),
        Value::Array(items) => items.iter().map(|item| without(item, made_up)).collect(),
        Value::String(text) if made_up.iter().any(|made| says(text, made)) => Value::Null,
        Value::Number(_) if made_up.contains(value.to_string().as_str()) => Value::Null,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
