//! How a reply is read before it is answered: without the letters of what it offers, and without what its questions
//! name only to set it aside.

use super::asked::ASKED;

pub(super) fn plainly(reply: &str) -> String {
    without_labels(reply).split_inclusive(['!', '?', '\n']).map(without_contrast).collect()
}

/// A reply without the letters of what it offers: *shall I A) lend it, or B) wait?*
fn without_labels(reply: &str) -> String {
    let is_label = |word: &str| {
        let inner = word.strip_prefix('(').unwrap_or(word).strip_suffix(')');
        inner.is_some_and(|inner| matches!(inner.as_bytes(), [b'a'..=b'f' | b'A'..=b'F']))
    };
    reply.split_inclusive(char::is_whitespace).filter(|word| !is_label(word.trim())).collect()
}

/// A question without what it sets aside: *Shall I lend it, rather than wait?* asks whether to lend it.
fn without_contrast(text: &str) -> String {
    let start = text.rfind(". ").unwrap_or(0);
    let places = ASKED.contrast.iter().filter_map(|phrase| text.rfind(&format!(" {phrase} ")));
    let place = places.filter(|at| *at > start).min().filter(|_| text.trim_end().ends_with('?'));
    let Some((kept, aside)) = place.and_then(|at| text.split_at_checked(at)) else { return text.to_owned() };
    let rest = aside.find([',', ';', '?']).and_then(|end| aside.get(end..)).unwrap_or_default();
    [kept.trim_end_matches([' ', ',']), rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_what_is_offered_are_no_words() {
        assert_eq!(
            plainly("Shall I A) lend it, or (b) wait? Plan B is gone."),
            "Shall I lend it, or wait? Plan B is gone."
        );
    }

    #[test]
    fn what_a_question_sets_aside_is_not_asked_about() {
        for (reply, plain) in [
            ("Good. Shall I lend it, rather than wait for 3.50 EUR?", "Good. Shall I lend it?"),
            ("Shall I lend it instead of the saw, and at once?", "Shall I lend it, and at once?"),
            ("I lent it rather than the saw. Right?", "I lent it rather than the saw. Right?"),
        ] {
            assert_eq!(plainly(reply), plain);
        }
    }
}
