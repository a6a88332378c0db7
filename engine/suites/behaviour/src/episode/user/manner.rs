//! How a user of each behaviour answers: fixed words, read from `manner.toml`, which says when each is said.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::model::variant::Variant;

static MANNERS: LazyLock<BTreeMap<Variant, Manner>> =
    LazyLock::new(|| toml::from_str(include_str!("manner.toml")).unwrap_or_default());
static NONE: Manner = Manner { character: String::new(), lines: BTreeMap::new() };

/// A kind of wordings of the same, any of which may be said first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(test, derive(strum::EnumIter))]
#[serde(rename_all = "snake_case")]
pub enum Line {
    Reveal,
    Repeat,
    Yes,
    No,
    NoAgain,
    Blanket,
    Price,
    AsWished,
    Wish,
    Provided,
    Without,
    NotThat,
    NothingElse,
    Stands,
    Either,
    Unknown,
    Private,
    NoMore,
    Open,
    Rest,
    Courtesy,
    Both,
    BothAgain,
    BothAtLast,
    Right,
    Wrong,
    Objection,
    NoYes,
    LateYes,
    Unasked,
    Done,
    Waiting,
    Asking,
    Closing,
    Choice,
    Goodbye,
    NothingMore,
    OutOfTime,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manner {
    /// Who this is, for a model that speaks in its place.
    pub character: String,
    lines: BTreeMap<Line, Vec<String>>,
}

impl Manner {
    pub fn of(variant: Variant) -> &'static Manner {
        MANNERS.get(&variant).unwrap_or(&NONE)
    }

    /// The wordings of a kind: its own, else those of somebody who says plainly what is wanted.
    pub fn wordings(&self, line: Line) -> &[String] {
        self.lines.get(&line).or_else(|| Manner::of(Variant::Ideal).lines.get(&line)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn fixed_words_state_nothing_and_ask_nothing() {
        let open = [Line::Reveal, Line::Repeat, Line::Right, Line::Wrong, Line::Objection, Line::Choice, Line::Wish];
        for (variant, line) in Variant::ALL.into_iter().flat_map(|of| Line::iter().map(move |line| (of, line))) {
            let wordings = Manner::of(variant).wordings(line);
            let told = usize::from(open.contains(&line));
            assert!(wordings.iter().all(|text| text.matches("{}").count() == told), "{variant} {line:?}");
            let asks = |text: &String| text.contains(|c: char| c.is_ascii_digit() || c == '?');
            assert!(!wordings.iter().any(asks), "{variant} {line:?}");
            let begins = |with: &str| wordings.iter().all(|text| text.starts_with(with));
            match line {
                Line::Yes | Line::AsWished => assert!(begins("Yes"), "{variant}"),
                Line::No | Line::NoAgain | Line::Blanket => assert!(begins("No"), "{variant}"),
                Line::NothingElse => assert!(!wordings.iter().any(|text| text.starts_with("Yes")), "{variant}"),
                _ => {}
            }
            let differ: std::collections::BTreeSet<&String> = wordings.iter().collect();
            assert!(differ.len() == wordings.len() && wordings.len() >= 3, "{variant} {line:?}");
        }
    }
}
