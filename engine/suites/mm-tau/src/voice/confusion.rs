//! The confusion table, as data: per class a rate at each level, and what each token is heard as.
//!
//! Rates and most rows were counted on flite and espeak-ng through whisper tiny.en; weights follow the counts where there
//! are any. Rows marked "ours" are judgement. Nothing here but data and its look-up.

use super::class::TokenClass;
use super::level::{NoiseLevel, Permille};

/// Version of table, draws and formulas together: it changes whenever the same seed would be heard otherwise.
pub const NOISE_VERSION: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Say(&'static str),
    Drop,
    Twice,
    Join,
}

use Change::{Drop, Join, Say, Twice};

/// A token and what it is heard as, each with its weight.
type Row = (&'static str, &'static [(Change, u32)]);

/// Stands for every token of a class without a row of its own.
const ANY: &str = "*";

/// Thousandths of the tokens of a class that are changed: (class, mild, strong).
const RATES: &[(TokenClass, u16, u16)] = &[
    (TokenClass::Digit, 50, 110),
    (TokenClass::Run, 100, 350),
    (TokenClass::Letter, 350, 600),
    (TokenClass::Symbol, 100, 300),
    (TokenClass::Name, 650, 850),
    (TokenClass::Word, 20, 100),
];

const DIGITS: &[Row] = &[
    ("one", &[(Say("won"), 3), (Say("world"), 1), (Say("well"), 1)]),
    ("two", &[(Say("to"), 4), (Say("do"), 1), (Say("due"), 1)]),
    ("three", &[(Say("free"), 1)]),
    ("four", &[(Say("for"), 3), (Say("form"), 1)]),
    ("five", &[(Drop, 1)]),
    ("eight", &[(Say("date"), 1)]),
    ("nine", &[(Say("i"), 1)]),
    (ANY, &[(Drop, 1)]), // ours: zero, oh, six, seven
];

/// The last digit of a run of equal ones.
const RUNS: &[Row] = &[(ANY, &[(Drop, 9), (Twice, 1)])];

const LETTERS: &[Row] = &[
    ("c", &[(Say("see"), 2), (Say("z"), 1)]),
    ("l", &[(Say("out"), 1), (Say("alpha"), 1)]),
    ("n", &[(Say("end"), 1)]),
    ("w", &[(Say("double u"), 3), (Say("novel"), 1)]),
    ("b", &[(Say("be"), 1), (Say("d"), 1)]), // ours, as are the next five
    ("d", &[(Say("the"), 1), (Say("b"), 1)]),
    ("f", &[(Say("s"), 1)]),
    ("s", &[(Say("f"), 1)]),
    ("t", &[(Say("tea"), 1), (Say("d"), 1)]),
    ("u", &[(Say("you"), 1)]),
    (ANY, &[(Drop, 1)]), // seen for p, m and r
];

const SYMBOLS: &[Row] = &[
    ("dot", &[(Say("not"), 2), (Say("but"), 1), (Join, 3)]),
    ("at", &[(Say("ed"), 1), (Drop, 1)]),
    ("underscore", &[(Say("score"), 1), (Say("under core"), 1)]),
    ("example", &[(Say("emple"), 1), (Drop, 1)]),
    (ANY, &[(Drop, 1)]), // ours: dash, plus
];

/// Names without a row are changed by [`SOUND_SHIFTS`].
const NAMES: &[Row] = &[
    ("aarav", &[(Say("arrow"), 1), (Say("update"), 1)]),
    ("ahmed", &[(Say("omid"), 1)]),
    ("brown", &[(Say("round"), 1)]),
    ("davis", &[(Say("is"), 1)]),
    ("gonzalez", &[(Say("gunzalil"), 1)]),
    ("kovacs", &[(Say("kovac"), 1)]),
    ("mei", &[(Say("may"), 4), (Say("my"), 1)]),
    ("noah", &[(Say("no a"), 1), (Say("no"), 1)]),
    ("patel", &[(Say("tell"), 1)]),
    ("rossi", &[(Say("frosty"), 1)]),
    ("sophia", &[(Say("sofia"), 1), (Say("sophie"), 1)]),
    ("yusuf", &[(Say("use of"), 1)]),
];

/// Words without a row are never changed.
const WORDS: &[Row] = &[
    ("code", &[(Say("co"), 1)]),
    ("line", &[(Say("light"), 1)]),
    ("mode", &[(Say("remote"), 1)]),
    ("not", &[(Drop, 1)]),
    ("said", &[(Say("can"), 1)]),
    ("sim", &[(Say("same"), 1)]),
    ("zip", &[(Say("six"), 2), (Say("lip"), 1), (Say("live"), 1)]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Start,
    End,
    First,
}

/// How a name without a row is misheard: one of these (place, sound, heard, weight) that fits. Ours.
pub(crate) const SOUND_SHIFTS: &[(Place, &str, &str, u32)] = &[
    (Place::Start, "h", "", 2),
    (Place::Start, "k", "c", 1),
    (Place::Start, "v", "b", 1),
    (Place::Start, "j", "ch", 1),
    (Place::End, "s", "", 2),
    (Place::End, "z", "s", 2),
    (Place::End, "d", "", 1),
    (Place::End, "t", "", 1),
    (Place::End, "ez", "is", 2),
    (Place::First, "ph", "f", 2),
    (Place::First, "th", "t", 2),
    (Place::First, "ei", "ay", 2),
    (Place::First, "m", "n", 1),
    (Place::First, "n", "m", 1),
    (Place::First, "v", "f", 1),
    (Place::First, "a", "o", 1),
    (Place::First, "o", "a", 1),
    (Place::First, "e", "i", 1),
    (Place::First, "i", "e", 1),
];

/// The share of the tokens of a class that is changed at a level.
pub(crate) fn rate(class: TokenClass, level: NoiseLevel) -> Permille {
    let row = RATES.iter().find(|(of, ..)| *of == class);
    let thousandths = row.map_or(0, |(_, mild, strong)| match level {
        NoiseLevel::Off => 0,
        NoiseLevel::Mild => *mild,
        NoiseLevel::Strong => *strong,
    });
    Permille::new(thousandths)
}

/// What a token of a class may become, with weights; empty when it is never changed by a row.
pub(crate) fn changes(class: TokenClass, token: &str) -> &'static [(Change, u32)] {
    let rows = match class {
        TokenClass::Digit => DIGITS,
        TokenClass::Run => RUNS,
        TokenClass::Letter => LETTERS,
        TokenClass::Symbol => SYMBOLS,
        TokenClass::Name => NAMES,
        TokenClass::Word => WORDS,
    };
    rows.iter().find(|(of, _)| *of == token || *of == ANY).map_or(&[], |(_, changes)| changes)
}

pub(crate) fn is_listed_name(token: &str) -> bool {
    NAMES.iter().any(|(name, _)| *name == token)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [(TokenClass, &[Row]); 6] = [
        (TokenClass::Digit, DIGITS),
        (TokenClass::Run, RUNS),
        (TokenClass::Letter, LETTERS),
        (TokenClass::Symbol, SYMBOLS),
        (TokenClass::Name, NAMES),
        (TokenClass::Word, WORDS),
    ];

    #[test]
    fn every_class_has_a_rate_that_grows_with_the_level() {
        for (class, _) in TABLES {
            let [off, mild, strong] = [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong].map(|l| rate(class, l));
            assert!(off == Permille::NONE && off < mild && mild < strong && strong < Permille::ALL, "{class:?}");
        }
    }

    #[test]
    fn no_row_is_hidden_and_no_change_is_idle() {
        for (class, rows) in TABLES {
            for (at, (token, row)) in rows.iter().enumerate() {
                assert!(*token != ANY || at + 1 == rows.len(), "{class:?}: rows after the last resort");
                assert!(rows[..at].iter().all(|(other, _)| other != token), "{class:?}: two rows for `{token}`");
                assert!(row.iter().all(|(change, weight)| *weight > 0 && *change != Say(token) && *change != Say("")));
            }
        }
        assert!(SOUND_SHIFTS.iter().all(|(_, sound, heard, weight)| sound != heard && *weight > 0));
    }
}
