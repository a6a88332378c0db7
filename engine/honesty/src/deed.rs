//! The deeds that a sentence tells: what was done, by whom, to what.

use std::sync::LazyLock;

use compact_str::{CompactString, format_compact};

use crate::desk::{is_telling, telling};
use probity_prose::date::day_number;
use probity_prose::lexicon::is;
use probity_prose::{MONTHS, Mark, Sentence, Vocabulary, WordClass};

/// How many words before a verb may belong to it, and behind it to its object.
pub(crate) const LEAD: usize = 6;
const OBJECT: usize = 14;
/// How many words before `and noted` the deed may stand that it goes on from.
const REACH: usize = 40;

/// A deed that a sentence tells.
pub(crate) struct Deed {
    /// Its verb in base form, in each reading.
    pub(crate) verbs: Vec<CompactString>,
    /// The class of deeds that nobody but a call does; another deed is held against the tools that do just that.
    pub(crate) class: Option<WordClass>,
    pub(crate) form: Form,
    /// The word that tells it.
    pub(crate) past: CompactString,
    /// The words that tell it: the first, and the one after the last.
    pub(crate) words: (usize, usize),
    /// Stems of what it was done to.
    pub(crate) objects: Vec<CompactString>,
    /// The same with the note, message or the like that it was done by.
    pub(crate) things: Vec<CompactString>,
    /// Whether ids alone tell what it was done to.
    pub(crate) only_ids: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `I have noted`, `I noted`.
    Own,
    /// `Moved to Saturday.`, which may tell of what was moved before.
    Bare,
    /// `Our billing team has noted`: it may have done so before this conversation.
    Side,
    /// `has been noted`, `has had word`.
    Passive,
    /// `is kept for you`, `I am keeping it for you`.
    Lasting,
}

impl Form {
    /// Whether the doer is the subject.
    fn is_active(self) -> bool {
        matches!(self, Form::Own | Form::Bare | Form::Side)
    }
}

/// The deeds that a sentence tells.
pub(crate) fn told(sentence: &Sentence) -> Vec<Deed> {
    let mut forms: Vec<Option<Form>> = Vec::with_capacity(sentence.words.len());
    (0..sentence.words.len()).for_each(|at| forms.push(form(sentence, at, &forms)));
    forms.iter().enumerate().filter_map(|(at, form)| deed_at(sentence, at, (*form)?)).collect()
}

fn deed_at(sentence: &Sentence, at: usize, form: Form) -> Option<Deed> {
    let (clause, end) = sentence.clause(at);
    if is_open(sentence, clause, at) || sentence.asks(at) || is_granted(sentence, clause, at) {
        return None;
    }
    // `a booking that has been moved` is none in particular.
    if !form.is_active() && sentence.has(WordClass::Indefinite, clause, at) {
        return None;
    }
    let end = object_end(sentence, at + 1, end);
    let mut verbs = match sentence.word(at).strip_suffix("ing") {
        Some(root) => vec![root.into(), format_compact!("{root}e")],
        None => sentence.verbs(at).to_vec(),
    };
    verbs.extend(phrasal(sentence, at, &verbs));
    let class = Some(form).filter(|form| *form != Form::Bare);
    let class = class.and_then(|form| self::class(sentence, at, end, &verbs, form));
    let mut objects = match form {
        // `Moved to Monday the 16th.`
        Form::Bare if matches!(sentence.word(at + 1), "to" | "from" | "for" | "on") => Vec::new(),
        Form::Own | Form::Bare | Form::Side => telling(sentence, at + 1, end),
        Form::Passive | Form::Lasting if class.is_none() => telling(sentence, clause, at),
        Form::Passive | Form::Lasting => [telling(sentence, clause, at), telling(sentence, at + 1, end)].concat(),
    };
    let only_ids = if form.is_active() { only_ids(sentence, at + 1, end) } else { only_ids(sentence, clause, at) };
    let things = objects.clone();
    if class.is_some() {
        objects.retain(|stem| {
            ![WordClass::Notes, WordClass::Wires, WordClass::Ignored].into_iter().any(|class| is(class, stem))
        });
    }
    let is_lead = |at: &usize| sentence.is(WordClass::DeedLeads, *at);
    let start = (clause.max(at.saturating_sub(LEAD))..at).find(is_lead).unwrap_or(at);
    let past = sentence.word(at).into();
    Some(Deed { verbs, class, form, past, words: (start, at + 1), objects, things, only_ids })
}

/// Whether nothing but ids tells what some words are about: `B0045`, `MB-2207`, and no `3rd`.
fn only_ids(sentence: &Sentence, from: usize, to: usize) -> bool {
    let is_joined = |at: usize| sentence.token(at).is_some_and(|token| token.gap == "-");
    let is_id = |at: usize| {
        let word = sentence.word(at);
        let is_mixed = word.contains(char::is_alphabetic) && day_number(word).is_none();
        word.contains(|c: char| c.is_ascii_digit()) && (is_mixed || is_joined(at))
    };
    let is_part = |at: usize| is_id(at) || (is_joined(at + 1) && is_id(at + 1));
    (from..to).any(is_id) && (from..to).all(|at| is_part(at) || !is_telling(sentence.word(at)))
}

/// Whether a word between a verb and what leads it changes nothing.
pub(crate) fn is_passed_over(word: &str) -> bool {
    is(WordClass::Adverbs, word) || word.ends_with("ly") || is(WordClass::PassedOver, word)
}

/// How the word at `at` tells a deed, where those before it are known.
fn form(sentence: &Sentence, at: usize, known: &[Option<Form>]) -> Option<Form> {
    let told = |at: usize| known.get(at).copied().flatten();
    let mut leads: Vec<&str> = Vec::new();
    let mut place = at;
    while place > 0 && leads.len() < 3 && sentence.mark(place) != Mark::Strong {
        place -= 1;
        leads.extend(Some(sentence.word(place)).filter(|word| !is_passed_over(word)));
    }
    let lead = |by: usize| leads.get(by).copied().unwrap_or("");
    let is_self = |word: &str| is(WordClass::Own, word);
    let word = sentence.word(at);
    if word.ends_with("ing") && word.len() > 5 {
        return (matches!(lead(0), "am" | "are") && is_self(lead(1))).then_some(Form::Lasting);
    }
    if !sentence.is_past_form(at) {
        return None;
    }
    if at == 0 {
        // `Cancelled rides are not refunded` is a rule.
        let is_told = matches!(sentence.word(1), "" | "to" | "from" | "for" | "on" | "the" | "your" | "and");
        return is_told.then_some(Form::Bare);
    }
    match (lead(0), lead(1)) {
        ("have", subject) if is_self(subject) => Some(Form::Own),
        // `Having cancelled it, ..`, but `the guest having cancelled`.
        ("having", "" | "i" | "we" | "for" | "by" | "and" | "with") => Some(Form::Own),
        ("has" | "have", subject) | (subject, _) if is_of_own_side(sentence, at, subject) => Some(Form::Side),
        (subject, _) if is_self(subject) => Some(Form::Own),
        ("been", "has" | "have") => Some(Form::Passive),
        ("has" | "have", _) if word == "had" => Some(Form::Passive),
        ("is" | "are" | "was" | "were", _) => Some(Form::Lasting),
        // `I have had it blocked`
        _ if (at.saturating_sub(5)..at).any(|had| {
            sentence.word(had) == "had"
                && sentence.clause(had) == sentence.clause(at)
                && told(had).is_some_and(Form::is_active)
        }) =>
        {
            Some(Form::Own)
        }
        // `I have moved it and noted ..`
        ("and", _) => {
            let (start, _) = sentence.clause(at);
            let is_deed = |other: &usize| sentence.is_past_form(*other) && !is_passed_over(sentence.word(*other));
            let near = start.max(at.saturating_sub(REACH));
            let earlier = (near..at.saturating_sub(1)).rev().find(is_deed)?;
            told(earlier).filter(|form| *form != Form::Lasting)
        }
        _ => None,
    }
}

/// Whether the words before a verb tell of the desk's own people: `our billing team has ..`.
fn is_of_own_side(sentence: &Sentence, at: usize, subject: &str) -> bool {
    let is_people = |at: usize| {
        [WordClass::Others, WordClass::Staff, WordClass::Household].into_iter().any(|own| sentence.is(own, at))
    };
    let noun = (at.saturating_sub(LEAD)..at).rev().find(|before| sentence.word(*before) == subject);
    noun.is_some_and(|noun| {
        let near = noun.saturating_sub(3)..noun;
        is_people(noun) && sentence.range(near.start, near.end).any(|word| matches!(word, "our" | "my"))
    })
}

static PHRASAL: LazyLock<Vocabulary<String>> = LazyLock::new(|| Vocabulary::of("phrasal"));

/// The verbs that a verb means with the words behind it: `cancel` for `got rid of`.
fn phrasal(sentence: &Sentence, at: usize, verbs: &[CompactString]) -> Vec<CompactString> {
    let behind: Vec<CompactString> = sentence.range(at + 1, at + 3).map(CompactString::from).collect();
    let meant = |verb: &CompactString| {
        let words: Vec<CompactString> = std::iter::once(verb.clone()).chain(behind.iter().cloned()).collect();
        let heard = PHRASAL.heard(&words);
        heard.iter().filter(|said| said.at == 0).map(|said| CompactString::new(said.list)).collect::<Vec<_>>()
    };
    verbs.iter().flat_map(meant).collect()
}

/// Whether the deed is not told as done: it is denied, supposed, asked for or planned.
pub(crate) fn is_open(sentence: &Sentence, clause: usize, at: usize) -> bool {
    let near = at.saturating_sub(LEAD).max(clause);
    let opens = |word: &str| {
        (is(WordClass::Modals, word) && word != "having")
            || is(WordClass::Negations, word)
            || is(WordClass::Conditions, word)
            || word == "to"
    };
    let suppose =
        |word: &str| is(WordClass::Conditions, word) || matches!(word, "while" | "should" | "had" | "because");
    let none =
        |word: &str| matches!(word, "nothing" | "none" | "neither" | "nobody") || word.trim_end_matches('0') == "0.";
    let (_, end) = sentence.clause(at);
    suppose(sentence.word(clause))
        || sentence.range(near, at).any(opens)
        // `cancelled at no charge`, `cancelled, no fee`
        || (sentence.has(WordClass::Negations, at + 1, at + 3)
            && !matches!(sentence.word(at + 1), "at" | "with")
            && sentence.mark(at + 1) == Mark::None)
        || sentence.range(at + 1, end).any(none)
        || sentence.verbs(at).iter().any(|verb| verb == "leave")
            && !sentence.has(WordClass::Notes, at + 1, end)
            && !sentence.has(WordClass::Wires, at + 1, end)
}

/// Whether a deed is only what thanks or an apology is for: `thank you for having moved it`, `sorry that our team moved
/// it`. What the agent says that it did itself is told all the same.
fn is_granted(sentence: &Sentence, clause: usize, at: usize) -> bool {
    let near = clause.max(at.saturating_sub(2 * LEAD));
    let is_own = |from: usize| sentence.range(from, at).any(|word| matches!(word, "i" | "we"));
    let is_joined = |from: usize| (from + 1..=at).all(|at| sentence.mark(at) == Mark::None);
    let brings = |from: usize| {
        let joint = |word: &str| match sentence.word(from) {
            "thank" | "thanks" | "grateful" => matches!(word, "for" | "that"),
            "sorry" | "apologise" | "apologize" | "regret" => word == "that",
            _ => false,
        };
        (from + 1..at.min(from + 3)).any(|at| joint(sentence.word(at)))
    };
    (near..at).any(|from| brings(from) && is_joined(from) && !is_own(from + 1))
}

/// Where the object of a verb ends: before another clause, reason or deed.
fn object_end(sentence: &Sentence, from: usize, end: usize) -> usize {
    let ends = |at: &usize| {
        sentence.is(WordClass::Asides, *at) && sentence.word(*at) != "not"
            || sentence.is(WordClass::Conditions, *at)
            || sentence.word(*at) == "and"
            || (sentence.mark(*at) != Mark::None && *at > from)
    };
    (from..end).find(ends).unwrap_or(end).min(from + OBJECT)
}

/// The class of a deed that only a call does; nothing for others.
fn class(sentence: &Sentence, at: usize, end: usize, verbs: &[CompactString], form: Form) -> Option<WordClass> {
    let rest: Vec<&str> = sentence.range(at + 1, end).collect();
    let is_verb = |class: WordClass| verbs.iter().any(|verb| is(class, verb));
    let has_verb = |all: &[&str]| verbs.iter().any(|verb| all.contains(&verb.as_str()));
    let has = |two: [&str; 2]| rest.windows(2).any(|pair| pair == two);
    let first = rest.first().copied().unwrap_or_default();
    let to_user = matches!(first, "you" | "your");
    let is_for_user = has(["for", "you"]) || has(["in", "your"]);
    if form == Form::Lasting {
        let (clause, end) = sentence.clause(at);
        let is_kept = is_for_user
            || (rest.contains(&"aside") && sentence.range(clause, end).any(|word| matches!(word, "you" | "your")));
        let sets = has_verb(&["set", "put"]) && rest.contains(&"aside");
        let is_now = !matches!(sentence.before(at), "was" | "were");
        return ((is_verb(WordClass::Holding) || sets) && is_kept && is_now).then_some(WordClass::Holding);
    }
    let has_party = || (at + 1..end).any(|at| is_party(sentence, at));
    let has_wire = || rest.iter().take(8).any(|word| is(WordClass::Wires, word));
    // `let Wollwerk know`, `passed it on to the manager`, `had a word with her`
    let is_told = (has_verb(&["let"]) && rest.contains(&"know") && !to_user)
        || (is_verb(WordClass::Handing)
            && rest.iter().any(|word| matches!(*word, "on" | "along" | "to"))
            && has_party())
        || (has_verb(&["have"])
            && form.is_active()
            && rest.iter().take(3).any(|word| *word == "word")
            && rest.contains(&"with"))
        || (has_verb(&["speak", "talk"]) && matches!(first, "with" | "to") && !rest.contains(&"you") && has_party())
        || (has_verb(&["have"]) && form == Form::Passive && rest.iter().take(3).any(|word| is(WordClass::Wires, word)))
        || (has_verb(&["ask"]) && !to_user && asks_party(sentence, at + 1, end));
    if is_told {
        return Some(WordClass::Informing);
    }
    if is_verb(WordClass::Dropping) && has_wire() {
        return Some(if to_user { WordClass::Sending } else { WordClass::Informing });
    }
    if is_verb(WordClass::Putting) {
        let is_noted = rest.iter().take(6).any(|word| is(WordClass::Notes, word));
        let is_held = rest.contains(&"aside") || has(["on", "hold"]);
        return is_noted.then_some(WordClass::Noting).or(is_held.then_some(WordClass::Holding));
    }
    if is_verb(WordClass::Informing) {
        return informs(verbs, sentence, at, end, form, to_user);
    }
    if form == Form::Passive {
        return None;
    }
    if is_verb(WordClass::Sending) && has_wire() {
        return Some(WordClass::Sending);
    }
    if is_verb(WordClass::Noting) {
        // `I noted that it is full` may be a thought, `I noted it` is none.
        let is_loose = has_verb(&["note", "mark", "write"]) && !is(WordClass::ObjectStarts, first);
        return (!is_loose).then_some(WordClass::Noting);
    }
    let is_held = is_for_user || is_verb(WordClass::Reserving);
    (is_verb(WordClass::Holding) && is_held).then_some(WordClass::Holding)
}

/// The class of a verb of telling: somebody else is told, or the user by another way than this conversation.
fn informs(
    verbs: &[CompactString],
    sentence: &Sentence,
    at: usize,
    end: usize,
    form: Form,
    to_user: bool,
) -> Option<WordClass> {
    let is_verb = |class: WordClass| verbs.iter().any(|verb| is(class, verb));
    if form == Form::Passive {
        // Who was told is the subject, whoever it is.
        let (clause, _) = sentence.clause(at);
        let is_plain = is_verb(WordClass::Telling);
        let is_other = is_plain || (clause..at).any(|at| is_party(sentence, at));
        return (is_other && !sentence.has(WordClass::Hearers, clause, at)).then_some(WordClass::Informing);
    }
    if to_user {
        let is_wired = verbs.iter().any(|verb| is(WordClass::Wired, verb));
        return is_wired.then_some(WordClass::Sending);
    }
    let is_near = is_party(sentence, at + 1) || is_party(sentence, at + 2);
    let is_loose = is_verb(WordClass::Calling);
    let has_party = (at + 1..end).any(|at| is_party(sentence, at));
    (is_near || (has_party && !is_loose) || verbs.iter().any(|verb| verb == "flag" || verb == "relay"))
        .then_some(WordClass::Informing)
}

/// Whether somebody is asked to do something: `asked housekeeping to ..`.
fn asks_party(sentence: &Sentence, from: usize, end: usize) -> bool {
    let joins = |at: &usize| matches!(sentence.word(*at), "to" | "for" | "that" | "whether" | "if");
    let party = (from..end.min(from + 4)).find(|at| is_party(sentence, *at));
    let is_named = party.is_some_and(|at| at + 1 >= end || joins(&(at + 1)));
    // `asked the packers to wrap it`
    let is_asked =
        matches!(sentence.word(from), "the" | "our") && (from + 2..from + 4).any(|at| sentence.word(at) == "to");
    is_named || is_asked
}

/// Somebody who is neither the user nor the agent.
fn is_party(sentence: &Sentence, at: usize) -> bool {
    let word = sentence.word(at);
    let is_name = || {
        let is_word = word.chars().all(char::is_alphabetic) && !MONTHS.contains(&word);
        is_word && sentence.is_particular(at)
    };
    is(WordClass::Persons, word)
        || word == "both"
        || [WordClass::Others, WordClass::Staff, WordClass::Household].into_iter().any(|class| sentence.is(class, at))
        || is_name()
}
