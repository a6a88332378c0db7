//! `probity judge calibrate --dialogues`: rules and judges held against readers.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::dialogues::{DialogueFlags, subject};
use super::judges::{JudgeFlags, Keep, ask};
use super::remarks;
use super::stopped::Stopped;
use crate::cli::dialogues::{ON_OTHER_TASKS, ReplayedDialogue};
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use crate::failure::Failure;
use probity_behaviour::dialogue::agreement::{DialogueFindings, LabelAgreement, agreement};
use probity_behaviour::judge::judgement::{EpisodeCard, Judgement};
use probity_behaviour::judge::labelled::compare::{Compared, Labelled, compare};
use probity_behaviour::judge::labelled::table;
use probity_behaviour::judge::prompt::Wording;
use probity_behaviour::judge::question::Subject;
use probity_behaviour::score::episode::score;

/// Compares, with the judges that are named asked first.
pub(super) fn calibrate(
    global: &Global,
    drawn: (&DialogueFlags, &Path, u64),
    judges: &JudgeFlags,
    directory: Option<&Path>,
) -> Result<Exit, Stopped> {
    let held = labelled(global, drawn)?;
    let subjects: Vec<Subject> = held.iter().filter_map(subject).collect();
    let (cards, asked) = ask(global, judges, (Wording::Statements, 1), &Keep::beside(directory), &subjects)?;
    drop(subjects);
    let (labelled, lost) = scored(held);
    let rules = agreement(labelled.iter().map(|one| (&one.dialogue, DialogueFindings::of(&one.scores))));
    let compared = compare(&labelled, &asked.records, judges.prices());
    print(global, &lost, &rules, &compared);
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
    let (mut labelled, mut lost) = (Vec::new(), Vec::new());
    for (dialogue, replayed) in held {
        let scored = replayed.and_then(|replayed| {
            let scores = score(&replayed.task, &replayed.trace);
            Ok((scores.ok_or_else(|| "it is not a trace of this task".to_owned())?, replayed.trace))
        });
        match scored {
            Ok((scores, trace)) => {
                let card = EpisodeCard::of_dialogue(&dialogue, &trace);
                labelled.push(Labelled { dialogue, card, trace, scores });
            }
            Err(reason) => lost.push((dialogue.id, reason)),
        }
    }
    (labelled, lost)
}

fn print(global: &Global, lost: &[(String, String)], rules: &LabelAgreement, judges: &[Compared]) {
    if global.json {
        let lost: Vec<Value> = lost.iter().map(|(id, reason)| json!({"id": id, "reason": reason})).collect();
        return output::json(&json!({"not_judged": lost, "rules": rules, "judges": judges}));
    }
    output::print(&table::render(rules, judges));
    tell_lost(global, lost);
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
