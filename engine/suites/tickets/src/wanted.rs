//! What a ticket asks for, told to people who look at its episodes.

use crate::judge::named;
use crate::model::{Checkpoint, Ticket};
use crate::play::Mode;
use probity_bench::{Scores, Section, Wanted, WantedCall, WantedWay};
use serde_json::Value;

pub fn wanted(ticket: &Ticket, mode: Mode) -> Wanted {
    let asked: Vec<(usize, &Checkpoint)> = match mode {
        Mode::MultiTurn => ticket.checkpoints.iter().enumerate().collect(),
        Mode::SingleTurn(number) => ticket.checkpoints.iter().enumerate().skip(number - 1).take(1).collect(),
    };
    let calls = asked.iter().enumerate().flat_map(|(turn, (_, checkpoint))| {
        checkpoint.calls.iter().map(move |call| WantedCall {
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
            turn: u32::try_from(turn + 1).unwrap_or(u32::MAX),
        })
    });
    let facts = asked.iter().map(|(index, checkpoint)| {
        let facts = checkpoint.facts.written.iter().filter_map(|group| named(group)).map(str::to_owned);
        let all: Vec<String> = facts.chain(checkpoint.keep.iter().cloned()).collect();
        format!("{}: {}", index + 1, all.join("; "))
    });
    let replies = asked.iter().map(|(index, checkpoint)| format!("{}: {}", index + 1, checkpoint.reply));
    let goal = match (mode, asked.len()) {
        (Mode::SingleTurn(number), _) => format!("Answer the query of checkpoint {number} as the recorded agent did."),
        (Mode::MultiTurn, 1) => "Resolve the ticket: one checkpoint.".to_owned(),
        (Mode::MultiTurn, count) => format!("Resolve the ticket: {count} checkpoints, in order."),
    };
    let sections = [
        Section::of("What each reply must convey", facts.collect()),
        Section::of("Recorded replies", replies.collect()),
        Section::of("References", ticket.references.iter().map(|document| document.name.clone()).collect()),
    ];
    Wanted {
        goal,
        ways: vec![WantedWay { name: "recorded".to_owned(), calls: calls.collect() }],
        sections: sections.into_iter().flatten().collect(),
    }
}

pub fn remarks(scores: &Scores) -> Vec<String> {
    let standing = scores.details.get("checkpoints").and_then(Value::as_array);
    let lines = standing.into_iter().flatten().enumerate();
    lines
        .map(|(index, standing)| format!("checkpoint {}: {}", index + 1, standing.as_str().unwrap_or_default()))
        .collect()
}
