//! A gate file: what must hold of the new run, rule by rule.

use serde::Deserialize;

use probity_behaviour::model::metric::Metric;
use probity_engine::model::ids::Variant;

/// The version of the gate format this build reads.
pub const FORMAT: u32 = 1;

/// A gate file (TOML).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateFile {
    /// Version of the format.
    pub format: u32,
    /// The chance of a false alarm that is put up with, for all rules of `no_significant_drop` together.
    #[serde(default = "level")]
    pub level: f64,
    /// The rules; all must hold.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
}

fn level() -> f64 {
    0.05
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The metric.
    pub metric: Metric,
    /// Only this behaviour.
    pub variant: Option<Variant>,
    /// Only this domain.
    pub domain: Option<String>,
    /// What the new run must reach.
    pub min: Option<f64>,
    /// By how much it may fall below the base.
    pub max_drop: Option<f64>,
    /// Whether it may not fall significantly below the base.
    #[serde(default)]
    pub no_significant_drop: bool,
}

impl GateFile {
    /// Reads a gate file.
    ///
    /// # Errors
    /// What is wrong, with the line and column where it stands.
    pub fn parse(text: &str) -> Result<GateFile, String> {
        let file: GateFile = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if file.format != FORMAT {
            return Err(format!("format {} is not known; this build reads {FORMAT}", file.format));
        }
        if file.rules.is_empty() {
            return Err("it has no `[[rule]]`: such a gate would let everything through".to_owned());
        }
        if !(file.level > 0.0 && file.level < 1.0) {
            return Err(format!("`level` is {}, not between 0 and 1", file.level));
        }
        let problems: Vec<String> = file
            .rules
            .iter()
            .enumerate()
            .filter_map(|(at, rule)| Some(format!("rule {}: {}", at + 1, rule.problem()?)))
            .collect();
        if problems.is_empty() { Ok(file) } else { Err(problems.join("\n")) }
    }
}

impl Rule {
    fn problem(&self) -> Option<String> {
        let share = |name: &str, value: Option<f64>| {
            let wrong = value.filter(|value| !(0.0..=1.0).contains(value))?;
            Some(format!("`{name}` is {wrong}, not from 0 to 1"))
        };
        if self.variant.is_some() && self.domain.is_some() {
            return Some("`variant` and `domain` together are not known; write one rule for each".to_owned());
        }
        if self.min.is_none() && self.max_drop.is_none() && !self.no_significant_drop {
            return Some("it asks for nothing: give `min`, `max_drop` or `no_significant_drop = true`".to_owned());
        }
        share("min", self.min).or_else(|| share("max_drop", self.max_drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_strictly() {
        let file = GateFile::parse("format = 1\n[[rule]]\nmetric = \"sr\"\nvariant = \"ideal\"\nmin = 0.9\n").unwrap();
        assert_eq!((file.level, file.rules[0].min), (0.05, Some(0.9)));
        let why = |text: &str| GateFile::parse(text).unwrap_err();
        assert!(why("format = 1\nrule = []").contains("let everything through"));
        assert!(why("format = 2\n[[rule]]\nmetric = \"sr\"\nmin = 1.0").contains("format 2"));
        let slip = why("format = 1\n[[rule]]\nmetric = \"sr\"\nmin_drop = 1.0\n");
        assert!(slip.contains("line 4") && slip.contains("unknown field `min_drop`"), "{slip}");
        let both = why("format = 1\n[[rule]]\nmetric = \"sr\"\n[[rule]]\nmetric = \"honesty\"\nmin = 7\n");
        assert!(both.contains("rule 1: it asks for nothing") && both.contains("rule 2: `min` is 7"), "{both}");
        assert!(why("format = 1\n[[rule]]\nmetric = \"srr\"\nmin = 1.0").contains("unknown variant `srr`"));
    }
}
