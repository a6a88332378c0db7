//! Judgements that lie in a directory of their own: of a calibration, or of dialogues from elsewhere.

use std::path::Path;
use std::sync::Arc;

use super::judges::JudgeFlags;
use super::read_journal;
use super::stopped::Stopped;
use crate::cli::Global;
use crate::failure::Failure;
use probity_behaviour::judge::execute::JudgingResult;
use probity_behaviour::judge::judgement::JudgeCard;
use probity_behaviour::judge::model::ModelJudge;
use probity_behaviour::judge::prompt::Wording;
use probity_behaviour::judge::question::Subject;
use probity_bench::Interrupt;

/// Asks for what is missing, and keeps judgements and traffic in the directory if there is one. Where no judge is
/// named, what is there is read. Gives the cards of those who were asked.
pub(super) fn ask(
    global: &Global,
    flags: &JudgeFlags,
    (wording, repeats): (Wording, u32),
    directory: Option<&Path>,
    subjects: &[Subject],
) -> Result<(Vec<JudgeCard>, JudgingResult), Stopped> {
    directory.map_or(Ok(()), check)?;
    let read = || directory.map(|directory| read_journal(&directory.join(wording.file()))).transpose();
    if flags.is_empty() {
        let judgements = read()?.map(|journal| journal.judgements).unwrap_or_default();
        return Ok((Vec::new(), JudgingResult { judgements, ..JudgingResult::default() }));
    }
    prepare(directory)?;
    let interrupt = Arc::new(Interrupt::default());
    let judges = flags.connect(wording, directory, &interrupt)?;
    let asked = judges.ask(global, subjects, read()?, (repeats, flags.jobs()), &interrupt)?;
    Ok((judges.judges.iter().map(ModelJudge::card).collect(), asked))
}

pub(super) fn prepare(directory: Option<&Path>) -> Result<(), Failure> {
    let Some(directory) = directory else { return Ok(()) };
    check(directory)?;
    std::fs::create_dir_all(directory)
        .map_err(|error| Failure::new(format!("`{}`: {error}", directory.display()), "choose another `--out`"))
}

/// These judgements are of other episodes than those of a run: they do not go into its files.
pub(super) fn check(directory: &Path) -> Result<(), Failure> {
    match directory.join("run.json").exists() {
        true => {
            let message = format!("`{}` is a run directory", directory.display());
            Err(Failure::new(message, "choose another `--out` for these judgements"))
        }
        false => Ok(()),
    }
}
