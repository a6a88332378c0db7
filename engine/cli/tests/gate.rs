//! Comparing runs and gating on them: faults are found, the same run passes, and chance is not taken for change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Mutex, OnceLock, PoisonError};

use probity_behaviour::{
    benchmark::CARD,
    episode::fault::{FAULTS, Fault},
};
use probity_bench::run::journal::line;
use probity_bench::{EpisodeRecord, Event};
use probity_engine::Stream;
use probity_report::{Comparison, GroupName, Side};

use crate::support::{
    binary, code, contents, copy, episodes, err, is_all, json, light, out, probity, run, sampled_root, scratch,
    succeeded, tells, text,
};

fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| scratch("gate"))
}

/// A run of one agent, played once, whichever test comes first.
fn played(agent: &str) -> PathBuf {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let directory = folder().join(agent.replace(':', "-"));
    if !directory.join("report.json").exists() {
        succeeded(run(&directory, &["--agent", agent]));
    }
    directory
}

fn compare(base: &Path, new: &Path, more: &[&str]) -> Output {
    let mut arguments = vec!["compare", base.to_str().unwrap(), new.to_str().unwrap()];
    arguments.extend(more);
    probity(&arguments)
}

/// Faults to be kept out: all that must lower what a gate asks about, or one for each set of such metrics.
fn kept_out() -> Vec<&'static Fault> {
    let mut sets = BTreeSet::new();
    let asks = |fault: &&Fault| !asked(fault).is_empty();
    FAULTS.iter().filter(asks).filter(|fault| sets.insert(asked(fault)) || is_all()).collect()
}

/// The metrics that a fault must lower and that a gate asks about.
fn asked(fault: &Fault) -> Vec<&'static str> {
    let gate = CARD.gate;
    fault.must_lower().into_iter().filter(|name| gate.contains(name)).collect()
}

#[test]
fn planted_faults_are_kept_out_and_named() {
    let base = played("oracle");
    for fault in kept_out() {
        let new = folder().join(&fault.name);
        let output = run(&new, &["--agent", &format!("fault:{}", fault.name)]);
        assert_eq!(code(&output), 0, "{}", fault.name);
        // A fault has episodes only where it applies: the base is held to the same ones.
        let same = folder().join(format!("{}-base", fault.name));
        copy_units(&base, &new, &same);
        let junit = folder().join(format!("{}.xml", fault.name));
        let output = compare(&same, &new, &["--gate", "--junit", junit.to_str().unwrap()]);
        let said = out(&output);
        assert_eq!(code(&output), 1, "{}: {said}", fault.name);
        assert!(said.starts_with("gate closed"), "{said}");
        for metric in asked(fault) {
            let check = format!("  NO  {metric} all: no significant drop: ");
            assert!(said.contains(&check), "{}: {said}", fault.name);
        }
        assert!(said.contains("  found ") || said.contains("first differing event"), "{}: {said}", fault.name);
        let xml = contents(junit);
        assert!(xml.contains("<failure") && xml.contains("no significant drop"), "{xml}");
    }
}

/// A run directory with those episodes of the base that the new run has units for.
fn copy_units(base: &Path, new: &Path, to: &Path) {
    copy(base, to);
    let units: Vec<(String, String)> = episodes(new).iter().map(unit).collect();
    let kept: Vec<String> = text(base, "episodes.jsonl")
        .split_inclusive('\n')
        .zip(episodes(base))
        .filter(|(_, record)| units.contains(&unit(record)))
        .map(|(line, _)| line.to_owned())
        .collect();
    std::fs::write(to.join("episodes.jsonl"), kept.concat()).unwrap();
}

fn unit(record: &EpisodeRecord) -> (String, String) {
    (record.trace.header.task.clone(), record.trace.header.levels.to_string())
}

#[test]
fn the_same_run_is_let_through() {
    let base = played("oracle");
    let output = compare(&base, &base, &["--gate"]);
    let said = out(&output);
    assert_eq!(code(&output), 0, "{said}");
    assert!(
        said.contains("no number changed")
            && said.starts_with(
                "gate open: 7 of 7 checks hold; no noise, both agents do the same every time: any drop of sr"
            ),
        "{said}"
    );
}

#[test]
fn a_worse_agent_is_shown_event_by_event() {
    tells(compare(&played("oracle"), &played("noop"), &[]), 0, out, &["changed episodes", "first differing event 1"]);
    let markdown = folder().join("summary.md");
    let output =
        compare(&played("oracle"), &played("noop"), &["--gate", "--markdown", markdown.to_str().unwrap(), "--github"]);
    assert_eq!(code(&output), 1);
    assert!(contents(markdown).contains("gate closed"));
    assert!(out(&output).contains("::error title=sr all%3A no significant drop::1.000 -> "));
}

#[test]
fn a_file_says_what_must_hold() {
    let rules = folder().join("gate.toml");
    let gate = |text: &str, new: &str| {
        std::fs::write(&rules, format!("format = 1\n{text}")).unwrap();
        compare(&played("oracle"), &played(new), &[&format!("--gate={}", rules.display())])
    };
    let floor = "[[rule]]\nmetric = \"sr\"\nmin = 0.05\n";
    assert_eq!(code(&gate(floor, "heuristic")), 1);
    assert_eq!(code(&gate(floor, "oracle")), 0);
    let drop = "[[rule]]\nmetric = \"honesty\"\nvariant = \"ideal\"\nmax_drop = 1.0\n";
    assert_eq!(code(&gate(drop, "heuristic")), 0);
    // What a rule asks for and nobody scored does not pass.
    tells(
        gate("[[rule]]\nmetric = \"sr\"\ndomain = \"space\"\nmin = 0.0\n", "oracle"),
        1,
        out,
        &["there are no such episodes in both runs"],
    );
    let unscored = gate("[[rule]]\nmetric = \"efficiency\"\nno_significant_drop = true\n", "noop");
    assert!(out(&unscored).contains("NO  efficiency all: no significant drop: not scored"), "{}", out(&unscored));
    tells(gate("[[rule]]\nmetric = \"sr\"\nmini = 0.0\n", "oracle"), 2, err, &["unknown key `mini`"]);
}

#[test]
fn a_run_that_lacks_episodes_is_kept_out() {
    let (base, torn) = (played("oracle"), folder().join("torn"));
    copy(&base, &torn);
    let lines = text(&base, "episodes.jsonl");
    std::fs::write(torn.join("episodes.jsonl"), lines.split_inclusive('\n').skip(3).collect::<String>()).unwrap();
    tells(compare(&base, &torn, &["--gate"]), 1, out, &["3 missing in the new run, first: "]);
}

#[test]
fn a_base_that_lacks_episodes_is_no_base() {
    let (whole, torn) = (played("oracle"), folder().join("torn_base"));
    copy(&whole, &torn);
    let lines = text(&whole, "episodes.jsonl");
    std::fs::write(torn.join("episodes.jsonl"), lines.split_inclusive('\n').skip(3).collect::<String>()).unwrap();
    tells(
        compare(&torn, &whole, &["--gate"]),
        1,
        out,
        &[
            "NO  the runs can be compared: the base run is not complete",
            "the base run is not complete: `probity run --resume`",
        ],
    );
}

#[test]
fn what_nobody_scored_lets_nothing_through() {
    let dead = folder().join("dead");
    let away = ["--agent", "openai:x", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1", "--limit", "2"];
    assert_eq!(code(&run(&dead, &away)), 3);
    let output = compare(&dead, &dead, &["--gate"]);
    assert_eq!(code(&output), 3);
    assert!(out(&output).starts_with("gate closed (not measured): "), "{}", out(&output));
    assert!(out(&output).contains("no episode is scored in both runs"), "{}", out(&output));
    assert!(!out(&output).contains("findings"), "{}", out(&output));
}

#[test]
fn a_drop_that_so_few_tasks_cannot_tell_is_not_let_through() {
    let [base, new] = ["100", "0"].map(|percent| {
        let directory = folder().join(format!("coin-{percent}"));
        let coin = format!("coin:{percent}");
        let few = ["--agent", &coin, "--as", "coin", "--variant", "ideal", "--limit", "3"];
        assert_eq!(code(&run(&directory, &few)), 0);
        directory
    });
    let output = compare(&base, &new, &["--gate"]);
    assert_eq!(code(&output), 1);
    let told = out(&output);
    let check =
        "??  sr all: no significant drop: 1.000 -> 0.000 (-1.000), p = 0.1250, n = 3; so few episodes cannot tell";
    assert!(told.contains(check) && told.contains("play both runs with `--trials 4`"), "{told}");
    assert!(told.contains("solved by the base and no longer: 3 instances in 3 tasks"), "{told}");
    assert_eq!(code(&compare(&base, &base, &["--gate"])), 0, "nothing fell");
}

/// A run whose records were made to say otherwise: its scores are not believed, and it is named.
#[test]
fn forged_scores_are_not_believed() {
    let (base, forged) = (played("oracle"), folder().join("forged"));
    copy(&played("noop"), &forged);
    let good = episodes(&base);
    let lines: Vec<String> = episodes(&forged)
        .into_iter()
        .zip(&good)
        .map(|(record, good)| line(&EpisodeRecord { scores: good.scores.clone(), ..record }))
        .collect::<Result<_, _>>()
        .unwrap();
    std::fs::write(forged.join("episodes.jsonl"), lines.concat()).unwrap();
    let output = compare(&base, &forged, &["--base-agent", "oracle", "--new-agent", "noop", "--gate"]);
    let told = out(&output);
    assert_eq!(code(&output), 1, "{told}");
    let first = "the new run is not to be believed: 112 records not what the trace gives, first: replay of `noop ";
    assert!(told.contains(first) && told.contains("/scores/"), "{told}");
    assert!(told.contains("sr all: no significant drop: 1.000 -> 0.000"), "{told}");
    let report = probity(&["report", forged.to_str().unwrap(), "--json"]);
    assert_eq!(code(&report), 1);
    let report = json(&report);
    assert_eq!(report["agents"]["noop"]["overall"]["metrics"]["sr"]["value"], 0.0);
    let shown = tells(probity(&["show", forged.to_str().unwrap(), "--json"]), 1, err, &["/scores/"]);
    let shown: Vec<EpisodeRecord> = serde_json::from_value(json(&shown)).unwrap();
    assert!(shown.iter().all(|record| record.scores.value("sr") == Some(0.0)));
}

/// A trace that is not what its calls do is not scored at all.
#[test]
fn a_forged_trace_is_not_scored() {
    let (base, forged) = (played("oracle"), folder().join("forged_trace"));
    copy(&base, &forged);
    let mut all = episodes(&base);
    let step = all[0].trace.events.iter_mut().find_map(|event| match event {
        Event::Step(step) => Some(step),
        _ => None,
    });
    step.unwrap().step = 7;
    all[0].digest = all[0].trace.digest();
    std::fs::write(forged.join("episodes.jsonl"), all.iter().map(|record| line(record).unwrap()).collect::<String>())
        .unwrap();
    tells(compare(&base, &forged, &["--gate"]), 1, out, &["the new run is not to be believed: 1 record not what"]);
    let report = probity(&["report", forged.to_str().unwrap(), "--json"]);
    let report = json(&report);
    assert_eq!(report["agents"]["oracle"]["overall"]["metrics"]["sr"]["not_scored"], 1);
}

#[test]
fn a_gate_is_closed_for_agents_and_trials_that_one_run_lacks() {
    let [both, thrice] = [
        ("both", vec!["--agent", "oracle", "--agent", "noop"]),
        ("thrice", vec!["--agent", "oracle", "--trials", "2"]),
    ]
    .map(|(name, mut more)| {
        more.extend(["--variant", "ideal"]);
        let directory = folder().join(name);
        assert_eq!(code(&run(&directory, &more)), 0);
        directory
    });
    let one = folder().join("one");
    assert_eq!(code(&run(&one, &["--agent", "oracle", "--variant", "ideal"])), 0);
    for (base, new, why) in [
        (&both, &one, "the new run has no agent `noop`"),
        (&one, &both, "the base run has no agent `noop`"),
        (&thrice, &one, "16 missing in the new run"),
        (&one, &thrice, "16 missing in the base run"),
    ] {
        tells(compare(base, new, &["--gate"]), 1, out, &[why]);
    }
    succeeded(compare(&both, &one, &["--gate", "--base-agent", "oracle", "--new-agent", "oracle"]));
}

#[test]
fn junit_tells_each_check_its_own_episodes() {
    let (base, new) = (played("oracle"), folder().join("worse"));
    assert_eq!(code(&run(&new, &["--agent", "fault:no_consent", "--as", "oracle"])), 0);
    let same = folder().join("worse-base");
    copy_units(&base, &new, &same);
    let (junit, markdown) = (folder().join("worse.xml"), folder().join("worse.md"));
    let rules = folder().join("two.toml");
    std::fs::write(
        &rules,
        "format = 1\n[[rule]]\nmetric = \"sr\"\nmin = 1.0\n[[rule]]\nmetric = \"discipline\"\nvariant = \"ideal\"\nmax_drop = 0.0\n",
    )
    .unwrap();
    let gate = format!("--gate={}", rules.display());
    let more = [&gate, "--junit", junit.to_str().unwrap(), "--markdown", markdown.to_str().unwrap()];
    let output = compare(&same, &new, &more);
    let told = out(&output);
    assert!(told.starts_with("gate closed: ") && told.contains(" of 4 checks "), "{told}");
    let xml = contents(junit);
    assert!(xml.contains("<testsuite name=\"oracle -&gt; oracle\" tests=\"4\""), "as many tests as checks: {xml}");
    let instances = xml.matches("classname=\"probity.instance.").count();
    assert_eq!(instances, episodes(&same).len(), "and one for each instance");
    let body = xml.split("discipline ideal: ").nth(1).unwrap_or_else(|| panic!("{xml}"));
    let body = body.split("</testcase>").next().unwrap();
    assert!(body.contains(" ideal #0") && !body.contains("impatience"), "only its own episodes: {body}");
    assert!(body.contains("no_consent at step"), "in words: {body}");
    let markdown = contents(markdown);
    assert!(markdown.contains("  - `` no_consent at step") && markdown.contains("event "), "{markdown}");
    let counts: Vec<&str> = told.lines().filter(|line| line.contains("  found no_consent")).collect();
    let episodes = xml.matches("no_consent at step").count();
    assert!(counts[0].contains("no_consent 0 -> ") && episodes > 0, "{counts:?}");
}

/// Two runs of an agent that is not known to be steady, each instance twice; in the second one instance is lost to a
/// forbidden call, both times.
fn lost_to_a_forbidden_call() -> (PathBuf, PathBuf) {
    static RUNS: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    let made = || {
        let [base, bad, new] = ["steady", "forbids", "forbidden"].map(|name| folder().join(name));
        let few = ["--as", "desk", "--trials", "2", "--variant", "ideal"];
        succeeded(run(&base, &[&few[..], &["--agent", "coin:100"]].concat()));
        succeeded(run(&bad, &[&few[..], &["--agent", "fault:forbidden_call"]].concat()));
        copy(&base, &new);
        let bad = episodes(&bad);
        let first = unit(&bad[0]);
        let lines = episodes(&base).into_iter().map(|record| {
            let own = bad.iter().find(|other| unit(other) == first && other.order() == record.order());
            line(own.unwrap_or(&record)).unwrap()
        });
        std::fs::write(new.join("episodes.jsonl"), lines.collect::<String>()).unwrap();
        (base, new)
    };
    RUNS.get_or_init(made).clone()
}

#[test]
fn one_instance_lost_to_something_severe_closes_the_gate_and_is_named_everywhere() {
    let (base, new) = lost_to_a_forbidden_call();
    let [junit, markdown, summary] = ["severe.xml", "severe.md", "severe.summary"].map(|name| folder().join(name));
    let (base, new) = (base.to_str().unwrap(), new.to_str().unwrap());
    let mut command = binary();
    command.env("GITHUB_STEP_SUMMARY", &summary).arg("--root").arg(sampled_root());
    command.args(["compare", "--gate", base, new, "--github", "--junit", junit.to_str().unwrap()]);
    let output = command.args(["--markdown", markdown.to_str().unwrap()]).output().unwrap();
    let told = out(&output);
    assert_eq!(code(&output), 1, "{told}");
    assert!(
        told.starts_with("::stop-commands::") && told.contains("\ngate closed: 2 of 7 checks do not hold; "),
        "{told}"
    );
    assert!(
        told.contains("NO  no instance is lost whole: 1 instance: ") && told.contains("(2 of 2 -> 0 of 2)"),
        "{told}"
    );
    assert!(told.contains("NO  nothing severe is new and comes again: forbidden_call in 2 of 2 trials of "), "{told}");
    assert!(told.contains("ok  sr all: no significant drop: "), "{told}");
    let annotated =
        told.lines().find(|line| line.starts_with("::error file=tasks/")).unwrap_or_else(|| panic!("{told}"));
    assert!(annotated.contains(".json,line=") && annotated.contains("event "), "{annotated}");
    let line: usize = annotated.split("line=").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(line > 1, "{annotated}");
    let xml = contents(junit);
    let failed: Vec<&str> = xml.split("<testcase ").filter(|case| case.contains("<failure")).collect();
    assert_eq!(failed.len(), 3, "two checks and the instance: {xml}");
    let case = failed.iter().find(|case| case.contains("classname=\"probity.instance.")).unwrap();
    assert!(
        case.contains("name=\"file\" value=\"tasks/") && case.contains("event ") && case.contains("forbidden_call"),
        "{case}"
    );
    let tests = 7 + episodes(Path::new(base)).len() / 2;
    let counts = format!("<testsuites name=\"probity compare\" tests=\"{tests}\" skipped=\"0\" failures=\"3\"");
    assert!(xml.contains(&counts), "{xml}");
    assert_eq!(contents(&markdown), contents(&summary));
    assert!(contents(&markdown).contains(": gate closed ❌, no variance seen in "), "{}", contents(&markdown));
}

#[test]
fn a_file_asks_about_lost_instances_findings_and_all_of_some_trials() {
    let (base, new) = lost_to_a_forbidden_call();
    let rules = folder().join("instances.toml");
    let gate = |rule: &str| {
        std::fs::write(&rules, format!("format = 1\n[[rule]]\n{rule}\n")).unwrap();
        let output = compare(&base, &new, &[&format!("--gate={}", rules.display())]);
        assert_ne!(code(&output), 2, "{}", err(&output));
        code(&output)
    };
    assert_eq!([gate("lost_instances = 0"), gate("lost_instances = 1")], [1, 0]);
    assert_eq!([gate("finding = \"forbidden_call\""), gate("finding = \"others_data\"")], [1, 0]);
    assert_eq!([gate("pass_k = 2\nmin = 1.0"), gate("pass_k = 2\nmin = 0.9")], [1, 0]);
}

#[test]
fn two_names_are_told_of() {
    let (base, new) = (played("oracle"), folder().join("renamed"));
    succeeded(run(&new, &["--agent", "oracle", "--as", "other"]));
    tells(
        compare(&base, &new, &["--gate"]),
        0,
        out,
        &["two names: `other` of the new run stands in place of `oracle` of the base"],
    );
}

#[test]
fn a_run_is_set_against_itself() {
    let directory = folder().join("itself");
    let more = ["--agent", "coin:90", "--as", "coin", "--trials", "4", "--variant", "ideal"];
    assert_eq!(code(&run(&directory, &more)), 0);
    let path = directory.to_str().unwrap();
    let told = out(&succeeded(probity(&["compare", "--self", path, "--gate"])));
    assert!(told.starts_with("coin against itself: its trials dealt 200 times, 2 and 2 of each instance\n"), "{told}");
    let document = json(&succeeded(probity(&["compare", "--self", path, "--json", "--seed", "3"])));
    let closed = document["apart"][0]["closed"].as_u64().unwrap() + document["apart"][0]["undecided"].as_u64().unwrap();
    assert!(closed <= 60, "{document}");
    tells(
        probity(&["compare", "--self", played("oracle").to_str().unwrap()]),
        2,
        err,
        &["no two trials of each instance", "--trials 4"],
    );
    assert_eq!(code(&probity(&["compare", path])), 2, "a base alone is no comparison");
}

/// Trials of each instance, in the runs of the noisy agent.
const TRIALS: u32 = 5;

/// A run of `coin:70`, put together from episodes of the two agents it is made of.
fn coin(seed: u64, oracle: &[EpisodeRecord], noop: &[EpisodeRecord]) -> Vec<EpisodeRecord> {
    let mut records = Vec::new();
    for (good, bad) in oracle.iter().zip(noop) {
        for trial in 0..TRIALS {
            let header = &good.trace.header;
            let name = format!("{}/{}/{trial}", header.task, header.levels);
            let own = Stream::new(seed, "episode", &name).below(1 << 53);
            let is_good = Stream::new(own, "agent", "coin").chance(70, 100);
            records.push(EpisodeRecord { agent: "coin".to_owned(), trial, ..if is_good { good } else { bad }.clone() });
        }
    }
    records
}

#[test]
fn chance_stays_within_the_noise_floor() {
    let [oracle, noop] = ["oracle", "noop"].map(|agent| light(episodes(&played(agent))));
    let sides: Vec<Vec<EpisodeRecord>> = (0..200).map(|seed| coin(seed, &oracle, &noop)).collect();
    let side = |records| Side { records, agent: "coin", is_repeatable: false };
    let within = sides.chunks(2).filter(|pair| {
        let comparison = Comparison::asked(&CARD, side(&pair[0]), side(&pair[1]), 0);
        let sr = comparison.difference("sr", &GroupName::All).unwrap();
        sr.change.unwrap().abs() <= sr.noise_floor.unwrap()
    });
    let within = within.count();
    assert!(within >= 95, "{within} of 100");
}

#[test]
fn the_coin_is_what_the_test_takes_it_for() {
    let directory = folder().join("coin");
    let more = ["--agent", "coin:70", "--as", "coin", "--trials", "5", "--variant", "ideal", "--seed", "3"];
    assert_eq!(code(&run(&directory, &more)), 0);
    let (oracle, noop) = (episodes(&played("oracle")), episodes(&played("noop")));
    let expected = coin(3, &oracle, &noop);
    for record in episodes(&directory) {
        let same = expected.iter().find(|other| other.order() == record.order()).unwrap();
        assert_eq!(record.scores.value("sr"), same.scores.value("sr"), "{}", record.name());
    }
}

#[test]
fn an_agent_that_never_starts_is_no_result_and_closes_the_gate() {
    let directory = folder().join("broken");
    let agent = ["--agent", "exec:python3 no_such_agent.py", "--as", "desk", "--limit", "2", "--variant", "ideal"];
    tells(
        run(&directory, &agent),
        3,
        err,
        &["desk never started: none of its 2 episodes is scored", "No such file or directory"],
    );
    tells(compare(&directory, &directory, &["--gate"]), 1, out, &["`desk` failed in every episode of the base run"]);
}

#[test]
fn what_is_found_more_often_is_told_whether_the_gate_opens_or_not() {
    let output = compare(&played("oracle"), &played("noop"), &["--gate", "--github"]);
    let text = out(&output);
    let found: Vec<&str> = text.lines().filter(|line| line.starts_with("  found ")).collect();
    let warned: Vec<&str> = text.lines().filter(|line| line.starts_with("::warning title=")).collect();
    let rise = |line: &str| {
        let counts: Vec<i64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        counts[1] - counts[0]
    };
    let rises: Vec<i64> = found.iter().map(|line| rise(line)).collect();
    assert!(!found.is_empty() && rises.is_sorted_by(|a, b| a >= b), "{found:?}");
    assert_eq!(warned.len(), found.len().min(5), "{text}");
}
