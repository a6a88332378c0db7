//! `probity judge --unsupported`: judges asked about reading lists alone, and what that loses.

use std::path::{Path, PathBuf};
use std::process::Output;

use probity_behaviour::judge::judgement::EpisodeCard;
use probity_behaviour::judge::prompt::{ReplyForm, Wording};
use probity_behaviour::judge::question::{JudgeQuestion, Subject};
use probity_bench::EpisodeRecord;
use serde_json::{Value, json};

use super::at;
use super::labelled::dialogues;
use crate::support::mock::{Mock, mode};
use crate::support::{code, json, probity, run, said, sampled_suite, scratch, snapshots, text};

fn calibrated(path: &Path, more: &[&str]) -> Output {
    let what = ["judge", "calibrate", "--unsupported", "--json", "--dialogues", path.to_str().unwrap()];
    probity(&[&what[..], more].concat())
}

/// The dialogues of a file that have a reading list, with their sentences as the scorer tells them.
fn lists(path: &Path) -> Vec<(String, Vec<Value>)> {
    let scored = json(&probity(&["score", "--dialogues", path.to_str().unwrap(), "--json"]));
    let listed = |one: &Value| {
        let findings = one["findings"].as_array().unwrap().iter().filter(|finding| finding["code"] == "unsupported");
        let places = findings.map(|finding| json!([finding["message"], finding["start"], finding["end"]]));
        (one["id"].as_str().unwrap().to_owned(), places.collect::<Vec<Value>>())
    };
    let all = scored["episodes"].as_array().unwrap().iter().map(listed);
    all.filter(|(_, places)| !places.is_empty()).collect()
}

/// A run whose agent says what nothing known speaks for.
fn listed_run(name: &str) -> PathBuf {
    let directory = scratch(name).join("run");
    let agents = ["--agent", "oracle", "--agent", "fault:misreports", "--variant", "ideal", "--limit", "8"];
    assert_eq!(code(&run(&directory, &agents)), 0);
    directory
}

#[test]
fn what_is_lost_is_counted() {
    let path = dialogues("unsupported-lost", 40);
    let alone = json(&calibrated(&path, &[]));
    let reach = &alone["reach"];
    let count = |value: &Value| value.as_u64().unwrap();
    assert_eq!(
        (&reach["dialogues"], &alone["judges"], &alone["not_judged"][0]["id"]),
        (&json!(40), &json!([]), &json!("altered"))
    );
    assert_eq!(count(&reach["with_list"]), u64::try_from(lists(&path).len()).unwrap());
    for part in ["labelled", "listed", "contradicted", "lost"] {
        let kinds = reach["untruths_by_kind"].as_object().unwrap();
        assert_eq!(
            kinds.values().map(|kind| count(&kind[part])).sum::<u64>(),
            count(&reach["untruths"][part]),
            "{part}"
        );
    }
    assert!(count(&reach["untruths"]["lost"]) < count(&reach["untruths"]["labelled"]), "{reach}");
    let rules = json(&probity(&["judge", "calibrate", "--json", "--dialogues", path.to_str().unwrap()]));
    assert_eq!(json!(count(&reach["untruths"]["contradicted"]) as f64), rules["rules"]["recall"]["numerator"]);
    let (mock, out) = (Mock::start(mode("plain")), path.with_file_name("out"));
    let kept = ["--out", out.to_str().unwrap(), "--prices", "2,8"];
    let output = calibrated(&path, &[&kept[..], &at(&mock)].concat());
    let compared = json(&output);
    assert_eq!(mock.count(), lists(&path).len(), "{}", said(&output));
    let judge = &compared["judges"][0];
    let number = |measure: &str, part: &str| judge[measure][part].as_f64().unwrap();
    assert_eq!(number("recall", "denominator"), count(&reach["untrue_sentences"]) as f64);
    assert_eq!(number("precision", "denominator"), count(&judge["sentences"]["untrue"]) as f64);
    assert_eq!(number("precision", "numerator"), number("recall", "numerator"));
    assert_eq!(number("found", "denominator"), count(&reach["untruths"]["labelled"]) as f64);
    assert!(number("found", "numerator") >= count(&reach["untruths"]["contradicted"]) as f64);
    assert!(judge["bill"]["cost"].as_f64().unwrap() > 0.0);
    // What was paid for is compared again without asking, by people too.
    assert_eq!((calibrated(&path, &kept).stdout, mock.count()), (output.stdout, lists(&path).len()));
    let what = ["judge", "calibrate", "--unsupported", "--dialogues", path.to_str().unwrap()];
    let told = said(&probity(&[&what[..], &kept[..]].concat()));
    for part in
        ["in a listed sentence", "lost", "called untrue and untrue: ", "found in all, with the rules: ", "cost "]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// What a judge is asked of the first list of a run, for people who would change the wording or what is shown.
#[test]
fn what_a_judge_is_shown_can_be_read() {
    let directory = listed_run("unsupported-shown");
    let lines = text(&directory, "episodes.jsonl");
    let mut records = lines.lines().map(|line| serde_json::from_str::<EpisodeRecord>(line).unwrap());
    let record = records.find(|record| !record.scores.reading_list.is_empty()).unwrap();
    let suite = sampled_suite();
    let (episode, listed) = (EpisodeCard::of(&record).unwrap(), record.scores.reading_list.as_slice());
    let subject = Subject { episode, task: &suite.tasks[record.task()].task, trace: &record.trace, listed };
    let question = JudgeQuestion::of(&subject, Wording::of(ReplyForm::Sentences));
    let content = |at: usize| question.messages()[at]["content"].as_str().unwrap().to_owned();
    let (system, asked) = (content(0), content(1));
    assert_eq!(question.characters(), system.chars().count() + asked.chars().count());
    let document: Value = serde_json::from_str(asked.lines().nth(1).unwrap()).unwrap();
    let shown = format!("{system}\n\n{}\n", serde_json::to_string_pretty(&document).unwrap());
    let mut settings = snapshots("judge");
    // Seen from this file's own folder.
    settings.set_snapshot_path("../../../../snapshots/judge");
    settings.bind(|| insta::assert_snapshot!("unsupported", shown));
}
