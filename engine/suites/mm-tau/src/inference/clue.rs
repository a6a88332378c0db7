//! Words of a user that say something about them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clue {
    /// They know what a setting is called.
    Technical,
    /// They ask where something is, or what it means.
    Lost,
    /// They have not understood, or not heard.
    Confused,
    /// They are out of patience, or worried.
    Upset,
}

const WORDS: &[(Clue, &[&str])] = &[
    (
        Clue::Technical,
        &["apn", "roaming", "vpn", "sim", "network mode", "4g", "5g", "data saver", "mms", "wi-fi calling", "reboot"],
    ),
    (Clue::Lost, &["where do i", "where is", "where can i", "how do i", "what is a", "what's a", "which button"]),
    (
        Clue::Confused,
        &["don't understand", "do not understand", "what do you mean", "sorry?", "say that again", "pardon"],
    ),
    (
        Clue::Upset,
        &[
            "still not",
            "still doesn't",
            "still does not",
            "again?",
            "frustrat",
            "annoy",
            "worried",
            "afraid",
            "nervous",
            "ridiculous",
            "no patience",
            "had enough",
            "already told",
            "already said",
            "waste",
        ],
    ),
];

impl Clue {
    pub(super) fn is_in(self, text: &str) -> bool {
        let words = WORDS.iter().find(|(clue, _)| *clue == self).map(|(_, words)| *words);
        words.into_iter().flatten().any(|word| text.contains(word))
    }
}
