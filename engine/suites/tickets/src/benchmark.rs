//! The ticket suite as a benchmark: a ticket played through, and each of its checkpoints alone, is an instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agents::{AGENTS, PlannedAgent};
use crate::card::{CARD, NAME};
use crate::figures::figures;
use crate::judge::{Backend, FactJudge, ModelJudge, RecordedJudge};
use crate::model::Ticket;
use crate::play::{Customer, Mode, RecordedTools, brief, prompt};
use crate::recording::Replay;
use crate::resolution::Rules;
use crate::score::scores;
use crate::suite::{TicketSuite, read};
use crate::wanted::{remarks, wanted};
use probity_bench::census::Figure;
use probity_bench::{
    Agent, AgentEntry, AgentName, Benchmark, Brief, Card, Extent, Files, Header, Instance, Loaded, MODEL_USER,
    Registered, ReplayAgent, Rollout, Scores, Services, Setting, Trace, User, Wanted, dialogue, trace::FORMAT,
};
use probity_engine::Diagnostic;

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

    fn rollout(
        &self,
        at: &Instance,
        setting: &Setting,
        agent: &mut dyn Agent,
        judge: impl FnOnce(&Ticket) -> Option<Box<dyn Backend + '_>>,
    ) -> Option<Rollout> {
        let (ticket, mode) = self.ticket(at)?;
        let (ticket, judge) = (&*ticket, judge(&ticket)?);
        let rules = Rules::of(setting.options);
        let mut tools = RecordedTools::new(ticket, mode, Replay::new(rules.matching, rules.pick));
        let mut customer = Customer::new(ticket, mode, rules, judge);
        let header = self.header(at, setting)?;
        let brief = (&brief(ticket, mode), Extent::Turn);
        let trace = dialogue::play(header, brief, &mut tools, agent, &mut customer);
        Some(Rollout { trace, user_usage: customer.usage() })
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

    fn agents(&self) -> Vec<AgentEntry> {
        AGENTS.entries()
    }

    fn agent(&self, name: &AgentName, at: &Instance, _seed: u64) -> Option<Box<dyn Agent>> {
        let (ticket, mode) = self.ticket(at)?;
        Some(Box::new(PlannedAgent::new(ticket, mode, AGENTS.manner(name)?)))
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
            prompt: prompt(&brief(&ticket, mode)),
        })
    }

    fn brief(&self, at: &Instance, _setting: &Setting) -> Option<Brief> {
        let (ticket, mode) = self.ticket(at)?;
        Some(brief(&ticket, mode))
    }

    fn play(&self, at: &Instance, setting: &Setting, agent: &mut dyn Agent, with: &Services) -> Option<Rollout> {
        let model = model(setting.user)?;
        self.rollout(at, setting, agent, |ticket| {
            Some(match model {
                None => Box::new(FactJudge(ticket)),
                Some(model) => {
                    let client = Arc::clone(with.user_client?);
                    Box::new(ModelJudge::new(ticket, client, model.to_owned(), with.user_unit.to_owned()))
                }
            })
        })
    }

    /// A model's verdicts are taken from the trace; those of the facts are found anew.
    fn replay(&self, at: &Instance, setting: &Setting, trace: &Trace) -> Option<Trace> {
        let model = model(setting.user)?;
        let rollout = self.rollout(at, setting, &mut ReplayAgent::new(trace), |ticket| {
            Some(match model {
                None => Box::new(FactJudge(ticket)),
                Some(_) => Box::new(RecordedJudge::new(trace)),
            })
        });
        Some(rollout?.trace)
    }

    fn score(&self, at: &Instance, trace: &Trace) -> Option<Scores> {
        let (ticket, mode) = self.ticket(at)?;
        if (&trace.header.task, &trace.header.levels) != (&ticket.id, &mode.levels()) {
            return None;
        }
        let rules = Rules::of(&trace.header.options);
        Some(match model(&trace.header.user)? {
            None => scores(&ticket, mode, rules, trace, &mut FactJudge(&ticket)),
            Some(_) => scores(&ticket, mode, rules, trace, &mut RecordedJudge::new(trace)),
        })
    }

    fn wanted(&self, at: &Instance) -> Option<Wanted> {
        let (ticket, mode) = self.ticket(at)?;
        Some(wanted(&ticket, mode))
    }

    fn remarks(&self, at: &Instance, trace: &Trace) -> Vec<String> {
        self.score(at, trace).map(|scores| remarks(&scores)).unwrap_or_default()
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
