//! What turns a conversation at a desk, as data. Conjunctions are not among the words.

/// What asks for a yes, beside what asks for leave anywhere.
pub const CONFIRMING: &[&str] = &[
    "yes no", "please confirm", "confirm that", "do you confirm", "can you confirm", "could you confirm", "your confirmation", "reply yes",
    "say yes", "type yes", "proceed", "go ahead", "sound good", "sounds good", "does that work", "work for you",
    "is that what you want", "is this what you want", "all right with you", "okay with you", "ok with you",
];

/// What says that something cannot be had.
pub const REFUSING: &[&str] = &[
    "can't", "cannot", "can not", "unable", "not able", "not possible", "isn't possible", "impossible", "unfortunately",
    "not allowed", "isn't allowed", "not permitted", "not eligible", "isn't eligible", "doesn't qualify", "does not qualify", "do not qualify",
    "can only be", "not available", "isn't available", "unavailable", "out of stock", "sold out", "no longer be",
    "i'm afraid", "i am afraid", "won't be able", "doesn't allow", "does not allow", "not offered", "no seats", "not entitled",
    "not enough", "against our", "nobody can", "no one can", "may not be", "there is no way", "must decline", "have to decline", "too late",
];

/// What says that something was not found, which is no refusal of a wish.
pub const NOT_FOUND: &[&str] =
    &["find you", "find an account", "find that", "find your", "locate", "find any account", "not found", "find a customer", "find it", "can't find", "cannot find", "couldn't find", "understand"];

/// What says that something was done.
pub const DONE: &[&str] = &[
    "has been", "have been", "is done", "are done", "that's done", "all done", "i've", "i have", "successfully",
    "is complete", "completed", "is now", "are now", "was cancelled", "was sent", "all set", "taken care of",
];

/// What asks whether the user has more on their mind, beside what asks so anywhere.
pub const MORE: &[&str] = &["are these all", "is that all", "is that everything", "are those all", "any other items", "any other changes", "more i can", "anything more"];
