//! Why real speech tools gave nothing to hear. Every case is the tools' or the machine's, never the agent's: what it
//! stops is not scored.

use std::fmt;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeechStage {
    Tts,
    Asr,
}

impl fmt::Display for SpeechStage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            SpeechStage::Tts => "tts",
            SpeechStage::Asr => "asr",
        })
    }
}

/// Why an utterance could not be spoken or transcribed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpeechRefusal {
    TextTooLong {
        bytes: usize,
        limit: usize,
    },
    NotStarted {
        stage: SpeechStage,
        reason: String,
    },
    TimedOut {
        stage: SpeechStage,
        limit: Duration,
    },
    /// The command wrote more than allowed and was killed.
    TooMuchOutput {
        stage: SpeechStage,
        limit: usize,
    },
    /// The command ended with another status than 0.
    Failed {
        stage: SpeechStage,
        status: String,
        /// The last line it wrote to standard error.
        said: String,
    },
    /// The output of the TTS command is no WAV file with sound in it.
    NotAudio {
        reason: String,
    },
    AudioTooLong {
        milliseconds: u64,
        limit: u64,
    },
    /// The output of the ASR command is not UTF-8.
    NotText,
    CacheUnusable {
        path: String,
        reason: String,
    },
}

impl fmt::Display for SpeechRefusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TextTooLong { bytes, limit } => {
                write!(out, "the text to speak has {bytes} bytes; at most {limit} are spoken at once")
            }
            Self::NotStarted { stage, reason } => write!(out, "the {stage} command could not be started: {reason}"),
            Self::TimedOut { stage, limit } => {
                write!(out, "the {stage} command did not end within {limit:?} and was killed")
            }
            Self::TooMuchOutput { stage, limit } => {
                write!(out, "the {stage} command wrote more than {limit} bytes and was killed")
            }
            Self::Failed { stage, status, said } if said.is_empty() => {
                write!(out, "the {stage} command failed: {status}")
            }
            Self::Failed { stage, status, said } => write!(out, "the {stage} command failed: {status}: `{said}`"),
            Self::NotAudio { reason } => write!(out, "the tts command wrote no WAV audio: {reason}"),
            Self::AudioTooLong { milliseconds, limit } => {
                write!(out, "the tts command wrote {milliseconds} ms of audio; at most {limit} ms are heard at once")
            }
            Self::NotText => out.write_str("the asr command wrote bytes that are not UTF-8 text"),
            Self::CacheUnusable { path, reason } => write!(out, "the speech cache cannot write `{path}`: {reason}"),
        }
    }
}

impl std::error::Error for SpeechRefusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let (tts, asr) = (SpeechStage::Tts, SpeechStage::Asr);
        let [reason, status] = ["no such file".to_owned(), "it exited with status 3".to_owned()];
        let table = [
            (
                SpeechRefusal::TextTooLong { bytes: 5, limit: 4 },
                "the text to speak has 5 bytes; at most 4 are spoken at once",
            ),
            (
                SpeechRefusal::NotStarted { stage: tts, reason: reason.clone() },
                "the tts command could not be started: no such file",
            ),
            (
                SpeechRefusal::TimedOut { stage: asr, limit: Duration::from_millis(500) },
                "the asr command did not end within 500ms and was killed",
            ),
            (
                SpeechRefusal::TooMuchOutput { stage: asr, limit: 9 },
                "the asr command wrote more than 9 bytes and was killed",
            ),
            (
                SpeechRefusal::Failed { stage: tts, status: status.clone(), said: String::new() },
                "the tts command failed: it exited with status 3",
            ),
            (
                SpeechRefusal::Failed { stage: tts, status, said: "no voice".to_owned() },
                "the tts command failed: it exited with status 3: `no voice`",
            ),
            (
                SpeechRefusal::NotAudio { reason: "it is empty".to_owned() },
                "the tts command wrote no WAV audio: it is empty",
            ),
            (
                SpeechRefusal::AudioTooLong { milliseconds: 9, limit: 8 },
                "the tts command wrote 9 ms of audio; at most 8 ms are heard at once",
            ),
            (SpeechRefusal::NotText, "the asr command wrote bytes that are not UTF-8 text"),
            (
                SpeechRefusal::CacheUnusable { path: "c/d.txt".to_owned(), reason },
                "the speech cache cannot write `c/d.txt`: no such file",
            ),
        ];
        for (refusal, message) in table {
            assert_eq!(refusal.to_string(), message);
        }
    }
}
