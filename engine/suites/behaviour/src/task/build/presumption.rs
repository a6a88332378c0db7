//! Static checks of what turns take for granted: it must be possible in the oracle's own dialogue.

use super::context::Context;
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
            let in_vain =
                |message: String, help: String| Problem::error(at.clone(), "presumed_in_vain", message).help(help);
            match presumption {
                Presumption::Told(told) => {
                    let read = told.iter().map(|told| Answer::parse(told, calendar).map_err(|what| (told, what)));
                    let read: Result<Vec<Answer>, _> = read.collect();
                    match read {
                        Err((told, what)) => problems.push(no_phrase(at, told, &what)),
                        Ok(told) if told.is_empty() => {
                            let message = "no answer is named that must have been told".to_owned();
                            problems.push(in_vain(message, "name one, or remove it".to_owned()));
                        }
                        Ok(told) if !replies.iter().any(|reply| told.iter().any(|told| told.is_in(reply))) => {
                            let named: Vec<String> = told.iter().map(|told| format!("\"{}\"", told.source)).collect();
                            let message = format!(
                                "turn {turn} presumes that {} was told, and no reply of the oracle tells it before",
                                named.join(" or ")
                            );
                            let help = "name what an earlier reply says, or let it say this".to_owned();
                            problems.push(in_vain(message, help));
                        }
                        Ok(_) => {}
                    }
                }
                Presumption::Asked(name) => {
                    let Some(fact) = file.facts.get(name) else {
                        let help = suggest::help(name, file.facts.keys().map(String::as_str));
                        problems
                            .push(Problem::error(at, "unknown_fact", format!("there is no fact `{name}`")).help(help));
                        continue;
                    };
                    let voice = FactPhrases::of(name, fact);
                    let is_asked = |reply: &String| questions(reply).iter().any(|question| voice.is_asked_in(question));
                    if !replies.iter().any(is_asked) {
                        let message = format!(
                            "turn {turn} presumes that `{name}` was asked for, and no reply of the oracle asks before"
                        );
                        let help = "let an earlier reply ask for it by one of its `cues`".to_owned();
                        problems.push(in_vain(message, help));
                    }
                }
                Presumption::Made(tool) if !before.contains(&tool.as_str()) => {
                    let message = format!("turn {turn} presumes a call of `{tool}`, and the oracle makes none before");
                    let help = suggest::help(tool, before.iter().copied());
                    problems.push(in_vain(message, help));
                }
                Presumption::Made(_) => {}
            }
        }
    }
}
