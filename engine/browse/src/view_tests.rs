use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::app::Key;
use crate::sample::Sketch;
use probity_behaviour::benchmark::CARD;
use probity_bench::{EpisodeRecord, Wanted};

fn records() -> Vec<EpisodeRecord> {
    let failed = Sketch { agent: "noop", sr: Some(false), claims: (1, 2), findings: 2, ..Sketch::default() };
    [Sketch::default(), failed].iter().map(Sketch::record).collect()
}

fn told(records: &[EpisodeRecord]) -> Vec<(&EpisodeRecord, Option<&Wanted>)> {
    records.iter().map(|record| (record, None)).collect()
}

fn screen(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| render(app, frame)).unwrap();
    terminal.backend().to_string()
}

fn holds(screen: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(screen.contains(part), "no {part} in\n{screen}"));
}

#[test]
fn a_run_on_a_screen() {
    let records = records();
    let mut app = App::new(&CARD, &told(&records));
    let first = screen(&app, 100, 24);
    // What tells episodes apart stands first, and the scores above what happened.
    holds(&first, &["┌ 2 of 2 ", "│pass  ideal late_move oracle", "│fail  ideal late_move noop", "! finding  ? keys"]);
    holds(&first, &["│== oracle travel/front_desk/late_move ideal #0", "│sr pass; sr_base 1.00;"]);
    app.press(Key::Char('?'), page(24));
    holds(&screen(&app, 100, 24), &[" keys ", "pass!"]);
    app.press(Key::Escape, page(24));
    app.press(Key::Down, page(24));
    app.press(Key::Tab, page(24));
    app.press(Key::Down, page(24));
    "f/no".chars().for_each(|c| app.press(Key::Char(c), page(24)));
    let filtered = screen(&app, 100, 24);
    holds(&filtered, &["┌ 1 of 2, failed only ", "│fail  ideal late_move noop", " line 2 of ", "\"filter: no_"]);
    holds(&filtered, &["  step 2: repeated_call:"]);
}

#[test]
fn any_size_can_be_drawn() {
    let records = records();
    let app = App::new(&CARD, &told(&records));
    for (width, height) in [(1, 1), (2, 3), (5, 2), (300, 4), (20, 100)] {
        screen(&app, width, height);
    }
    screen(&App::new(&CARD, &[]), 40, 10);
}
