//! `probity report` of many runs: the same numbers as each run's own report, and its page; `cases/sessions/board.sh` has why a
//! run is not ranked.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::browser::Browser;
use crate::support::{contents, json, probity, report, run, scratch, succeeded};

/// Two tasks in all their variants, so that there is an interval: more of them say nothing new.
const TWO: [&str; 4] = ["--task", "mislaid_card", "--task", "plumber"];
/// What wants to break out of its element, and to turn what is read around it.
const HOSTILE: &str = "</script><img src=x onerror=document.title='owned'>\u{202e}";

fn played(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let directory = folder.join(name);
    let agents = ["--agent", "oracle", "--agent", "heuristic", "--env", "finance/bank"];
    succeeded(run(&directory, &[&agents[..], more].concat()));
    directory
}

fn board(runs: &[&Path], more: &[&str]) -> std::process::Output {
    let runs = runs.iter().map(|run| run.to_str().unwrap());
    probity(&["report"].into_iter().chain(runs).chain(more.iter().copied()).collect::<Vec<_>>())
}

/// The data that a page draws from.
fn data(page: &Path) -> Value {
    let page = contents(page);
    let data = page.split_once("id=\"data-runs\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

/// A score of a report as a board has it.
fn listed(score: &Value) -> Value {
    let mut list = vec![score["value"].clone(), score["n"].clone(), score["not_scored"].clone()];
    list.extend(score["interval"].as_array().into_iter().flatten().cloned());
    Value::from(list)
}

#[test]
fn a_board_says_what_the_report_of_each_run_says() {
    let folder = scratch("board-numbers");
    let (twice, cheats) = (["--trials", "2"], ["--seed", "7", "--agent", "cheats"]);
    let runs =
        [played(&folder, "one", &[&TWO[..], &twice].concat()), played(&folder, "two", &[&TWO[..], &cheats].concat())];
    let page = folder.join("board.html");
    let order = [runs[0].as_path(), runs[1].as_path()];
    let printed = succeeded(board(&order, &["--out", page.to_str().unwrap(), "--json"]));
    let drawn = data(&page);
    assert_eq!(drawn, json(&printed));
    let suite = &drawn["suites"][0];
    let metrics: Vec<&str> = suite["metrics"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let mut held = 0;
    for (run, directory) in suite["runs"].as_array().unwrap().iter().zip(&runs) {
        let own = report(directory);
        assert_eq!((&run["digest"], &run["episodes"]), (&own["digest"], &own["episodes"]));
        assert_eq!(run["page"], format!("{}/report.html", directory.file_name().unwrap().to_str().unwrap()));
        assert_eq!(run["agents"].as_array().unwrap().len(), own["agents"].as_object().unwrap().len());
        for agent in run["agents"].as_array().unwrap() {
            let own = &own["agents"][agent["agent"].as_str().unwrap()];
            let mut hold = |scores: &Value, summary: &Value| {
                let expected: Vec<Value> = metrics.iter().map(|metric| listed(&summary["metrics"][metric])).collect();
                assert_eq!(scores, &Value::from(expected));
                held += 1;
            };
            hold(&agent["overall"], &own["overall"]);
            for (factor, levels) in own["factors"].as_object().unwrap() {
                assert_eq!(agent["factors"][factor].as_object().unwrap().len(), levels.as_object().unwrap().len());
                for (level, summary) in levels.as_object().unwrap() {
                    hold(&agent["factors"][factor][level], summary);
                }
            }
        }
    }
    assert!(held > 100, "{held}");
    // Both are whole, and neither has an agent that is examined: nothing is usual.
    assert!(suite["runs"].as_array().unwrap().iter().all(|run| run["not_ranked"] == serde_json::json!([])));
    assert_eq!(suite["usual"], Value::Null);
    let oracle = &suite["runs"][0]["agents"][0];
    assert_eq!((&oracle["what"], &oracle["ranks"][0]), (&"oracle".into(), &"built-in agents have no rank".into()));
}

#[test]
fn the_board_is_sorted_filtered_and_read_with_hostile_names() {
    let folder = scratch("board-page");
    let Some(mut browser) = Browser::start(&folder, "board.html") else { return };
    let name = "a:b?c#d\"<e>'%\u{202e}";
    let long = format!("{HOSTILE}{}", "W".repeat(10_000));
    let runs = [
        played(&folder, "one", &["--agent", "noop", "--as", "oracle", "--as", "heuristic", "--as", &long]),
        played(&folder, name, &["--seed", "3"]),
    ];
    let page = folder.join("board.html");
    let labels = ["--label", HOSTILE, "--label", &long];
    succeeded(board(&[&runs[0], &runs[1]], &[&["--out", page.to_str().unwrap()][..], &labels].concat()));
    browser.open(&page, "");
    assert_eq!(browser.count("#board tbody th[scope=row]"), 5);
    assert_eq!(browser.count("main img, #board b"), 0);
    assert!(browser.text("#board").contains(HOSTILE));
    assert_eq!(browser.count("#trend-chart .dot"), 5);
    for width in [1400, 400] {
        browser.resize(width);
        assert!(browser.overhang() <= 0, "long names stretch the page at {width}");
    }
    browser.resize(1400);
    // Sorted by keys, filtered by a list, both kept in the address.
    browser.value("document.querySelector('[data-sort=sr]').focus()");
    browser.press(&["Enter"]);
    browser.until("location.hash === '#/?sort=-sr'");
    assert_eq!(browser.value("document.querySelector('#board [aria-sort]').getAttribute('aria-sort')"), "descending");
    browser.choose("agent", "heuristic");
    browser.until("document.querySelectorAll('#board tbody th[scope=row]').length === 2");
    assert_eq!(browser.text("#shown"), "2 of 5 rows");
    // What no column is called, and what every object has, sort nothing and stop nothing.
    browser.open(&page, "#/?sort=valueOf&by=constructor");
    browser.until("document.querySelectorAll('#board tbody th[scope=row]').length === 5");
    // A button keeps the focus when it is pressed, and a dot leads by keys to its run.
    browser.value("[...document.querySelectorAll('#by button')].at(1).focus()");
    browser.press(&["Enter"]);
    browser.until("location.hash.includes('by=') && document.activeElement.getAttribute('aria-pressed') === 'true'");
    browser.value("document.querySelector('#trend-chart .dot').focus()");
    browser.press(&["Enter"]);
    browser.until("location.hash.includes('run=')");
    browser.open(&page, "#/?by=variant&agent=oracle");
    browser.until("document.querySelectorAll('#board thead th').length === 10");
    // A number leads to its episodes, also into a folder whose name wants to be something else.
    let link = browser.value("[...document.querySelectorAll('#board td.num a')].at(-1).href");
    browser.value(&format!("location.href = {link}"));
    browser.until("document.querySelector('#list tbody tr')");
    assert_eq!(browser.text("#shown"), "4 of 56 episodes");
    browser.is_silent();
}
