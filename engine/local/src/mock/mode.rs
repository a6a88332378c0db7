//! The ways in which the mock answers.

use probity_engine::suggest::nearest;

/// What an agent or a judge behind the mock comes to in this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It does its work: the mode is only another form of the same answer, or passes when asked again.
    Works,
    /// It goes on, but what it wrote was wrong: it is told so, and that counts against an agent.
    Stumbles,
    /// It fails: the model is at fault.
    Fails,
    /// It cannot be scored: the provider is at fault.
    Unreachable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    pub name: &'static str,
    pub description: &'static str,
    /// What comes of it for an agent.
    pub expected: Expected,
    /// What comes of it for a judge.
    pub judge: Expected,
    pub(super) deed: Deed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Plain,
    // Other forms of the same answer.
    ObjectArguments,
    NoIds,
    SameIds,
    TextBesideCalls,
    Reasoning,
    Thoughts,
    Parts,
    NoUsage,
    Stream,
    Late,
    WrongType,
    // The first time a request comes; the second time it is answered.
    Status(u16),
    Dropped,
    Truncated,
    NotJson,
    NoChoices,
    Inside,
    StreamCut,
    // Every time.
    Always(u16),
    Quota,
    EchoKey,
    Redirect,
    Endless,
    Silent,
    Drip,
    Filtered,
    CutWords,
    Empty,
    Unreadable,
    TooLong,
    // What a model writes wrongly, once in a dialogue.
    CutArguments,
    KeyTwice,
    UnknownTool,
    TwoCalls,
    CallAsText,
    // What the model of a user does with what it is to rephrase.
    UserAdds,
    UserChanges,
    UserLeaks,
    UserSlips,
    // How a judge's reply is, once for an episode or always.
    JudgeFenced,
    JudgeProse,
    JudgeOutOfRange,
    JudgeFloat,
    JudgeMissing,
    JudgeExtra,
    JudgeCut,
    JudgeNever,
    JudgeInvents,
    JudgePassesOver,
}

impl Deed {
    /// Whether it is about the replies of judges; an agent is answered plainly then.
    pub(super) fn is_of_judges(self) -> bool {
        self.is_once_of_judges()
            || matches!(self, Deed::JudgeFenced | Deed::JudgeNever | Deed::JudgeInvents | Deed::JudgePassesOver)
    }

    /// Whether a judge that is asked again does better.
    pub(super) fn is_once_of_judges(self) -> bool {
        matches!(
            self,
            Deed::JudgeProse
                | Deed::JudgeOutOfRange
                | Deed::JudgeFloat
                | Deed::JudgeMissing
                | Deed::JudgeExtra
                | Deed::JudgeCut
        )
    }

    /// Whether it is done once in a dialogue: the model heeds what it is told.
    pub(super) fn is_once(self) -> bool {
        matches!(self, Deed::CutArguments | Deed::KeyTwice | Deed::UnknownTool | Deed::TwoCalls)
    }
}

pub const MODES: [Mode; 55] = [
    mode("plain", "answers as the oracle would", Expected::Works, Deed::Plain),
    mode("object_arguments", "arguments as an object instead of a text", Expected::Works, Deed::ObjectArguments),
    mode("no_ids", "calls without ids", Expected::Works, Deed::NoIds),
    mode("same_ids", "all calls under one id", Expected::Works, Deed::SameIds),
    mode("text_beside_calls", "words in the same message as calls", Expected::Works, Deed::TextBesideCalls),
    mode("reasoning", "reasoning in a field of its own", Expected::Works, Deed::Reasoning),
    mode("thoughts", "reasoning at the start of the words", Expected::Works, Deed::Thoughts),
    mode("parts", "words as a list of parts", Expected::Works, Deed::Parts),
    mode("no_usage", "no count of tokens", Expected::Works, Deed::NoUsage),
    mode("stream", "a stream of events, though nobody asked for one", Expected::Works, Deed::Stream),
    mode("slow", "each answer a while later", Expected::Works, Deed::Late),
    mode("wrong_type", "JSON that says that it is a page", Expected::Works, Deed::WrongType),
    mode("rate_limited", "429 with Retry-After, once for each request", Expected::Works, Deed::Status(429)),
    mode("server_error", "500, once for each request", Expected::Works, Deed::Status(500)),
    mode("overloaded", "503, once for each request", Expected::Works, Deed::Status(503)),
    mode("dropped", "the connection closed without an answer, once for each request", Expected::Works, Deed::Dropped),
    mode("truncated", "half of a body, once for each request", Expected::Works, Deed::Truncated),
    mode("not_json", "a page of HTML with status 200, once for each request", Expected::Works, Deed::NotJson),
    mode("no_choices", "JSON that is no completion, once for each request", Expected::Works, Deed::NoChoices),
    mode("error_inside", "an error with status 200, once for each request", Expected::Works, Deed::Inside),
    mode("stream_cut", "a stream that breaks off, once for each request", Expected::Works, Deed::StreamCut),
    mode("down", "500, always", Expected::Unreachable, Deed::Always(500)),
    mode("unauthorized", "401, always", Expected::Unreachable, Deed::Always(401)),
    mode("echo_key", "401 that says back the key it was sent, always", Expected::Unreachable, Deed::EchoKey),
    mode("not_found", "404, always", Expected::Unreachable, Deed::Always(404)),
    mode("bad_request", "400, always", Expected::Unreachable, Deed::Always(400)),
    mode("no_quota", "429 for lack of quota, always", Expected::Unreachable, Deed::Quota),
    mode("redirect", "a redirect to another host, always", Expected::Unreachable, Deed::Redirect),
    mode("endless", "a body without end, always", Expected::Unreachable, Deed::Endless),
    mode("silent", "no answer at all, always", Expected::Unreachable, Deed::Silent),
    mode("drip", "a byte now and then, always", Expected::Unreachable, Deed::Drip),
    mode("filtered", "a filter stops every message", Expected::Unreachable, Deed::Filtered),
    mode("cut_words", "max_tokens is reached before there is a word", Expected::Fails, Deed::CutWords),
    mode("empty", "messages with neither words nor calls", Expected::Fails, Deed::Empty),
    mode("unreadable", "500 because the model's words could not be parsed", Expected::Fails, Deed::Unreadable),
    mode("context_overflow", "400 because the dialogue is too long", Expected::Fails, Deed::TooLong),
    mode(
        "cut_arguments",
        "arguments cut off at max_tokens, once in a dialogue",
        Expected::Stumbles,
        Deed::CutArguments,
    ),
    mode("key_twice", "the same key twice in arguments, once in a dialogue", Expected::Stumbles, Deed::KeyTwice),
    mode(
        "unknown_tool",
        "a call of a tool that does not exist, once in a dialogue",
        Expected::Stumbles,
        Deed::UnknownTool,
    ),
    mode(
        "two_calls",
        "two calls in a message, one of a tool that does not exist, once",
        Expected::Stumbles,
        Deed::TwoCalls,
    ),
    mode("call_as_text", "calls written as words", Expected::Fails, Deed::CallAsText),
    mode("user_adds", "the model `user` adds a value to every message", Expected::Works, Deed::UserAdds),
    mode("user_changes", "the model `user` changes the values of a message", Expected::Works, Deed::UserChanges),
    mode("user_leaks", "the model `user` says what is withheld", Expected::Works, Deed::UserLeaks),
    mode(
        "user_slips",
        "the model `user` adds a value, and heeds that it was refused",
        Expected::Works,
        Deed::UserSlips,
    ),
    judge("judge_fenced", "grades in a fenced block", Expected::Works, Deed::JudgeFenced),
    judge("judge_prose", "grades within words, once for an episode", Expected::Stumbles, Deed::JudgeProse),
    judge("judge_range", "a grade out of range, once for an episode", Expected::Stumbles, Deed::JudgeOutOfRange),
    judge("judge_float", "a grade that is not whole, once for an episode", Expected::Stumbles, Deed::JudgeFloat),
    judge(
        "judge_missing",
        "grades without one of the scales, once for an episode",
        Expected::Stumbles,
        Deed::JudgeMissing,
    ),
    judge("judge_extra", "grades with a key too many, once for an episode", Expected::Stumbles, Deed::JudgeExtra),
    judge("judge_cut", "grades cut off at max_tokens, once for an episode", Expected::Stumbles, Deed::JudgeCut),
    judge(
        "judge_invents",
        "quotes that nobody said, where statements or evidence are asked for",
        Expected::Works,
        Deed::JudgeInvents,
    ),
    judge(
        "judge_passes_over",
        "no verdict on any sentence, where verdicts are asked for",
        Expected::Works,
        Deed::JudgePassesOver,
    ),
    judge("judge_never", "grades within words, always", Expected::Fails, Deed::JudgeNever),
];

const fn mode(name: &'static str, description: &'static str, expected: Expected, deed: Deed) -> Mode {
    let judge = match deed {
        // A judge calls nothing.
        Deed::CutArguments | Deed::KeyTwice | Deed::UnknownTool | Deed::TwoCalls | Deed::CallAsText => Expected::Works,
        _ => expected,
    };
    Mode { name, description, expected, judge, deed }
}

const fn judge(name: &'static str, description: &'static str, judge: Expected, deed: Deed) -> Mode {
    Mode { name, description, expected: Expected::Works, judge, deed }
}

impl std::str::FromStr for &'static Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        MODES.iter().find(|mode| mode.name == text).ok_or_else(|| {
            let near = nearest(text, MODES.iter().map(|mode| mode.name));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            format!("there is no mode `{text}`{near}")
        })
    }
}
