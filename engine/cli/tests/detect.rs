//! How much is enough: `probity plan --detect DROP RUN`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use probity::cli::Cli;
use serde_json::{Value, json};

use crate::support::mock::{Mock, mode};
use crate::support::{binary, err, json, out, path, probity, run, scratch, succeeded, tells, text};

fn played(name: &str, flags: &[&str]) -> PathBuf {
    let base = scratch(&format!("detect-{name}")).join("base");
    succeeded(run(&base, &[&["--env", "finance/bank"], flags].concat()));
    base
}

fn detections(base: &Path, drop: &str, more: &[&str]) -> Value {
    json(&succeeded(probity(&[&["--json", "plan", "--detect", drop, path(base)], more].concat())))["detections"].take()
}

#[test]
fn a_run_says_how_many_trials_are_enough_and_what_tells_nothing() {
    let base = played("agents", &["--agent", "coin:75", "--agent", "oracle", "--trials", "3"]);
    let all = detections(&base, "0.1", &[]);
    let (coin, oracle) = (&all[0], &all[1]);
    assert_eq!((&coin["agent"], &coin["metric"], &coin["group"]), (&json!("coin:75"), &json!("sr"), &json!("all")));
    let (trials, instances) = (coin["trials"].as_u64().unwrap(), coin["instances"].as_u64().unwrap());
    assert!((5..60).contains(&trials) && instances == 28, "{coin}");
    assert!(coin["base_finds"].as_f64().unwrap() > 0.1 && coin["base_trials"] == 3);
    assert_eq!((coin["run"]["episodes"].as_u64(), coin["run"]["cost"].is_null()), (Some(trials * instances), true));
    // One of many coins falls thrice.
    let silent = coin["silent"].as_array().unwrap().iter().map(|task| task["settings"].as_array().unwrap().len());
    assert_eq!(coin["wasted"]["episodes"].as_u64(), Some(trials * silent.sum::<usize>() as u64));
    assert_eq!((&oracle["trials"], &oracle["base_finds"], &oracle["silent"]), (&json!(1), &json!(0.0), &json!([])));
    // A smaller drop takes more, and so does a stricter level; the same question has the same answer, byte for byte.
    assert!(detections(&base, "0.05", &[])[0]["trials"].as_u64().unwrap() > 2 * trials);
    let rules = base.with_file_name("gate.toml");
    fs::write(&rules, "format = 1\nlevel = 0.001\n[[rule]]\nmetric = \"sr\"\nno_significant_drop = true\n").unwrap();
    assert!(detections(&base, "0.1", &["--gate", path(&rules)])[0]["trials"].as_u64().unwrap() > trials);
    let said = || out(&succeeded(probity(&["plan", "--detect", "0.1", path(&base)])));
    let first = said();
    assert_eq!(first, said());
    let heard = format!("coin:75: drops of sr by 0.1 are found four times out of five with {trials} trials of each");
    assert!(
        first.starts_with(&heard) && first.contains("oracle: drops of sr by 0.1 are found with one trial"),
        "{first}"
    );
}

/// The plan and the gate: a drop of the size asked about, played with as many trials as were named.
#[test]
fn a_drop_is_found_with_the_trials_that_were_named() {
    let base = played("gate", &["--agent", "coin:90", "--as", "x", "--trials", "3"]);
    let trials = detections(&base, "0.3", &[])[0]["trials"].as_u64().unwrap().to_string();
    let again =
        |agent: &str, seed: &str| played(seed, &["--agent", agent, "--as", "x", "--trials", &trials, "--seed", seed]);
    let (base, same, worse) = (again("coin:90", "1"), again("coin:90", "2"), again("coin:60", "3"));
    succeeded(probity(&["compare", path(&base), path(&same), "--gate"]));
    tells(probity(&["compare", path(&base), path(&worse), "--gate"]), 1, out, &["NO  sr all: no significant drop"]);
}

#[test]
fn what_is_not_known_is_said_and_ends_with_1() {
    let once = played("once", &["--agent", "coin:90", "--agent", "noop"]);
    let known =
        ["coin:90: there are no trials that are enough", "not known", "--trials 3", "noop", "not so much to lose"];
    let output = tells(probity(&["plan", "--detect", "0.05", path(&once)]), 1, out, &known);
    assert!(out(&output).contains("28 instances of 4 tasks with nothing to lose in any trial"), "{}", out(&output));
    let of = |drop: &str| probity(&["plan", "--detect", drop, path(&once)]);
    for drop in ["0", "1.01", "nan", "inf"] {
        tells(of(drop), 2, err, &["`sr` goes from 0 to 1: it cannot fall by", "help: "]);
    }
    tells(of("5%"), 2, err, &["invalid value '5%' for '--detect <DROP>'"]);
    for flag in ["--prices", "--user-prices"] {
        let asked = ["plan", "--detect", "0.05", path(&once), flag, "1,2"];
        tells(probity(&asked), 2, err, &[&format!("`{flag}` means nothing here")]);
    }
    tells(probity(&["plan", "--detect", "0.05"]), 2, err, &["required", "<RUN>"]);
    for more in [path(&once), "--gate=x.toml"] {
        tells(probity(&["plan", "--out", "x.json", more]), 2, err, &["cannot be used with"]);
    }
}

/// What was played is not chosen once more: of all flags that say it, each is refused; prices are not.
#[test]
fn only_prices_go_with_a_run_that_was_played() {
    let values = ["1", "1,2", "a=b", "{}", "native", "openai:m", "always", "reliability-1"];
    let refused = |words: &[&str], flag: &str| {
        let kind = |value: Option<&str>| {
            let words = words.iter().copied().chain([flag]).chain(value);
            Cli::command().try_get_matches_from(words).err().map(|error| error.kind())
        };
        let all: Vec<_> = [None].into_iter().chain(values.map(Some)).map(kind).collect();
        all.contains(&Some(ErrorKind::ArgumentConflict)) && !all.contains(&None)
    };
    let flags = |command: &str| -> Vec<String> {
        let command = Cli::command().find_subcommand(command).unwrap().clone();
        command.get_arguments().filter_map(|flag| Some(format!("--{}", flag.get_long()?))).collect()
    };
    let (plan, run) = (flags("plan"), flags("run"));
    let shared: Vec<&String> = plan.iter().filter(|flag| run.contains(flag) && *flag != "--out").collect();
    assert!(shared.len() > 40, "{shared:?}");
    for flag in shared {
        let is_priced = ["--prices", "--user-prices"].contains(&flag.as_str());
        for words in [&["probity", "plan", "--list", "p"][..], &["probity", "run", "--resume", "r"]] {
            assert!(refused(words, flag), "{words:?} {flag}");
        }
        assert!(refused(&["probity", "plan", "--detect", "0.1", "r"], flag) != is_priced, "{flag}");
    }
    for flag in ["--out", "--list"] {
        assert!(refused(&["probity", "plan", "--detect", "0.1", "r"], flag), "{flag}");
    }
}

#[test]
fn a_record_that_its_trace_does_not_give_is_no_base() {
    let base = played("doubted", &["--agent", "coin:75", "--trials", "2"]);
    let file = base.join("episodes.jsonl");
    let [failed, succeeded] = ["0.0", "1.0"].map(|sr| format!("\"sr\":{{\"status\":\"scored\",\"value\":{sr}}}"));
    let lines = text(&base, "episodes.jsonl").replacen(&failed, &succeeded, 1);
    assert!(lines != text(&base, "episodes.jsonl"), "no coin fell");
    fs::write(&file, lines).unwrap();
    let output = probity(&["plan", "--detect", "0.2", path(&base)]);
    tells(output, 1, err, &["/scores/metrics/sr/value: the record says 1, the replay gives 0"]);
}

#[test]
fn tokens_and_cost_are_those_of_the_episodes_played() {
    let mock = Mock::start(mode("plain"));
    let base = scratch("detect-tokens").join("base");
    let flags = ["--env", "finance/bank", "--variant", "ideal", "--trials", "2", "--prices", "2,8"];
    succeeded(mock.run(&base, &flags));
    drop(mock);
    let of = |more: &[&str]| detections(&base, "0.5", more)[0]["run"].take();
    let (own, given) = (of(&[]), of(&["--prices", "20,80"]));
    let report: Value = serde_json::from_str(&text(&base, "report.json")).unwrap();
    let spent = &report["agents"]["openai:mock"]["spent"];
    let trials = own["episodes"].as_f64().unwrap() / 4.0;
    for tokens in ["prompt_tokens", "completion_tokens"] {
        let [run, base] = [&own["agent"], &spent["agent"]].map(|usage| usage[tokens].as_f64().unwrap());
        assert!(base > 0.0 && (run - base * trials / 2.0).abs() <= 4.0, "{run} {base}");
    }
    let cost = |bill: &Value| bill["cost"].as_f64().unwrap();
    assert!((cost(&given) - 10.0 * cost(&own)).abs() < 1e-9 && cost(&own) > 0.0, "{own} {given}");
    let said = out(&succeeded(binary().args(["plan", "--detect", "0.5", path(&base)]).output().unwrap()));
    assert!(said.contains(" tokens read (") && said.contains("; cost 0."), "{said}");
}
