//! Agents in a process are kept apart: from the suite, the run, our environment and each other.

#![cfg(target_os = "linux")]
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{
    binary, code, copy, err, first_reply, has_bwrap, out, probity, real_root, report, root, run, sampled, sampled_root,
    scratch, succeeded, tells, text,
};

/// Tells in each reply what it can see of the machine.
const SPY: &str = include_str!("cases/agents/spy.py");

/// Says "No." to everybody, and rewrites what the run has recorded of it as soon as it finds that.
const FORGER: &str = include_str!("cases/agents/forger.py");

struct Spied {
    folder: PathBuf,
    listener: TcpListener,
}

impl Spied {
    fn new(name: &str) -> Spied {
        let folder = scratch(name);
        fs::create_dir(folder.join("agent")).unwrap();
        fs::write(folder.join("agent/spy.py"), SPY).unwrap();
        Spied { folder, listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    fn agent(&self, run: &Path) -> String {
        let port = self.listener.local_addr().unwrap().port();
        format!("exec:exec python3 agent/spy.py {} {port} {}", root().canonicalize().unwrap().display(), run.display())
    }

    /// What the spy found in a run with these flags; it is started from its folder, with a secret and a file left open.
    fn found(&self, name: &str, more: &[&str]) -> (Output, Value) {
        let directory = self.folder.join(name);
        let output = succeeded(
            Command::new("sh")
                .args(["-c", "exec 7</etc/passwd; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_probity")])
                .args(["--root", &real_root(), "run", "--limit", "1", "--as", "spy"])
                .args(["--out", directory.to_str().unwrap(), "--agent", &self.agent(&directory)])
                .args(more)
                .env("OPENAI_API_KEY", "sk-spied-0123456789-abcdef")
                .current_dir(&self.folder)
                .stdin(Stdio::null())
                .output()
                .unwrap(),
        );
        (output, first_reply(&directory))
    }
}

/// What holds with a barrier and without.
fn lives_on_its_own(found: &Value) {
    assert_eq!(found["listing"], serde_json::json!([]));
    assert_eq!(found["cwd"], found["env"]["HOME"]);
    assert!(!Path::new(found["cwd"].as_str().unwrap()).exists(), "its folder is gone with it");
    let known = ["PATH", "HOME", "LANG", "PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"];
    let env = found["env"].as_object().unwrap();
    // Python may be behind a script that says which it is.
    let is_known = |name: &String| known.contains(&name.as_str()) || name.contains("PYENV");
    assert!(env.keys().all(is_known), "{env:?}");
    let open: Vec<&str> = found["open"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(open.iter().all(|number| ["0", "1", "2", "3"].contains(number)), "{open:?}");
    assert_eq!(found["home"], true);
}

#[test]
fn an_agent_has_its_own_folder_and_environment_and_no_open_files_of_ours() {
    let spied = Spied::new("spied-never");
    let (_, found) = spied.found("run", &["--isolate", "never"]);
    lives_on_its_own(&found);
    let config: Value = serde_json::from_str(&text(&spied.folder.join("run"), "run.json")).unwrap();
    assert_eq!(config["isolation"], serde_json::json!({"barrier": "none"}));
}

#[test]
fn a_barrier_leaves_nothing_of_the_suite_the_run_or_the_machine_in_sight() {
    if !has_bwrap() {
        return;
    }
    let spied = Spied::new("spied-always");
    let (output, found) = spied.found("run", &["--isolate", "always"]);
    lives_on_its_own(&found);
    for hidden in ["tasks", "run", "parent", "network", "kernel"] {
        assert_eq!(found[hidden], false, "{hidden}");
    }
    assert!(!spied.folder.join("agent/note").exists(), "what it writes stays with it");
    let directory = spied.folder.join("run");
    let note = "agents in a process were kept apart by bubblewrap";
    assert!(out(&output).contains(note));
    let report = report(&directory);
    assert_eq!(report["isolation"], note);
    assert!(text(&directory, "report.html").contains(note));

    let (_, found) = spied.found("network", &["--isolate", "always", "--agent-network"]);
    assert_eq!(found["network"], true);
}

#[test]
fn without_bubblewrap_auto_says_so_and_always_refuses() {
    let spied = Spied::new("spied-auto");
    let tools = spied.folder.join("tools");
    fs::create_dir(&tools).unwrap();
    let python = "python3 -c 'import sys; print(sys.executable)'";
    for (tool, place) in [("sh", "command -v sh"), ("python3", python)] {
        let found = Command::new("sh").args(["-c", place]).output().unwrap();
        let path = out(&found);
        std::os::unix::fs::symlink(path.trim(), tools.join(tool)).unwrap();
    }
    let played = |name: &str, when: &str| {
        let directory = spied.folder.join(name);
        sampled()
            .args(["run", "--limit", "1", "--out", directory.to_str().unwrap()])
            .args(["--agent", &spied.agent(&directory), "--as", "spy", "--isolate", when])
            .env("PATH", &tools)
            .current_dir(&spied.folder)
            .output()
            .unwrap()
    };
    let auto = tells(played("auto", "auto"), 0, err, &["not isolated: there is no `bwrap`"]);
    assert!(out(&auto).contains("agents in a process could reach all that their user can"));
    lives_on_its_own(&first_reply(&spied.folder.join("auto")));
    tells(played("always", "always"), 2, err, &["help: install bubblewrap"]);
    assert!(!spied.folder.join("always").exists());
}

#[test]
fn a_folder_and_variables_are_given_to_agents_by_name() {
    let spied = Spied::new("spied-given");
    fs::write(spied.folder.join("agent/helper.py"), "word = 'helped'").unwrap();
    let given = ["--agent-dir", "agent", "--agent-env", "OPENAI_API_KEY", "--agent-env", "MODE=a b"];
    for (name, when) in [("never", "never"), ("always", "always")] {
        if when == "always" && !has_bwrap() {
            continue;
        }
        let (_, found) = spied.found(name, &[&["--isolate", when][..], &given].concat());
        assert_eq!(found["cwd"], spied.folder.join("agent").canonicalize().unwrap().to_str().unwrap());
        assert!(found["listing"].as_array().unwrap().contains(&"helper.py".into()), "{found}");
        assert_eq!(found["elsewhere"], when == "never", "the folder it is given can be written to");
        assert_eq!(found["env"]["MODE"], "a b");
        // It was told the key and said it; the run does not.
        assert_eq!(found["env"]["OPENAI_API_KEY"], "[key]");
        let config: Value = serde_json::from_str(&text(&spied.folder.join(name), "run.json")).unwrap();
        assert_eq!(config["isolation"]["env"], serde_json::json!(["OPENAI_API_KEY", "MODE=a b"]));
    }
    tells(
        run(&spied.folder.join("unset"), &["--agent", "exec:cat", "--agent-env", "PROBITY_NO_SUCH"]),
        2,
        err,
        &["`PROBITY_NO_SUCH` is not set", "help: "],
    );
}

#[test]
fn a_run_goes_on_behind_the_barrier_it_began_with() {
    let spied = Spied::new("spied-resumed");
    let when = if has_bwrap() { "always" } else { "never" };
    let (_, first) = spied.found("run", &["--isolate", when]);
    let directory = spied.folder.join("run");
    fs::write(directory.join("episodes.jsonl"), "").unwrap();
    succeeded(
        binary()
            // Where the suite lies is not said again.
            .args(["run", "--resume", directory.to_str().unwrap()])
            .current_dir(&spied.folder)
            .output()
            .unwrap(),
    );
    let again = first_reply(&directory);
    // Another test may be seen where nothing stands between.
    assert!(again["tasks"] == first["tasks"] && (when == "never" || again["parent"] == false), "{again}");
    // What a run of before says of isolation is nothing.
    let config: Value = serde_json::from_str(&text(&directory, "run.json")).unwrap();
    let mut older = config.clone();
    older.as_object_mut().unwrap().remove("isolation");
    fs::write(directory.join("run.json"), older.to_string()).unwrap();
    assert_eq!(code(&probity(&["report", directory.to_str().unwrap()])), 0);
}

#[test]
fn earlier_runs_are_out_of_sight_in_whatever_is_shown() {
    if !has_bwrap() {
        return;
    }
    let spied = Spied::new("spied-earlier");
    let old = spied.folder.join("runs/old");
    fs::create_dir_all(&old).unwrap();
    fs::write(old.join("run.json"), "{}").unwrap();
    let look = |name: &str, more: &[&str]| {
        let new = spied.folder.join("runs").join(name);
        succeeded(
            binary()
                .args(["--root", &real_root(), "run", "--limit", "1", "--as", "spy"])
                .args(["--out", new.to_str().unwrap(), "--isolate", "always", "--agent", &spied.agent(&old)])
                .args(more)
                .current_dir(&spied.folder)
                .output()
                .unwrap(),
        );
        first_reply(&new)["run"].clone()
    };
    assert_eq!(look("named", &[]), false, "a word of its command names the earlier run");
    assert_eq!(look("given", &["--agent-dir", "."]), false, "it is in a folder that the agent is given");
}

/// Tells what it sees below the folder that it was given, and at the places of its arguments.
const LISTER: &str = include_str!("cases/agents/lister.py");

#[test]
fn the_data_of_the_suite_and_runs_are_not_even_in_a_folder_that_agents_are_given() {
    if !has_bwrap() {
        return;
    }
    let folder = scratch("given-suite").canonicalize().unwrap();
    let suite = folder.join("suite");
    for part in ["environments", "scripts", "tasks"] {
        copy(&sampled_root().join(part), &suite.join(part));
    }
    fs::create_dir_all(suite.join("agent")).unwrap();
    fs::write(suite.join("agent/lister.py"), LISTER).unwrap();
    for file in [".git/HEAD", ".probity/certificates/a.json", "runs/old/run.json", "runs/old/episodes.jsonl"] {
        fs::create_dir_all(suite.join(file).parent().unwrap()).unwrap();
        fs::write(suite.join(file), "{}").unwrap();
    }
    std::os::unix::fs::symlink("../tasks", suite.join("agent/linked")).unwrap();
    std::os::unix::fs::symlink("tasks", suite.join("also")).unwrap();
    let played = |name: &str, dir: &str| {
        let run = suite.join(name);
        let agent = format!("exec:python3 agent/lister.py {}", suite.join("tasks").display());
        let output = binary()
            .args(["run", "--limit", "1", "--as", "lister", "--isolate", "always", "--agent-dir", dir])
            .args(["--out", name, "--agent", &agent])
            .current_dir(&suite)
            .output()
            .unwrap();
        (run, output)
    };
    let kept = "agents in a process were kept apart by bubblewrap";
    for (name, dir) in [("first", "."), ("second", suite.parent().unwrap().to_str().unwrap()), ("runs/third", ".")] {
        let (run, output) = played(name, dir);
        assert_eq!(code(&output), 0, "{dir}: {}", err(&output));
        let seen = first_reply(&run);
        let seen: Vec<&str> = seen.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let is_own = |path: &&str| path.ends_with("agent/lister.py");
        assert!(seen.iter().all(is_own) && (dir != "." || !seen.is_empty()), "{dir}: {seen:?}");
        let told = report(&run)["isolation"].as_str().unwrap().to_owned();
        assert!(told.starts_with(&format!("{kept}; of the folder that they were given they did not see ")), "{told}");
        assert!(told.contains("tasks") && told.contains("scripts") && told.contains("runs"), "{told}");
    }
    let (run, output) = played("fourth", "agent");
    assert_eq!(code(&output), 0, "{}", err(&output));
    // A link is there, but what it leads to is not.
    assert_eq!(first_reply(&run), serde_json::json!(["linked", "lister.py"]));
    assert_eq!(report(&run)["isolation"], kept);
    for dir in
        ["tasks", "also", "agent/linked", "tasks/../environments", "runs", "runs/old", "first", "first/inputs", ".git"]
    {
        let (run, output) = played("refused", dir);
        let told = err(&output);
        assert!(
            code(&output) == 2 && told.contains("agents must not see `") && told.contains("help: "),
            "{dir}: {told}"
        );
        assert!(!run.exists(), "{dir}");
    }
}

#[test]
fn how_agents_are_kept_apart_is_in_no_digest() {
    if !has_bwrap() {
        return;
    }
    let folder = scratch("isolated-digests");
    let sample = root().join("docs/sample_agent.py");
    let agent = format!("exec:python3 {}", sample.display());
    let digest = |when: &str| {
        let directory = folder.join(when);
        let more = ["--agent", &agent, "--as", "sample", "--limit", "3", "--isolate", when];
        assert_eq!(code(&run(&directory, &more)), 0);
        let report = report(&directory);
        assert!(report["agents"]["sample"]["overall"].to_string().find("agent_failed").is_none(), "{report}");
        (report["digest"].clone(), report["agents"].clone())
    };
    assert_eq!(digest("never"), digest("always"));
}

#[test]
fn a_past_that_an_agent_changes_fails_the_run() {
    let folder = scratch("forger");
    fs::write(folder.join("forger.py"), FORGER).unwrap();
    let agent = format!("exec:python3 {}", folder.join("forger.py").display());
    let played = |place: &str, when: &str| {
        fs::create_dir_all(folder.join(place)).unwrap();
        let more = ["--agent", &agent, "--as", "forger", "--limit", "3", "--jobs", "1", "--isolate", when];
        run(&folder.join(place).join("forged"), &more)
    };
    tells(
        played("never", "never"),
        1,
        err,
        &["the line of `forger ", "was changed by somebody else", "help: nothing of this run can be trusted"],
    );
    assert!(!folder.join("never/forged/report.json").exists());
    if has_bwrap() {
        succeeded(played("always", "always"));
        assert!(
            !text(&folder.join("always/forged"), "episodes.jsonl")
                .contains("\"sr\":{\"status\":\"scored\",\"value\":1.0")
        );
    }
}

/// What a run says of itself, such as how its agents were kept apart, is held against what it began with.
#[test]
fn a_run_whose_description_an_agent_changes_fails() {
    let folder = scratch("described");
    let target = folder.join("run");
    let script = "import sys\nfor line in sys.stdin:\n    if '\"user\"' in line:\n        path = sys.argv[1] + '/run.json'\n        told = open(path).read().replace('never', 'always')\n        open(path, 'w').write(told + ' ')\n        print('{\"text\": \"No.\"}', flush=True)\n";
    fs::write(folder.join("liar.py"), script).unwrap();
    let agent = format!("exec:python3 {} {}", folder.join("liar.py").display(), target.display());
    tells(
        run(&target, &["--agent", &agent, "--as", "liar", "--limit", "1", "--isolate", "never"]),
        1,
        err,
        &["run.json", "is not what it was when the run began"],
    );
    assert!(!target.join("report.json").exists());
}

/// Our own environment and open files are shut to other processes of the same user, but not to root.
#[test]
fn our_environment_is_shut_to_agents_of_the_same_user() {
    let folder = scratch("shut");
    let spy = "exec 3<&0; read start <&3; read user <&3; parent=$PPID; if cat /proc/$parent/environ >/dev/null 2>&1 || ls /proc/$parent/fd >/dev/null 2>&1; then said=open; else said=shut; fi; echo \"{\\\"text\\\": \\\"$said\\\"}\"; sleep 1";
    let directory = folder.join("run");
    let agent = format!("exec:{spy}");
    succeeded(run(&directory, &["--agent", &agent, "--as", "spy", "--limit", "1", "--isolate", "never"]));
    let is_root = fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0).unwrap();
    let expected = if is_root { "open" } else { "shut" };
    assert!(text(&directory, "episodes.jsonl").contains(&format!("\"text\":\"{expected}\"")), "root: {is_root}");
}
