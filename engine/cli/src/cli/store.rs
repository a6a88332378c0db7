//! What was proved or found, kept by what it depends on, the program among it. Safe to delete.

use std::fs;
use std::hash::Hasher;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;
use serde::Deserialize;
use serde_json::{Value, json};

use probity_engine::{Hash, write_whole};
use probity_proof::store;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// A folder of findings; without a folder nothing is found and nothing is kept.
pub struct Store {
    folder: Option<PathBuf>,
    program: &'static str,
}

/// Bytes of the program that are hashed at once.
const CHUNK: u64 = 1 << 18;

/// A hash of this program, which is read once. Each start that may find something kept reads it, so the hash is a quick
/// one: it tells one build from another, and guards against nobody who means harm.
fn program() -> Option<&'static str> {
    static HASH: OnceLock<Option<String>> = OnceLock::new();
    let own = || -> std::io::Result<String> {
        let mut file = fs::File::open(std::env::current_exe()?)?;
        // Of a seed that stands in what is hashed this hash may lose what comes before it: ours is made of the length.
        let seed = SharedSeed::from_u64(file.metadata()?.len());
        let mut hasher = FoldHasher::with_seed(0, &seed);
        let mut chunk = Vec::new();
        while Read::take(&mut file, CHUNK).read_to_end(&mut chunk)? > 0 {
            hasher.write(&chunk);
            chunk.clear();
        }
        Ok(format!("{:016x}", hasher.finish()))
    };
    HASH.get_or_init(|| own().ok()).as_deref()
}

impl Store {
    /// The folder `.probity/NAME` below a root. A program that cannot read itself has none: it could not tell its own
    /// changes.
    pub fn open(root: &Path, name: &str, is_wanted: bool) -> Store {
        if !is_wanted {
            return Store { folder: None, program: "" };
        }
        let folder = program().map(|_| root.join(".probity").join(name));
        Store { folder, program: program().unwrap_or_default() }
    }

    /// Where stands what depends on `key` and the program, and the hash of both.
    fn place(&self, key: &Value) -> Option<(PathBuf, String)> {
        let key = Hash::of(&json!([self.program, key])).hex();
        Some((self.folder.as_ref()?.join(format!("{key}.json")), key))
    }
}

impl store::Store for Store {
    /// What is kept under a key, whole and as it was written.
    fn find(&self, key: &Value) -> Option<Value> {
        let (path, key) = self.place(key)?;
        let kept: Kept = serde_json::from_slice(&read(&path)?).ok()?;
        (kept.hash == hash(&key, &kept.found)).then_some(kept.found)
    }

    /// Keeps something; what cannot be written is only not kept.
    fn keep(&self, key: &Value, found: &Value) {
        let write = || -> Option<()> {
            let (path, key) = self.place(key)?;
            fs::create_dir_all(path.parent()?).ok()?;
            let kept = json!({"hash": hash(&key, found), "found": found});
            write_whole(&path, |file| file.write_all(kept.to_string().as_bytes())).ok()
        };
        write().unwrap_or_default();
    }
}

/// A finding beside the hash of itself and of what it depends on, so that no damaged one is believed. It keeps nobody
/// out who writes the hash as well.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    hash: String,
    found: Value,
}

fn hash(key: &str, found: &Value) -> String {
    Hash::of(&json!([key, found])).to_string()
}

/// The bytes of a regular file of no more than [`MAX_BYTES`]; anything else in its place is not read.
fn read(path: &Path) -> Option<Vec<u8>> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_BYTES).then_some(bytes)
}
