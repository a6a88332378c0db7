//! Which episodes of a run a command is about.

use super::run::level;
use probity_behaviour::model::variant::Variant;
use probity_bench::run::episodes::EpisodeLine;
use probity_bench::{Card, EpisodeOutcome, EpisodeRecord};
use probity_engine::suggest;
use probity_local::Failure;

/// The flags that choose them.
#[derive(clap::Args)]
pub struct Filter {
    /// Only this agent's episodes
    #[arg(long)]
    agent: Option<String>,
    /// Only this task's episodes
    #[arg(long)]
    task: Option<String>,
    /// Only this user behaviour
    #[arg(long)]
    pub variant: Option<Variant>,
    /// Only this level of any of the suite's factors; may be repeated
    #[arg(long = "level", value_name = "FACTOR=LEVEL", value_parser = level)]
    pub levels: Vec<(String, String)>,
    /// Only this repetition, from 0
    #[arg(long)]
    trial: Option<u32>,
    /// Only episodes that failed
    #[arg(long)]
    failed: bool,
}

impl Filter {
    /// The flags as they are typed.
    pub(super) fn flags(&self) -> Vec<String> {
        let trial = self.trial.map(|trial| trial.to_string());
        let variant = self.variant.map(|variant| variant.to_string());
        let levels = self.levels.iter().map(|(factor, level)| ("level", format!("{factor}={level}")));
        let named = [("agent", &self.agent), ("task", &self.task), ("variant", &variant), ("trial", &trial)];
        let named = named.into_iter().filter_map(|(flag, value)| Some((flag, value.clone()?)));
        let mut flags: Vec<String> = named.chain(levels).map(|(flag, value)| format!("--{flag}={value}")).collect();
        flags.extend(self.failed.then(|| "--failed".to_owned()));
        flags
    }

    pub(crate) fn levels_are_known(&self, card: &Card) -> Result<(), Failure> {
        let Some((factor, _)) = self.levels.iter().find(|(factor, _)| card.factor(factor).is_none()) else {
            return Ok(());
        };
        let help = suggest::help(factor, card.factors.iter().map(|factor| factor.name));
        Err(Failure::new(format!("the suite `{}` has no factor `{factor}`", card.name), help))
    }

    /// As far as the index of a run can tell: what is not wanted is not played again.
    pub(crate) fn may_be_wanted(&self, entry: &EpisodeLine) -> bool {
        let short = entry.task.rsplit('/').next();
        self.agent.as_ref().is_none_or(|agent| *agent == entry.agent)
            && self.task.as_ref().is_none_or(|task| *task == entry.task || Some(task.as_str()) == short)
            && self.variant.is_none_or(|wanted| Variant::of(&entry.levels) == Some(wanted))
            && self.trial.is_none_or(|trial| trial == entry.trial)
    }

    pub fn is_wanted(&self, card: &Card, record: &EpisodeRecord) -> bool {
        let has_level = |(factor, level): &(String, String)| record.factors.get(factor) == Some(level);
        self.levels.iter().all(has_level) && (!self.failed || card.outcome(&record.scores) == EpisodeOutcome::Fail)
    }
}

/// Why there is nothing to show.
pub(crate) fn none_selected(all: &str) -> Failure {
    Failure::new("no episode is selected", format!("loosen the filters; {all}"))
}
