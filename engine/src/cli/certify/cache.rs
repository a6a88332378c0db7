//! Certificates kept by what they depend on: the program, the environment, its scripts and the task. Safe to delete.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::certify::certificate::Certificate;
use crate::model::canonical::Hash;
use crate::task::Task;

/// A folder of certificates; without a folder nothing is found and nothing is kept.
pub struct Cache {
    folder: Option<PathBuf>,
    program: String,
}

impl Cache {
    /// The cache below a root. A program that cannot read itself has none: it could not tell its own changes.
    pub fn open(root: &Path, is_wanted: bool) -> Cache {
        let program = std::env::current_exe().and_then(fs::read).ok().map(|bytes| Hash::of_bytes(&bytes).to_string());
        let folder = program.is_some().then(|| root.join(".probity").join("certificates")).filter(|_| is_wanted);
        Cache { folder, program: program.unwrap_or_default() }
    }

    fn path(&self, task: &Task) -> Option<PathBuf> {
        let environment = task.environment();
        let key = Hash::of(&json!({
            "program": self.program,
            "environment": environment.hash(),
            "scripts": environment.script_hashes(),
            "task": task.hash(),
        }));
        let key = key.to_string();
        let key = key.rsplit(':').next().unwrap_or_default().to_owned();
        Some(self.folder.as_ref()?.join(format!("{key}.json")))
    }

    /// The certificate of a task, if one is kept and can be read.
    pub fn find(&self, task: &Task) -> Option<Certificate> {
        let text = fs::read(self.path(task)?).ok()?;
        serde_json::from_slice(&text).ok().filter(|certificate: &Certificate| certificate.task == task.id())
    }

    /// Keeps a certificate; one that cannot be written is only not kept.
    pub fn keep(&self, task: &Task, certificate: &Certificate) {
        let write = || -> Option<()> {
            let path = self.path(task)?;
            fs::create_dir_all(path.parent()?).ok()?;
            // Written beside and moved, so that a crash leaves no half certificate.
            let beside = path.with_extension(format!("{}.new", std::process::id()));
            fs::write(&beside, serde_json::to_vec(certificate).ok()?).ok()?;
            fs::rename(&beside, &path).ok()
        };
        write().unwrap_or_default();
    }
}
