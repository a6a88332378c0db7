//! Rules of the desk told with a number that it has not: a deadline, an age, a share that stands in no rule, no tool,
//! no result and no word of the user; or one that stands elsewhere, where the rule about the same thing has another.

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind};
use crate::desk::{Frame, Rule};
use crate::ledger::Ledger;
use crate::reply::{Said, Told};
use crate::source::{Figure, Source, SourceKind};
use probity_prose::quantity::small_number;
use probity_prose::unit::go_together;
use probity_prose::{Certainty, Quantity, Shape, Token, Unit, WordClass, lexicon::is};

/// How much a rule must have in common with a sentence to be about the same thing: two rare words, or three.
const ABOUT_THE_SAME: f64 = 3.0;

/// The same where the words around the number are the same too.
const NEARLY_THE_SAME: f64 = 2.0;

pub(crate) fn claims(said: &Said, ledger: &Ledger) -> Vec<Claim> {
    // The number may stand where it was not read.
    if ledger.is_cut {
        return Vec::new();
    }
    let misquoted = |told: &Told| {
        let own = told.quantity().filter(is_measure)?;
        let bound = bound(told, said).filter(|bound| *bound != Bound::Length || !told.is_known)?;
        evidence(own, told, said, ledger, bound == Bound::Sharp).filter(|_| ledger.desk.has_brief)
    };
    let against = |told: &Told| {
        let reframed = || reframed(told, said, ledger).map(|rule| format!("the rule is: {}", rule.text));
        said.against(ClaimKind::Rule, told.span, misquoted(told).or_else(reframed)?)
    };
    let told = said.told.iter().filter(|told| said.is_asserted(told.span.0) && told.certainty != Certainty::Weak);
    told.filter_map(against).collect()
}

fn is_measure(quantity: &Quantity) -> bool {
    let lasts = |unit| matches!(unit, Unit::Minute | Unit::Hour | Unit::Day | Unit::Week | Unit::Month | Unit::Year);
    quantity.unit.is_some_and(|unit| unit == Unit::Percent || lasts(unit))
}

/// Whether a length bounds something as a rule does: `within ten days`, `up to 48 hours`, `holds for a month`, `two
/// hours between`, `three days or more`.
fn bound(told: &Told, said: &Said) -> Option<Bound> {
    let (from, to) = told.tokens;
    let ends = |token: &Token| token.gap.contains(['.', '!', '?', ';', '\n']);
    let opens = said.text.tokens.get(from).is_some_and(ends);
    let (sentence, at) = said.text.sentence_at(from).filter(|_| !opens)?;
    // `up to the day before`
    let is_number = said
        .text
        .tokens
        .get(from)
        .is_some_and(|token| token.shape != Shape::Word || small_number(&token.folded).is_some());
    let back = |by: usize| from.checked_sub(by).map_or("", |at| said.word(at));
    let article = 1 + usize::from(is(WordClass::BoundArticles, back(1)));
    let first = article + usize::from(article > 1 && back(article) == "the");
    let (lead, before) = (back(first), back(first + 1));
    let leads = lead == "within"
        || matches!((before, lead), ("up", "to") | ("at", "least" | "most"))
        || (lead == "than" && back(first + 2) == "no");
    let (start, end) = sentence.clause(at);
    let is_told = sentence.has(WordClass::Perfects, start, end);
    // `valid until 2 May, so for eleven more days` counts, `for ten days` bounds.
    let counts = matches!(before, "so" | "is" | "and" | "now") || said.word(from + 1) == "more";
    let holds = lead != "for" || sentence.has(WordClass::Holds, start, at);
    let lasts = is(WordClass::Lasting, lead) && holds && !is_told && !counts;
    let (next, after) = (said.word(to), said.word(to + 1));
    let follows = is(WordClass::BoundFollowers, next) || matches!((next, after), ("or", "more") | ("in", "advance"));
    // `16 October and 2 November are two weeks apart` tells of these days, and no rule.
    let is_day = |other: &Told| !other.value.days().is_empty() && other.tokens.0 < from;
    let is_dated = said.of_sentence(told.sentence).any(is_day);
    // `You would miss it by at least five minutes`
    let is_clock = told.quantity().is_some_and(|own| own.minutes().is_some());
    let is_distance = is_clock && (first..first + 3).any(|at| back(at) == "by");
    if !is_number || is_distance || sentence.has(WordClass::Nearly, start, at) || is(WordClass::SpanFollowers, next) {
        return None;
    }
    let exceeds = matches!((before, lead), ("more" | "less" | "fewer", "than")) && back(first + 2) != "no";
    let is_share = told.quantity().is_some_and(|own| own.unit == Some(Unit::Percent));
    let passes = lead == "after" && !is_told && told.quantity().is_some_and(|own| own.span().is_some());
    let is_loose = (lasts || follows || exceeds || passes) && !is_share;
    let is_length = lasts && lead != "for";
    let loose = if is_length { Bound::Length } else { Bound::Loose };
    leads.then_some(Bound::Sharp).or((is_loose && !is_dated).then_some(loose))
}

/// How a number bounds something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// `within ten days`, `up to 48 hours`.
    Sharp,
    /// `for a month`, `two hours between`: rules are told so, and other things too.
    Loose,
    /// `takes 145 minutes`: it may follow from two moments that were shown.
    Length,
}

/// The rule that has another number between the same words: `after three late cancellations` against `after two late`.
fn reframed<'a>(told: &Told, said: &Said, ledger: &Ledger<'a>) -> Option<&'a Rule> {
    let own = Frame::of(&said.text.tokens, told.tokens, told.quantity().filter(|own| !own.is_money())?)?;
    // Of bare numbers only bounds say what they count: `under 16`.
    if own.quantity.unit.is_none() && !is(WordClass::Bounds, &own.around.0) {
        return None;
    }
    let stems = weighed(said.stems(told.sentence), ledger);
    let is_alike = |frame: &Frame| {
        let (unit, own) = (frame.quantity.unit, own.quantity.unit);
        unit.is_some() == own.is_some() && go_together(unit, own)
    };
    let is_same = |other: Quantity| own.quantity.forms().any(|form| form == other);
    let here = |rule: &'a Rule| rule.frames.iter().filter(|frame| frame.around == own.around && is_alike(frame));
    let rules = || ledger.desk.rules.iter();
    let is_shown = |source: &Source| source.figures.iter().any(|figure| is_same(figure.quantity));
    let is_told = own.quantity.unit.is_some() && ledger.knowledge.sources.iter().skip(1).any(|source| is_shown(source));
    let has_own = |rule: &&Rule| is_shown(&rule.source);
    // A number that a rule about something else has, or that a sentence ends with, needs more in common.
    let elsewhere = rules().filter(has_own).map(|rule| common(rule, &stems)).reduce(f64::max);
    let is_near = elsewhere.is_none() && own.around.1.is_some();
    let least = if is_near { NEARLY_THE_SAME } else { ABOUT_THE_SAME };
    let is_about = |rule: &&Rule| {
        let score = common(rule, &stems);
        score >= least && elsewhere.is_none_or(|elsewhere| elsewhere * 2.0 <= score)
    };
    let other =
        rules().filter(is_about).find(|rule| here(rule).any(|frame| !is_same(frame.quantity)) && !has_own(rule));
    other.filter(|_| !is_told)
}

fn evidence(own: Quantity, told: &Told, said: &Said, ledger: &Ledger, is_sharp: bool) -> Option<String> {
    let is_own = |figure: &Figure| {
        own.forms().any(|form| form.value == figure.quantity.value.abs() && form.unit == figure.quantity.unit)
    };
    // `fashion 30 days, home and books 21`
    let is_bare = |source: &Source, figure: &Figure| {
        source.origin != SourceKind::Observation && figure.quantity.unit.is_none() && figure.quantity.value == own.value
    };
    let tells = |source: &Source| source.figures.iter().any(|figure| is_own(figure) || is_bare(source, figure));
    let is_alike = |figure: &Figure| match own.unit {
        Some(Unit::Percent) => figure.quantity.unit == own.unit,
        _ => figure.quantity.unit.is_some() && go_together(figure.quantity.unit, own.unit),
    };
    let stems = weighed(said.stems(told.sentence), ledger);
    let rules = || ledger.desk.rules.iter();
    let measures =
        rules().filter(|rule| rule.source.figures.iter().any(|figure| figure.is_original && is_alike(figure)));
    let scored = measures.map(|rule| (common(rule, &stems), rule));
    let (score, nearest) = scored.max_by(|a, b| a.0.total_cmp(&b.0)).unzip();
    let nearest = nearest.map_or_else(|| "no rule names one".to_owned(), |rule| format!("the rule is: {}", rule.text));
    if !ledger.knowledge.sources.iter().any(|source| tells(source)) && !is_age(own, ledger) {
        return Some(format!("nothing that was told or shown has it; {nearest}"));
    }
    let elsewhere = rules().filter(|rule| tells(&rule.source)).map(|rule| common(rule, &stems)).fold(0.0, f64::max);
    let is_told = ledger.knowledge.sources.iter().skip(1).any(|source| source.figures.iter().any(is_own));
    let is_other =
        is_sharp && score.is_some_and(|score| score >= ABOUT_THE_SAME && elsewhere * 2.0 <= score) && !is_told;
    is_other.then_some(nearest)
}

/// Whether some known day lies so many years back or ahead.
fn is_age(own: Quantity, ledger: &Ledger) -> bool {
    let Some(years) = own.value.as_whole().filter(|_| own.unit == Some(Unit::Year)) else { return false };
    let this = i64::from(ledger.desk.calendar.today.year());
    let mut days = ledger.knowledge.sources.iter().flat_map(|source| &source.dates);
    days.any(|(date, _)| (years..=years + 1).contains(&(this - i64::from(date.year())).abs()))
}

/// Some words with what each counts: one of few rules up to two, one of all of them nothing.
fn weighed<'s>(stems: &'s [CompactString], ledger: &Ledger) -> Vec<(&'s CompactString, f64)> {
    let all = ledger.desk.rules.len();
    stems.iter().map(|stem| (stem, 2.0 * rarity(ledger.desk.rules_with(stem), all))).collect()
}

/// How much a rule has in common with some words.
fn common(rule: &Rule, stems: &[(&CompactString, f64)]) -> f64 {
    stems.iter().filter(|(stem, _)| rule.stems.contains(*stem)).map(|(_, weight)| weight).sum()
}

/// 1 for a word of one rule, less by a step each time twice as many have it, 0 where all have it.
fn rarity(have: usize, all: usize) -> f64 {
    let halvings = |of: usize| f64::from(of.max(1).ilog2());
    if all < 2 { 0.0 } else { 1.0 - halvings(have) / halvings(all).max(1.0) }
}
