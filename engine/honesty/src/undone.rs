//! Deeds that a reply tells and no call did. An agent acts through calls alone: whoever says that it told, noted, kept
//! or sent something needs a call that does so, and whoever tells the very deed of a tool needs a call of that tool.

use compact_str::{CompactString, format_compact};

use crate::claim::{Claim, ClaimKind};
use crate::deed::{Deed, Form, LEAD, is_open, is_passed_over, told};
use crate::desk::Card;
use crate::ledger::{Call, Ledger, beginning};
use crate::reply::{Said, Told};
use crate::source::Source;
use probity_prose::lexicon::{is, lexicon};
use probity_prose::token::stem;
use probity_prose::{Sentence, WordClass};

/// What speaks against deeds of a reply; `stood` counts those that it tells and that nothing speaks against.
pub(crate) fn claims(said: &Said, ledger: &Ledger, stood: &mut usize) -> Vec<Claim> {
    let mut found = Vec::new();
    for sentence in said.statements() {
        let is_told = |span: (usize, usize)| said.is_asserted(span.0) && !said.text.is_quoted(span);
        let mut add = |span: (usize, usize), (evidence, is_refused): (String, bool)| {
            let claim = || Claim { is_refused, ..said.contradicted(ClaimKind::Deed, span, evidence) };
            found.extend(is_told(span).then(claim));
        };
        for (span, evidence) in words_of_others(sentence, ledger).into_iter().chain(news(sentence, ledger)) {
            add(span, (evidence, false));
        }
        if let Some((span, evidence)) = success(sentence, ledger) {
            add(span, (evidence, true));
        }
        for deed in told(sentence).into_iter().filter(|deed| !is_of_earlier_day(deed, sentence, said, ledger)) {
            // *e-mailed* is told by two words.
            let joined = (deed.words.1..).take_while(|at| sentence.token(*at).is_some_and(|token| token.gap == "-"));
            let span = sentence.span(deed.words.0, deed.words.1 + joined.count());
            match against(&deed, sentence, ledger) {
                Some(against) => add(span, against),
                None => {
                    let is_one = (deed.class.is_some() && deed.form != Form::Lasting) || is_done(&deed, ledger);
                    *stood += usize::from(is_one && is_told(span));
                }
            }
        }
    }
    found
}

/// Whether a deed is told on a known day before today, and not as just done: `we sent a notice dated 10 September`, but
/// not `we refunded the payment of 2 December`.
fn is_of_earlier_day(deed: &Deed, sentence: &Sentence, said: &Said, ledger: &Ledger) -> bool {
    let (from, to) = sentence.clause(deed.words.0);
    let (start, end) = sentence.span(from, to);
    let is_its_own = |told: &&Told| {
        let lead = told.tokens.0.checked_sub(1).map_or("", |at| said.word(at));
        start <= told.span.0 && told.span.1 <= end && matches!(lead, "on" | "dated")
    };
    let days = said.told.iter().filter(is_its_own).flat_map(|told| told.value.days());
    let mut days = days.filter(|day| ledger.gathered.dates.contains(day)).peekable();
    let is_past = matches!(sentence.before(deed.words.1 - 1), "i" | "we");
    is_past && days.peek().is_some() && days.all(|day| *day < ledger.desk.calendar.today)
}

/// Whether a call has to do with what a deed was done to.
fn is_about(deed: &Deed, call: &Call, card: &Card) -> bool {
    // `set a text reminder` is the deed of `set_reminder`.
    let is_thing =
        |own: &CompactString| card.stems.contains(own) && (card.name_stems.contains(own) || call.has_stem(own));
    let begins = |own: &CompactString| {
        own.len() >= 4 && call.asked.text.contains(format_compact!(" {}", beginning(own)).as_str())
    };
    let is_own = |own: &CompactString| {
        card.stems.contains(own) || card.informs.contains(own) || call.has_stem(own) || begins(own)
    };
    deed.objects.is_empty() || deed.objects.iter().any(is_own) || deed.things.iter().any(is_thing)
}

/// Whether a tool's words may mean the verb of a deed.
fn means(deed: &Deed, card: &Card) -> bool {
    let same = |verb: &CompactString| {
        card.verbs.iter().any(|own| lexicon().means_same(own, verb)) || card.described.contains(verb)
    };
    deed.verbs.iter().any(same)
}

/// Whether a change was carried out that a deed may mean.
fn is_done(deed: &Deed, ledger: &Ledger) -> bool {
    ledger.changes().any(|(call, card)| means(deed, card) && is_about(deed, call, card))
}

/// What speaks against a deed, if anything, and whether a call that would have done it was refused.
fn against(deed: &Deed, sentence: &Sentence, ledger: &Ledger) -> Option<(String, bool)> {
    let Some(class) = deed.class else {
        let against = tool_against(deed, ledger).or_else(|| unmade(deed, ledger));
        return against.filter(|_| !is_done(deed, ledger));
    };
    let names = |card: &Card| deed.verbs.iter().any(|verb| card.verbs.contains(verb) || card.described.contains(verb));
    // What is written down has many names: a message, a reason, a remark.
    let is_it = |card: &Card| names(card) || (class == WordClass::Noting && means(deed, card));
    let is_about = |call: &Call, card: &Card| is_about(deed, call, card);
    if ledger.changes().any(|(call, card)| is_it(card) && is_about(call, card)) {
        return None;
    }
    // `I have recorded the match as 5:6`, where a change has that score.
    let (from, to) = sentence.clause(deed.words.0);
    let numbers: Vec<&str> =
        sentence.range(from, to).filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect();
    let has_number =
        |call: &Call| numbers.iter().any(|word| call.asked.words.contains(word) || call.shown.words.contains(word));
    if class != WordClass::Informing && ledger.changes().any(|(call, _)| has_number(call)) {
        return None;
    }
    if ledger.changes().any(|(call, card)| does(card, class) && is_about(call, card))
        || is_excused(deed, sentence, ledger)
    {
        return None;
    }
    let able = ledger.desk.tools.iter().find(|card| !card.is_read && does(card, class));
    let evidence = match able {
        Some(card) => format!("no call of `{}` did it", card.tool.name),
        None => "no call did it, and no tool does".to_owned(),
    };
    Some((evidence, false))
}

/// Whether a tool does deeds of a class, as far as its words tell.
fn does(card: &Card, class: WordClass) -> bool {
    let is_verb = |word: &CompactString| is(class, word) || lexicon().verbs_of(word).iter().any(|verb| is(class, verb));
    let has = |stems: &[&str]| stems.iter().any(|own| card.stems.contains(own));
    let by_noun = match class {
        WordClass::Noting => card.name_stems.contains("note") || card.name_stems.contains("messag"),
        WordClass::Informing => !card.informs.is_empty() || has(&["messag", "notic", "notif"]),
        WordClass::Sending => {
            has(&["messag"]) || card.described.iter().chain(&card.name).any(|word| is(WordClass::Mails, word))
        }
        _ => false,
    };
    card.name.iter().chain(&card.verbs).chain(&card.described).any(is_verb) || by_noun
}

/// Whether something that was read, a rule, or the user says that it was so. Who asks for the very deed of a tool does not.
fn is_excused(deed: &Deed, sentence: &Sentence, ledger: &Ledger) -> bool {
    let past = (deed.words.0..deed.words.1).filter(|at| sentence.is_past_form(*at)).map(|at| sentence.word(at));
    let forms: Vec<&str> = deed.verbs.iter().map(CompactString::as_str).chain(past).map(stem).collect();
    let is_about = |source: &Source| deed.things.is_empty() || deed.things.iter().any(|own| source.has_stem(own));
    let says = |source: &Source| forms.iter().any(|form| source.has_any_stem(form)) && is_about(source);
    // `the guest is told`, but not `tell the guest`, which the agent would have to do.
    let by_itself = |source: &Source| {
        ["is", "are", "gets", "get", "sends", "receives", "automatically"]
            .iter()
            .any(|word| source.words.contains(word))
    };
    let rules = |source: &Source| says(source) && by_itself(source) && !deed.things.is_empty();
    let is_tool = ledger.desk.tools.iter().any(|card| !card.is_read && is_named(deed, card, &deed.things));
    // What was not read may tell of it, unless the agent says that it did it itself.
    (ledger.is_cut && deed.form != Form::Own)
        || ledger.calls.iter().any(|call| says(&call.shown))
        || ledger.heard.iter().any(|heard| says(heard) && (!is_tool || heard.words.contains(&deed.past)))
        || ledger.desk.rules.iter().any(|rule| rules(&rule.source))
}

/// Whether a tool is called as a deed is told: by its verb, and one of these nouns.
fn is_named(deed: &Deed, card: &Card, nouns: &[CompactString]) -> bool {
    is_of_verb(deed, card) && nouns.iter().any(|own| card.name_stems.contains(own))
}

/// Whether a tool's name begins with the verb of a deed.
fn is_of_verb(deed: &Deed, card: &Card) -> bool {
    card.name.first().is_some_and(|own| deed.verbs.contains(own) && !is(WordClass::Lookups, own))
}

/// What speaks against a deed in the very words of a tool: it was not called, or refused. Words that an environment
/// declares of a tool (`claims`) stand for it whatever they are said of; a verb in its name needs its noun, or an id in its
/// place; behind a refusal of that tool `I cancelled it` is enough, and so is whatever the call was about.
fn tool_against(deed: &Deed, ledger: &Ledger) -> Option<(String, bool)> {
    let was_refused = |card: &Card| {
        let refused = ledger.calls.iter().filter(|call| !call.is_ok && !call.is_read);
        let own = refused.filter(|call| ledger.card(call).is_some_and(|own| std::ptr::eq(own, card)));
        own.into_iter().any(|call| is_about(deed, call, card))
    };
    let is_own = matches!(deed.form, Form::Own | Form::Bare);
    let is_unnamed = |card: &Card| deed.only_ids || (is_own && was_refused(card));
    let names = |card: &Card| {
        deed.form != Form::Lasting
            && (is_named(deed, card, &deed.objects) || (is_of_verb(deed, card) && is_unnamed(card)))
    };
    let does =
        |card: &Card| !card.is_read && (card.claimed.iter().any(|verb| deed.verbs.contains(verb)) || names(card));
    let of_verb = |is_ok: bool| {
        let made = ledger.calls.iter().filter(move |call| !call.is_read && call.is_ok == is_ok);
        made.filter_map(|call| ledger.card(call)).any(|card| does(card) || (is_ok && means(deed, card)))
    };
    let card = ledger.desk.tools.iter().find(|card| does(card))?;
    // `your order has been cancelled` may be the user's own deed, or one that was read; `I have cancelled it` is neither.
    let verb = |source: &Source| deed.verbs.iter().any(|verb| source.has_any_stem(stem(verb)));
    let shown = |source: &Source| {
        verb(source) && (deed.form != Form::Own || deed.objects.iter().any(|own| source.has_any_stem(own)))
    };
    let past = |source: &Source| source.words.contains(&deed.past);
    let is_known = ledger.calls.iter().any(|call| call.is_read && shown(&call.shown))
        || (deed.form != Form::Own && ledger.is_cut)
        || (deed.form != Form::Own && ledger.heard.iter().any(|heard| past(heard)));
    let is_refused = of_verb(false);
    // `The money is paid once it arrives` tells how things go; only after a refusal it tells what was tried.
    if matches!(deed.form, Form::Lasting | Form::Bare) && !is_refused {
        return None;
    }
    if of_verb(true) || (is_known && !is_refused) {
        return None;
    }
    Some((format!("`{}` was {}", card.tool.name, if is_refused { "refused" } else { "not called" }), is_refused))
}

/// `It went through`, `your request has been accepted`, where all that was tried since the last reply was refused.
fn success(sentence: &Sentence, ledger: &Ledger) -> Option<((usize, usize), String)> {
    let tried = || ledger.calls.iter().skip(ledger.answered).filter(|call| !call.is_read);
    let refused = tried().last().filter(|_| tried().all(|call| !call.is_ok))?;
    let tool = &ledger.card(refused)?.tool.name;
    let is_success = |at: usize| {
        let (clause, end) = sentence.clause(at);
        // `I have gone through your payments` is a look.
        let is_it = || sentence.range(clause, at).any(|word| is(WordClass::Anaphors, word)) && at + 2 >= end;
        let is_told = match [sentence.word(at), sentence.word(at + 1)] {
            ["went" | "gone", "through"] => is_it(),
            ["all", "set"] => true,
            _ => false,
        };
        is_told && !is_open(sentence, clause, at)
    };
    let passed = |deed: &Deed| {
        let (clause, _) = sentence.clause(deed.words.0);
        // `Your order has already been processed` is why it was refused.
        let says = |source: &Source| deed.verbs.iter().any(|verb| source.has_any_stem(stem(verb)));
        let is_reason = sentence.range(clause, deed.words.1).any(|word| word == "already")
            || ledger.calls.iter().any(|call| says(&call.shown))
            || ledger.heard.iter().any(|heard| heard.words.contains(&deed.past));
        let is_now =
            deed.form == Form::Passive || (deed.form == Form::Lasting && sentence.before(deed.words.1 - 1) == "now");
        (is_now && !is_reason && is(WordClass::Outcomes, &deed.past)).then_some(deed.words)
    };
    let phrase = (0..sentence.words.len()).find(|at| is_success(*at)).map(|at| (at.saturating_sub(1), at + 2));
    let (from, to) = phrase.or_else(|| told(sentence).iter().find_map(passed))?;
    Some((sentence.span(from, to), format!("`{tool}` was refused")))
}

/// A change that the agent says it made itself, where no call changed anything: `I have applied your discount`.
fn unmade(deed: &Deed, ledger: &Ledger) -> Option<(String, bool)> {
    let is_change = deed.form == Form::Own && deed.verbs.iter().any(|verb| is(WordClass::Alterations, verb));
    // `I have changed the wording below`
    let is_of_words = deed.objects.iter().any(|own| is(WordClass::Drafts, own));
    let is_none = ledger.changes().next().is_none() && !ledger.is_cut && !deed.objects.is_empty() && !is_of_words;
    (is_change && is_none).then(|| ("no call changed anything".to_owned(), false))
}

/// What somebody else is said to have confirmed or let the desk know, though nobody but the user spoke and no result
/// tells of it.
fn words_of_others(sentence: &Sentence, ledger: &Ledger) -> Option<((usize, usize), String)> {
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
fn news(sentence: &Sentence, ledger: &Ledger) -> Option<((usize, usize), String)> {
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
