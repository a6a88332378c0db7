//! Who is to blame for an episode that did not succeed: the agent, unless the trace shows that it was not.

use serde::Deserialize;

use super::replayed::Replayed;
use crate::task::question::questions;
use probity_bench::{EndReason, Event, MAX_EXTRA_REPLIES, Verdict, named};

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    /// Who is to blame.
    pub enum Blame {
        /// The agent: whatever is nobody else's.
        Agent = "agent",
        /// The user: it had no reply left for a withheld fact that was asked for.
        User = "user",
        /// A provider could not be reached, or the task or the trace cannot be scored.
        Infrastructure = "infrastructure",
    }
}

/// Who is to blame for an episode with this verdict; nobody when it succeeded.
///
/// The user is to blame only in a dialogue that ran to its end.
pub fn blame(replayed: &Replayed, sr: &Verdict) -> Option<Blame> {
    let is_whole = matches!(replayed.trace.end(), Some((EndReason::Completed, _)));
    match sr {
        Verdict::Pass => None,
        Verdict::NotScored { .. } => Some(Blame::Infrastructure),
        Verdict::Fail if is_whole && ran_out(replayed) => Some(Blame::User),
        Verdict::Fail => Some(Blame::Agent),
    }
}

/// Whether the agent asked for a withheld fact after the user's last extra reply, and never heard it.
fn ran_out(replayed: &Replayed) -> bool {
    let withheld = replayed.task.voices().iter().filter(|voice| replayed.behaviour.withheld.contains(&voice.name));
    let mut unheard = withheld.filter(|voice| !replayed.trace.heard().any(|(_, text)| voice.ways.are_in(text)));
    unheard
        .any(|voice| late_replies(replayed).any(|reply| questions(reply).iter().any(|asked| voice.is_asked_in(asked))))
}

/// The replies after the user's last extra reply; none while the user has one left.
fn late_replies<'a>(replayed: &Replayed<'a>) -> impl Iterator<Item = &'a str> {
    let mut extras = 0;
    replayed.trace.events.iter().filter_map(move |event| match event {
        Event::User { extra, .. } => {
            extras += usize::from(*extra);
            None
        }
        Event::Reply { text, aside, .. } if extras >= MAX_EXTRA_REPLIES && !aside => Some(text.as_str()),
        Event::Reply { .. } | Event::Step(_) | Event::Finding(_) | Event::Note(_) | Event::End { .. } => None,
    })
}
