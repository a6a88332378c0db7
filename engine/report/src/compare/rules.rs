//! A gate file: what must hold of the new run, rule by rule.

use serde::Deserialize;
use toml::Spanned;

use super::difference::GroupName;
use super::written_rule::WrittenRule;
use probity_bench::{Card, Levels, stats::permutation};
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
}
