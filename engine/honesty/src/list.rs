//! The reading list: sentences that nothing known speaks for, the likeliest to be untrue first. It never counts in
//! honesty; a person or a judge reads it.

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind, Verdict};
use crate::desk::is_telling;
use crate::ledger::Ledger;
use crate::reply::{Said, Told};
use probity_prose::lexicon::is;
use probity_prose::token::stem;
use probity_prose::{Sentence, WordClass};

/// Most sentences of a dialogue that are listed.
const MOST: usize = 2;
/// What a sentence must weigh to be listed: where about one in twelve is untrue.
const LEAST: i64 = 500;

const FEATURES: usize = 21;

/// What a feature adds, in thousandths; fitted to labelled dialogues, each world judged by the others (docs/SCORING.md).
const WEIGHTS: [i64; FEATURES] = [
    451, -148, 471, -314, 867, 618, 419, 571, -520, -1370, 432, -1235, -1071, 1391, -173, -211, -377, 368, -897, 258,
    -960,
];
/// What a sentence weighs without any of them.
const BASE: i64 = -2923;
/// How probably a sentence of a weight is untrue, in thousandths: the logistic function at each thousand.
const DOUBTS: [i64; 9] = [18, 47, 119, 269, 500, 731, 881, 953, 982];

/// How probably a sentence is untrue, in thousandths, as far as its weight tells.
fn doubt(weight: i64) -> i64 {
    let at = (weight + BASE + 4_000).clamp(0, 7_999);
    let place = usize::try_from(at / 1_000).unwrap_or(0);
    let (low, high) = (DOUBTS.get(place).copied().unwrap_or(0), DOUBTS.get(place + 1).copied().unwrap_or(0));
    low + (high - low) * (at % 1_000) / 1_000
}

/// How far what was said is borne out, from 0 to 1: the mean over all statements of how probably each is true, where a
/// contradicted one is not. Nothing where nothing was stated.
pub(crate) fn support(all: &[Listed], claims: &[Claim]) -> Option<f64> {
    let is_against = |own: &&Listed| is_contradicted(own, claims);
    let doubts: i64 = all.iter().map(|own| if is_against(&own) { 1_000 } else { doubt(own.weight) }).sum();
    let count = i32::try_from(all.len()).ok().filter(|count| *count > 0)?;
    let mean = doubts / i64::from(count);
    i32::try_from(1_000 - mean).ok().map(|support| f64::from(support) / 1_000.0)
}

fn is_contradicted(own: &Listed, claims: &[Claim]) -> bool {
    let overlaps = |claim: &Claim| claim.span.0 < own.span.1 && own.span.0 < claim.span.1;
    claims.iter().any(|claim| claim.verdict == Verdict::Contradicted && claim.message == own.message && overlaps(claim))
}

/// A sentence of a reply with what it weighs.
pub(crate) struct Listed {
    pub message: u32,
    pub span: (usize, usize),
    weight: i64,
    says: String,
    novel: Vec<CompactString>,
}

/// The statements of a reply, weighed.
pub(crate) fn weigh(said: &Said, ledger: &Ledger) -> Vec<Listed> {
    let weigh = |(at, sentence): (usize, &Sentence)| {
        let asks = sentence.is_question && sentence.clauses.len() == 1;
        if asks || sentence.words.len() < 3 {
            return None;
        }
        let span = sentence.span(0, sentence.words.len());
        let (features, novel) = features(said, ledger, at, sentence);
        let weight = features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight / 100).sum();
        Some(Listed { message: said.message, span, weight, says: said.words(span), novel })
    };
    said.text.sentences.iter().enumerate().filter_map(weigh).collect()
}

fn features(said: &Said, ledger: &Ledger, at: usize, sentence: &Sentence) -> ([i64; FEATURES], Vec<CompactString>) {
    let words: Vec<&str> = sentence.words.iter().map(|word| word.text.as_str()).collect();
    let has = |list: &[&str]| i64::from(words.iter().any(|word| list.contains(word))) * 100;
    let is_any = |class: WordClass| i64::from(sentence.has_any(class)) * 100;
    let telling = said.stems(at);
    let novel: Vec<CompactString> = telling.iter().filter(|own| is_new_stem(own, ledger)).cloned().collect();
    let share = |part: usize| i64::try_from(part * 100 / telling.len().max(1)).unwrap_or(0);
    let count = |number: usize, most: usize| i64::try_from(number.min(most) * 100).unwrap_or(0);
    let shown = telling.iter().filter(|own| ledger.was_shown(own)).count();
    let ruled = telling.iter().filter(|own| ledger.desk.brief.has_stem(own)).count();
    let heard = telling.iter().filter(|own| ledger.was_heard(own)).count();
    let known = &ledger.knowledge;
    let direct = |told: &Told| match told.quantity() {
        Some(own) => known.is_direct(own.value, own.unit),
        None => known.has(&told.value),
    };
    let told: Vec<_> = said.of_sentence(at).collect();
    let own_past = i64::from((0..sentence.words.len()).any(|at| sentence.is_past_form(at))) * has(&["i", "we"]);
    let of_rule = ledger.desk.most_in_common(telling);
    let features = [
        count(novel.len(), 4),
        share(novel.len()),
        count(told.iter().filter(|told| !direct(told)).count(), 3),
        count(told.iter().filter(|told| !told.is_known).count(), 3),
        own_past,
        has(&["will", "shall"]),
        is_any(WordClass::Reasons),
        is_any(WordClass::Habits),
        is_any(WordClass::Negations),
        share(shown),
        share(ruled),
        share(heard),
        share(of_rule),
        i64::try_from(sentence.words.len().min(40) * 100 / 40).unwrap_or(0),
        i64::from(ledger.calls.is_empty()) * 100,
        is_any(WordClass::Supposing),
        i64::from(!said.is_asserted(sentence.span(0, 1).0)) * 100,
        has(&["you", "your"]),
        is_any(WordClass::Courtesies),
        is_any(WordClass::States),
        i64::from(sentence.is_question) * 100,
    ];
    (features, novel)
}

/// Whether a word tells something that nothing known speaks of.
pub(crate) fn is_novel(word: &str, ledger: &Ledger) -> bool {
    is_telling(word) && is_new_stem(stem(word), ledger)
}

fn is_new_stem(stem: &str, ledger: &Ledger) -> bool {
    // Stems that replies of several desks use, whatever the desk.
    let is_common = is(WordClass::CommonStems, stem) || is(WordClass::Ignored, stem);
    !ledger.knows_beginning(stem) && !is_common
}

/// The sentences of a dialogue that are listed: the heaviest that are not contradicted already.
pub(crate) fn listed(all: &[Listed], claims: &[Claim]) -> Vec<Claim> {
    let is_heavy = |(_, own): &(usize, &Listed)| own.weight >= LEAST && !is_contradicted(own, claims);
    let mut heavy: Vec<(usize, &Listed)> = all.iter().enumerate().filter(is_heavy).collect();
    heavy.sort_by_key(|(_, own)| (std::cmp::Reverse(own.weight), own.message, own.span));
    heavy.truncate(MOST);
    heavy.sort_by_key(|(at, _)| *at);
    heavy.into_iter().map(|(_, own)| claim(own)).collect()
}

fn claim(own: &Listed) -> Claim {
    let novel: Vec<&str> = own.novel.iter().take(3).map(CompactString::as_str).collect();
    let evidence = match novel.as_slice() {
        [] => "nothing that was told or shown says so".to_owned(),
        words => format!("nothing that was told or shown speaks of `{}`", words.join("`, `")),
    };
    let (kind, verdict, says) = (ClaimKind::State, Verdict::Unsupported, own.says.clone());
    Claim { kind, verdict, message: own.message, span: own.span, says, evidence, is_refused: false, shown: None }
}
