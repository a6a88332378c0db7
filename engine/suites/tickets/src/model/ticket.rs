//! A ticket that was checked.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::facts::{Facts, Said, Unread};
use super::ticket_file::{CheckpointFile, FactFile, NeedFile, ReplyType, SaidFile, TicketFile, ToolFile};
use crate::recording::RecordedCall;
use crate::resolution::{Exchange, Goal};
use probity_bench::{MAX_TEXT, dialogue::MAX_CALLS_PER_MESSAGE};
use probity_engine::{Hash, Problem, Schema, suggest};

/// Most documents of a ticket (paper, 3.2).
const MAX_REFERENCES: usize = 5;
/// Most texts that a checkpoint has replies searched for, of each kind.
const MAX_TEXTS: usize = 256;
/// What a checkpoint with more of them is told.
const TOO_MANY_FACTS: &str = "too_many_facts";
const MAX_CHECKPOINTS: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its name: lower-case letters, digits and `_`.
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Ticket {
    /// `<category>/<name>`.
    pub id: String,
    /// The hash of what was written, tools and documents included.
    pub hash: Hash,
    /// The hash of the tools and documents that it names.
    pub surroundings: Hash,
    /// The tools, in the form that model providers take.
    pub tools: Value,
    pub references: Vec<Document>,
    /// What was said before the first checkpoint.
    pub history: Vec<SaidFile>,
    pub checkpoints: Arc<[Checkpoint]>,
}

#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// What was said before it and matters to nothing.
    pub before: Vec<SaidFile>,
    /// What the customer says: the words, and what was read from the screen.
    pub query: String,
    pub has_screen: bool,
    pub calls: Vec<RecordedCall>,
    pub reply: String,
    pub reply_type: ReplyType,
    pub facts: Facts,
    /// What every reply has letter by letter.
    pub keep: Vec<String>,
    /// What must have happened for the query to make sense.
    pub requires: Vec<Need>,
}

/// What must have happened for a query to make sense.
#[derive(Clone, Debug)]
pub enum Need {
    Answered(usize),
    Said(Box<Said>),
}

impl Goal for Checkpoint {
    fn calls(&self) -> &[RecordedCall] {
        &self.calls
    }
}

impl Ticket {
    /// A ticket, or all that is wrong with it; `tools` and `documents` are all that it may name.
    /// An error: the problems, placed in its file.
    pub fn build(
        id: &str,
        file: TicketFile,
        tools: &[&ToolFile],
        documents: &[Document],
    ) -> Result<Ticket, Vec<Problem>> {
        let (ticket, mut problems) = Ticket::open(id, file, tools, documents);
        // What is too much is not read.
        if !problems.iter().any(|problem| problem.code == TOO_MANY_FACTS) {
            ticket.checkpoints.iter().enumerate().for_each(|(index, asked)| asked.check_texts(index, &mut problems));
        }
        if problems.is_empty() { Ok(ticket) } else { Err(problems) }
    }

    /// The same of a file that was built before: what replies are searched for is not read yet.
    pub fn open(id: &str, file: TicketFile, tools: &[&ToolFile], documents: &[Document]) -> (Ticket, Vec<Problem>) {
        let mut problems = Vec::new();
        if !matches!(id.split('/').collect::<Vec<_>>()[..], [_, _]) {
            let message = format!("`{id}` does not say what service it is about");
            let help = "a ticket lies in `tickets/<category>/<name>.json`";
            problems.push(Problem::error("", "bad_ticket_id", message).help(help));
        }
        let shown: Vec<&ToolFile> =
            named(&file.tools, "tools", tools, |tool| &tool.name, &mut problems).into_iter().copied().collect();
        let references = named(&file.references, "references", documents, |document| &document.name, &mut problems);
        if references.len() > MAX_REFERENCES {
            let message = format!("{} documents; an agent is shown {MAX_REFERENCES} at most", references.len());
            problems.push(Problem::error("/references", "too_many_references", message).help("leave some out"));
        }
        check_turns("/history", &file.history, &mut problems);
        if file.checkpoints.is_empty() || file.checkpoints.len() > MAX_CHECKPOINTS {
            let message = format!("{} checkpoints; a ticket has 1 to {MAX_CHECKPOINTS}", file.checkpoints.len());
            problems
                .push(Problem::error("/checkpoints", "bad_checkpoints", message).help("add one, or split the ticket"));
        }
        let documents: Vec<[&String; 2]> = references.iter().map(|document| [&document.name, &document.text]).collect();
        let surroundings = Hash::of_serialized(&json!([shown, documents]));
        let hash = Hash::of_serialized(&json!([id, file, shown, documents]));
        let checkpoints = checkpoints(&file, &shown, &mut problems);
        let functions = shown.iter().map(|tool| json!({"type": "function", "function": tool}));
        let ticket = Ticket {
            id: id.to_owned(),
            hash,
            surroundings,
            tools: functions.collect(),
            references: references.into_iter().cloned().collect(),
            history: file.history,
            checkpoints: checkpoints.into(),
        };
        (ticket, problems)
    }

    /// The service that it is about: the first part of its id.
    pub fn category(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The checkpoint of a number, from 1.
    pub fn checkpoint(&self, number: usize) -> Option<&Checkpoint> {
        self.checkpoints.get(number.checked_sub(1)?)
    }

    /// What was recorded at the checkpoints before one, from 1.
    pub fn replied_before(&self, number: usize) -> Vec<Exchange> {
        let before = self.checkpoints.iter().take(number.saturating_sub(1)).enumerate();
        before.map(|(index, asked)| Exchange { checkpoint: index + 1, reply: asked.reply.clone() }).collect()
    }

    /// All recorded calls, in order: what answers an agent's.
    pub fn records(&self) -> Vec<RecordedCall> {
        self.checkpoints.iter().flat_map(|checkpoint| checkpoint.calls.iter().cloned()).collect()
    }
}

fn named<'a, T>(
    names: &[String],
    list: &str,
    all: &'a [T],
    name_of: impl Fn(&T) -> &String,
    problems: &mut Vec<Problem>,
) -> Vec<&'a T> {
    let mut found = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if names.iter().take(index).any(|other| other == name) {
            let message = format!("`{name}` is named twice");
            let help = "once is enough: take this one away";
            problems.push(Problem::error(format!("/{list}/{index}"), "named_twice", message).help(help));
        }
        match all.iter().find(|item| name_of(item) == name) {
            Some(item) => found.push(item),
            None => {
                let help = suggest::help(name, all.iter().map(|item| name_of(item).as_str()));
                let message = format!("there is no `{name}`");
                let what = if list == "tools" { "unknown_tool" } else { "unknown_reference" };
                problems.push(Problem::error(format!("/{list}/{index}"), what, message).help(help));
            }
        }
    }
    found
}

fn check_turns(at: &str, said: &[SaidFile], problems: &mut Vec<Problem>) {
    let is_user = |said: &SaidFile| matches!(said, SaidFile::User(_));
    let is_paired = said.iter().enumerate().all(|(index, said)| is_user(said) == (index % 2 == 0));
    if !is_paired || said.len() % 2 == 1 {
        let message = "the customer and the agent do not speak in turn, the customer first and the agent last";
        problems.push(Problem::error(at, "not_in_turn", message).help("join what one side says, or give both a text"));
    }
}

fn checkpoints(file: &TicketFile, tools: &[&ToolFile], problems: &mut Vec<Problem>) -> Vec<Checkpoint> {
    let mut all = Vec::new();
    for (index, written) in file.checkpoints.iter().enumerate() {
        let at = format!("/checkpoints/{index}");
        check_turns(&format!("{at}/before"), &written.before, problems);
        for (name, text) in [("query", &written.query), ("reply", &written.reply)] {
            if text.trim().is_empty() || text.len() > MAX_TEXT {
                let message = format!("the {name} has {} bytes; 1 to {MAX_TEXT} make sense", text.len());
                problems.push(Problem::error(format!("{at}/{name}"), "bad_text", message).help("write what is said"));
            }
        }
        check_calls(&at, &written.calls, tools, problems);
        let is_empty = |group: &FactFile| matches!(group, FactFile::Any(texts) if texts.is_empty());
        if written.facts.is_empty() || written.facts.iter().any(is_empty) {
            let message = "nothing is asked of the reply, so any reply would do";
            problems.push(Problem::error(format!("{at}/facts"), "no_facts", message).help("name what it must convey"));
        }
        check_counts(&at, written, problems);
        let requires = needs(&at, index, &written.requires, problems);
        all.push(Checkpoint {
            before: written.before.clone(),
            query: asked(&written.query, &written.screen),
            has_screen: !written.screen.is_empty(),
            calls: written.calls.clone(),
            reply: written.reply.clone(),
            reply_type: written.reply_type,
            facts: Facts::new(&written.facts, &written.reply),
            keep: written.keep.clone(),
            requires,
        });
    }
    all
}

fn needs(at: &str, index: usize, written: &[NeedFile], problems: &mut Vec<Problem>) -> Vec<Need> {
    let mut needs = Vec::new();
    for (i, need) in written.iter().enumerate() {
        let at = format!("{at}/requires/{i}");
        match need {
            NeedFile::Answered(number) => match usize::try_from(*number).ok().filter(|n| (1..=index).contains(n)) {
                Some(number) => needs.push(Need::Answered(number)),
                None => {
                    let message = format!("{number} is no checkpoint before this one");
                    problems.push(Problem::error(at, "no_such_checkpoint", message).help("they are counted from 1"));
                }
            },
            NeedFile::Said(text) => needs.push(Need::Said(Box::new(Said::new(text)))),
        }
    }
    needs
}

impl Checkpoint {
    /// What of the texts that replies are searched for cannot be read.
    fn check_texts(&self, index: usize, problems: &mut Vec<Problem>) {
        let at = format!("/checkpoints/{index}");
        for (number, group) in self.facts.read().iter().enumerate() {
            let wrong = group.iter().filter_map(|fact| fact.as_ref().err());
            problems.extend(wrong.map(|why| unreadable(format!("{at}/facts/{number}"), why)));
        }
        for (number, need) in self.requires.iter().enumerate() {
            let why = match need {
                Need::Said(said) => said.read().err(),
                Need::Answered(_) => None,
            };
            problems.extend(why.map(|why| unreadable(format!("{at}/requires/{number}"), why)));
        }
    }
}

fn unreadable(at: String, why: &Unread) -> Problem {
    match why {
        Unread::Todo => {
            Problem::error(at, "todo", "this is still to be written").help("say it, and take `TODO: ` away")
        }
        Unread::Pattern(why) => {
            Problem::error(at, "bad_pattern", why).help("write what a reply says, or mend the expression")
        }
    }
}

/// What is searched for in every reply has an end.
fn check_counts(at: &str, written: &CheckpointFile, problems: &mut Vec<Problem>) {
    let ways = |group: &FactFile| match group {
        FactFile::One(_) => 1,
        FactFile::Any(texts) => texts.len(),
    };
    let facts: usize = written.facts.iter().map(ways).sum();
    for (name, count) in [("facts", facts), ("keep", written.keep.len()), ("requires", written.requires.len())] {
        if count > MAX_TEXTS {
            let message = format!("{count} texts; {MAX_TEXTS} at most are looked for");
            let help = "leave out what says the same, or split the checkpoint";
            problems.push(Problem::error(format!("{at}/{name}"), TOO_MANY_FACTS, message).help(help));
        }
    }
}

fn check_calls(at: &str, calls: &[RecordedCall], tools: &[&ToolFile], problems: &mut Vec<Problem>) {
    if calls.len() > MAX_CALLS_PER_MESSAGE {
        let message = format!("{} calls; an agent makes {MAX_CALLS_PER_MESSAGE} in a message at most", calls.len());
        let help = "split the checkpoint, or leave out calls that matter to nothing";
        problems.push(Problem::error(format!("{at}/calls"), "too_many_calls", message).help(help));
    }
    for (index, call) in calls.iter().enumerate() {
        let at = format!("{at}/calls/{index}");
        let Some(tool) = tools.iter().find(|tool| tool.name == call.tool) else {
            let help = suggest::help(&call.tool, tools.iter().map(|tool| tool.name.as_str()));
            let message = format!("`{}` is none of the ticket's tools", call.tool);
            problems.push(Problem::error(format!("{at}/tool"), "unknown_tool", message).help(help));
            continue;
        };
        let Ok(schema) = Schema::compile(&tool.parameters) else { continue };
        for violation in schema.violations(&Value::Object(call.arguments.clone())) {
            problems.push(violation.into_problem().below(&format!("{at}/arguments")));
        }
    }
}

/// What the customer says: the words, and behind them what was read from the screen.
fn asked(query: &str, screen: &[String]) -> String {
    match screen {
        [] => query.to_owned(),
        lines => format!("{query}\n\n[text read from the screenshot]\n{}", lines.join("\n")),
    }
}

/// The rules of a service agent.
pub const RULES: &str =
    concat!(include_str!("role.txt"), probity_bench::how_to_work!(), include_str!("rules.txt")).trim_ascii_end();
