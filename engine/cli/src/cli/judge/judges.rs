//! The flags that name judges, and the way to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::stopped::Stopped;
use crate::cli::program::progress;
use crate::cli::provider::{ProviderFlags, over_network, stop};
use crate::cli::run::default_jobs;
use crate::cli::{Global, output, signals};
use crate::failure::Failure;
use probity_behaviour::judge::execute::{JudgingResult, Session};
use probity_behaviour::judge::journal::Journal;
use probity_behaviour::judge::model::ModelJudge;
use probity_behaviour::judge::prompt::Wording;
use probity_behaviour::judge::question::Subject;
use probity_bench::{
    AgentName, Client, Interrupt, Player, Prices, ProviderConfig, Recorder, RunJudge, ToolMode, Usage,
    provider::cassette,
};

/// Who judges.
#[derive(clap::Args)]
pub struct JudgeFlags {
    /// A judge: openai:MODEL; may be repeated
    #[arg(long = "judge", value_name = "JUDGE", value_parser = model)]
    models: Vec<String>,
    /// Judgements asked for at the same time; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// What they are asked: reliability-1 (three grades), or statements-1 (the same, and a list of untrue statements
    /// and of faults in the use of tools) [default: reliability-1; with --dialogues statements-1]
    #[arg(long, value_name = "WORDING")]
    wording: Option<Wording>,
    #[command(flatten)]
    provider: ProviderFlags,
}

/// Reads `openai:MODEL`.
pub(in crate::cli) fn model(text: &str) -> Result<String, String> {
    match text.parse() {
        Ok(AgentName::OpenAi(model)) => Ok(model),
        Ok(_) | Err(_) => Err("a judge is `openai:MODEL`".to_owned()),
    }
}

pub struct Judges {
    pub judges: Vec<ModelJudge>,
    recorder: Option<Arc<Recorder>>,
    prices: Option<Prices>,
}

pub(in crate::cli) struct Connected {
    pub models: Vec<String>,
    pub client: Arc<Client>,
    pub recorder: Option<Arc<Recorder>>,
    pub prices: Option<Prices>,
}

impl JudgeFlags {
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(default_jobs, usize::from)
    }

    pub fn has_wording(&self) -> bool {
        self.wording.is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    pub fn prices(&self) -> Option<Prices> {
        self.provider.prices()
    }

    /// The judges, asked in `wording` where no flag says otherwise; their traffic is kept in a directory if there is
    /// one. Where none is named, nobody is connected.
    pub fn connect(
        &self,
        wording: Wording,
        directory: Option<&Path>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Judges, Failure> {
        let wording = self.wording.unwrap_or(wording);
        let traffic = directory.map(|directory| directory.join(wording.cassette()));
        let Some(Connected { models, client, recorder, prices }) = self.way(traffic, interrupt)? else {
            return Ok(Judges { judges: Vec::new(), recorder: None, prices: None });
        };
        let judges = models.iter().map(|model| ModelJudge::new(Arc::clone(&client), model, wording)).collect();
        Ok(Judges { judges, recorder, prices })
    }

    /// The models that are named and the way to them, with its traffic kept in a file if one is named; nothing where no
    /// model is.
    pub(in crate::cli) fn way(
        &self,
        traffic: Option<PathBuf>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<Connected>, Failure> {
        if self.models.is_empty() {
            return Ok(None);
        }
        let mut models = self.models.clone();
        models.sort();
        if let Some([twice, ..]) = models.windows(2).find(|pair| matches!(pair, [left, right] if left == right)) {
            let help = "name it once; `--repeats` asks it more often".to_owned();
            return Err(Failure::new(format!("the judge `openai:{twice}` is named twice"), help));
        }
        let (config, cassette) = self.provider.config()?;
        if config.tool_mode != ToolMode::Native {
            return Err(Failure::new("`--tool-mode` means nothing here: judges call no tools", "leave it out"));
        }
        let (client, recorder) = way(&config, cassette.as_deref(), traffic, interrupt)?;
        Ok(Some(Connected { models, client, recorder, prices: config.prices }))
    }
}

/// The way to the judges' provider: from a cassette, or over the network with all traffic kept in a file.
fn way(
    config: &ProviderConfig,
    cassette: Option<&str>,
    traffic: Option<PathBuf>,
    interrupt: &Arc<Interrupt>,
) -> Result<(Arc<Client>, Option<Arc<Recorder>>), Failure> {
    let stop = stop(interrupt);
    let client = |transport| Arc::new(Client::new(config.clone(), transport, Arc::clone(&stop)));
    if let Some(text) = cassette {
        let help = || "give the cassette that lies beside judgements, or ask the judges again".to_owned();
        let entries = cassette::read(text)
            .map_err(|what| Failure::new(format!("the cassette cannot be read: {what}"), help()))?;
        return Ok((client(Box::new(Player::new(entries))), None));
    }
    let network = over_network(config, &stop)?;
    let Some(traffic) = traffic else { return Ok((client(network), None)) };
    let recorder = Arc::new(Recorder::new(traffic, network));
    Ok((client(Box::new(Arc::clone(&recorder))), Some(recorder)))
}

pub(in crate::cli) fn finish(recorder: Option<&Recorder>) {
    if let Some(Err(what)) = recorder.map(Recorder::finish) {
        output::note(&format!("note: the cassette beside the judgements is not complete: {what}"));
    }
}

pub(in crate::cli) fn tell(prices: Option<Prices>, usage: &Usage) {
    if usage.requests > 0 {
        let cost = prices.and_then(|prices| prices.cost(usage)).map(|cost| format!("; cost {cost:.4}"));
        output::note(&format!("asked: {usage}{}", cost.unwrap_or_default()));
    }
}

impl Judges {
    /// The judge of a run, with its traffic kept in the run's directory.
    pub fn of_run(
        judge: &RunJudge,
        cassette: Option<&str>,
        directory: &Path,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Judges, Failure> {
        let wording: Wording =
            judge.wording.parse().map_err(|what| Failure::new(what, "use the version that began the run"))?;
        let (client, recorder) = way(&judge.provider, cassette, Some(directory.join(wording.cassette())), interrupt)?;
        let judges = vec![ModelJudge::new(client, &judge.model, wording)];
        Ok(Judges { judges, recorder, prices: judge.provider.prices })
    }

    pub fn finish(&self) {
        finish(self.recorder.as_deref());
    }

    pub fn tell(&self, usage: &Usage) {
        tell(self.prices, usage);
    }

    pub(super) fn ask(
        &self,
        global: &Global,
        subjects: &[Subject],
        journal: Option<Journal>,
        (repeats, jobs): (u32, usize),
        interrupt: &Arc<Interrupt>,
    ) -> Result<JudgingResult, Stopped> {
        signals::stop(interrupt);
        let size = self.judges.len() * subjects.len() * usize::try_from(repeats).unwrap_or(usize::MAX);
        let bar = progress(global, size);
        let on_judgement = || bar.inc(1);
        let session = Session { judges: &self.judges, repeats, jobs, stop: interrupt, on_judgement: &on_judgement };
        let asked = session.ask(subjects, journal);
        bar.finish_and_clear();
        self.finish();
        let asked = asked.map_err(|error| Stopped::Refused(Failure::new(error.to_string(), error.help())))?;
        if !global.quiet {
            self.tell(&asked.usage);
        }
        Ok(asked)
    }
}
