//! What of the disk agents in a process must not see, also where it lies in a folder that they are given.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Folders of a suite that say what is played and how it is solved; what was made of it; and its history.
const DATA: [&str; 12] = [
    "environments",
    "labels",
    "mm-tau",
    "packages",
    "runs",
    "scripts",
    "snapshots",
    "tasks",
    "tau2",
    "tickets",
    ".git",
    ".probity",
];
/// What makes a folder a run.
const RUN: [&str; 2] = ["run.json", "episodes.jsonl"];
/// How deep, and among how many folders, runs are looked for in a folder that agents are given.
const RUN_DEPTH: usize = 4;
const MAX_FOLDERS: usize = 10_000;

/// What is kept from agents, each where it really is.
pub(super) struct Withheld {
    /// The data of suites, and runs: not even `--agent-dir` shows them.
    private: Vec<PathBuf>,
}

impl Withheld {
    /// Of suites at these places and a run, which agents with this folder play.
    pub(super) fn of(roots: &[PathBuf], run: Option<&Path>, dir: Option<&Path>) -> Withheld {
        let data = roots.iter().flat_map(|root| DATA.iter().map(move |name| root.join(name)));
        let history = roots.iter().flat_map(|root| root.ancestors().map(|above| above.join(".git")));
        let mut private: Vec<PathBuf> = data.chain(history).chain(run.map(Path::to_owned)).collect();
        if let Some(dir) = dir {
            private.extend(dir.ancestors().filter(|above| is_run(above)).map(Path::to_owned));
            runs_below(dir, RUN_DEPTH, &mut MAX_FOLDERS.clone(), &mut private);
        }
        let mut private: Vec<PathBuf> = private.iter().filter_map(|path| path.canonicalize().ok()).collect();
        private.sort();
        private.dedup();
        Withheld { private }
    }

    /// The places.
    pub(super) fn places(&self) -> &[PathBuf] {
        &self.private
    }

    /// What of a folder agents do not see, by its place there.
    pub(super) fn within(&self, dir: &Path) -> Vec<PathBuf> {
        self.private.iter().filter_map(|path| path.strip_prefix(dir).ok().map(Path::to_owned)).collect()
    }

    /// Refuses a folder of which nothing would be left.
    pub(super) fn refuse(&self, dir: &Path) -> Result<(), Failure> {
        match self.private.iter().find(|path| dir.starts_with(path)) {
            Some(path) => Err(Failure::new(
                format!("agents must not see `{}`, and `--agent-dir` names what lies there", path.display()),
                "give agents a folder beside the suite's data and the runs, with what they need in it",
            )),
            None => Ok(()),
        }
    }
}

fn is_run(folder: &Path) -> bool {
    RUN.iter().all(|name| folder.join(name).is_file())
}

fn runs_below(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        if depth == 0 || *left == 0 {
            return;
        }
        *left -= 1;
        match is_run(&entry.path()) {
            true => found.push(entry.path()),
            false => runs_below(&entry.path(), depth - 1, left, found),
        }
    }
}
