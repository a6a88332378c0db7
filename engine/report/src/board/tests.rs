//! Who is ranked on a board, and what it says of the others.

use serde_json::{Value, json};

use super::*;
use crate::aggregate::{Report, SuiteCounts};
use crate::sample::report as report_of;
use crate::sketch::Sketch;
use probity_behaviour::benchmark::CARD;
use probity_bench::{Aggregation, Card, Direction, EpisodeRecord, Header, Metric, RunConfig};

const HOSTILE: &str = "</script><script>alert(1)</script><!-- {{script}} \u{202e}gnp.exe \"'&";

fn config(agents: &[(&str, &str)], more: &Value) -> RunConfig {
    let agents: Vec<Value> = agents.iter().map(|(name, agent)| json!({"name": name, "agent": agent})).collect();
    let mut config = json!({
        "format": 2, "engine": "0.1.0", "suite": "behaviour", "agents": agents, "trials": 1, "seed": 0, "agent_timeout": 60,
        "inputs": {}, "selection": {"tasks": [], "levels": {}, "limit": null}, "limits": {"max_messages": 20}, "user": "scripted",
    });
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(config).unwrap()
}

/// So many passed of twenty tasks.
fn episodes(agent: &'static str, passed: usize) -> Vec<EpisodeRecord> {
    let sketch =
        |at: usize| Sketch { agent, task: format!("travel/desk/t{at}"), sr: Some(at < passed), ..Sketch::default() };
    (0..20).map(|at| sketch(at).record()).collect()
}

struct Draft(BoardDraft, usize);

impl Draft {
    fn new() -> Draft {
        Draft(BoardDraft::default(), 0)
    }

    fn name(&mut self, label: &str) -> RunName {
        self.1 += 1;
        RunName { number: self.1, label: label.to_owned(), path: format!("runs/{}", self.1) }
    }

    /// Each with a seed of its own: else runs alike would be copies.
    fn add(&mut self, label: &str, config: &RunConfig, records: &[EpisodeRecord], faults: &[&str]) {
        let config = RunConfig { seed: self.1 as u64, ..config.clone() };
        self.add_of(&CARD, label, &config, records, faults);
    }

    fn add_of(
        &mut self,
        card: &'static Card,
        label: &str,
        config: &RunConfig,
        records: &[EpisodeRecord],
        faults: &[&str],
    ) {
        let run = self.name(label);
        let headers: Vec<Header> = records.iter().map(|record| record.trace.header.clone()).collect();
        let report: Report = report_of(card, records, SuiteCounts { task_instances: 20, ..SuiteCounts::default() });
        let faults = faults.iter().map(|fault| (*fault).to_owned()).collect();
        let page = Some(format!("{}/report.html", run.number));
        let read = ReadRun { run, page, config, report: &report, faults };
        self.0.add(card, Conditions::with(config, headers.into_iter()), read);
    }

    /// A run of one model.
    fn plain(&mut self, label: &str, agent: &'static str, passed: usize) {
        self.add(label, &config(&[(agent, "openai:m")], &json!({})), &episodes(agent, passed), &[]);
    }
}

/// The card of these tests with another first metric.
fn card(first: impl FnOnce(&mut Metric)) -> &'static Card {
    let mut metrics = CARD.metrics.to_vec();
    first(&mut metrics[0]);
    Box::leak(Box::new(Card { metrics: Vec::leak(metrics), ..Card::clone(&CARD) }))
}

/// The place of an agent of a run by a metric.
fn place(board: &Board, run: usize, agent: usize, metric: usize) -> Option<usize> {
    board.suites[0].runs[run].agents[agent].ranks[metric].place()
}

/// Why it has none.
fn rankless(board: &Board, run: usize, agent: usize, metric: usize) -> &str {
    let Rank::No(why) = &board.suites[0].runs[run].agents[agent].ranks[metric] else { return "" };
    why
}

/// Why each run is not ranked.
fn reasons(board: &Board) -> Vec<Vec<String>> {
    board.suites[0].runs.iter().map(|run| run.not_ranked.clone()).collect()
}

fn mixed() -> Board {
    let mut draft = Draft::new();
    draft.plain("May", "good", 18);
    let tiers =
        [("fair", "openai:f"), ("oracle", "oracle"), ("slip", "fault:wrong_value"), ("silent", "cheat:nonsense")];
    let agents = [("fair", 17), ("oracle", 20), ("slip", 0), ("silent", 1)];
    let records: Vec<EpisodeRecord> = agents.iter().flat_map(|(agent, passed)| episodes(agent, *passed)).collect();
    draft.add("June", &config(&tiers, &json!({})), &records, &[]);
    draft.plain("July", "poor", 2);
    draft.add("August", &config(&[("wild", "exec:cat")], &json!({})), &episodes("wild", 20), &[]);
    let cut = ["the last line of episodes.jsonl is cut off"];
    draft.add("September", &config(&[("good", "openai:m")], &json!({})), &episodes("good", 19)[..18], &cut);
    draft.add("October", &config(&[("good", "openai:m")], &json!({"engine": "0.0.9"})), &episodes("good", 20), &[]);
    let lost = draft.name("November");
    draft.0.add_unread(lost, "`runs/7/run.json`: No such file or directory (os error 2)".to_owned());
    draft.0.board()
}

#[test]
fn the_ranked_stand_first_and_the_others_say_why_not() {
    insta::assert_snapshot!(mixed().text(200), @r"
    behaviour: 6 runs
    rank  agent                       run                          SR  Honesty (rules)  Discipline (rules)  scored  not scored
          examined agents
       1    good (openai:m)           #1 May        0.90 [0.75, 1.00]       not scored   1.00 [1.00, 1.00]      20           0
       1    fair (openai:f)           #2 June       0.85 [0.65, 1.00]       not scored   1.00 [1.00, 1.00]      20           0
       3    poor (openai:m)           #3 July       0.10 [0.00, 0.25]       not scored   1.00 [1.00, 1.00]      20           0
          not ranked
       -    wild (exec:cat)           #4 August     1.00 [1.00, 1.00]       not scored   1.00 [1.00, 1.00]      20           0
       -    good (openai:m)           #5 September  1.00 [1.00, 1.00]       not scored   1.00 [1.00, 1.00]      18           0
       -    good (openai:m)           #6 October    1.00 [1.00, 1.00]       not scored   1.00 [1.00, 1.00]      20           0
          built-in agents
       -    oracle                    #2 June       1.00 [1.00, 1.00]       not scored   1.00 [1.00, 1.00]      20           0
          planted faults
       -    slip (fault:wrong_value)  #2 June       0.00 [0.00, 0.00]       not scored   1.00 [1.00, 1.00]      20           0
          cheats
       -    silent (cheat:nonsense)   #2 June       0.05 [0.00, 0.15]       not scored   1.00 [1.00, 1.00]      20           0

    not ranked
      #5 September: the last line of episodes.jsonl is cut off
      #5 September: 2 task instances fewer than usual, first: travel/desk/t18 ideal
      #6 October: played by probity 0.0.9, not 0.1.0
      #4 August, wild: not isolated: the run does not say what agents in a process could reach

    Ranked are runs that were played as most were (3 of 6, the first is run 1): probity 0.1.0, 20 task instances, user scripted.
    Rank by SR: one more than there are ranked agents whose 95 % interval is wholly better, each by its last run; `probity compare` tells two of them apart better.

    (rules): found by rules, not by a language model; not the paper's judged quantity, so not comparable with it.

    no run that can be counted
      #7 November: `runs/7/run.json`: No such file or directory (os error 2)
    ");
}

#[test]
fn narrow_terminals_get_a_block_for_each_agent() {
    let text = mixed().text(60);
    insta::assert_snapshot!(text.split("\n\n").next().unwrap().lines().take(10).collect::<Vec<_>>().join("\n"), @r"
    behaviour: 6 runs
    examined agents
       1  good (openai:m), run #1 May
            SR                       0.90 [0.75, 1.00]
            Honesty (rules)          not scored
            Discipline (rules)       1.00 [1.00, 1.00]
       1  fair (openai:f), run #2 June
            SR                       0.85 [0.65, 1.00]
            Honesty (rules)          not scored
            Discipline (rules)       1.00 [1.00, 1.00]
    ");
}

#[test]
fn agents_that_nothing_tells_apart_share_a_rank() {
    let board = mixed();
    let rank = |run, agent| place(&board, run, agent, 0);
    assert_eq!([rank(0, 0), rank(1, 0), rank(2, 0)], [Some(1), Some(1), Some(3)]);
    // No rank for built-in agents, planted faults, cheats, nor where something is wrong.
    assert_eq!([rank(1, 1), rank(1, 2), rank(1, 3), rank(3, 0), rank(4, 0), rank(5, 0)], [None; 6]);
    // What is not scored has no rank, and no value.
    let claims = &board.suites[0].runs[0].agents[0];
    assert_eq!((claims.overall[1].value, claims.overall[1].n, rankless(&board, 0, 0, 1)), (None, 0, "not scored"));
    assert_eq!(serde_json::to_value(&claims.ranks).unwrap(), json!([1, "not scored", 1]));
    assert_eq!(rankless(&board, 1, 1, 0), "built-in agents have no rank");
    assert_eq!(rankless(&board, 4, 0, 0), "its run is not ranked");
    assert_eq!(serde_json::to_value(&claims.overall[1]).unwrap(), json!([null, 0, 20]));
}

#[test]
fn usual_is_what_most_sound_runs_have_and_of_as_many_the_first() {
    let few = |draft: &mut Draft, label| {
        draft.add(label, &config(&[("good", "openai:m")], &json!({})), &episodes("good", 9)[..12], &[]);
    };
    let mut draft = Draft::new();
    few(&mut draft, "one");
    draft.plain("two", "good", 9);
    let board = draft.0.board();
    assert_eq!(
        reasons(&board),
        [vec![], vec!["8 task instances more than usual, first: travel/desk/t12 ideal".to_owned()]]
    );
    let mut draft = Draft::new();
    few(&mut draft, "one");
    draft.plain("two", "good", 9);
    draft.plain("three", "good", 9);
    for _ in 0..3 {
        // However many are torn, they decide nothing.
        draft.add("torn", &config(&[("good", "openai:m")], &json!({})), &episodes("good", 9)[..12], &["torn"]);
    }
    let found = reasons(&draft.0.board());
    assert_eq!(found[0], ["8 task instances fewer than usual, first: travel/desk/t12 ideal"]);
    assert!(found[1].is_empty() && found[2].is_empty() && found[3].len() == 2, "{found:?}");
}

#[test]
fn each_other_condition_is_named() {
    let mut draft = Draft::new();
    draft.plain("one", "good", 9);
    let mut records = episodes("good", 9);
    let other = probity_engine::Hash::of_bytes(b"other");
    records[0].trace.header.environment_hash = other;
    records[1].trace.header.prompt = other;
    records[2].trace.header.prompt = other;
    records[3].trace.header.task_hash = other;
    records[4].trace.header.limits.max_messages = 3;
    draft.add("two", &config(&[("good", "openai:m")], &json!({"engine": "9"})), &records, &[]);
    assert_eq!(
        reasons(&draft.0.board())[1],
        [
            "played by probity 9, not 0.1.0",
            "another environment in 1 task instance, first: travel/desk/t0 ideal",
            "another prompt in 2 task instances, first: travel/desk/t1 ideal",
            "another version of the task in 1 task instance, first: travel/desk/t3 ideal",
            "other limits in 1 task instance, first: travel/desk/t4 ideal",
        ]
    );
}

#[test]
fn a_process_is_ranked_only_behind_a_barrier_and_a_recording_never() {
    let of = |agent: &str, isolation: Value| {
        let mut draft = Draft::new();
        draft.add("one", &config(&[("good", agent)], &json!({"isolation": isolation})), &episodes("good", 9), &[]);
        let board = draft.0.board();
        place(&board, 0, 0, 0).is_some()
    };
    assert!(of("openai:m", Value::Null) && of("exec:cat", json!({"barrier": "bubblewrap"})));
    assert!(!of("exec:cat", Value::Null) && !of("exec:cat", json!({"barrier": "none"})));
    assert!(!of("exec:cat", json!({"barrier": "bubblewrap", "dir": "/s", "suite": "/s/t"})));
    assert!(!of("replay:a#b", Value::Null));
}

#[test]
fn an_episode_whose_provider_was_away_keeps_its_agent_from_being_ranked() {
    let mut records = episodes("good", 20);
    records[7] = Sketch { agent: "good", task: "travel/desk/t7".to_owned(), sr: None, ..Sketch::default() }.record();
    let mut draft = Draft::new();
    draft.add("one", &config(&[("good", "openai:m")], &json!({})), &records, &[]);
    let board = draft.0.board();
    let agent = &board.suites[0].runs[0].agents[0];
    assert_eq!(agent.not_ranked, ["a provider could not be reached in 1 of 20 episodes"]);
    assert_eq!((place(&board, 0, 0, 0), agent.overall[0].n, agent.overall[0].not_scored), (None, 19, 1));
    assert!(board.suites[0].usual.is_none(), "a run with nobody to rank decides nothing");
}

#[test]
fn less_is_better_where_the_card_says_so() {
    let card = card(|metric| metric.direction = Direction::Down);
    let mut draft = Draft::new();
    for (seed, (agent, passed)) in [("good", 18), ("poor", 2)].into_iter().enumerate() {
        let config = config(&[(agent, "openai:m")], &json!({"seed": seed}));
        draft.add_of(card, agent, &config, &episodes(agent, passed), &[]);
    }
    let board = draft.0.board();
    assert_eq!((place(&board, 0, 0, 0), place(&board, 1, 0, 0)), (Some(2), Some(1)));
    let text = board.text(200);
    assert!(text.find("poor").unwrap() < text.find("good").unwrap(), "{text}");
}

#[test]
fn a_pooled_metric_has_neither_an_interval_nor_ranks() {
    let card = card(|metric| metric.aggregation = Aggregation::Pooled);
    let mut draft = Draft::new();
    draft.add_of(card, "one", &config(&[("good", "openai:m")], &json!({})), &episodes("good", 9), &[]);
    let board = draft.0.board();
    assert_eq!(rankless(&board, 0, 0, 0), "no interval: pooled over all episodes");
    let agent = &board.suites[0].runs[0].agents[0];
    assert_eq!((agent.overall[0].value, agent.overall[0].interval), (Some(0.45), None));
    assert!(agent.overall[2].interval.is_some() && place(&board, 0, 0, 2) == Some(1));
    assert!(board.text(200).contains("no rank by SR\n  #1 one, good: no interval: pooled"), "{}", board.text(200));
}

#[test]
fn an_agent_is_ranked_once_by_its_last_ranked_run() {
    let mut draft = Draft::new();
    draft.plain("May", "good", 18);
    draft.plain("June", "good", 17);
    draft.plain("July", "poor", 2);
    // The same name, and something else behind it.
    draft.add("August", &config(&[("good", "openai:n")], &json!({})), &episodes("good", 18), &[]);
    draft.add("September", &config(&[("good", "openai:m")], &json!({})), &episodes("good", 20), &["torn"]);
    let board = draft.0.board();
    assert_eq!(rankless(&board, 0, 0, 0), "ranked once, by its last run, which is run 2");
    assert_eq!([1, 2, 3].map(|run| place(&board, run, 0, 0)), [Some(1), Some(3), Some(1)]);
    assert_eq!(board.suites[0].runs[3].agents[0].what, "openai:n");
}

#[test]
fn a_metric_that_was_scored_in_fewer_tasks_than_elsewhere_gives_no_rank() {
    let claiming = |agent: &'static str, tasks: usize| -> Vec<EpisodeRecord> {
        let claims = |at: usize| if at < tasks { (1, 1) } else { (0, 0) };
        let sketch =
            |at: usize| Sketch { agent, task: format!("travel/desk/t{at}"), claims: claims(at), ..Sketch::default() };
        (0..20).map(|at| sketch(at).record()).collect()
    };
    let mut draft = Draft::new();
    draft.add("one", &config(&[("few", "openai:m")], &json!({})), &claiming("few", 3), &[]);
    draft.add("two", &config(&[("all", "openai:m")], &json!({})), &claiming("all", 20), &[]);
    let board = draft.0.board();
    assert_eq!(rankless(&board, 0, 0, 1), "scored in 3 of 20 episodes, in run 2 in 20 of 20");
    assert_eq!((place(&board, 0, 0, 0), place(&board, 1, 0, 1)), (Some(1), Some(1)));
}

#[test]
fn a_copy_is_counted_once_and_a_broken_one_stands_for_none() {
    let mut draft = Draft::new();
    let config = config(&[("good", "openai:m")], &json!({}));
    for faults in [&["torn"][..], &[], &[]] {
        draft.add_of(&CARD, "run", &config, &episodes("good", 9), faults);
    }
    let board = draft.0.board();
    assert_eq!(reasons(&board), [vec!["torn".to_owned()], vec![]]);
    assert_eq!((board.unread.len(), board.unread[0].why.as_str()), (1, "a copy of run 2, counted once"));
}

#[test]
fn runs_without_an_agent_to_rank_do_not_say_what_is_usual() {
    let mut draft = Draft::new();
    for _ in 0..2 {
        draft.add("few", &config(&[("oracle", "oracle")], &json!({})), &episodes("oracle", 9)[..12], &[]);
    }
    draft.plain("one", "good", 9);
    let board = draft.0.board();
    let usual = board.suites[0].usual.as_ref().unwrap();
    assert_eq!((usual.runs, usual.first, usual.task_instances), (1, 3, 20));
    assert_eq!(reasons(&board)[0], ["8 task instances fewer than usual, first: travel/desk/t12 ideal"]);
    assert_eq!(place(&board, 2, 0, 0), Some(1));
}

#[test]
fn a_process_with_another_time_for_a_message_is_not_ranked_and_the_model_beside_it_is() {
    let agents = [("good", "exec:cat"), ("fair", "openai:m")];
    let add = |draft: &mut Draft, seconds: u64, barrier: &str| {
        let more = json!({"isolation": {"barrier": barrier}, "agent_timeout": seconds});
        let records = [episodes("good", 9), episodes("fair", 9)].concat();
        draft.add("run", &config(&agents, &more), &records, &[]);
    };
    let mut draft = Draft::new();
    add(&mut draft, 60, "bubblewrap");
    add(&mut draft, 5, "bubblewrap");
    // What is behind no barrier spoils the agent in the process alone.
    add(&mut draft, 60, "none");
    let board = draft.0.board();
    let why = |run: usize| board.suites[0].runs[run].agents[0].not_ranked.clone();
    assert_eq!((place(&board, 0, 0, 0), why(1)), (Some(1), vec!["it had 5 s for a message, not 60 s".to_owned()]));
    assert!(why(2).len() == 1 && why(2)[0].starts_with("not isolated: "), "{:?}", why(2));
    assert_eq!(place(&board, 2, 1, 0), Some(1));
    assert_eq!(reasons(&board), vec![Vec::<String>::new(); 3]);
}

#[test]
fn names_cannot_break_out_of_the_page_nor_turn_it() {
    let page = |label: &str, path: &str| {
        let mut draft = Draft::new();
        draft.plain(label, "good", 9);
        draft.0.add_unread(RunName { number: 2, label: label.to_owned(), path: path.to_owned() }, path.to_owned());
        let mut out = Vec::new();
        draft.0.board().write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let (hostile, tame) = (page(HOSTILE, &format!("{HOSTILE}{}", "W".repeat(10_000))), page("a", "b"));
    for tag in ["<script", "</script", "<!--", "https:", "@import", " src=", "innerHTML", "\u{202e}"] {
        assert_eq!(hostile.matches(tag).count(), tame.matches(tag).count(), "{tag}");
    }
    let data = hostile.split_once("id=\"data-runs\">").unwrap().1.split_once("</script>").unwrap().0;
    assert_eq!(serde_json::from_str::<Value>(data).unwrap()["suites"][0]["runs"][0]["run"]["label"], HOSTILE);
    assert!(is_board(&hostile.as_bytes()[..HEAD_BYTES as usize]));
    assert!(!is_board(b"<!doctype html><title>probity report</title>"));
}
