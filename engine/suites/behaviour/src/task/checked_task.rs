//! A checked task.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use compact_str::{CompactString, format_compact};
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::oracle::{Behaviour, Outcome};
use super::question::FactPhrases;
use super::text;
use crate::model::task_file::{Fact, TaskFile};
use crate::model::variant::Variant;
use probity_bench::Brief;
use probity_engine::{ConstraintGraph, Difficulty, Effect, Environment, Hash, Pattern, State, Tool, Warning, within};
use probity_prose::token::{name_words, words};
use probity_prose::{Answer, Calendar, Words};

/// A checked task. Only [`Task::build`] makes one.
pub struct Task {
    pub(crate) file: TaskFile,
    pub(crate) environment: Arc<Environment>,
    pub(crate) initial: State,
    pub(crate) bindings: BTreeMap<String, String>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) graph: Arc<ConstraintGraph>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) variants: BTreeMap<Variant, Behaviour>,
    pub(crate) voices: OnceLock<Vec<FactPhrases>>,
    pub(crate) tool_words: OnceLock<Vec<ToolWords>>,
    pub(crate) written: OnceLock<WrittenState>,
    pub(crate) warnings: OnceLock<Vec<Vec<Answer>>>,
    pub(crate) served: OnceLock<BTreeSet<String>>,
    pub(crate) hash: OnceLock<Hash>,
    pub(crate) brief: OnceLock<(Arc<Brief>, Hash)>,
}

impl Task {
    /// `domain/environment/task`.
    pub fn id(&self) -> &str {
        &self.file.id
    }

    pub fn file(&self) -> &TaskFile {
        &self.file
    }

    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// The domain: the first part of the id.
    pub fn domain(&self) -> &str {
        self.file.id.split('/').next().unwrap_or_default()
    }

    pub fn difficulty(&self) -> Difficulty {
        self.file.difficulty
    }

    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// The keys that its bindings stand for, by name with the `$`.
    pub fn bindings(&self) -> &BTreeMap<String, String> {
        &self.bindings
    }

    /// The outcomes that can be accepted; the first is `base`.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The constraint graph: the environment's constraints and its own.
    pub fn graph(&self) -> &Arc<ConstraintGraph> {
        &self.graph
    }

    /// The graph's call patterns, compiled, in the graph's order.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    pub fn variants(&self) -> &BTreeMap<Variant, Behaviour> {
        &self.variants
    }

    /// The facts with the words that ask for them and say them, in the order of their names.
    pub fn voices(&self) -> &[FactPhrases] {
        self.voices.get_or_init(|| self.file.facts.iter().map(|(name, fact)| FactPhrases::of(name, fact)).collect())
    }

    /// The words by which people speak of the environment's tools, in their order.
    pub fn tool_words(&self) -> &[ToolWords] {
        self.tool_words.get_or_init(|| self.environment.tools().iter().map(ToolWords::of).collect())
    }

    pub fn words_of(&self, tool: &str) -> Option<&ToolWords> {
        let mut tools = self.environment.tools().iter().zip(self.tool_words());
        tools.find(|(known, _)| known.name == tool).map(|(_, words)| words)
    }

    /// The tools that change something, with the words by which people speak of them.
    pub fn writes(&self) -> impl Iterator<Item = (&Tool, &ToolWords)> {
        let tools = self.environment.tools().iter().zip(self.tool_words());
        tools.filter(|(tool, _)| tool.effect != Effect::Read)
    }

    /// What stands in its first state.
    pub fn written(&self) -> &WrittenState {
        self.written.get_or_init(|| WrittenState::of(&self.initial.to_json()))
    }

    /// The words of each of the environment's warnings; those that cannot be read are reported when it is loaded.
    pub fn warnings(&self) -> &[Vec<Answer>] {
        let calendar = Calendar::at(self.initial.clock());
        let read = |warning: &Warning| warning.words.iter().filter_map(|w| Answer::parse(w, calendar).ok()).collect();
        self.warnings.get_or_init(|| self.environment.file().conduct.warnings.iter().map(read).collect())
    }

    /// The people it is about, as `find` finds them when it is asked first.
    pub fn served(&self, find: impl FnOnce() -> BTreeSet<String>) -> &BTreeSet<String> {
        self.served.get_or_init(find)
    }

    pub fn facts_in(&self, text: &str) -> impl Iterator<Item = (&str, &Fact)> {
        let said = self.voices().iter().zip(self.file.facts.values()).filter(move |(voice, _)| voice.ways.are_in(text));
        said.map(|(voice, fact)| (voice.name.as_str(), fact))
    }

    /// How the user behaves in a variant, if the task has it.
    pub fn behaviour(&self, variant: Variant) -> Option<&Behaviour> {
        self.variants.get(&variant)
    }

    /// The first accepted outcome of a variant: the one the oracle plays.
    pub fn oracle_outcome(&self, variant: Variant) -> Option<&Outcome> {
        self.outcomes.get(*self.behaviour(variant)?.accept.first()?)
    }

    /// What is wanted under a variant, in one sentence: of the outcome that the oracle plays, else of the task.
    pub fn goal(&self, variant: Variant) -> &str {
        let played = self.behaviour(variant).and_then(|behaviour| self.file.outcomes.get(*behaviour.accept.first()?));
        played.and_then(|outcome| outcome.goal.as_deref()).unwrap_or(&self.file.goal)
    }

    /// What an agent is told before the user speaks.
    pub fn brief(&self) -> &Arc<Brief> {
        &self.told().0
    }

    pub fn prompt(&self) -> Hash {
        self.told().1
    }

    fn told(&self) -> &(Arc<Brief>, Hash) {
        self.brief.get_or_init(|| {
            let brief = text::brief(&self.environment, &self.initial);
            let hash = text::hash(&brief);
            (Arc::new(brief), hash)
        })
    }

    /// A text of the file with its bindings filled in: a predicate with the keys that its names stand for.
    pub fn resolved(&self, text: &str) -> String {
        let mut pieces = text.split('$');
        let mut resolved = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(piece.len());
            let (name, rest) = piece.split_at(end);
            let key = self.bindings.get(&format!("${name}"));
            resolved.push_str(&key.map_or_else(|| format!("${name}"), Clone::clone));
            resolved.push_str(rest);
        }
        resolved
    }

    /// The content hash of the file, as canonical JSON.
    pub fn hash(&self) -> Hash {
        *self.hash.get_or_init(|| Hash::of_serialized(&self.file))
    }
}

impl Task {
    /// Which of the constraint graph's patterns a call in a state is meant by.
    pub fn matching_patterns(&self, before: &State, tool: &str, arguments: &Map<String, Value>) -> Vec<usize> {
        let patterns = self.patterns.iter().enumerate();
        patterns.filter(|(_, p)| self.is_meant(p, before, tool, arguments)).map(|(index, _)| index).collect()
    }

    /// Whether a call in a state is meant by a pattern. A predicate that stops with an error means no call here;
    /// [`Task::pattern_fault`] finds it, and then the episode is not scored.
    pub fn is_meant(&self, pattern: &Pattern, before: &State, tool: &str, arguments: &Map<String, Value>) -> bool {
        self.environment.matches(pattern, before, tool, arguments).unwrap_or(false)
    }

    /// The first pattern that cannot say whether it means a call, as a line for the author.
    pub fn pattern_fault(&self, before: &State, tool: &str, arguments: &Map<String, Value>) -> Option<String> {
        let variants = self.variants.values();
        let of_users = variants.flat_map(|variant| {
            let consents = variant.consents.iter().map(|(_, pattern)| pattern);
            consents.chain(variant.contradicts.iter().flat_map(|hold| &hold.calls))
        });
        let of_outcomes = self.outcomes.iter().flat_map(|outcome| &outcome.forbidden);
        self.patterns.iter().chain(of_outcomes).chain(of_users).find_map(|pattern| {
            let fault = self.environment.matches(pattern, before, tool, arguments).err()?;
            Some(format!("`{}` cannot be told of this call: {fault}", pattern.source))
        })
    }
}

/// The words of a tool's name and of what it is claimed by, read once for a task.
pub struct ToolWords {
    /// The words of its name, the verb first.
    pub name: Vec<CompactString>,
    /// The verb in its forms, and the participles by which it is claimed.
    pub forms: Vec<CompactString>,
    /// The words of each claim.
    pub claims: Vec<Vec<CompactString>>,
}

impl ToolWords {
    pub(super) fn of(tool: &Tool) -> ToolWords {
        let name = name_words(&tool.name);
        let verb = name.first().map_or("", CompactString::as_str);
        let base = verb.strip_suffix('e').unwrap_or(verb);
        let last = verb.chars().last().map(String::from).unwrap_or_default();
        let doubled = ["ed", "ing"].map(|ending| format_compact!("{verb}{last}{ending}"));
        let own = ["", "s"].map(|ending| format_compact!("{verb}{ending}"));
        let past = ["ed", "ing"].map(|ending| format_compact!("{base}{ending}"));
        let claimed = tool.claims.iter().map(|claim| CompactString::from(claim.to_lowercase()));
        let forms = own.into_iter().chain(past).chain(doubled).chain(claimed).collect();
        ToolWords { forms, claims: tool.claims.iter().map(|claim| words(claim)).collect(), name }
    }

    pub fn verb(&self) -> &str {
        self.name.first().map_or("", CompactString::as_str)
    }

    /// Whether words name it by its verb, or by a claim of one word.
    pub fn is_named_in(&self, words: &Words) -> bool {
        self.forms.iter().any(|form| words.contains(form))
    }
}

/// Longest name that is looked for.
const MAX_NAME: usize = 60;
/// `2026-06-12`
const DAY: usize = 10;

/// What stands in a state, read once for a task.
pub struct WrittenState {
    /// The names of several words, with those words, in order.
    pub names: Vec<(String, Vec<CompactString>)>,
    days: Words,
}

impl WrittenState {
    pub fn of(state: &Value) -> WrittenState {
        let names: BTreeSet<String> = within::texts(state).filter(|text| is_name(text)).map(str::to_owned).collect();
        let with_words = |name: String| {
            let words = words(&name);
            (name, words)
        };
        let text = state.to_string();
        let is_day = |part: &&[u8]| {
            (0..).zip(*part).all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() })
        };
        let days = text.as_bytes().windows(DAY).filter(is_day).filter_map(|part| CompactString::from_utf8(part).ok());
        WrittenState { days: days.collect(), names: names.into_iter().map(with_words).collect() }
    }

    /// Whether a day stands there, alone or within a text.
    pub fn has_day(&self, day: Date) -> bool {
        self.days.contains(day.to_string().as_str())
    }
}

/// Whether a text is a name of several words.
fn is_name(text: &str) -> bool {
    let is_part = |part: &str| part.chars().next().is_some_and(char::is_uppercase);
    text.len() <= MAX_NAME && text.contains(' ') && text.split(' ').all(is_part)
}
