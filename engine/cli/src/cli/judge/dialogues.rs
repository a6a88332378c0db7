//! `probity judge --dialogues`: dialogues from elsewhere, graded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::judges::{JudgeFlags, Keep, ask};
use super::remarks;
use crate::cli::dialogues::{ON_OTHER_TASKS, ReplayedDialogue, open};
use crate::cli::exit::Exit;
use crate::cli::from_log::TaskMap;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::dialogue::file::Dialogue;
use probity_behaviour::judge::grades::{Believed, Pointed, Scale};
use probity_behaviour::judge::judgement::{EpisodeCard, Judged, Judgement, Rating};
use probity_behaviour::judge::labelled::draw;
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::Subject;
use probity_behaviour::judge::table;
use probity_behaviour::judge::table::{Summary, grid, names};
use probity_bench::{Finding, Trace};
use probity_engine::plain::plain;

/// Dialogues that are judged.
#[derive(clap::Args)]
pub struct DialogueFlags {
    /// Dialogues that an agent held elsewhere, in place of a run: their calls are replayed on the tasks below --root
    #[arg(long, value_name = "FILE")]
    pub dialogues: Option<PathBuf>,
    /// So many dialogues at most, drawn by their ids
    #[arg(long, value_name = "N", requires = "dialogues", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

impl DialogueFlags {
    /// The dialogues of the file that judges are asked about, whose answers this directory keeps.
    pub(crate) fn to_judge(
        &self,
        global: &Global,
        path: &Path,
        directory: &Path,
    ) -> Result<Vec<ReplayedDialogue>, Stopped> {
        Keep::Beside(directory).check()?;
        self.drawn(global, path, 0, |_| true)
    }

    /// The dialogues of the file that are wanted; where there is a limit, so many of those that replay.
    pub fn drawn(
        &self,
        global: &Global,
        path: &Path,
        seed: u64,
        is_wanted: fn(&Dialogue) -> bool,
    ) -> Result<Vec<ReplayedDialogue>, Stopped> {
        let mut held = open(global, path, &TaskMap::new())?;
        held.retain(|(dialogue, _)| is_wanted(dialogue));
        let limit = self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let replayed = held.iter().filter(|(_, replayed)| replayed.is_ok()).map(|(dialogue, _)| dialogue.id.as_str());
        let drawn: BTreeSet<String> = draw(replayed, limit, seed).into_iter().map(str::to_owned).collect();
        held.retain(|(dialogue, replayed)| replayed.is_err() || drawn.contains(&dialogue.id));
        Ok(held)
    }
}

/// A dialogue with its trace and its judgements, or why it has none.
type Graded<'a> = (&'a Dialogue, Result<(&'a Trace, Vec<&'a Judgement>), &'a str>);

pub(super) fn judge(
    global: &Global,
    (flags, path, directory): (&DialogueFlags, &Path, &Path),
    judges: &JudgeFlags,
    repeats: u32,
) -> Result<Exit, Stopped> {
    let held = flags.to_judge(global, path, directory)?;
    let subjects: Vec<Subject> = held.iter().filter_map(subject).collect();
    let (_, asked) =
        ask(global, judges, (Wording::of(ReplyForm::Statements), repeats), &Keep::Beside(directory), &subjects)?;
    let mut by_card: BTreeMap<&EpisodeCard, Vec<&Judgement>> =
        subjects.iter().map(|subject| (&subject.episode, Vec::new())).collect();
    for judgement in &asked.records {
        by_card.entry(&judgement.episode).and_modify(|own| own.push(judgement));
    }
    let here: Vec<&Judgement> = by_card.values().flatten().copied().collect();
    let of = |(dialogue, replayed): &'_ ReplayedDialogue| -> Option<Vec<&Judgement>> {
        let card = EpisodeCard::of_dialogue(dialogue, &replayed.as_ref().ok()?.played.trace);
        by_card.get(&card).cloned()
    };
    let graded: Vec<Graded> = held
        .iter()
        .map(|held| {
            let judgements = of(held).unwrap_or_default();
            let judged = held.1.as_ref().map(|replayed| (&replayed.played.trace, judgements)).map_err(String::as_str);
            (&held.0, judged)
        })
        .collect();
    let ratings: Vec<Rating> = here.iter().filter_map(|judgement| Rating::of(judgement)).collect();
    print(global, &graded, &Summary::of(&ratings));
    Ok(remarks::end(global, &here, &asked, &remarks::NextStep::Same))
}

/// What judges are asked about; nothing for a dialogue that does not replay.
pub(super) fn subject((dialogue, replayed): &ReplayedDialogue) -> Option<Subject<'_>> {
    let replayed = replayed.as_ref().ok()?;
    let episode = EpisodeCard::of_dialogue(dialogue, &replayed.played.trace);
    Some(Subject { episode, task: &replayed.task, trace: &replayed.played.trace, listed: &[] })
}

fn print(global: &Global, graded: &[Graded], summary: &Summary) {
    if global.json {
        let mut whole = json!(summary);
        whole["dialogues"] = graded.iter().map(as_json).collect();
        return output::json(&whole);
    }
    output::print(&lines(graded));
    match summary.judges.is_empty() {
        true => output::note("no judgement yet; name a judge with `--judge openai:MODEL`"),
        false => output::print(&format!("\n{}", table::render(summary))),
    }
}

fn as_json((dialogue, judged): &Graded) -> Value {
    match judged {
        Ok((trace, judgements)) => {
            let judgements: Vec<Value> = judgements.iter().map(|judgement| one_as_json(judgement, trace)).collect();
            json!({"id": dialogue.id, "judgements": judgements})
        }
        Err(reason) => json!({"id": dialogue.id, "reason": reason, "judgements": []}),
    }
}

fn one_as_json(judgement: &Judgement, trace: &Trace) -> Value {
    let Judgement { judge, repeat, judged, usage, .. } = judgement;
    let mut value = json!({"judge": judge, "repeat": repeat, "judged": judged, "usage": usage});
    if let Some(Believed { replies, steps, unbelieved }) = pointed(judged).map(|pointed| pointed.in_trace(trace)) {
        value["findings"] = replies.iter().chain(&steps).map(finding).collect();
        value["unbelieved"] = unbelieved.into();
    }
    value
}

fn finding(finding: &Finding) -> Value {
    let span = finding.evidence.as_ref();
    json!({"code": finding.code, "message": finding.message, "step": finding.step,
        "start": span.map(|span| span.start), "end": span.map(|span| span.end), "text": finding.text})
}

fn pointed(judged: &Judged) -> Option<&Pointed> {
    match judged {
        Judged::Graded { pointed, .. } => pointed.as_ref(),
        Judged::Sentences { .. } | Judged::NotScored { .. } => None,
    }
}

/// A line for each judgement, and one for each dialogue without any.
fn lines(graded: &[Graded]) -> String {
    let judgements = graded.iter().filter_map(|(_, judged)| judged.as_ref().ok()).flat_map(|(_, own)| own);
    let names = names(judgements.map(|judgement| &judgement.judge));
    let mut rows = Vec::new();
    let mut lost = Vec::new();
    for (dialogue, judged) in graded {
        match judged {
            Ok((trace, judgements)) => rows.extend(judgements.iter().map(|judgement| {
                let name = names.get(&judgement.judge.key()).unwrap_or(&judgement.judge.id);
                row(&dialogue.id, name, judgement, trace)
            })),
            Err(reason) => lost.push(format!("  {} is not judged: {}\n", plain(&dialogue.id), plain(reason))),
        }
    }
    let header = [
        "dialogue",
        "judge",
        Scale::ALL[0].name(),
        Scale::ALL[1].name(),
        Scale::ALL[2].name(),
        "untrue",
        "tool faults",
        "not believed",
    ];
    let table = if rows.is_empty() { String::new() } else { grid(header.map(str::to_owned).to_vec(), rows) };
    let count = output::count(graded.len(), "dialogue");
    let help = if lost.is_empty() { "" } else { ON_OTHER_TASKS };
    format!("{table}{}{count}, {} not judged\n{help}", lost.concat(), lost.len())
}

fn row(id: &str, judge: &str, judgement: &Judgement, trace: &Trace) -> Vec<String> {
    let repeat = if judgement.repeat > 0 { format!(" #{}", u64::from(judgement.repeat) + 1) } else { String::new() };
    let grades = match &judgement.judged {
        Judged::Graded { grades, .. } => Scale::ALL.map(|scale| grades.of(scale).grade.to_string()).to_vec(),
        Judged::Sentences { .. } => vec!["-".to_owned(); 3],
        Judged::NotScored { reason, .. } => vec![reason.name().to_owned(), "-".to_owned(), "-".to_owned()],
    };
    let counts = pointed(&judgement.judged).map(|pointed| pointed.in_trace(trace)).map_or_else(
        || vec!["-".to_owned(); 3],
        |one| [one.replies.len(), one.steps.len(), one.unbelieved].map(|count| count.to_string()).to_vec(),
    );
    [vec![plain(id), plain(&format!("{judge}{repeat}"))], grades, counts].concat()
}
