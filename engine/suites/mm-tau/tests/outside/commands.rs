//! The plug with real processes: small shell scripts that behave well, hang, flood, lie and die.
#![cfg(unix)]

use std::time::Duration;

use probity_mm_tau::voice::{
    Launch, LaunchFault, LaunchJob, Shell, SpeechLimits, SpeechPlug, SpeechRefusal, SpeechStage, SpeechTool,
};

/// Speaks by wrapping the text into a WAV file of 8000 bytes a second.
const SAY: &str =
    r"printf 'RIFF\0\0\0\0WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\100\037\0\0\001\0\010\0data\377\377\377\377'; cat";
/// Hears by taking the text out again.
const HEAR: &str = "tail -c +45; echo";

fn run(command: &str, input: &[u8]) -> Result<Vec<u8>, LaunchFault> {
    Shell.launch(&LaunchJob { command, input, time: Duration::from_secs(2), output_bytes: 100_000 })
}

fn plug(tts: &str, asr: &str) -> SpeechPlug<Shell> {
    let tool = |command: &str| SpeechTool { command: command.to_owned(), version: String::new() };
    let limits = SpeechLimits { time: Duration::from_secs(2), ..SpeechLimits::default() };
    SpeechPlug::new(tool(tts), tool(asr), limits, Shell)
}

#[test]
fn what_is_spoken_is_heard() {
    let transcript = plug(SAY, HEAR).hear("zip seven seven zero three four").unwrap();
    assert_eq!(transcript.heard, "zip seven seven zero three four");
    assert_eq!(transcript.audio_milliseconds, 3);
}

#[test]
fn a_command_that_hangs_is_killed_with_its_children() {
    let folder = std::env::temp_dir().join(format!("probity-voice-hang-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let sign = folder.join("alive");
    let command = format!("(sleep 4; touch {}) & sleep 100", sign.display());
    assert_eq!(run(&command, b""), Err(LaunchFault::TimedOut));
    // It closed its output and lives on.
    assert_eq!(run("exec >&-; sleep 100", b""), Err(LaunchFault::TimedOut));
    std::thread::sleep(Duration::from_secs(3));
    assert!(!sign.exists(), "a child outlived its group");
    std::fs::remove_dir_all(folder).unwrap();
    let refused = plug(SAY, "sleep 100").hear("hi").unwrap_err();
    assert_eq!(refused.to_string(), "the asr command did not end within 2s and was killed");
}

#[test]
fn a_flood_is_cut_off() {
    assert_eq!(run("yes", b""), Err(LaunchFault::TooMuchOutput));
    assert_eq!(run("yes >&2 & sleep 100", b""), Err(LaunchFault::TimedOut));
    let refused = plug(SAY, "yes acman").hear("hi");
    assert_eq!(refused, Err(SpeechRefusal::TooMuchOutput { stage: SpeechStage::Asr, limit: 2048 }));
}

#[test]
fn input_that_nobody_reads_does_no_harm() {
    let input = vec![b'a'; 1 << 20];
    assert_eq!(run("echo heard", &input), Ok(b"heard\n".to_vec()));
    assert_eq!(run("cat", &input), Err(LaunchFault::TooMuchOutput));
}

#[test]
fn a_failure_is_told_with_its_last_words() {
    let failed = |status: &str, said: &str| LaunchFault::Failed { status: status.to_owned(), said: said.to_owned() };
    assert_eq!(
        run("echo first >&2; echo no voice >&2; exit 3", b""),
        Err(failed("it exited with status 3", "no voice"))
    );
    assert_eq!(run("kill -9 $$", b""), Err(failed("it was killed", "")));
    let refused = plug("no-such-tool-anywhere", HEAR).hear("hi").unwrap_err().to_string();
    let head = "the tts command failed: it exited with status 127: there is no such command: `";
    assert!(refused.starts_with(head) && refused.contains("no-such-tool-anywhere"), "{refused}");
}

#[test]
fn garbage_is_refused() {
    let refusals = [
        (plug("true", HEAR).hear("hi"), "the tts command wrote no WAV audio: it is empty"),
        (
            plug("head -c 5000 /dev/urandom", HEAR).hear("hi"),
            "the tts command wrote no WAV audio: it does not begin like a WAV file",
        ),
        (plug(SAY, r"printf 'a\377'").hear("hi"), "the asr command wrote bytes that are not UTF-8 text"),
    ];
    for (refused, message) in refusals {
        assert_eq!(refused.unwrap_err().to_string(), message);
    }
    assert_eq!(plug(SAY, "true").hear("hi").unwrap().heard, "");
}
