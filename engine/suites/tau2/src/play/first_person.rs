//! A text about "you", said by the one it is about. Word by word: it needs no understanding, and has none.

/// Words that go together; of two that fit the first is taken.
const PAIRS: [(&str, &str, &str); 4] =
    [("you", "are", "I am"), ("you", "were", "I was"), ("are", "you", "am I"), ("were", "you", "was I")];
/// Words that stand alone.
const WORDS: [(&str, &str); 9] = [
    ("you're", "I'm"),
    ("you've", "I've"),
    ("you'd", "I'd"),
    ("you'll", "I'll"),
    ("your", "my"),
    ("yours", "mine"),
    ("yourself", "myself"),
    ("you", "I"),
    ("youre", "I'm"),
];
/// Words behind which `you` is `me`.
const BEFORE_ME: [&str; 22] = [
    "to", "for", "with", "from", "by", "of", "at", "on", "about", "tell", "tells", "told", "give", "gives", "gave",
    "help", "helps", "ask", "asks", "asked", "let", "allow",
];

pub(crate) fn first_person(text: &str) -> String {
    let pieces = pieces(text);
    let mut said = String::with_capacity(text.len());
    let (mut index, mut before) = (0, String::new());
    while let Some(piece) = pieces.get(index) {
        let word = piece.to_lowercase().replace('\u{2019}', "'");
        let next =
            pieces.get(index + 2).filter(|_| pieces.get(index + 1) == Some(&" ")).map(|next| next.to_lowercase());
        let pair = PAIRS.iter().find(|(first, second, _)| *first == word && next.as_deref() == Some(*second));
        let (own, taken) = match pair {
            Some((.., own)) => (Some(*own), 3),
            None if word == "you" && BEFORE_ME.contains(&before.as_str()) => (Some("me"), 1),
            None => (WORDS.iter().find(|(known, _)| *known == word).map(|(_, own)| *own), 1),
        };
        said.push_str(&own.map_or_else(|| (*piece).to_owned(), |own| as_begun(piece, own)));
        index += taken;
        if word.chars().any(char::is_alphanumeric) {
            before = word;
        } else if word.trim() != "" {
            before.clear();
        }
    }
    said
}

fn as_begun(piece: &str, own: &str) -> String {
    let mut letters = own.chars();
    match letters.next() {
        Some(first) if piece.starts_with(char::is_uppercase) => first.to_uppercase().chain(letters).collect(),
        Some(_) | None => own.to_owned(),
    }
}

fn pieces(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '\'' || c == '\u{2019}';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::first_person;

    #[test]
    fn you_becomes_i() {
        for (told, said) in [
            ("You want your money back.", "I want my money back."),
            ("You are Ada, and you're late. Are you sure?", "I am Ada, and I'm late. Am I sure?"),
            ("They told you so, to you and by yourself.", "They told me so, to me and by myself."),
            ("Yours is here; youth is not. \"You\" told.", "Mine is here; youth is not. \"I\" told."),
        ] {
            assert_eq!(first_person(told), said);
        }
    }
}
