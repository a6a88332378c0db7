//! `probity judge --unsupported`: judges asked about the sentences of reading lists alone, and what that loses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::dialogues::DialogueFlags;
use super::judges::{JudgeFlags, Keep, ask};
use super::labelled::{scored, tell_lost, with_lost};
use super::remarks;
use crate::cli::exit::Exit;
use crate::cli::stopped::Stopped;
use crate::cli::{Global, output};
use probity_behaviour::judge::judgement::{EpisodeCard, Judgement};
use probity_behaviour::judge::labelled::Labelled;
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::Subject;
use probity_behaviour::judge::sentences::compare::{self, SentencesSummary, of_judges};
use probity_behaviour::judge::sentences::judged::JudgedSentence;
use probity_behaviour::judge::table::names;
use probity_bench::{EpisodeRecord, Finding};
use probity_engine::plain::plain;
use probity_report::transcript::{JudgedWords, listed_line};
use probity_ruling::session::Judging;

/// Those that judges are asked about.
pub(super) fn with_list<'a>(subjects: &[Subject<'a>]) -> Vec<Subject<'a>> {
    subjects.iter().filter(|subject| !subject.listed.is_empty()).cloned().collect()
}

pub(super) fn of_dialogues(
    global: &Global,
    (flags, path, directory): (&DialogueFlags, &Path, &Path),
    judges: &JudgeFlags,
    repeats: u32,
) -> Result<Exit, Stopped> {
    let (labelled, lost) = scored(flags.to_judge(global, path, directory)?);
    let subjects: Vec<Subject> = labelled.iter().map(Labelled::subject).collect();
    let wanted = with_list(&subjects);
    let (_, asked) =
        ask(global, judges, (Wording::of(ReplyForm::Sentences), repeats), &Keep::Beside(directory), &wanted)?;
    let exit = conclude(global, &subjects, &asked, (Wording::of(ReplyForm::Statements), &lost));
    tell_lost(global, &lost);
    Ok(exit)
}

fn here<'a>(subjects: &[Subject], asked: &'a Judging<Judgement>) -> Vec<&'a Judgement> {
    let episodes: BTreeSet<&EpisodeCard> = subjects.iter().map(|subject| &subject.episode).collect();
    asked.records.iter().filter(|judgement| episodes.contains(&judgement.episode)).collect()
}

/// Prints what was said of each sentence and what it comes to, and how asking ended.
pub(super) fn conclude(
    global: &Global,
    subjects: &[Subject],
    asked: &Judging<Judgement>,
    (whole, lost): (Wording, &[(String, String)]),
) -> Exit {
    let summary = SentencesSummary::of(subjects, &asked.records, whole);
    let here = here(subjects, asked);
    if global.json {
        let mut value = json!(summary);
        value["lists"] = subjects.iter().filter_map(|one| as_json(one, &here)).collect();
        output::json(&with_lost(value, lost));
    } else {
        let lists: String = subjects.iter().filter(|one| !one.listed.is_empty()).map(|one| lines(one, &here)).collect();
        output::print(&format!("{lists}\n{}", compare::render(&summary)));
        if summary.judges.is_empty() && summary.with_list > 0 {
            output::note("no judgement yet; name a judge with `--judge openai:MODEL`");
        }
    }
    remarks::end(global, &here, asked, &remarks::NextStep::Same)
}

fn as_json(subject: &Subject, judgements: &[&Judgement]) -> Option<Value> {
    let own = || judgements.iter().filter(|one| one.episode == subject.episode);
    let judged = |listed: &Finding| -> Vec<Value> {
        let one = |judgement: &&Judgement| {
            let sentence = judgement.sentences().iter().find(|one| one.is_of(listed));
            let answer = sentence.and_then(|sentence| sentence.answer.as_ref());
            let state = sentence.map(JudgedSentence::state);
            json!({"judge": judgement.judge, "repeat": judgement.repeat, "state": state, "answer": answer})
        };
        own().filter(|one| !one.sentences().is_empty()).map(one).collect()
    };
    let sentence = |listed: &Finding| {
        let words = listed.evidence.as_ref();
        json!({"message": listed.message, "start": words.map(|words| words.start), "end": words.map(|words| words.end),
            "text": listed.text, "judged": judged(listed)})
    };
    let sentences: Vec<Value> = subject.listed.iter().map(sentence).collect();
    (!sentences.is_empty()).then(|| json!({"episode": subject.episode, "sentences": sentences}))
}

fn lines(subject: &Subject, judgements: &[&Judgement]) -> String {
    let EpisodeCard { agent, task, variant, trial, dialogue, .. } = &subject.episode;
    let name = dialogue.clone().unwrap_or_else(|| format!("{agent} {task} {variant} #{trial}"));
    let said = judged_words(judgements.iter().copied().filter(|one| one.episode == subject.episode));
    let sentences: String = subject.listed.iter().map(|listed| listed_line(listed, &said)).collect();
    format!("{}\n{sentences}", plain(&name))
}

/// What judges said of sentences, each with where the sentence stands.
fn judged_words<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> Vec<JudgedWords> {
    let judgements: Vec<&Judgement> = judgements.collect();
    let names = names(judgements.iter().map(|one| &one.judge));
    let of = |judgement: &&'a Judgement| {
        let name = names.get(&judgement.judge.key()).unwrap_or(&judgement.judge.id);
        let repeat =
            if judgement.repeat > 0 { format!(" #{}", u64::from(judgement.repeat) + 1) } else { String::new() };
        let words = |one: &JudgedSentence| JudgedWords {
            message: one.message,
            start: one.start,
            end: one.end,
            said: format!("{name}{repeat}: {}", one.said()),
        };
        judgement.sentences().iter().map(words).collect::<Vec<_>>()
    };
    judgements.iter().flat_map(of).collect()
}

/// What judges said of the reading list of an episode.
pub(in crate::cli) fn of_record(record: &EpisodeRecord, judgements: &[Judgement]) -> Vec<JudgedWords> {
    // Cards are made of digests, which take their time.
    let card = (!judgements.is_empty() && !record.scores.reading_list.is_empty()).then(|| EpisodeCard::of(record));
    let Some(card) = card.flatten() else { return Vec::new() };
    judged_words(judgements.iter().filter(|one| one.episode == card))
}

/// What judges said of the reading lists of a run, by the digests of its episodes.
pub(in crate::cli) fn words_by_digest(
    episodes: &BTreeSet<EpisodeCard>,
    judgements: &[Judgement],
) -> BTreeMap<String, Vec<JudgedWords>> {
    let mut by_digest: BTreeMap<String, Vec<&Judgement>> = BTreeMap::new();
    for judgement in judgements.iter().filter(|one| episodes.contains(&one.episode)) {
        by_digest.entry(judgement.episode.digest.to_string()).or_default().push(judgement);
    }
    by_digest.into_iter().map(|(digest, own)| (digest, judged_words(own.into_iter()))).collect()
}

/// Prints what judges said of the reading lists of a run so far, where any did.
pub(in crate::cli) fn print_block(global: &Global, episodes: &BTreeSet<EpisodeCard>, judgements: &[Judgement]) {
    let blocks = compare::blocks(&of_judges(&episodes.iter().collect(), judgements));
    if !global.json && !blocks.is_empty() {
        output::print(&format!("\n{blocks}"));
    }
}
