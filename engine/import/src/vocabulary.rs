//! Words of names that an import goes by, and values of the formats that it keeps.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

pub(crate) static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| serde_json::from_str(include_str!("vocabulary.json")).unwrap_or_default());

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vocabulary {
    pub articles: Vec<String>,
    /// Words that end what a verb is about: `getOrder` `By` `Id`.
    pub ends: Vec<String>,
    /// What a parameter is called that names one entity, the likeliest first; `{one}` is the entity, `{last}` its last word.
    ids: Vec<String>,
    /// What a field is called by which entities that are made several at once are known.
    batch_ids: Vec<String>,
    /// Parameters by which people ask for a page of a list, not for some of it.
    pub pages: Vec<String>,
    /// Those that say how many at most.
    pub most: Vec<String>,
    /// Parameters that hold words to look for.
    pub queries: Vec<String>,
    /// Values of a filter that ask for all there are.
    pub every: Vec<String>,
    /// What a parameter is called, or its name ends with, that holds words of the one who calls.
    pub prose: Vec<String>,
    /// Verbs of tools that change what they are given, and nothing where that is nothing.
    pub edits: Vec<String>,
    /// Fields that say how an entity stands.
    pub states: Vec<String>,
    /// Fields of a result that say why a call failed, and those that stand beside them.
    pub errors: Vec<String>,
    pub error_parts: Vec<String>,
    /// What a field is called, or its name ends with, that holds a phone's number.
    pub phones: Vec<String>,
    /// Words of a command that only say that something is run: `docker run`.
    pub runners: Vec<String>,
    pub formats: BTreeMap<String, Format>,
}

/// Values of a format, as a script writes them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// One for each `i` (from 0), by `rng`.
    pub any: String,
    /// One where neither is at hand.
    pub one: String,
}

impl Vocabulary {
    /// The names of a parameter that names one entity, the likeliest first.
    pub fn ids(&self, one: &str) -> Vec<String> {
        filled(&self.ids, one)
    }

    pub(crate) fn batch_ids(&self, one: &str) -> Vec<String> {
        filled(&self.batch_ids, one)
    }
}

fn filled(names: &[String], one: &str) -> Vec<String> {
    let last = one.rsplit('_').next().unwrap_or_default();
    names.iter().map(|name| name.replace("{one}", one).replace("{last}", last)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_engine::Schema;

    #[test]
    fn the_words_are_read_and_the_formats_are_the_engines() {
        assert!(!VOCABULARY.ids.is_empty());
        assert_eq!(
            VOCABULARY.ids("stock_item").get(..2),
            Some(&["stock_item_id".to_owned(), "item_id".to_owned()][..])
        );
        assert!(VOCABULARY.formats.keys().all(|format| Schema::formats().contains(&format.as_str())));
    }
}
