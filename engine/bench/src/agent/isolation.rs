//! How agents in a process are kept apart from the rest of the machine: part of `run.json`.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What stands between an agent and the rest of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Barrier {
    /// Nothing but the rights of the user that it runs as.
    #[default]
    None,
    /// Namespaces of its own, made by `bwrap`.
    Bubblewrap,
}

/// What agents in a process are given, and what they are kept from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Isolation {
    /// What keeps them from the rest.
    pub barrier: Barrier,
    /// The folder they work in and read as their own, in place of an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The folder of the suite, which a barrier keeps out of their sight, also when the run goes on from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// What of the caller's environment they get: `NAME`, or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Whether they have a network in spite of the barrier.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
    /// What of `dir` a barrier kept from them all the same, by its place there: data of the suite, and runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<PathBuf>,
}

impl Isolation {
    /// Whether a barrier kept them from the suite, its tasks' solutions among it.
    pub fn is_apart(&self) -> bool {
        self.barrier != Barrier::None && !self.shows_suite()
    }

    /// Whether they were given a folder with data of the suite in it, as could be done once.
    fn shows_suite(&self) -> bool {
        let given = self.dir.as_ref().filter(|_| self.masked.is_empty());
        given.zip(self.suite.as_ref()).is_some_and(|(dir, suite)| dir == suite || suite.starts_with(dir))
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if self.barrier == Barrier::None {
            return formatter.write_str("agents in a process could reach all that their user can: no barrier");
        }
        formatter.write_str("agents in a process were kept apart by bubblewrap")?;
        if self.network {
            formatter.write_str(", but for the network")?;
        }
        if self.shows_suite() {
            return formatter.write_str(", but were given the folder of the suite to read");
        }
        if !self.masked.is_empty() {
            let masked: Vec<String> = self.masked.iter().map(|path| path.display().to_string()).collect();
            write!(formatter, "; of the folder that they were given they did not see {}", masked.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_no_more_of_a_barrier_than_holds() {
        let apart = Isolation { barrier: Barrier::Bubblewrap, suite: Some("/suite".into()), ..Isolation::default() };
        let with = |dir: &str, masked: &[&str]| {
            let masked = masked.iter().map(PathBuf::from).collect();
            Isolation { dir: Some(dir.into()), masked, ..apart.clone() }.to_string()
        };
        let kept = "agents in a process were kept apart by bubblewrap";
        assert_eq!(apart.to_string(), kept);
        assert_eq!(with("/suite/agent", &[]), kept);
        for shown in ["/suite", "/"] {
            assert_eq!(with(shown, &[]), format!("{kept}, but were given the folder of the suite to read"));
        }
        let masked = "; of the folder that they were given they did not see runs/old, tasks";
        assert_eq!(with("/suite", &["runs/old", "tasks"]), format!("{kept}{masked}"));
        let open = Isolation { network: true, ..apart };
        assert_eq!(open.to_string(), format!("{kept}, but for the network"));
    }
}
