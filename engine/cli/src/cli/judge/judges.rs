//! The flags that name judges, and the way to them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::subjects::read_journal;
use crate::cli::exit::Exit;
use crate::cli::global::{default_jobs, progress};
use crate::cli::provider::{ProviderFlags, one_form, way};
use crate::cli::{Global, output, signals};
use probity_behaviour::judge::execute::{Asking, ModelJudge};
use probity_behaviour::judge::judgement::{JudgeCard, Judgement};
use probity_behaviour::judge::prompt::Wording;
use probity_behaviour::judge::question::Subject;
use probity_bench::{
    Client, Fault, Interrupt, ModelName, Prices, ProviderConfig, Recorder, RunDirectory, RunError, RunJudge, ToolMode,
    Usage,
};
use probity_local::Failure;
use probity_ruling::asker::why_silent;
use probity_ruling::journal::Journal;
use probity_ruling::session::{Judging, Round};

/// Who judges.
#[derive(clap::Args)]
pub struct JudgeFlags {
    /// A judge: openai:MODEL, anthropic:MODEL and the like; may be repeated
    #[arg(long = "judge", value_name = "JUDGE")]
    models: Vec<ModelName>,
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

pub struct Judges {
    pub judges: Vec<ModelJudge>,
    /// None where no judge is named.
    way: Option<Way>,
}

/// The way to models that judge, with its traffic kept in a file where one is named.
pub(in crate::cli) struct Way {
    pub client: Arc<Client>,
    recorder: Option<Arc<Recorder>>,
    prices: Option<Prices>,
}

impl JudgeFlags {
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(default_jobs, usize::from)
    }

    /// Where judges are asked one thing, a wording means nothing; `place` says where that is.
    pub(crate) fn refuse_wording(&self, place: &str, help: &str) -> Result<(), Failure> {
        let refuse = |_| Err(Failure::new(format!("`--wording` means nothing {place}"), help));
        self.wording.map_or(Ok(()), refuse)
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
        let Some((models, way)) = self.way(traffic, interrupt)? else {
            return Ok(Judges { judges: Vec::new(), way: None });
        };
        let judges = models.iter().map(|model| ModelJudge::new(Arc::clone(&way.client), model, wording)).collect();
        Ok(Judges { judges, way: Some(way) })
    }

    /// The models that are named and the way to them, with its traffic kept in a file if one is named; nothing where no
    /// model is.
    pub(in crate::cli) fn way(
        &self,
        traffic: Option<PathBuf>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Option<(Vec<String>, Way)>, Failure> {
        let Some(form) = one_form(self.models.iter())? else { return Ok(None) };
        let mut models: Vec<String> = self.models.iter().map(|name| name.model.clone()).collect();
        models.sort();
        if let Some([twice, ..]) = models.windows(2).find(|pair| matches!(pair, [left, right] if left == right)) {
            let help = "name it once; `--repeats` asks it more often".to_owned();
            return Err(Failure::new(format!("the judge `{form}:{twice}` is named twice"), help));
        }
        let (config, cassette) = self.provider.config(form)?;
        if config.tool_mode != ToolMode::Native {
            return Err(Failure::new("`--tool-mode` means nothing here: judges call no tools", "leave it out"));
        }
        Ok(Some((models, Way::open(&config, cassette.as_deref(), traffic, interrupt)?)))
    }
}

impl Way {
    /// From a cassette, or over the network.
    fn open(
        config: &ProviderConfig,
        cassette: Option<&str>,
        traffic: Option<PathBuf>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<Way, Failure> {
        let help = "give the cassette that lies beside judgements, or ask the judges again";
        let (client, recorder) = way(config, (cassette, help), traffic, interrupt)?;
        Ok(Way { client, recorder, prices: config.prices })
    }

    /// Asks, with a bar for people, and then tells what it took.
    pub(in crate::cli) fn ask<A>(
        &self,
        global: &Global,
        (size, jobs): (usize, usize),
        interrupt: &Arc<Interrupt>,
        ask: impl FnOnce(Round) -> Result<A, RunError>,
        usage: impl Fn(&A) -> Usage,
    ) -> Result<A, Failure> {
        signals::stop(interrupt);
        let bar = progress(global, size);
        let on_answer = || bar.inc(1);
        let asked = ask(Round { jobs, stop: interrupt, on_answer: &on_answer });
        bar.finish_and_clear();
        self.finish();
        let asked = asked?;
        if !global.quiet {
            self.tell(&usage(&asked));
        }
        Ok(asked)
    }

    fn finish(&self) {
        if let Some(Err(what)) = self.recorder.as_deref().map(Recorder::finish) {
            output::note(&format!("note: the cassette beside the judgements is not complete: {what}"));
        }
    }

    fn tell(&self, usage: &Usage) {
        if usage.requests > 0 {
            let cost = self.prices.and_then(|prices| prices.cost(usage)).map(|cost| format!("; cost {cost:.4}"));
            output::note(&format!("asked: {usage}{}", cost.unwrap_or_default()));
        }
    }
}

/// How asking ended where what was not said is in no file.
pub(in crate::cli) fn end(interrupt: &Interrupt, fault: Option<Fault>) -> Exit {
    match fault {
        _ if interrupt.is_set() => Exit::Interrupted,
        Some(fault) => {
            output::note(&format!("error: a judge could not be reached: {}", why_silent(fault, "command")));
            Exit::Infrastructure
        }
        None => Exit::Clean,
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
        let way = Way::open(&judge.provider, cassette, Some(directory.join(wording.cassette())), interrupt)?;
        Ok(Judges { judges: vec![ModelJudge::new(Arc::clone(&way.client), &judge.model, wording)], way: Some(way) })
    }

    pub fn finish(&self) {
        self.way.iter().for_each(Way::finish);
    }

    pub fn tell(&self, usage: &Usage) {
        self.way.iter().for_each(|way| way.tell(usage));
    }

    /// What is there and what the judges add to it.
    fn ask(
        &self,
        global: &Global,
        subjects: &[Subject],
        journal: Option<Journal<Judgement>>,
        (repeats, jobs): (u32, usize),
        interrupt: &Arc<Interrupt>,
    ) -> Result<Judging<Judgement>, Failure> {
        let Some(way) = &self.way else {
            return Ok(Judging::known(journal.map(|one| one.records).unwrap_or_default()));
        };
        let size = self.judges.len() * subjects.len() * usize::try_from(repeats).unwrap_or(usize::MAX);
        let ask = |round: Round| Asking::begin(&self.judges, repeats, round, journal)?.end(subjects);
        way.ask(global, (size, jobs), interrupt, ask, |asked| asked.usage)
    }
}

/// Where judgements and traffic are kept.
pub enum Keep<'a> {
    Nowhere,
    /// In a directory of their own: they are of a calibration, or of dialogues from elsewhere.
    Beside(&'a Path),
    Run(&'a RunDirectory),
}

impl<'a> Keep<'a> {
    pub fn beside(directory: Option<&'a Path>) -> Keep<'a> {
        directory.map_or(Keep::Nowhere, Keep::Beside)
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Keep::Nowhere => None,
            Keep::Beside(directory) => Some(directory),
            Keep::Run(directory) => Some(directory.path()),
        }
    }

    /// An error: these judgements are of other episodes than those of a run, and do not go into its files.
    pub fn check(&self) -> Result<(), Failure> {
        match self {
            Keep::Beside(directory) if directory.join("run.json").exists() => {
                let message = format!("`{}` is a run directory", directory.display());
                Err(Failure::new(message, "choose another `--out` for these judgements"))
            }
            Keep::Nowhere | Keep::Beside(_) | Keep::Run(_) => Ok(()),
        }
    }

    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        self.check()?;
        let Keep::Beside(directory) = self else { return Ok(()) };
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::new(format!("`{}`: {error}", directory.display()), "choose another `--out`"))
    }
}

/// Asks for what is missing, in `wording` where no flag says otherwise, and keeps it with its traffic. Where no judge is
/// named, what is there is read. Gives the cards of those who were asked.
pub(super) fn ask(
    global: &Global,
    flags: &JudgeFlags,
    (wording, repeats): (Wording, u32),
    keep: &Keep,
    subjects: &[Subject],
) -> Result<(Vec<JudgeCard>, Judging<Judgement>), Failure> {
    keep.check()?;
    let interrupt = Arc::new(Interrupt::default());
    let mut _lock = None;
    if !flags.is_empty() {
        keep.prepare()?;
    }
    let judges = flags.connect(wording, keep.path(), &interrupt)?;
    if let (Keep::Run(directory), false) = (keep, flags.is_empty()) {
        _lock = Some(directory.lock()?);
    }
    // Read when the lock is ours: what another process wrote before counts too.
    let journal = keep.path().map(|directory| read_journal(&directory.join(wording.file()))).transpose()?;
    let asked = judges.ask(global, subjects, journal, (repeats, flags.jobs()), &interrupt)?;
    Ok((judges.judges.iter().map(ModelJudge::card).collect(), asked))
}
