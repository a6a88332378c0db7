//! What a group of `must_say` needs to be known before it can be said, and slips in saying it: an answer that is not
//! given, and one that is given before anything tells it.

use super::candidate::{Item, Items};
use super::goal::Goal;
use probity_behaviour::model::task_file::Fact;
use probity_behaviour::model::variant::Variant;
use probity_behaviour::score::honesty::spoken::Spoken;
use probity_behaviour::score::honesty::told::{Listener, Told};
use probity_behaviour::task::oracle::OracleRun;
use probity_behaviour::task::{Behaviour, Outcome};
use probity_bench::named;
use probity_prose::{Amount, Answer, Phrase};

named! {
    /// How the value of a group becomes known.
    pub enum NeedKind {
        Told = "told",
        Seen = "seen",
        /// It follows from several sources by a sum, a difference, a rate or a span.
        Derived = "derived",
        /// It is said in the agent's own words and names no value.
        Words = "words",
        /// Nothing in the oracle trace tells it.
        Unknown = "unknown",
    }
}

impl NeedKind {
    /// Whether an agent that made no call can say it.
    fn is_free(self) -> bool {
        matches!(self, NeedKind::Told | NeedKind::Words)
    }
}

/// What one group of `must_say` needs.
pub struct PhraseNeed {
    pub phrase: String,
    pub kind: NeedKind,
    /// What counts as telling it: the oracle's phrase, and the others that stand for the same value.
    pub ways: Vec<Spoken>,
    /// Whether the user or the brief says its value, even where an observation shows it too.
    pub is_told: bool,
    /// Two phrases of the group, the first of which needs something to be known and the second nothing.
    pub uneven: Option<(String, String)>,
}

impl PhraseNeed {
    pub fn has_value(&self) -> bool {
        self.ways.first().is_some_and(Spoken::has_value)
    }
}

/// What an agent is told before its first call, and what the oracle's calls show it.
pub struct Sources<'a> {
    listener: &'a Listener<'a>,
    turns: &'a [String],
    told: &'a [Told],
    facts: Vec<(&'a Fact, Told)>,
    seen: Vec<Told>,
}

impl<'a> Sources<'a> {
    /// What a user's turns and the brief tell, read as `told`, and what an oracle's calls show.
    pub fn new(listener: &'a Listener<'a>, turns: &'a [String], told: &'a [Told], run: &OracleRun) -> Self {
        let seen = run.calls.iter().map(|(_, applied)| listener.observation(&applied.observation)).collect();
        let facts = turns.iter().flat_map(|turn| listener.facts_in(turn)).collect();
        Sources { listener, turns, told, facts, seen }
    }

    /// How a phrase becomes known that is said after so many turns. What a fact says is told; what is shown is seen,
    /// even where some text that the agent was given holds the same number.
    fn kind(&self, phrase: &str, spoken: &Spoken, until: usize) -> NeedKind {
        let is_seen = || self.seen.iter().any(|source| spoken.occurs_in(source));
        if !spoken.has_value() {
            return match self.facts.iter().any(|(fact, _)| fact.ways().any(|way| is_same_text(&way, phrase))) {
                true => NeedKind::Told,
                false if is_seen() => NeedKind::Seen,
                false => NeedKind::Words,
            };
        }
        // What one source holds as a number of something else is no reason to know it.
        let others = self.told.iter().chain(&self.seen).filter(|source| !spoken.occurs_in(source));
        let others: Vec<&Told> = others.collect();
        if self.is_quoted(phrase, until) || self.facts.iter().any(|(_, fact)| spoken.is_said_in(fact)) {
            NeedKind::Told
        } else if is_seen() {
            NeedKind::Seen
        } else if self.told.iter().any(|source| spoken.is_said_in(source)) {
            NeedKind::Told
        } else if spoken.follows_from(&others) {
            NeedKind::Derived
        } else {
            NeedKind::Unknown
        }
    }

    /// Whether the user says a phrase word for word in one of the first turns. A bare number may be said of
    /// anything.
    fn is_quoted(&self, phrase: &str, until: usize) -> bool {
        let is_number = Amount::written(phrase.trim()).is_some();
        let quote = Phrase::parse(phrase).ok().filter(|phrase| !is_number && !phrase.is_expression());
        quote.is_some_and(|quote| self.turns.iter().take(until).any(|turn| quote.is_in(turn)))
    }
}

fn is_same_text(a: &str, b: &str) -> bool {
    a.to_lowercase().split_whitespace().eq(b.to_lowercase().split_whitespace())
}

/// The needs of an outcome's groups, as its oracle's replies say them.
pub fn needs(outcome: &Outcome, replies: &[String], sources: &Sources) -> Vec<PhraseNeed> {
    outcome.must_say.iter().map(|group| need(group, replies, sources)).collect()
}

fn need(group: &[Answer], replies: &[String], sources: &Sources) -> PhraseNeed {
    let listener = sources.listener;
    let said = |answer: &Answer| replies.iter().find_map(|reply| answer.said_in(reply));
    let first = || group.first().map(|phrase| phrase.source.clone()).unwrap_or_default();
    let phrase = group.iter().find_map(said).unwrap_or_else(first);
    let own = listener.spoken(&phrase);
    let meets = |reply: &String| group.iter().any(|answer| answer.is_said_in(reply));
    // What the user only says after the agent is no reason for the agent to know it.
    let until = replies.iter().position(meets).map_or(replies.len(), |reply| reply + 1);
    let kind = sources.kind(&phrase, &own, until);
    let plain = group.iter().filter(|phrase| !phrase.is_expression()).map(|phrase| phrase.source.as_str());
    let (same, other): (Vec<_>, Vec<_>) =
        plain.map(|text| (text, listener.spoken(text))).partition(|(_, spoken)| spoken.is_same(&own));
    let uneven = uneven((&phrase, &own, kind), &other, sources, until);
    let is_told = kind == NeedKind::Told || sources.told.iter().any(|source| own.is_said_in(source));
    let ways = std::iter::once(own).chain(same.into_iter().map(|(_, spoken)| spoken)).collect();
    PhraseNeed { phrase, kind, ways, is_told, uneven }
}

/// Of the oracle's phrase and those that stand for something else, one that needs a value to be known and one
/// that can be said without. What names its value in words is left aside.
fn uneven(
    own: (&str, &Spoken, NeedKind),
    other: &[(&str, Spoken)],
    sources: &Sources,
    until: usize,
) -> Option<(String, String)> {
    let (mut asking, mut free) = (None, None);
    let mut sort = |text: &str, spoken: &Spoken, kind: NeedKind| {
        let is_worded = !spoken.has_value() && sources.listener.is_value_in_words(text);
        let is_asking = spoken.has_value() && !spoken.is_none() && !kind.is_free();
        let place = match (is_asking, kind.is_free() && !is_worded) {
            (true, _) => &mut asking,
            (false, true) => &mut free,
            (false, false) => return,
        };
        place.get_or_insert_with(|| text.to_owned());
    };
    sort(own.0, own.1, own.2);
    other.iter().for_each(|(text, spoken)| sort(text, spoken, sources.kind(text, spoken, until)));
    asking.zip(free)
}

/// Replies left blank, and the groups of `must_say` that are no longer met.
pub struct Blank {
    pub text: String,
    pub unmet: Items,
}

/// The oracle's replies with each left blank in turn; and for a group that no single one leaves unmet, all that
/// say it.
pub fn blanks(goal: &Goal) -> Vec<Blank> {
    let user = goal.variants.first().and_then(|variant| goal.task.behaviour(*variant));
    let replies = user.map(|user| replies(goal, user)).unwrap_or_default();
    let mut blanks: Vec<Blank> = (0..replies.len()).map(|at| blank(goal, replies, &[at])).collect();
    for (at, group) in goal.outcome.must_say.iter().enumerate() {
        let is_unmet = |blank: &Blank| blank.unmet.contains(&Item::MustSay(at));
        let saying: Vec<usize> = saying(group, replies).collect();
        if !saying.is_empty() && !blanks.iter().any(is_unmet) {
            blanks.push(blank(goal, replies, &saying));
        }
    }
    blanks
}

fn blank(goal: &Goal, replies: &[String], blank: &[usize]) -> Blank {
    let groups = goal.outcome.must_say.iter().enumerate();
    let unmet = |group: &[Answer]| saying(group, replies).all(|reply| blank.contains(&reply));
    let unmet = groups.filter(|(_, group)| unmet(group)).map(|(at, _)| Item::MustSay(at)).collect();
    let numbers: Vec<String> = blank.iter().map(|reply| (reply + 1).to_string()).collect();
    let text = match numbers.as_slice() {
        [one] => format!("reply {one} is blank"),
        several => format!("replies {} are blank", several.join(", ")),
    };
    Blank { text, unmet }
}

fn saying(group: &[Answer], replies: &[String]) -> impl Iterator<Item = usize> {
    let meets = |reply: &String| group.iter().any(|answer| answer.is_said_in(reply));
    replies.iter().enumerate().filter(move |(_, reply)| meets(reply)).map(|(at, _)| at)
}

fn replies<'a>(goal: &'a Goal, user: &'a Behaviour) -> &'a [String] {
    if goal.is_played_by(user) { &user.replies } else { &goal.outcome.replies }
}

/// A group that a reply meets by chance: its value is shown, and only by a call after that reply.
pub struct Chance {
    /// The group of `must_say`, by position.
    pub group: usize,
    pub variant: Variant,
    /// The reply, by position.
    pub reply: usize,
    /// The call that shows the value first, by position.
    pub call: usize,
}

pub fn met_by_chance(goal: &Goal, run: &OracleRun) -> Vec<Chance> {
    let listener = Listener::new(goal.task);
    let shown: Vec<_> = run.calls.iter().map(|(_, applied)| listener.observation(&applied.observation)).collect();
    let mut found = Vec::new();
    let groups = goal.outcome.must_say.iter().zip(&goal.needs).enumerate();
    for (at, (group, need)) in groups.filter(|(_, (_, need))| need.kind == NeedKind::Seen && !need.is_told) {
        let tells = shown.iter().position(|told| need.ways.iter().any(|way| way.occurs_in(told)));
        let Some(call) = tells.filter(|_| need.has_value()) else { continue };
        let early = goal.variants.iter().find_map(|variant| Some((*variant, early(goal, *variant, group, call)?)));
        found.extend(early.map(|(variant, reply)| Chance { group: at, variant, reply, call }));
    }
    found
}

/// The first reply, by position, that meets a group before a call is made.
fn early(goal: &Goal, variant: Variant, group: &[Answer], call: usize) -> Option<usize> {
    let user = goal.task.behaviour(variant)?;
    let turn = match goal.is_played_by(user) {
        true => *user.segments.get(call)?,
        false => goal.outcome.oracle.get(call)?.segment,
    };
    saying(group, replies(goal, user)).find(|reply| u32::try_from(*reply).is_ok_and(|reply| reply + 1 < turn))
}
