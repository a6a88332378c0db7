//! The browser on a screen: a list on the left, an episode on the right, the keys below.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::app::{App, Pane};

/// Lines of an episode that are laid out at once: more than any screen has.
const MAX_SHOWN: usize = 1000;

pub fn render(app: &App, frame: &mut Frame) {
    let [main, footer] = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(frame.area());
    let [left, right] = Layout::horizontal([Constraint::Percentage(40), Constraint::Percentage(60)]).areas(main);
    render_list(app, frame, left);
    match app.help() {
        Some(help) => frame.render_widget(Paragraph::new(help).block(block(" keys ".to_owned(), true)), right),
        None => render_episode(app, frame, right),
    }
    frame.render_widget(Paragraph::new(keys(app)), footer);
}

/// How many lines a page of a screen of this height has.
pub fn page(height: u16) -> usize {
    usize::from(height.saturating_sub(4).max(1))
}

fn block(title: String, is_active: bool) -> Block<'static> {
    let style = if is_active { Style::new().fg(Color::Cyan) } else { Style::new() };
    Block::bordered().title(title).border_style(style)
}

fn render_list(app: &App, frame: &mut Frame, area: Rect) {
    let height = usize::from(area.height.saturating_sub(2));
    // The open episode stays in sight.
    let first = (app.selected() + 1).saturating_sub(height);
    let (listed, all) = app.counts();
    let failed = if app.is_failed_only() { ", failed only" } else { "" };
    let title = format!(" {listed} of {all}{failed} ");
    let line = |(row, title): (usize, &str)| match first + row == app.selected() {
        true => Line::from(title.to_owned()).style(Style::new().add_modifier(Modifier::REVERSED)),
        false => Line::from(title.to_owned()).style(colour(title)),
    };
    let lines: Vec<Line> = app.titles(first, height).enumerate().map(line).collect();
    frame.render_widget(Paragraph::new(lines).block(block(title, app.side() == Pane::List)), area);
}

fn render_episode(app: &App, frame: &mut Frame, area: Rect) {
    let lines = app.text().lines().skip(app.scrolled()).take(MAX_SHOWN);
    let lines: Vec<Line> = lines.map(|line| Line::from(line.to_owned()).style(colour(line))).collect();
    let title = format!(" line {} of {} ", app.scrolled() + 1, app.text().lines().count());
    let episode = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(episode.block(block(title, app.side() == Pane::Episode)), area);
}

fn colour(line: &str) -> Style {
    let first = line.split(' ').next().unwrap_or_default();
    match first {
        "!" | "fail" => Style::new().fg(Color::Red),
        "pass!" => Style::new().fg(Color::Magenta),
        "pass" => Style::new().fg(Color::Green),
        "user" => Style::new().fg(Color::Yellow),
        "call" => Style::new().fg(Color::Cyan),
        _ => Style::new(),
    }
}

fn keys(app: &App) -> String {
    match app.filter() {
        (typed, true) => format!("filter: {typed}_   Enter keeps it, Esc clears it"),
        ("", false) => {
            "q quit  arrows move  Tab other side  n/p next, previous  / filter  f failed only  ! finding  ? keys"
                .to_owned()
        }
        (typed, false) => format!("q quit  arrows move  Tab other side  / filter ({typed})  f failed only  ? keys"),
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
