//! How bad the line is, and the unit of every rate and confidence.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoiseLevel {
    /// Text mode: what is heard is what was said, letter for letter.
    Off,
    /// Like the better of the two measured voices (flite).
    Mild,
    /// Like the worse of them (espeak-ng).
    Strong,
}

impl NoiseLevel {
    /// The noisy levels up to this one, the weakest first: an edit is decided at the weakest level that makes it.
    pub(crate) fn steps(self) -> &'static [NoiseLevel] {
        match self {
            NoiseLevel::Off => &[],
            NoiseLevel::Mild => &[NoiseLevel::Mild],
            NoiseLevel::Strong => &[NoiseLevel::Mild, NoiseLevel::Strong],
        }
    }
}

impl fmt::Display for NoiseLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NoiseLevel::Off => "off",
            NoiseLevel::Mild => "mild",
            NoiseLevel::Strong => "strong",
        })
    }
}

impl FromStr for NoiseLevel {
    type Err = UnknownNoiseLevel;

    fn from_str(text: &str) -> Result<Self, UnknownNoiseLevel> {
        let levels = [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong];
        levels.into_iter().find(|level| level.to_string() == text).ok_or_else(|| UnknownNoiseLevel(text.to_owned()))
    }
}

/// A word that names no [`NoiseLevel`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNoiseLevel(String);

impl fmt::Display for UnknownNoiseLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unknown noise level `{}`: off, mild or strong", self.0)
    }
}

impl std::error::Error for UnknownNoiseLevel {}

/// A share in whole thousandths, 0 to 1000; whole, so that no platform rounds it differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct Permille(u16);

impl Permille {
    /// 1000: all of it.
    pub const ALL: Permille = Permille(1000);
    /// 0: nothing of it.
    pub const NONE: Permille = Permille(0);

    /// So many thousandths; more than 1000 counts as 1000.
    pub const fn new(thousandths: u16) -> Self {
        if thousandths > 1000 { Permille::ALL } else { Permille(thousandths) }
    }

    pub(crate) const fn thousandths(self) -> u16 {
        self.0
    }

    /// The same as a fraction from 0 to 1, e.g. to compare it with a threshold.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// The share that is left: 1000 less this.
    pub(crate) fn rest(self) -> Permille {
        Permille(1000 - self.0)
    }

    /// This share of another, rounded down.
    pub(crate) fn times(self, other: Permille) -> Permille {
        let product = u32::from(self.0) * u32::from(other.0) / 1000;
        Permille::new(u16::try_from(product).unwrap_or(u16::MAX))
    }
}

impl TryFrom<u16> for Permille {
    type Error = String;

    fn try_from(thousandths: u16) -> Result<Self, String> {
        if thousandths > 1000 {
            return Err(format!("{thousandths} thousandths are more than the whole"));
        }
        Ok(Permille(thousandths))
    }
}

impl From<Permille> for u16 {
    fn from(share: Permille) -> u16 {
        share.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_written() {
        for level in [NoiseLevel::Off, NoiseLevel::Mild, NoiseLevel::Strong] {
            assert_eq!(level.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_string(&level).unwrap(), format!("\"{level}\""));
        }
        let error = "loud".parse::<NoiseLevel>().unwrap_err();
        assert_eq!(error.to_string(), "unknown noise level `loud`: off, mild or strong");
    }

    #[test]
    fn a_share_is_at_most_the_whole() {
        assert_eq!(serde_json::from_str::<Permille>("1000").unwrap(), Permille::ALL);
        assert!(serde_json::from_str::<Permille>("1001").is_err());
        assert_eq!(Permille::new(2000), Permille::ALL);
        assert_eq!(Permille::new(350).times(Permille::new(110)), Permille::new(38));
        assert_eq!(Permille::new(350).rest(), Permille::new(650));
    }
}
