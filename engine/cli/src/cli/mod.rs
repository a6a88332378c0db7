//! The command line: one file for each command. Only here is anything printed.

pub mod agents;
pub mod bench;
mod browse;
pub mod certify;
pub mod check;
pub mod compare;
pub mod conform;
mod dialogues;
pub mod exit;
pub mod finish;
pub mod fmt;
pub mod import;
mod isolate;
pub mod judge;
mod level;
mod meant;
pub mod mock;
pub mod new;
pub mod opened;
pub mod output;
mod pager;
pub mod play;
mod program;
mod proof;
pub mod provider;
mod recorded;
mod remarks;
pub mod replay;
pub mod report;
pub mod run;
pub mod score;
pub mod show;
mod signals;
pub mod upgrade;
pub mod user;

pub use program::{Cli, Global, main, run};
