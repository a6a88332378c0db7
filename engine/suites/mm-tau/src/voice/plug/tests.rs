//! The plug with closures in place of commands.

use std::cell::Cell;

use proptest::prelude::*;

use super::super::wav::tests::wav;
use super::*;

fn tool(command: &str) -> SpeechTool {
    SpeechTool { command: command.to_owned(), version: "1".to_owned() }
}

/// A plug whose tools answer these bytes.
fn hear(audio: &[u8], text: &[u8]) -> Result<Transcript, SpeechRefusal> {
    let answers = |job: &LaunchJob<'_>| Ok(if job.command == "say" { audio.to_vec() } else { text.to_vec() });
    let limits = SpeechLimits { text_bytes: 40, audio_milliseconds: 500, audio_bytes: 600, ..SpeechLimits::default() };
    SpeechPlug::new(tool("say"), tool("hear"), limits, answers).hear("hello")
}

#[test]
fn a_transcript_is_one_line() {
    let transcript = hear(&wav(250, 250), b"\n Hello,\r\n\tyou\0two \n").unwrap();
    assert_eq!((transcript.heard.as_str(), transcript.audio_milliseconds), ("Hello, you two", 250));
    assert_eq!(transcript.audio_sha256.len(), 64);
    assert_eq!(hear(&wav(250, 250), b"").unwrap().heard, "");
}

#[test]
fn hostile_answers_are_refused() {
    let sound = wav(250, 250);
    let table = [
        (hear(b"", b""), SpeechRefusal::NotAudio { reason: "it is empty".to_owned() }),
        (hear(&wav(501, 501), b""), SpeechRefusal::AudioTooLong { milliseconds: 501, limit: 500 }),
        (hear(&wav(601, 1), b""), SpeechRefusal::TooMuchOutput { stage: SpeechStage::Tts, limit: 600 }),
        (hear(&sound, &[0xff, 0xfe]), SpeechRefusal::NotText),
        (hear(&sound, &[b'a'; 41]), SpeechRefusal::TooMuchOutput { stage: SpeechStage::Asr, limit: 40 }),
    ];
    for (heard, refusal) in table {
        assert_eq!(heard, Err(refusal));
    }
}

#[test]
fn a_long_text_is_not_spoken() {
    let never = |_: &LaunchJob<'_>| -> Result<Vec<u8>, LaunchFault> { panic!("nothing may be started") };
    let limits = SpeechLimits { text_bytes: 3, ..SpeechLimits::default() };
    let refused = SpeechPlug::new(tool("say"), tool("hear"), limits, never).hear("four");
    assert_eq!(refused, Err(SpeechRefusal::TextTooLong { bytes: 4, limit: 3 }));
}

#[test]
fn faults_name_their_tool() {
    let faults = |job: &LaunchJob<'_>| match job.command {
        "say" => Ok(wav(1, 1)),
        _ => Err(LaunchFault::TimedOut),
    };
    let plug = SpeechPlug::new(tool("say"), tool("hear"), SpeechLimits::default(), faults);
    assert_eq!(
        plug.hear("hi"),
        Err(SpeechRefusal::TimedOut { stage: SpeechStage::Asr, limit: Duration::from_secs(60) })
    );
}

#[test]
fn the_cache_answers_in_place_of_the_tools() {
    let folder = std::env::temp_dir().join(format!("probity-voice-plug-{}", std::process::id()));
    let started = Cell::new(0);
    let count = |job: &LaunchJob<'_>| {
        started.set(started.get() + 1);
        Ok(if job.command == "say" { wav(job.input.len(), 99) } else { b"heard".to_vec() })
    };
    let plug = |version: &str| {
        let asr = SpeechTool { version: version.to_owned(), ..tool("hear") };
        SpeechPlug::new(tool("say"), asr, SpeechLimits::default(), &count).with_cache(SpeechCache::new(&folder))
    };
    let mut counts = Vec::new();
    let first = plug("1").hear("hello").unwrap();
    for (version, text) in [("1", "hello"), ("2", "hello"), ("1", "other text")] {
        let transcript = plug(version).hear(text).unwrap();
        assert_eq!(transcript == first, text == "hello");
        counts.push(started.get());
    }
    // Everything new, nothing new, a new recogniser, a new text.
    assert_eq!(counts, [2, 3, 5]);
    // A spoilt file is asked for again.
    for file in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(file.unwrap().path(), [0xff]).unwrap();
    }
    assert_eq!(plug("1").hear("hello").unwrap(), first);
    assert_eq!(started.get(), 7);
    std::fs::remove_dir_all(folder).unwrap();
}

proptest! {
    #[test]
    fn no_answer_is_a_surprise(audio in prop::collection::vec(any::<u8>(), 0..80), text in prop::collection::vec(any::<u8>(), 0..50)) {
        let _ = hear(&audio, &text);
        if let Ok(transcript) = hear(&wav(9, 9), &text) {
            prop_assert!(!transcript.heard.contains(char::is_control));
        }
    }
}

#[test]
fn messages() {
    use SpeechRefusal as Refused;
    let (tts, asr) = (SpeechStage::Tts, SpeechStage::Asr);
    let [reason, status] = ["no such file".to_owned(), "it exited with status 3".to_owned()];
    let table = [
        (Refused::TextTooLong { bytes: 5, limit: 4 }, "the text to speak has 5 bytes; at most 4 are spoken at once"),
        (
            Refused::NotStarted { stage: tts, reason: reason.clone() },
            "the tts command could not be started: no such file",
        ),
        (
            Refused::TimedOut { stage: asr, limit: Duration::from_millis(500) },
            "the asr command did not end within 500ms and was killed",
        ),
        (Refused::TooMuchOutput { stage: asr, limit: 9 }, "the asr command wrote more than 9 bytes and was killed"),
        (
            Refused::Failed { stage: tts, status: status.clone(), said: String::new() },
            "the tts command failed: it exited with status 3",
        ),
        (
            Refused::Failed { stage: tts, status, said: "no voice".to_owned() },
            "the tts command failed: it exited with status 3: `no voice`",
        ),
        (Refused::NotAudio { reason: "it is empty".to_owned() }, "the tts command wrote no WAV audio: it is empty"),
        (
            Refused::AudioTooLong { milliseconds: 9, limit: 8 },
            "the tts command wrote 9 ms of audio; at most 8 ms are heard at once",
        ),
        (Refused::NotText, "the asr command wrote bytes that are not UTF-8 text"),
        (
            Refused::CacheUnusable { path: "c/d.txt".to_owned(), reason },
            "the speech cache cannot write `c/d.txt`: no such file",
        ),
    ];
    for (refusal, message) in table {
        assert_eq!(refusal.to_string(), message);
    }
}
