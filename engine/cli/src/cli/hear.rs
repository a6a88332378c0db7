//! `probity hear`.

use std::io::BufRead;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::exit::Exit;
use super::{Global, output};
use probity_mm_tau::measures::WordErrors;
use probity_mm_tau::voice::{
    NoiseChannel, NoiseLevel, Shell, SpeechCache, SpeechLimits, SpeechPlug, SpeechTool, spoken,
};

/// Hear sentences as an agent hears them on the phone: through seeded noise, or spoken and written down by programs of
/// yours.
///
/// `--tts` reads a text and writes a WAV file, `--asr` reads the WAV file and writes a text, both on standard input and
/// output; docs/speech has some to begin with.
#[derive(clap::Args)]
pub struct Hear {
    /// Sentences; without any, each line of standard input is one
    #[arg(value_name = "SENTENCE")]
    sentences: Vec<String>,
    /// How bad the line is: `off`, `mild`, `strong`
    #[arg(long, default_value = "mild", value_name = "LEVEL", conflicts_with_all = ["tts", "asr"])]
    noise: NoiseLevel,
    /// The seed of the noise
    #[arg(long, default_value_t = 41, value_name = "N")]
    seed: u64,
    /// The command that speaks
    #[arg(long, value_name = "CMD", requires = "asr")]
    tts: Option<String>,
    /// The command that writes down what it hears
    #[arg(long, value_name = "CMD", requires = "tts")]
    asr: Option<String>,
    /// Where what was spoken and heard is kept, so that it is not done twice
    #[arg(long, value_name = "DIR", requires = "tts")]
    speech_cache: Option<PathBuf>,
}

/// Longest sentence, in bytes.
const MAX_SENTENCE: usize = 64 << 10;

impl Hear {
    pub(super) fn run(&self, global: &Global) -> Exit {
        let heard = self.sentences().and_then(|sentences| {
            let lines = sentences.iter().zip(1..);
            lines.map(|(said, turn)| self.hear(said, turn)).collect::<Result<Vec<Value>, String>>()
        });
        let heard = match heard {
            Ok(heard) => heard,
            Err(what) => {
                output::error(&what, "docs/speech/README.md has what the commands read and write");
                return Exit::BadInput;
            }
        };
        match global.json {
            true => output::json(&Value::Array(heard)),
            false => heard.iter().for_each(|heard| output::print(&line(heard))),
        }
        Exit::Clean
    }

    fn sentences(&self) -> Result<Vec<String>, String> {
        let sentences = match self.sentences.is_empty() {
            false => self.sentences.clone(),
            true => {
                let lines: Result<Vec<String>, _> = std::io::stdin().lock().lines().collect();
                lines.map_err(|error| format!("standard input: {error}"))?
            }
        };
        match sentences.iter().position(|said| said.len() > MAX_SENTENCE) {
            Some(index) => Err(format!("sentence {} has more than {MAX_SENTENCE} bytes", index + 1)),
            None => Ok(sentences.into_iter().filter(|said| !said.trim().is_empty()).collect()),
        }
    }

    fn hear(&self, said: &str, turn: u64) -> Result<Value, String> {
        let Some((tts, asr)) = self.tts.clone().zip(self.asr.clone()) else {
            let hearing = NoiseChannel::new(self.seed, self.noise).hear("hear", turn, said);
            let errors = WordErrors::between(said, &hearing.heard);
            let mut told = json!(hearing);
            told.as_object_mut().map(|fields| fields.insert("word_error_rate".to_owned(), json!(errors.rate())));
            return Ok(told);
        };
        let tool = |command: String| SpeechTool { command, version: String::new() };
        let plug = SpeechPlug::new(tool(tts), tool(asr), SpeechLimits::default(), Shell);
        let plug = match &self.speech_cache {
            Some(folder) => plug.with_cache(SpeechCache::new(folder)),
            None => plug,
        };
        let transcript = plug.hear(&spoken(said)).map_err(|refusal| format!("sentence {turn}: {refusal}"))?;
        let errors = WordErrors::between(said, &transcript.heard);
        let mut told = json!(transcript);
        if let Some(fields) = told.as_object_mut() {
            fields.insert("said".to_owned(), said.into());
            fields.insert("word_error_rate".to_owned(), json!(errors.rate()));
        }
        Ok(told)
    }
}

/// What was said, what was heard, and the share of words that went wrong.
fn line(heard: &Value) -> String {
    let text = |name: &str| heard.get(name).and_then(Value::as_str).unwrap_or_default();
    let rate = heard.get("word_error_rate").and_then(Value::as_f64);
    let rate = rate.map_or("-".to_owned(), |rate| format!("{rate:.2}"));
    format!("said   {}\nheard  {}\nwords wrong  {rate}\n", text("said"), text("heard"))
}
