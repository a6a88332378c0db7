//! The confusion table, read from `confusion.toml`: per class a rate at each level, what each token is heard as, and how a
//! name that it does not know may be misheard.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::class::TokenClass;
use super::level::{NoiseLevel, Permille};

/// Version of table, draws and formulas together: it changes whenever the same seed would be heard otherwise.
pub const NOISE_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Change {
    Say(String),
    Drop,
    Twice,
    Join,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    Start,
    End,
    First,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Confusion {
    tables: BTreeMap<TokenClass, Table>,
    shifts: Vec<(Place, String, String, u32)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Thousandths of the tokens that are changed: mild, strong.
    rate: (u16, u16),
    /// What a token is heard as, each with its weight.
    rows: BTreeMap<String, Vec<(Change, u32)>>,
}

/// Stands for every token of a class without a row of its own.
const ANY: &str = "*";

static CONFUSION: LazyLock<Confusion> =
    LazyLock::new(|| toml::from_str(include_str!("confusion.toml")).unwrap_or_default());

/// How a name without a row is misheard: one of these (place, sound, heard, weight) that fits.
fn sound_shifts() -> &'static [(Place, String, String, u32)] {
    &CONFUSION.shifts
}

/// The share of the tokens of a class that is changed at a level.
pub(crate) fn rate(class: TokenClass, level: NoiseLevel) -> Permille {
    let (mild, strong) = CONFUSION.tables.get(&class).map_or((0, 0), |table| table.rate);
    Permille::new(match level {
        NoiseLevel::Off => 0,
        NoiseLevel::Mild => mild,
        NoiseLevel::Strong => strong,
    })
}

/// What a token of a class may become, with weights; empty when it is never changed by a row.
pub(crate) fn changes(class: TokenClass, token: &str) -> &'static [(Change, u32)] {
    let rows = CONFUSION.tables.get(&class).map(|table| &table.rows);
    rows.and_then(|rows| rows.get(token).or_else(|| rows.get(ANY))).map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn is_listed_name(token: &str) -> bool {
    CONFUSION.tables.get(&TokenClass::Name).is_some_and(|names| names.rows.contains_key(token))
}

/// The names that `name` may be heard as, each with its weight; none of them empty or `name` itself.
pub(crate) fn near_names(name: &str) -> Vec<(String, u32)> {
    let shifted = sound_shifts().iter().filter_map(|(place, sound, heard, weight)| {
        let near = match place {
            Place::Start => format!("{heard}{}", name.strip_prefix(sound.as_str())?),
            Place::End => format!("{}{heard}", name.strip_suffix(sound.as_str())?),
            Place::First => name.replacen(sound.as_str(), heard, 1),
        };
        (!near.is_empty() && near != name).then_some((near, *weight))
    });
    shifted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_rate_that_grows_with_the_level() {
        assert_eq!(CONFUSION.tables.len(), TokenClass::Word as usize + 1);
        for class in CONFUSION.tables.keys() {
            let [off, mild, strong] = [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong].map(|l| rate(*class, l));
            assert!(off == Permille::NONE && off < mild && mild < strong && strong < Permille::ALL, "{class:?}");
        }
    }

    #[test]
    fn no_change_is_idle() {
        for (token, row) in CONFUSION.tables.values().flat_map(|table| &table.rows) {
            let is_idle = |change: &Change| matches!(change, Change::Say(words) if words == token || words.is_empty());
            assert!(!row.is_empty() && row.iter().all(|(change, weight)| *weight > 0 && !is_idle(change)), "{token}");
        }
        assert!(sound_shifts().iter().all(|(_, sound, heard, weight)| sound != heard && *weight > 0));
        assert!(!sound_shifts().is_empty());
    }

    #[test]
    fn sounds_are_exchanged_where_they_stand() {
        let near: Vec<String> = near_names("hernandez").into_iter().map(|(name, _)| name).collect();
        assert_eq!(near, ["ernandez", "hernandes", "hernandis", "hermandez", "hernondez", "hirnandez"]);
        assert!(near_names("s").is_empty());
        assert!(near_names("").is_empty());
        assert!(near_names("łuk").is_empty());
    }
}
