//! Certificates kept by what they depend on: the program, the environment, its scripts and the task. Safe to delete.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;

use probity_behaviour::{certify::certificate::Certificate, task::Task};
use probity_engine::{Hash, write_whole};

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

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

    /// Where the certificate of a task stands, and the hash of all it depends on.
    fn place(&self, task: &Task) -> Option<(PathBuf, String)> {
        let environment = task.environment();
        let key = Hash::of(&json!({
            "program": self.program,
            "environment": environment.hash(),
            "scripts": environment.script_hashes(),
            "task": task.hash(),
        }));
        let key = key.hex();
        Some((self.folder.as_ref()?.join(format!("{key}.json")), key))
    }

    /// The certificate of a task, if one is kept, whole and as it was written.
    pub fn find(&self, task: &Task) -> Option<Certificate> {
        let (path, key) = self.place(task)?;
        let kept: Kept = serde_json::from_slice(&read(&path)?).ok()?;
        let is_whole = kept.hash == hash(&key, &kept.certificate) && kept.certificate.task == task.id();
        is_whole.then_some(kept.certificate)
    }

    /// Keeps a certificate; one that cannot be written is only not kept.
    pub fn keep(&self, task: &Task, certificate: &Certificate) {
        let write = || -> Option<()> {
            let (path, key) = self.place(task)?;
            fs::create_dir_all(path.parent()?).ok()?;
            let kept = json!({"hash": hash(&key, certificate), "certificate": certificate});
            write_whole(&path, |file| file.write_all(kept.to_string().as_bytes())).ok()
        };
        write().unwrap_or_default();
    }
}

/// A certificate beside the hash of itself and of what it depends on, so that no edited one is believed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    hash: String,
    certificate: Certificate,
}

fn hash(key: &str, certificate: &Certificate) -> String {
    Hash::of(&json!([key, certificate])).to_string()
}

/// The bytes of a regular file of no more than [`MAX_BYTES`]; anything else in its place is not read.
fn read(path: &Path) -> Option<Vec<u8>> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_BYTES).then_some(bytes)
}
