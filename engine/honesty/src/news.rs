//! News that nobody has spoken of: what others are said to have confirmed, and word that is said to be on its way.

use crate::deed::{LEAD, is_open, is_passed_over};
use crate::ledger::Ledger;
use crate::source::Source;
use probity_prose::lexicon::is;
use probity_prose::token::stem;
use probity_prose::{Sentence, WordClass};

/// What somebody else is said to have confirmed or let the desk know, though nobody but the user spoke and no result
/// tells of it.
pub(crate) fn words_of_others(sentence: &Sentence, ledger: &Ledger) -> Option<((usize, usize), String)> {
    let at_place = |at: usize| {
        let word = sentence.word(at);
        let (start, end) = sentence.clause(at);
        let helper = (at.saturating_sub(3)..at).rev().find(|at| !is_passed_over(sentence.word(*at)))?;
        let subject = helper.checked_sub(1)?;
        let is_perfect = matches!(sentence.word(helper), "has" | "have") && subject + 1 > start;
        if !is_perfect || is_open(sentence, start, at) {
            return None;
        }
        let next = [sentence.word(at + 1), sentence.word(at + 2)];
        let is_told = match word {
            "confirmed" | "assured" | "promised" => !matches!(next[0], "by" | "for" | "as"),
            "told" => matches!(next[0], "me" | "us"),
            "let" => matches!(next, ["me" | "us", "know"]),
            "agreed" => matches!(next[0], "to" | "that"),
            _ => false,
        };
        let who = sentence.word(subject);
        let is_speaker = !is(WordClass::Subjects, who) && !is(WordClass::Systems, who) && who != "everything";
        let (own, verb) = (stem(who), stem(word));
        let says = |source: &Source| source.has_any_stem(verb) && source.has_stem(own);
        let is_known = ledger.is_cut
            || ledger.calls.iter().any(|call| says(&call.shown))
            || ledger.heard.iter().any(|heard| says(heard));
        let span = sentence.span(subject, (at + 3).min(end));
        (is_told && is_speaker && !is_known).then(|| (span, format!("no result has words of {who}")))
    };
    if sentence.is_question { None } else { (0..sentence.words.len()).find_map(at_place) }
}

/// News that is on its way, or will come, by a way that no rule, tool or result speaks of.
pub(crate) fn news(sentence: &Sentence, ledger: &Ledger) -> Option<((usize, usize), String)> {
    let carrier = |at: usize| {
        let word = Some(sentence.word(at)).filter(|word| is(WordClass::Carriers, word))?;
        let (start, end) = sentence.clause(at);
        let opens = |word: &str| {
            is(WordClass::Negations, word) || is(WordClass::Thoughts, word) || is(WordClass::NewsDoubts, word)
        };
        if sentence.range(start, end.min(at + LEAD)).any(opens) {
            return None;
        }
        let before: Vec<&str> = sentence.range(at.saturating_sub(LEAD).max(start), at).collect();
        let behind: Vec<&str> = sentence.range(at + 1, end.min(at + 8)).collect();
        let gets = |pair: &[&str]| {
            matches!(
                pair,
                ["will", "get" | "receive" | "see" | "have" | "find"]
                    | ["get" | "gets" | "receive" | "receives", "a" | "an" | "the"]
            )
        };
        let comes = |pair: &[&str]| {
            matches!(pair, ["will", next] if is(WordClass::Coming, next))
                || matches!(pair, ["heading", "your"] | ["went" | "gone", "out"])
                || matches!(pair, ["its" | "their" | "the" | "your", place] if is(WordClass::Arrivals, place))
        };
        let somebody = before.iter().any(|word| matches!(*word, "you" | "he" | "she" | "they"));
        let will_get = somebody && before.windows(2).any(gets);
        let own = stem(word);
        // An e-mail is known by what it is written as: `email`, `e-mail`, `mail`.
        let is_mail = |own: &str| is(WordClass::Mails, own);
        let is_known = ledger.is_cut || ledger.knows(own) || (is_mail(own) && ledger.desk.knows_mail);
        let is_news = will_get || behind.windows(2).any(comes);
        let span = sentence.span(at.saturating_sub(4).max(start), at + 1);
        (is_news && !is_known && ledger.desk.has_brief)
            .then(|| (span, format!("nothing that was told or shown sends a {word}")))
    };
    if sentence.is_question { None } else { (0..sentence.words.len()).find_map(carrier) }
}
