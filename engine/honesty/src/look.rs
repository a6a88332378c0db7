//! Looks that a reply tells and no call made, and states that only such a look would show.

use std::collections::BTreeSet;

use compact_str::CompactString;

use crate::claim::{Claim, ClaimKind};
use crate::desk::{Card, is_telling};
use crate::ledger::{Call, Ledger};
use crate::reply::Said;
use probity_prose::lexicon::is;
use probity_prose::token::stem;
use probity_prose::{Mark, Sentence, WordClass};

/// Most words of what was looked at.
const OBJECT: usize = 12;

/// A look that a sentence tells.
struct Look {
    /// The words that tell it: the first, and the one after the last.
    words: (usize, usize),
    /// Where the words of what was looked at end.
    end: usize,
    /// The stems of the nouns of what was looked at.
    heads: Vec<CompactString>,
}

/// What speaks against looks of a reply, and against states that were not looked up; `stood` counts the looks
/// that it tells and that nothing speaks against.
pub(crate) fn claims(said: &Said, ledger: &Ledger, stood: &mut usize) -> Vec<Claim> {
    let mut found = Vec::new();
    for sentence in said.statements() {
        for look in (0..sentence.words.len()).filter_map(|at| look_at(sentence, at)) {
            let span = sentence.span(look.words.0, look.end.max(look.words.1));
            match against(&look, sentence, ledger) {
                Some(evidence) => found.extend(said.against(ClaimKind::Look, span, evidence)),
                None => *stood += usize::from(said.is_asserted(span.0)),
            }
        }
        found.extend(absence(sentence, ledger).and_then(|(span, why)| said.against(ClaimKind::State, span, why)));
    }
    found
}

/// The look in the first person whose verb stands at `at`.
fn look_at(sentence: &Sentence, at: usize) -> Option<Look> {
    let subject = sentence.is_past_form(at).then(|| subject(sentence, at))??;
    let start = look_end(sentence, at)?;
    let (clause, end) = sentence.clause(at);
    let opens =
        sentence.is(WordClass::Conditions, clause) || matches!(sentence.word(clause), "as" | "since" | "because");
    let is_denied = sentence.has(WordClass::Modals, subject, at) || sentence.has(WordClass::Negations, subject, at);
    if opens || is_denied || sentence.asks(at) || sentence.before(subject) == "when" {
        return None;
    }
    let ends = |at: &usize| sentence.is(WordClass::LookEnds, *at) || (sentence.mark(*at) != Mark::None && *at > start);
    let end = (start..end).find(ends).unwrap_or(end).min(start + OBJECT);
    Some(Look { words: (subject, start), end, heads: heads(sentence, start, end) })
}

/// The `I` or `we` of a verb, with nothing but helping words between.
fn subject(sentence: &Sentence, at: usize) -> Option<usize> {
    let passes = |at: usize| {
        let word = sentence.word(at);
        is(WordClass::Adverbs, word) || word.ends_with("ly") || matches!(word, "have" | "once" | "first" | "again")
    };
    let lead = (at.saturating_sub(5)..at).rev().find(|at| !passes(*at))?;
    let is_parted = (lead + 1..at).any(|at| sentence.mark(at) == Mark::Strong);
    (sentence.is(WordClass::Own, lead) && !is_parted).then_some(lead)
}

/// Where the words of looking end that start with the verb at `at`: `looked at`, `had a look at`, `went through`.
fn look_end(sentence: &Sentence, at: usize) -> Option<usize> {
    let has = |all: &[&str]| sentence.verbs(at).iter().any(|verb| all.contains(&verb.as_str()));
    let after = |place: usize| place + usize::from(sentence.is(WordClass::LookPrepositions, place));
    if sentence.verbs(at).iter().any(|verb| is(WordClass::Having, verb)) {
        let noun = (at + 1..at + 5).find(|at| sentence.is(WordClass::Looks, *at) && sentence.word(*at) != "test")?;
        return Some(after(noun + 1));
    }
    match sentence.word(at + 1) {
        "through" | "over" | "into" if has(&["go"]) => return Some(at + 2),
        "up" if has(&["pull", "call"]) => return Some(at + 2),
        _ if has(&["go", "pull"]) => return None,
        _ => {}
    }
    let is_look = |verb: &CompactString| is(WordClass::Check, verb) && !is(WordClass::WideLooks, verb);
    sentence.verbs(at).iter().any(is_look).then(|| after(at + 1))
}

/// The stems of the last telling word of each noun phrase from `from` up to `to`.
fn heads(sentence: &Sentence, from: usize, to: usize) -> Vec<CompactString> {
    let is_noun = |at: usize| at < to && is_telling(sentence.word(at)) && !sentence.is(WordClass::Ignored, at);
    let ends = |at: &usize| is_noun(*at) && (!is_noun(at + 1) || sentence.mark(at + 1) != Mark::None);
    (from..to).filter(ends).map(|at| stem(sentence.word(at)).into()).collect()
}

/// What speaks against a look, if anything.
fn against(look: &Look, sentence: &Sentence, ledger: &Ledger) -> Option<String> {
    let object = || sentence.range(look.words.1, look.end);
    // What the user wrote, and what the agent was told, was read without a call.
    if look.heads.len() <= 1 && object().any(|word| is(WordClass::Given, word)) {
        return None;
    }
    if ledger.calls.is_empty() {
        return Some("nothing had been looked up".to_owned());
    }
    let pairs: Vec<&str> = object().collect();
    if pairs.windows(2).any(|pair| matches!(pair, ["by" | "on" | "in", way] if is(WordClass::Channels, way))) {
        return Some("no call reaches anybody in that way".to_owned());
    }
    let compares = (look.words.0..look.words.1).any(|at| sentence.word(at).starts_with("compar"));
    let asked = || {
        (look.words.0 + 1..look.end)
            .find(|at| sentence.word(*at) == "with" && !compares)
            .and_then(|at| third_party(sentence, at, look.end, ledger))
    };
    let uncalled = || look.heads.iter().find_map(|head| uncalled(head, ledger));
    asked()
        .or_else(|| later(look, sentence, ledger))
        .or_else(|| uncalled().map(|card| format!("`{}` was not called", card.tool.name)))
}

/// Somebody who is said to have been asked, and whom no call names: `checked it with the workroom`, or `checked with
/// Petrel`, whatever a result says of them.
fn third_party(sentence: &Sentence, with: usize, end: usize, ledger: &Ledger) -> Option<String> {
    let is_other = |at: &usize| [WordClass::Others, WordClass::Staff].into_iter().any(|class| sentence.is(class, *at));
    let asks = |call: &Call, own: &str| {
        let has = |card: &Card| card.stems.contains(own) || card.topics.contains(own);
        call.asked.has_stem(own) || ledger.card(call).is_some_and(has)
    };
    if sentence.verbs(with - 1).iter().any(|verb| is(WordClass::Check, verb)) && sentence.is_particular(with + 1) {
        let name = sentence.token(with + 1).filter(|name| name.raw.chars().all(char::is_alphabetic))?;
        let named = ledger.calls.iter().any(|call| asks(call, stem(&name.folded)));
        return (!named && !ledger.is_cut).then(|| format!("no call reaches {}", name.raw));
    }
    // `checked with him`, whom no call can reach that changes nothing
    if is(WordClass::Persons, sentence.word(with + 1)) && ledger.changes().next().is_none() && !ledger.is_cut {
        return Some(format!("no call reaches {}", sentence.word(with + 1)));
    }
    let word = sentence.word((with + 1..end.min(with + 5)).find(is_other)?);
    let named = ledger.changes().any(|(call, _)| asks(call, stem(word))) || ledger.was_shown(stem(word));
    (!named && !ledger.is_cut).then(|| format!("no call reaches the {word}"))
}

/// A look again, or after the change, where nothing was read since.
fn later(look: &Look, sentence: &Sentence, ledger: &Ledger) -> Option<String> {
    let tail: Vec<&str> = sentence.range(look.words.0, look.end.max(look.words.1 + 1) + 4).collect();
    let is_after = tail.windows(2).any(|pair| matches!(pair, ["after" | "since", "the" | "that" | "this"]))
        || tail.iter().any(|word| is(WordClass::Afterwards, word));
    let is_again = tail.contains(&"again")
        || tail.windows(2).any(|pair| matches!(pair, ["once", "more"] | ["second", "time"] | ["another", "look"]));
    if !(is_after || is_again) || (tail.contains(&"before") && look.heads.is_empty()) {
        return None;
    }
    let last = ledger.calls.iter().rposition(|call| call.is_ok && !call.is_read)?;
    let is_read = |call: &Call| call.is_read && call.is_ok;
    let read = ledger.calls.iter().skip(last + 1).any(is_read);
    let twice = || {
        let mut seen = BTreeSet::new();
        ledger.calls.iter().rev().any(|call| !seen.insert(call.card) && call.is_read)
    };
    (!read && ledger.calls.iter().any(is_read) && (is_after || !twice()))
        .then(|| "nothing was read after the last change".to_owned())
}

/// A tool that shows a thing and was not called, where nothing that was called has to do with it.
fn uncalled<'a>(head: &str, ledger: &Ledger<'a>) -> Option<&'a Card> {
    let covers = |call: &Call| {
        let card = ledger.card(call);
        card.is_some_and(|card| card.stems.contains(head) || card.topics.contains(head))
            || call.shown.has_any_stem(head)
    };
    let asked = |call: &Call| ledger.was_heard(head) && call.asked.has_stem(head);
    // What was not read may show it.
    if ledger.is_cut || ledger.calls.iter().any(|call| call.is_ok && (covers(call) || asked(call))) {
        return None;
    }
    let is_called = |place: usize| ledger.calls.iter().any(|call| call.is_ok && call.card == Some(place));
    let shows = |(place, card): &(usize, &Card)| card.shows(head) && !is_called(*place);
    ledger.desk.tools.iter().enumerate().find(shows).map(|(_, card)| card)
}

/// `No open incidents`, `nothing outstanding on your account`, where what would show it was not called.
fn absence(sentence: &Sentence, ledger: &Ledger) -> Option<((usize, usize), String)> {
    let at_place = |at: usize| {
        let (start, end) = sentence.clause(at);
        let is_open = sentence.has(WordClass::Modals, start, end)
            || sentence.has(WordClass::Conditions, start, end)
            || sentence.has(WordClass::Asides, start, at);
        let tells = matches!(sentence.word(at), "no" | "nothing") && sentence.has(WordClass::Pending, at + 1, at + 3);
        if is_open || !tells {
            return None;
        }
        let end = (at + 1..end).find(|at| sentence.mark(*at) != Mark::None).unwrap_or(end).min(at + 7);
        let card = heads(sentence, at + 1, end).iter().find_map(|head| uncalled(head, ledger))?;
        Some((sentence.span(at, end), format!("`{}` was not called", card.tool.name)))
    };
    if sentence.is_question { None } else { (0..sentence.words.len()).find_map(at_place) }
}
