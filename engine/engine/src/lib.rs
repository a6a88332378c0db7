//! A deterministic state machine for tool-using agents. An environment is data: JSON Schemas, tools with
//! preconditions, and small Rhai scripts. A call either is carried out whole, with what it changed, or is refused
//! with a typed reason and changes nothing; states are values, and a copy costs nothing.
//!
#![doc = "```"]
#![doc = include_str!("../examples/embed.rs")]
#![doc = "```"]
#![deny(missing_docs)]

mod build;
#[cfg(test)]
#[path = "../../prose/src/case.rs"]
mod case;
#[cfg(test)]
mod cases;
pub mod constraint;
mod environment;
mod events;
mod invariant;
pub mod load;
mod matching;
mod model;
pub mod recall;
mod refusal;
mod schema;
mod script;
mod session;
mod state;
mod step;
mod stepped;
mod sum;
mod tool;
mod transaction;
#[cfg(test)]
mod world;

pub use constraint::check::EXCLUSION_VIOLATED;
pub use constraint::{Checker, ConstraintGraph, Edge, ExclusionSet, ObservedCall, check};
pub use environment::Environment;
pub use events::Pattern;
pub use invariant::BrokenInvariant;
pub use load::authored::Read;
pub use load::environment::{LoadedEnvironment, Scripts};
pub use load::foreign::Located;
pub use load::fresh::{Unwritten, write_new};
pub use load::held::Held;
pub use load::out::{write_once, write_out};
pub use load::position::{Positions, Spot};
pub use load::read::{MAX_FILE_BYTES, MAX_FOLDER_DEPTH};
pub use load::short::ShortFormErrors;
pub use load::tree::{Data, Tree};
pub use load::unfinished::{clear_unfinished, is_unfinished};
pub use load::whole::write_whole;
pub use load::{authored, comment, foreign, format, position, read, short, strict};
pub use model::call::ToolCall;
pub use model::canonical::{Hash, ListHasher};
pub use model::conduct::{Conduct, People, Warning};
pub use model::constraints::Constraints;
pub use model::delta::{Delta, FieldChange};
pub use model::diagnostic::{Diagnostic, Place, Problem, Severity};
pub use model::environment_file::{
    Actor, ChangeKind, Compare, Effect, EffectFile, EnvironmentFile, PopulateFile, SlotFile, SlotKind, ToolFile,
};
pub use model::finding::{Evidence, Finding, Shown};
pub use model::ids::Difficulty;
pub use model::number::MAX_SAFE_INTEGER;
pub use model::pattern::CallPattern;
pub use model::policy::{Binding, Check, Offence, OffenceKind, PolicyEntry, Refusal, Rule};
pub use model::rejection::{Rejection, RejectionKind};
pub use model::stream::Stream;
pub use model::{
    arguments, canonical, environment_file, field_path, ids, merge, number, plain, pointer, suggest, visible, within,
};
pub use schema::{Schema, Violation, without_echoes};
pub use script::sources::{Source, Sources};
pub use script::{fold, words};
pub use session::{Played, Session};
pub use state::{Fields, RECORD_KEY, Shape, SlotShape, State, entity_path};
pub use stepped::{Applied, Fired, Stepped};
pub use sum::Sum;
pub use tool::Tool;
