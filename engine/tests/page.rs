//! `report.html` in a real browser: a deep link shows its episode, and hostile words stay words.
//! Where no Chromium is found the test says so on standard error and checks nothing.
#![expect(clippy::unwrap_used, reason = "what cannot be set up fails the test")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What an agent says that wants to break out: of its element, of its line, of its box.
const HOSTILE: &str =
    "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>\u{2028}";

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let quiet = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    })
}

/// A run of one episode with an agent that answers everything with the hostile words.
fn hostile_run(folder: &Path) -> PathBuf {
    let reply = serde_json::json!({"text": format!("{HOSTILE}{}", "W".repeat(20_000))}).to_string();
    fs::write(folder.join("reply.json"), reply + "\n").unwrap();
    let script = "while read -r line; do case $line in *'\"protocol\"'*) ;; *) cat reply.json ;; esac; done";
    let agent = format!("exec:cd '{}' && {script}", folder.display());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let run = folder.join("run");
    let done = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["run", "--quiet", "--root", root.to_str().unwrap(), "--out", run.to_str().unwrap()])
        .args(["--variant", "ideal", "--limit", "1", "--as", "<b>mole</b>", "--agent", &agent])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    run
}

/// The page as the browser has drawn it, without what it was drawn from.
fn drawn(browser: &str, folder: &Path, page: &Path, hash: &str) -> String {
    let shown = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}{hash}", page.display()))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8(shown.stdout).unwrap();
    let (body, data) = dom.split_once("<script type=\"application/json\"").unwrap();
    assert!(!data.contains("owned'</script>"), "the data ends where it should not");
    body.to_owned()
}

#[test]
fn a_deep_link_shows_its_episode_and_hostile_words_stay_words() {
    let Some(browser) = browser() else {
        writeln!(std::io::stderr(), "SKIPPED: no Chromium found, report.html was not opened").unwrap();
        return;
    };
    let folder = scratch("page");
    let run = hostile_run(&folder);
    let episode: serde_json::Value = fs::read_to_string(run.join("episodes.jsonl")).unwrap().parse().unwrap();
    let task = episode.pointer("/trace/header/task").unwrap().as_str().unwrap();
    let heard = episode.pointer("/trace/events/0/text").unwrap().as_str().unwrap();
    let said = "&lt;/script&gt;&lt;script&gt;document.title='owned'&lt;/script&gt;&lt;img src=x onerror";

    let page = run.join("report.html");
    let link = format!("#/episode/%3Cb%3Emole%3C%2Fb%3E/ideal/0/{task}");
    let shown = drawn(browser, &folder, &page, &link);
    assert!(shown.contains(&format!("<title>probity: &lt;b&gt;mole&lt;/b&gt; {task} ideal</title>")));
    let (overview, transcript) = shown.split_once("<main id=\"episode\"").unwrap();
    let first_line = heard.lines().next().unwrap().replace('&', "&amp;");
    assert!(transcript.contains(&first_line), "the user's words are not shown");
    assert!(transcript.contains(said), "the agent's words are not shown as words");
    assert_eq!((shown.matches("<img").count(), shown.matches("<b>mole").count()), (0, 0));
    assert!(overview.contains("id=\"overview\" class=\"wrap\" hidden"));

    let list = drawn(browser, &folder, &page, "#/?outcome=fail");
    assert!(list.contains(&format!("href=\"{link}\"")), "the list does not lead to the episode");
    assert!(list.contains("1 episode"));
}
