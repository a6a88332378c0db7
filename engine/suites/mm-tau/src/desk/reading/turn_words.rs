//! What turns a conversation at a desk, as data. Conjunctions are not among the words.

/// What asks for a yes, beside what asks for leave anywhere.
pub const CONFIRMING: &[&str] = &[
    "yes no",
    "please confirm",
    "confirm that",
    "do you confirm",
    "can you confirm",
    "could you confirm",
    "your confirmation",
    "reply yes",
    "say yes",
    "type yes",
    "proceed",
    "go ahead",
    "sound good",
    "sounds good",
    "does that work",
    "work for you",
    "is that what you want",
    "is this what you want",
    "all right with you",
    "okay with you",
    "ok with you",
];

/// What asks for a yes without a question.
pub const AWAITING: &[&str] = &[
    "reply with yes",
    "answer with yes",
    "respond with yes",
    "explicit confirmation",
    "need your confirmation",
    "need a yes",
    "quick yes",
    "let me know whether you'd like me to",
    "let me know whether i should",
    "let me know if you'd like me to",
    "let me know if i should",
    "just let me know and i'll",
    "just let me know i'll",
];

/// What wants more than a yes for its answer.
pub const OPEN: &[&str] = &["how", "why", "what", "which", "when", "where", "who"];

/// What says that something cannot be had.
pub const REFUSING: &[&str] = &[
    "can't",
    "cannot",
    "can not",
    "unable",
    "not able",
    "not possible",
    "isn't possible",
    "impossible",
    "unfortunately",
    "not allowed",
    "isn't allowed",
    "not permitted",
    "not eligible",
    "isn't eligible",
    "doesn't qualify",
    "does not qualify",
    "do not qualify",
    "not available",
    "isn't available",
    "unavailable",
    "out of stock",
    "sold out",
    "no longer be",
    "i'm afraid",
    "i am afraid",
    "won't be able",
    "doesn't allow",
    "does not allow",
    "not offered",
    "no seats",
    "not entitled",
    "not enough",
    "against our",
    "nobody can",
    "no one can",
    "may not be",
    "there is no way",
    "must decline",
    "non changeable",
    "nonchangeable",
    "non refundable",
    "nonrefundable",
    "does not cover",
    "doesn't cover",
    "insufficient",
    "not sufficient",
    "must cover",
    "have to decline",
    "too late",
];

/// What says that something was not found, which is no refusal of a wish.
pub const NOT_FOUND: &[&str] = &[
    "find you",
    "no account",
    "no customer",
    "no user",
    "no record",
    "matches",
    "match",
    "find an account",
    "find that",
    "find your",
    "locate",
    "find any account",
    "not found",
    "find a customer",
    "find it",
    "can't find",
    "cannot find",
    "couldn't find",
    "understand",
];

/// Who takes over, where somebody does.
pub const OTHERS: &[&str] =
    &["supervisor", "specialist", "colleague", "representative", "human", "manager", "somebody else", "real person"];

/// What says that something was done.
pub const DONE: &[&str] = &[
    "has been",
    "have been",
    "is done",
    "are done",
    "that's done",
    "all done",
    "i've",
    "i have",
    "successfully",
    "is complete",
    "completed",
    "is now",
    "are now",
    "was cancelled",
    "was sent",
    "all set",
    "taken care of",
];

/// What asks whether the user has more on their mind, beside what asks so anywhere.
pub const MORE: &[&str] = &[
    "are these all",
    "is that all",
    "is that everything",
    "are those all",
    "any other items",
    "any other changes",
    "more i can",
    "anything more",
];
