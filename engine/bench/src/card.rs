//! What a benchmark says of itself: by what its episodes are grouped, and which numbers they have. Reports,
//! comparisons, gates and pages loop over it and know nothing else of a benchmark.

use serde::{Deserialize, Serialize};

use super::agent::name::AgentEntry;
use super::code::Code;
use super::instance::Options;
use super::kit::{kept_all, list, maybe, pair, texts, word};
use super::metric::{Metric, Visibility};

/// The card of a benchmark.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The name that `--suite` takes; its file does not say it.
    #[serde(skip_deserializing)]
    pub name: &'static str,
    /// Its title.
    #[serde(deserialize_with = "word")]
    pub title: &'static str,
    /// By what its episodes are grouped, the columns of its table first.
    #[serde(default, deserialize_with = "list")]
    pub factors: &'static [Factor],
    /// Its numbers, in the order of tables; the first is what pass@k goes by.
    #[serde(default, deserialize_with = "list")]
    pub metrics: &'static [Metric],
    /// The metrics that a gate without a file asks about, in this order: few, and none that follows from another.
    #[serde(deserialize_with = "texts")]
    pub gate: &'static [&'static str],
    /// The words that its scorers have for an episode, such as why it failed.
    #[serde(default, deserialize_with = "list")]
    pub tags: &'static [Tag],
    /// The codes that its findings have, those it shares with other benchmarks first.
    #[serde(skip_serializing, default, deserialize_with = "list")]
    pub codes: &'static [Code],
    /// In which other ways it can be played; a run is played in one.
    #[serde(default, deserialize_with = "list")]
    pub options: &'static [RunOption],
    /// Its own agents, as far as they can be told one by one.
    #[serde(skip_serializing, default, deserialize_with = "list")]
    pub agents: &'static [AgentEntry],
    /// The level of a factor at which an oracle reaches the best there is; nothing where it does at all levels.
    #[serde(skip_serializing, default, deserialize_with = "pair")]
    pub sure: Option<(&'static str, &'static str)>,
    /// The option and its value with which what the user says goes through programs, if it can.
    #[serde(skip_serializing, default, deserialize_with = "pair")]
    pub spoken: Option<(&'static str, &'static str)>,
    /// What stands below its table, and what its numbers must not be taken for.
    #[serde(deserialize_with = "word")]
    pub legend: &'static str,
    /// Why its file could not be read, if so: then it says nothing else.
    #[serde(skip)]
    pub unread: Option<String>,
}

/// One way to group episodes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// Its name in JSON, flags and gates: `variant`.
    #[serde(deserialize_with = "word")]
    pub name: &'static str,
    /// Its title on a page: `Behaviour`.
    #[serde(deserialize_with = "word")]
    pub title: &'static str,
    /// Its levels in the order of columns; empty where they come from the tasks.
    #[serde(default, deserialize_with = "list")]
    pub levels: &'static [Level],
    /// The level that the others are held against, if there is one.
    #[serde(default, deserialize_with = "maybe")]
    pub baseline: Option<&'static str>,
    /// What it is for.
    pub role: Role,
}

/// What a factor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A task is played once at each of its levels: it is a part of an instance's name.
    Setting,
    /// The task brings it.
    Property,
}

/// A level that is known beforehand.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "LevelFile")]
pub struct Level {
    /// Its name in JSON and flags: `goal_switching`.
    pub name: &'static str,
    /// Its title, in lines.
    pub title: &'static [&'static str],
    /// The same for narrow tables.
    pub short: &'static [&'static str],
}

/// A level is its name alone where that is its title, in one line and in narrow tables.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum LevelFile {
    Plain(String),
    Titled { name: String, title: Vec<String>, short: Option<Vec<String>> },
}

impl From<LevelFile> for Level {
    fn from(file: LevelFile) -> Level {
        let (name, title, short) = match file {
            LevelFile::Plain(name) => (name.clone(), vec![name], None),
            LevelFile::Titled { name, title, short } => (name, title, short),
        };
        let title = kept_all(title);
        Level { name: name.leak(), title, short: short.map_or(title, kept_all) }
    }
}

/// A kind of words that scorers have for an episode.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tag {
    /// Its name in JSON: `failure_mode`.
    #[serde(deserialize_with = "word")]
    pub name: &'static str,
    /// The title of its counts: `failure modes`.
    #[serde(deserialize_with = "word")]
    pub title: &'static str,
    /// What it means, in a sentence.
    #[serde(deserialize_with = "word")]
    pub meaning: &'static str,
    /// The section that has all of it.
    #[serde(deserialize_with = "word")]
    pub section: &'static str,
    /// Its words, in order.
    #[serde(deserialize_with = "texts")]
    pub words: &'static [&'static str],
    /// The word that needs no mention where there is no other.
    #[serde(default, deserialize_with = "maybe")]
    pub usual: Option<&'static str>,
}

impl Card {
    /// The card of a suite, as its file says; `shared` are codes that its findings have beside its own. One that cannot
    /// be read has a problem and nothing else.
    pub fn read(name: &'static str, text: &'static str, shared: &[Code]) -> Card {
        match toml::from_str::<Card>(text) {
            Ok(card) => Card { name, codes: [shared, card.codes].concat().leak(), ..card },
            Err(refused) => Card { name, unread: Some(refused.to_string()), ..Card::default() },
        }
    }

    /// The metric of this name.
    pub fn metric(&self, name: &str) -> Option<&'static Metric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// The factor of this name.
    pub fn factor(&self, name: &str) -> Option<&'static Factor> {
        self.factors.iter().find(|factor| factor.name == name)
    }

    /// Whether a finding of this code is one too many; one that is not known here is not.
    pub fn is_severe(&self, code: &str) -> bool {
        self.codes.iter().any(|known| known.name == code && known.is_severe)
    }

    /// What a gate, pass@k and the first column go by.
    pub fn headline(&self) -> &'static str {
        self.metrics.first().map_or("", |metric| metric.name)
    }

    /// The factors that are a part of an instance's name.
    pub fn settings(&self) -> impl Iterator<Item = &'static Factor> {
        self.factors.iter().filter(|factor| factor.role == Role::Setting)
    }

    /// The factor whose levels are the columns of the table: the first setting with levels known beforehand.
    pub fn columns(&self) -> Option<&'static Factor> {
        self.settings().find(|factor| !factor.levels.is_empty())
    }

    /// The metrics of every table.
    pub fn in_table(&self) -> impl Iterator<Item = &'static Metric> {
        self.metrics.iter().filter(|metric| metric.place == Visibility::Table)
    }
}

/// Words that pages use in addresses beside the names of a card.
const TAKEN: [&str; 13] = [
    "agent", "calls", "change", "episode", "finding", "metric", "outcome", "page", "pair", "sort", "task", "text",
    "trial",
];

impl Card {
    /// What keeps it from being drawn or asked for, if anything: the first metric stands in every table, no name is used
    /// twice, and a level is known by its name alone.
    pub fn problem(&self) -> Option<String> {
        if let Some(unread) = &self.unread {
            return Some(format!("its file cannot be read: {unread}"));
        }
        let Some(first) = self.metrics.first() else { return Some("it has no metric".to_owned()) };
        if first.place != Visibility::Table {
            return Some(format!("its first metric, `{}`, does not stand in the table", first.name));
        }
        if let Some(name) = self.gate.iter().find(|name| self.metric(name).is_none()) {
            return Some(format!("its gate asks about `{name}`, which is no metric of it"));
        }
        if self.gate.is_empty() {
            return Some("its gate asks about nothing".to_owned());
        }
        let lowered = self.agents.iter().flat_map(|agent| &agent.must_lower);
        if let Some(name) = lowered.into_iter().find(|name| self.metric(name).is_none()) {
            return Some(format!("an agent must lower `{name}`, which is no metric of it"));
        }
        let factors = self.factors.iter().map(|factor| factor.name);
        let names =
            factors.chain(self.metrics.iter().map(|metric| metric.name)).chain(self.tags.iter().map(|t| t.name));
        let mut seen: std::collections::BTreeSet<&str> = TAKEN.into_iter().collect();
        let taken = names.into_iter().find(|name| !seen.insert(name)).map(|name| format!("the name `{name}` is taken"));
        taken.or_else(|| self.level_problem())
    }

    /// Episodes and gates name levels without their factors, `all` means every episode, and tasks have `/` in their ids.
    fn level_problem(&self) -> Option<String> {
        let mut seen = std::collections::BTreeSet::from(["all"]);
        let levels = self.factors.iter().flat_map(|factor| factor.levels).map(|level| level.name);
        levels.into_iter().find_map(|name| {
            let is_plain = !name.is_empty() && !name.contains([' ', '/']);
            let is_new = seen.insert(name);
            (!is_plain || !is_new).then(|| match is_plain {
                true => format!("the level `{name}` is taken"),
                false => format!("the level `{name}` is no single word"),
            })
        })
    }
}

impl Factor {
    /// Levels in the order of the card, then those it does not know by name.
    pub fn order<'a>(&self, levels: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        let mut levels: Vec<&str> = levels.into_iter().collect();
        let place = |level: &str| self.levels.iter().position(|known| known.name == level).unwrap_or(usize::MAX);
        levels.sort_by_key(|level| (place(level), *level));
        levels
    }
}

/// A choice between ways to play, made for a whole run: `--set attempts=2`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOption {
    /// Its name.
    #[serde(deserialize_with = "word")]
    pub name: &'static str,
    /// What it decides, in a sentence.
    #[serde(deserialize_with = "word")]
    pub meaning: &'static str,
    /// Its values, the usual one first.
    #[serde(deserialize_with = "texts")]
    pub values: &'static [&'static str],
}

impl Card {
    /// The value of an option, which is the usual one where a run says nothing.
    pub fn option<'a>(&self, options: &'a Options, name: &str) -> Option<&'a str> {
        let usual = || self.options.iter().find(|option| option.name == name)?.values.first().copied();
        options.get(name).map(String::as_str).or_else(usual)
    }

    /// The options of a run, if the card has them with these values; the usual ones are left out.
    ///
    /// # Errors
    /// What it does not know, in a line, and what it does.
    pub fn options(&self, asked: &[(String, String)]) -> Result<Options, (String, String)> {
        let mut options = Options::new();
        for (name, value) in asked {
            let Some(option) = self.options.iter().find(|option| option.name == name) else {
                let known: Vec<&str> = self.options.iter().map(|option| option.name).collect();
                let help = match known.as_slice() {
                    [] => "it has none: leave them out".to_owned(),
                    known => format!("it has {}", known.join(", ")),
                };
                return Err((format!("the suite `{}` has no option `{name}`", self.name), help));
            };
            if !option.values.contains(&value.as_str()) {
                let help = format!("it is one of {}", option.values.join(", "));
                return Err((format!("`{value}` is no value of the option `{name}`"), help));
            }
            if option.values.first() != Some(&value.as_str()) {
                options.insert(name.clone(), value.clone());
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(levels: [&str; 2]) -> Option<String> {
        let factor = |(name, level)| {
            format!("[[factors]]\nname = \"{name}\"\ntitle = \"\"\nrole = \"setting\"\nlevels = [\"{level}\"]\n")
        };
        let [pace, make] = levels;
        let metric = "[[metrics]]\nname = \"hit\"\ntitle = \"\"\nmeaning = \"\"\nformula = \"\"\nsection = \"\"\nplace = \"table\"\n";
        let head = "title = \"\"\ngate = [\"hit\"]\nlegend = \"\"\n";
        let text = format!("{head}{metric}{}{}", factor(("pace", pace)), factor(("make", make)));
        Card::read("x", text.leak(), &[]).problem()
    }

    #[test]
    fn a_level_is_known_by_its_name_alone() {
        assert_eq!(problem(["slow", "steel"]), None);
        for (levels, what) in [
            (["plain", "plain"], "the level `plain` is taken"),
            (["all", "steel"], "the level `all` is taken"),
            (["very slow", "steel"], "the level `very slow` is no single word"),
            (["slow/fast", "steel"], "the level `slow/fast` is no single word"),
        ] {
            assert_eq!(problem(levels).as_deref(), Some(what));
        }
    }

    #[test]
    fn a_card_that_cannot_be_read_says_why() {
        let card = Card::read("x", "title = \"\"\nlegned = \"\"\n", &[]);
        assert!(card.problem().is_some_and(|what| what.contains("unknown field `legned`")), "{:?}", card.problem());
    }

    #[test]
    fn agents_lower_what_the_card_measures() {
        let metric = "[[metrics]]\nname = \"hit\"\ntitle = \"\"\nmeaning = \"\"\nformula = \"\"\nsection = \"\"\nplace = \"table\"\n";
        let lowers = |name: &str| {
            let agent = format!("[[agents]]\nname = \"idle\"\ndescription = \"\"\nmust_lower = [\"{name}\"]\n");
            let text = format!("title = \"\"\ngate = [\"hit\"]\nlegend = \"\"\n{metric}{agent}");
            Card::read("x", text.leak(), &[]).problem()
        };
        assert_eq!(lowers("hit"), None);
        assert_eq!(lowers("hitt").as_deref(), Some("an agent must lower `hitt`, which is no metric of it"));
    }
}
