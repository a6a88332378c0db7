//! What a report and a comparison tell of episodes: what was wanted, in words, the failed first; in a real browser.
//! Where no Chromium is found the tests say so on standard error and check nothing.

use serde_json::json;

use crate::support::browser::Browser;
use crate::support::{json, played, probity, scratch, succeeded};

const SOME: [&str; 4] = ["--task", "late_move", "--variant", "ideal"];

fn goal() -> String {
    let task =
        std::fs::read_to_string(crate::support::root().join("tasks/travel_hospitality/front_desk/late_move.json"));
    let line = task.unwrap().lines().find_map(|line| line.trim().strip_prefix("\"goal\": \"").map(str::to_owned));
    line.unwrap().trim_end_matches("\",").to_owned()
}

#[test]
fn an_episode_says_what_was_wanted_and_in_words_what_was_found() {
    let folder = scratch("pages-episode");
    let Some(mut browser) = Browser::start(&folder, "an episode") else { return };
    let run =
        played(&folder, "run", &[&SOME[..], &["--agent", "fault:wrong_value@mild", "--agent", "oracle"]].concat());
    browser.open(&run.join("report.html"), "#/?outcome=fail");
    browser.until("document.querySelector('#list td.task a')");
    browser.click("#list td.task a");
    browser.until("document.querySelector('#episode .goal')");
    assert_eq!(browser.text(".goal"), format!("Wanted: {}", goal()));
    assert!(browser.text(".paired summary").contains("of 8 not made"));
    // One value is another than the one wanted.
    assert_eq!((browser.count(".paired del"), browser.count(".paired ins")), (1, 1));
    let sections =
        browser.value("[...document.querySelectorAll('.sections-of summary')].map((title) => title.textContent)");
    for title in ["The rules that are checked", "What the agent was told", "The tools it had"] {
        assert!(sections.as_array().unwrap().contains(&json!(title)), "{sections}");
    }
    browser.click(".sections-of summary");
    browser.until("document.querySelectorAll('.sections-of .lines li').length > 2");
    let findings = browser.value("[...document.querySelectorAll('.scores .finding')].map((note) => note.textContent)");
    for finding in findings.as_array().unwrap().iter().map(|text| text.as_str().unwrap()) {
        assert!(!finding.contains('`') && !finding.contains('$') && !finding.contains("{\""), "{finding}");
    }
    assert!(browser.count(".scores .finding code") > 0);
    // The list that the wrong value was taken from is open, as a table.
    assert!(browser.count(".call .fold[open] .value table, .call .fold[open] .pairs") > 0);
    assert_eq!(browser.value("document.querySelector('.scores .panel h2').textContent.startsWith('Findings (')"), true);
    browser.is_silent();
}

#[test]
fn the_failed_stand_first_and_a_filter_is_in_sight() {
    let folder = scratch("pages-list");
    let Some(mut browser) = Browser::start(&folder, "a list") else { return };
    let agents = ["--agent", "oracle", "--agent", "fault:no_consent", "--agent", "fault:wrong_value", "--as", "oracle"];
    let names = ["--as", "hasty", "--as", "wrong", "--env", "travel_hospitality/front_desk"];
    let run = played(&folder, "run", &[&agents[..], &names].concat());
    let page = run.join("report.html");
    browser.open(&page, "");
    let marks = "[...document.querySelectorAll('#list tbody td.outcome .verdict')].map((mark) => mark.className)";
    let marks: Vec<String> = serde_json::from_value(browser.value(marks)).unwrap();
    let urgency = |mark: &String| {
        ["verdict fail", "verdict found", "verdict none", "verdict pass"].iter().position(|m| m == mark)
    };
    assert!(marks.iter().map(urgency).is_sorted() && marks.first().unwrap() == "verdict fail", "{marks:?}");
    // Paid without a yes: it passes, and not without a word.
    browser.open(&page, "#/?agent=hasty&outcome=pass_with_findings");
    browser.until("document.querySelectorAll('#list .verdict.found').length > 0");
    assert_eq!(browser.count("#list .verdict.pass, #list .verdict.fail"), 0);
    let in_sight = "(() => { const { top, bottom } = document.querySelector('#chosen').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })()";
    for width in [1400, 390] {
        browser.resize(width);
        browser.open(&page, "#/?agent=hasty&outcome=pass_with_findings");
        browser.until(in_sight);
        assert!(browser.overhang() <= 0);
    }
    browser.resize(1400);
    assert_eq!(browser.count("#chosen li"), 2);
    browser.click("#chosen button");
    browser.until("location.hash === '#/?outcome=pass_with_findings'");
    browser.open(&page, "");
    browser.click("#outcomes a");
    browser.until("location.hash === '#/?outcome=fail'");
    browser.until(in_sight);
    browser.is_silent();
}

#[test]
fn the_head_says_what_was_played_and_tables_fit() {
    let folder = scratch("pages-head");
    let Some(mut browser) = Browser::start(&folder, "a head") else { return };
    let agents = ["--agent", "oracle", "--agent", "fault:wrong_entity@mild", "--agent", "noop", "--trials", "2"];
    let run = played(&folder, "run", &[&agents[..], &["--env", "travel_hospitality/front_desk"]].concat());
    browser.open(&run.join("report.html"), "");
    let facts = browser.text("#facts");
    for fact in
        ["behaviour: ", "travel_hospitality/front_desk", "--agent fault:wrong_entity@mild", "--trials 2", "probity 0."]
    {
        assert!(facts.contains(fact), "{fact} is not in {facts}");
    }
    let overhang =
        "(() => { const box = document.querySelector('#agents'); return box.scrollWidth - box.clientWidth; })()";
    assert!(browser.value(overhang).as_i64().unwrap() <= 0, "the table of agents scrolls at 1400 px");
    assert_eq!(browser.count("#agents.wide"), 0);
    browser.resize(390);
    browser.until("document.querySelector('#agents.wide')");
    // What is the same in every task has no interval to speak of.
    let small = browser.text("#agents");
    assert!(!small.contains("1.00–1.00"), "{small}");
    assert_eq!(
        browser.value("[...document.querySelectorAll('#filters select')].every((list) => list.clientWidth > 100)"),
        true
    );
    browser.is_silent();
}

#[test]
fn a_comparison_opens_where_it_changed_and_shows_both_sides() {
    let folder = scratch("pages-compare");
    let Some(mut browser) = Browser::start(&folder, "a comparison") else { return };
    let some = [&SOME[..], &["--trials", "2", "--as", "desk", "--agent"]].concat();
    let base = played(&folder, "base", &[&some[..], &["oracle"]].concat());
    let new = played(&folder, "new", &[&some[..], &["fault:no_consent"]].concat());
    let page = folder.join("comparison.html");
    let [base, new, out] = [&base, &new, &page].map(|path| path.to_str().unwrap());
    let output = succeeded(probity(&["compare", base, new, "--json", "--html", out]));
    let told = json(&output);
    let changed = told["comparisons"][0]["comparison"]["episodes"].as_array().unwrap();
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[0]["first_difference"]["path"], "/type", "a reply and a call have no path in common");
    browser.open(&page, "");
    let facts = browser.text("#facts");
    assert!(facts.contains("base") && facts.contains("--agent fault:no_consent --as desk"), "{facts}");
    assert_eq!(browser.text("#quantity button[aria-pressed=true]"), "Discipline (rules)");
    let numbers = "[...document.querySelectorAll('#metrics-table tbody tr')].map((row) => [...row.querySelectorAll('.num')].slice(0, 2).map((cell) => cell.textContent).join(' '))";
    assert!(!browser.value(numbers).as_array().unwrap().contains(&json!("– –")));
    // Two trials that came out alike stand once.
    assert_eq!((browser.count("#list details.changed"), browser.text("#shown")), (1, "2 episodes".to_owned()));
    browser.click("#list summary");
    browser.until("document.querySelector('#list .whole .sides .call')");
    assert_eq!(browser.text("#list .goal"), format!("Wanted: {}", goal()));
    browser.click("#list .whole > .fold > summary");
    browser.until("document.querySelectorAll('#list .whole > .fold .side .end').length === 2");
    browser.resize(390);
    assert!(browser.overhang() <= 0);
    browser.is_silent();
}
