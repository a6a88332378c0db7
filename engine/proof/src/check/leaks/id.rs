//! An id as people write it: `K 901`, `k-901` and `K901` are one.

/// Marks that people put between the parts of an id without thinking of anything else.
const STRONG: [char; 2] = ['-', '_'];
/// Marks that stand in ordinary text too.
const WEAK: [char; 5] = [' ', '.', '/', '#', ':'];
/// The most marks between two parts, as in `K - 901`.
const MAX_GAP: usize = 3;

/// Letters and digits of an id, in lower case.
#[derive(Debug)]
pub(super) struct Id(Vec<IdCharacter>);

#[derive(Debug)]
struct IdCharacter {
    c: char,
    is_apart: bool,
}

/// A text in which ids are looked for.
pub(super) struct SearchedText {
    chars: Vec<char>,
    /// Where a word may begin.
    starts: Vec<usize>,
}

impl SearchedText {
    pub(super) fn of(text: &str) -> SearchedText {
        let chars: Vec<char> = text.chars().collect();
        let is_start = |at: &usize| at.checked_sub(1).and_then(|at| chars.get(at)).is_none_or(|c| !is_word(*c));
        SearchedText { starts: (0..chars.len()).filter(is_start).collect(), chars }
    }
}

impl Id {
    /// The id in a text; nothing when it has no letter or no digit, for then it is an ordinary number or word.
    pub(super) fn of(text: &str) -> Option<Id> {
        let mut parts: Vec<IdCharacter> = Vec::new();
        let mut is_apart = false;
        for c in text.chars() {
            if is_mark(c) {
                is_apart = !parts.is_empty();
                continue;
            }
            parts.extend(c.to_lowercase().map(|c| IdCharacter { c, is_apart }));
            is_apart = false;
        }
        let has = |is: fn(char) -> bool| parts.iter().any(|part| is(part.c));
        (has(char::is_alphabetic) && has(|c| c.is_ascii_digit())).then_some(Id(parts))
    }

    /// Whether a user's text says it. Where only a blank or the like stands between letters and a number, the
    /// letters must not be an ordinary word: `at 12` is no `AT12`.
    pub(super) fn is_said(&self, text: &SearchedText) -> bool {
        self.is_in(text, |letters, number| !is_ordinary(letters, number))
    }

    pub(super) fn is_told(&self, text: &SearchedText) -> bool {
        self.is_in(text, |_, _| true)
    }

    fn is_in(&self, text: &SearchedText, may_be_apart: impl Fn(&[char], char) -> bool) -> bool {
        text.starts.iter().any(|at| self.is_at(text.chars.get(*at..).unwrap_or_default(), &may_be_apart))
    }

    /// Whether a text starts with it, and it ends there.
    fn is_at(&self, text: &[char], may_be_apart: &impl Fn(&[char], char) -> bool) -> bool {
        let mut rest = text;
        let mut before: Option<char> = None;
        let mut is_apart = false;
        for part in &self.0 {
            let gap = before.map_or(0, |_| rest.iter().take_while(|c| is_mark(**c)).count());
            let (marks, next) = rest.split_at_checked(gap).unwrap_or((rest, &[]));
            if gap > 0 {
                let is_strong = marks.iter().all(|c| STRONG.contains(c));
                let is_number = before.is_some_and(char::is_alphabetic) && part.c.is_ascii_digit();
                if gap > MAX_GAP || !(is_strong || part.is_apart || is_number) {
                    return false;
                }
                let is_weak = is_number && !is_strong;
                let letters = text.iter().take_while(|c| c.is_alphabetic()).count();
                if is_weak && !may_be_apart(text.get(..letters).unwrap_or_default(), part.c) {
                    return false;
                }
                is_apart |= is_weak;
            }
            match next.split_first() {
                Some((c, after)) if c.to_lowercase().eq([part.c]) => rest = after,
                _ => return false,
            }
            before = Some(part.c);
        }
        let ends = rest.first().is_none_or(|c| !is_word(*c));
        // `at 09:30` and `no 12/3` go on.
        let goes_on = rest.first().is_some_and(|c| is_mark(*c)) && rest.get(1).is_some_and(char::is_ascii_digit);
        ends && !(is_apart && goes_on)
    }
}

/// Whether letters before a number are a word that stands before numbers: one in small letters with a vowel, or one
/// that may start a sentence. No ordinary number starts with 0.
fn is_ordinary(letters: &[char], number: char) -> bool {
    let is_capital = letters.iter().all(|c| c.is_uppercase()) && !matches!(letters, ['A' | 'I']);
    let has_vowel = letters.iter().any(|c| "aeiouyAEIOUY".contains(*c) || !c.is_ascii());
    !is_capital && has_vowel && number != '0'
}

fn is_mark(c: char) -> bool {
    STRONG.contains(&c) || WEAK.contains(&c)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_said_with_other_marks() {
        for (id, text) in [
            ("L901", "locker L-901, please"),
            ("K901", "it is K 901."),
            ("K901", "it is k 901"),
            ("OR002", "order or-002"),
            ("OR002", "the one with or 002"),
            ("OR-002", "my OR002"),
            ("OR-002", "my OR 002?"),
            ("BK-2024-017", "BK2024017"),
            ("BK-2024-017", "bk 2024 017"),
            ("BK2024017", "BK-2024-017"),
            ("AT12", "seat AT #12"),
        ] {
            assert!(Id::of(id).unwrap().is_said(&SearchedText::of(text)), "{id} in {text}");
        }
    }

    #[test]
    fn ordinary_numbers_and_words_are_no_id() {
        for (id, text) in [
            ("AT12", "at 12 o'clock"),
            ("AT09", "at 09:30"),
            ("IN12", "In 12 days"),
            ("A20", "A 20 euro voucher, a 20"),
            ("I100", "I 100 percent agree"),
            ("500mg", "500 mg"),
            ("Boeing747", "a Boeing 747"),
            ("L901", "L 9012, XL 901, L 90 1"),
            ("K901", "901 and K"),
        ] {
            assert!(!Id::of(id).unwrap().is_said(&SearchedText::of(text)), "{id} in {text}");
        }
        for number in ["901", "12-34", "abc", "2026-06-11", ""] {
            assert!(Id::of(number).is_none(), "{number}");
        }
        assert!(Id::of("AT12").unwrap().is_told(&SearchedText::of("at 12")));
    }
}
