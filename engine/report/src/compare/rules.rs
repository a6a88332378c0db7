//! A gate file: what must hold of the new run, rule by rule, as it is written and what that comes to.

use serde::Deserialize;
use toml::Spanned;

use super::difference::GroupName;
use probity_bench::stats::permutation;
use probity_bench::{Card, Levels};
use probity_engine::suggest;
use probity_engine::visible::visible;

/// The version of the gate format this build reads.
pub const FORMAT: u32 = 1;

#[derive(Clone, Debug, PartialEq)]
pub struct GateFile {
    /// The chance of a false alarm that is put up with, for all rules of `no_significant_drop` together.
    pub level: f64,
    /// The rules; all must hold.
    pub rules: Vec<Rule>,
}

/// What must hold, by what it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    Metric(MetricRule),
    Lost(LostRule),
    Finding(FindingRule),
    PassK(PassKRule),
}

#[derive(Clone, Debug, PartialEq)]
pub struct MetricRule {
    pub metric: &'static str,
    /// Only at this level of one factor, as in `variant = "ideal"`.
    pub levels: Levels,
    pub min: Option<f64>,
    pub max: Option<f64>,
    /// By how much it may be worse than the base.
    pub max_drop: Option<f64>,
    /// Whether it may not fall significantly below the base.
    pub no_significant_drop: bool,
}

/// How many instances may be lost whole: every trial of the base succeeds, none of the new run's.
#[derive(Clone, Debug, PartialEq)]
pub struct LostRule {
    pub most: usize,
    pub levels: Levels,
}

/// At how many instances a finding may be new.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingRule {
    pub code: &'static str,
    pub max_new: usize,
    /// In how many trials of an instance it must stand to count.
    pub trials: usize,
    pub levels: Levels,
}

/// How often all of `k` trials succeed.
#[derive(Clone, Debug, PartialEq)]
pub struct PassKRule {
    pub k: usize,
    pub min: Option<f64>,
    pub max_drop: Option<f64>,
    pub levels: Levels,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: Spanned<u32>,
    level: Option<Spanned<f64>>,
    #[serde(rename = "rule")]
    rules: Vec<Spanned<WrittenRule>>,
}

/// The chance of a false alarm that is put up with, when no file says otherwise.
pub const LEVEL: f64 = 0.05;

/// The line on which something begins.
fn line<T>(text: &str, of: &Spanned<T>) -> usize {
    1 + text.bytes().take(of.span().start).filter(|byte| *byte == b'\n').count()
}

impl GateFile {
    /// Reads a gate file for a benchmark.
    /// An error: what is wrong, with the line and column where it stands.
    pub fn parse(card: &Card, text: &str) -> Result<GateFile, String> {
        // What cannot be seen in the file is shown in what is said of it.
        Self::read(card, text).map_err(|problem| visible(problem.trim_end()).into_owned())
    }

    fn read(card: &Card, text: &str) -> Result<GateFile, String> {
        let file: Written = toml::from_str(text).map_err(|error| error.to_string())?;
        if *file.format.get_ref() != FORMAT {
            let (format, line) = (file.format.get_ref(), line(text, &file.format));
            return Err(format!("line {line}: format {format} is not known; this build reads {FORMAT}"));
        }
        if file.rules.is_empty() {
            return Err("it has no `[[rule]]`: such a gate would let everything through".to_owned());
        }
        let level = file.level.as_ref().map_or(LEVEL, |level| *level.get_ref());
        let at_level = file.level.as_ref().map(|level| format!("line {}: ", line(text, level))).unwrap_or_default();
        if !(level > 0.0 && level < 1.0) {
            return Err(format!("{at_level}`level` is {level}, not between 0 and 1"));
        }
        let (mut rules, mut problems) = (Vec::new(), Vec::new());
        for rule in file.rules {
            let line = line(text, &rule);
            match rule.into_inner().checked(card) {
                Ok(rule) => rules.push(rule),
                Err(problem) => problems.push(format!("the rule at line {line}: {problem}")),
            }
        }
        let file = GateFile { level, rules };
        problems.extend(file.blind().map(|blind| format!("{at_level}{blind}")));
        if problems.is_empty() { Ok(file) } else { Err(problems.join("\n")) }
    }

    /// The rules that ask whether a metric fell significantly.
    pub fn questions(&self) -> impl Iterator<Item = &MetricRule> {
        self.metric_rules().filter(|rule| rule.no_significant_drop)
    }

    fn metric_rules(&self) -> impl Iterator<Item = &MetricRule> {
        self.rules.iter().filter_map(|rule| match rule {
            Rule::Metric(rule) => Some(rule),
            Rule::Lost(_) | Rule::Finding(_) | Rule::PassK(_) => None,
        })
    }

    /// The metrics that it asks about.
    pub fn metrics(&self) -> impl Iterator<Item = &'static str> {
        self.metric_rules().map(|rule| rule.metric)
    }

    /// The groups of episodes in which it asks about metrics.
    pub fn groups(&self) -> Vec<GroupName> {
        let groups: std::collections::BTreeSet<GroupName> =
            self.metric_rules().map(|rule| GroupName::of(&rule.levels)).collect();
        groups.into_iter().collect()
    }

    /// The rules that ask whether a metric fell significantly share the level; none of them could ever fail where no
    /// drop is called as rare as their share.
    fn blind(&self) -> Option<String> {
        let asked = self.questions().count();
        #[expect(clippy::cast_precision_loss, reason = "a file has few rules")]
        let least = asked as f64 * permutation::LEAST;
        (least >= self.level).then(|| {
            let level = self.level;
            format!(
                "`level` is {level}, shared by {asked} rules of `no_significant_drop`; chances below {:.4} are not told \
                 apart, so that none of them could fail: give more than {least:.4}, or ask less",
                permutation::LEAST
            )
        })
    }
}

/// What a rule can be about; each has its own keys.
const SUBJECTS: [&str; 4] = ["metric", "lost_instances", "finding", "pass_k"];

/// What is none of these keys is a factor.
#[derive(Deserialize)]
pub(super) struct WrittenRule {
    metric: Option<String>,
    lost_instances: Option<usize>,
    finding: Option<String>,
    pass_k: Option<usize>,
    min: Option<f64>,
    max: Option<f64>,
    max_drop: Option<f64>,
    no_significant_drop: Option<bool>,
    max_new: Option<usize>,
    trials: Option<usize>,
    #[serde(flatten)]
    others: std::collections::BTreeMap<String, toml::Value>,
}

impl WrittenRule {
    /// The rule, checked against the card.
    pub(super) fn checked(self, card: &Card) -> Result<Rule, String> {
        let levels = levels(card, &self.others)?;
        match (&self.metric, self.lost_instances, &self.finding, self.pass_k) {
            (Some(name), None, None, None) => self.metric(card, name, levels).map(Rule::Metric),
            (None, Some(most), None, None) => {
                self.only(SUBJECTS[1], &[])?;
                Ok(Rule::Lost(LostRule { most, levels }))
            }
            (None, None, Some(code), None) => self.finding(card, code, levels).map(Rule::Finding),
            (None, None, None, Some(k)) => self.pass_k(k, levels).map(Rule::PassK),
            (None, None, None, None) => Err(format!("it is about nothing: give one of `{}`", SUBJECTS.join("`, `"))),
            _ => Err(format!("it is about several things: give one of `{}`", SUBJECTS.join("`, `"))),
        }
    }

    /// That a rule has no keys beside those that go with what it is about.
    fn only(&self, subject: &str, allowed: &[&str]) -> Result<(), String> {
        let given = [
            ("min", self.min.is_some()),
            ("max", self.max.is_some()),
            ("max_drop", self.max_drop.is_some()),
            ("no_significant_drop", self.no_significant_drop.is_some()),
            ("max_new", self.max_new.is_some()),
            ("trials", self.trials.is_some()),
        ];
        match given.iter().find(|(key, is_given)| *is_given && !allowed.contains(key)) {
            Some((key, _)) if allowed.is_empty() => Err(format!("`{subject}` takes no `{key}`")),
            Some((key, _)) => Err(format!("`{subject}` takes no `{key}`; it takes `{}`", allowed.join("`, `"))),
            None => Ok(()),
        }
    }

    fn metric(&self, card: &Card, name: &str, levels: Levels) -> Result<MetricRule, String> {
        let names = || card.metrics.iter().map(|metric| metric.name);
        let Some(metric) = card.metric(name) else {
            return Err(format!("there is no metric `{name}`; {}", suggest::help(name, names())));
        };
        self.only("metric", &["min", "max", "max_drop", "no_significant_drop"])?;
        let no_significant_drop = self.no_significant_drop == Some(true);
        if self.min.or(self.max).or(self.max_drop).is_none() && !no_significant_drop {
            return Err("it asks for nothing: give `min`, `max`, `max_drop` or `no_significant_drop = true`".to_owned());
        }
        let (least, most) = metric.range;
        within("min", self.min, (least, most))?;
        within("max", self.max, (least, most))?;
        within("max_drop", self.max_drop, (0.0, most - least))?;
        let WrittenRule { min, max, max_drop, .. } = *self;
        Ok(MetricRule { metric: metric.name, levels, min, max, max_drop, no_significant_drop })
    }

    fn finding(&self, card: &Card, code: &str, levels: Levels) -> Result<FindingRule, String> {
        self.only("finding", &["max_new", "trials"])?;
        let names = || card.codes.iter().map(|known| known.name);
        let Some(code) = names().find(|known| *known == code) else {
            return Err(format!("there is no finding `{code}`; {}", suggest::help(code, names())));
        };
        match self.trials {
            Some(0) => Err("`trials` is 0; a finding stands in one at least".to_owned()),
            trials => Ok(FindingRule { code, max_new: self.max_new.unwrap_or(0), trials: trials.unwrap_or(1), levels }),
        }
    }

    fn pass_k(&self, k: usize, levels: Levels) -> Result<PassKRule, String> {
        self.only("pass_k", &["min", "max_drop"])?;
        if k == 0 {
            return Err("`pass_k` is 0; give the trials that must all succeed".to_owned());
        }
        if self.min.or(self.max_drop).is_none() {
            return Err("it asks for nothing: give `min` or `max_drop`".to_owned());
        }
        within("min", self.min, (0.0, 1.0))?;
        within("max_drop", self.max_drop, (0.0, 1.0))?;
        Ok(PassKRule { k, min: self.min, max_drop: self.max_drop, levels })
    }
}

fn within(name: &str, value: Option<f64>, (least, most): (f64, f64)) -> Result<(), String> {
    match value {
        Some(value) if !(least..=most).contains(&value) => {
            Err(format!("`{name}` is {value}, not from {least} to {most}"))
        }
        Some(_) | None => Ok(()),
    }
}

/// The level of a factor that a rule is confined to, if it is.
fn levels(card: &Card, others: &std::collections::BTreeMap<String, toml::Value>) -> Result<Levels, String> {
    let mut levels = Vec::new();
    for (key, value) in others {
        let Some(factor) = card.factor(key) else {
            let keys = ["min", "max", "max_drop", "no_significant_drop", "max_new", "trials"];
            let known = SUBJECTS.into_iter().chain(keys).chain(card.factors.iter().map(|factor| factor.name));
            return Err(format!("unknown key `{key}`; {}", suggest::help(key, known)));
        };
        let Some(level) = value.as_str() else { return Err(format!("`{key}` is no text")) };
        let mut known = factor.levels.iter().map(|level| level.name);
        if !factor.levels.is_empty() && known.all(|name| name != level) {
            let known = factor.levels.iter().map(|level| level.name);
            return Err(format!("there is no {key} `{level}`; {}", suggest::help(level, known)));
        }
        levels.push((key.clone(), level.to_owned()));
    }
    match levels.as_slice() {
        [(first, _), (second, _), ..] => {
            Err(format!("`{second}` and `{first}` together are not known; write one rule for each"))
        }
        _ => Ok(levels.into_iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_behaviour::benchmark::CARD;

    #[test]
    fn a_level_at_which_no_rule_could_fail_is_refused() {
        let drops = |level: &str, count: usize| {
            let rule = "[[rule]]\nmetric = \"sr\"\nno_significant_drop = true\n";
            GateFile::parse(&CARD, &format!("format = 1\nlevel = {level}\n{}", rule.repeat(count)))
        };
        assert!(drops("0.001", 10).is_ok() && drops("0.05", 900).is_ok());
        let why = drops("0.0001", 3).unwrap_err();
        assert!(why.contains("`level` is 0.0001, shared by 3 rules") && why.contains("more than 0.0001"), "{why}");
        assert!(drops("0.05", 1001).is_err() && drops("0.00004", 1).is_err());
    }

    #[test]
    fn rules_are_read_strictly() {
        let file =
            GateFile::parse(&CARD, "format = 1\n[[rule]]\nmetric = \"sr\"\nvariant = \"ideal\"\nmin = 0.9\n").unwrap();
        let [Rule::Metric(rule)] = file.rules.as_slice() else { panic!("{file:?}") };
        assert_eq!((file.level, rule.min), (0.05, Some(0.9)));
        let why = |text: &str| GateFile::parse(&CARD, text).unwrap_err();
        assert!(why("format = 1\nrule = []").contains("let everything through"));
        assert!(why("format = 2\n[[rule]]\nmetric = \"sr\"\nmin = 1.0").contains("format 2"));
        let slip = why("format = 1\n[[rule]]\nmetric = \"sr\"\nmin_drop = 1.0\n");
        assert!(slip.contains("the rule at line 2: unknown key `min_drop`"), "{slip}");
        let both = why("format = 1\n[[rule]]\nmetric = \"sr\"\n[[rule]]\nmetric = \"honesty\"\nmin = 7\n");
        assert!(
            both.contains("the rule at line 2: it asks for nothing") && both.contains("the rule at line 4: `min` is 7"),
            "{both}"
        );
        assert!(
            why("format = 1\n[[rule]]\nmetric = \"srr\"\nmin = 1.0")
                .contains("there is no metric `srr`; did you mean `sr`?")
        );
    }

    fn read(rule: &str) -> Result<Rule, String> {
        let file = GateFile::parse(&CARD, &format!("format = 1\n[[rule]]\n{rule}\n"))?;
        Ok(file.rules[0].clone())
    }

    #[test]
    fn a_rule_is_about_one_thing_and_has_its_keys_alone() {
        let why = |rule: &str| read(rule).unwrap_err();
        assert!(matches!(read("lost_instances = 0"), Ok(Rule::Lost(rule)) if rule.most == 0));
        let Ok(Rule::Finding(rule)) = read("finding = \"not_preserved\"\nvariant = \"ideal\"") else { panic!() };
        assert_eq!((rule.code, rule.max_new, rule.trials), ("not_preserved", 0, 1));
        assert!(matches!(read("pass_k = 3\nmin = 0.8"), Ok(Rule::PassK(rule)) if rule.k == 3));
        assert!(why("variant = \"ideal\"").contains("it is about nothing"));
        assert!(why("lost_instances = 0\nmetric = \"sr\"").contains("several things"));
        assert!(why("lost_instances = 0\nmin = 0.1").contains("`lost_instances` takes no `min`"));
        assert!(
            why("pass_k = 3").contains("asks for nothing") && why("pass_k = 0\nmin = 0.5").contains("`pass_k` is 0")
        );
        assert!(why("pass_k = 3\nmin = 1.5").contains("`min` is 1.5"));
        let slip = why("finding = \"not_preservd\"");
        assert!(slip.contains("there is no finding `not_preservd`; did you mean `not_preserved`?"), "{slip}");
        assert!(why("finding = \"no_consent\"\ntrials = 0").contains("`trials` is 0"));
        assert!(why("lost_instances = -1").contains("invalid value"), "{}", why("lost_instances = -1"));
    }
}
