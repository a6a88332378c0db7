//! The card of the tau2 suite: worlds, splits, modes, and both verdicts with their parts.

use probity_bench::{Aggregation, Card, Code, Direction, Factor, Level, Metric, Role, RunOption, Tag, Visibility};

/// The name that `--suite` takes.
pub const NAME: &str = "tau2";
pub const WORLD: &str = "world";
pub const SPLIT: &str = "split";
pub const MODE: &str = "mode";
/// The option that says whether worlds have tau2-bench's defects.
pub const COMPAT: &str = "compat";
pub const VERDICTS: &str = "verdicts";

const SECTION: &str = "Verdicts";

pub static CARD: Card = Card {
    name: NAME,
    title: "the tasks of tau2-bench, with its verdicts and ours",
    factors: &FACTORS,
    metrics: &METRICS,
    gate: &["reward", "sr"],
    tags: &TAGS,
    codes: &[&CODES],
    options: &OPTIONS,
    sure: None,
    spoken: None,
    legend: "\
Reward: tau2-bench's verdict. SR: ours. - is not scored, never 0: where the reward needs a judge, there is none.
",
};

static CODES: [Code; 7] = [
    Code::usual("not_as_wanted"),
    Code::usual("not_told"),
    Code::usual("not_handed_over"),
    Code::usual("handed_over"),
    Code::usual("not_looked"),
    Code::usual("other_state"),
    Code::usual("not_ended"),
];

static FACTORS: [Factor; 3] = [
    Factor { name: MODE, title: "Mode", levels: &MODES, baseline: Some("dual"), role: Role::Setting },
    Factor { name: WORLD, title: "World", levels: &WORLDS, baseline: None, role: Role::Property },
    Factor { name: SPLIT, title: "Split", levels: &SPLITS, baseline: None, role: Role::Property },
];

static MODES: [Level; 2] = [Level::new("dual", &["dual"], &["dual"]), Level::new("solo", &["solo"], &["solo"])];
static WORLDS: [Level; 3] = [
    Level::new("retail", &["retail"], &["retail"]),
    Level::new("airline", &["airline"], &["airline"]),
    Level::new("telecom", &["telecom"], &["telecom"]),
];
static SPLITS: [Level; 3] = [
    Level::new("train", &["train"], &["train"]),
    Level::new("test", &["test"], &["test"]),
    Level::new("other", &["other"], &["other"]),
];

const fn metric(
    (name, title): (&'static str, &'static str),
    place: Visibility,
    [meaning, formula]: [&'static str; 2],
) -> Metric {
    let (aggregation, direction, range) = (Aggregation::Mean, Direction::Up, (0.0, 1.0));
    Metric { name, title, meaning, formula, section: SECTION, range, aggregation, direction, place, only: None }
}

const fn pooled(metric: Metric) -> Metric {
    Metric { aggregation: Aggregation::Pooled, ..metric }
}

static METRICS: [Metric; 10] = [
    metric(
        ("reward", "Reward"),
        Visibility::Table,
        [
            "tau2-bench's verdict.",
            "product of the components in the task's reward basis; 0 where no side ended the dialogue",
        ],
    ),
    metric(
        ("sr", "SR"),
        Visibility::Table,
        [
            "Our verdict: everything that is wanted, and nothing of its form.",
            "state as the gold calls leave it, lists as bags; assertions hold; facts told; handed over if and only if wanted",
        ],
    ),
    metric(
        ("db", "DB"),
        Visibility::Table,
        ["Both databases are what the gold calls make of them.", "the states are equal, lists in order"],
    ),
    metric(
        ("env", "Env"),
        Visibility::Page,
        ["What the task asserts of the end holds.", "all assertions have the answer that is expected"],
    ),
    metric(
        ("action", "Action"),
        Visibility::Page,
        [
            "Every gold call was made.",
            "for each some call of the same tool has the compared arguments; order and number do not count",
        ],
    ),
    metric(
        ("communicate", "Comm."),
        Visibility::Page,
        [
            "Every text that has to be said was said.",
            "each stands anywhere in some message, in lower case, without the message's commas",
        ],
    ),
    metric(
        ("nl", "NL"),
        Visibility::Beside,
        ["Sentences that must be true of the dialogue.", "needs a judge, and is never scored here"],
    ),
    pooled(metric(
        ("reads", "Reads"),
        Visibility::Page,
        ["How many of the gold calls that look were made.", "such calls that were made / such calls"],
    )),
    pooled(metric(
        ("writes", "Writes"),
        Visibility::Page,
        ["How many of the gold calls that change something were made.", "such calls that were made / such calls"],
    )),
    Metric {
        range: (0.0, f64::INFINITY),
        direction: Direction::Down,
        ..metric(("agent_messages", "Messages"), Visibility::Beside, ["Messages with words.", "counted"])
    },
];

static TAGS: [Tag; 2] = [
    Tag {
        name: VERDICTS,
        title: "both verdicts",
        meaning: "Whether our verdict is stricter or laxer than tau2-bench's; open where one of them is not scored.",
        section: SECTION,
        words: &["same", "stricter", "laxer", "open"],
        usual: Some("same"),
    },
    Tag {
        name: "ending",
        title: "endings",
        meaning: "How the dialogue ended; only one that a side ended is graded.",
        section: SECTION,
        words: &["stopped", "too_many_errors", "max_steps", "agent_error", "unreached"],
        usual: Some("stopped"),
    },
];

static OPTIONS: [RunOption; 1] =
    [RunOption { name: COMPAT, meaning: "whether the worlds have tau2-bench's defects", values: &["on", "off"] }];
