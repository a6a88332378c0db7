//! `probity hear`.

use std::io::{BufRead as _, Read as _};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Global;
use super::exit::Exit;
use probity_local::Failure;
use probity_mm_tau::measures::WordErrors;
use probity_mm_tau::voice::{
    NOISE_VERSION, NoiseChannel, NoiseLevel, Shell, SpeechCache, SpeechLimits, SpeechPlug, SpeechTool, spoken,
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
    #[arg(long, default_value_t = 41, value_name = "N", conflicts_with_all = ["tts", "asr"])]
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
    /// What tells the two programs from their next releases, so that nothing old is taken from there
    #[arg(long, value_name = "TEXT", requires = "speech_cache", default_value = "")]
    speech_version: String,
}

/// Longest sentence, in bytes: what programs that speak are given at most.
const MAX_SENTENCE: usize = 2 << 10;
const MAX_SENTENCES: usize = 10_000;

impl Hear {
    pub(super) fn run(&self, global: &Global) -> Result<Exit, Failure> {
        let sentences = self.sentences()?;
        let lines = sentences.iter().zip(1..);
        let heard = lines.map(|(said, turn)| self.hear(said, turn)).collect::<Result<Vec<Value>, Failure>>()?;
        global.tell(|| json!(heard), || heard.iter().map(line).collect());
        Ok(Exit::Clean)
    }

    fn sentences(&self) -> Result<Vec<String>, Failure> {
        let sentences = match self.sentences.is_empty() {
            false => self.sentences.clone(),
            true => {
                // More than this is never asked for.
                let most = MAX_SENTENCE * MAX_SENTENCES;
                let input = std::io::stdin().lock().take(most as u64);
                let lines: Result<Vec<String>, _> = input.lines().take(MAX_SENTENCES + 1).collect();
                lines.map_err(|error| {
                    Failure::new(format!("standard input: {error}"), "write text in UTF-8, a sentence a line")
                })?
            }
        };
        if sentences.len() > MAX_SENTENCES {
            return Err(Failure::new(format!("more than {MAX_SENTENCES} sentences"), "hear them in several runs"));
        }
        match sentences.iter().position(|said| said.len() > MAX_SENTENCE) {
            Some(index) => Err(Failure::new(
                format!("sentence {} has more than {MAX_SENTENCE} bytes", index + 1),
                "say it in several sentences",
            )),
            None => Ok(sentences.into_iter().filter(|said| !said.trim().is_empty()).collect()),
        }
    }

    fn hear(&self, said: &str, turn: u64) -> Result<Value, Failure> {
        let Some((tts, asr)) = self.tts.clone().zip(self.asr.clone()) else {
            let hearing = NoiseChannel::new(self.seed, self.noise).hear("hear", turn, said);
            let errors = WordErrors::between(said, &hearing.heard);
            let how = json!({"seed": self.seed, "noise_version": NOISE_VERSION, "word_error_rate": errors.rate()});
            return Ok(joined(json!(hearing), how));
        };
        let tool = |command: String| SpeechTool { command, version: self.speech_version.clone() };
        let plug = SpeechPlug::new(tool(tts), tool(asr), SpeechLimits::default(), Shell);
        let plug = match &self.speech_cache {
            Some(folder) => plug.with_cache(SpeechCache::new(folder)),
            None => plug,
        };
        let transcript = plug.hear(&spoken(said)).map_err(|refusal| {
            let help = "docs/speech/README.md has what the commands read and write";
            Failure::new(format!("sentence {turn}: {refusal}"), help)
        })?;
        let errors = WordErrors::between(said, &transcript.heard);
        Ok(joined(json!(transcript), json!({"said": said, "word_error_rate": errors.rate()})))
    }
}

fn joined(mut one: Value, other: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut one, other) {
        fields.extend(more);
    }
    one
}

/// What was said, what was heard, and the share of words that went wrong.
fn line(heard: &Value) -> String {
    let text = |name: &str| heard.get(name).and_then(Value::as_str).unwrap_or_default();
    let rate = heard.get("word_error_rate").and_then(Value::as_f64);
    let rate = rate.map_or("-".to_owned(), |rate| format!("{rate:.2}"));
    format!("said   {}\nheard  {}\nwords wrong  {rate}\n", text("said"), text("heard"))
}
