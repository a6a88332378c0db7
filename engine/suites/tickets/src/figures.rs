//! What the tickets of a suite are like, in numbers (paper, Tables 1 and 2, Figures 2 and 3).

use std::sync::Arc;

use crate::model::Ticket;
use crate::play::{Mode, input_tokens, of_text};
use crate::suite::TicketSuite;
use probity_bench::census::Figure;

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
        facts.extend(ticket.checkpoints.iter().map(|asked| asked.facts.written().len() as f64));
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
