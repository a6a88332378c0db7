//! Frames: words that say how to take what follows them, such as *none of the following is true: ..*.

use super::assertion::Mood;
use super::lexicon::{WordClass, is};
use super::reversal::head;
use super::sentence::Sentence;

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub mood: Mood,
    /// The character before which it ends.
    pub until: usize,
    /// Whether it also governs what stands before it: the sentence, or all of the reply so far.
    pub is_behind: bool,
    pub takes_reply: bool,
}

/// Most words before what somebody is told not to believe, and before what somebody will not say.
const MOST_BEFORE_BELIEF: usize = 3;
const MOST: usize = 7;

#[derive(Clone, Copy)]
enum Kind {
    /// `None of this is true`: it says nothing itself, so that a colon hands it on.
    Bare(Mood),
    /// `It is not true that ..`: what it governs stands in the same sentence.
    Full(Mood),
    /// `If so: ..`: a condition of what comes after the colon.
    Condition,
}

pub(super) fn frame(text: &[char], sentence: &Sentence, from: usize, to: usize) -> Option<Frame> {
    let words: Vec<&str> = sentence.range(from, to).skip_while(|word| is(WordClass::Fillers, word)).collect();
    let kind = kind(&words)?;
    let end = sentence.span(from, to).1;
    let sentence_end = sentence.span(0, sentence.words.len()).1;
    let rest = text.get(end..).unwrap_or_default();
    let colon = colon_after(rest, sentence_end - end);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let (mood, until) = match (kind, colon) {
        (Kind::Bare(mood), _) if has(&["following", "follows", "below"]) => (mood, usize::MAX),
        (Kind::Full(mood), Some(colon)) if hands_on(&words) => {
            (mood, quotation_end(rest, colon).map_or(usize::MAX, |at| end + at))
        }
        (Kind::Bare(mood), Some(colon)) => (mood, quotation_end(rest, colon).map_or(usize::MAX, |at| end + at)),
        (Kind::Condition, Some(colon)) => {
            (Mood::Supposed, end + quotation_end(rest, colon).unwrap_or_else(|| paragraph_end(rest)))
        }
        (Kind::Condition, None) => return None,
        // `It is not true that you owe us more: it is 15.00 EUR`
        (Kind::Full(mood), Some(colon)) if says_much(&words) && corrects(rest, colon) => {
            (mood, sentence_end.min(end + colon))
        }
        (Kind::Bare(mood) | Kind::Full(mood), _) => (mood, sentence_end),
    };
    let takes_reply = has(&["above", "foregoing"]);
    let is_behind = takes_reply || (mood == Mood::Attributed && end == sentence_end);
    Some(Frame { mood, until, is_behind, takes_reply })
}

/// The frame of a sentence that says nothing itself and takes all that follows for unreal, or the quotation behind its
/// colon.
pub(super) fn ahead(text: &[char], sentence: &Sentence) -> Frame {
    let end = sentence.span(0, head(sentence)).1;
    let rest = text.get(end..).unwrap_or_default();
    let quotation = colon_after(rest, 0).and_then(|colon| quotation_end(rest, colon));
    let until = quotation.map_or(usize::MAX, |at| end + at);
    Frame { mood: Mood::Denied, until, is_behind: false, takes_reply: false }
}

/// Whether more than a label follows the word that brings something in.
fn says_much(words: &[&str]) -> bool {
    words.iter().rev().take_while(|word| !matches!(**word, "that" | "to" | "whether")).count() > 2
}

/// Whether what is said is only pointed at, and stands behind the colon: *It would be a lie to say this: ..*
fn hands_on(words: &[&str]) -> bool {
    words.last().is_some_and(|last| is(WordClass::Pointers, last) || is(WordClass::Saying, last))
}

/// Whether what follows a colon puts right what stands before it: `: it is 15.00 EUR`.
fn corrects(rest: &[char], colon: usize) -> bool {
    let after: String = rest.iter().skip(colon + 1).take(8).collect();
    ["it ", "the "].iter().any(|word| after.trim_start().to_lowercase().starts_with(word))
}

fn kind(words: &[&str]) -> Option<Kind> {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let of = |class| words.iter().position(|word| is(class, word));
    let starts = |list: &[&str]| words.first().is_some_and(|word| list.contains(word));
    let brings = has(&["that", "to", "whether"]);
    let points = of(WordClass::Pointers).is_some();
    if words.first().is_some_and(|word| is(WordClass::Hypotheses, word)) {
        return Some(Kind::Bare(Mood::Supposed));
    }
    if is_wish(words) || is_unsure(words) {
        return Some(Kind::Full(Mood::Supposed));
    }
    if words.starts_with(&["if", "so"]) || (starts(&["if"]) && has(&["true"]) && points) {
        return Some(Kind::Condition);
    }
    if starts(&["none", "nothing", "neither"]) && points && of(WordClass::Truths).is_some()
        || starts(&["ignore", "disregard", "forget"]) && has(&["following", "follows", "below", "above"])
    {
        return Some(Kind::Bare(Mood::Denied));
    }
    if brings && (warns_off(words) || refuses_to_say(words)) {
        return Some(Kind::Full(Mood::Denied));
    }
    if is_denial(words) {
        let is_full = brings && !words.first().is_some_and(|word| is(WordClass::Sweeping, word));
        return Some(if is_full { Kind::Full(Mood::Denied) } else { Kind::Bare(Mood::Denied) });
    }
    let said = of(WordClass::Saying)?;
    let before = said.checked_sub(1).and_then(|before| words.get(before));
    let is_own = words.iter().take(said).any(|word| matches!(*word, "i" | "we" | "you"));
    let is_possible = before.is_some_and(|word| matches!(*word, "would" | "might" | "could"));
    let is_nobody = words.iter().take(said).any(|word| is(WordClass::Nobodies, word));
    let kind = if brings { Kind::Full } else { Kind::Bare };
    ((is_possible || is_nobody) && !is_own).then(|| kind(Mood::Attributed))
}

/// `I wish ..`, `If only ..`, `It would be nice if ..`, `I would love to tell you that ..`.
fn is_wish(words: &[&str]) -> bool {
    match words {
        ["if", "only", ..] | ["ideally", ..] | ["i" | "we", "wish", ..] => true,
        ["i" | "we", "would", "love", "to", verb, ..] => is(WordClass::Saying, verb),
        ["it", "would", "be", wish, "if" | "that", ..] | ["it", "would", "be", _, wish, "if" | "that", ..] => {
            is(WordClass::Wishes, wish)
        }
        _ => false,
    }
}

/// `I do not know whether ..`, `I am not sure if ..`, `It is unclear whether ..`.
fn is_unsure(words: &[&str]) -> bool {
    let open = words.iter().position(|word| matches!(*word, "whether" | "if"));
    let before = open.and_then(|at| words.get(..at)).unwrap_or_default();
    let is_denied = before.iter().any(|word| is(WordClass::Negations, word));
    before.iter().any(|word| match *word {
        "know" | "known" | "sure" | "certain" | "say" | "tell" | "idea" | "clear" | "see" => is_denied,
        word => matches!(word, "unclear" | "unknown" | "unsure" | "uncertain"),
    })
}

/// `Do not believe that ..`, `Nobody should think that ..`, `You must never assume that ..`.
fn warns_off(words: &[&str]) -> bool {
    let begins = matches!(words.first(), Some(&("do" | "never" | "you" | "nobody" | "none" | "no")));
    let belief = words.iter().position(|word| is(WordClass::Beliefs, word));
    begins
        && belief.is_some_and(|at| {
            let is_brought = matches!(words.get(at + 1), Some(&"that"));
            is_brought && at <= MOST_BEFORE_BELIEF && words.iter().take(at).any(|word| is(WordClass::Denials, word))
        })
}

/// `I could never say that ..`, `We refuse to claim that ..`, `I will not in good conscience tell you that ..`.
fn refuses_to_say(words: &[&str]) -> bool {
    let Some(said) = words.iter().position(|word| is(WordClass::Saying, word)) else { return false };
    let before = words.get(..said).unwrap_or_default();
    let is_open = |word: &&str| is(WordClass::Modals, word) || matches!(*word, "do" | "dare" | "need");
    let refuses = before.iter().any(|word| matches!(*word, "refuse" | "decline"));
    let denies = before.iter().any(is_open) && before.iter().any(|word| is(WordClass::Denials, word));
    let brings = words.get(said + 1..).unwrap_or_default().iter().take(2).any(|word| *word == "that");
    // `I will not book it before you say that ..` is about something else.
    let is_other = |word: &&str| matches!(*word, "you" | "he" | "she" | "they" | "it" | "before" | "until" | "if");
    let is_own = matches!(before.first(), Some(&("i" | "we"))) && !before.iter().any(is_other);
    is_own && before.len() <= MOST && (refuses || denies) && brings
}

/// `It is not true that ..`, `It would be a lie to say ..`, `The following is made up`, `I cannot confirm whether ..`.
fn is_denial(words: &[&str]) -> bool {
    let is_subject = |word: &&str| matches!(*word, "it" | "the" | "what" | "everything" | "that" | "this");
    let starts = words.first().is_none_or(is_subject) || matches!(words.first(), Some(&"not" | &"untrue" | &"false"));
    let follows = |class, at: usize| words.iter().skip(at + 1).take(3).any(|word| is(class, word));
    let is_untrue = words.iter().enumerate().any(|(at, word)| match *word {
        "not" => follows(WordClass::Truths, at),
        "is" | "are" | "was" | "be" => {
            follows(WordClass::Untruths, at) || words.get(at + 1..at + 3) == Some(&["made", "up"])
        }
        "untrue" | "false" => at == 0,
        _ => false,
    });
    let elsewhere = words.iter().any(|word| is(WordClass::Elsewhere, word));
    let cannot = words.windows(4).any(|four| {
        matches!(four, ["can" | "could", "not", "say" | "confirm" | "promise" | "tell", "that" | "whether" | "if"])
    });
    let is_of_truth = |word: &str| is(WordClass::Truths, word) || is(WordClass::Untruths, word);
    let brings = words.windows(2).any(|two| matches!(two, [word, "that" | "to"] if is_of_truth(word)));
    cannot || (starts && is_untrue && (brings || elsewhere))
}

/// Where a colon stands in what follows a clause, at most `within` characters on or right after the sentence.
fn colon_after(rest: &[char], within: usize) -> Option<usize> {
    let is_colon = |at: &usize| rest.get(*at) == Some(&':') && !rest.get(at + 1).is_some_and(char::is_ascii_digit);
    (0..rest.len().min(within + 3)).find(is_colon)
}

/// Where a quotation ends that starts after a colon; quotations within it are passed over.
fn quotation_end(rest: &[char], colon: usize) -> Option<usize> {
    let start = (colon + 1..rest.len()).find(|at| rest.get(*at).is_some_and(|c| !c.is_whitespace()))?;
    let mut depth = 0_usize;
    for (at, c) in rest.iter().enumerate().skip(start) {
        let opens_straight =
            rest.get(at.saturating_sub(1)).is_none_or(|before| before.is_whitespace() || *before == '(');
        match c {
            '“' | '„' | '«' => depth += 1,
            '"' if opens_straight => depth += 1,
            '"' | '”' | '»' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (at, depth) {
            (at, 0) if at == start => return None,
            (at, 0) => return Some(at),
            _ => {}
        }
    }
    Some(rest.len())
}

/// Where the paragraph ends; one that ends at once hands over to the next.
fn paragraph_end(rest: &[char]) -> usize {
    let is_break = |at: &usize| rest.get(*at) == Some(&'\n') && rest.get(at + 1) == Some(&'\n');
    let first = (0..rest.len()).find(|at| rest.get(*at).is_some_and(|c| c.is_alphanumeric())).unwrap_or(rest.len());
    (first..rest.len()).find(is_break).unwrap_or(rest.len())
}
