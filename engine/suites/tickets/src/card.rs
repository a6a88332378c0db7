//! The card of the ticket suite: modes, metrics and options (docs/TICKETS.md, "Metrics").

use crate::play::{CHECKPOINT, MODE};
use probity_bench::{Aggregation, Card, Code, Direction, Factor, Level, Metric, Role, RunOption, Tag, Visibility};

/// The name that `--suite` takes.
pub const NAME: &str = "tickets";

/// What the suite measures (CirrusBench, 4 and A).
pub static CARD: Card = Card {
    name: NAME,
    title: "recorded service tickets, resolved checkpoint by checkpoint",
    factors: &FACTORS,
    metrics: &METRICS,
    gate: &["sr_pass1"],
    tags: &TAGS,
    codes: &[&CODES],
    options: &OPTIONS,
    sure: None,
    spoken: None,
    legend: "\
SR: in multi_turn the ticket is resolved, in single_turn the response counts; - is not scored, never 0.
ALJ, ANEI and AMTL: over tickets with a covered checkpoint; alj_all and anei_all over all of them, as the paper's tables.
",
};

static CODES: [Code; 9] = [
    Code::usual("no_reply"),
    Code::usual("no_verdict"),
    Code::usual("not_conveyed"),
    Code::usual("needless_call"),
    Code::usual("no_call"),
    Code::usual("tool_not_called"),
    Code::usual("other_arguments"),
    Code::usual("second_attempt"),
    Code::usual("not_fluent"),
];

static FACTORS: [Factor; 7] = [
    Factor { name: MODE, title: "Mode", levels: &MODES, baseline: None, role: Role::Setting },
    Factor { name: CHECKPOINT, title: "Checkpoint", levels: &[], baseline: None, role: Role::Setting },
    property("category", "Category", &[]),
    property("checkpoints", "Checkpoints", &COUNTS),
    property("tools", "Tools", &TOOLS),
    property("tokens", "Input tokens", &TOKENS),
    property("reply_type", "Reply type", &REPLY_TYPES),
];

const fn property(name: &'static str, title: &'static str, levels: &'static [Level]) -> Factor {
    Factor { name, title, levels, baseline: None, role: Role::Property }
}

static MODES: [Level; 2] =
    [Level::new("multi_turn", &["multi-turn"], &["multi"]), Level::new("single_turn", &["single-turn"], &["single"])];
static COUNTS: [Level; 5] = [
    Level::new("1", &["1"], &["1"]),
    Level::new("2", &["2"], &["2"]),
    Level::new("3", &["3"], &["3"]),
    Level::new("4", &["4"], &["4"]),
    Level::new("5+", &["5+"], &["5+"]),
];
static TOOLS: [Level; 2] = [
    Level::new("with_tool", &["with", "tool"], &["tool"]),
    Level::new("without_tool", &["without", "tool"], &["none"]),
];
static TOKENS: [Level; 3] = [
    Level::new("<8000", &["<8000"], &["<8k"]),
    Level::new("8000-16000", &["8000-16000"], &["8-16k"]),
    Level::new(">16000", &[">16000"], &[">16k"]),
];
static REPLY_TYPES: [Level; 5] = [
    Level::new("solution", &["solution"], &["solve"]),
    Level::new("standard", &["standard"], &["stand."]),
    Level::new("inquire", &["inquire"], &["inqu."]),
    Level::new("clarify", &["clarify"], &["clar."]),
    Level::new("appease", &["appease"], &["app."]),
];

const RESOLUTION: &str = "Resolution";
const RESPONSE: &str = "Responses";

const fn metric(
    (name, title): (&'static str, &'static str),
    section: &'static str,
    place: Visibility,
    range: (f64, f64),
    [meaning, formula]: [&'static str; 2],
) -> Metric {
    let (aggregation, direction) = (Aggregation::Mean, Direction::Up);
    Metric { name, title, meaning, formula, section, range, aggregation, direction, place, only: None }
}

const SHARE: (f64, f64) = (0.0, 1.0);
/// A ticket has 64 checkpoints at most.
const JUMPS: (f64, f64) = (0.0, 63.0);
const TOKEN_COUNT: (f64, f64) = (0.0, f64::INFINITY);

/// A number of tickets, and one of responses: where alone it is measured, and the section that has it.
const OF_TICKET: (&str, &str) = ("multi_turn", RESOLUTION);
const OF_RESPONSE: (&str, &str) = ("single_turn", RESPONSE);

const fn of(
    (mode, section): (&'static str, &'static str),
    names: (&'static str, &'static str),
    place: Visibility,
    range: (f64, f64),
    words: [&'static str; 2],
) -> Metric {
    Metric { only: Some((MODE, mode)), ..metric(names, section, place, range, words) }
}

const fn fewer(metric: Metric) -> Metric {
    Metric { direction: Direction::Down, ..metric }
}

const fn pooled(metric: Metric) -> Metric {
    Metric { aggregation: Aggregation::Pooled, ..metric }
}

static METRICS: [Metric; 18] = [
    metric(
        ("sr_pass1", "SR pass@1"),
        RESOLUTION,
        Visibility::Table,
        SHARE,
        [
            "Resolved at the first attempt everywhere; in single_turn, the first response counts.",
            "every checkpoint is covered, each response at its first attempt; the share of tickets",
        ],
    ),
    metric(
        ("sr_pass2", "SR pass@2"),
        RESOLUTION,
        Visibility::Page,
        SHARE,
        [
            "Resolved where two attempts at each checkpoint are allowed (attempts=2).",
            "every checkpoint is covered; the share of tickets",
        ],
    ),
    of(
        OF_TICKET,
        ("atpr", "ATPR"),
        Visibility::Table,
        SHARE,
        [
            "Task progress rate: how much of the ticket is covered.",
            "covered checkpoints / all checkpoints; the mean over tickets",
        ],
    ),
    of(
        OF_TICKET,
        ("alj", "ALJ"),
        Visibility::Page,
        JUMPS,
        [
            "Logical jumps: checkpoints that the response to an earlier one covered.",
            "covered checkpoints - accepted responses; the mean over tickets with a covered one",
        ],
    ),
    of(
        OF_TICKET,
        ("anei", "ANEI"),
        Visibility::Table,
        SHARE,
        [
            "Normalised efficiency index: jumps over those that were possible; 1 for a single covered checkpoint.",
            "jumps / (covered checkpoints - 1); the mean over tickets with a covered one",
        ],
    ),
    fewer(of(
        OF_TICKET,
        ("amtl", "AMTL"),
        Visibility::Table,
        TOKEN_COUNT,
        [
            "Mean task latency: output tokens for each covered checkpoint.",
            "output tokens of accepted responses / covered checkpoints; the mean over tickets with a covered one",
        ],
    )),
    of(
        OF_TICKET,
        ("alj_all", "ALJ (all)"),
        Visibility::Beside,
        JUMPS,
        [
            "Logical jumps over all tickets, as the paper's tables have them.",
            "covered checkpoints - accepted responses; the mean over all tickets",
        ],
    ),
    of(
        OF_TICKET,
        ("anei_all", "ANEI (all)"),
        Visibility::Beside,
        SHARE,
        [
            "The efficiency index over all tickets, as the paper's tables have it.",
            "jumps / (covered checkpoints - 1), 0 where none is covered; the mean over all tickets",
        ],
    ),
    fewer(of(
        OF_TICKET,
        ("amtl_per_response", "AMTL (response)"),
        Visibility::Beside,
        TOKEN_COUNT,
        [
            "Output tokens of an accepted response.",
            "output tokens of accepted responses / accepted responses; the mean over tickets",
        ],
    )),
    fewer(of(
        OF_TICKET,
        ("amtl_alg1", "AMTL (algorithm 1)"),
        Visibility::Beside,
        TOKEN_COUNT,
        [
            "Mean task latency as the paper's algorithm prints it, with the response that was rejected at the end.",
            "output tokens of all last attempts / covered checkpoints; the mean over tickets with a covered one",
        ],
    )),
    of(
        OF_RESPONSE,
        ("rr", "RR"),
        Visibility::Table,
        SHARE,
        [
            "Response reliability: the response conveys what the recorded one does.",
            "every key fact asserted and every marker kept; the share of responses",
        ],
    ),
    of(
        OF_RESPONSE,
        ("rr_pass2", "RR pass@2"),
        Visibility::Page,
        SHARE,
        [
            "The same of the better of two attempts (attempts=2).",
            "one of two responses conveys it; the share of checkpoints",
        ],
    ),
    of(
        OF_RESPONSE,
        ("tia", "TIA"),
        Visibility::Table,
        SHARE,
        [
            "Tool invocation accuracy: a tool is called where one is needed, and only there.",
            "called = needed; the share of responses",
        ],
    ),
    of(
        OF_RESPONSE,
        ("tsa", "TSA"),
        Visibility::Table,
        SHARE,
        [
            "Tool selection accuracy: every recorded tool is called.",
            "each recorded tool is called; the share of responses that need one",
        ],
    ),
    of(
        OF_RESPONSE,
        ("tev", "TEV"),
        Visibility::Table,
        SHARE,
        [
            "Tool execution validity: every recorded call is made, with its arguments.",
            "each recorded call is made; the share of responses that need one",
        ],
    ),
    pooled(of(
        OF_RESPONSE,
        ("tsa_calls", "TSA (calls)"),
        Visibility::Beside,
        SHARE,
        [
            "The share of recorded calls whose tool is called.",
            "recorded calls whose tool is called / recorded calls, pooled",
        ],
    )),
    pooled(of(
        OF_RESPONSE,
        ("tev_calls", "TEV (calls)"),
        Visibility::Beside,
        SHARE,
        ["The share of recorded calls that are made.", "recorded calls that are made / recorded calls, pooled"],
    )),
    fewer(of(
        OF_RESPONSE,
        ("stl", "STL"),
        Visibility::Table,
        TOKEN_COUNT,
        [
            "Single-turn latency: output tokens of a response, its calls included.",
            "output tokens of all messages of the first attempt; the mean over responses",
        ],
    )),
];

static TAGS: [Tag; 2] = [
    Tag {
        name: "termination",
        title: "terminations",
        meaning: "Why the ticket was not resolved, or not by first attempts alone.",
        section: RESOLUTION,
        words: &["rejected", "not_fluent", "second_attempt"],
        usual: None,
    },
    Tag {
        name: "token_source",
        title: "token sources",
        meaning: "Who counted output tokens: the agent's provider, or four characters are one.",
        section: RESOLUTION,
        words: &["provider", "characters"],
        usual: Some("characters"),
    },
];

static OPTIONS: [RunOption; 4] = [
    RunOption { name: "attempts", meaning: "attempts at each checkpoint", values: &["1", "2"] },
    RunOption {
        name: "policy",
        meaning: "whether a response needs the recorded calls to count, or its words alone",
        values: &["strict", "reply"],
    },
    RunOption {
        name: "match",
        meaning: "whether a call needs all recorded arguments, or any of them",
        values: &["exact", "subset"],
    },
    RunOption {
        name: "pick",
        meaning: "whether equal recorded calls answer one after another, or the first always",
        values: &["sequence", "first"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{CHECKPOINTS, TOKENS};
    use crate::model::ReplyType;
    use crate::play::Mode;

    #[test]
    fn the_levels_are_those_that_instances_have() {
        let levels =
            |name: &str| -> Vec<&str> { CARD.factor(name).unwrap().levels.iter().map(|level| level.name).collect() };
        let modes = [Mode::MultiTurn, Mode::SingleTurn(1)].map(|mode| mode.levels().get(MODE).unwrap().to_owned());
        assert_eq!(levels("mode"), modes);
        assert_eq!(levels("checkpoints"), CHECKPOINTS);
        assert_eq!(levels("tokens"), TOKENS);
        let kinds =
            [ReplyType::Solution, ReplyType::Standard, ReplyType::Inquire, ReplyType::Clarify, ReplyType::Appease];
        assert_eq!(levels("reply_type"), kinds.map(ReplyType::name));
    }
}
