//! The terminal that a run is browsed in.

use std::io::IsTerminal;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read};

use super::app::{App, Key};
use super::view;
use probity::cli::exit::Exit;
use probity_bench::{Card, EpisodeRecord, Wanted};
use probity_local::Failure;

/// Browses episodes until the user leaves; the terminal is as before afterwards, also after a panic.
/// An error: there is no terminal, or it cannot be used.
pub fn browse(card: &'static Card, records: &[(&EpisodeRecord, Option<&Wanted>)]) -> Result<Exit, Failure> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::new("a run is browsed in a terminal", INSTEAD));
    }
    let browsed = ratatui::try_init().and_then(|mut terminal| {
        let mut app = App::new(card, records);
        while !app.is_done() {
            let area = terminal.draw(|frame| view::render(&app, frame))?.area;
            if let Some(key) = key_of(&read()?) {
                app.press(key, view::page(area.height));
            }
        }
        Ok(())
    });
    let restored = ratatui::try_restore();
    match browsed.and(restored) {
        Ok(()) => Ok(Exit::Clean),
        Err(error) => Err(Failure::new(format!("the terminal cannot be used: {error}"), INSTEAD)),
    }
}

const INSTEAD: &str = "`probity show RUNDIR` prints the episodes";

fn key_of(event: &Event) -> Option<Key> {
    let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event else { return None };
    if *kind == KeyEventKind::Release {
        return None;
    }
    Some(match code {
        KeyCode::Char('c') if modifiers.contains(KeyModifiers::CONTROL) => Key::Stop,
        KeyCode::Char(c) if !modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => Key::Char(*c),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Tab => Key::Tab,
        _ => return None,
    })
}
