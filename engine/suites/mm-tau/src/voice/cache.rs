//! What speech tools answered before, one file per answer in a folder. The only file here that touches a disk.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use sha2::Digest as _;
use sha2::Sha256;

use super::plug::{SpeechRefusal, SpeechStage};

/// A folder of answers of speech tools. An answer is filed under the SHA-256 of stage, command, version and input:
/// the text for a TTS tool, the audio for an ASR tool. Refusals are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeechCache {
    folder: PathBuf,
}

impl SpeechCache {
    /// The cache in this folder, which is made when the first answer is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        SpeechCache { folder: folder.into() }
    }

    /// The answer of that name when there is one of at most `limit` bytes; anything unreadable counts as none.
    pub(crate) fn find(&self, name: &str, limit: usize) -> Option<Vec<u8>> {
        let file = std::fs::File::open(self.folder.join(name)).ok()?;
        let mut answer = Vec::new();
        file.take(limit as u64 + 1).read_to_end(&mut answer).ok()?;
        (answer.len() <= limit).then_some(answer)
    }

    /// Keeps an answer. It appears whole or not at all, even when two processes keep it at once.
    pub(crate) fn keep(&self, name: &str, answer: &[u8]) -> Result<(), SpeechRefusal> {
        let path = self.folder.join(name);
        let draft = self.folder.join(format!("{name}.{}-{:?}", std::process::id(), std::thread::current().id()));
        let kept = std::fs::create_dir_all(&self.folder)
            .and_then(|()| std::fs::write(&draft, answer))
            .and_then(|()| std::fs::rename(&draft, &path));
        kept.map_err(|error| {
            let _ = std::fs::remove_file(&draft);
            unusable(&path, &error)
        })
    }
}

/// The name of the file with the answer of a tool to an input.
pub(crate) fn answer_name(stage: SpeechStage, command: &str, version: &str, input: &[u8]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(b"probity.speech.1");
    for part in [stage.name().as_bytes(), command.as_bytes(), version.as_bytes(), input] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let ending = match stage {
        SpeechStage::Tts => "wav",
        SpeechStage::Asr => "txt",
    };
    format!("{:x}.{ending}", hasher.finalize())
}

fn unusable(path: &Path, error: &std::io::Error) -> SpeechRefusal {
    SpeechRefusal::CacheUnusable { path: path.display().to_string(), reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_the_key_counts() {
        let name = |stage, command, version, input: &str| answer_name(stage, command, version, input.as_bytes());
        let (tts, asr) = (SpeechStage::Tts, SpeechStage::Asr);
        let names = [
            name(tts, "say", "1", "hi"),
            name(asr, "say", "1", "hi"),
            name(tts, "says", "1", "hi"),
            name(tts, "say", "2", "hi"),
            name(tts, "say", "1", "ho"),
            name(tts, "say1", "", "hi"),
        ];
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
        let ending = |name: &str| name.split_once('.').map(|(hash, ending)| (hash.len(), ending.to_owned()));
        assert_eq!([ending(&names[0]), ending(&names[1])], ["wav", "txt"].map(|e| Some((64, e.to_owned()))));
    }

    #[test]
    fn answers_are_found_again_unless_too_long() {
        let folder = std::env::temp_dir().join(format!("probity-voice-cache-{}", std::process::id()));
        let cache = SpeechCache::new(&folder);
        assert_eq!(cache.find("a.txt", 9), None);
        cache.keep("a.txt", b"hello").unwrap();
        assert_eq!(cache.find("a.txt", 5).as_deref(), Some(b"hello".as_slice()));
        assert_eq!(cache.find("a.txt", 4), None);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        let blocked = SpeechCache::new(folder.join("a.txt"));
        assert!(matches!(blocked.keep("b.txt", b""), Err(SpeechRefusal::CacheUnusable { .. })));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
