//! `probity judge` where something is amiss: providers that are away, lines given twice, files without end.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{asked, judge, judged_run, judgements, label};
use crate::support::mock::{Mock, PATIENCE, mode};
use crate::support::{binary, code, copy, err, json, probity, root, run, said, scratch, tells, text};

#[test]
fn who_is_away_is_said_with_the_reason_and_what_to_do() {
    let directory = judged_run("judge-why");
    let closed = ["--judge", "openai:q", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1"];
    tells(
        judge(&directory, &closed),
        3,
        err,
        &["openai:q could not be reached for 4 of 4 judgements, first: ", "refused", "help: ", "asks again"],
    );
    // A cassette of something else.
    let cassette = directory.with_file_name("other.jsonl");
    fs::write(&cassette, "").unwrap();
    tells(
        judge(&directory, &["--judge", "openai:q", "--cassette", cassette.to_str().unwrap()]),
        3,
        err,
        &["first: the cassette does not hold request 1 of"],
    );
    let calibrate = ["judge", "calibrate", "--sample", "1", "--fault", "unknown_tool"];
    let told = said(&probity(&[&calibrate[..], &closed[..]].concat()));
    assert!(told.contains("openai:q could not be reached for 2 of 2 judgements, first: "), "{told}");
}

#[test]
fn who_grades_nothing_is_said() {
    let directory = judged_run("judge-nothing");
    let mock = Mock::start(mode("judge_never"));
    tells(
        asked(&mock, &directory, &[]),
        0,
        err,
        &[
            "openai:mock gave no readable grades for 4 of 4 judgements, first: ",
            "note: nothing was graded by openai:mock",
        ],
    );
    drop(mock);
    let mock = Mock::start(mode("plain"));
    let told = said(&asked(&mock, &directory, &["--temperature", "0.5"]));
    assert!(told.contains("note: nothing was graded by openai:mock (temperature 0)"), "{told}");
    assert!(!told.contains("nothing was graded by openai:mock (temperature 0.5)"), "{told}");
}

#[test]
fn a_judgement_given_twice_counts_once() {
    let directory = judged_run("judge-twice");
    let mock = Mock::start(mode("plain"));
    let once = asked(&mock, &directory, &[]);
    let whole = text(&directory, "judgements.jsonl");
    fs::write(directory.join("judgements.jsonl"), whole.repeat(2)).unwrap();
    let twice = judge(&directory, &[]);
    assert_eq!((code(&twice), &twice.stdout), (0, &once.stdout), "{}", said(&twice));
    assert!(said(&twice).contains("note: 4 lines of judgements.jsonl left out"), "{}", said(&twice));
    let report = said(&probity(&["report", directory.to_str().unwrap()]));
    assert!(report.contains("(6/6)") && report.contains("note: 4 lines of judgements.jsonl left out"), "{report}");
    // Asking puts the file in order.
    assert_eq!(code(&asked(&mock, &directory, &[])), 0);
    assert_eq!((text(&directory, "judgements.jsonl"), mock.count()), (whole, 4));
    assert!(!said(&judge(&directory, &[])).contains("note:"));
    // A person's grades come from label files alone.
    let line = text(&directory, "judgements.jsonl").replace("\"openai:mock\"", "\"human:ann\"");
    fs::write(directory.join("judgements.jsonl"), line).unwrap();
    tells(judge(&directory, &[]), 2, said, &["`human:ann` is no judge `openai:MODEL`"]);
}

#[test]
fn repeats_are_bounded_and_counted() {
    let directory = judged_run("judge-bounds");
    let labels = directory.with_file_name("labels.jsonl");
    let good = label(&directory, 0, "\"discipline\": 3");
    let repeat = |number: &str| good.replace("\"discipline\"", &format!("\"repeat\": {number}, \"discipline\""));
    fs::write(&labels, repeat("4000000000")).unwrap();
    tells(judge(&directory, &["--labels", labels.to_str().unwrap()]), 2, said, &["4000000000 is not from 0 to 99"]);
    fs::write(&labels, format!("{good}\n{}\n", repeat("99"))).unwrap();
    let output = judge(&directory, &["--labels", labels.to_str().unwrap()]);
    assert_eq!(json(&output)["judges"][0]["repeats"], 2, "{}", said(&output));
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&asked(&mock, &directory, &[])), 0);
    let lines = text(&directory, "judgements.jsonl").replacen("\"repeat\":0", "\"repeat\":4294967295", 1);
    fs::write(directory.join("judgements.jsonl"), lines).unwrap();
    tells(judge(&directory, &[]), 2, said, &["repeat 4294967295 is not from 0 to 99"]);
}

#[test]
fn no_file_is_read_without_end() {
    let directory = judged_run("judge-endless");
    let run = directory.to_str().unwrap();
    let large = directory.with_file_name("large.jsonl");
    File::create(&large).unwrap().set_len((8 << 20) + 1).unwrap();
    let large = large.to_str().unwrap();
    for (arguments, part) in [
        (&["judge", run, "--labels", "/dev/zero"][..], "`/dev/zero`: not a regular file"),
        (&["judge", run, "--labels", large][..], "the file has 8388609 bytes"),
        (&["judge", run, "--judge", "openai:q", "--cassette", "/dev/zero"][..], "`/dev/zero`: not a regular file"),
        (&["compare", run, run, "--gate=/dev/zero"][..], "`/dev/zero`: not a regular file"),
        (&["compare", run, run, &format!("--gate={large}")][..], "the file has 8388609 bytes"),
    ] {
        tells(probity(arguments), 2, said, &[part]);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("/dev/zero", directory.join("judgements.jsonl")).unwrap();
    tells(judge(&directory, &[]), 2, said, &["not a regular file"]);
}

#[test]
fn many_wrong_labels_are_told_by_the_first_fifty() {
    let directory = judged_run("judge-many");
    let labels = directory.with_file_name("labels.jsonl");
    fs::write(&labels, "{}\n".repeat(1000)).unwrap();
    let output = probity(&["judge", directory.to_str().unwrap(), "--labels", labels.to_str().unwrap()]);
    let told = said(&output);
    assert_eq!((code(&output), told.matches("error[").count()), (2, 50), "{told}");
    assert!(told.ends_with("and 4950 more\n5000 errors, 0 warnings\n"), "{told}");
}

#[test]
fn a_calibration_keeps_out_of_runs() {
    let directory = judged_run("judge-apart");
    let what = ["judge", "calibrate", "--sample", "1", "--fault", "unknown_tool", "--judge", "openai:q"];
    let out = ["--base-url", "http://127.0.0.1:9/v1", "--attempts", "1", "--out", directory.to_str().unwrap()];
    tells(probity(&[&what[..], &out[..]].concat()), 2, said, &["is a run directory", "help: "]);
    assert!(!directory.join("judgements.jsonl").exists());
}

#[test]
fn judges_of_one_model_are_told_apart() {
    let directory = judged_run("judge-names");
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&asked(&mock, &directory, &[])), 0);
    let output = asked(&mock, &directory, &["--temperature", "0.5"]);
    let raters = &json(&output)["agreement"][0]["raters"];
    assert_eq!(*raters, json!(["openai:mock (temperature 0.5)", "openai:mock (temperature 0)"]));
}

#[test]
fn a_second_writer_is_told_what_is_busy() {
    let directory = judged_run("judge-busy");
    let held = File::open(directory.join("run.json")).unwrap();
    held.lock().unwrap();
    tells(
        judge(&directory, &["--judge", "openai:q", "--base-url", "http://127.0.0.1:9/v1"]),
        2,
        said,
        &["another `probity run`, `probity judge` or `probity merge` is writing to"],
    );
}

#[cfg(unix)]
#[test]
fn who_is_interrupted_says_what_is_there_and_how_to_go_on() {
    let first = judged_run("judge-interrupt");
    let mock = Mock::start(mode("plain"));
    assert_eq!(code(&asked(&mock, &first, &[])), 0);
    drop(mock);
    let directory = first.with_file_name("second");
    copy(&first, &directory);
    let lines = text(&first, "judgements.jsonl");
    let file = directory.join("judgements.jsonl");
    fs::write(&file, lines.split_inclusive('\n').take(3).chain(["{"]).collect::<String>()).unwrap();
    let mock = Mock::start(mode("silent"));
    let root = root();
    let child = binary()
        .args(["--root", root.to_str().unwrap(), "judge", directory.to_str().unwrap(), "--judge", "openai:mock"])
        .args(["--base-url", &mock.url, "--request-timeout", "600"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Its torn line is cut off when asking begins.
    while text(&directory, "judgements.jsonl").ends_with('{') {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    tells(
        child.wait_with_output().unwrap(),
        130,
        err,
        &["interrupted: 3 of 4 judgements are there; the same command goes on"],
    );
    assert_eq!(judgements(&directory).len(), 3);
}

#[test]
fn an_earlier_attempt_that_failed_is_no_second_line() {
    let directory = scratch("judge-superseded").join("run");
    assert_eq!(code(&run(&directory, &["--agent", "oracle", "--variant", "ideal", "--limit", "1"])), 0);
    let closed = ["--judge", "openai:mock", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1"];
    assert_eq!(code(&judge(&directory, &closed)), 3);
    let away = text(&directory, "judgements.jsonl");
    let mock = Mock::start(mode("plain"));
    let back = asked(&mock, &directory, &PATIENCE[..0]);
    // As after a kill before the file was put in order.
    let graded = text(&directory, "judgements.jsonl");
    fs::write(directory.join("judgements.jsonl"), format!("{graded}{away}")).unwrap();
    let after = judge(&directory, &[]);
    assert_eq!((after.stdout.clone(), said(&after).contains("note:")), (back.stdout, false), "{}", said(&after));
    assert_ne!(json(&after)["judges"], Value::Null);
}
