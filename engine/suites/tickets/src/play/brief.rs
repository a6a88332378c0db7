//! What an agent is told of a ticket (paper, 3.3): never what it should call or say.

use super::mode::Mode;
use super::past::recorded_until;
use super::tokens::of_text;
use crate::model::{RULES, Ticket};
use probity_bench::Brief;
use probity_engine::Hash;

/// What an agent is told and has heard before it is played.
pub fn brief(ticket: &Ticket, mode: Mode) -> Brief {
    let references =
        ticket.references.iter().map(|document| format!("### {}\n{}\n", document.name, document.text.trim()));
    let references: Vec<String> = references.collect();
    let system = match references.is_empty() {
        true => RULES.to_owned(),
        false => format!("{RULES}\n\nReferences\n{}", references.join("\n")),
    };
    Brief { system, tools: ticket.tools.clone(), history: recorded_until(ticket, mode.first()) }
}

/// The tokens that an agent reads before its last reply, by their characters: what it is told, and the recorded
/// dialogue up to there.
pub fn input_tokens(ticket: &Ticket, mode: Mode) -> u64 {
    let number = match mode {
        Mode::MultiTurn => ticket.checkpoints.len(),
        Mode::SingleTurn(number) => number,
    };
    let told = Brief { history: recorded_until(ticket, number), ..brief(ticket, mode) };
    let query = ticket.checkpoint(number).map_or("", |checkpoint| checkpoint.query.as_str());
    let past = serde_json::to_string(&(&told.tools, &told.history)).unwrap_or_default();
    of_text(&told.system) + of_text(&past) + of_text(query)
}

pub fn prompt(brief: &Brief) -> Hash {
    Hash::of_serialized(brief)
}
