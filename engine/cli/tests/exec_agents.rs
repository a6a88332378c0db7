//! Agents in a process from the outside: signals and folders; `cases/sessions/agents.sh` has what they may do else.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{binary, code, contents, err, real_root, run, sampled, scratch, text};

/// A signal reaches a run whose agent is silent, and what it cut short is played again.
#[cfg(unix)]
#[test]
fn a_signal_stops_a_run_with_a_silent_agent() {
    let folder = scratch("signal");
    for signal in ["INT", "TERM"] {
        let directory = folder.join(signal);
        let marker = folder.join(format!("{signal}.pid"));
        let agent = format!("exec:echo $$ > {}; exec sleep 100", marker.display());
        let child = sampled()
            .args(["run", "--out", directory.to_str().unwrap()])
            .args(["--agent", &agent, "--as", "silent", "--limit", "1", "--isolate", "never"])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_until(&|| fs::read_to_string(&marker).is_ok_and(|pid| pid.ends_with('\n')));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let start = std::time::Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed().as_secs() < 60, "{signal}: {:?}", start.elapsed());
        assert_eq!(code(&output), 130, "{signal}");
        assert_eq!(text(&directory, "episodes.jsonl"), "", "{signal}");
        let is_gone = format!("! kill -0 {}", contents(&marker).trim());
        assert!(Command::new("sh").args(["-c", &is_gone]).status().unwrap().success(), "{signal}");
    }
}

/// From its first moment on a signal ends the program as interrupted, whatever it does.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_is_heard_before_the_run_has_begun() {
    for command in [&["run", "--out", "never"][..], &["check", "--all"]] {
        let folder = scratch("early");
        let mut child = binary()
            .args(["--root", &real_root()])
            .args(command)
            .current_dir(&folder)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let status = format!("/proc/{}/status", child.id());
        // The 15th bit of the signals it catches is SIGTERM.
        let catches = |line: &str| {
            let mask = line.strip_prefix("SigCgt:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            mask.is_some_and(|mask| mask & (1 << 14) != 0)
        };
        wait_until(&|| fs::read_to_string(&status).is_ok_and(|text| text.lines().any(catches)));
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{command:?}");
    }
}

/// Where nothing stands in its way an agent may rename its folder; it is gone all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_an_agent_renamed_is_gone_afterwards() {
    let folder = scratch("renamed");
    let done = "{\"text\": \"Done.\"}";
    for (name, said, end) in [("ends", done, "read end"), ("fails", "Done.", "read end"), ("dies", done, "exit 3")] {
        let moved = folder.join(format!("{name}-moved"));
        let agent = format!(
            "exec:echo mine >note; mv \"$HOME\" {0}; mkdir \"$HOME\"; echo mine >\"$HOME/note\"; read start; read user; test -e {0}/note && echo '{said}'; {end}",
            moved.display()
        );
        let directory = folder.join(name);
        let output = run(&directory, &["--agent", &agent, "--as", "mover", "--limit", "1", "--isolate", "never"]);
        assert!([0, 3].contains(&code(&output)), "{}", err(&output));
        assert!(text(&directory, "episodes.jsonl").contains("Done."), "{name}");
        assert!(!moved.exists(), "{name}");
    }
}

fn wait_until(is_so: &dyn Fn() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("waited too long");
}
