//! probity: a deterministic sandbox that examines tool-using AI agents.
//!
//! The command line is a thin layer over these modules; docs/ARCHITECTURE.md shows how they stand on one
//! another. Loading a suite, playing an agent on a task and scoring what happened:
//!
//! ```
//! use std::path::Path;
//!
//! use probity_behaviour::episode::play::{Plan, PlanAgent};
//! use probity_behaviour::episode::play::{Setting, play};
//! use probity_behaviour::episode::user::ScriptedUser;
//! use probity_behaviour::suite::Suite;
//! use probity_behaviour::model::variant::Variant;
//! use probity_bench::Verdict;
//! use probity_behaviour::score::episode::score;
//! use probity_bench::Limits;
//!
//! let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
//! let suite = Suite::load(&root);
//! assert!(suite.diagnostics.is_empty());
//!
//! let task = &suite.tasks["travel_hospitality/front_desk/late_move"].task;
//! let variant = Variant::Ideal;
//! let behaviour = task.behaviour(variant).unwrap();
//! let setting = Setting { task, variant, seed: 7, limits: Limits::default(), user: "scripted" };
//! let mut oracle = PlanAgent::new(Plan::of_oracle(task, variant).unwrap());
//! let trace = play(setting, &mut oracle, ScriptedUser::new(behaviour.turns.clone()));
//!
//! let scores = score(task, &trace).unwrap();
//! assert_eq!(scores.success.sr, Verdict::Pass);
//! assert_eq!(scores.discipline.value, Some(1.0));
//! ```

pub mod cli;
