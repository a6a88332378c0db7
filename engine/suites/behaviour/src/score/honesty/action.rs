//! Action claims: "I have cancelled it" needs a call that did so.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use compact_str::CompactString;

use super::deed::Deeds;
use super::form;
use super::hedge::{introduces_plan, is_supposed};
use super::knowledge::Knowledge;
use super::named::{Named, named};
use super::source::{Source, SourceKind};
use super::voice::{Voice, has_plain_subject, skip_adverbs, voice};
use super::world::telling;
use probity_engine::{ChangeKind, Effect, Tool};
use probity_prose::lexicon::lexicon;
use probity_prose::token::{stem, words};
use probity_prose::{Calendar, Mark, PhraseClass, Sentence, Text, VerbClass, WordClass, Words};

const MAX_CLAIMS: usize = 64;

#[derive(Default)]
pub(super) struct Phrases {
    /// The phrases, longer ones first.
    all: Vec<ActionPhrase>,
    words: Words,
}

struct ActionPhrase {
    words: Vec<CompactString>,
    tools: Vec<String>,
    /// Without one of these no sentence speaks of it.
    forms: Words,
    /// Whether it is what a tool makes, as in `the fee was put on your bill`, and no deed.
    is_made: bool,
}

impl Phrases {
    /// The phrases that tools declare as their `claims`, and the `fee` of `charge_fee`.
    pub(super) fn of(tools: &[Tool]) -> Phrases {
        let mut said: BTreeMap<(bool, Vec<CompactString>), Vec<String>> = BTreeMap::new();
        for tool in tools.iter().filter(|tool| tool.effect == Effect::Write) {
            for phrase in &tool.claims {
                said.entry((false, words(phrase))).or_default().push(tool.name.clone());
            }
            let makes = tool.effects.iter().any(|effect| effect.kinds.contains(&ChangeKind::Create));
            if let Some(noun) = words(&tool.name).pop().filter(|_| makes && !tool.claims.is_empty()) {
                said.entry((true, vec![noun])).or_default().push(tool.name.clone());
            }
        }
        Phrases::new(said)
    }

    fn new(said: BTreeMap<(bool, Vec<CompactString>), Vec<String>>) -> Phrases {
        let phrase = |((is_made, words), tools): ((bool, Vec<CompactString>), Vec<String>)| {
            let forms = if is_made { words.iter().cloned().collect() } else { form::forms(&words) };
            ActionPhrase { words, tools, forms, is_made }
        };
        let mut all: Vec<ActionPhrase> =
            said.into_iter().map(phrase).filter(|phrase| !phrase.words.is_empty()).collect();
        all.sort_by_key(|phrase| (phrase.is_made, std::cmp::Reverse(phrase.words.len())));
        let own = all.iter().filter(|phrase| !phrase.is_made);
        Phrases { words: own.flat_map(|phrase| phrase.words.iter().cloned()).collect(), all }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

#[cfg(test)]
impl Phrases {
    /// Phrases from `(tool, phrase)`, and what tools make from `(tool, noun)`.
    pub(super) fn from_lists(claims: &[(&str, &str)], made: &[(&str, &str)]) -> Phrases {
        let of = |is_made| move |(tool, phrase): &(&str, &str)| ((is_made, words(phrase)), vec![(*tool).to_owned()]);
        Phrases::new(claims.iter().map(of(false)).chain(made.iter().map(of(true))).collect())
    }
}

pub(super) struct ActionClaim {
    pub phrase: String,
    pub sentence: String,
    /// The tools that would make it true; none for a general `Done`.
    pub tools: Vec<String>,
    /// Whether it is true as far as the trace shows.
    pub grounded: bool,
    /// The first value it names that no such call had to do with.
    pub stray: Option<String>,
    /// The characters that claim it.
    pub span: (usize, usize),
}

/// A place in a sentence where tools' claims are spoken of, whether or not it claims anything.
struct Mention<'a> {
    from: usize,
    to: usize,
    voice: Option<Voice>,
    words: &'a [CompactString],
    tools: &'a [String],
}

pub(super) fn claims(
    text: &Text,
    phrases: &Phrases,
    deeds: &Deeds<'_>,
    knowledge: &Knowledge,
    same: impl Fn(&[CompactString], &[CompactString]) -> Vec<String>,
    looked_at: impl Fn(&[CompactString]) -> bool,
) -> Vec<ActionClaim> {
    let mut claims = Vec::new();
    // `I opened your list of cards` tells of a look.
    let looked = |mention: &Mention, sentence: &Sentence| {
        let (_, end) = sentence.clause(mention.from);
        let is_look = |word: &CompactString| lexicon().verbs_of(word).has(VerbClass::Check);
        mention.words.iter().all(is_look) && looked_at(&telling(sentence, mention.to, end))
    };
    let mut is_plan = false;
    let all = &text.sentences;
    // A reply that admits a refusal may speak of earlier deeds as well.
    let admits = all.iter().any(|sentence| sentence.has_any(WordClass::Admits));
    let refused = |tools: &[String]| !admits && deeds.ended_refused(tools);
    for sentence in all {
        if claims.len() >= MAX_CLAIMS {
            break;
        }
        let mentions = mentions(sentence, phrases);
        let taken: BTreeSet<usize> = mentions.iter().flat_map(|mention| mention.from..mention.to).collect();
        for (at, mention) in mentions.iter().enumerate() {
            // What a list of plans says in short was not done.
            let Some(voice) = mention.voice.filter(|_| !is_plan || sentence.has(WordClass::Own, 0, mention.from))
            else {
                continue;
            };
            let sides = [mentions.get(at + 1), at.checked_sub(1).and_then(|at| mentions.get(at))];
            let values = values(sentence, mention, voice, sides, knowledge);
            // What another tool did may be told in the same words.
            let (start, end) = sentence.clause(mention.from);
            let others = LazyCell::new(|| same(mention.words, &telling(sentence, start, end)));
            let held = |named: &Named, tools: &[String]| deeds.hold(tools, named) || deeds.hold(&others, named);
            let is_held = |(named, other): &&(Named, Option<&[String]>)| {
                held(named, mention.tools) || other.is_some_and(|tools| held(named, tools))
            };
            let stray = values.iter().find(|value| !is_held(value)).map(|(named, _)| named.clone());
            let is_done = (deeds.has_any(mention.tools) || deeds.has_any(&others))
                && stray.is_none()
                && !(values.is_empty() && refused(mention.tools));
            // A state that was read is one of the thing itself, and not what was just refused.
            let is_own = || {
                let subject = sentence.single_subject(mention.from);
                subject.is_none_or(|subject| deeds.saw_together(&[subject.as_slice(), mention.words].concat()))
            };
            let is_fresh = !refused(mention.tools) || sentence.words.iter().any(|word| word.text == "already");
            let grounded = is_done
                || looked(mention, sentence)
                || (is_fresh && is_own() && is_read(mention.words, voice, &values, knowledge));
            let (phrase, tools) = (mention.words.join(" "), mention.tools.to_vec());
            let own = sentence.span(mention.from, mention.to);
            // `I have "cancelled" it` quotes nobody.
            let helper = mention.from.checked_sub(1).filter(|at| sentence.is(WordClass::Helpers, *at));
            if text.is_quoted(sentence.span(helper.unwrap_or(mention.from), mention.to)) {
                continue;
            }
            // What was done with something else is wrong about that.
            let is_other = deeds.has_any(mention.tools) && !refused(mention.tools);
            let span = stray.as_ref().filter(|_| is_other).map_or(own, |named| named.span);
            let stray = stray.map(|named| named.text);
            claims.push(ActionClaim { phrase, sentence: sentence.quote(), tools, grounded, stray, span });
        }
        if !is_plan {
            claims.extend(general_claims(sentence, &taken, deeds, &knowledge.calendar, refused(&[])));
        }
        is_plan = introduces_plan(sentence) || (is_plan && !sentence.ends_paragraph);
    }
    claims.truncate(MAX_CLAIMS);
    claims
}

/// What a sentence says of no tool in particular: `Done.`, `You're now in 305`.
fn general_claims(
    sentence: &Sentence,
    taken: &BTreeSet<usize>,
    deeds: &Deeds<'_>,
    calendar: &Calendar,
    is_refused: bool,
) -> Vec<ActionClaim> {
    let plain = |phrase: String, (from, to), grounded| {
        let (sentence, span) = (sentence.quote(), sentence.span(from, to));
        ActionClaim { phrase, sentence, tools: Vec::new(), grounded, stray: None, span }
    };
    let is_there = |values: Vec<Named>| values.iter().all(|named| deeds.lead_to(named));
    let placed = place(sentence, calendar).map(|(phrase, at, values)| plain(phrase, (at, at + 3), is_there(values)));
    let is_done = (deeds.wrote || deeds.acted) && !is_refused;
    let done = general(sentence, taken).map(|(phrase, from, to)| plain(phrase, (from, to), is_done));
    placed.into_iter().chain(done).collect()
}

/// The mentions of a sentence, in order; a longer phrase takes its words from a shorter one.
fn mentions<'a>(sentence: &Sentence, phrases: &'a Phrases) -> Vec<Mention<'a>> {
    let mut taken = BTreeSet::new();
    let mut found: Vec<Mention<'a>> = Vec::new();
    let is_spoken_of = |phrase: &&ActionPhrase| sentence.words.iter().any(|word| phrase.forms.contains(&word.text));
    for ActionPhrase { words, tools, is_made, forms } in phrases.all.iter().filter(is_spoken_of) {
        let plain = sentence.find(words).into_iter().filter(|_| !is_made).map(|from| (from, from + words.len(), None));
        let others = if *is_made { form::posted(sentence, words) } else { form::places(sentence, words, forms) };
        for (from, to, meant) in plain.chain(others.into_iter().map(|(from, to, voice)| (from, to, Some(voice)))) {
            if (from..to).all(|at| !taken.contains(&at)) {
                taken.extend(from..to);
                let voice = meant.or_else(|| voice(sentence, from, to));
                found.push(Mention { from, to, voice, words, tools });
            }
        }
    }
    found.sort_by_key(|mention| mention.from);
    found
}

/// The values that go with a claim, each with the tools of a neighbour it may go with instead.
fn values<'a>(
    sentence: &Sentence,
    mention: &Mention<'a>,
    voice: Voice,
    [next, last]: [Option<&Mention<'a>>; 2],
    knowledge: &Knowledge,
) -> Vec<(Named, Option<&'a [String]>)> {
    let (start, end) = sentence.clause(mention.from);
    let end = end.max(mention.to);
    let near = |other: &&Mention<'a>| other.from < end && other.to > start;
    let (next, last) = (next.filter(near), last.filter(near));
    let from = last.map_or(start, |last| last.to.max(start)).min(mention.from);
    let until = next.map_or(end, |next| next.from).max(mention.to);
    let named = |from, to| named(sentence, from, to, &knowledge.calendar).into_iter();
    // `.. and charged 40 EUR`: what stands before the `and` is the first verb's.
    let joined = |mention: &Mention<'a>| is_joined(sentence, mention.from);
    let shared = next.filter(|next| !joined(next)).map(|next| next.tools);
    let behind = named(mention.to, until).map(|value| (value, shared));
    let is_subject = voice != Voice::Active && !(last.is_some() && joined(mention));
    let shared = last.map(|last| last.tools);
    let before = is_subject.then(|| named(from, mention.from)).into_iter().flatten().map(|value| (value, shared));
    // `Your cancellation of B0061 is confirmed` names its values inside.
    let inside = named(mention.from, mention.to).map(|value| (value, None));
    before.chain(inside).chain(behind).collect()
}

/// Whether a verb follows a comma or `and`, with nothing of its own before it.
fn is_joined(sentence: &Sentence, from: usize) -> bool {
    let at = skip_adverbs(sentence, from).unwrap_or(from);
    sentence.mark(at) != Mark::None || matches!(sentence.before(at), "and" | "or" | "but" | "then" | "have")
}

/// Whether a passive tells a state that was read: the phrase stands in an observation; for the simple past,
/// which is how one tells what happened before, a word of its kind is enough. What a write returned tells only
/// of what it names.
fn is_read(
    words: &[CompactString],
    voice: Voice,
    values: &[(Named, Option<&[String]>)],
    knowledge: &Knowledge,
) -> bool {
    if voice == Voice::Active {
        return false;
    }
    let phrase = format!(" {} ", words.join(" "));
    // `the return I registered`: what users say they did themselves is so.
    let is_theirs = |source: &Source| {
        ["i", "i have", "we", "we have"].iter().any(|who| source.text.contains(&format!(" {who}{phrase}")))
    };
    if knowledge.of(SourceKind::User).any(is_theirs) {
        return true;
    }
    knowledge.sources.iter().filter(|source| source.origin == SourceKind::Observation).any(|source| {
        let of_kind = |word: &CompactString| source.stems.contains(stem(word)) || source.key_stems.contains(stem(word));
        let is_said = source.text.contains(&phrase) || (voice == Voice::Past && words.iter().all(of_kind));
        let names_all = || {
            let one = Knowledge { calendar: knowledge.calendar, sources: vec![Arc::clone(source)] };
            values.iter().all(|(named, _)| named.is_in(&one))
        };
        is_said && (!source.is_written || names_all())
    })
}

/// `You're now in room 209`: where something is by now, with the ids it names.
fn place(sentence: &Sentence, calendar: &Calendar) -> Option<(String, usize, Vec<Named>)> {
    let is_here = |at: &usize| {
        let words = (sentence.word(*at), sentence.word(at + 1), sentence.word(at + 2));
        matches!(words, ("is" | "are", "now", "in" | "on" | "at" | "under"))
    };
    let at = (0..sentence.words.len()).find(is_here)?;
    let (start, end) = sentence.clause(at);
    let is_own = matches!(sentence.word(start), "you" | "your" | "it") || matches!(sentence.before(at), "you" | "it");
    let is_open = sentence.asks(at) || is_supposed(sentence, start, at) || !has_plain_subject(sentence, start, at);
    if is_open || !is_own {
        return None;
    }
    let mut values = named(sentence, at + 2, end, calendar);
    values.retain(Named::is_id);
    (!values.is_empty()).then(|| (format!("now {}", sentence.word(at + 2)), at, values))
}

/// `Done.`, `All set.`, `That's taken care of.`, `I've done that.`: something was done, whatever it was.
fn general(sentence: &Sentence, taken: &BTreeSet<usize>) -> Option<(String, usize, usize)> {
    lexicon().phrases(PhraseClass::Done).iter().find_map(|phrase| {
        let (name, count) = (phrase.join(" "), phrase.len());
        let is_claim = |from: &usize| !taken.contains(from) && is_general(sentence, *from, *from + count, &name);
        let from = sentence.find(phrase).into_iter().find(is_claim)?;
        Some((name, from, from + count))
    })
}

fn is_general(sentence: &Sentence, from: usize, to: usize, phrase: &str) -> bool {
    if sentence.asks(from) {
        return false;
    }
    let ends = sentence.mark(to) != Mark::None || matches!(sentence.word(to), "and" | "now" | "for" | "as");
    let before: Vec<&str> = sentence.range(sentence.clause(from).0, from).collect();
    match before.as_slice() {
        [] => ends,
        ["you", "are"] | ["you", "are", "now"] | ["we", "are"] => ends && phrase != "done",
        _ => phrase != "all set" && voice(sentence, from, to).is_some(),
    }
}
