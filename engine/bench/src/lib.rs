//! What every benchmark shares: the seam ([`benchmark`], [`card`], [`world`]), agents, users and their dialogue,
//! traces, run directories, providers, statistics.

#![deny(missing_docs)]

pub mod agent;
mod benchmark;
mod card;
#[cfg(test)]
#[path = "../../prose/src/case.rs"]
#[expect(dead_code, reason = "its cases have one text each")]
mod case;
pub mod census;
pub mod cheat;
pub mod code;
pub mod dialogue;
mod event;
mod instance;
pub mod kit;
mod metric;
mod named;
pub mod provider;
pub mod run;
mod scores;
mod sheet;
pub mod trace;
mod usage;
mod user;
mod verdict;
mod wanted;
mod world;

pub use crate::run::replay::Coverage;
pub use agent::chat::ChatAgent;
pub use agent::name::{AgentEntry, AgentGroup, AgentName};
pub use agent::process::Interrupt;
pub use agent::quarters::{Barrier, Caller, Isolation, Quarters};
pub use agent::spec::AgentSpec;
pub use agent::{Agent, AgentFault, AgentMessage, Brief, Heard, Past, ReplayAgent, Tokens};
pub use benchmark::{Benchmark, Files, Loaded, Registered, Services, Words};
pub use card::{Card, Factor, Level, Role, RunOption, Tag};
pub use cheat::Cheat;
pub use code::Code;
pub use dialogue::{Dialogue, Extent, MAX_TEXT, MAX_TOOL_NAME};
pub use event::{Context, EndReason, Event, Fired, MAX_EXTRA_REPLIES, Note, Rephrased, Ruling, Step, StepOutcome};
pub use instance::{Instance, Levels, Limits, Options, Setting};
pub use metric::{Aggregation, Direction, Metric, Visibility};
pub use probity_stats as stats;
pub use provider::cassette::{Answer, Entries, Entry, Player, Recorder};
pub use provider::client::{Client, Fault};
pub use provider::completion::{Called, Completion};
pub use provider::config::{MAX_ATTEMPTS, MAX_CONCURRENCY, MAX_TIMEOUT, ProviderConfig, ToolMode};
pub use provider::form::{Form, ModelName, unescaped};
pub use provider::http::Http;
pub use provider::key::ApiKey;
pub use provider::masks::{Masks, bare_tools};
pub use provider::relay::{Chunk, Forwarded, Hearing, Relay, Relayed, unpacked};
pub use provider::transport::{Broken, Fork, Outgoing, Reply, Stop, Transport};
pub use run::config::{
    MAX_AGENT_TIMEOUT, MAX_MESSAGES, MAX_SEED, MAX_TRIALS, MODEL_USER, NamedAgent, RunConfig, RunJudge, RunSpeech,
    Selection, UserModel,
};
pub use run::directory::RunDirectory;
pub use run::episodes::Episodes;
pub use run::error::RunError;
pub use run::execute::{Executed, Watch};
pub use run::journal::{Appender, Lines, MAX_LINE, Spool};
pub use run::record::EpisodeRecord;
pub use run::replay::{Divergence, Replayer};
pub use run::unit::{USER_UNIT, Unit, Units};
pub use scores::{EpisodeOutcome, Found, Reading, Scores};
pub use sheet::{Sheet, SheetCell, SheetRow, Survey};
pub use stats::bootstrap::{Cluster, Interval};
pub use stats::kappa::{Undefined, Weights};
pub use trace::{Header, Trace, render};
pub use usage::{Prices, Usage};
pub use user::{Line, ScriptedUser, User, UserFault, Utterance, reply_in};
pub use verdict::{Evidence, Finding, Measure, Shown, Verdict};
pub use wanted::{Paired, Section, Wanted, WantedCall, WantedWay};
pub use world::{Move, Rollout, World};
