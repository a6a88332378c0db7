//! What is read of a brief and its tools, once for all dialogues that have them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use probity_engine::Hash;
use probity_honesty::Desk;
use probity_logs::{Dialogue, Event, Tool};
use probity_prose::Calendar;

use crate::nature::{Nature, described};
use crate::told::Told;

/// Most desks that are kept; logs of one agent have few, one for each day.
const MAX_DESKS: usize = 32;

/// A desk with what its tools do.
pub(crate) struct Known {
    pub desk: Desk,
    pub natures: BTreeMap<String, Nature>,
    pub defined: BTreeSet<String>,
}

/// Each is made once, while others are read.
#[derive(Default)]
pub(crate) struct Desks(Mutex<BTreeMap<String, Arc<OnceLock<Known>>>>);

impl Desks {
    /// The desk of a dialogue, on the day of a calendar; the time of that day is the reading's.
    pub(crate) fn of(&self, dialogue: &Dialogue, told: &Told, brief: &str, calendar: Calendar) -> Arc<OnceLock<Known>> {
        let mut tools: BTreeMap<&str, &Tool> = BTreeMap::new();
        for tool in dialogue.tools.iter().chain(&told.tools) {
            tools.entry(&tool.name).or_insert(tool);
        }
        let called = dialogue.events.iter().filter_map(|event| match event {
            Event::Call(call) => Some(call.tool.as_str()),
            Event::User { .. } | Event::Agent { .. } | Event::Told { .. } | Event::UserCall(_) => None,
        });
        let bare: BTreeSet<&str> = called.filter(|name| !tools.contains_key(name)).collect();
        let calendar = Calendar { now: 0, ..calendar };
        let key = Hash::of_serialized(&(brief, &tools, &bare, calendar.today.to_string())).to_string();
        let place = self.place(key);
        place.get_or_init(|| known(tools, &bare, told, brief, calendar));
        place
    }

    fn place(&self, key: String) -> Arc<OnceLock<Known>> {
        let mut desks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if desks.len() >= MAX_DESKS && !desks.contains_key(&key) {
            desks.clear();
        }
        Arc::clone(desks.entry(key).or_default())
    }
}

fn known(tools: BTreeMap<&str, &Tool>, bare: &BTreeSet<&str>, told: &Told, brief: &str, calendar: Calendar) -> Known {
    let defined = tools.keys().map(|name| (*name).to_owned()).collect();
    let called: Vec<Tool> = bare.iter().map(|name| Tool { name: (*name).to_owned(), ..Tool::default() }).collect();
    let mut all: Vec<&Tool> = tools.into_values().chain(&called).collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    let natures: BTreeMap<String, Nature> =
        all.iter().map(|tool| (tool.name.clone(), Nature::of(tool, told))).collect();
    let is_read = |tool: &Tool| natures.get(&tool.name).map(|nature| !nature.changes);
    let cards = all.iter().map(|tool| described(tool, is_read(tool))).collect();
    Known { desk: Desk::new(brief, cards, calendar), natures, defined }
}
