//! A part of a planned run: which units it plays, and what says that it has.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use probity_engine::{Hash, ListHasher, Stream, as_text};

use super::episodes::Episodes;

/// The version of the format of `part.json` this build writes and reads.
pub const FORMAT: u32 = 1;
/// What a part leaves when all its units are played. It is written last, so that whoever has it has the part.
pub const FILE: &str = "part.json";
/// Shards of a plan at most.
pub(crate) const MAX_SHARDS: usize = 1_000_000;

/// A part of a planned run, as its `run.json` names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The digest of the plan.
    pub plan: Hash,
    /// Which of its units.
    pub units: Share,
}

/// Which units of a plan a part plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// Those of one shard of many.
    Shard(Shard),
    /// Those of a list; the hash of their numbers in the plan.
    Listed(Hash),
}

/// `INDEX/COUNT`: one of so many shards of a plan, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// The numbers of its units among so many, rising.
    ///
    /// Of each row of `count` units every shard has one. Which one is drawn anew for each row, so that what recurs in the
    /// order of units, such as a slow level of a factor, is no shard's alone.
    pub fn numbers(self, units: usize) -> Vec<usize> {
        let number = |row: usize| {
            let shift = Stream::new(0, "shard", &row.to_string()).below(self.count as u64);
            let shift = usize::try_from(shift).unwrap_or_default();
            row * self.count + (self.index + shift) % self.count
        };
        (0..units.div_ceil(self.count)).map(number).filter(|number| *number < units).collect()
    }
}

as_text!(Shard);

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        let (index, count) = parts.ok_or("write it as INDEX/COUNT, such as 0/64")?;
        match count {
            1..=MAX_SHARDS if index < count => Ok(Shard { index, count }),
            1..=MAX_SHARDS => Err(format!("{count} shards are 0/{count} to {}/{count}", count - 1)),
            _ => Err(format!("not from 1 to {MAX_SHARDS} shards")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Share::Shard(shard) => write!(f, "shard {shard}"),
            Share::Listed(hash) => write!(f, "the units listed as {hash}"),
        }
    }
}

/// The content of `part.json`: the part has ended, with these episodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartEnd {
    /// Version of the format.
    pub format: u32,
    /// The part.
    pub part: Part,
    /// How many episodes it has.
    pub episodes: usize,
    /// SHA-256 over the canonical JSON list of the SHA-256 of each line of `episodes.jsonl`.
    pub lines: Hash,
}

impl PartEnd {
    /// The end of a part with these episodes.
    pub fn of(part: &Part, episodes: &Episodes) -> PartEnd {
        let mut lines = ListHasher::default();
        episodes.entries.iter().for_each(|entry| lines.add(&entry.place.hash.to_string()));
        PartEnd { format: FORMAT, part: part.clone(), episodes: episodes.entries.len(), lines: lines.hash() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_units_and_differ_by_one_at_most() {
        for (units, count) in [(0, 1), (1, 3), (7, 7), (100, 8), (1000, 64), (63, 64)] {
            let shards: Vec<Vec<usize>> = (0..count).map(|index| Shard { index, count }.numbers(units)).collect();
            let mut all = shards.concat();
            all.sort_unstable();
            assert_eq!(all, (0..units).collect::<Vec<_>>(), "{units}/{count}");
            let sizes: Vec<usize> = shards.iter().map(Vec::len).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            assert!(shards.iter().all(|shard| shard.is_sorted()));
        }
    }

    /// With seven levels and as many shards, or one more, each shard gets all levels.
    #[test]
    fn what_recurs_is_no_shards_alone() {
        for count in [6, 7, 8, 14] {
            for index in 0..count {
                let mut of_level = [0; 7];
                Shard { index, count }.numbers(7000).iter().for_each(|number| of_level[number % 7] += 1);
                let fair = 1000 / count;
                assert!(
                    of_level.iter().all(|some| *some > fair / 2 && *some < fair * 2),
                    "{index}/{count}: {of_level:?}"
                );
            }
        }
    }

    #[test]
    fn a_shard_is_written_as_it_is_read() {
        assert_eq!("3/64".parse::<Shard>().unwrap().to_string(), "3/64");
        for (text, what) in [("64/64", "0/64 to 63/64"), ("0/0", "not from 1"), ("1", "INDEX/COUNT"), ("-1/2", "INDEX")]
        {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
