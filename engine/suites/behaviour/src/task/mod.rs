//! Checked tasks: what is wanted, which ways of getting it are accepted, and how the user behaves.

pub mod answer;
pub mod assertion;
pub mod binding;
pub mod build;
mod guard;
pub mod matching;
pub mod oracle;
pub mod phrase;
pub mod position;
pub mod question;
pub mod reference;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::model::task_file::{CallFile, Contradiction, Fact, Planted, TaskFile};
use crate::model::variant::Variant;
use probity_engine::constraint::ConstraintGraph;
use probity_engine::environment::Environment;
use probity_engine::events::Pattern;
use probity_engine::model::canonical::Hash;
use probity_engine::model::delta::Delta;
use probity_engine::model::ids::Difficulty;
use probity_engine::state::State;

use answer::Answer;
use assertion::CheckedAssertion;
use question::FactPhrases;

/// A checked task (DESIGN 7). Only [`Task::build`] makes one.
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
    pub(crate) hash: OnceLock<Hash>,
}

/// One way the task may end well.
pub struct Outcome {
    /// Its name; the first of a task is `base`.
    pub name: String,
    /// The calls of the oracle trace.
    pub oracle: Vec<OracleCall>,
    /// What the oracle changes.
    pub delta: Delta,
    /// Assertions that the oracle makes true.
    pub achieves: Vec<CheckedAssertion>,
    /// Assertions that must stay true.
    pub preserves: Vec<CheckedAssertion>,
    /// Calls that must not succeed: its own, then the environment's.
    pub forbidden: Vec<Pattern>,
    /// Groups of answers; the replies must give one of each.
    pub must_say: Vec<Vec<Answer>>,
    /// What a good agent replies, turn by turn.
    pub replies: Vec<String>,
}

impl Outcome {
    /// The action budget: the number of oracle calls.
    pub fn budget(&self) -> usize {
        self.oracle.len()
    }
}

/// A call of the oracle trace, bindings filled in; references to earlier observations stay.
#[derive(Clone, Debug)]
pub struct OracleCall {
    /// The tool.
    pub tool: String,
    /// Its arguments; `$2.field` is still a reference.
    pub arguments: Map<String, Value>,
    /// The user turn, from 1, after which it is made.
    pub segment: u32,
    /// Positions of the oracle calls that must have been made before it.
    pub after: Vec<usize>,
    /// Other whole calls that do as well.
    pub equivalents: Vec<CallFile>,
}

/// One user behaviour, checked.
pub struct Behaviour {
    /// What the user says, turn by turn.
    pub turns: Vec<String>,
    /// Facts left out of the first turn.
    pub withheld: Vec<String>,
    /// Options that do not exist.
    pub planted: Vec<Planted>,
    /// Wishes that cannot both be had, with the calls that must wait.
    pub contradicts: Vec<Hold>,
    /// Reads this user really asks for on top of the oracle's.
    pub extra_calls: Vec<CallFile>,
    /// Calls the user says yes to, with the turn of the yes.
    pub consents: Vec<(u32, Pattern)>,
    /// Positions in [`Task::outcomes`] that are accepted; the oracle plays the first.
    pub accept: Vec<usize>,
    /// The segments of the first accepted outcome's calls in this variant.
    pub segments: Vec<u32>,
    /// What a good agent replies in this variant.
    pub replies: Vec<String>,
}

/// A contradiction with its patterns compiled.
pub struct Hold {
    /// The contradiction as authored.
    pub source: Contradiction,
    /// Calls that must wait until it is settled.
    pub calls: Vec<Pattern>,
}

impl Task {
    /// `domain/environment/task`.
    pub fn id(&self) -> &str {
        &self.file.id
    }

    /// The file it was built from.
    pub fn file(&self) -> &TaskFile {
        &self.file
    }

    /// Its environment.
    pub fn environment(&self) -> &Arc<Environment> {
        &self.environment
    }

    /// The domain: the first part of the id.
    pub fn domain(&self) -> &str {
        self.file.id.split('/').next().unwrap_or_default()
    }

    /// How hard it is.
    pub fn difficulty(&self) -> Difficulty {
        self.file.difficulty
    }

    /// The state an episode starts from.
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

    /// The variants it has.
    pub fn variants(&self) -> &BTreeMap<Variant, Behaviour> {
        &self.variants
    }

    /// The facts with the words that ask for them and say them, in the order of their names.
    pub fn voices(&self) -> &[FactPhrases] {
        self.voices.get_or_init(|| self.file.facts.iter().map(|(name, fact)| FactPhrases::of(name, fact)).collect())
    }

    /// The facts that a text says, with their names.
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
