//! A reply with the values it tells, as it is read for its claims.

use std::sync::Arc;

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind, Verdict};
use crate::desk::telling;
use crate::knowledge::Knowledge;
use crate::source::{Source, SourceKind};
use probity_prose::token::word_at;
use probity_prose::{Certainty, Mood, Quantity, Reading, Reply, Sentence, Text, Token, Value, WordClass, lexicon::is};

/// Most characters of a reply that a finding quotes.
const MAX_QUOTE: usize = 120;
/// Most values of a reply that are looked at.
const MAX_VALUES: usize = 200;
/// How often values are looked at again, since one that is known may make another known.
const PASSES: usize = 3;

pub(crate) struct Said<'t> {
    pub message: u32,
    pub reading: &'t Reading,
    pub text: &'t Text,
    pub told: Vec<Told>,
    /// The stems of the telling words of each sentence.
    stems: Vec<Vec<CompactString>>,
    chars: Vec<char>,
}

/// A value of a reply.
pub(crate) struct Told {
    pub value: Value,
    pub span: (usize, usize),
    pub certainty: Certainty,
    /// Its first token, and the one after its last.
    pub tokens: (usize, usize),
    /// The sentence it stands in.
    pub sentence: usize,
    /// Whether it is known or follows from what is known.
    pub is_known: bool,
}

impl Told {
    pub(crate) fn quantity(&self) -> Option<Quantity> {
        self.value.quantity()
    }
}

impl<'t> Said<'t> {
    pub(crate) fn read(message: u32, text: &str, reply: &'t Reply) -> Said<'t> {
        let reading = &reply.reading;
        let Reading { text: read, .. } = reading;
        let (tokens, sentences) = (&read.tokens, &read.sentences);
        let place = |at: usize| tokens.partition_point(|token| token.span.0 < at);
        let told = reply.values.iter().take(MAX_VALUES).map(|found| {
            let from = place(found.span.0);
            Told {
                tokens: (from, place(found.span.1)),
                sentence: sentences.partition_point(|sentence| sentence.first <= from).saturating_sub(1),
                value: found.value.clone(),
                span: found.span,
                certainty: found.certainty,
                is_known: false,
            }
        });
        let stems = sentences.iter().map(|sentence| telling(sentence, 0, sentence.words.len())).collect();
        Said { message, reading, text: read, told: told.collect(), stems, chars: text.chars().collect() }
    }

    /// The token at a place; nothing beyond the ends.
    pub(crate) fn word(&self, at: usize) -> &str {
        word_at(&self.text.tokens, at)
    }

    pub(crate) fn quote(&self, (from, to): (usize, usize)) -> String {
        self.words((from, to.min(from + MAX_QUOTE)))
    }

    pub(crate) fn words(&self, (from, to): (usize, usize)) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().collect()
    }

    pub(crate) fn is_asserted(&self, at: usize) -> bool {
        self.reading.mood_at(at) == Mood::Asserted
    }

    /// The values of a sentence.
    pub(crate) fn of_sentence(&self, at: usize) -> impl Iterator<Item = &Told> {
        self.told.iter().filter(move |told| told.sentence == at)
    }

    /// The stems of the telling words of a sentence.
    pub(crate) fn stems(&self, sentence: usize) -> &[CompactString] {
        self.stems.get(sentence).map_or(&[], Vec::as_slice)
    }

    /// The sentences that may state something.
    pub(crate) fn statements(&self) -> impl Iterator<Item = &Sentence> {
        self.text.sentences.iter().filter(|sentence| !(sentence.is_question && sentence.clauses.len() == 1))
    }

    /// A contradicted claim, where the reply asserts its words.
    pub(crate) fn against(&self, kind: ClaimKind, span: (usize, usize), evidence: impl Into<String>) -> Option<Claim> {
        self.is_asserted(span.0).then(|| self.contradicted(kind, span, evidence))
    }

    pub(crate) fn contradicted(&self, kind: ClaimKind, span: (usize, usize), evidence: impl Into<String>) -> Claim {
        let (verdict, says, evidence) = (Verdict::Contradicted, self.quote(span), evidence.into());
        Claim { kind, verdict, message: self.message, span, says, evidence, is_refused: false, shown: None }
    }

    /// Marks the values that are known, or follow from what is known and from those told beside them; and tells which
    /// these are, for the replies to come. Numbers that nothing makes known make nothing known.
    pub(crate) fn hold_against(&mut self, knowledge: &mut Knowledge) -> Arc<Source> {
        let mut stated = Arc::new(Source::new(SourceKind::User));
        let calendar = knowledge.calendar;
        for pass in 0..PASSES {
            if pass > 0 {
                knowledge.add(Arc::clone(&stated));
            }
            let mut more = Vec::new();
            for told in self.told.iter_mut().filter(|told| !told.is_known) {
                told.is_known = knowledge.has(&told.value);
                more.extend(told.is_known.then_some(told.span));
            }
            if pass > 0 {
                knowledge.sources.pop();
            }
            if more.is_empty() {
                break;
            }
            let stated = Arc::make_mut(&mut stated);
            more.into_iter().for_each(|span| stated.add_text(&self.quote(span), &calendar));
        }
        stated
    }

    /// `about 84`, `a little over 1,040`, `~20`, `20 or so`.
    pub(crate) fn is_rough(&self, (from, to): (usize, usize)) -> bool {
        let ends = |token: &Token| token.gap.starts_with('.') || token.gap.contains(['!', '?', ';', '\n']);
        let is_end = |at: &usize| self.text.tokens.get(*at).is_some_and(ends);
        let start = (from.saturating_sub(4)..=from).rev().find(is_end).unwrap_or(from.saturating_sub(4));
        let sign = self.text.tokens.get(from).is_some_and(|token| token.gap.contains(['~', '≈', '<', '>', '±']));
        let (next, after) = (self.word(to), self.word(to + 1));
        (start..from).any(|at| is(WordClass::Rough, self.word(at)))
            || sign
            || (next, after) == ("or", "so")
            || matches!(next, "odd" | "ish")
    }
}
