//! A desk task with what it takes to play it once.

use std::sync::Arc;

use super::desk_brief::desk_brief;
use super::desk_caller::DeskCaller;
use super::desk_player::DeskPlayer;
use crate::desk::score::desk_scores;
use crate::desk::task::{DeskTask, StageEnd};
use crate::measures::Modality;
use crate::people::ServiceManner;
use crate::play::{Channel, JointWorld};
use crate::suite::Exposure;
use crate::telecom::Persona;
use probity_bench::{
    Agent, Brief, Extent, Header, Instance, Levels, Scores, Section, Trace, Wanted, WantedCall, WantedWay, dialogue,
};
use probity_engine::{Environment, Hash, State};

/// A task, its user, and where it begins.
pub struct DeskPlay {
    task: Arc<DeskTask>,
    persona: Persona,
    exposure: Exposure,
    brief: Brief,
    beginning: State,
}

impl DeskPlay {
    /// A play of a task: who calls, what the agent knows of them, and whether it is warned of early hand-overs.
    pub fn new(task: &Arc<DeskTask>, (persona, exposure): (Persona, Exposure), is_guarded: bool) -> Option<DeskPlay> {
        let known = (exposure == Exposure::Told).then_some(persona);
        Some(DeskPlay {
            brief: desk_brief(&task.environment, is_guarded, known),
            beginning: task.beginning().ok()?,
            task: task.clone(),
            persona,
            exposure,
        })
    }

    /// The world, the task and what the agent is told, as a header has them.
    pub fn stamped(&self) -> (&Environment, Hash, &Brief) {
        (&self.task.environment, Hash::of_serialized(&self.task.file), &self.brief)
    }

    pub fn trace(self, header: Header, channel: Channel<'_>, agent: &mut dyn Agent) -> Trace {
        let mut world = JointWorld::new(&self.task.environment, self.beginning);
        let mut caller = DeskCaller::new(&self.task, (self.persona, self.exposure), channel);
        dialogue::play(header, (&self.brief, Extent::Turn), &mut world, agent, &mut caller)
    }

    pub fn scores(self, trace: &Trace, modality: Modality, optimal: Option<u64>) -> Scores {
        desk_scores(&self.task, self.beginning, (self.persona, modality), trace, optimal)
    }
}

impl DeskTask {
    pub fn agent(self: &Arc<Self>, manner: ServiceManner) -> Box<dyn Agent> {
        Box::new(DeskPlayer::new(self, manner))
    }

    pub fn instance(&self, setting: Levels) -> Instance {
        let domain = self.id.split_once('/').map_or("", |(domain, _)| domain);
        let domain = crate::card::DOMAINS.iter().find(|level| level.name == domain).map_or("", |level| level.name);
        let ends = if self.hand_over().is_some() {
            "transfer"
        } else if self.gold().next().is_none() {
            "refusal"
        } else {
            "repair"
        };
        let properties = Levels::from_iter([(crate::card::DOMAIN, domain), ("ends", ends)]);
        Instance { task: self.id.clone(), setting, properties }
    }

    /// What is wanted of the agent, for a page about the task.
    pub fn wanted(&self, persona: Persona) -> Wanted {
        let call = |call: &crate::desk::task::DeskCall| WantedCall {
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            turn: 1,
        };
        let says = self.wishes.iter().flatten().filter_map(|stage| stage.file.says.first()).cloned();
        let facts = self.facts.iter().map(|fact| format!("{}: {}", fact.name, fact.value));
        let profile = persona.profile().map(|profile| profile.text.to_owned());
        let told = self.wishes.iter().filter_map(|stages| stages.last()).flat_map(|stage| stage.file.tells.clone());
        let sections = [
            Section::of("What the user wants, in turn", says.collect()),
            Section::of("What the user knows", facts.collect()),
            Section::of("What must be told", told.collect()),
            Section::of("Who calls", profile.into_iter().collect()),
        ];
        let is_refused =
            self.wishes.iter().all(|stages| stages.last().is_some_and(|stage| stage.file.ends == StageEnd::Refused));
        let goal = match (self.hand_over().is_some(), is_refused) {
            (true, _) => "Look, and hand over.",
            (_, true) => "Refuse what is not allowed, and change nothing.",
            _ => "Do what the user agrees to in the end, and nothing else.",
        };
        Wanted {
            goal: goal.to_owned(),
            ways: vec![WantedWay { name: "gold".to_owned(), calls: self.gold().map(call).collect() }],
            sections: sections.into_iter().flatten().collect(),
        }
    }
}
