//! What a reader of judged numbers should know beside them: who graded nothing and why, and what is still to be asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::cli::Global;
use crate::cli::exit::Exit;
use crate::cli::output::{self, count};
use probity_behaviour::judge::judgement::{Judged, Judgement, NoGrades};
use probity_behaviour::judge::prompt::ReplyForm;
use probity_behaviour::judge::table::names;
use probity_ruling::session::Judging;

pub enum NextStep<'a> {
    Same,
    /// By the same command, which begins anew since nothing is kept.
    Anew,
    Resume(&'a Path),
}

impl NextStep<'_> {
    fn goes_on(&self) -> String {
        match self {
            NextStep::Same => "the same command goes on".to_owned(),
            NextStep::Anew => "without `--out` none of them is kept".to_owned(),
            NextStep::Resume(run) => format!("`probity run --resume {}` goes on", run.display()),
        }
    }

    fn asks_again(&self) -> String {
        let command = match self {
            NextStep::Same | NextStep::Anew => "the same command".to_owned(),
            NextStep::Resume(run) => format!("`probity run --resume {}`", run.display()),
        };
        let look = "look at the provider's URL, the key and the model, or at the cassette";
        format!("  help: {look}; {command} asks again for what is missing")
    }
}

/// Tells what keeps judges from grading, and how asking ended where that is not by itself; then gives the exit code.
pub fn end(global: &Global, judgements: &[&Judgement], asked: &Judging<Judgement>, next: &NextStep) -> Exit {
    if !global.quiet {
        not_graded(judgements).iter().for_each(|remark| output::note(remark));
    }
    if asked.is_interrupted {
        let wanted = count(asked.wanted, "judgement");
        output::note(&format!("interrupted: {} of {wanted} are there; {}", asked.there, next.goes_on()));
        return Exit::Interrupted;
    }
    if asked.is_unreached && !global.quiet {
        output::note(&next.asks_again());
    }
    if asked.is_unreached { Exit::Infrastructure } else { Exit::Clean }
}

/// A line for each judge and reason, and one for all judges that graded nothing at all.
fn not_graded(judgements: &[&Judgement]) -> Vec<String> {
    let names = names(judgements.iter().map(|judgement| &judgement.judge));
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    let mut graded: BTreeSet<&str> = BTreeSet::new();
    let mut reasons: BTreeMap<(&str, NoGrades), (usize, &str)> = BTreeMap::new();
    let mut about_sentences = BTreeSet::new();
    for judgement in judgements {
        let Some(name) = names.get(&judgement.judge.key()) else { continue };
        *all.entry(name).or_default() += 1;
        if judgement.judge.prompt.as_ref().is_some_and(|prompt| prompt.asks_for(ReplyForm::Sentences)) {
            about_sentences.insert(name.as_str());
        }
        match &judgement.judged {
            Judged::Graded { .. } | Judged::Sentences { .. } => drop(graded.insert(name)),
            Judged::NotScored { reason, detail, .. } => {
                reasons.entry((name, *reason)).or_insert((0, detail)).0 += 1;
            }
        }
    }
    let line = |((name, reason), (times, detail)): (&(&str, NoGrades), &(usize, &str))| {
        let what = match reason {
            NoGrades::JudgeUnreadable if about_sentences.contains(name) => "gave no readable verdicts",
            NoGrades::JudgeUnreadable => "gave no readable grades",
            NoGrades::JudgeUnreachable => "could not be reached",
            NoGrades::JudgeOverflow => "could not read so long an episode",
            NoGrades::EpisodeUnreached => "had nothing to judge",
            NoGrades::Unlabelled => "left scales out",
        };
        let all = count(all.get(name).copied().unwrap_or_default(), "judgement");
        let first = detail.lines().next().unwrap_or_default();
        format!("{name} {what} for {times} of {all}, first: {first}")
    };
    let mut remarks: Vec<String> = reasons.iter().map(line).collect();
    let idle: Vec<&str> = all.keys().filter(|name| !graded.contains(*name)).copied().collect();
    if !idle.is_empty() {
        remarks.push(format!("note: nothing was graded by {}", idle.join(", ")));
    }
    remarks
}
