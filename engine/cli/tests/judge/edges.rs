//! `probity judge` where something is amiss: providers that are away, lines given twice, files without end.

use std::fs::{self};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{asked, judged_run, judgements};
use crate::support::mock::{Mock, mode};
use crate::support::{binary, code, copy, err, root, tells, text};

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
