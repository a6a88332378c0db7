//! What the agent said before and says otherwise now, though nothing changed: the same words with another value.

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind};
use crate::ledger::Ledger;
use crate::reply::Said;
use probity_prose::{Certainty, Sentence, Value, WordClass};

/// A sentence with one value.
pub(crate) struct Statement {
    message: u32,
    stems: Vec<CompactString>,
    value: Value,
    says: String,
    /// How many changes had been made.
    changes: usize,
}

/// Most statements of a dialogue that later ones are held against.
const MOST: usize = 1_000;

/// Least words that make two sentences the same.
const LEAST: usize = 4;

/// The statements of a reply that go against earlier ones; all of them join these.
pub(crate) fn claims(said: &Said, ledger: &Ledger, earlier: &mut Vec<Statement>) -> Vec<Claim> {
    let mut found = Vec::new();
    let changes = ledger.changes().count();
    for (at, sentence) in said.text.sentences.iter().enumerate() {
        let values: Vec<_> =
            said.of_sentence(at).filter(|told| told.certainty != Certainty::Weak && is_measure(&told.value)).collect();
        let [told] = values.as_slice() else { continue };
        let stems = said.stems(at);
        if stems.len() < LEAST
            || !said.is_asserted(told.span.0)
            || said.is_rough(told.tokens)
            || sentence.has_any(WordClass::Corrections)
        {
            continue;
        }
        // What a tool or a rule has is no slip of memory.
        let is_known = told.quantity().map_or(told.is_known, |own| ledger.knowledge.is_direct(own.value, own.unit));
        let contradicts = |before: &&Statement| {
            !is_known
                && !ledger.is_cut
                && before.message < said.message
                && before.changes == changes
                && is_same(&before.stems, stems)
                && before.value.is_alike(&told.value)
                && !before.value.is_same(&told.value)
        };
        if let Some(before) = earlier.iter().rev().find(contradicts) {
            let evidence = format!("`{}` in message {}, and nothing changed since", before.says, before.message);
            found.push(said.contradicted(ClaimKind::Statement, told.span, evidence));
        }
        let (message, value, says) = (said.message, told.value.clone(), said.quote(told.span));
        if earlier.len() >= MOST {
            break;
        }
        earlier.push(Statement { message, stems: stems.to_vec(), value, says, changes });
    }
    found
}

/// The sentences by which a reply takes back all that it has said.
pub(crate) fn taken_back(said: &Said) -> Vec<Claim> {
    // `You said that it was on the 15th.`
    let is_of_user = |own: &Sentence| own.word(0) == "you" && (1..3).any(|at| own.is(WordClass::Saying, at));
    let is_own = |sentence: &&Sentence| !sentence.words.is_empty() && !is_of_user(sentence);
    let claim = |span: &(usize, usize)| {
        let own = said.text.sentences.iter().find(is_own).filter(|own| own.span(0, 1).0 < span.0)?;
        let evidence = format!("the same reply says `{}`", said.quote(own.span(0, own.words.len())));
        Some(said.contradicted(ClaimKind::Statement, *span, evidence))
    };
    said.reading.taken_back.iter().filter_map(claim).collect()
}

fn is_measure(value: &Value) -> bool {
    matches!(value, Value::Quantity(_) | Value::Days(_) | Value::Times(_))
}

fn is_same(one: &[CompactString], other: &[CompactString]) -> bool {
    one.len() == other.len()
        && one.iter().all(|stem| other.contains(stem))
        && other.iter().all(|stem| one.contains(stem))
}
