//! A package: all that playing tau2-bench's tasks takes, and nothing that lies elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use serde::Serialize;

use super::peer_tasks::{Splits, tasks};
use crate::tau::domain::Domain;
use crate::tau::start::Start;
use probity_engine::{Diagnostic, Environment, Hash, foreign, read};
use probity_tau2::Tau2World;
use probity_tau2::model::{TaskFile, WorldFile};
use probity_wire::inflate::Gunzip;

/// Which of the telecom tasks; the other worlds have one set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TauSet {
    /// Those that evaluations use.
    Base,
    /// One issue each.
    Small,
    Full,
}

#[derive(Clone, Copy, Debug)]
pub struct PackageSource<'a> {
    /// The folder with our tools, `mm-tau/`.
    pub root: &'a Path,
    pub data: &'a Path,
    pub set: TauSet,
}

/// The files of a package, by their paths below its folder.
#[derive(Debug, Default)]
pub struct Package {
    pub files: BTreeMap<String, String>,
    /// How many tasks each world has.
    pub tasks: BTreeMap<&'static str, usize>,
}

impl PackageSource<'_> {
    /// The package of some worlds.
    /// An error: everything that is wrong with the data.
    pub fn package(&self, worlds: &[Domain]) -> Result<Package, Vec<Diagnostic>> {
        let (mut package, mut problems) = (Package::default(), Vec::new());
        package.add("NOTICE.md", NOTICE.to_owned());
        let licence = self.data.join("LICENSE.sierra-research");
        if licence.exists() {
            match foreign::read(&licence) {
                Ok(text) => package.add("LICENSE.sierra-research", text),
                Err(found) => problems.push(found),
            }
        }
        for domain in worlds.iter().copied().collect::<BTreeSet<Domain>>() {
            if let Err(found) = self.add_world(domain, &mut package) {
                problems.extend(found);
            }
        }
        if problems.is_empty() { Ok(package) } else { Err(problems) }
    }

    fn add_world(&self, domain: Domain, package: &mut Package) -> Result<(), Vec<Diagnostic>> {
        let name = domain.name();
        let environment = self.add_tools(domain, package)?;
        let one = |found: Diagnostic| vec![found];
        let start = Start::read(domain, &environment, self.data).map_err(|what| {
            let found = Diagnostic::file(self.data.to_string_lossy(), "bad_database", what);
            one(found.help(database_help(domain)))
        })?;
        let parts = start.state.to_json().as_object().cloned().unwrap_or_default();
        let state = WorldFile { clock: start.state.clock(), state: parts };
        let text = compact(&state);
        let hash = Hash::of_bytes(text.as_bytes());
        package.add(&format!("data/{name}.json"), text);
        let rules = self.policy(domain, policy_files(domain)).map_err(one)?;
        package.add(&format!("policy/{name}.md"), rules.clone());
        let alone = solo_policy_files(domain).map(|files| self.policy(domain, files)).transpose().map_err(one)?;
        if let Some(alone) = &alone {
            package.add(&format!("policy/{name}_solo.md"), alone.clone());
        }
        let world = Tau2World::new(environment, &state, hash, rules, alone).map_err(|what| {
            one(Diagnostic::file(self.data.to_string_lossy(), "bad_database", what).help(database_help(domain)))
        })?;
        let folder = self.data.join(name);
        let splits = Splits::read(&folder.join("split_tasks.json"))?;
        let tasks = tasks(&folder.join(self.tasks_file(domain)), &splits, &world)?;
        if (domain, self.set) != (Domain::Telecom, TauSet::Small) {
            splits.name_only(&tasks.iter().map(|task| task.id.as_str()).collect::<Vec<_>>())?;
        }
        package.tasks.insert(name, tasks.len());
        for (index, task) in tasks.iter().enumerate() {
            let path = format!("tasks/{name}/{}.json", file_name(&task.id, index));
            if package.has(&path) {
                let what = format!("the file name of task `{}` is another's as well", task.id);
                let found = Diagnostic::file(folder.to_string_lossy(), "duplicate_task", what);
                return Err(one(found.help("give each task an id of its own")));
            }
            package.add(&path, written(task));
        }
        Ok(())
    }

    fn add_tools(&self, domain: Domain, package: &mut Package) -> Result<Environment, Vec<Diagnostic>> {
        let root = self.root.join("mm-tau");
        let path = format!("environments/{}.json", domain.environment());
        let text = read::read(&root, &path).map_err(|found| {
            vec![found.help("`--root` names the folder that has `mm-tau/`, the tools of these worlds")]
        })?;
        package.add(&path, text);
        let listing = read::list(&root, "scripts", "rhai");
        let own = format!("scripts/{}.rhai", domain.environment());
        for path in listing.files.iter().filter(|path| **path == own || path.starts_with("scripts/lib/")) {
            package.add(path, read::read(&root, path).map_err(|found| vec![found])?);
        }
        Environment::load(&root, &domain.environment())
    }

    fn policy(&self, domain: Domain, files: &[&str]) -> Result<String, Diagnostic> {
        let folder = self.data.join(domain.name());
        let texts: Vec<String> =
            files.iter().map(|name| foreign::read(&folder.join(name))).collect::<Result<_, _>>()?;
        let texts: Vec<&str> = texts.iter().map(|text| text.trim_end()).collect();
        Ok(format!("{}\n", texts.join("\n\n")))
    }

    fn tasks_file(&self, domain: Domain) -> &'static str {
        match (domain, self.set) {
            (Domain::Retail | Domain::Airline, _) => "tasks.json",
            (Domain::Telecom, TauSet::Base) => "tasks_base.json",
            (Domain::Telecom, TauSet::Small) => "tasks_small.json",
            (Domain::Telecom, TauSet::Full) => "tasks_full.json",
        }
    }
}

impl Package {
    fn has(&self, path: &str) -> bool {
        self.files.contains_key(&format!("tau2/{path}"))
    }

    fn add(&mut self, path: &str, text: String) {
        self.files.insert(format!("tau2/{path}"), text);
    }
}

fn policy_files(domain: Domain) -> &'static [&'static str] {
    match domain {
        Domain::Retail | Domain::Airline => &["policy.md"],
        Domain::Telecom => &["main_policy.md", "tech_support_manual.md"],
    }
}

fn solo_policy_files(domain: Domain) -> Option<&'static [&'static str]> {
    match domain {
        Domain::Retail | Domain::Airline => None,
        Domain::Telecom => Some(&["main_policy_solo.md", "tech_support_workflow_solo.md"]),
    }
}

fn database_help(domain: Domain) -> String {
    let name = domain.name();
    match domain {
        Domain::Retail | Domain::Airline => {
            format!("the folder must have `initial_{name}_agent.canonical.json`, or tau2-bench's own `{name}/db.json`")
        }
        Domain::Telecom => format!(
            "tau2-bench keeps these databases in TOML: the folder must have them as JSON with all fields, \
             `initial_{name}_agent.canonical.json` and `initial_{name}_user.canonical.json`"
        ),
    }
}

/// A task's id where that can be the name of a file, else its number.
fn file_name(id: &str, index: usize) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_name = !id.is_empty() && id.len() <= 64 && id.chars().all(is_plain);
    if is_name { id.to_owned() } else { format!("{:04}", index + 1) }
}

fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).map(|text| text + "\n").unwrap_or_default()
}

fn written(task: &TaskFile) -> String {
    serde_json::to_string_pretty(task).map(|text| text + "\n").unwrap_or_default()
}

const NOTICE: &str = "\
# Whose this is

The tasks, databases and policies in `tasks/`, `data/` and `policy/` are those of tau2-bench, copyright (c) Sierra
Research, given under the MIT licence; they were put into another form by `probity-peers import tau2`, and nothing
else was done to them. Keep this note, and `LICENSE.sierra-research` where it stands beside it, with them.

The tools in `environments/` and `scripts/` are probity's own.
";

/// The largest packed file that is read, in bytes.
const MAX_PACKED: u64 = 64 << 20;
/// The largest text that one may unpack to, in bytes.
const MAX_UNPACKED: u64 = 512 << 20;

/// The text of a JSON file, or of the packed file `.json.gz` beside it where it is not there.
/// An error, one diagnostic: neither can be read.
pub(super) fn text(path: &Path) -> Result<String, Diagnostic> {
    let packed = path.with_extension("json.gz");
    if path.exists() || !packed.exists() {
        return foreign::read(path);
    }
    let file = packed.to_string_lossy().into_owned();
    let wrong = |what: &str| {
        Diagnostic::file(file.as_str(), "bad_gzip", what).help(format!("unpack it beside itself: gunzip -k {file}"))
    };
    let unpacked = || -> io::Result<String> {
        let packed = BufReader::new(File::open(&packed)?.take(MAX_PACKED));
        let mut text = String::new();
        match Gunzip::new(packed)?.take(MAX_UNPACKED + 1).read_to_string(&mut text)? as u64 > MAX_UNPACKED {
            true => Err(io::Error::other("it is too large")),
            false => Ok(text),
        }
    };
    unpacked().map_err(|error| wrong(&format!("it cannot be unpacked here: {error}")))
}
