//! Rules and tools of a desk, read once for all its dialogues.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use compact_str::CompactString;
use serde_json::Value;

use crate::source::{Source, SourceKind, Units, units};
use probity_prose::date::weekday_name;
use probity_prose::deed::Deed;
use probity_prose::lexicon::{is, lexicon};
use probity_prose::quantity::quantity_at;
use probity_prose::token::{name_words, stem, tokens, words};
use probity_prose::value::values;
use probity_prose::{Calendar, Found, Lookup, MONTHS, Quantity, Sentence, Shape, Text, Token, WordClass, Words};

/// Most sources that are kept of one desk; others are read again where they come again.
const MAX_KEPT: usize = 512;
/// Longest source that is kept, in bytes of its words, and most of all that are kept.
const MAX_TEXT: usize = 16 * 1024;
const MAX_TEXTS: usize = 2 << 20;
/// How deep a schema is read for its names and texts.
const MAX_DEPTH: usize = 16;

/// A tool as the agent is told of it, with what its environment declares, if anything.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Whether it only reads; `None` where nothing says so, and its words have to tell.
    pub is_read: Option<bool>,
    /// Phrases that tell of its deed: `moved`, `changed the room`.
    pub claims: Vec<String>,
    /// What it shows, beside what its name says.
    pub topics: Vec<String>,
    /// Whom a call of it tells.
    pub informs: Vec<String>,
    /// Its parameters that take free text.
    pub free_text: Vec<String>,
    /// Units of the fields of its arguments and results, where a schema names one: `EUR cents`.
    pub units: BTreeMap<String, String>,
}

/// A desk: what an agent is told before anybody speaks.
pub struct Desk {
    /// From when days and times are seen.
    pub calendar: Calendar,
    pub(crate) brief: Arc<Source>,
    pub(crate) rules: Vec<Rule>,
    /// Whether its rules are known: nobody misquotes rules that were not given.
    pub(crate) has_brief: bool,
    /// Whether its brief or a tool speaks of letters by wire.
    pub(crate) knows_mail: bool,
    /// The places of the rules that have a stem.
    rules_by_stem: Lookup<CompactString, Vec<usize>>,
    pub(crate) tools: Vec<Card>,
    pub(crate) units: Units,
    kept: Mutex<Kept>,
}

/// Sources that were read, and how much text they have.
#[derive(Default)]
struct Kept {
    sources: Lookup<SourceInput, Arc<Source>>,
    bytes: usize,
}

/// What is read anew in one dialogue after the other.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum SourceInput {
    Said(String),
    /// What a read showed, or what a call was made with.
    Shown(Value),
    Written(Value),
}

/// A sentence of the brief or of a tool's description.
pub(crate) struct Rule {
    pub text: String,
    pub stems: BTreeSet<CompactString>,
    pub source: Source,
    pub frames: Vec<Frame>,
}

/// A number with the words around it: `after three late` of `after three late cancellations`.
pub(crate) struct Frame {
    pub quantity: Quantity,
    /// The stem of the word before it, articles left out, and of the word behind it and its unit; nothing where the
    /// sentence ends with it.
    pub around: (CompactString, Option<CompactString>),
}

impl Frame {
    /// The frame of a number of some tokens; nothing at the beginning of a sentence.
    pub(crate) fn of(tokens: &[Token], (from, to): (usize, usize), quantity: Quantity) -> Option<Frame> {
        let ends = |token: &Token| token.gap.contains(['.', '!', '?', ';', '\n', ':', '(', ')']);
        let is_article = |token: &&Token| is(WordClass::BoundArticles, token.folded.as_str());
        let before = tokens.get(..from)?.iter().rev().find(|token| !is_article(token))?;
        let behind = tokens.get(to).filter(|token| !ends(token)).map(|behind| stem(&behind.folded).into());
        if tokens.get(from).is_some_and(ends) {
            return None;
        }
        Some(Frame { quantity, around: (stem(&before.folded).into(), behind) })
    }
}

/// A tool in words.
pub(crate) struct Card {
    pub tool: Tool,
    pub is_read: bool,
    /// The words of its name: `list`, `incidents`.
    pub name: Vec<CompactString>,
    pub name_stems: Words,
    /// The stems of its name, description, parameters and claims.
    pub stems: Words,
    /// The words of its name and of its claims, and the first of its description.
    pub verbs: Vec<CompactString>,
    /// The verbs of what an environment declares of its deed.
    pub claimed: Vec<CompactString>,
    /// The words of its description.
    pub described: Vec<CompactString>,
    pub topics: Words,
    pub informs: Words,
}

impl Desk {
    /// Reads a brief and tools; days and times are seen from `calendar`.
    pub fn new(brief: &str, tools: Vec<Tool>, calendar: Calendar) -> Desk {
        let brief = without_numbering(brief);
        let source = told(&brief, &tools, &calendar);
        let mut rules = rules_of(&brief, &calendar);
        tools.iter().for_each(|tool| rules.extend(rules_of(&tool.description, &calendar)));
        let mut rules_by_stem: Lookup<CompactString, Vec<usize>> = Lookup::default();
        for (place, rule) in rules.iter().enumerate() {
            rule.stems.iter().for_each(|stem| rules_by_stem.make(stem.clone()).push(place));
        }
        let units = units(tools.iter().flat_map(|tool| &tool.units));
        let tools = tools.into_iter().map(Card::of).collect();
        let knows_mail = rules.iter().any(|rule| words(&rule.text).iter().any(|word| is(WordClass::Mails, word)));
        let (has_brief, brief, kept) = (!brief.trim().is_empty(), Arc::new(source), Mutex::default());
        Desk { calendar, has_brief, brief, rules, knows_mail, rules_by_stem, tools, units, kept }
    }

    /// How many rules have a stem.
    pub(crate) fn rules_with(&self, stem: &str) -> usize {
        self.rules_by_stem.get(stem).map_or(0, Vec::len)
    }

    /// How many of some stems the rule has that has most of them.
    pub(crate) fn most_in_common(&self, stems: &[CompactString]) -> usize {
        let mut counts = vec![0; self.rules.len()];
        for place in stems.iter().filter_map(|stem| self.rules_by_stem.get(stem)).flatten() {
            counts.get_mut(*place).into_iter().for_each(|count| *count += 1);
        }
        counts.into_iter().max().unwrap_or(0)
    }

    /// Users and tools say the same in one dialogue after the other: what was read once is kept.
    pub(crate) fn source(&self, input: SourceInput, read: impl FnOnce() -> Source) -> Arc<Source> {
        let known = self.kept.lock().ok().and_then(|kept| kept.sources.get(&input).cloned());
        if let Some(known) = known {
            return known;
        }
        let source = Arc::new(read());
        if source.text.len() <= MAX_TEXT
            && let Ok(mut kept) = self.kept.lock()
            && kept.sources.len() < MAX_KEPT
            && kept.bytes < MAX_TEXTS
        {
            kept.bytes += source.text.len();
            kept.sources.insert(input, Arc::clone(&source));
        }
        source
    }
}

/// The day and time that a brief says it is: `It is Saturday 23 May 2026, 13:40.`, `now: 2026-10-14T10:30:00Z`. The first
/// line that speaks of today and has a whole date; nothing where none does.
pub fn calendar_of(brief: &str) -> Option<Calendar> {
    let unknown = Calendar::at(0);
    let read = |text: &str| {
        let found = values(text, &unknown);
        let day = |found: &Found| match found.value.days() {
            [day] if day.year() > 2000 => Some(*day),
            _ => None,
        };
        let time = |found: &Found| found.value.times().first().copied();
        Some(Calendar { today: found.iter().find_map(day)?, now: found.iter().find_map(time).unwrap_or(0) })
    };
    let tells = |line: &&str| words(line).iter().any(|word| is(WordClass::Nows, word));
    let moments = || brief.lines().flat_map(|line| line.split(". ")).filter(|part| is_moment(part));
    brief.lines().filter(tells).find_map(read).or_else(|| moments().find_map(read))
}

/// Whether some words are a weekday with its date and nothing else but a time of day: `Monday 2 November 2026, 9:00`.
fn is_moment(text: &str) -> bool {
    let tokens = tokens(text);
    let is_part = |token: &Token| {
        let word = token.folded.as_str();
        token.shape != Shape::Word
            || MONTHS.contains(&word)
            || matches!(word, "it" | "s" | "is" | "am" | "pm" | "of" | "the" | "at")
    };
    let weekdays = (0..tokens.len()).filter(|at| weekday_name(&tokens, *at).is_some()).count();
    weekdays == 1 && tokens.len() > 3 && tokens.iter().filter(|token| !is_part(token)).count() == 1
}

/// A text without the numbers that only count its paragraphs: `3. `, `4) `.
pub(crate) fn without_numbering(text: &str) -> String {
    let plain = |line: &str| {
        let digits = line.trim_start().trim_start_matches('(');
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let body = rest.strip_prefix(['.', ')']).filter(|body| rest.len() < digits.len() && body.starts_with(' '));
        body.unwrap_or(line).to_owned()
    };
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// What a brief and tools tell.
pub fn told(brief: &str, tools: &[Tool], calendar: &Calendar) -> Source {
    let mut source = Source::new(SourceKind::Brief);
    source.add_text(brief, calendar);
    for tool in tools {
        source.add_text(&tool.name, calendar);
        source.add_text(&tool.description, calendar);
        describe(&tool.parameters, 0, &mut source, calendar);
    }
    source
}

fn rules_of(text: &str, calendar: &Calendar) -> Vec<Rule> {
    let chars: Vec<char> = text.chars().collect();
    let rule = |sentence: &Sentence| {
        let (from, to) = sentence.span(0, sentence.words.len());
        let text: String = chars.get(from..to)?.iter().collect();
        let mut source = Source::new(SourceKind::Brief);
        source.add_text(&text, calendar);
        let stems: BTreeSet<CompactString> = telling(sentence, 0, sentence.words.len()).into_iter().collect();
        let tokens = sentence.tokens();
        let frame = |at: usize| {
            let (taken, quantity) = quantity_at(tokens, at)?;
            Frame::of(tokens, (at, at + taken), quantity)
        };
        let frames = (0..tokens.len()).filter_map(frame).collect();
        (!stems.is_empty()).then_some(Rule { stems, text, source, frames })
    };
    Text::read(text).sentences.iter().filter_map(rule).collect()
}

/// The stems of the words of a sentence from `from` up to `to` that tell what something is about.
pub(crate) fn telling(sentence: &Sentence, from: usize, to: usize) -> Vec<CompactString> {
    let words = sentence.words.iter().take(to).skip(from);
    words.filter(|word| is_telling(&word.text)).map(|word| stem(&word.text).into()).collect()
}

pub(crate) fn is_telling(word: &str) -> bool {
    lexicon().entry(word).classes.are_telling(word) && !word.starts_with(|c: char| c.is_ascii_digit())
}

/// The names, descriptions and listed values of a tool's parameters; bounds and patterns are no values.
fn describe(schema: &Value, depth: usize, source: &mut Source, calendar: &Calendar) {
    if depth > MAX_DEPTH {
        return;
    }
    for text in ["title", "description"].into_iter().filter_map(|key| schema.get(key)?.as_str()) {
        source.add_text(text, calendar);
    }
    for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        source.add_text(value, calendar);
    }
    for (name, below) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        source.add_text(&name_words(name).join(" "), calendar);
        describe(below, depth + 1, source, calendar);
    }
    if let Some(items) = schema.get("items") {
        describe(items, depth + 1, source, calendar);
    }
}

impl Card {
    fn of(tool: Tool) -> Card {
        let (name, described) = (name_words(&tool.name), words(&tool.description));
        // What nothing tells is taken for a look.
        let looks = || Deed::of(&tool.name, &tool.description).is_none_or(|deed| !deed.changes);
        let is_read = tool.is_read.unwrap_or_else(looks);
        let (mut all, calendar) = (Source::new(SourceKind::Brief), Calendar::at(0));
        all.add_text(&name.join(" "), &calendar);
        all.add_text(&tool.description, &calendar);
        describe(&tool.parameters, 0, &mut all, &calendar);
        tool.claims.iter().for_each(|claim| all.add_text(claim, &calendar));
        let claimed = tool.claims.iter().flat_map(|claim| words(claim));
        let claimed: Vec<CompactString> = claimed.flat_map(|word| lexicon().verbs_of(&word)).collect();
        let verbs = name.iter().chain(described.first()).chain(&claimed).cloned().collect();
        let stems_of =
            |texts: &[String]| texts.iter().flat_map(|text| words(text)).map(|word| stem(&word).into()).collect();
        Card {
            is_read,
            name_stems: name.iter().map(|word| CompactString::new(stem(word))).collect(),
            stems: all.stems,
            topics: stems_of(&tool.topics),
            informs: stems_of(&tool.informs),
            name,
            verbs,
            claimed,
            described,
            tool,
        }
    }

    /// Whether it shows something of that name.
    pub(crate) fn shows(&self, noun: &str) -> bool {
        self.is_read && (self.name_stems.contains(noun) || self.topics.contains(noun))
    }
}
