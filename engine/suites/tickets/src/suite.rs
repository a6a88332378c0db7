//! All tickets below a root, checked, with all diagnostics.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::judge::{FactJudge, lacking};
use crate::measures::{checkpoints_level, tokens_level, tools_level};
use crate::model::{Document, Ticket, TicketFile, ToolFile};
use crate::play::{Mode, input_tokens, of_text};
use crate::recording::RecordedCall;
use crate::resolution::{Attempt, Course, Figures, Next, Rules};
use probity_bench::kit::{below, read_all};
use probity_bench::{Files, Instance, Levels, census::Figure};
use probity_engine::{Diagnostic, Problem, Schema, load::diagnose_all, strict};

/// What can be played, and all that is wrong. Tickets are built where they are used, and few are kept.
#[derive(Debug, Default)]
pub struct TicketSuite {
    pub instances: Vec<Instance>,
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that it was read from.
    files: Files,
    tools: BTreeMap<String, Vec<ToolFile>>,
    documents: Vec<Document>,
    recent: Recent,
}

/// The texts of `tickets/` below a root, and what is wrong with reading them.
pub fn read(root: &Path) -> (Files, Vec<Diagnostic>) {
    read_all(root, &["json", "md"].map(|ending| ("tickets", ending)))
}

impl TicketSuite {
    /// Reads and checks `tickets/` below `root`.
    pub fn load(root: &Path) -> TicketSuite {
        let (files, refused) = read(root);
        TicketSuite::from_files(files, refused)
    }

    /// Checks files that have been read; `diagnostics` are those of reading them.
    pub fn from_files(files: Files, diagnostics: Vec<Diagnostic>) -> TicketSuite {
        let mut suite = TicketSuite { diagnostics, ..TicketSuite::default() };
        suite.tools = suite.tools(&files);
        let is_known = |found: &Diagnostic| found.code != "unknown_tool";
        let are_tools_read = suite.diagnostics.iter().all(|found| !found.file.starts_with("tickets/tools/"));
        suite.documents = below(&files, "tickets/references/", ".md")
            .map(|(name, _, text)| Document { name: name.to_owned(), text: text.to_owned() })
            .collect();
        let written: Vec<_> = below(&files, "tickets/", ".json").filter(|(id, ..)| !id.starts_with("tools/")).collect();
        let read: Vec<_> = written.into_par_iter().map(|(id, path, text)| suite.checked(id, path, text)).collect();
        for (instances, found) in read {
            // What a broken list of tools would have named is not told once for each call.
            suite.diagnostics.extend(found.into_iter().filter(|found| are_tools_read || is_known(found)));
            suite.instances.extend(instances);
        }
        suite.diagnostics.sort();
        suite.files = files;
        suite
    }

    pub fn ticket(&self, id: &str) -> Option<Arc<Ticket>> {
        self.recent.get(id, || {
            let path = format!("tickets/{id}.json");
            let (file, _) = strict::parse(&path, self.files.get(&path)?).ok()?;
            let (ticket, problems) = Ticket::open(id, file, &known_to(id, &self.tools), &self.documents);
            problems.is_empty().then_some(ticket)
        })
    }

    /// What there is to play of a ticket, and all that is wrong with it.
    fn checked(&self, id: &str, path: &str, text: &str) -> (Vec<Instance>, Vec<Diagnostic>) {
        let (file, positions) = match strict::parse::<TicketFile>(path, text) {
            Ok(parsed) => parsed,
            Err(found) => return (Vec::new(), found),
        };
        match Ticket::build(id, file, &known_to(id, &self.tools), &self.documents) {
            Ok(ticket) => (instances(&ticket), diagnose_all(path, &positions, recorded_problems(&Arc::new(ticket)))),
            Err(problems) => (Vec::new(), diagnose_all(path, &positions, problems)),
        }
    }

    /// The files that playing these tickets takes: their own, and all tools and documents.
    pub fn files_of(&self, tickets: &[String]) -> Files {
        let tickets: BTreeSet<&str> = tickets.iter().map(String::as_str).collect();
        let is_needed = |path: &&String| match path.strip_prefix("tickets/").and_then(|path| path.strip_suffix(".json"))
        {
            Some(id) if !id.starts_with("tools/") => tickets.contains(id),
            Some(_) | None => true,
        };
        let needed = self.files.keys().filter(is_needed);
        needed.filter_map(|path| Some((path.clone(), self.files.get(path)?.clone()))).collect()
    }

    fn tools(&mut self, files: &Files) -> BTreeMap<String, Vec<ToolFile>> {
        let mut tools = BTreeMap::new();
        for (category, path, text) in below(files, "tickets/tools/", ".json") {
            match strict::parse::<Vec<ToolFile>>(path, text) {
                Ok((read, positions)) => {
                    self.diagnostics.extend(diagnose_all(path, &positions, tool_problems(&read)));
                    tools.insert(category.to_owned(), read);
                }
                Err(found) => self.diagnostics.extend(found),
            }
        }
        tools
    }
}

/// Most characters of a tool's name that model providers take.
const MAX_NAME: usize = 64;

fn tool_problems(list: &[ToolFile]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, tool) in list.iter().enumerate() {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if tool.name.is_empty() || tool.name.len() > MAX_NAME || !tool.name.chars().all(is_plain) {
            let message = format!("`{}` is no name of a tool", tool.name);
            let help = format!("write up to {MAX_NAME} letters, digits, `_` and `-`, as model providers take them");
            problems.push(Problem::error(format!("/{index}/name"), "bad_tool_name", message).help(help));
        }
        if let Err(found) = Schema::compile(&tool.parameters) {
            problems.extend(found.into_iter().map(|problem| problem.below(&format!("/{index}/parameters"))));
        }
        if list.iter().take(index).any(|other| other.name == tool.name) {
            let message = format!("there is another tool `{}`", tool.name);
            let help = "tickets name tools by their names: rename one";
            problems.push(Problem::error(format!("/{index}/name"), "duplicate_tool", message).help(help));
        }
    }
    problems
}

/// The tools that a ticket may name: those of its own category first.
fn known_to<'a>(id: &str, tools: &'a BTreeMap<String, Vec<ToolFile>>) -> Vec<&'a ToolFile> {
    let category = id.split('/').next().unwrap_or_default();
    let own = tools.get(category).into_iter().flatten();
    let others = tools.iter().filter(|(name, _)| name.as_str() != category).flat_map(|(_, tools)| tools);
    own.chain(others).collect()
}

/// What keeps the recorded agent from resolving its own ticket, checkpoint by checkpoint.
fn recorded_problems(ticket: &Arc<Ticket>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut course = Course::new(&ticket.checkpoints, Rules::default());
    let mut next = Next::Ask(1);
    while let Next::Ask(number) = next {
        let Some(checkpoint) = ticket.checkpoint(number) else { break };
        let calls = checkpoint.calls.iter().map(RecordedCall::made).collect();
        let attempt = Attempt { reply: Some(checkpoint.reply.clone()), calls, tokens: None };
        next = course.take(attempt, &mut FactJudge(Arc::clone(ticket)));
        let at = format!("/checkpoints/{}", number - 1);
        match next {
            _ if course.open > number + 1 => {
                let message = format!("the recorded reply conveys what checkpoint {} asks for as well", number + 1);
                let help = "ask for more there, or make one checkpoint of them";
                problems.push(Problem::error(format!("{at}/reply"), "covers_next", message).help(help));
            }
            Next::Over(end) if end != crate::resolution::Termination::Resolved => {
                let lost = lacking(ticket, number, &checkpoint.reply);
                let (place, message) = match lost.is_empty() {
                    true => {
                        (format!("/checkpoints/{number}/requires"), "what this leans on has not happened".to_owned())
                    }
                    false => {
                        (format!("{at}/reply"), format!("the recorded reply does not convey `{}`", lost.join("`, `")))
                    }
                };
                let help = "mend the reply, or what is asked of it";
                problems.push(Problem::error(place, "recording_not_perfect", message).help(help));
            }
            Next::Ask(_) | Next::Again(_) | Next::Over(_) => {}
        }
    }
    let figures = Figures::of(&course);
    if problems.is_empty() && !figures.pass_at_1 {
        let message = "the recorded agent does not resolve its own ticket";
        problems.push(Problem::error("", "recording_not_perfect", message).help("mend the ticket"));
    }
    problems
}

fn instances(ticket: &Ticket) -> Vec<Instance> {
    let modes = std::iter::once(Mode::MultiTurn).chain((1..=ticket.checkpoints.len()).map(Mode::SingleTurn));
    modes.map(|mode| instance(ticket, mode)).collect()
}

fn instance(ticket: &Ticket, mode: Mode) -> Instance {
    let has_tool = ticket.checkpoints.iter().any(|checkpoint| !checkpoint.calls.is_empty());
    let mut properties: BTreeMap<&str, &str> = BTreeMap::from([
        ("category", ticket.category()),
        ("checkpoints", checkpoints_level(ticket.checkpoints.len())),
        ("tools", tools_level(has_tool)),
        ("tokens", tokens_level(input_tokens(ticket, mode))),
    ]);
    if let Mode::SingleTurn(number) = mode {
        let checkpoint = ticket.checkpoint(number);
        properties.extend(checkpoint.map(|checkpoint| ("reply_type", checkpoint.reply_type.name())));
    }
    Instance { task: ticket.id.clone(), setting: mode.levels(), properties: Levels::from_iter(properties) }
}

/// Most tickets that are kept. One with all its expressions compiled takes a third of a megabyte.
const MOST: usize = 256;

/// Tickets by id; the one that was kept first goes first.
#[derive(Debug, Default)]
pub struct Recent(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    tickets: BTreeMap<String, Arc<Ticket>>,
    order: VecDeque<String>,
}

impl Recent {
    /// The ticket, built where it is not kept; nothing where it cannot be.
    pub fn get(&self, id: &str, build: impl FnOnce() -> Option<Ticket>) -> Option<Arc<Ticket>> {
        if let Some(kept) = self.kept().tickets.get(id) {
            return Some(Arc::clone(kept));
        }
        // Others use what is kept while it is built; who builds it twice keeps it once.
        let ticket = Arc::new(build()?);
        let mut kept = self.kept();
        if kept.tickets.insert(id.to_owned(), Arc::clone(&ticket)).is_none() {
            kept.order.push_back(id.to_owned());
        }
        if kept.order.len() > MOST
            && let Some(first) = kept.order.pop_front()
        {
            kept.tickets.remove(&first);
        }
        Some(ticket)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type OfTicket = fn(&Ticket) -> usize;

const OF_TICKETS: [(&str, OfTicket); 5] = [
    ("checkpoints of a ticket", |ticket| ticket.checkpoints.len()),
    ("recorded calls of a ticket", |ticket| ticket.checkpoints.iter().map(|asked| asked.calls.len()).sum()),
    ("queries of a ticket with a screen", |ticket| ticket.checkpoints.iter().filter(|asked| asked.has_screen).count()),
    ("documents of a ticket", |ticket| ticket.references.len()),
    ("tools that a ticket shows", |ticket| ticket.tools.as_array().map_or(0, Vec::len)),
];

pub fn figures(suite: &TicketSuite) -> Vec<Figure> {
    let mut all: Vec<Figure> = OF_TICKETS.iter().map(|(name, _)| Figure::new(name, Vec::new())).collect();
    let (mut tokens, mut replies, mut facts) = (Vec::new(), Vec::new(), Vec::new());
    for ticket in tickets(suite) {
        for (figure, (_, of)) in all.iter_mut().zip(OF_TICKETS) {
            figure.values.push(of(&ticket) as f64);
        }
        tokens.push(input_tokens(&ticket, Mode::MultiTurn) as f64);
        replies.extend(ticket.checkpoints.iter().map(|asked| of_text(&asked.reply) as f64));
        facts.extend(ticket.checkpoints.iter().map(|asked| asked.facts.written.len() as f64));
    }
    all.extend([
        Figure::new("input tokens of a ticket", tokens),
        Figure::new("tokens of a recorded reply", replies),
        Figure::new("facts of a checkpoint", facts),
    ]);
    all
}

fn tickets(suite: &TicketSuite) -> impl Iterator<Item = Arc<Ticket>> {
    let played = suite.instances.iter().filter(|at| Mode::of(&at.setting) == Some(Mode::MultiTurn));
    played.filter_map(|at| suite.ticket(&at.task))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TicketFile;

    #[test]
    fn the_recorded_agents_resolve_the_tickets_that_come_along() {
        let suite = TicketSuite::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."));
        let found: Vec<String> = suite.diagnostics.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
        let played = suite.instances.iter().filter(|at| at.setting == crate::play::Mode::MultiTurn.levels()).count();
        assert!(played >= 40, "{played}");
    }

    #[test]
    fn what_is_searched_for_has_an_end() {
        let facts = format!("[{}]", vec!["\"re:a.*b\""; 300].join(", "));
        let ticket = format!(
            r#"{{"checkpoints": [{{"query": "Up?", "reply": "Up.", "reply_type": "solution", "facts": {facts}}}]}}"#
        );
        let files = Files::from([("tickets/a/b.json".to_owned(), ticket)]);
        let found = TicketSuite::from_files(files, Vec::new()).diagnostics;
        assert_eq!(found.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["too_many_facts"]);
    }

    #[test]
    fn what_is_wrong_is_told_at_its_place() {
        let ticket = r#"{
 "tools": ["ping"],
 "history": [{"agent": "Hello"}],
 "checkpoints": [
  {"query": "Is it up?", "reply": "It is down.", "reply_type": "solution", "facts": ["up", "re:("],
   "calls": [{"tool": "pong", "result": 1}], "requires": [1]}
 ]
}"#;
        let tools = r#"[{"name": "pang", "description": "Asks.", "parameters": {"type": "object"}}]"#;
        let files = [("tickets/a/b.json", ticket), ("tickets/tools/a.json", tools)];
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        let found = TicketSuite::from_files(files, Vec::new()).diagnostics;
        let told: Vec<(usize, &str)> = found.iter().map(|found| (found.line, found.code.as_str())).collect();
        assert_eq!(
            told,
            [
                (2, "unknown_tool"),
                (3, "not_in_turn"),
                (5, "bad_pattern"),
                (6, "unknown_tool"),
                (6, "no_such_checkpoint")
            ]
        );
    }

    #[test]
    fn so_many_are_kept_and_the_others_are_built_again() {
        let file = r#"{"checkpoints": [{"query": "Up?", "reply": "Up.", "reply_type": "solution", "facts": ["up"]}]}"#;
        let (recent, mut built) = (Recent::default(), 0);
        let mut get = |number: usize| {
            let id = format!("disk/{number}");
            let ticket = recent.get(&id, || {
                built += 1;
                Ticket::build(&id, serde_json::from_str::<TicketFile>(file).unwrap(), &[], &[]).ok()
            });
            (ticket.unwrap().id.clone(), built)
        };
        assert_eq!(get(0), ("disk/0".to_owned(), 1));
        assert_eq!(get(0).1, 1);
        assert_eq!((1..=MOST).map(&mut get).last().unwrap().1, MOST + 1);
        assert_eq!((get(1).1, get(0).1, get(1).1), (MOST + 1, MOST + 2, MOST + 3));
        assert_eq!(recent.kept().tickets.len(), MOST);
    }
}
