//! In which other ways a benchmark can be played: `--set attempts=2`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::kit::{texts, word};

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

/// The options of a run that are not the usual ones, by name.
pub type Options = BTreeMap<String, String>;

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
