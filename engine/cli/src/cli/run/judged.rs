//! `probity run --judge`: a model grades each episode as it ends, in the file that `probity judge` writes too.

use std::path::PathBuf;

use super::prepared::Prepared;
use crate::cli::Global;
use crate::cli::exit::Exit;
use crate::cli::judge::judges::Judges;
use crate::cli::judge::{self, remarks};
use crate::cli::provider::{ProviderFlags, elsewhere, prices, read_cassette};
use probity_behaviour::benchmark::NAME;
use probity_behaviour::judge::execute::Asking;
use probity_behaviour::judge::judgement::{EpisodeCard, Judgement};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::Subject;
use probity_behaviour::suite::Suite;
use probity_bench::{
    EpisodeRecord, Executed, Form, Interrupt, ModelName, Prices, ProviderConfig, RunDirectory, RunJudge, ToolMode,
};
use probity_engine::Hash;
use probity_local::Failure;
use probity_report::Judged;
use probity_ruling::session::Round;

/// Who grades the episodes.
#[derive(clap::Args)]
#[command(next_help_heading = "The judge")]
pub struct RunJudgeFlags {
    /// A model that grades each episode as it ends: openai:MODEL, anthropic:MODEL and the like (docs/JUDGES.md)
    #[arg(long, value_name = "JUDGE")]
    judge: Option<ModelName>,
    /// What it is asked: reliability-1 or statements-1
    #[arg(long, default_value = "reliability-1", value_name = "WORDING", requires = "judge")]
    judge_wording: Wording,
    /// Where its provider is [default: as --base-url, if that is spoken to alike]
    #[arg(long, value_name = "URL", conflicts_with = "judge_cassette", requires = "judge")]
    judge_base_url: Option<String>,
    /// The environment variable that holds its key [default: as --api-key-env, or the variable of its wire form; no key with a
    /// --judge-base-url]
    #[arg(long, value_name = "NAME", requires = "judge")]
    judge_api_key_env: Option<String>,
    /// Tokens of one judgement at most [default: as --max-tokens]
    #[arg(long, value_name = "N", requires = "judge")]
    judge_max_tokens: Option<u32>,
    /// What its tokens cost, like --prices [default: as --prices]
    #[arg(long, value_name = "PROMPT,COMPLETION", value_parser = prices, requires = "judge")]
    judge_prices: Option<Prices>,
    /// Grade from this cassette (RUNDIR/judge-cassette.jsonl of an earlier run) instead of the network
    #[arg(long, value_name = "FILE", requires = "judge")]
    judge_cassette: Option<PathBuf>,
}

impl RunJudgeFlags {
    /// The judge, asked as the agents' provider is where no flag says otherwise, and the text of the cassette that
    /// it answers from. Only the behaviour suite has something that judges can read.
    pub(super) fn judge(
        &self,
        suite: &str,
        (provider, agents): (&ProviderFlags, Option<Form>),
    ) -> Result<(Option<RunJudge>, Option<String>), Failure> {
        let Some(ModelName { form, model }) = &self.judge else { return Ok((None, None)) };
        if suite != NAME {
            let message = format!("the suite `{suite}` has no judge; judges know `{NAME}` alone");
            return Err(Failure::new(message, "leave out `--judge`"));
        }
        let cassette = self.judge_cassette.as_deref().map(read_cassette).transpose()?;
        let (agents, _) = provider.config(agents.unwrap_or(*form))?;
        let (url, key) = (self.judge_base_url.as_ref(), self.judge_api_key_env.as_ref());
        // What answers from a cassette is nowhere.
        let flag = cassette.is_none().then_some("--judge-base-url");
        let own = elsewhere(agents, *form, (flag, url), key, self.judge_prices)?;
        let provider = ProviderConfig {
            max_tokens: self.judge_max_tokens.unwrap_or(own.max_tokens),
            // Judges call no tools.
            tool_mode: ToolMode::Native,
            cassette: cassette.as_ref().map(|text| Hash::of_text(text)),
            ..own
        };
        provider.check().map_err(|what| Failure::new(what, "give another `--judge-base-url` or value"))?;
        let wording = self.judge_wording.id().to_owned();
        Ok((Some(RunJudge { model: model.clone(), wording, provider }), cassette))
    }
}

/// Begins to ask, with what an earlier part of the run was told.
pub(super) fn begin<'a>(
    judges: &'a Judges,
    jobs: usize,
    stop: &'a Interrupt,
    directory: &RunDirectory,
) -> Result<Asking<'a>, Failure> {
    let journal = judge::read_journal(&directory.file(Wording::of(ReplyForm::Grades).file()))?;
    let round = Round { jobs, stop, on_answer: &|| {} };
    Ok(Asking::begin(&judges.judges, 1, round, Some(journal))?)
}

pub(super) fn grade(suite: &Suite, asking: Option<&Asking>, record: Option<&EpisodeRecord>) {
    let (Some(asking), Some(record)) = (asking, record) else { return };
    if let (Some(episode), Some(loaded)) = (EpisodeCard::of(record), suite.tasks.get(record.task())) {
        let listed = &record.scores.reading_list;
        asking.grade(&Subject { episode, task: &loaded.task, trace: &record.trace, listed });
    }
}

/// Grades what is not graded yet and says what is missing: the judge's block of the report, and how asking ended.
pub(super) fn end(
    global: &Global,
    (prepared, directory): (&Prepared, &RunDirectory),
    (judges, asking): (&Judges, Asking),
    executed: &Executed,
) -> Result<(Option<Judged>, Exit), Failure> {
    // A judge is asked about all episodes that it has not graded: these are read at once.
    let records = match executed.is_interrupted {
        true => Vec::new(),
        false => executed.episodes.load()?,
    };
    let Prepared { config, judged, .. } = prepared;
    let subjects = judge::subjects(judged, &records)?;
    let asked = asking.end(&subjects);
    judges.finish();
    let asked = asked?;
    if !global.quiet {
        judges.tell(&asked.usage);
    }
    let episodes = records.iter().filter_map(EpisodeCard::of).collect();
    let here: Vec<&Judgement> = judge::of_run(config, &episodes, &asked.records).collect();
    let judged = judge::judged(config, &here);
    let next = remarks::NextStep::Resume(directory.path());
    let exit = if executed.is_interrupted { Exit::Clean } else { remarks::end(global, &here, &asked, &next) };
    Ok((judged, exit))
}
