//! The words of what an agent asks, offers and says beside steps, as data. Conjunctions are not among the words.

use super::act::AskedField;

/// What names a field.
pub(crate) const FIELDS: &[(AskedField, &[&str])] = &[
    (AskedField::DateOfBirth, &["date of birth", "birth date", "birthday", "dob", "were you born"]),
    (AskedField::CustomerId, &["customer id", "customer number", "account number", "account id"]),
    (
        AskedField::PhoneNumber,
        &[
            "phone number",
            "mobile number",
            "telephone number",
            "cell number",
            "your number",
            "number of the line",
            "number of your phone",
            "number of the phone",
            "the number",
            "line number",
            "number on the account",
            "which number",
            "number of your line",
            "what number",
            "number again",
        ],
    ),
    (
        AskedField::FullName,
        &[
            "full name",
            "your name",
            "first last name",
            "name on the account",
            "account holder's name",
            "first name",
            "last name",
            "who am i speaking",
        ],
    ),
];

/// What makes a sentence ask for what it names.
pub(crate) const ASKING: &[&str] = &[
    "may i have",
    "can i have",
    "could i have",
    "could i get",
    "can i get",
    "may i get",
    "can i please have",
    "could i please have",
    "may i please have",
    "give",
    "provide",
    "share",
    "tell",
    "what is",
    "what's",
    "which",
    "i need",
    "i'll need",
    "i will need",
    "say",
    "repeat",
    "spell",
    "read",
    "confirm your",
    "verify your",
    "confirm the",
    "verify the",
    "let me have",
    "let me know your",
    "let me know the",
    "may i know",
    "can i know",
    "could you confirm",
    "can you confirm",
    "please confirm",
    "what number",
    "ask for",
    "who am i",
    "when were you",
    "enter",
    "state",
    "need your",
];

/// What asks to have a value sign by sign.
pub(crate) const SPELLING: &[&str] = &[
    "digit by digit",
    "digit at a time",
    "number by number",
    "one by one",
    "slowly",
    "spell",
    "each digit",
    "letter by letter",
    "one number at a time",
];

/// What asks to have the last thing again.
pub(crate) const AGAIN: &[&str] =
    &["repeat that", "say that again", "say it again", "repeat it", "give it to me again", "once more"];

/// What asks whether a repeated value is right.
pub(crate) const RIGHT: &[&str] = &[
    "is that right",
    "is that correct",
    "is this correct",
    "is this right",
    "is it right",
    "is it correct",
    "correct",
    "did i get",
    "did i hear",
    "right",
    "please confirm",
    "can you confirm",
    "could you confirm",
];

/// What stands before a name that is repeated.
pub(crate) const NAMED: &[&str] =
    &["your name is", "speaking with", "speaking to", "talking to", "is your name", "the name is", "name as"];

/// What asks for leave to do something oneself.
pub(crate) const MAY_I: &[&str] = &[
    "shall i",
    "may i",
    "can i",
    "should i",
    "could i",
    "like me to",
    "want me to",
    "okay if i",
    "ok if i",
    "alright if i",
    "all right if i",
    "fine if i",
    "happy for me to",
    "with your permission",
    "do i have your",
    "permission to",
    "shall we",
    "your consent",
    "your approval",
    "your go ahead",
    "mind if i",
    "okay for me to",
    "ok for me to",
    "allow me to",
    "authorize me to",
    "may we",
];

/// What asks whether the user wants something.
pub(crate) const WILL_YOU: &[&str] = &[
    "are you able to pay",
    "do you agree",
    "would you agree",
    "do you want to",
    "would you like to",
    "are you willing",
    "would that be okay",
    "would that be ok",
    "is that okay",
    "is that ok",
    "is that all right",
    "is that alright",
    "do you consent",
    "do you authorize",
    "do you approve",
    "do you accept",
    "okay to proceed",
    "ok to proceed",
    "want to proceed",
    "like to proceed",
    "to go ahead",
    "are you okay with",
    "are you ok with",
    "are you happy",
    "do you confirm",
    "would you be willing",
    "agree to",
    "confirm that you want",
    "confirm you want",
    "confirm that you'd like",
    "would you like",
    "do you want",
    "reply yes",
    "say yes",
    "answer yes",
    "are you fine",
    "is that fine",
    "would that be all right",
];

/// What asks for an answer where no question mark does.
pub(crate) const ANSWER: &[&str] = &[
    "please confirm",
    "confirm",
    "reply yes",
    "say yes",
    "answer yes",
    "please reply",
    "let me know",
    "tell me",
    "permission",
    "consent",
    "approval",
    "your go ahead",
    "do i have your",
];

/// What an agent offers to do that needs no leave.
pub(crate) const OWN_DEED: &[&str] = &["help", "check", "look", "walk", "guide", "explain", "know", "see", "try"];

/// What asks what is wrong.
pub(crate) const PROBLEM: &[&str] = &[
    "how can i help",
    "how may i help",
    "how can i assist",
    "how may i assist",
    "what can i do for you",
    "what seems to be",
    "what is the problem",
    "what's the problem",
    "what is the issue",
    "what's the issue",
    "describe the",
    "describe your",
    "what is happening",
    "what's happening",
    "what exactly",
    "what is going wrong",
    "what brings you",
    "tell me more about",
    "what is wrong",
    "what's wrong",
    "what's going on",
    "what is going on",
    "more details about",
    "what problem",
];

/// What asks where the user is.
pub(crate) const WHEREABOUTS: &[&str] = &[
    "abroad",
    "where are you",
    "travelling",
    "traveling",
    "outside the country",
    "outside the united states",
    "outside the us",
    "which country",
    "what country",
    "home country",
    "are you in the",
    "another country",
    "overseas",
    "your location",
    "outside of the",
];

/// What asks whether there is more.
pub(crate) const ELSE: &[&str] =
    &["anything else", "something else i can", "further questions", "any other questions", "else i can"];

/// What asks to wait.
pub(crate) const WAITING: &[&str] = &[
    "one moment",
    "a moment",
    "hold on",
    "please wait",
    "bear with me",
    "just a second",
    "let me check",
    "let me look",
    "let me see",
    "one second",
    "give me a",
    "while i",
    "i will check",
    "i'll check",
    "i am checking",
    "i'm checking",
    "i will look",
    "i'll look",
    "i am looking",
    "i'm looking",
    "stay on the line",
    "hold the line",
    "please hold while",
];
