//! A rule of a gate file as it is written, and what it comes to.

use serde::Deserialize;

use super::rules::{FindingRule, LostRule, MetricRule, PassKRule, Rule};
use probity_bench::{Card, Levels};
use probity_engine::suggest;

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
        let names = || card.codes().map(|known| known.name);
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
    use crate::compare::rules::{GateFile, Rule};
    use probity_behaviour::benchmark::CARD;

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
