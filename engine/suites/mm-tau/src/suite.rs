//! The world and the tasks of the suite, read and checked.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::card::{DOMAIN, EXPOSURE, PERSONA};
use crate::certificate::TELECOM;
use crate::desk::{DESK_WORLDS, DeskSuite};
use crate::play::CHANNEL;
use crate::telecom::{Persona, TelecomTask, paper_tasks};
use probity_bench::{Files, Instance, Levels};
use probity_engine::{Diagnostic, Environment, Scripts, Source, load, read};

const FOLDER: &str = "mm-tau";

/// The world of the suite, and the files it was read from.
#[derive(Default)]
pub struct MmTauSuite {
    /// The environment, if nothing is wrong with it.
    pub environment: Option<Arc<Environment>>,
    pub desk: DeskSuite,
    pub diagnostics: Vec<Diagnostic>,
    pub files: Files,
}

impl MmTauSuite {
    /// Reads and checks `mm-tau/` below `root`.
    pub fn load(root: &Path) -> MmTauSuite {
        let (mut files, mut refused) = (Files::new(), Vec::new());
        let worlds = worlds().map(|world| format!("{FOLDER}/environments/{world}.json"));
        let scripts = read::list(root, &format!("{FOLDER}/scripts"), "rhai");
        let tasks = read::list(root, &format!("{FOLDER}/desk"), "json");
        refused.extend(scripts.refused.into_iter().chain(tasks.refused));
        for path in scripts.files.into_iter().chain(tasks.files).chain(worlds) {
            match read::read(root, &path) {
                Ok(text) => drop(files.insert(path, text)),
                Err(found) => refused.push(found),
            }
        }
        MmTauSuite::from_files(files, refused)
    }

    /// Checks files that have been read; `diagnostics` are those of reading them.
    pub fn from_files(files: Files, diagnostics: Vec<Diagnostic>) -> MmTauSuite {
        let mut suite = MmTauSuite { diagnostics, ..MmTauSuite::default() };
        let below = |path: &str| path.strip_prefix(FOLDER).map(|path| path.trim_start_matches('/').to_owned());
        let script = |(path, text): (&String, &String)| {
            let file = below(path).filter(|path| path.ends_with(".rhai"))?;
            Some((file.clone(), Source { file: path.clone(), text: text.clone() }))
        };
        let scripts: Scripts = files.iter().filter_map(script).collect();
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
        suite.desk = DeskSuite::from_files(&files, FOLDER, &environments);
        suite.diagnostics.append(&mut suite.desk.diagnostics);
        suite.environment = environments.remove(TELECOM);
        suite.files = files;
        suite
    }
}

fn worlds() -> impl Iterator<Item = &'static str> {
    std::iter::once(TELECOM).chain(DESK_WORLDS.iter().map(|(_, world)| *world))
}

pub fn desk_instances(desk: &DeskSuite) -> Vec<Instance> {
    desk.tasks.values().flat_map(|task| settings().map(|setting| task.instance(setting))).collect()
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    Unknown,
    Told,
    Inferred,
}

impl Exposure {
    pub fn of(levels: &Levels) -> Option<Exposure> {
        match levels.get(EXPOSURE)? {
            "p0" => Some(Exposure::Unknown),
            "p1" => Some(Exposure::Told),
            "p2" => Some(Exposure::Inferred),
            _ => None,
        }
    }
}

pub fn persona(levels: &Levels) -> Option<Persona> {
    match levels.get(PERSONA)? {
        "none" => Some(Persona::None),
        "easy" => Some(Persona::Easy),
        "hard" => Some(Persona::Hard),
        _ => None,
    }
}
