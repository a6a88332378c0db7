//! What may stand around a word or a number in a text: `15` is not said by `115`, nor `fee` by `coffee`. There are many phrases and few guards, so a
//! phrase's own expression holds its words alone: with guards in it, it would take ten times the memory.

use std::sync::OnceLock;

use regex::Regex;

/// No guard takes as many bytes before a phrase.
pub(super) const REACH: usize = 32;

/// What may stand before a number: it is not found inside a longer one, a day or a time (`15` is in none of
/// `115`, `1.15`, `-15`, `2026-06-15` and `11:15`), but at the end of a range such as `10-15`.
const BEFORE_NUMBER: &str = r"(?:^|[^\w.,:/-]|(?:^|\D)[.,:/]|(?:^|[^\d-])\d{1,3}-)";
const AFTER_NUMBER: &str = r"(?:$|[^\w.,:/-]|[.,:/-](?:$|\D)|-\d{1,3}(?:$|[^\d-]))";
/// The same of days and times, which have their own marks within and may be the ends of a range.
const BEFORE_DAY: &str = r"(?:^|[^\w.,]|(?:^|\D)[.,])";
const AFTER_DAY: &str = r"(?:$|[^\w.,]|[.,](?:$|\D))";

pub(super) static NUMBER: [Guard; 2] = [Guard::new(Side::Before, BEFORE_NUMBER), Guard::new(Side::After, AFTER_NUMBER)];
pub(super) static DAY: [Guard; 2] = [Guard::new(Side::Before, BEFORE_DAY), Guard::new(Side::After, AFTER_DAY)];

/// Before and after a word: nothing that goes on with it.
pub(super) static WORD: [Guard; 2] = [Guard::new(Side::Before, BOUNDARY), Guard::new(Side::After, BOUNDARY)];
/// The boundary of a word. It takes no characters, and needs no expression.
const BOUNDARY: &str = r"\b";

#[derive(Clone, Copy, Debug)]
enum Side {
    Before,
    After,
}

#[derive(Debug)]
pub(super) struct Guard {
    side: Side,
    /// The expression, to be read together with the number.
    pub pattern: &'static str,
    edge: OnceLock<Option<Regex>>,
}

impl Guard {
    const fn new(side: Side, pattern: &'static str) -> Guard {
        Guard { side, pattern, edge: OnceLock::new() }
    }

    /// The expression at the end of what stands before, or at the start of what stands after.
    fn edge(&self) -> Option<&Regex> {
        let pattern = || match self.side {
            Side::Before => format!("{}$", self.pattern),
            Side::After => format!("^{}", self.pattern),
        };
        self.edge.get_or_init(|| Regex::new(&pattern()).ok()).as_ref()
    }

    /// Where it begins when it ends at `end`, not before `from`; nothing when something else stands there.
    pub fn before(&self, text: &str, from: usize, end: usize) -> Option<usize> {
        if self.pattern == BOUNDARY {
            return (!text.split_at(end).0.chars().next_back().is_some_and(is_of_word)).then_some(end);
        }
        let found = self.edge()?.find_at(text.split_at(end).0, from)?;
        Some(found.start())
    }

    /// Where it ends when it begins at `start`; nothing when something else stands there.
    pub fn after(&self, text: &str, start: usize) -> Option<usize> {
        if self.pattern == BOUNDARY {
            return (!text.split_at(start).1.chars().next().is_some_and(is_of_word)).then_some(start);
        }
        let found = self.edge()?.find(text.split_at(start).1)?;
        Some(start + found.end())
    }
}

pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
