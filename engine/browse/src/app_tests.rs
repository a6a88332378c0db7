use super::*;
use crate::sample::Sketch;
use probity_behaviour::benchmark::CARD;

fn records() -> Vec<EpisodeRecord> {
    let plain = Sketch::default();
    let failed = Sketch { agent: "noop", sr: Some(false), claims: (1, 2), findings: 2, ..Sketch::default() };
    let unreached = Sketch { agent: "chat", sr: None, ..Sketch::default() };
    let hostile =
        Sketch { agent: "exec", words: "a\u{1b}[31mb\u{202e}c".to_owned(), sr: Some(false), ..Sketch::default() };
    [plain, failed, unreached, hostile].iter().map(Sketch::record).collect()
}

fn told(records: &[EpisodeRecord]) -> Vec<(&EpisodeRecord, Option<&Wanted>)> {
    records.iter().map(|record| (record, None)).collect()
}

fn press(app: &mut App, keys: &str) {
    keys.chars().for_each(|c| app.press(Key::Char(c), 10));
}

fn titles(app: &App) -> Vec<String> {
    app.titles(0, 100)
        .map(|title| {
            title
                .split_whitespace()
                .enumerate()
                .filter_map(|(at, word)| [0, 3].contains(&at).then_some(word))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

#[test]
fn episodes_are_filtered_by_words_and_by_failure() {
    let records = records();
    let mut app = App::new(&CARD, &told(&records));
    assert_eq!(titles(&app), ["pass oracle", "fail noop", "none chat", "fail exec"]);
    press(&mut app, "f");
    assert_eq!((titles(&app), app.counts()), (vec!["fail noop".to_owned(), "fail exec".to_owned()], (2, 4)));
    press(&mut app, "f/EXEC late");
    assert_eq!((titles(&app), app.filter()), (vec!["fail exec".to_owned()], ("EXEC late", true)));
    app.press(Key::Backspace, 10);
    app.press(Key::Enter, 10);
    press(&mut app, "q");
    assert!(app.is_done());
    let mut app = App::new(&CARD, &told(&records));
    press(&mut app, "/nobody");
    assert_eq!((titles(&app).len(), app.text()), (0, "no episode is listed"));
    for key in [Key::Down, Key::End, Key::PageUp, Key::Tab] {
        app.press(key, 10);
    }
    app.press(Key::Escape, 10);
    assert_eq!((titles(&app).len(), app.filter(), app.is_done()), (4, ("", false), false));
}

#[test]
fn the_arrows_move_within_bounds_and_an_episode_opens_at_its_top() {
    let records = records();
    let mut app = App::new(&CARD, &told(&records));
    app.press(Key::Up, 10);
    assert_eq!(app.selected(), 0);
    app.press(Key::PageDown, 10);
    assert_eq!(app.selected(), 3);
    app.press(Key::Home, 10);
    app.press(Key::Tab, 10);
    app.press(Key::End, 10);
    assert_eq!(app.scrolled() + 1, app.text().lines().count());
    press(&mut app, "n");
    assert_eq!((app.selected(), app.scrolled(), app.side()), (1, 0, Pane::Episode));
    assert!(app.text().contains("== noop "), "{}", app.text());
    app.press(Key::Stop, 10);
    assert!(app.is_done());
}

#[test]
fn the_open_episode_stays_open_while_it_is_listed() {
    let records = records();
    let mut app = App::new(&CARD, &told(&records));
    app.press(Key::End, 10);
    press(&mut app, "f");
    assert_eq!((app.selected(), app.text().starts_with("== exec")), (1, true));
}

#[test]
fn findings_stand_on_top_and_are_a_key_away() {
    let records = records();
    let mut app = App::new(&CARD, &told(&records));
    press(&mut app, "n");
    let found = app.text().find("repeated_call").unwrap();
    assert!(found < app.text().find("\nuser ").unwrap(), "{}", app.text());
    press(&mut app, "!");
    let line = app.text().lines().nth(app.scrolled()).unwrap();
    assert!(line.starts_with("call 2 "), "{line}");
    press(&mut app, "?");
    assert!(app.help().unwrap().contains("pass!"));
    press(&mut app, "q");
    assert!(app.help().is_none() && !app.is_done());
}

#[test]
fn nothing_that_moves_a_terminal_is_shown() {
    let records = records();
    let mut app = App::new(&CARD, &told(&records));
    app.press(Key::End, 10);
    assert!(app.text().chars().all(|c| c == '\n' || !c.is_control()) && !app.text().contains('\u{202e}'));
}
