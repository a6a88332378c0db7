//! What the browser of a run knows: which episodes are listed, which is open, what is typed.

use std::cell::OnceCell;

use probity_bench::render::{Length, render_event};
use probity_bench::{Card, EpisodeOutcome, EpisodeRecord, Event, Finding, Wanted};
use probity_engine::plain::{plain, plain_lines};
use probity_report::transcript::{Beyond, events, head, scores, shown};

/// Longest filter, in characters.
const MAX_FILTER: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Enter,
    Escape,
    Backspace,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// To the other side.
    Tab,
    /// Ctrl-C.
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    List,
    Episode,
}

struct Entry<'a> {
    record: &'a EpisodeRecord,
    wanted: Option<&'a Wanted>,
    outcome: EpisodeOutcome,
    title: String,
    text: OnceCell<String>,
}

impl Entry<'_> {
    /// What was wanted, what was found, then what happened.
    fn text(&self, card: &Card) -> &str {
        let head = || format!("{}{}\n", head(self.record, self.wanted), scores(card, self.record, &Beyond::default()));
        self.text.get_or_init(|| plain_lines(&format!("{}{}", head(), events(card, self.record, Length::Short))))
    }

    /// The line of the text at which the first finding that points somewhere stands.
    fn first_finding(&self, card: &Card) -> Option<usize> {
        let happened = events(card, self.record, Length::Short).lines().count();
        let top = self.text(card).lines().count().saturating_sub(happened);
        let placed = card.findings(&self.record.scores).filter_map(|finding| self.place(finding));
        placed.min().map(|line| top + line)
    }

    /// The line of the events at which a finding stands.
    fn place(&self, finding: &Finding) -> Option<usize> {
        let is_there = |event: &&Event| match event {
            Event::Step(step) => finding.step == Some(step.step),
            Event::Reply { message, .. } => finding.step.is_none() && finding.message == Some(*message),
            Event::User { .. } | Event::Finding(_) | Event::Note(_) | Event::End { .. } => false,
        };
        let events = &self.record.trace.events;
        let at = events.iter().position(|event| is_there(&event))?;
        let mut before = String::new();
        events.iter().take(at).for_each(|event| render_event(event, &[], &mut before));
        Some(before.lines().count())
    }
}

const HELP: &str = "\
keys
  up, down, j, k     one line or episode up or down, in the side that is framed in colour
  page up, page down, space
  home, end          first, last
  Tab, Enter         the other side
  n, p               next, previous episode
  !                  the first finding of the open episode
  f                  failed episodes only
  /                  filter by words: outcome, agent, task, behaviour
  ?                  these keys
  q, Esc             leave

marks
  fail               it did not succeed
  pass!              it succeeded, with findings
  pass               it succeeded, and nothing was found
  none               it was not scored
";

/// The browser's state; only keys change it.
pub struct App<'a> {
    card: &'static Card,
    entries: Vec<Entry<'a>>,
    listed: Vec<usize>,
    selected: usize,
    scrolled: usize,
    filter: String,
    is_typing: bool,
    is_failed_only: bool,
    is_help: bool,
    side: Pane,
    is_done: bool,
}

impl<'a> App<'a> {
    /// A browser of these episodes, each with what was wanted of it.
    pub fn new(card: &'static Card, records: &[(&'a EpisodeRecord, Option<&'a Wanted>)]) -> Self {
        // What all have in common says nothing: a list is narrow.
        let first = records.first().map(|(record, _)| *record);
        let is_same = |of: &dyn Fn(&EpisodeRecord) -> String| {
            first.is_some_and(|first| records.iter().all(|(record, _)| of(record) == of(first)))
        };
        let one_agent = is_same(&|record| record.agent.clone());
        let one_trial = is_same(&|record| record.trial.to_string());
        let entry = |(record, wanted): &(&'a EpisodeRecord, Option<&'a Wanted>)| {
            let header = &record.trace.header;
            let (place, task) = header.task.rsplit_once('/').unwrap_or(("", &header.task));
            let outcome = card.outcome(&record.scores);
            let mut title = format!("{:<5} {} {task}", mark(card, record, outcome), header.levels);
            title.extend((!one_agent).then(|| format!(" {}", record.agent)));
            title.extend((!one_trial).then(|| format!(" #{}", record.trial)));
            let title = plain(&format!("{title}  {place}"));
            Entry { record, wanted: *wanted, outcome, title, text: OnceCell::new() }
        };
        App {
            card,
            entries: records.iter().map(entry).collect(),
            listed: (0..records.len()).collect(),
            selected: 0,
            scrolled: 0,
            filter: String::new(),
            is_typing: false,
            is_failed_only: false,
            is_help: false,
            side: Pane::List,
            is_done: false,
        }
    }

    /// Takes a key; `page` is how many lines a page has.
    pub fn press(&mut self, key: Key, page: usize) {
        match (key, self.is_typing) {
            (Key::Stop, _) => self.is_done = true,
            (_, false) if self.is_help => self.is_help = false,
            (key, true) => self.type_filter(key),
            (Key::Escape, false) if !self.filter.is_empty() => self.type_filter(key),
            (Key::Char('q') | Key::Escape, false) => self.is_done = true,
            (Key::Char('/'), false) => self.is_typing = true,
            (Key::Char('f'), false) => {
                self.is_failed_only = !self.is_failed_only;
                self.list();
            }
            (Key::Char('?'), false) => self.is_help = true,
            (Key::Char('!'), false) => self.jump_to_finding(),
            (Key::Char('n'), false) => self.step(Pane::List, 1),
            (Key::Char('p'), false) => self.step(Pane::List, -1),
            (Key::Tab | Key::Enter, false) => {
                self.side = if self.side == Pane::List { Pane::Episode } else { Pane::List };
            }
            (Key::Up | Key::Char('k'), false) => self.step(self.side, -1),
            (Key::Down | Key::Char('j'), false) => self.step(self.side, 1),
            (Key::PageUp, false) => self.step(self.side, -signed(page)),
            (Key::PageDown | Key::Char(' '), false) => self.step(self.side, signed(page)),
            (Key::Home, false) => self.step(self.side, isize::MIN),
            (Key::End, false) => self.step(self.side, isize::MAX),
            (Key::Char(_) | Key::Backspace, false) => {}
        }
    }

    fn type_filter(&mut self, key: Key) {
        match key {
            Key::Enter | Key::Tab => self.is_typing = false,
            Key::Escape => {
                self.is_typing = false;
                self.filter.clear();
            }
            Key::Backspace => drop(self.filter.pop()),
            Key::Char(c) if !c.is_control() && self.filter.chars().count() < MAX_FILTER => self.filter.push(c),
            _ => {}
        }
        self.list();
    }

    /// Lists what the filter means; the open episode stays open where it is still listed.
    fn list(&mut self) {
        let open = self.listed.get(self.selected).copied();
        let wanted: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let is_listed = |entry: &Entry| {
            let title = entry.title.to_lowercase();
            let has_failed = entry.outcome == EpisodeOutcome::Fail;
            (has_failed || !self.is_failed_only) && wanted.iter().all(|word| title.contains(word.as_str()))
        };
        let entries = self.entries.iter().enumerate();
        self.listed = entries.filter(|(_, entry)| is_listed(entry)).map(|(index, _)| index).collect();
        let same = self.listed.iter().position(|index| Some(*index) == open);
        if same.is_none() {
            self.scrolled = 0;
        }
        self.selected = same.unwrap_or(0);
    }

    fn step(&mut self, side: Pane, by: isize) {
        match side {
            Pane::List => {
                let before = self.selected;
                self.selected = moved(before, by, self.listed.len());
                if self.selected != before {
                    self.scrolled = 0;
                }
            }
            Pane::Episode => self.scrolled = moved(self.scrolled, by, self.text().lines().count()),
        }
    }

    fn jump_to_finding(&mut self) {
        let open = self.listed.get(self.selected).and_then(|index| self.entries.get(*index));
        if let Some(line) = open.and_then(|entry| entry.first_finding(self.card)) {
            self.side = Pane::Episode;
            self.scrolled = line;
        }
    }

    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The titles of the listed episodes from `from` on, `count` at most.
    pub fn titles(&self, from: usize, count: usize) -> impl Iterator<Item = &str> {
        let listed = self.listed.iter().skip(from).take(count);
        listed.filter_map(|index| self.entries.get(*index).map(|entry| entry.title.as_str()))
    }

    /// How many are listed, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.listed.len(), self.entries.len())
    }

    /// The position of the open episode in the list.
    pub(crate) fn selected(&self) -> usize {
        self.selected
    }

    pub fn text(&self) -> &str {
        let entry = self.listed.get(self.selected).and_then(|index| self.entries.get(*index));
        entry.map_or("no episode is listed", |entry| entry.text(self.card))
    }

    pub fn help(&self) -> Option<&'static str> {
        self.is_help.then_some(HELP)
    }

    /// The first line of the open episode that is shown.
    pub(crate) fn scrolled(&self) -> usize {
        self.scrolled
    }

    pub fn filter(&self) -> (&str, bool) {
        (&self.filter, self.is_typing)
    }

    pub(crate) fn is_failed_only(&self) -> bool {
        self.is_failed_only
    }

    pub fn side(&self) -> Pane {
        self.side
    }
}

/// How an episode came out, in a word that a list has room for.
fn mark(card: &Card, record: &EpisodeRecord, outcome: EpisodeOutcome) -> String {
    match outcome {
        EpisodeOutcome::Pass => "pass".to_owned(),
        EpisodeOutcome::PassWithFindings => "pass!".to_owned(),
        EpisodeOutcome::Fail => "fail".to_owned(),
        EpisodeOutcome::NotScored => "none".to_owned(),
        EpisodeOutcome::Scored => shown(record.scores.value(card.headline())),
    }
}

fn signed(number: usize) -> isize {
    isize::try_from(number).unwrap_or(isize::MAX)
}

fn moved(at: usize, by: isize, count: usize) -> usize {
    at.saturating_add_signed(by).min(count.saturating_sub(1))
}

#[cfg(test)]
#[path = "app_tests.rs"]
mod tests;
