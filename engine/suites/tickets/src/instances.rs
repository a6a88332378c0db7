//! What there is to play of a ticket: all of it, and each of its checkpoints alone.

use std::collections::BTreeMap;

use crate::measures::{checkpoints_level, tokens_level, tools_level};
use crate::model::Ticket;
use crate::play::{Mode, input_tokens};
use probity_bench::{Instance, Levels};

/// The instances of a ticket, in order.
pub fn instances(ticket: &Ticket) -> Vec<Instance> {
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
