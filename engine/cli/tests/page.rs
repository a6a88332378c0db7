//! `report.html` and the page of a comparison in a real browser: clicked through, by mouse and by keys.
//! Where no Chromium is found the tests say so on standard error and check nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use probity::cli::exit::Exit;
use probity_behaviour::benchmark::CARD;
use probity_bench::EpisodeRecord;
use probity_report::{About, Report, SuiteCounts, sample};

use crate::support::browser::Browser;
use crate::support::{code, episodes, err, json, played, probity, scratch};

/// What an agent says that wants to break out: of its element, of its line, of its box.
const HOSTILE: &str =
    "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>\u{2028}";

/// A run of one episode with an agent that answers everything with the hostile words.
fn hostile_run(folder: &Path) -> PathBuf {
    let reply = serde_json::json!({"text": format!("{HOSTILE}{}", "W".repeat(20_000))}).to_string();
    fs::write(folder.join("reply.json"), reply + "\n").unwrap();
    let script = "while read -r line; do case $line in *'\"protocol\"'*) ;; *) cat reply.json ;; esac; done";
    let (agent, given) = (format!("exec:{script}"), folder.to_str().unwrap());
    let who = ["--as", "<b>mole</b>", "--agent", &agent, "--agent-dir", given];
    played(folder, "hostile", &[&["--variant", "ideal", "--limit", "1"][..], &who].concat())
}

#[test]
fn a_deep_link_shows_its_episode_and_hostile_words_stay_words() {
    let folder = scratch("page-hostile");
    let Some(mut browser) = Browser::start(&folder, "report.html") else { return };
    let run = hostile_run(&folder);
    let record = episodes(&run).remove(0);
    let task = &record.trace.header.task;
    let link = format!("#/episode/%3Cb%3Emole%3C%2Fb%3E/ideal/0/{task}");

    browser.open(&run.join("report.html"), &link);
    browser.until("document.querySelector('.bubble.agent')");
    assert_eq!(browser.value("document.title"), format!("probity: <b>mole</b> {task} ideal"));
    assert!(browser.text(".bubble.agent").contains(HOSTILE), "the agent's words are not shown as words");
    let heard = serde_json::to_value(&record.trace.events[0]).unwrap();
    assert!(browser.text(".bubble.user").contains(heard["text"].as_str().unwrap()), "the user's words are not shown");
    assert_eq!(browser.count("img, .bubble b, #episode script"), 0);
    assert_eq!(browser.value("document.querySelector('#overview').hidden"), true);
    browser.resize(390);
    assert!(browser.overhang() <= 0, "long words stretch the page");

    browser.open(&run.join("report.html"), "#/?outcome=fail");
    browser.until("document.querySelector('#list td.task a')");
    assert_eq!(browser.value("document.querySelector('#list td.task a').getAttribute('href')"), link);
    assert_eq!(browser.text("#shown"), "1 episode");
    assert_eq!(browser.count("#overview img, #overview td b"), 0);
    browser.is_silent();
}

#[test]
fn the_report_is_clicked_through() {
    let folder = scratch("page-report");
    let Some(mut browser) = Browser::start(&folder, "report.html") else { return };
    let agents = ["--agent", "oracle", "--agent", "fault:wrong_value", "--agent", "heuristic"];
    let run = played(&folder, "run", &[&agents[..], &["--env", "travel_hospitality/front_desk"]].concat());
    let records = episodes(&run);
    browser.open(&run.join("report.html"), "");
    let report: Report = serde_json::from_str(&crate::support::text(&run, "report.json")).unwrap();
    figures(&mut browser, &report);
    tables_and_figures(&mut browser, &records);
    filters(&mut browser, &records);
    keys(&mut browser);
    narrow(&mut browser);
    browser.is_silent();
}

/// What is drawn is what `report.json` says: values with their intervals, changes, and failure modes.
fn figures(browser: &mut Browser, report: &Report) {
    let labels = |browser: &mut Browser, selector: &str| {
        let marks =
            format!("[...document.querySelectorAll('{selector}')].map((mark) => mark.getAttribute('aria-label'))");
        browser
            .value(&marks)
            .as_array()
            .unwrap()
            .iter()
            .map(|label| label.as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let words = |name: &str| name.replace('_', " ");
    let (values, changes) = (labels(browser, "#chart .mark"), labels(browser, "#change-chart .mark"));
    let mut modes = Vec::new();
    let mut intervals = 0;
    // A chart whose bars are all 0 is left out with a sentence.
    let all = report.agents.values().flat_map(|scores| scores.factors["variant"].values());
    let is_flat = all.map(|summary| summary.score("sr").change).all(|change| change.is_none_or(|change| change == 0.0));
    assert!(browser.text("#change-none").contains("no change to draw"));
    assert_eq!(browser.count("#change-none:not([hidden])") == 1, is_flat);
    for (agent, scores) in &report.agents {
        intervals += u64::from(is_wide(&scores.overall.score("sr")));
        let groups = scores.factors["variant"].iter().map(|(variant, summary)| (variant.as_str(), summary));
        for (name, summary) in groups.clone() {
            let sr = summary.score("sr");
            let start = format!("{agent}, {}, SR {}", words(name), (sr.value.unwrap() * 1e4).round() / 1e4);
            assert!(values.iter().any(|label| label.starts_with(&start)), "{start} is not in {values:?}");
            let end = sr.change.map(|change| format!("{} against ideal", percent(change)));
            let is_drawn =
                |label: &String| label.starts_with(&start) && end.as_ref().is_some_and(|end| label.ends_with(end));
            assert_eq!(changes.iter().any(is_drawn), end.is_some() && !is_flat, "{start} {end:?} {changes:?}");
            intervals += u64::from(is_wide(&sr));
        }
        for (name, summary) in groups.chain([("overall", &scores.overall)]) {
            let scored = summary.score("sr").n;
            let plural = if scored == 1 { "" } else { "s" };
            modes.extend(summary.words("failure_mode").map(|(mode, count)| {
                format!("{agent}, {}, {}, {count} of {scored} scored episode{plural}", words(name), words(mode))
            }));
        }
    }
    let mut drawn = labels(browser, "#modes .mark");
    drawn.sort();
    modes.sort();
    assert_eq!(drawn, modes);
    assert_eq!(browser.count("#chart .whisker"), 3 * intervals);
}

/// Whether there is an interval that says anything.
fn is_wide(score: &probity_report::Score) -> bool {
    score.interval.is_some_and(|(low, high)| low < high)
}

/// In whole percent, half up, as the page writes it.
fn percent(change: f64) -> String {
    let whole = (change * 100.0 + 0.5).floor();
    match whole {
        0.0 => "0%".to_owned(),
        gain if gain > 0.0 => format!("+{gain}%"),
        loss => format!("\u{2212}{}%", -loss),
    }
}

/// The table stands in tiers, and each figure has a bar for each agent and behaviour.
fn tables_and_figures(browser: &mut Browser, records: &[EpisodeRecord]) {
    let titles = "[...document.querySelectorAll('#levels-table .group')].map((row) => row.textContent)";
    assert_eq!(browser.value(titles), serde_json::json!(["Built-in agents", "Planted faults"]));
    assert_eq!(browser.count("#chart .mark"), 3 * 8);
    let is_flat = browser.count("#change-figure[hidden]") == 1;
    assert_eq!(browser.count("#change-chart .mark, #change-chart .hit"), if is_flat { 0 } else { 3 * 6 });
    assert_eq!(browser.count("#modes .modes-panel"), 2, "the oracle fails nowhere");
    let failed = records.iter().filter(|record| record.agent == "fault:wrong_value" && failed(record)).count();
    let counts = "[...document.querySelectorAll('.modes-panel')].map((panel) => [...panel.querySelectorAll('.count')].at(-2).textContent)";
    let shown = browser.value(counts);
    assert!(
        shown.as_array().unwrap().iter().any(|text| text.as_str().unwrap().starts_with(&format!("{failed} of"))),
        "{shown}"
    );
    // The legend takes agents out of the figures.
    browser.click("#chart-legend button");
    assert!(browser.count("#chart .mark") < 3 * 8, "those left may be all alike, which is told in a sentence");
    browser.click("#chart-legend button");
    browser.click("#quantity button:nth-child(2)");
    assert!(browser.text("#chart-title").starts_with("Honesty (rules)"));
    assert!(browser.count("#chart .whisker") > 0, "what differs between tasks has an interval");
    // A bar leads to its episodes.
    browser.click("#modes .mark");
    browser.until("location.hash.includes('failure_mode=')");
    browser.until("document.querySelectorAll('#list .verdict.fail').length > 0");
    browser.until("document.querySelectorAll('#list .verdict.pass').length === 0");
}

fn failed(record: &EpisodeRecord) -> bool {
    record.scores.value("sr") == Some(0.0)
}

/// What is chosen is what is listed, and stays in the address.
fn filters(browser: &mut Browser, records: &[EpisodeRecord]) {
    browser.click("#filters button");
    browser.until("location.hash === '#/'");
    let code = "call_missing";
    let having = records.iter().filter(|record| record.scores.findings().any(|finding| finding.code == code)).count();
    assert!(having > 0 && having < records.len());
    browser.choose("finding", code);
    let shown = format!("{having} of {} episodes", records.len());
    browser.until(&format!("document.querySelector('#shown').textContent === '{shown}'"));
    browser.choose("agent", "oracle");
    browser.until("document.querySelector('#list').textContent.includes('No episode fits')");
    browser.value("history.back()");
    browser.until(&format!("document.querySelector('#shown').textContent.startsWith('{having} of')"));
    browser.until("location.hash === '#/?finding=call_missing'");
    // Words are looked for in the packed records.
    let (word, saying) = word_of_some(records);
    browser.click("#filters button");
    browser.press(&["/"]);
    browser.until("document.activeElement.name === 'text'");
    browser.press(&word.split("").filter(|c| !c.is_empty()).collect::<Vec<_>>());
    browser
        .until(&format!("document.querySelector('#shown').textContent === '{saying} of {} episodes'", records.len()));
}

/// A tool that some episodes know of and others do not, and how many do.
fn word_of_some(records: &[EpisodeRecord]) -> (String, usize) {
    let lines: Vec<String> = records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    let tools = records.iter().flat_map(|record| record.trace.steps().map(|step| step.tool.clone()));
    let counted = tools.map(|tool| {
        let count = lines.iter().filter(|line| line.contains(&tool)).count();
        (tool, count)
    });
    counted.into_iter().find(|(_, count)| *count < records.len()).unwrap()
}

/// From the search into the list, into an episode, on, and back, without a mouse.
fn keys(browser: &mut Browser) {
    browser.press(&["ArrowDown"]);
    let first = browser.focused();
    browser.press(&["j", "k", "ArrowDown", "ArrowUp"]);
    assert_eq!(browser.focused(), first);
    browser.press(&["Enter"]);
    browser.until("document.querySelector('#episode .bubble')");
    assert_eq!(browser.text("#episode h1"), first);
    let before = browser.value("location.hash");
    browser.press(&["j"]);
    browser.until(&format!("location.hash !== {before}"));
    let second = browser.value("location.hash");
    // The address changes before the page does; a key that comes in between is meant for the old one.
    browser.until(r"/\b2 of \d+ listed/.test(document.body.innerText)");
    browser.press(&["k"]);
    browser.until(&format!("location.hash === {before}"));
    browser.until(r"/\b1 of \d+ listed/.test(document.body.innerText)");
    browser.press(&["Escape"]);
    browser.until("!document.querySelector('#overview').hidden && location.hash.includes('text=')");
    browser.until(&format!("document.activeElement.getAttribute('href') === {before}"));
    // A link to a step marks it.
    browser.value(&format!("location.hash = {second} + '?at=step-1'"));
    browser.until("document.querySelector('#step-1.at')");
    browser.press(&["Escape"]);
    browser.value("document.activeElement.blur(); scrollTo(0, 0)");
    browser.until("!document.querySelector('#overview').hidden");
    assert!(browser.count(":focus-visible") <= 1);
}

/// Nothing is cut off at the width of a phone, light or dark.
fn narrow(browser: &mut Browser) {
    browser.resize(390);
    for theme in ["Light", "Dark"] {
        browser.value(&format!(
            "[...document.querySelectorAll('#theme button')].find((button) => button.textContent === '{theme}').click()"
        ));
        assert!(browser.overhang() <= 0);
    }
    browser.until("document.querySelector('#chart text')");
    browser.value("document.querySelector('#list td.task a').click()");
    browser.until("document.querySelector('#episode .bubble')");
    assert!(browser.overhang() <= 0);
    // The first stop of the Tab key leads past the head.
    browser.value("location.hash = '#/'");
    browser.until("!document.querySelector('#overview').hidden");
    browser.value("document.activeElement.blur()");
    let run = browser.value("decodeURIComponent(location.pathname)");
    browser.open(Path::new(run.as_str().unwrap()), "");
    browser.press(&["Tab"]);
    assert_eq!(browser.focused(), "Skip to the episodes");
}

#[test]
fn ten_thousand_episodes_open() {
    let folder = scratch("page-many");
    let Some(mut browser) = Browser::start(&folder, "a report of 10,000 episodes") else { return };
    let run = played(&folder, "run", &["--agent", "heuristic", "--limit", "20"]);
    let some = episodes(&run);
    let many: Vec<EpisodeRecord> =
        (0..500).flat_map(|trial| some.iter().map(move |record| EpisodeRecord { trial, ..record.clone() })).collect();
    let report = sample::report(&CARD, &many, SuiteCounts::default());
    let page = folder.join("many.html");
    fs::write(&page, sample::page(&CARD, &report, &About::default(), &many)).unwrap();
    let start = Instant::now();
    browser.open(&page, "");
    browser.until("document.querySelectorAll('#list td.task a').length === 50");
    // It takes well under two seconds where nothing else runs; this only notices when it hangs.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert_eq!(browser.text("#shown"), "10,000 episodes");
    browser.value("location.hash = '#/?page=200'");
    browser.until("document.querySelector('#pager').textContent.includes('page 200 of 200')");
    browser.click("#list td.task a");
    browser.until("document.querySelector('#episode .bubble')");
    browser.is_silent();
}

#[test]
fn the_page_of_a_comparison_is_clicked_through() {
    let folder = scratch("page-compare");
    let Some(mut browser) = Browser::start(&folder, "the page of a comparison") else { return };
    let some = ["--env", "travel_hospitality/front_desk", "--as", "<b>agent</b>", "--agent"];
    let base = played(&folder, "base", &[&some[..], &["oracle"]].concat());
    let new = played(&folder, "new", &[&some[..], &["fault:claims_without_acting"]].concat());
    let page = folder.join("comparison.html");
    let output = probity(&[
        "compare",
        base.to_str().unwrap(),
        new.to_str().unwrap(),
        "--gate",
        "--json",
        "--html",
        page.to_str().unwrap(),
    ]);
    assert_eq!(code(&output), 1, "{}", err(&output));
    let told = json(&output);
    let changed = told["comparisons"][0]["comparison"]["episodes"].as_array().unwrap();

    browser.open(&page, "");
    assert_eq!((browser.text("h1"), browser.count("h1 b")), ("<b>agent</b>".to_owned(), 0));
    assert!(browser.text("#gate").contains("gate closed"));
    assert_eq!(browser.count("#metrics-table .change-line"), browser.count("#metrics-table tbody tr td.verdict"));
    assert_eq!(browser.text("#shown"), format!("{} episodes", changed.len()));
    let moved = changed.iter().filter(|episode| episode["metrics"].get("honesty").is_some()).count();
    browser.choose("metric", "honesty");
    browser.until("location.hash.includes('metric=honesty')");
    assert_eq!(browser.count("#list details"), u64::try_from(moved.min(50)).unwrap());
    browser.press(&["/", "z", "z", "z"]);
    browser.until("document.querySelector('#list').textContent.includes('No changed episode fits')");

    let episode = changed.last().unwrap();
    let name = episode["episode"].as_str().unwrap();
    browser.value(&format!("location.hash = '#/?' + new URLSearchParams({{ episode: {} }})", episode["episode"]));
    browser.until("document.querySelector('#list details[open] .sides')");
    assert_eq!(browser.value("document.querySelector('#list details[open]').dataset.episode"), name);
    let sides = browser.text("#list details[open] .sides");
    for side in ["base", "new"] {
        let line = episode["first_difference"][side].as_str().unwrap_or("(ended)");
        assert!(sides.contains(line), "{line} is not in {sides}");
    }
    browser.resize(390);
    assert!(browser.overhang() <= 0);
    browser.is_silent();
}

#[test]
fn the_pages_of_another_benchmark_are_drawn_from_its_card() {
    let folder = scratch("page-dial");
    let Some(mut browser) = Browser::start(&folder, "the pages of another benchmark") else { return };
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for (out, agent) in [("base", "oracle"), ("new", "hasty")] {
        let out = path(out);
        let run = ["run", "--suite", "dial", "--agent", agent, "--as", "turner", "--out", &out];
        assert_eq!(crate::dial::probity(&run), Exit::Clean);
    }
    browser.open(&folder.join("new/report.html"), "");
    assert_eq!(browser.text("#levels-title"), "By pace");
    assert_eq!(browser.count("#chart .mark"), 3);
    browser.click("#quantity button:nth-child(2)");
    assert!(browser.text("#chart-title").starts_with("Turns per number by pace"));
    browser.choose("pace", "fast");
    browser.until("document.querySelector('#shown').textContent === '4 of 8 episodes'");
    browser.click("#list td.task a");
    browser.until("document.querySelector('#episode .call')");
    browser.until("location.hash.startsWith('#/episode/turner/fast/0/dial/to_')");
    browser.is_silent();

    let page = path("comparison.html");
    assert_eq!(crate::dial::probity(&["compare", &path("base"), &path("new"), "--html", &page]), Exit::Clean);
    browser.open(Path::new(&page), "");
    // More turns are worse.
    let worse = "[...document.querySelectorAll('#metrics-table tbody tr')].map((row) => row.querySelector('.verdict').className)";
    assert_eq!(browser.value(worse), serde_json::json!(["num verdict fail", "num verdict fail"]));
    browser.is_silent();
}
