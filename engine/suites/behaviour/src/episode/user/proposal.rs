//! What a reply proposes where it asks for a yes, and whether that is what the contract user ordered: *I would cancel the
//! two-night booking. Shall I go ahead?*
//!
//! What is proposed is held against the calls that it ordered and the records that these are made with: who ordered the
//! second of two payments to be disputed agrees to the one of 13 March.

use std::fmt::Write;

use compact_str::CompactString;
use probity_engine::{Fields, Tool};
use probity_prose::token::spaced;
use probity_prose::{Unit, WordClass, lexicon::is};
use serde_json::Value;

use super::asked::{ASKED, denies};
use super::confirmation::{asks_for_leave, is_as_asked, named, points_back, shared_of};
use super::contract::ContractUser;
use super::kept_text::{clauses, sentences_of, words};
use super::told::deeds;
use crate::task::question::Question;
use crate::task::{OracleCall, ToolWords};

/// What a question for a yes is about.
pub(super) struct Proposal<'a> {
    /// What would be done, piece by piece, each with the calls that it names.
    pub(super) parts: Vec<ProposedPart<'a>>,
    /// What else is told beside it.
    pub(super) beside: Vec<String>,
    /// Whether all of it stands before the question, which names nothing itself.
    pub(super) is_before: bool,
}

pub(super) struct ProposedPart<'a> {
    pub(super) text: String,
    pub(super) deeds: Vec<&'a Tool>,
}

impl Proposal<'_> {
    /// What would be done, in its words.
    pub(super) fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl<'a> ContractUser<'a> {
    /// What a question is about: what it names itself, else what was announced before it in the same reply.
    pub(super) fn proposal(&self, question: &Question) -> Proposal<'a> {
        let is_before = (points_back(question.text) || is_as_asked(question.text))
            && self.meant(named(question.text, self.task), question.text).is_empty();
        let mut proposal = Proposal { parts: Vec::new(), beside: Vec::new(), is_before };
        if is_before {
            for (said, is_question) in sentences_of(question.context).iter() {
                match !is_question && self.announces(said) {
                    true => self.propose(said, &mut proposal),
                    false => proposal.beside.push(said.clone()),
                }
            }
            // *A new card, then. Is that what you want?*
            let is_as_asked = is_as_asked(question.text);
            if proposal.parts.is_empty() && !(is_as_asked && asks_for_leave(question.text)) {
                let part = |text: String| ProposedPart { deeds: self.proposed_deeds(&text), text };
                proposal.parts.extend(proposal.beside.pop().map(part));
            }
            // *Shall I do both?* after what would be done, and not *Shall I put them on the other one?*
            let text = question.text.replace("both", "").replace("all right", "right");
            match is_as_asked {
                true => proposal.beside.push(text),
                false => proposal.parts.push(ProposedPart { text, deeds: Vec::new() }),
            }
        } else {
            proposal
                .parts
                .push(ProposedPart { text: question.text.to_owned(), deeds: named(question.text, self.task) });
        }
        proposal
    }

    /// Whether a sentence tells what would be done: *I would move you*, *My plan: cancel it*, *first I sell them*.
    fn announces(&self, said: &str) -> bool {
        let is_own = |clause: &String| {
            let said = words(clause);
            let mut said = said.iter().skip_while(|word| !matches!(word.as_str(), "i" | "we")).skip(1);
            said.next().is_some_and(|word| self.is_deed(word)) && !ASKED.turns_from(clause, clause)
        };
        let is_done = || !deeds(said, self.task).is_empty();
        let is_order = || ASKED.begins(said, |word| self.is_deed(word)) || clauses(said).iter().any(is_own);
        ASKED.announcing.are_in(said) || (!is_done() && is_order())
    }

    fn propose(&self, said: &str, proposal: &mut Proposal<'a>) {
        for clause in clauses(said).iter().flat_map(|clause| self.pieces_of(clause)) {
            let deeds = self.proposed_deeds(&clause);
            let is_another = || self.begins_anew(&clause);
            let is_aside = explains(&clause) || proposal.parts.is_empty();
            match proposal.parts.last_mut() {
                _ if deeds.is_empty() && is_aside => {
                    proposal.beside.push(clause);
                }
                Some(part) if deeds.is_empty() && !is_another() => {
                    part.text.extend([", ", clause.as_str()]);
                }
                _ => proposal.parts.push(ProposedPart { text: clause, deeds }),
            }
        }
    }

    /// A clause by the deeds in it: *I would cancel the one*, *write it on the other*.
    fn pieces_of(&self, clause: &str) -> Vec<String> {
        let mut pieces: Vec<String> = Vec::new();
        for piece in clause.split(" and ") {
            let is_deed = words(piece).first().is_some_and(|word| self.is_deed(word));
            match pieces.last_mut().filter(|_| !is_deed) {
                Some(before) => before.extend([" and ", piece]),
                None => pieces.push(piece.to_owned()),
            }
        }
        pieces
    }

    /// The calls that a piece names by their verbs, and those of its orders of which it speaks. *Bought in May* names none.
    fn proposed_deeds(&self, piece: &str) -> Vec<&'a Tool> {
        let said = words(piece);
        let is_ordered = |tool: &Tool| self.ordered_by_now(&tool.name).next().is_some();
        let is_named = |(tool, words): &(&'a Tool, &ToolWords)| match is_ordered(tool) {
            true => self.speaks_by_name(piece, &tool.name),
            false => said.iter().any(|word| word == words.verb()),
        };
        self.meant(self.task.writes().filter(is_named).map(|(tool, _)| tool).collect(), piece)
    }

    /// Whether a word is the verb of a call, or of an order.
    pub(super) fn is_deed(&self, word: &str) -> bool {
        ASKED.deed.has(word) || self.task.writes().any(|(_, words)| words.verb() == word)
    }

    /// Whether a clause speaks of another deed than what stands before it: *and write a note on it*.
    fn begins_anew(&self, clause: &str) -> bool {
        let said = words(clause);
        let first = said.iter().find(|word| !matches!(word.as_str(), "and" | "then" | "also"));
        let is_of_tool = |word: &CompactString| {
            self.ordered_tools()
                .filter_map(|tool| self.task.words_of(&tool.name))
                .any(|words| words.name.contains(word))
        };
        first.is_some_and(is_of_tool) || said.iter().any(|word| ASKED.deed.has(word))
    }

    /// Whether all that is proposed is what it ordered, value by value and word by word, and nothing beside it speaks
    /// against that: a price that it has not heard, a part of its wish that cannot be had.
    pub(super) fn is_ordered(&self, proposal: &Proposal) -> bool {
        let calls: Vec<&OracleCall> = self.ordered_by_now("").collect();
        let recorded = self.recorded(&calls);
        let has_deed = proposal.parts.iter().any(|part| !part.deeds.is_empty());
        let is_priced = |said: &String| words(said).iter().any(|word| ASKED.price.has(word));
        let is_in_order = |said: &String| match has_deed {
            true => {
                (!is_priced(said) || self.has_told_sums(said, &recorded))
                    && !(denies(said) && shared_of(said, &self.said().join("\n")).0 > 0)
            }
            false => !denies(said) && self.has_told_sums(said, &recorded) && !self.names_other_record(said),
        };
        self.is_ordered_alone(proposal) && proposal.beside.iter().all(is_in_order)
    }

    /// The same, whatever is told beside it.
    pub(super) fn is_ordered_alone(&self, proposal: &Proposal) -> bool {
        proposal.parts.iter().all(|part| self.is_ordered_part(part))
    }

    fn is_ordered_part(&self, part: &ProposedPart) -> bool {
        let calls: Vec<&OracleCall> = self.ordered_by_now("").filter(|call| part.is_of(call)).collect();
        let own = [self.own(), &self.recorded(&calls)].join("\n");
        let is_of_sibling = match part.deeds.is_empty() {
            // *Another one, then.*
            true => self.names_other_record(&part.text) || ASKED.turns_from(&part.text, ""),
            false => part.deeds.iter().any(|tool| self.names_sibling(&part.text, tool)),
        };
        !is_of_sibling && self.is_within(&part.text, &own, &told_by(&calls))
    }

    /// Whether a proposal tells nothing in the place of what is its own.
    pub(super) fn may_be_ordered(&self, proposal: &Proposal) -> bool {
        let is_against = |part: &ProposedPart| {
            let calls: Vec<&OracleCall> = self.ordered_by_now("").filter(|call| part.is_of(call)).collect();
            part.deeds.iter().any(|tool| self.names_sibling(&part.text, tool))
                || self.is_against_wish(&part.text, &self.recorded(&calls))
        };
        !proposal.parts.iter().any(is_against)
    }

    /// What the calls are made with: the words of their tools, and of the records that they name.
    fn recorded(&self, calls: &[&OracleCall]) -> String {
        let mut text = String::new();
        for call in calls {
            let words = self.task.words_of(&call.tool);
            let named = words.into_iter().flat_map(|words| words.forms.iter().chain(&words.name));
            named.for_each(|word| text.extend([word.as_str(), " "]));
            text.push('\n');
            for (name, value) in &call.arguments {
                write_field(&mut text, name, value);
                let own = self.records_of(value);
                let linked: Vec<&Fields> =
                    own.iter().flat_map(|own| own.values()).flat_map(|value| self.records_of(value)).collect();
                own.iter()
                    .chain(&linked)
                    .flat_map(|record| record.iter())
                    .for_each(|(name, value)| write_field(&mut text, name, value));
            }
        }
        text
    }

    /// The records that a value is the key of.
    fn records_of(&self, value: &Value) -> Vec<&'a Fields> {
        let state = self.task.initial();
        let key = value.as_str().unwrap_or_default();
        (0..state.shape().slots.len()).filter_map(|slot| state.get(slot, key)).collect()
    }

    fn ordered_tools(&self) -> impl Iterator<Item = &'a Tool> + '_ {
        let is_ordered = |tool: &&Tool| self.ordered_by_now(&tool.name).next().is_some();
        self.task.writes().map(|(tool, _)| tool).filter(is_ordered)
    }
}

impl ProposedPart<'_> {
    /// Whether it is about a call: by its tool, or by naming none.
    fn is_of(&self, call: &OracleCall) -> bool {
        self.deeds.is_empty() || self.deeds.iter().any(|tool| call.is_by(&tool.name))
    }
}

/// What some calls set: their arguments.
fn told_by(calls: &[&OracleCall]) -> String {
    let mut text = String::new();
    for (name, value) in calls.iter().flat_map(|call| &call.arguments) {
        write_field(&mut text, name, value);
    }
    text
}

/// Writes a field as people say it: *3 nights*, *84.90 EUR*.
fn write_field(text: &mut String, name: &str, value: &Value) {
    let words = spaced(name).replace('_', " ");
    match (value, Unit::of_key(name)) {
        (Value::Number(number), Some(Unit::Cents)) => {
            let minor = number.as_i64().unwrap_or_default();
            let _ = writeln!(text, "{words} {}.{:02} EUR", minor / 100, (minor % 100).abs());
        }
        (Value::Number(number), _) => {
            let _ = writeln!(text, "{number} {words}");
        }
        (Value::String(told), _) => {
            let _ = writeln!(text, "{words} {told}\n{}", told.replace('_', " "));
        }
        (Value::Array(all), _) => all.iter().for_each(|value| write_field(text, name, value)),
        (Value::Null | Value::Bool(_) | Value::Object(_), _) => {}
    }
}

/// Whether a clause explains what stands before it, or says what does not follow from it: *which is free of charge*, *but
/// cannot be restored*.
fn explains(clause: &str) -> bool {
    let said = words(clause);
    let first = said.iter().find(|word| !matches!(word.as_str(), "and" | "but"));
    let is_reason = |word: &str| matches!(word, "which" | "whose" | "who" | "where" | "since" | "because");
    first.is_some_and(|word| is_reason(word) || is(WordClass::Conditions, word)) || denies(clause)
}
