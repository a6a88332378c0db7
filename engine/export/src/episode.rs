//! An episode as forms are given it: its record, what its agent was told, and what was wanted of it.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::message::{Message, messages, metadata};
use probity_bench::agent::chat;
use probity_bench::{Benchmark, Brief, EpisodeRecord, Instance, RunConfig, Setting, Words};
use probity_engine::Hash;

/// Episodes in unit order, as they come.
pub(crate) type Episodes<'e> = &'e mut dyn Iterator<Item = std::io::Result<Exported>>;

/// Where episodes come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// What they were played on.
    pub benchmark: &'a dyn Benchmark,
    /// How they were played.
    pub config: &'a RunConfig,
    /// The agents whose episodes these are.
    pub agents: &'a [String],
}

/// What is known of an instance for one agent; records that follow each other are mostly of one.
pub(crate) struct Told {
    of: (String, Instance),
    /// The hash of what the benchmark tells its agents there.
    prompt: Option<Hash>,
    brief: Option<Arc<Brief>>,
    goal: Arc<str>,
}

/// An episode to be written.
pub(crate) struct Exported {
    pub record: EpisodeRecord,
    /// What the agent was told; nothing where that is not what the record was played with.
    pub brief: Option<Arc<Brief>>,
    /// What was wanted, in a sentence.
    pub goal: Arc<str>,
    pub metadata: Map<String, Value>,
}

impl Source<'_> {
    /// A record with what is known of it; `last` is what was known of the one before.
    pub(crate) fn episode(self, record: EpisodeRecord, last: &mut Option<Told>) -> Exported {
        let of = (record.agent.clone(), record.instance());
        let told = match last.take() {
            Some(told) if told.of == of => told,
            Some(_) | None => self.told(of, &record),
        };
        let is_this = told.prompt == Some(record.trace.header.prompt);
        let (brief, goal) = (told.brief.clone().filter(|_| is_this), Arc::clone(&told.goal));
        *last = Some(told);
        let metadata = metadata(self.benchmark.card(), &record, brief.as_deref());
        Exported { record, brief, goal, metadata }
    }

    fn told(self, of: (String, Instance), record: &EpisodeRecord) -> Told {
        let header = &record.trace.header;
        let (limits, user, options) = (header.limits, header.user.as_str(), &header.options);
        // Whoever speaks for the user, the agent is told the same.
        let setting = Setting { seed: header.seed, limits, user, options, next: Some(&of.1) };
        let opened = self.benchmark.open(&of.1, &setting, Words::Of(&record.trace));
        let told = opened.map(|dialogue| dialogue.brief().clone());
        let prompt = told.as_ref().map(Hash::of_serialized);
        let is_model = self.model(&record.agent).is_some();
        let provider = self.config.provider.as_ref().filter(|_| is_model);
        let brief = told.map(|brief| match provider {
            Some(provider) => {
                let system = chat::system(&brief, self.config.system.as_deref(), provider.tool_mode);
                Brief { system, ..brief }
            }
            None => brief,
        });
        let goal = self.benchmark.wanted(&of.1).map(|wanted| wanted.goal).unwrap_or_default();
        Told { of, prompt, brief: brief.map(Arc::new), goal: goal.into() }
    }

    /// The model behind an agent of this name.
    pub(crate) fn model(self, agent: &str) -> Option<String> {
        let named = self.config.agents.iter().find(|named| named.name == agent)?;
        named.agent.model().map(ToString::to_string)
    }
}

impl Exported {
    pub fn messages(&self) -> Vec<Message<'_>> {
        messages(&self.record.trace)
    }

    /// The system prompt.
    pub fn system(&self) -> Option<&str> {
        self.brief.as_ref().map(|brief| brief.system.as_str())
    }

    /// The tools in the form model providers take.
    pub fn tools(&self) -> &[Value] {
        self.brief.as_ref().and_then(|brief| brief.tools.as_array()).map_or(&[], Vec::as_slice)
    }
}
