//! What the model `user` says: the message it was given in slightly other words, or spoiled as a mode asks.

use serde_json::Value;

use super::mode::Deed;
use super::speaker::Speaker;

/// The model that speaks for a user; every other one is an agent.
pub(super) const MODEL: &str = "user";
/// Other words around the same ones.
const FRAMES: [(&str, &str); 4] =
    [("", " Thanks."), ("Right. ", ""), ("Hello again. ", ""), ("", " Please and thank you.")];

/// The words, from the messages of a request; nothing when there is no message to rephrase.
pub(super) fn words(messages: &[Value], deed: Deed, speaker: &Speaker) -> Option<String> {
    let meant = messages.get(1)?.get("content")?.as_str()?;
    let is_first = messages.len() == 2;
    Some(match deed {
        Deed::UserAdds => format!("{meant} My card is 4711 8823."),
        Deed::UserSlips if is_first => format!("{meant} My card is 4711 8823."),
        Deed::UserChanges => changed(meant),
        Deed::UserLeaks => match speaker.withheld(meant) {
            Some(fact) => format!("{meant} It is {fact}."),
            None => framed(meant),
        },
        _ => framed(meant),
    })
}

fn framed(meant: &str) -> String {
    let (before, after) = FRAMES.get(meant.len() % FRAMES.len()).copied().unwrap_or_default();
    format!("{before}{meant}{after}")
}

/// Every digit one more; where there is none, a yes to nothing or a no to it.
fn changed(meant: &str) -> String {
    let more = |c: char| c.to_digit(10).and_then(|digit| char::from_digit((digit + 1) % 10, 10)).unwrap_or(c);
    let other: String = meant.chars().map(more).collect();
    match (other == meant, meant.to_lowercase().contains("yes")) {
        (false, _) => other,
        (true, true) => "Never mind.".to_owned(),
        (true, false) => "Yes, go ahead.".to_owned(),
    }
}
