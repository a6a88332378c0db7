//! Memory does not grow with the number of episodes: neither a report nor scores keep those they have read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::support::{binary, code, peak, root, run, scratch, skipped, text};

/// Trials of the shorter run; it is many batches long already.
const TRIALS: usize = 10;
/// What one episode may add to the peak, in KiB. Whoever keeps its record adds about forty; its row and its place in
/// the file take less than one.
const KIB_PER_EPISODE: usize = 10;

/// A run of so many trials: one is played, the others have its episodes under another number.
fn grown(played: &Path, folder: &Path, trials: usize) -> PathBuf {
    let grown = folder.join(format!("trials-{trials}"));
    fs::create_dir_all(grown.join("inputs")).unwrap();
    for input in fs::read_dir(played.join("inputs")).unwrap() {
        let input = input.unwrap();
        fs::copy(input.path(), grown.join("inputs").join(input.file_name())).unwrap();
    }
    let config = text(played, "run.json").replace("\"trials\": 1,", &format!("\"trials\": {trials},"));
    fs::write(grown.join("run.json"), config).unwrap();
    let once = text(played, "episodes.jsonl");
    let trial = |trial: usize| {
        once.lines().map(move |line| line.replacen("\"trial\":0,", &format!("\"trial\":{trial},"), 1) + "\n")
    };
    let all: String = (0..trials).flat_map(trial).collect();
    fs::write(grown.join("episodes.jsonl"), all).unwrap();
    grown
}

/// The most memory a command had, in KiB.
fn used(command: &[&str], run: &Path) -> usize {
    let (most, status) = peak(
        binary().args(["--root", root().to_str().unwrap(), "--quiet"]).args(command).arg(run).stdin(Stdio::null()),
    );
    // The other trials have the first one's seed, which a report says of each.
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?}: {status}");
    most
}

#[test]
fn four_times_the_episodes_take_no_more_memory() {
    if !Path::new("/proc/self/status").exists() {
        skipped("without /proc nobody tells how much memory a process has had");
        return;
    }
    let folder = scratch("memory");
    let played = folder.join("played");
    assert_eq!(code(&run(&played, &["--agent", "oracle", "--agent", "noop", "--limit", "28"])), 0);
    let episodes = text(&played, "episodes.jsonl").lines().count() * 3 * TRIALS;
    let (short, long) = (grown(&played, &folder, TRIALS), grown(&played, &folder, 4 * TRIALS));
    let exported = folder.join("run.eval");
    let export = ["export", "inspect", "--out", exported.to_str().unwrap()];
    for command in [&["report"][..], &["score"], &export] {
        let few = used(command, &short);
        // An export overwrites nothing.
        let _ = fs::remove_file(&exported);
        let many = used(command, &long);
        let more = many.saturating_sub(few) / episodes;
        eprintln!("{command:?}: {few} KiB, and {many} KiB for {episodes} episodes more");
        assert!(few > 0 && more < KIB_PER_EPISODE, "{command:?}: {more} KiB for each of {episodes} more episodes");
    }
    assert!(text(&long, "report.html").contains("data-episodes") && !long.join("report.html.spool").exists());
}
