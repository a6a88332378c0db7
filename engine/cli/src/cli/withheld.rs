//! What of the disk agents in a process must not see, also where it lies in a folder that they are given.

use std::fs;
use std::path::{Path, PathBuf};

use probity_local::Failure;

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
const RUN_DEPTH: usize = 64;
const MAX_FOLDERS: usize = 100_000;

/// What is kept from agents, each where it really is.
pub(super) struct Withheld {
    /// The data of suites, and runs: not even `--agent-dir` shows them.
    private: Vec<PathBuf>,
    /// Whether there may be more runs in the folder than were found.
    is_cut_short: bool,
}

impl Withheld {
    /// Of suites at these places and a run, which agents with this folder play.
    pub(super) fn of(roots: &[PathBuf], run: Option<&Path>, dir: Option<&Path>) -> Withheld {
        let data = roots.iter().flat_map(|root| DATA.iter().map(move |name| root.join(name)));
        let history = roots.iter().flat_map(|root| root.ancestors().map(|above| above.join(".git")));
        let run = run.map(to_be);
        // What is there once the run is there counts as there: the same command says the same again.
        let data = data.filter(|path| path.exists() || run.as_ref().is_some_and(|run| run.starts_with(path)));
        let mut private: Vec<PathBuf> =
            data.chain(history.filter(|path| path.exists())).map(|path| to_be(&path)).collect();
        private.extend(run);
        let mut is_cut_short = false;
        if let Some(dir) = dir {
            private.extend(dir.ancestors().filter(|above| is_run(above)).map(Path::to_owned));
            is_cut_short = !runs_below(dir, RUN_DEPTH, &mut MAX_FOLDERS.clone(), &mut private);
        }
        private.sort();
        private.dedup();
        Withheld { private, is_cut_short }
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
            None if self.is_cut_short => Err(Failure::new(
                format!("`{}` has too many folders to look for runs in them all", dir.display()),
                "give agents a smaller folder, with what they need in it",
            )),
            None => Ok(()),
        }
    }
}

/// Where a path really is, or will be when it is made.
fn to_be(path: &Path) -> PathBuf {
    let real = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let whole = real.and_then(|(above, real)| {
        let rest = path.strip_prefix(above).ok()?;
        Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    });
    whole.unwrap_or_else(|| path.to_owned())
}

fn is_run(folder: &Path) -> bool {
    RUN.iter().all(|name| folder.join(name).is_file())
}

/// Notes the runs in a folder that are not in what is noted already; whether it was looked through to its end.
fn runs_below(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    for path in folders.map(|entry| entry.path()).filter(|path| !found.contains(path)).collect::<Vec<_>>() {
        if depth == 0 || *left == 0 {
            return false;
        }
        *left -= 1;
        if is_run(&path) {
            found.push(path);
        } else if !runs_below(&path, depth - 1, left, found) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_withheld_is_the_same_before_and_after_a_run() {
        let base = std::env::temp_dir().join(format!("probity-withheld-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(base.join("tasks")).unwrap();
        let base = base.canonicalize().unwrap();
        let (deep, run) = (base.join("a/b/c/d/e/f/run"), base.join("runs/new"));
        let make = |run: &Path| {
            fs::create_dir_all(run).unwrap();
            RUN.iter().for_each(|name| fs::write(run.join(name), "").unwrap());
        };
        make(&deep);
        let within = || {
            let withheld = Withheld::of(std::slice::from_ref(&base), Some(&run), Some(&base));
            assert!(withheld.refuse(&base).is_ok());
            withheld.within(&base)
        };
        let before = within();
        assert_eq!(before, ["a/b/c/d/e/f/run", "runs", "runs/new", "tasks"].map(PathBuf::from));
        make(&run);
        assert_eq!(within(), before);
        let (mut few, mut found) = (3, Vec::new());
        assert!(!runs_below(&base, RUN_DEPTH, &mut few, &mut found));
        let cut = Withheld { private: Vec::new(), is_cut_short: true };
        assert!(cut.refuse(&base).is_err());
        fs::remove_dir_all(base).unwrap();
    }
}
