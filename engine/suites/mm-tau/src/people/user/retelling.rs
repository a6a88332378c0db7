//! What the phone showed, in the user's words (`retelling.toml`). The facts stay: positions, names, amounts, verdicts.

use std::sync::LazyLock;

use serde::Deserialize;

/// How a line begins, and how it is retold; the parts of the status bar, and how each is.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    lines: Vec<(String, String)>,
    bar: Vec<(String, String)>,
}

static ROWS: LazyLock<Rows> = LazyLock::new(|| toml::from_str(include_str!("retelling.toml")).unwrap_or_default());

/// What the phone showed, as a sentence. `wants_bar` says whether the status bar is told where other lines are shown too.
pub(super) fn retelling(shown: &str, wants_bar: bool) -> String {
    let lines: Vec<&str> = shown.lines().collect();
    let told = lines.iter().filter_map(|line| match line.strip_prefix("Status Bar: ") {
        Some(bar) if wants_bar || lines.len() == 1 => Some(format!("at the top {}", listed(&bar_parts(bar)))),
        Some(_) => None,
        None => line_in_words(line),
    });
    let told: Vec<String> = told.collect();
    sentence(&listed(&told))
}

fn line_in_words(line: &str) -> Option<String> {
    let row = ROWS.lines.iter().find_map(|(start, words)| line.strip_prefix(start.as_str()).map(|rest| (words, rest)));
    let told = match row {
        Some((words, rest)) => words.replace("{}", plain(rest).as_str()),
        None => format!("it says \"{}\"", line.trim()),
    };
    (!told.is_empty() && !line.trim().is_empty()).then_some(told)
}

/// A value without the advice behind it, positions and answers in lower case.
fn plain(rest: &str) -> String {
    let rest = rest.trim_end_matches('.');
    let short = rest.split_once(") ").map_or(rest, |(short, _)| short).trim_end_matches('.');
    let short = short.split_once("). ").map_or(short, |(short, _)| short);
    match short {
        "ON" | "OFF" | "Yes" | "No" => short.to_lowercase(),
        "no_service" => "no service".to_owned(),
        "locked_pin" => "locked with a PIN".to_owned(),
        "locked_puk" => "locked with a PUK".to_owned(),
        other => other.trim_end_matches(')').replace(" (", ", ").replace('_', " "),
    }
}

fn bar_parts(bar: &str) -> Vec<String> {
    let told = bar.split(" | ").map(|part| {
        let row = ROWS.bar.iter().find(|(sign, _)| part.contains(sign));
        row.map_or_else(|| part.to_owned(), |(_, words)| words.clone())
    });
    told.filter(|part| !part.is_empty()).collect()
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// With a capital and a full stop.
fn sentence(words: &str) -> String {
    let mut signs = words.chars();
    match signs.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), signs.as_str().trim_end_matches('.')),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_stay() {
        let table = [
            (
                "Status Bar: 📶⁴ Excellent | 5G | 📱 Data Enabled | 🔋 80%",
                "At the top the signal is excellent, 5G and data are on.",
            ),
            ("Status Bar: ✈️ Airplane Mode | 🔋 80%", "At the top there's the little airplane of airplane mode."),
            ("Mobile Data is now ON.\nStatus Bar: 📵 No Signal", "Mobile data is on now."),
            (
                "Speed Test Result: 0.25 Mbps (Very Poor). Connection is very slow. Basic web browsing might be difficult.",
                "The speed test says 0.25 Mbps, Very Poor.",
            ),
            ("The SIM card is locked with a PIN code.", "It says that the SIM card is locked with a PIN code."),
            (
                "SIM Card Status: locked_pin\nCellular Connection: no_service",
                "The SIM card is locked with a PIN and the connection says no service.",
            ),
            ("Something new", "It says \"Something new\"."),
            ("", ""),
        ];
        for (shown, told) in table {
            assert_eq!(retelling(shown, false), told);
        }
    }
}
