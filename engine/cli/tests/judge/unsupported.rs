//! `probity judge --unsupported`: judges asked about reading lists alone, and what that loses.

use std::collections::BTreeSet;
use std::fs;
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
use crate::support::{
    code, copy, json, probity, probity_at, root, run, said, sampled_suite, scratch, snapshots, succeeded, tells, text,
};

fn asked(path: &Path, out: &Path, more: &[&str]) -> Output {
    let what = ["judge", "--unsupported", "--dialogues", path.to_str().unwrap(), "--out", out.to_str().unwrap()];
    probity(&[&what[..], more].concat())
}

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

fn kept(out: &Path) -> Vec<Value> {
    text(out, "unsupported.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn states(output: &Output) -> BTreeSet<String> {
    let whole = json(output);
    let agents = whole["judges"][0]["agents"].as_object().cloned().unwrap_or_default();
    agents.values().flat_map(|states| states.as_object().unwrap().keys().cloned().collect::<Vec<_>>()).collect()
}

#[test]
fn only_reading_lists_are_asked_about() {
    let path = dialogues("unsupported-lists", 24);
    let (out, lists) = (path.with_file_name("out"), lists(&path));
    assert!((3..20).contains(&lists.len()), "{lists:?}");
    let mock = Mock::start(mode("plain"));
    let output = asked(&path, &out, &[&["--json"][..], &at(&mock)].concat());
    assert_eq!((code(&output), mock.count()), (0, lists.len()), "{}", said(&output));
    let summary = json(&output);
    assert_eq!((&summary["episodes"], &summary["with_list"]), (&json!(24), &json!(lists.len())));
    assert_eq!(summary["not_judged"][0]["id"], "altered");
    let sentences: usize = lists.iter().map(|(_, places)| places.len()).sum();
    assert_eq!(summary["sentences"], sentences);
    // One line for each list, with every sentence of it and nothing else.
    let mut judged: Vec<(String, Vec<Value>)> = kept(&out)
        .iter()
        .map(|one| {
            assert_eq!(one["judge"]["prompt"]["id"], "unsupported-1");
            let sentences = one["judged"]["sentences"].as_array().unwrap().iter();
            let places = sentences.map(|one| json!([one["message"], one["start"], one["end"]])).collect();
            (one["episode"]["dialogue"].as_str().unwrap().to_owned(), places)
        })
        .collect();
    let mut lists = lists;
    judged.sort_by_key(|(id, _)| id.clone());
    lists.sort_by_key(|(id, _)| id.clone());
    assert_eq!(judged, lists);
    let of = |state: &str| {
        let agents = summary["judges"][0]["agents"].as_object().unwrap();
        agents.values().filter_map(|states| states[state].as_u64()).sum::<u64>()
    };
    assert!(of("untrue") > 0 && of("not_believed") == 0, "{summary}");
    let (sent, whole) =
        (summary["characters"]["asked"].as_u64().unwrap(), summary["characters"]["whole"].as_u64().unwrap());
    assert!(sent > 0 && sent * 4 < whole, "{sent} of {whole}");
    // Apart from grades, and from their traffic.
    assert!(!out.join("judgements.jsonl").exists() && !out.join("judge-cassette.jsonl").exists());
    drop(mock);
    let again = path.with_file_name("again");
    let cassette = out.join("unsupported-cassette.jsonl");
    let offline = ["--json", "--judge", "openai:mock", "--jobs", "1", "--cassette", cassette.to_str().unwrap()];
    assert_eq!(asked(&path, &again, &offline).stdout, output.stdout);
    assert_eq!(text(&again, "unsupported.jsonl"), text(&out, "unsupported.jsonl"));
    // Without a judge what is there is summed up, for people too.
    assert_eq!(asked(&path, &out, &["--json"]).stdout, output.stdout);
    let told = said(&asked(&path, &out, &[]));
    for part in
        ["  to read: message ", "    judged: openai:mock: untrue", "nobody is asked about the others", " % of that)"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn what_is_paid_for_is_not_asked_again() {
    let path = dialogues("unsupported-resume", 24);
    let (out, count) = (path.with_file_name("out"), lists(&path).len());
    let mock = Mock::start(mode("plain"));
    let first = asked(&path, &out, &[&["--json"][..], &at(&mock)].concat());
    let whole = text(&out, "unsupported.jsonl");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    fs::write(out.join("unsupported.jsonl"), format!("{}{}", lines[..1].concat(), &lines[1][..50])).unwrap();
    let second = asked(&path, &out, &[&["--json"][..], &at(&mock)].concat());
    assert_eq!((code(&second), mock.count()), (0, count + count - 1), "{}", said(&second));
    assert_eq!((text(&out, "unsupported.jsonl"), &second.stdout), (whole.clone(), &first.stdout));
    // A line that says what no judge may say is told, and nothing is written over it.
    let bent = lines[0].replacen("\"verdict\":\"", "\"verdict\":\"very_", 1);
    fs::write(out.join("unsupported.jsonl"), &bent).unwrap();
    let refused = asked(&path, &out, &at(&mock));
    assert_eq!((code(&refused), mock.count()), (2, count + count - 1), "{}", said(&refused));
    assert!(said(&refused).contains("line 1 cannot be read: unknown variant `very_"), "{}", said(&refused));
    let away = ["--judge", "openai:mock", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1"];
    let fresh = path.with_file_name("fresh");
    tells(asked(&path, &fresh, &away), 3, said, &["judge_unreachable: ", "asks again"]);
    assert_eq!(code(&asked(&path, &fresh, &at(&mock))), 0);
    assert_eq!(kept(&fresh).len(), count);
}

#[test]
fn a_reply_that_is_no_verdict_gives_none() {
    let path = dialogues("unsupported-modes", 8);
    let count = lists(&path).len();
    assert!(count > 0);
    for (name, requests, expected) in [
        ("judge_fenced", 1, None),
        ("judge_prose", 2, None),
        ("judge_range", 2, None),
        ("judge_float", 2, None),
        ("judge_missing", 2, None),
        ("judge_extra", 2, None),
        ("judge_cut", 2, None),
        ("judge_invents", 1, Some("not_believed")),
        ("judge_passes_over", 1, Some("not_judged")),
    ] {
        let (mock, out) = (Mock::start(mode(name)), path.with_file_name(name));
        let output = succeeded(asked(&path, &out, &[&["--json"][..], &at(&mock)].concat()));
        assert_eq!(mock.count(), count * requests, "{name}");
        let states = states(&output);
        match expected {
            Some(expected) => assert_eq!(states, BTreeSet::from([expected.to_owned()]), "{name}"),
            None => assert!(!states.contains("not_judged") && !states.contains("not_believed"), "{name}: {states:?}"),
        }
    }
    let (mock, out) = (Mock::start(mode("judge_never")), path.with_file_name("never"));
    let output = asked(&path, &out, &[&["--json"][..], &at(&mock)].concat());
    assert_eq!((code(&output), mock.count()), (0, count * 3));
    assert_eq!(json(&output)["judges"][0]["not_judged"], json!({"judge_unreadable": count}));
    assert_eq!(states(&output), BTreeSet::new());
    assert!(said(&output).contains("gave no readable verdicts for"), "{}", said(&output));
}

/// A run whose agent says what nothing known speaks for.
fn listed_run(name: &str) -> PathBuf {
    let directory = scratch(name).join("run");
    let agents = ["--agent", "oracle", "--agent", "fault:misreports", "--variant", "ideal", "--limit", "8"];
    assert_eq!(code(&run(&directory, &agents)), 0);
    directory
}

#[test]
fn judged_sentences_stand_beside_the_list_and_in_no_score() {
    let directory = listed_run("unsupported-run");
    let plain = directory.with_file_name("plain");
    copy(&directory, &plain);
    let path = directory.to_str().unwrap();
    let mock = Mock::start(mode("plain"));
    let output = probity(&[&["judge", path, "--unsupported", "--json"][..], &at(&mock)].concat());
    let summary = json(&output);
    assert_eq!(code(&output), 0, "{}", said(&output));
    assert!(summary["with_list"].as_u64().unwrap() > 0 && summary["with_list"] == mock.count(), "{summary}");
    // Drawn where the list is.
    let shown = said(&probity(&["show", path, "--no-pager"]));
    assert!(shown.contains("  to read: message ") && shown.contains("    judged: openai:mock: "), "{shown}");
    assert!(!said(&probity(&["show", plain.to_str().unwrap(), "--no-pager"])).contains("judged:"));
    let report = probity(&["report", path]);
    assert!(said(&report).contains("Judged sentences: "), "{}", said(&report));
    assert!(text(&directory, "report.html").contains("\"judged_words\":{\"sha256:"));
    // In no number: not of the report, not of a gate, and in no mean of a judge.
    assert_eq!(code(&report), code(&probity(&["report", plain.to_str().unwrap()])));
    assert_eq!(text(&directory, "report.json"), text(&plain, "report.json"));
    assert!(!text(&plain, "report.html").contains("\"judged_words\":"));
    let gate =
        |base: &Path, new: &Path| probity(&["compare", base.to_str().unwrap(), new.to_str().unwrap(), "--gate"]).stdout;
    assert_eq!(gate(&plain, &directory), gate(&plain, &plain));
    let graded = probity(&["judge", path, "--json"]);
    assert_eq!(json(&graded)["judges"], json!([]));
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

#[test]
fn slips_with_reading_lists_end_with_two() {
    for (arguments, part) in [
        (&["judge", "run", "--unsupported", "--wording", "statements-1"][..], "cannot be used with"),
        (&["judge", "run", "--unsupported", "--labels", "l"][..], "cannot be used with"),
        (&["judge", "run", "--wording", "unsupported-1"][..], "`probity judge --unsupported` asks it"),
        (&["run", "--judge", "openai:m", "--judge-wording", "unsupported-1"][..], "asks for no grades"),
        (&["judge", "calibrate", "--unsupported"][..], "--dialogues"),
    ] {
        tells(probity_at(&root(), arguments), 2, said, &[part]);
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
