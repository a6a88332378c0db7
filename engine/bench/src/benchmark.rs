//! The seam between a benchmark and everything that benchmarks share. A benchmark says what it measures ([`Card`]),
//! what there is to play ([`Instance`]), plays one and scores one; runs, replays, reports, comparisons, gates and
//! pages are made of that.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use probity_engine::{Diagnostic, Environment};

use crate::agent::name::{AgentEntry, AgentName};
use crate::agent::{Agent, ReplayAgent};
use crate::card::Card;
use crate::census::Figure;
use crate::dialogue::Dialogue;
use crate::instance::{Instance, Setting};
use crate::provider::client::Client;
use crate::run::record::EpisodeRecord;
use crate::scores::Scores;
use crate::sheet::Survey;
use crate::trace::{Header, Trace};
use crate::user::Line;
use crate::wanted::Wanted;
use crate::world::Rollout;

/// The texts of authored files by path below the root, with `/`.
pub type Files = BTreeMap<String, String>;

/// What is at hand while an episode is played.
#[derive(Clone, Copy, Default)]
pub struct Services<'a> {
    /// The provider that the user's model is asked at.
    pub user_client: Option<&'a Arc<Client>>,
    /// The programs that what the user says goes through, where the run has such.
    pub line: Option<&'a dyn Line>,
    /// What requests of the user's model are filed under in a cassette.
    pub user_unit: &'a str,
}

/// Whose words the user of an episode says.
#[derive(Clone, Copy)]
pub enum Words<'a> {
    /// Its own, found as it goes.
    Found(Services<'a>),
    /// Those of a trace, where they are not found anew.
    Of(&'a Trace),
}

/// A benchmark.
pub trait Benchmark: Send + Sync {
    /// What it measures.
    fn card(&self) -> &'static Card;

    /// All there is to play, in order.
    fn instances(&self) -> Vec<Instance>;

    /// The users it has, the default one first.
    fn users(&self) -> &'static [&'static str];

    /// Its own agents, for the list of them: those of its card, where it has no more. `oracle` and `noop` every
    /// benchmark has.
    fn agents(&self) -> Vec<AgentEntry> {
        self.card().agents.to_vec()
    }

    /// Whether there is such an agent, and if not, why and what was perhaps meant.
    ///
    /// # Errors
    /// One line.
    fn knows(&self, agent: &AgentName) -> Result<(), String> {
        agent.known_among(self.agents().iter().map(|own| own.name.as_str()))
    }

    /// One of its own agents (the oracle, those of [`Benchmark::agents`]) at an instance; nothing where it has
    /// nothing to play.
    fn agent(&self, name: &AgentName, at: &Instance, seed: u64) -> Option<Box<dyn Agent>>;

    /// The header that the trace of an instance has: a finished episode is known by it.
    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header>;

    /// Opens an instance to be played; nothing where there is no such instance or nobody to be its user. What is found
    /// anew in a replay is found as it was: the words of a trace are those of a model or a person alone.
    fn open<'a>(&'a self, at: &Instance, setting: &Setting, words: Words<'a>) -> Option<Dialogue<'a>>;

    /// Plays an instance to its end; nothing where it cannot be opened.
    fn play(&self, at: &Instance, setting: &Setting, agent: &mut dyn Agent, with: &Services) -> Option<Rollout> {
        Some(self.open(at, setting, Words::Found(*with))?.play(agent))
    }

    /// Plays a trace again: the agent says what it said, and everything else is found anew.
    fn replay(&self, at: &Instance, setting: &Setting, trace: &Trace) -> Option<Rollout> {
        Some(self.open(at, setting, Words::Of(trace))?.play(&mut ReplayAgent::new(trace)))
    }

    /// Scores an episode; nothing when it is not one of this instance.
    fn score(&self, at: &Instance, played: &Rollout) -> Option<Scores>;

    /// An episode of an instance as runs keep it, scored.
    fn record(&self, agent: &str, trial: u32, at: &Instance, played: Rollout) -> EpisodeRecord {
        let scores = self.card().checked(self.score(at, &played));
        EpisodeRecord::new(agent, trial, at.factors(), played.trace, scores)
    }

    /// The state machine that it is played in, for those who show its tools; nothing where it is no such.
    fn environment(&self, _at: &Instance) -> Option<&Environment> {
        None
    }

    /// What is wanted there, for people who look at its episodes; nothing where there is no such instance.
    fn wanted(&self, at: &Instance) -> Option<Wanted>;

    /// What people want to know of a scored trace beyond its scores, a line each; it may take its time.
    fn remarks(&self, _at: &Instance, _trace: &Trace) -> Vec<String> {
        Vec::new()
    }

    /// Numbers of its own that say what the suite is like.
    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }

    /// What counts an agent's episodes for tables of its own; nothing where it has none.
    fn survey(&self) -> Option<Box<dyn Survey>> {
        None
    }

    /// The files that playing these tasks takes, for a run directory that holds all it needs.
    fn files(&self, tasks: &[String]) -> Files;
}

/// A benchmark as it was loaded.
pub struct Loaded {
    /// What can be played.
    pub benchmark: Arc<dyn Benchmark>,
    /// Everything that is wrong with its files.
    pub diagnostics: Vec<Diagnostic>,
}

/// A benchmark that `--suite` can name.
#[derive(Clone, Copy)]
pub struct Registered {
    /// Its name, as its card has it.
    pub name: &'static str,
    read: fn(&Path) -> (Files, Vec<Diagnostic>),
    open: fn(Files, Vec<Diagnostic>) -> Loaded,
}

impl Registered {
    /// A benchmark of this name; `read` gives the texts of its files below a root and what is wrong with reading them,
    /// `open` makes of both what can be played.
    pub const fn new(
        name: &'static str,
        read: fn(&Path) -> (Files, Vec<Diagnostic>),
        open: fn(Files, Vec<Diagnostic>) -> Loaded,
    ) -> Registered {
        Registered { name, read, open }
    }

    /// Reads it from the folders below a root.
    pub fn load(&self, root: &Path) -> Loaded {
        let (files, refused) = (self.read)(root);
        (self.open)(files, refused).checked()
    }

    /// Reads it from files at hand.
    pub fn open(&self, files: Files) -> Loaded {
        (self.open)(files, Vec::new()).checked()
    }
}

impl Loaded {
    /// A card that cannot be drawn is an error like one in a file.
    fn checked(mut self) -> Loaded {
        let card = self.benchmark.card();
        self.diagnostics.extend(card.problem().map(|what| {
            let found = Diagnostic::file(card.name, "bad_card", format!("the card of the suite is wrong: {what}"));
            found.help("mend the suite's `Card`")
        }));
        self
    }
}
