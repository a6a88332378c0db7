//! What a page says of a run beside its numbers: how it was asked for, and what was wanted at each instance.

use std::collections::BTreeMap;

use miniz_oxide::deflate::compress_to_vec;
use serde::Serialize;

use super::document::base64;
use super::transcript::JudgedWords;
use probity_bench::{Benchmark, NamedAgent, RunConfig, Section, Wanted, WantedWay};

/// How hard the texts are packed, from 1 to 10.
const PACKING: u8 = 6;

#[derive(Clone, Debug, Default, Serialize)]
pub struct About {
    pub command: String,
    pub engine: String,
    /// Its agents, in its order.
    #[serde(skip)]
    pub agents: Vec<NamedAgent>,
    /// Logs that were audited, in place of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<AuditedLogs>,
    /// What judges say of sentences of reading lists, by the digests of episodes: in no number.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub judged_words: BTreeMap<String, Vec<JudgedWords>>,
    #[serde(skip)]
    pub(super) wanted: WantedTexts,
}

/// What a page says of logs beside their dialogues.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AuditedLogs {
    /// How many there are of something: `calls`.
    pub counts: Vec<(usize, String)>,
    /// What there is to know of their reading, each with its title.
    pub facts: Vec<(String, String)>,
}

/// What is wanted at each instance, by its name; texts that many have stand here once.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct WantedTexts {
    sections: Vec<Section>,
    instances: BTreeMap<String, InstanceText>,
}

#[derive(Clone, Debug, Serialize)]
struct InstanceText {
    goal: String,
    ways: Vec<WantedWay>,
    /// Places in the list of all sections.
    sections: Vec<usize>,
}

impl About {
    pub fn of(config: &RunConfig, benchmark: &dyn Benchmark) -> About {
        let mut texts = WantedTexts::default();
        let mut known = BTreeMap::new();
        for at in config.selection.of(benchmark.instances()) {
            if let Some(wanted) = benchmark.wanted(&at) {
                texts.add(format!("{} {}", at.task, at.setting), wanted, &mut known);
            }
        }
        let (command, engine, agents) = (config.command(), config.engine.clone(), config.agents.clone());
        About { command, engine, agents, logs: None, judged_words: BTreeMap::new(), wanted: texts }
    }

    /// What was wanted, packed as a page's script unpacks it.
    pub(super) fn packed(&self) -> std::io::Result<String> {
        Ok(base64(&compress_to_vec(&serde_json::to_vec(&self.wanted)?, PACKING)))
    }
}

impl WantedTexts {
    fn add(&mut self, name: String, wanted: Wanted, known: &mut BTreeMap<Section, usize>) {
        let Wanted { goal, ways, sections } = wanted;
        let place = |section: Section| {
            *known.entry(section).or_insert_with_key(|section| {
                self.sections.push(section.clone());
                self.sections.len() - 1
            })
        };
        let sections = sections.into_iter().map(place).collect();
        self.instances.insert(name, InstanceText { goal, ways, sections });
    }
}
