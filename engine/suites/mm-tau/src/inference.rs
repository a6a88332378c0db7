//! What is made of the dialogue so far about who calls (p2: paper, 2.1): asked of the agent's own model, or by
//! rule.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::measures::{ContextSchedule, MessageRole};
use probity_bench::Event;
use probity_prose::Vocabulary;

/// Messages that a profile is made from, at most, and messages of the user between one and the next.
const SCHEDULE: ContextSchedule =
    ContextSchedule { window: NonZeroUsize::MIN.saturating_add(15), every: NonZeroUsize::MIN.saturating_add(2) };
/// Most bytes of a model's profile that are told back to it.
const MOST: usize = 4096;

const QUESTION: &str = include_str!("question.txt").trim_ascii_end();

#[derive(Clone, Default)]
pub struct Profiler {
    /// What the user said in the window that is being looked at.
    said: Vec<String>,
}

impl Profiler {
    /// What the agent's model is asked after these events; nothing while the profile is fresh.
    pub fn question(&mut self, events: &[&Event]) -> Option<String> {
        let messages: Vec<(MessageRole, &str)> = events.iter().copied().filter_map(message).collect();
        let roles: Vec<MessageRole> = messages.iter().map(|(role, _)| *role).collect();
        let last = SCHEDULE.refreshes(&roles).pop().filter(|refresh| refresh.after_index + 1 == messages.len())?;
        let window = messages.get(last.window.0..last.window.1)?;
        self.said =
            window.iter().filter(|(role, _)| *role == MessageRole::User).map(|(_, text)| (*text).into()).collect();
        let line = |(role, text): &(MessageRole, &str)| format!("{role}: {text}\n");
        Some(format!("{QUESTION}\n\n{}", window.iter().map(line).collect::<String>()))
    }

    /// What the agent is told: its own profile, where it gave one that can be read, else that by rule.
    pub fn context(&self, answer: Option<&str>) -> String {
        let said: Vec<&str> = self.said.iter().map(String::as_str).collect();
        let own = answer.and_then(object).filter(|text| text.len() <= MOST);
        let profile = own.unwrap_or_else(|| serde_json::to_string(&InferredProfile::of(&said)).unwrap_or_default());
        format!("Who calls, as far as the call shows it (from 0 to 10)\n{profile}")
    }
}

fn message(event: &Event) -> Option<(MessageRole, &str)> {
    let user = event.heard().map(|(_, text)| (MessageRole::User, text));
    user.or(event.last_reply().map(|text| (MessageRole::Agent, text)))
}

/// The object of an answer, which may stand in a fence, without what is not known.
fn object(answer: &str) -> Option<String> {
    let (start, end) = (answer.find('{')?, answer.rfind('}')?);
    let mut object: Map<String, Value> = serde_json::from_str(answer.get(start..=end)?).ok()?;
    object.retain(|_, value| !value.is_null() && value.as_str() != Some("N/A"));
    serde_json::to_string(&object).ok()
}

/// What can be said of a user from their own words. Skills and frustration go from 0 to 10; age and gender are in no
/// word that is looked for, and so are not told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct InferredProfile {
    /// How much they say: 0 for one word a message, 10 for twenty and more, in the mean.
    articulation_skill: u8,
    /// 10, less the share of messages that show that they have not understood.
    language_understanding_skill: u8,
    /// 5, up to 10 with the share of messages that name settings, down to 0 with that of messages that ask where or what
    /// something is.
    technical_skill: u8,
    /// The share of messages that are worried or impatient.
    frustration_level: u8,
}

impl InferredProfile {
    fn of(said: &[&str]) -> InferredProfile {
        let lower: Vec<String> = said.iter().map(|text| text.to_lowercase()).collect();
        let count = |clue: Clue| lower.iter().filter(|text| clue.is_in(text)).count();
        let words: usize = said.iter().map(|text| text.split_whitespace().count()).sum();
        let mean = words.checked_div(said.len()).unwrap_or(0);
        let confused = tenths(count(Clue::Confused), said.len());
        let (technical, lost) = (count(Clue::Technical), count(Clue::Lost));
        let (more, less) = (technical.saturating_sub(lost), lost.saturating_sub(technical));
        InferredProfile {
            articulation_skill: tenths(mean.saturating_sub(1).min(19), 19),
            language_understanding_skill: 10 - confused,
            technical_skill: 5 + tenths(more, said.len()) / 2 - tenths(less, said.len()) / 2,
            frustration_level: tenths(count(Clue::Upset), said.len()),
        }
    }
}

/// A share in tenths, rounded half up; 0 of nothing.
fn tenths(part: usize, whole: usize) -> u8 {
    let share = (20 * part.min(whole) + whole).checked_div(2 * whole).unwrap_or(0);
    u8::try_from(share).unwrap_or(10).min(10)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Clue {
    /// They know what a setting is called.
    Technical,
    /// They ask where something is, or what it means.
    Lost,
    /// They have not understood, or not heard.
    Confused,
    /// They are out of patience, or worried.
    Upset,
}

/// Words that say so, and beginnings of words.
static CLUES: LazyLock<Vocabulary<Clue>> = LazyLock::new(|| Vocabulary::of("clues"));

impl Clue {
    fn is_in(self, text: &str) -> bool {
        CLUES.phrases(&self).any(|phrase| text.contains(phrase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str) -> Event {
        Event::Reply { message: 1, text: text.to_owned(), aside: false }
    }

    #[test]
    fn a_profile_is_due_with_every_third_message_of_the_user() {
        let mut events = Vec::new();
        let mut due = Vec::new();
        let mut profiler = Profiler::default();
        for turn in 1..=7 {
            events.push(Event::user(turn, format!("message {turn}")));
            due.extend(
                profiler
                    .question(&events.iter().collect::<Vec<_>>())
                    .map(|question| (turn, question.lines().last().map(str::to_owned))),
            );
            events.push(reply("Yes."));
        }
        let last = |turn: u32| (turn, Some(format!("user: message {turn}")));
        assert_eq!(due, [last(3), last(6)]);
    }

    #[test]
    fn what_cannot_be_read_is_made_by_rule() {
        let profiler = Profiler { said: vec!["Where do I find the APN?".to_owned()] };
        let by_rule = profiler.context(None);
        for answer in ["", "They seem nice.", "{\"age\": ", "[1, 2]", "} {"] {
            assert_eq!(profiler.context(Some(answer)), by_rule, "{answer}");
        }
        let fenced = profiler.context(Some("```json\n{\"age\": 64, \"gender\": \"N/A\"}\n```"));
        assert!(fenced.ends_with("{\"age\":64}"), "{fenced}");
    }

    #[test]
    fn who_says_little_and_is_lost_is_told_apart_from_who_names_settings() {
        let lost =
            InferredProfile::of(&["Help.", "Where do I find that? I am so worried.", "Sorry? What do you mean?"]);
        let versed = InferredProfile::of(&[
            "My APN settings look right, and roaming is on in the menu where I can see it under mobile network.",
            "I have set the network mode to 4G and 5G preferred, and the speed test says it is poor all the same.",
        ]);
        assert!(lost.technical_skill < 5 && versed.technical_skill == 10, "{lost:?} {versed:?}");
        assert!(lost.frustration_level == 3 && versed.frustration_level == 0, "{lost:?} {versed:?}");
        assert!(lost.language_understanding_skill == 7 && lost.articulation_skill < versed.articulation_skill);
    }

    #[test]
    fn of_no_message_nothing_is_said() {
        let none = InferredProfile::of(&[]);
        assert_eq!((none.articulation_skill, none.technical_skill, none.frustration_level), (0, 5, 0));
    }
}
