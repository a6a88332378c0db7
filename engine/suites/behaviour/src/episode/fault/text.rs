//! Words, names and sentences of the oracle's replies.

pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The words of a text, without what stands around them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A text with some of its words replaced; `2026-06-12` is one word.
pub fn by_words(text: &str, replace: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(&replace(word).unwrap_or_else(|| word.to_owned()));
        let gap = after.find(|c: char| c.is_alphanumeric()).unwrap_or(after.len());
        let (between, next) = after.split_at(gap);
        out.push_str(between);
        rest = next;
    }
    out
}

/// The capitalised words inside sentences, days and months aside.
pub fn names(text: &str) -> Vec<String> {
    let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let mut found = Vec::new();
    let mut last = ".";
    let told = sentences(text).filter(|sentence| !sentence.ends_with('?'));
    for piece in told.flat_map(|sentence| sentence.split(' ')) {
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_inside = last.chars().next_back().is_some_and(char::is_alphanumeric);
        let is_capitalised = word.chars().next().is_some_and(char::is_uppercase);
        let is_plain = word.chars().count() > 3 && word.chars().all(char::is_alphabetic);
        let is_acronym = word.chars().all(char::is_uppercase);
        if is_inside && is_capitalised && is_plain && !is_acronym && !days.contains(&word) && !MONTHS.contains(&word) {
            found.push(word.to_owned());
        }
        last = piece;
    }
    found
}

pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(". ").flat_map(|part| part.split_inclusive("? ")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_inside_sentences() {
        let text = "Sent. Mole Street gets it, Ines Okafor, on Monday.";
        assert_eq!(names(text), ["Street", "Okafor"]);
        assert_eq!(names("The pharmacy is Mole Street. It is open."), ["Mole", "Street"]);
    }
}
