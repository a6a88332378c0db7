//! `--tts` and `--asr`: programs that what the user says goes through.

use std::path::PathBuf;
use std::sync::Arc;

use probity_bench::{Card, Line, Options, RunSpeech};
use probity_local::Failure;
use probity_mm_tau::voice::{Shell, SpeechCache, SpeechLimits, SpeechPlug, SpeechTool, spoken};

#[derive(clap::Args)]
pub(super) struct SpeechFlags {
    /// The command that speaks what the user says, and makes a WAV file of a text (docs/speech)
    #[arg(long, value_name = "CMD", requires = "asr")]
    tts: Option<String>,
    /// The command that writes down what it hears, and makes a text of a WAV file
    #[arg(long, value_name = "CMD", requires = "tts")]
    asr: Option<String>,
}

impl SpeechFlags {
    /// The programs of a run, which take the place of the suite's noise: its options then say so.
    pub(super) fn speech(&self, card: &Card, options: &mut Options) -> Result<Option<RunSpeech>, Failure> {
        let asked = self.tts.clone().zip(self.asr.clone()).map(|(tts, asr)| RunSpeech { tts, asr });
        match (card.spoken, &asked) {
            (None, Some(_)) => {
                let message = format!("nothing is spoken in the suite `{}`", card.name);
                return Err(Failure::new(message, "leave `--tts` and `--asr` out"));
            }
            (Some((option, value)), None) if card.option(options, option) == Some(value) => {
                let message = format!("`--set {option}={value}` needs programs that speak and write down");
                return Err(Failure::new(message, "name them with `--tts` and `--asr`; docs/speech has some"));
            }
            (Some((option, value)), Some(_)) if options.get(option).is_some_and(|chosen| chosen != value) => {
                let message = format!("`--set {option}` is the suite's own noise, and programs take its place");
                return Err(Failure::new(message, format!("leave out `--set {option}`, or `--tts` and `--asr`")));
            }
            (Some((option, value)), Some(_)) => drop(options.insert(option.to_owned(), value.to_owned())),
            (_, None) => {}
        }
        Ok(asked)
    }
}

/// The programs, as episodes use them; what was heard once is kept in a folder.
pub(super) fn line(speech: &RunSpeech, cache: PathBuf) -> Arc<dyn Line> {
    let tool = |command: &str| SpeechTool { command: command.to_owned(), version: String::new() };
    let plug = SpeechPlug::new(tool(&speech.tts), tool(&speech.asr), SpeechLimits::default(), Shell);
    Arc::new(Programs(plug.with_cache(SpeechCache::new(cache))))
}

struct Programs(SpeechPlug<Shell>);

impl Line for Programs {
    /// Nobody can be made to say more than the programs take: an episode would end unscored.
    fn hear(&self, said: &str) -> Result<String, String> {
        let words = spoken(said);
        let most = SpeechLimits::default().text_bytes;
        let most = (0..=most.min(words.len())).rev().find(|end| words.is_char_boundary(*end)).unwrap_or_default();
        self.0
            .hear(words.get(..most).unwrap_or_default())
            .map(|transcript| transcript.heard)
            .map_err(|refusal| refusal.to_string())
    }
}
