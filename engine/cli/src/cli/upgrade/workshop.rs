//! The folder beside a run in which it is upgraded, and what an upgrade that was stopped has left of it.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use probity_engine::{Hash, Held, is_unfinished, write_whole};
use probity_local::Failure;

/// Says whose folder it is: the run that it was begun from.
const NOTE: &str = "upgrade.json";

/// `RUN.upgraded`, in which the new run is made, and `RUN.old`, where the old one stays.
pub(super) struct Workshop {
    run: PathBuf,
    folder: PathBuf,
    old: PathBuf,
}

/// What was found of an earlier upgrade of the same run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Earlier {
    /// Nothing, or nothing that is of use.
    Nothing,
    /// All was made; now it is in its place.
    Finished,
}

impl Workshop {
    pub(super) fn beside(run: &Path) -> Workshop {
        let name = run.file_name().unwrap_or_default().to_string_lossy();
        let beside = |what: &str| run.with_file_name(format!("{name}.{what}"));
        Workshop { run: run.to_owned(), folder: beside("upgraded"), old: beside("old") }
    }

    /// Where the new run is made.
    pub(super) fn made(&self) -> PathBuf {
        self.folder.join("run")
    }

    /// Where the run stays as it was.
    pub(super) fn old(&self) -> &Path {
        &self.old
    }

    /// Keeps others from upgrading the same run for as long as what it gives is held.
    pub(super) fn lock(&self) -> Result<Option<Held>, Failure> {
        let file = File::open(self.run.join("run.json")).or_else(|_| File::open(self.old.join("run.json")));
        let Ok(file) = file else { return Ok(None) };
        match Held::of(file) {
            Err(TryLockError::WouldBlock) => {
                let message = format!("another process plays, judges or upgrades `{}`", self.run.display());
                Err(Failure::new(message, "wait until it has ended"))
            }
            Err(TryLockError::Error(_)) => Ok(None),
            Ok(held) => Ok(Some(held)),
        }
    }

    /// Finishes or clears what an upgrade of this run that was stopped has left.
    ///
    /// # Errors
    /// What stands there is somebody else's.
    pub(super) fn settle(&self) -> Result<Earlier, Failure> {
        let Some(source) = self.source() else { return Ok(Earlier::Nothing) };
        if source == hash(&self.run) {
            self.clear();
        } else if source.is_some() && source == hash(&self.old) {
            if fs::symlink_metadata(&self.run).is_err() {
                fs::rename(self.made(), &self.run).map_err(|error| failed(&self.run, &error))?;
            }
            if fs::symlink_metadata(self.made()).is_err() {
                self.clear();
                return Ok(Earlier::Finished);
            }
        }
        Ok(Earlier::Nothing)
    }

    /// Begins the folder.
    ///
    /// # Errors
    /// Something stands in the way, or it cannot be written.
    pub(super) fn begin(&self) -> Result<(), Failure> {
        for taken in [&self.folder, &self.old] {
            if fs::symlink_metadata(taken).is_ok() {
                let message = format!("`{}` exists already", taken.display());
                return Err(Failure::new(message, "move it away; an upgrade keeps the run as it was there"));
            }
        }
        let note = json!({"upgrade_of": hash(&self.run)});
        let begun = fs::create_dir(&self.folder)
            .and_then(|()| write_whole(&self.folder.join(NOTE), |file| file.write_all(format!("{note}\n").as_bytes())));
        begun.map_err(|error| failed(&self.folder, &error)).inspect_err(|_| self.clear())
    }

    /// Puts the new run into the place of the old one, or leaves the old one there.
    pub(super) fn replace(&self) -> Result<(), Failure> {
        let failed = |error: std::io::Error| failed(&self.run, &error);
        fs::rename(&self.run, &self.old).map_err(failed)?;
        fs::rename(self.made(), &self.run).map_err(|error| match fs::rename(&self.old, &self.run) {
            Ok(()) => failed(error),
            Err(_) => Failure::new(failed(error).message, "call `probity upgrade` again: it goes on from there"),
        })?;
        self.clear();
        Ok(())
    }

    /// Takes the folder away, its note last: without it nobody would know whose it is. What is not ours stays.
    pub(super) fn clear(&self) {
        let _ = fs::remove_dir_all(self.made());
        let left = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let unfinished = left.filter(|entry| entry.file_name().to_str().is_some_and(|name| is_unfinished(name, NOTE)));
        unfinished.for_each(|entry| drop(fs::remove_file(entry.path())));
        if fs::read_dir(&self.folder).is_ok_and(|left| left.count() <= 1) {
            let _ = fs::remove_file(self.folder.join(NOTE));
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// The run that the folder was begun from, as far as its note says so by now; nothing where there is no folder of
    /// ours.
    fn source(&self) -> Option<Option<Hash>> {
        let names: Option<Vec<String>> =
            fs::read_dir(&self.folder).ok()?.map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        let names = names?;
        let is_ours = |name: &String| name == NOTE || name == "run" || is_unfinished(name, NOTE);
        if !names.iter().all(is_ours) {
            return None;
        }
        if !names.iter().any(|name| name == NOTE) {
            // Stopped before the note was written: nothing is in it.
            return (!names.iter().any(|name| name == "run")).then(|| hash(&self.run));
        }
        let note = fs::read_to_string(self.folder.join(NOTE)).ok()?;
        let note: Value = serde_json::from_str(&note).ok()?;
        serde_json::from_value(note.get("upgrade_of")?.clone()).ok().map(Some)
    }
}

/// What `run.json` of a run holds.
fn hash(run: &Path) -> Option<Hash> {
    fs::read(run.join("run.json")).ok().map(|bytes| Hash::of_bytes(&bytes))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(
        format!("`{}`: {error}", path.display()),
        "look at the permissions and the free space, then call it again; the run as it was is not lost",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(name: &str, files: &[(&str, &str)]) -> Workshop {
        let base = std::env::temp_dir().join(format!("probity-workshop-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        for (path, text) in files {
            let path = base.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(&base).unwrap();
        Workshop::beside(&base.join("r"))
    }

    fn note(of: &str) -> String {
        json!({"upgrade_of": Hash::of_bytes(of.as_bytes())}).to_string()
    }

    #[test]
    fn what_an_upgrade_left_is_cleared_or_put_into_its_place() {
        let (of_a, of_b) = (note("a"), note("b"));
        let unfinished = format!("r.upgraded/{NOTE}.12-0.tmp");
        let cases: &[(&str, &[(&str, &str)], Earlier, bool, bool)] = &[
            ("none", &[("r/run.json", "a")], Earlier::Nothing, true, true),
            ("unsaid", &[("r/run.json", "a"), (&unfinished, "{")], Earlier::Nothing, true, true),
            (
                "half",
                &[("r/run.json", "a"), ("r.upgraded/upgrade.json", &of_a), ("r.upgraded/run/run.json", "n")],
                Earlier::Nothing,
                true,
                true,
            ),
            (
                "between",
                &[("r.old/run.json", "a"), ("r.upgraded/upgrade.json", &of_a), ("r.upgraded/run/run.json", "n")],
                Earlier::Finished,
                true,
                false,
            ),
            (
                "after",
                &[("r/run.json", "n"), ("r.old/run.json", "a"), ("r.upgraded/upgrade.json", &of_a)],
                Earlier::Finished,
                true,
                false,
            ),
            (
                "another run's",
                &[("r/run.json", "a"), ("r.upgraded/upgrade.json", &of_b), ("r.upgraded/run/run.json", "n")],
                Earlier::Nothing,
                false,
                false,
            ),
            (
                "somebody's",
                &[("r/run.json", "a"), ("r.upgraded/upgrade.json", &of_a), ("r.upgraded/notes", "n")],
                Earlier::Nothing,
                false,
                false,
            ),
            ("an older one's", &[("r/run.json", "a"), ("r.upgraded/run.json", "n")], Earlier::Nothing, false, false),
        ];
        for (name, files, earlier, is_clear, can_begin) in cases {
            let workshop = laid_out(name, files);
            assert_eq!(&workshop.settle().unwrap(), earlier, "{name}");
            assert_eq!(!workshop.folder.exists(), *is_clear, "{name}");
            assert!(workshop.run.join("run.json").exists(), "{name}");
            assert_eq!(workshop.begin().is_ok(), *can_begin, "{name}");
            fs::remove_dir_all(workshop.run.parent().unwrap()).unwrap();
        }
    }
}
