//! The plug for real speech: a text goes through a TTS command and an ASR command and comes back as it was heard.
//!
//! **Contract.** Both commands are shell lines, started afresh for every utterance.
//! * `--tts CMD` reads the text on standard input, UTF-8 without a final line break, and writes a WAV file to standard
//!   output.
//! * `--asr CMD` reads that WAV file on standard input and writes what it hears to standard output, UTF-8. Line breaks
//!   count as spaces. Nothing at all means that nothing was heard, which is no error.
//! * Both end with status 0, in time, and write to standard error what they like.
//!
//! Between the two the library only looks at the length of the audio. What a command must be given besides, such as the
//! sampling rate, is between the two commands.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::Digest as _;
use sha2::Sha256;

use super::cache::{SpeechCache, answer_name};
use super::wav;
use probity_bench::named;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeechTool {
    pub command: String,
    /// Whatever tells this tool from its next release, e.g. `flite 2.2 slt`. It only goes into the key of the cache:
    /// without a new one, answers of the old release stay.
    pub version: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeechLimits {
    pub time: Duration,
    /// Length of the text spoken, and of the text heard, in bytes. Recognisers run away: one sentence in 168 came back
    /// as the same word 68 times.
    pub text_bytes: usize,
    pub audio_milliseconds: u64,
    pub audio_bytes: usize,
}

impl Default for SpeechLimits {
    /// 60 s, 2 KiB of text, two minutes of audio, 16 MiB.
    fn default() -> Self {
        SpeechLimits {
            time: Duration::from_secs(60),
            text_bytes: 2 << 10,
            audio_milliseconds: 120_000,
            audio_bytes: 16 << 20,
        }
    }
}

/// A command to run: once, to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchJob<'a> {
    pub command: &'a str,
    pub input: &'a [u8],
    pub time: Duration,
    pub output_bytes: usize,
}

/// Why a command gave no output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchFault {
    /// It could not be started; what the system says.
    NotStarted(String),
    TimedOut,
    TooMuchOutput,
    /// It ended with another status than 0.
    Failed {
        status: String,
        /// The last line it wrote to standard error.
        said: String,
    },
}

/// Runs commands. [`Shell`](super::Shell) does it for real; a closure will do for a test.
pub trait Launch {
    /// The standard output of a command that ended well.
    fn launch(&self, job: &LaunchJob<'_>) -> Result<Vec<u8>, LaunchFault>;
}

impl<F: Fn(&LaunchJob<'_>) -> Result<Vec<u8>, LaunchFault>> Launch for F {
    fn launch(&self, job: &LaunchJob<'_>) -> Result<Vec<u8>, LaunchFault> {
        self(job)
    }
}

/// What real tools made of one utterance. A golden should store it: other machines may hear otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    /// The text given to the TTS command.
    pub spoken: String,
    /// The text the ASR command made of it, in one line.
    pub heard: String,
    /// SHA-256 of the WAV file between the two, in hexadecimal.
    pub audio_sha256: String,
    pub audio_milliseconds: u64,
}

/// A TTS command and an ASR command, plugged together.
#[derive(Clone, Debug)]
pub struct SpeechPlug<L> {
    tts: SpeechTool,
    asr: SpeechTool,
    limits: SpeechLimits,
    cache: Option<SpeechCache>,
    launcher: L,
}

impl<L: Launch> SpeechPlug<L> {
    /// Plugs two tools together, without a cache.
    pub fn new(tts: SpeechTool, asr: SpeechTool, limits: SpeechLimits, launcher: L) -> Self {
        SpeechPlug { tts, asr, limits, cache: None, launcher }
    }

    /// The same with a cache: what a tool has answered once it is not asked again.
    #[must_use]
    pub fn with_cache(mut self, cache: SpeechCache) -> Self {
        self.cache = Some(cache);
        self
    }

    /// Speaks a text and transcribes it. The text is spoken as it is; give it [`spoken`](super::spoken()) when the TTS
    /// tool should not guess how to say ids and addresses.
    pub fn hear(&self, text: &str) -> Result<Transcript, SpeechRefusal> {
        let (bytes, limit) = (text.len(), self.limits.text_bytes);
        if bytes > limit {
            return Err(SpeechRefusal::TextTooLong { bytes, limit });
        }
        let (audio, audio_milliseconds) =
            self.answer(SpeechStage::Tts, text.as_bytes(), |audio| self.check_audio(audio))?;
        let (_, heard) = self.answer(SpeechStage::Asr, &audio, one_line)?;
        let audio_sha256 = format!("{:x}", Sha256::digest(&audio));
        Ok(Transcript { spoken: text.to_owned(), heard, audio_sha256, audio_milliseconds })
    }

    /// The answer of a tool, from the cache if it is there, and what `check` reads in it. Only checked answers are
    /// kept; a kept one that fails the check is asked for again.
    fn answer<T>(
        &self,
        stage: SpeechStage,
        input: &[u8],
        check: impl Fn(&[u8]) -> Result<T, SpeechRefusal>,
    ) -> Result<(Vec<u8>, T), SpeechRefusal> {
        let (tool, limit) = match stage {
            SpeechStage::Tts => (&self.tts, self.limits.audio_bytes),
            SpeechStage::Asr => (&self.asr, self.limits.text_bytes),
        };
        let name = answer_name(stage, &tool.command, &tool.version, input);
        let kept = self.cache.as_ref().and_then(|cache| cache.find(&name, limit));
        if let Some((answer, Ok(read))) =
            kept.map(|answer| (check(&answer), answer)).map(|(read, answer)| (answer, read))
        {
            return Ok((answer, read));
        }
        let job = LaunchJob { command: &tool.command, input, time: self.limits.time, output_bytes: limit };
        let answer = self.launcher.launch(&job).map_err(|fault| refusal(stage, &job, fault))?;
        // A launcher that does not keep to the limit is not trusted either.
        if answer.len() > limit {
            return Err(SpeechRefusal::TooMuchOutput { stage, limit });
        }
        let read = check(&answer)?;
        if let Some(cache) = &self.cache {
            cache.keep(&name, &answer)?;
        }
        Ok((answer, read))
    }

    fn check_audio(&self, audio: &[u8]) -> Result<u64, SpeechRefusal> {
        let not_audio = |reason: &str| SpeechRefusal::NotAudio { reason: reason.to_owned() };
        let milliseconds = wav::milliseconds(audio).map_err(not_audio)?;
        let limit = self.limits.audio_milliseconds;
        if milliseconds > limit {
            return Err(SpeechRefusal::AudioTooLong { milliseconds, limit });
        }
        Ok(milliseconds)
    }
}

/// A transcript as one line: spaces, line breaks and control characters become single spaces.
fn one_line(answer: &[u8]) -> Result<String, SpeechRefusal> {
    let text = std::str::from_utf8(answer).map_err(|_| SpeechRefusal::NotText)?;
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    Ok(words.collect::<Vec<_>>().join(" "))
}

fn refusal(stage: SpeechStage, job: &LaunchJob<'_>, fault: LaunchFault) -> SpeechRefusal {
    match fault {
        LaunchFault::NotStarted(reason) => SpeechRefusal::NotStarted { stage, reason },
        LaunchFault::TimedOut => SpeechRefusal::TimedOut { stage, limit: job.time },
        LaunchFault::TooMuchOutput => SpeechRefusal::TooMuchOutput { stage, limit: job.output_bytes },
        LaunchFault::Failed { status, said } => SpeechRefusal::Failed { stage, status, said },
    }
}

named! {
    pub enum SpeechStage {
        Tts = "tts",
        Asr = "asr",
    }
}

/// Why an utterance could not be spoken or transcribed. Every case is the tools' or the machine's, never the agent's: what
/// it stops is not scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpeechRefusal {
    #[error("the text to speak has {bytes} bytes; at most {limit} are spoken at once")]
    TextTooLong { bytes: usize, limit: usize },
    #[error("the {stage} command could not be started: {reason}")]
    NotStarted { stage: SpeechStage, reason: String },
    #[error("the {stage} command did not end within {limit:?} and was killed")]
    TimedOut { stage: SpeechStage, limit: Duration },
    /// The command wrote more than allowed and was killed.
    #[error("the {stage} command wrote more than {limit} bytes and was killed")]
    TooMuchOutput { stage: SpeechStage, limit: usize },
    /// The command ended with another status than 0; `said` is the last line it wrote to standard error.
    #[error("the {stage} command failed: {status}{}", last_words(.said))]
    Failed { stage: SpeechStage, status: String, said: String },
    /// The output of the TTS command is no WAV file with sound in it.
    #[error("the tts command wrote no WAV audio: {reason}")]
    NotAudio { reason: String },
    #[error("the tts command wrote {milliseconds} ms of audio; at most {limit} ms are heard at once")]
    AudioTooLong { milliseconds: u64, limit: u64 },
    /// The output of the ASR command is not UTF-8.
    #[error("the asr command wrote bytes that are not UTF-8 text")]
    NotText,
    #[error("the speech cache cannot write `{path}`: {reason}")]
    CacheUnusable { path: String, reason: String },
}

fn last_words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": `{said}`") }
}

#[cfg(test)]
mod tests;
