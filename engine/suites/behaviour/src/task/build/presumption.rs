//! Static checks of what turns take for granted: it must be possible in the oracle's own dialogue.

use super::builder::Context;
use crate::model::task_file::{Presumption, TaskFile, VariantFile};
use crate::task::phrase::no_phrase;
use crate::task::question::{FactPhrases, questions};
use probity_engine::{Problem, suggest};
use probity_prose::{Answer, Calendar};

/// What the oracle does and says in a variant: its tools with the turns after which they are called, and its replies.
pub(super) struct OracleDialogue<'a> {
    pub made: Vec<(&'a str, u32)>,
    pub replies: &'a [String],
}

/// What a turn takes for granted must be so in the oracle's own dialogue when it is said.
pub(super) fn check_presumes(
    file: &TaskFile,
    behaviour: &VariantFile,
    dialogue: &OracleDialogue,
    at: &str,
    context: &Context,
    problems: &mut Vec<Problem>,
) {
    let calendar = Calendar::at(context.initial.clock());
    for (turn, presumed) in &behaviour.presumes {
        let at = format!("{at}/presumes/{turn}");
        let last = behaviour.turns.len();
        if !(2..=last).contains(&(*turn as usize)) {
            let message = format!("no turn {turn} takes anything for granted");
            let help = match last {
                0 | 1 => "a single turn comes before all that the agent says: remove it".to_owned(),
                last => format!("turns that come after a reply are 2 to {last}"),
            };
            problems.push(Problem::error(at, "bad_turn", message).help(help));
            continue;
        }
        let replies = dialogue.replies.get(..*turn as usize - 1).unwrap_or(dialogue.replies);
        let before: Vec<&str> = dialogue.made.iter().filter(|(_, of)| of < turn).map(|(tool, _)| *tool).collect();
        for (i, presumption) in presumed.iter().enumerate() {
            let at = format!("{at}/{i}");
            let problem = match presumption {
                Presumption::Told(told) => told_in_vain(told, *turn, replies, calendar, at),
                Presumption::Asked(name) => asked_in_vain(name, *turn, replies, file, at),
                Presumption::Made(tool) => made_in_vain(tool, *turn, &before, at),
            };
            problems.extend(problem);
        }
    }
}

fn in_vain(at: String, message: String, help: impl Into<String>) -> Option<Problem> {
    Some(Problem::error(at, "presumed_in_vain", message).help(help))
}

fn told_in_vain(told: &[String], turn: u32, replies: &[String], calendar: Calendar, at: String) -> Option<Problem> {
    let read = told.iter().map(|told| Answer::parse(told, calendar).map_err(|what| (told, what)));
    let read: Vec<Answer> = match read.collect() {
        Ok(read) => read,
        Err((told, what)) => return Some(no_phrase(at, told, &what)),
    };
    if read.is_empty() {
        return in_vain(at, "no answer is named that must have been told".to_owned(), "name one, or remove it");
    }
    if replies.iter().any(|reply| read.iter().any(|told| told.is_in(reply))) {
        return None;
    }
    let named: Vec<String> = read.iter().map(|told| format!("\"{}\"", told.source)).collect();
    let named = named.join(" or ");
    let message = format!("turn {turn} presumes that {named} was told, and no reply of the oracle tells it before");
    in_vain(at, message, "name what an earlier reply says, or let it say this")
}

fn asked_in_vain(name: &str, turn: u32, replies: &[String], file: &TaskFile, at: String) -> Option<Problem> {
    let Some(fact) = file.facts.get(name) else {
        let help = suggest::help(name, file.facts.keys().map(String::as_str));
        return Some(Problem::error(at, "unknown_fact", format!("there is no fact `{name}`")).help(help));
    };
    let voice = FactPhrases::of(name, fact);
    let is_asked = |reply: &String| questions(reply).iter().any(|question| voice.is_asked_in(question));
    if replies.iter().any(is_asked) {
        return None;
    }
    let message = format!("turn {turn} presumes that `{name}` was asked for, and no reply of the oracle asks before");
    in_vain(at, message, "let an earlier reply ask for it by one of its `cues`")
}

fn made_in_vain(tool: &str, turn: u32, before: &[&str], at: String) -> Option<Problem> {
    if before.contains(&tool) {
        return None;
    }
    let message = format!("turn {turn} presumes a call of `{tool}`, and the oracle makes none before");
    in_vain(at, message, suggest::help(tool, before.iter().copied()))
}
