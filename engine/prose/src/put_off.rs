//! Texts that stand in for ones that nobody has written yet.

/// How a text begins that is still to be written; drafts and templates are made with it.
pub const TO_DO: &str = "TODO: ";

/// What people write in the place of what they put off.
const PUT_OFF: [&str; 5] = ["TODO", "FIXME", "TBD", "TBC", "XXX"];

/// Whether a text says that it, or a part of it, is still to be written.
pub fn is_put_off(text: &str) -> bool {
    let text = text.trim();
    let begins = |word: &&str| text.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    text.contains(TO_DO.trim_end()) || PUT_OFF.iter().any(begins)
}

/// Whether a text of prose has no word in it, or only one that puts it off.
pub fn says_nothing(text: &str) -> bool {
    let words = text.trim().to_uppercase();
    !words.contains(char::is_alphanumeric) || PUT_OFF.contains(&words.as_str())
}
