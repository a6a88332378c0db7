//! The world and the tasks of the suite, read and checked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::card::{DOMAIN, EXPOSURE, PERSONA};
use crate::certificate::TELECOM;
use crate::desk::{DESK_WORLDS, DeskTask, desk_tasks};
use crate::play::CHANNEL;
use crate::telecom::{Persona, TelecomTask, paper_tasks};
use probity_bench::kit::{read_all, scripts};
use probity_bench::{Files, Instance, Levels, named};
use probity_engine::{Diagnostic, Environment, Severity, load, read};

const FOLDER: &str = "mm-tau";

/// The world of the suite, and the files it was read from.
#[derive(Default)]
pub struct MmTauSuite {
    /// The environment, if nothing is wrong with it.
    pub environment: Option<Arc<Environment>>,
    /// The desk tasks, by their ids.
    pub desk: BTreeMap<String, Arc<DeskTask>>,
    pub diagnostics: Vec<Diagnostic>,
    pub files: Files,
}

/// The texts of `mm-tau/` below a root, and what is wrong with reading them.
pub fn read(root: &Path) -> (Files, Vec<Diagnostic>) {
    let folders = [("mm-tau/environments", "json"), ("mm-tau/scripts", "rhai"), ("mm-tau/desk", "json")];
    let (mut files, mut refused) = read_all(root, &folders);
    let known: Vec<String> = worlds().map(|world| format!("{FOLDER}/environments/{world}.json")).collect();
    let is_spare = |path: &String| path.starts_with("mm-tau/environments/") && !known.contains(path);
    for path in files.keys().filter(|path| is_spare(path)).cloned().collect::<Vec<_>>() {
        files.remove(&path);
        let found = Diagnostic::file(&path, "unread_file", "not read: no task of this suite is played in this world");
        let found = found.help(format!("move it out of {FOLDER}/environments/"));
        refused.push(Diagnostic { severity: Severity::Warning, ..found });
    }
    for path in known.iter().filter(|path| !files.contains_key(*path)).cloned().collect::<Vec<_>>() {
        refused.extend(read::read(root, &path).err().filter(|found| !refused.contains(found)));
    }
    (files, refused)
}

impl MmTauSuite {
    #[cfg(test)]
    pub fn load(root: &Path) -> MmTauSuite {
        let (files, refused) = read(root);
        MmTauSuite::from_files(files, refused)
    }

    /// Checks files that have been read; `diagnostics` are those of reading them.
    pub fn from_files(files: Files, diagnostics: Vec<Diagnostic>) -> MmTauSuite {
        let mut suite = MmTauSuite { diagnostics, ..MmTauSuite::default() };
        let scripts = scripts(&files, "mm-tau/");
        let mut environments = BTreeMap::new();
        for world in worlds() {
            let path = format!("environments/{world}.json");
            let Some(text) = files.get(&format!("{FOLDER}/{path}")) else { continue };
            match load::environment::load(&path, text, &scripts) {
                Ok(loaded) => {
                    let read = loaded.environment.map(|environment| (world.to_owned(), Arc::new(environment)));
                    environments.extend(read);
                    suite.diagnostics.extend(loaded.diagnostics);
                }
                Err(found) => suite.diagnostics.extend(found),
            }
        }
        let (desk, found) = desk_tasks(&files, &environments);
        suite.desk = desk;
        suite.diagnostics.extend(found);
        suite.environment = environments.remove(TELECOM);
        suite.files = files;
        suite
    }
}

fn worlds() -> impl Iterator<Item = &'static str> {
    std::iter::once(TELECOM).chain(DESK_WORLDS.iter().map(|(_, world)| *world))
}

pub(crate) fn desk_instances(desk: &BTreeMap<String, Arc<DeskTask>>) -> Vec<Instance> {
    desk.values().flat_map(|task| settings().map(|setting| task.instance(setting))).collect()
}

/// All there is to play: each task of the paper over each channel, with each persona, as much as is known of them.
pub fn instances() -> Vec<Instance> {
    paper_tasks().flat_map(|task| settings().map(move |setting| instance(&task, setting))).collect()
}

fn settings() -> impl Iterator<Item = Levels> {
    // Of nobody in particular there is nothing to tell.
    let unknown = [("none", "p0"), ("none", "p2")];
    let callers =
        ["easy", "hard"].into_iter().flat_map(|persona| ["p0", "p1", "p2"].map(|exposure| (persona, exposure)));
    let callers: Vec<_> = unknown.into_iter().chain(callers).collect();
    ["text", "voice"].into_iter().flat_map(move |channel| {
        callers.clone().into_iter().map(move |(persona, exposure)| {
            Levels::from_iter([(CHANNEL, channel), (PERSONA, persona), (EXPOSURE, exposure)])
        })
    })
}

fn instance(task: &TelecomTask, setting: Levels) -> Instance {
    let issues = match task.issues().len() {
        0 | 1 => "1",
        2 => "2",
        3 | 4 => "3-4",
        5 | 6 => "5-6",
        _ => "7+",
    };
    let ends = if task.gold().is_transfer() { "transfer" } else { "repair" };
    let properties = [(DOMAIN, "telecom"), ("intent", task.intent().name()), ("issues", issues), ("ends", ends)];
    Instance { task: task.id(), setting, properties: Levels::from_iter(properties) }
}

named! {
    pub enum Exposure {
        Unknown = "p0",
        Told = "p1",
        Inferred = "p2",
    }
}

impl Exposure {
    pub fn of(levels: &Levels) -> Option<Exposure> {
        Exposure::from_name(levels.get(EXPOSURE)?)
    }
}

pub fn persona(levels: &Levels) -> Option<Persona> {
    let level = levels.get(PERSONA)?;
    Persona::ALL.into_iter().find(|persona| persona.name().to_lowercase() == level)
}
