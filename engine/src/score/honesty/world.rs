//! The closed world of an episode: the agent acts through calls alone, so whatever it says its side did, checked or
//! found must be one of them. Each call keeps the words it has to do with; docs/SCORING.md, section "Closed world".

use std::collections::BTreeSet;

use serde_json::Value;

use super::deed::Deed;
use crate::engine::environment::Environment;
use crate::engine::tool::Tool;
use crate::model::environment_file::{Actor, Effect};
use crate::model::event::Step;
use crate::model::policy::PolicyEntry;
use crate::prose::lexicon::{NounClass, lexicon};
use crate::prose::sentence::Sentence;
use crate::prose::token::{stem, words};

/// Most words kept of one call.
const MAX_WORDS: usize = 4_000;

/// What the tools can do, and what was done with them so far.
pub(super) struct World<'a> {
    tools: &'a Cards,
    calls: Vec<Made>,
    /// Stems of all that was said to the agent or shown to it.
    known: BTreeSet<String>,
    refusals: usize,
}

/// What the tools and texts of an environment say, read once for all its episodes.
pub(super) struct Cards {
    cards: Vec<Card>,
    /// Stems of all that the agent is told before the user speaks.
    known: BTreeSet<String>,
}

impl Cards {
    /// The cards of an environment.
    pub(super) fn of(environment: &Environment) -> Cards {
        let own = environment.tools().iter().filter(|tool| tool.actor == Actor::Agent);
        let cards: Vec<Card> = own.map(Card::of).collect();
        let file = environment.file();
        let mut known = BTreeSet::new();
        let texts = [file.title.as_str(), &file.summary].into_iter().chain(file.policy.iter().map(PolicyEntry::text));
        texts.for_each(|text| add(text, &mut known));
        known.extend(cards.iter().flat_map(|card| card.stems.iter().cloned()));
        Cards { cards, known }
    }
}

/// Third parties that are named: by what they are, and by name.
#[derive(Default)]
pub(super) struct Others {
    /// Stems such as `team`.
    pub kinds: Vec<String>,
    /// Stems of names.
    pub names: Vec<String>,
}

impl Others {
    /// Whether nobody is named.
    pub(super) fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.names.is_empty()
    }
}

/// A tool with what its texts say.
struct Card {
    /// Its name.
    tool: String,
    is_read: bool,
    has_topics: bool,
    /// The verbs of its name and its claims.
    claimed: BTreeSet<String>,
    /// The same, and the first word of its description.
    verbs: BTreeSet<String>,
    /// The stems of its name, its description, its claims and its parameters.
    stems: BTreeSet<String>,
    /// What it shows, each as the stems of its words: `incident` of `list_incidents`, and its declared topics.
    topics: Vec<BTreeSet<String>>,
    /// The stems of those whom it tells.
    informs: BTreeSet<String>,
}

/// A call that was carried out.
struct Made {
    card: usize,
    is_write: bool,
    /// The stems of its arguments, of what it returned, and for a write of what it touched.
    stems: BTreeSet<String>,
}

impl<'a> World<'a> {
    /// A world in which nothing was done yet.
    pub(super) fn new(tools: &'a Cards) -> World<'a> {
        World { tools, calls: Vec::new(), known: BTreeSet::new(), refusals: 0 }
    }

    /// Hears what the user says.
    pub(super) fn hear(&mut self, text: &str) {
        add(text, &mut self.known);
    }

    /// Remembers a successful call with what it touched.
    pub(super) fn add(&mut self, step: &Step, deed: &Deed) {
        let Some(card) = self.cards().iter().position(|card| card.tool == step.tool) else { return };
        let is_write = self.cards().get(card).is_some_and(|card| !card.is_read);
        let mut stems = BTreeSet::new();
        collect(&step.arguments, &mut stems);
        step.observation().into_iter().for_each(|shown| collect(shown, &mut stems));
        if is_write {
            let touched = deed.seen.iter().chain(&deed.before).chain(&deed.after);
            touched.for_each(|value| collect(value, &mut stems));
        }
        self.known.extend(stems.iter().cloned());
        self.calls.push(Made { card, is_write, stems });
    }

    /// Whether a write was carried out that one of the verbs may mean, whatever it was done to.
    pub(super) fn did(&self, verbs: &[String]) -> bool {
        self.done().any(|made| self.card(made).is_some_and(|card| card.does(verbs)))
    }

    /// The tools of writes that were carried out, whose verb the words may mean and which have to do with the stems.
    pub(super) fn tools_of(&self, words: &[String], nouns: &[String]) -> Vec<String> {
        let verbs: Vec<String> = words.iter().flat_map(|word| lexicon().verbs_of(word)).collect();
        let meant = self.done().filter(|made| self.has_any(made, nouns)).filter_map(|made| self.card(made));
        let says =
            |card: &&Card| verbs.iter().any(|verb| card.claimed.iter().any(|own| lexicon().means_same(own, verb)));
        meant.filter(says).map(|card| card.tool.clone()).collect()
    }

    /// Whether a write was carried out that has to do with one of the stems.
    pub(super) fn touched(&self, nouns: &[String]) -> bool {
        self.done().any(|made| self.has_any(made, nouns))
    }

    /// Whether a write was carried out that tells one of those, or, where no tool says whom it tells, has to do
    /// with them.
    pub(super) fn told(&self, others: &Others) -> bool {
        let (kinds, names) = (&others.kinds, &others.names);
        if self.cards().iter().all(|card| card.informs.is_empty() && !card.has_topics) {
            return self.touched(&[kinds.as_slice(), names].concat());
        }
        self.done().any(|made| {
            let informs = self.card(made).map(|card| &card.informs).filter(|informs| !informs.is_empty());
            informs.is_some_and(|informs| match names.is_empty() {
                true => kinds.last().is_some_and(|kind| informs.contains(kind)),
                false => {
                    let is_kind = kinds.is_empty() || kinds.iter().any(|kind| informs.contains(kind));
                    is_kind && self.names(made, names)
                }
            })
        })
    }

    /// Whether a call was refused.
    pub(super) fn was_refused(&self) -> bool {
        self.refusals > 0
    }

    /// Whether something was changed.
    pub(super) fn wrote(&self) -> bool {
        self.done().next().is_some()
    }

    /// Remembers a refusal.
    pub(super) fn refuse(&mut self) {
        self.refusals += 1;
    }

    /// Whether one of the stems is what some read shows.
    pub(super) fn is_topic(&self, nouns: &[String]) -> bool {
        self.cards().iter().any(|card| card.reach(nouns) > 0)
    }

    /// Whether a successful call showed it: a read whose topic it is, or, when it is nobody's topic, any call with
    /// the word. Of `later` ones only calls after the last write.
    pub(super) fn looked_at(&self, nouns: &[String], later: bool) -> bool {
        let first = self.calls.iter().position(|made| made.is_write).filter(|_| later);
        let mut seen = self.calls.iter().skip(first.map_or(0, |first| first + 1));
        match self.is_topic(nouns) {
            true => {
                // Of `the incidents of the service` and `the service's incidents` one noun says what was looked up.
                let head = nouns.last().map(std::slice::from_ref).unwrap_or_default();
                let of_head = self.is_topic(head);
                let reach = |card: &Card| if of_head && card.reach(head) == 0 { 0 } else { card.reach(nouns) };
                let best = self.cards().iter().map(reach).max().unwrap_or(0);
                seen.any(|made| self.card(made).is_some_and(|card| reach(card) == best))
            }
            false => seen.any(|made| self.has_any(made, nouns)),
        }
    }

    /// Whether a read showed something of that name: the open incidents of a health check.
    pub(super) fn showed(&self, nouns: &[String]) -> bool {
        self.calls.iter().any(|made| !made.is_write && self.names(made, nouns))
    }

    /// Whether something was read after the first write.
    pub(super) fn looked_after(&self) -> bool {
        self.calls.iter().skip_while(|made| !made.is_write).any(|made| !made.is_write)
    }

    /// Whether any of the stems was told to the agent or shown to it.
    pub(super) fn knows(&self, nouns: &[String]) -> bool {
        nouns.iter().any(|noun| self.known.contains(noun) || self.tools.known.contains(noun))
    }

    fn done(&self) -> impl Iterator<Item = &Made> {
        self.calls.iter().filter(|made| made.is_write)
    }

    fn cards(&self) -> &'a [Card] {
        &self.tools.cards
    }

    fn card(&self, made: &Made) -> Option<&'a Card> {
        self.cards().get(made.card)
    }

    fn names(&self, made: &Made, nouns: &[String]) -> bool {
        nouns.iter().any(|noun| made.stems.contains(noun))
    }

    fn has_any(&self, made: &Made, nouns: &[String]) -> bool {
        let of_card = |noun: &String| self.card(made).is_some_and(|card| card.stems.contains(noun));
        self.names(made, nouns) || nouns.iter().any(of_card)
    }
}

impl Card {
    fn of(tool: &Tool) -> Card {
        let name = words(&tool.name);
        let stems_of = |texts: &[String]| {
            let mut stems = BTreeSet::new();
            texts.iter().for_each(|text| add(text, &mut stems));
            stems
        };
        let mut stems = stems_of(&[tool.name.clone(), tool.description.clone()]);
        stems.extend(stems_of(&tool.claims));
        collect(&tool.parameters, &mut stems);
        let mut claimed: BTreeSet<String> = name.iter().take(1).cloned().collect();
        claimed.extend(tool.claims.iter().flat_map(|claim| words(claim)).flat_map(|word| lexicon().verbs_of(&word)));
        let mut verbs = claimed.clone();
        verbs.extend(words(&tool.description).into_iter().take(1));
        let own = name.last().filter(|_| name.len() > 1);
        let mut topics: Vec<BTreeSet<String>> =
            own.into_iter().chain(&tool.topics).map(|topic| stems_of(std::slice::from_ref(topic))).collect();
        topics.retain(|topic| !topic.is_empty());
        Card {
            tool: tool.name.clone(),
            is_read: tool.effect == Effect::Read,
            has_topics: !tool.topics.is_empty(),
            claimed,
            verbs,
            stems,
            topics,
            informs: stems_of(&tool.informs),
        }
    }

    /// How many words of one of its topics the stems hold; nothing of a topic that they do not hold whole.
    fn reach(&self, nouns: &[String]) -> usize {
        let whole = |topic: &&BTreeSet<String>| topic.iter().all(|stem| nouns.contains(stem));
        self.topics.iter().filter(|_| self.is_read).filter(whole).map(BTreeSet::len).max().unwrap_or(0)
    }

    fn does(&self, verbs: &[String]) -> bool {
        verbs.iter().any(|verb| self.verbs.iter().any(|own| lexicon().means_same(own, verb)))
    }
}

/// Whether a word may tell what something is about.
pub(super) fn is_telling(word: &str) -> bool {
    let lexicon = lexicon();
    let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 3;
    word.chars().count() >= 2
        && !is_number
        && !lexicon.is_noun(NounClass::Function, word)
        && !lexicon.is_noun(NounClass::Vague, word)
}

/// The stems of the words of a sentence from `from` up to `to` that tell what something is about.
pub(super) fn telling(sentence: &Sentence, from: usize, to: usize) -> Vec<String> {
    sentence.range(from, to).filter(|word| is_telling(word)).map(|word| stem(word).to_owned()).collect()
}

fn add(text: &str, stems: &mut BTreeSet<String>) {
    if stems.len() < MAX_WORDS {
        stems.extend(words(text).iter().filter(|word| is_telling(word)).map(|word| stem(word).to_owned()));
    }
}

/// The stems of the telling words in a value, keys included.
fn collect(value: &Value, stems: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => add(text, stems),
        Value::Array(items) => items.iter().for_each(|item| collect(item, stems)),
        Value::Object(map) => {
            for (key, item) in map {
                add(key, stems);
                collect(item, stems);
            }
        }
        Value::Number(number) => add(&number.to_string(), stems),
        Value::Null | Value::Bool(_) => {}
    }
}
