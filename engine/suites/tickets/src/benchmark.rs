//! The ticket suite as a benchmark: a ticket played through, and each of its checkpoints alone, is an instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agents::{Manner, PlannedAgent};
use crate::card::{CARD, NAME};
use crate::judge::{Backend, FactJudge, ModelJudge, RecordedJudge};
use crate::model::Ticket;
use crate::play::{Customer, Mode, RecordedTools, brief};
use crate::recording::Replay;
use crate::resolution::Rules;
use crate::score::scores;
use crate::suite::{TicketSuite, figures, read};
use crate::wanted::{remarks, wanted};
use probity_bench::{
    Agent, AgentName, Benchmark, Card, Dialogue, Extent, Files, Header, Instance, Loaded, MODEL_USER, Registered,
    Rollout, Scores, Setting, Trace, Wanted, Words, census::Figure, trace::FORMAT,
};
use probity_engine::{Diagnostic, Hash};

/// The customer whose replies are judged by the facts of the ticket.
const FACTS: &str = "facts";

pub const REGISTERED: Registered = Registered::new(NAME, read, open);

fn open(files: Files, refused: Vec<Diagnostic>) -> Loaded {
    let mut suite = TicketSuite::from_files(files, refused);
    let diagnostics = std::mem::take(&mut suite.diagnostics);
    Loaded { benchmark: Arc::new(TicketBenchmark { suite }), diagnostics }
}

/// The tickets of a suite, played and scored.
pub struct TicketBenchmark {
    suite: TicketSuite,
}

impl TicketBenchmark {
    fn ticket(&self, at: &Instance) -> Option<(Arc<Ticket>, Mode)> {
        let ticket = self.suite.ticket(&at.task)?;
        let mode = Mode::of(&at.setting)?;
        match mode {
            Mode::SingleTurn(number) if !(1..=ticket.checkpoints.len()).contains(&number) => None,
            Mode::SingleTurn(_) | Mode::MultiTurn => Some((ticket, mode)),
        }
    }

    fn scored(&self, at: &Instance, trace: &Trace) -> Option<Scores> {
        let (ticket, mode) = self.ticket(at)?;
        if (&trace.header.task, &trace.header.levels) != (&ticket.id, &mode.levels()) {
            return None;
        }
        let rules = Rules::of(&trace.header.options);
        Some(match model(&trace.header.user)? {
            None => scores(&ticket, mode, rules, trace, &mut FactJudge(Arc::clone(&ticket))),
            Some(_) => scores(&ticket, mode, rules, trace, &mut RecordedJudge::new(trace)),
        })
    }
}

/// The model that judges, if one does; nothing where there is no such user.
fn model(user: &str) -> Option<Option<&str>> {
    match user {
        FACTS => Some(None),
        _ => user.strip_prefix(MODEL_USER)?.strip_prefix(':').map(Some),
    }
}

impl Benchmark for TicketBenchmark {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn instances(&self) -> Vec<Instance> {
        self.suite.instances.clone()
    }

    fn users(&self) -> &'static [&'static str] {
        &[FACTS, MODEL_USER]
    }

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        let (ticket, mode) = self.ticket(at)?;
        Some(Box::new(PlannedAgent::new(ticket, mode, Manner::from_name(&name.to_string())?)))
    }

    fn header(&self, at: &Instance, setting: &Setting) -> Option<Header> {
        let (ticket, mode) = self.ticket(at)?;
        model(setting.user)?;
        Some(Header {
            format: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            benchmark: NAME.to_owned(),
            environment: ticket.category().to_owned(),
            environment_hash: ticket.surroundings,
            scripts: BTreeMap::new(),
            task: ticket.id.clone(),
            task_hash: ticket.hash,
            levels: mode.levels(),
            seed: setting.seed,
            limits: setting.limits,
            options: setting.options.clone(),
            user: setting.user.to_owned(),
            prompt: Hash::of_serialized(&brief(&ticket, mode)),
        })
    }

    /// A model's verdicts are taken from the trace; those of the facts are found anew.
    fn open<'a>(&'a self, at: &Instance, setting: &Setting, words: Words<'a>) -> Option<Dialogue<'a>> {
        let (ticket, mode) = self.ticket(at)?;
        let judge: Box<dyn Backend> = match (model(setting.user)?, words) {
            (None, _) => Box::new(FactJudge(Arc::clone(&ticket))),
            (Some(model), Words::Found(with)) => {
                let (client, unit) = (Arc::clone(with.user_client?), with.user_unit.to_owned());
                Box::new(ModelJudge::new(Arc::clone(&ticket), client, model.to_owned(), unit))
            }
            (Some(_), Words::Of(trace)) => Box::new(RecordedJudge::new(trace)),
        };
        let rules = Rules::of(setting.options);
        let tools = RecordedTools::new(&ticket, mode, Replay::new(rules.matching, rules.pick));
        let customer = Customer::new(&ticket, mode, rules, judge);
        let brief = (brief(&ticket, mode), Extent::Turn);
        Some(Dialogue::new(self.header(at, setting)?, brief, tools, Box::new(customer)))
    }

    fn score(&self, at: &Instance, played: &Rollout) -> Option<Scores> {
        self.scored(at, &played.trace)
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        let (ticket, mode) = self.ticket(at)?;
        Some(wanted(&ticket, mode))
    }

    fn remarks(&self, at: &Instance, trace: &Trace) -> Vec<String> {
        self.scored(at, trace).map(|scores| remarks(&scores)).unwrap_or_default()
    }

    fn figures(&self) -> Vec<Figure> {
        figures(&self.suite)
    }

    fn files(&self, tasks: &[String]) -> Files {
        self.suite.files_of(tasks)
    }
}

#[cfg(test)]
#[path = "benchmark_tests.rs"]
mod tests;
