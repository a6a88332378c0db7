//! A verdict, and how it is read from a model's words.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use probity_bench::named;

named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Verdict {
        Yes = "yes",
        No = "no",
        /// Nobody could tell: it counts as neither, and is said.
        Error = "error",
    }
}

/// Reads what a model said of a reply: `Included` or `Not Included`, in a result block, alone, or on the last line.
pub fn read_coverage(text: &str) -> Verdict {
    read(text, "included", "not included")
}

/// Reads what a model said of a query: `Yes` or `No`.
pub fn read_fluency(text: &str) -> Verdict {
    read(text, "yes", "no")
}

/// The last result block if there is one; else the whole text, then its last line that is not empty. Anything that is
/// not the one word or the other is an error, whatever it holds.
fn read(text: &str, yes: &str, no: &str) -> Verdict {
    static BLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?is)<result>(.*?)</result>").ok());
    let block = BLOCK.as_ref().and_then(|block| block.captures_iter(text).last()).and_then(|found| found.get(1));
    let places = match block {
        Some(block) => vec![block.as_str()],
        None => vec![text, text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()],
    };
    let word = |place: &str| {
        let said = cleaned(place);
        (said == yes).then_some(Verdict::Yes).or_else(|| (said == no).then_some(Verdict::No))
    };
    places.into_iter().find_map(word).unwrap_or(Verdict::Error)
}

/// Lower case, white space collapsed, without decoration around it and the point behind it.
fn cleaned(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_dress = |c: char| "*_`\"'#-()[]“”‘’".contains(c) || c.is_whitespace();
    let is_end = |c: char| is_dress(c) || ".,!;:。！".contains(c);
    words.join(" ").trim_start_matches(is_dress).trim_end_matches(is_end).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_alone_in_a_block_or_on_the_last_line_is_a_verdict() {
        for text in
            ["Included", "included.", "**Included**", "Some thoughts.\nIncluded\n\n", "<result>\nincluded\n</result>"]
        {
            assert_eq!(read_coverage(text), Verdict::Yes, "{text}");
        }
        for text in
            ["Not Included", "not\n  included", "Looks Included at first.\n<result>Not Included</result> Included?"]
        {
            assert_eq!(read_coverage(text), Verdict::No, "{text}");
        }
        for text in ["", "Partially Included", "NotIncluded", "It is Included, I think", "<result></result> Included"] {
            assert_eq!(read_coverage(text), Verdict::Error, "{text}");
        }
        assert_eq!(read_fluency(" Yes\n"), Verdict::Yes);
        assert_eq!(read_fluency("No。"), Verdict::No);
        assert_eq!(read_fluency("true"), Verdict::Error);
    }
}
