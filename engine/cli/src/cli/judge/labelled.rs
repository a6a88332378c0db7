//! `probity judge calibrate --dialogues`: rules and judges held against readers.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::dialogues::DialogueFlags;
use super::judges::{JudgeFlags, Keep, ask};
use super::remarks;
use super::sentences::with_list;
use crate::cli::dialogues::{ON_OTHER_TASKS, Replayed, ReplayedDialogue, Scorers};
use crate::cli::exit::Exit;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::dialogue::agreement::{DialogueFindings, agreement};
use probity_behaviour::judge::judgement::{EpisodeCard, Judgement};
use probity_behaviour::judge::labelled::{self, Labelled, compare};
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::Subject;
use probity_behaviour::judge::sentences;
use probity_behaviour::judge::sentences::compare::{Characters, reach};
use probity_local::Failure;

/// Compares what judges say in such a form, those that are named asked first.
pub(super) fn calibrate(
    global: &Global,
    drawn: (&DialogueFlags, &Path, u64),
    judges: &JudgeFlags,
    directory: Option<&Path>,
    form: ReplyForm,
) -> Result<Exit, Stopped> {
    let (labelled, lost) = scored(labelled(global, drawn)?);
    let subjects: Vec<Subject> = labelled.iter().map(Labelled::subject).collect();
    let wanted = if form == ReplyForm::Sentences { with_list(&subjects) } else { subjects.clone() };
    let (cards, asked) = ask(global, judges, (Wording::of(form), 1), &Keep::beside(directory), &wanted)?;
    let (document, text) = match form {
        ReplyForm::Sentences => {
            let whole = Wording::of(ReplyForm::Statements);
            let (reach, characters) = (reach(&labelled), Characters::of(&subjects, whole));
            let judges = sentences::compare::compare(&labelled, &asked.records, judges.prices());
            let text = sentences::compare::comparison(&reach, &characters, &judges);
            (json!({"reach": reach, "characters": characters, "judges": judges}), text)
        }
        ReplyForm::Grades | ReplyForm::Statements => {
            let rules = agreement(labelled.iter().map(|one| (&one.dialogue, DialogueFindings::of(&one.scores))));
            let judges = compare(&labelled, &asked.records, judges.prices());
            let text = labelled::render(&rules, &judges);
            (json!({"rules": rules, "judges": judges}), text)
        }
    };
    global.tell(|| with_lost(document, &lost), || text);
    tell_lost(global, &lost);
    let episodes: BTreeSet<&EpisodeCard> = labelled.iter().map(|one| &one.card).collect();
    let is_asked = |judgement: &&Judgement| cards.is_empty() || cards.contains(&judgement.judge);
    let here = asked.records.iter().filter(|judgement| episodes.contains(&judgement.episode)).filter(is_asked);
    let next = if directory.is_some() { remarks::NextStep::Same } else { remarks::NextStep::Anew };
    Ok(remarks::end(global, &here.collect::<Vec<_>>(), &asked, &next))
}

/// The dialogues of a file that have labels.
pub(super) fn labelled(
    global: &Global,
    (flags, path, seed): (&DialogueFlags, &Path, u64),
) -> Result<Vec<ReplayedDialogue>, Stopped> {
    let held = flags.drawn(global, path, seed, |dialogue| dialogue.labels.is_some())?;
    if held.is_empty() {
        let help =
            "give some their `labels` (docs/FORMATS.md, section \"Dialogues\"), or grade them by `judge --dialogues`";
        return Err(Failure::new(format!("no dialogue of `{}` has labels", path.display()), help).into());
    }
    Ok(held)
}

/// The dialogues with what the rules say, and those that do not replay with the reason.
pub(super) fn scored(held: Vec<ReplayedDialogue>) -> (Vec<Labelled>, Vec<(String, String)>) {
    let (mut labelled, mut lost, mut scorers) = (Vec::new(), Vec::new(), Scorers::default());
    for (dialogue, replayed) in held {
        let scored = replayed.and_then(|replayed| {
            let scores = scorers.score(&replayed)?;
            Ok((replayed, scores))
        });
        match scored {
            Ok((Replayed { task, played }, scores)) => {
                let trace = played.trace;
                let card = EpisodeCard::of_dialogue(&dialogue, &trace);
                labelled.push(Labelled { dialogue, card, task, trace, scores });
            }
            Err(reason) => lost.push((dialogue.id, reason)),
        }
    }
    (labelled, lost)
}

/// A document with the dialogues that do not replay, and why.
pub(super) fn with_lost(mut document: Value, lost: &[(String, String)]) -> Value {
    document["not_judged"] = lost.iter().map(|(id, reason)| json!({"id": id, "reason": reason})).collect();
    document
}

/// Tells people which dialogues do not replay, and why.
pub(super) fn tell_lost(global: &Global, lost: &[(String, String)]) {
    if global.json {
        return;
    }
    lost.iter().for_each(|(id, reason)| output::note(&format!("{id} is not judged: {reason}")));
    if !lost.is_empty() {
        output::note(ON_OTHER_TASKS.trim_end());
    }
}
